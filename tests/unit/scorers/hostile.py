"""Inputs built to be slow or large: texts and values as JSON texts, made when they are needed and never stored."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MANY = 20_000
"""Characters or elements that are enough to show work that grows with their square."""

SOME = 1_000
"""Few enough for many inputs."""

ANY = frozenset({"pass", "fail", "inconclusive", "error", "unsupported", "timeout"})
"""What a deterministic scorer may say of a case that only has to be survived."""

PASS = frozenset({"pass", "timeout"})
FAIL = frozenset({"fail", "timeout"})


@dataclass(frozen=True)
class Input:
    """A case as JSON text, the version that scores it and the outcomes that are right."""

    title: str
    parameters: Mapping[str, Any]
    case: str
    want: frozenset[str] = ANY
    limit_ms: int = 25

    def line(self, implementation: str) -> bytes:
        """The input as a line of `evalbook score`."""
        head = {"id": 0, "implementation": implementation, "time_limit_ms": self.limit_ms}
        return f'{json.dumps(head)[:-1]}, "parameters": {json.dumps(self.parameters)}, "case": {self.case}}}'.encode()


def case_text(**members: str) -> str:
    """The text of a case whose members are JSON texts."""
    return '{"case_id": "hostile"' + "".join(f', "{name}": {text}' for name, text in members.items()) + "}"


def array_text(elements: Iterable[str]) -> str:
    return "[" + ",".join(elements) + "]"


def object_text(members: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in members) + "}"


def nested_arrays(levels: int, inner: str = "0", beside: str = "") -> str:
    """*inner* in *levels* arrays, with *beside* (elements, each with its comma) in front of it in each of them."""
    return f"[{beside}" * levels + inner + "]" * levels


def long_texts(count: int = MANY) -> Iterator[tuple[str, str]]:
    """Long texts, each with a title."""
    half, third = count // 2, count // 3
    letters = random.Random(1).choices("abcdefghij ", k=count)
    yield "one letter", "a" * count
    yield "letters", "".join(letters)
    yield "words", "a " * half
    yield "blanks", " " * count
    yield "blanks of all kinds", "\u2003\u00a0\t\u3000" * (count // 4)
    yield "line ends", "\n" * count
    yield "control characters", "\x00\x1f" * half
    yield "quotes and backslashes", '"\\' * half
    yield "beyond the basic plane", "\U0001f600" * count
    yield "equal combining marks", "a" + "\u0301" * count
    yield "combining marks in need of ordering", "a" + "\u0301\u0323" * half
    yield "combining marks in falling order", "a" + "\u0345" * third + "\u0301" * third + "\u0323" * third
    yield "bases with marks", "e\u0323\u0302" * third
    yield "letters that decompose", "\u1e69" * count
    yield "parts of syllables", "\u1100\u1161\u11a8" * third
    yield "letters that fold to three", "\u0390" * count
    yield "letters that fold with a mark", "\u0130" * count
    yield "opening brackets", "[" * count
    yield "nested brackets", "[" * half + "]" * half
    yield "braces", "{" * half + "}" * half
    yield "digits", "9" * count
    yield "alternating", "ab" * half


def large_values(count: int = MANY, levels: int = 99) -> Iterator[tuple[str, str]]:
    """Large values, each with a title; none is a text, and the deepest has *levels* levels."""
    half, few = count // 2, count // 50
    wide = ",".join(map(str, range(few)))
    yield "small numbers", array_text(map(str, range(count)))
    yield "numbers of 400 digits", array_text(["9" * 400] * few)
    yield "numbers of 400 digits that differ", array_text(str(10**399 + n) for n in range(few))
    yield "numbers with the largest exponent", array_text(["1e400"] * half)
    yield "numbers with the smallest exponent", array_text(["1e-400"] * half)
    yield "spellings of one number", array_text(["1", "1.0", "10e-1", "0.1e1", "1e0"] * (count // 5))
    yield "fractions that differ", array_text(f"0.{n:09}" for n in range(half))
    yield "booleans", array_text(["true", "false"] * half)
    yield "empty arrays", array_text(["[]"] * count)
    yield "empty objects", array_text(["{}"] * count)
    yield "texts", array_text(f'"text {n}"' for n in range(half))
    yield "one member in each of many objects", array_text(f'{{"n":{n}}}' for n in range(half))
    yield "deep arrays", nested_arrays(levels)
    yield "deep arrays with many neighbours", nested_arrays(levels, beside=wide + ",")
    yield "deep objects", '{"a":' * levels + "0" + "}" * levels
    yield "deep objects with neighbours", ('{"b":[' + wide + '],"a":') * (levels - 1) + "0" + "}" * (levels - 1)
    yield "many members", object_text((f"member {n}", str(n)) for n in range(half))
    yield "members with long names", object_text((f"{n:05}" * 200, "0") for n in range(few))
    yield "names beyond the basic plane", object_text((f"\U0001f600\uffff{n}", "0") for n in range(half))


def changed(value: str) -> str:
    """*value* with a difference at its very end."""
    return f"[{value},0]"


def unchanged(value: str) -> str:
    return f"[{value},1]"
