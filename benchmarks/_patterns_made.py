"""Patterns of known class, generated: what makes each one exponential, polynomial or safe is in how it is built."""

from collections.abc import Iterator
from itertools import product
from typing import Any

LETTERS = ("a", r"\d", r"\w", "[a-f]", r"\s", r"[^\n]")
ENDS = ("$", "!$", "END$")


def exponential() -> Iterator[str]:
    for letter, end in product(LETTERS, ENDS):
        yield f"^({letter}|{letter})*{end}"
        yield f"^(?:({letter})|({letter}))+{end}"
        yield f"^(?:{letter}x|{letter}x|y)*{end}"


def fast_polynomial() -> Iterator[str]:
    for letter, end in product(LETTERS, ENDS):
        yield f"{letter}*{letter}*{letter}*{letter}*~{end}"
        yield f"<<{letter}*({letter}*?){letter}*>>"


def slow_polynomial() -> Iterator[str]:
    for letter, end in product(LETTERS, ENDS):
        yield f"^{letter}+{letter}+~{end}"
        yield f"{letter}+~{end}"


def safe() -> Iterator[str]:
    for letter, end in product(LETTERS, ENDS):
        yield f"^{letter}*~{end}"
        yield f"^(?:{letter}~)*{end}"
        yield f"^(?:~{letter})+{end}"
        yield f"^{letter}{{1,9}}~"
        yield f"^(?>{letter}+)~"


def made_corpus() -> list[dict[str, Any]]:
    """Give rows as the corpus has them, each pattern once."""
    classes = (
        ("exponential", None, exponential()),
        ("polynomial", 500, fast_polynomial()),
        ("polynomial", 5_000, slow_polynomial()),
        ("safe", None, safe()),
    )
    return [
        {"pattern": pattern, "flags": "", "label": label, "len_100ms": length}
        for label, length, patterns in classes
        for pattern in dict.fromkeys(patterns)
    ]
