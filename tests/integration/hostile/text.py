"""Hostile inputs of the text family."""

import json
from collections.abc import Iterator

from tests.integration.hostile.inputs import (
    ANY,
    FAIL,
    PASS,
    SOME,
    Input,
    case,
    changed,
    listed,
    texts,
    unchanged,
    values,
)

OPTIONS = (
    {"normalize_unicode": True},
    {"ignore_case": True},
    {"trim": True, "collapse_whitespace": True},
    {"normalize_unicode": True, "trim": True, "collapse_whitespace": True, "ignore_case": True},
)
# Each takes polynomial time on some text, and less than 100 ms on texts of 1,000 characters.
PATTERNS = (
    r"a*b",
    r"[a-z ]*=",
    r"\s+$",
    r"(?:a|b)+c",
    r"\[[^\]]*\]",
    r"^(?:a b?)+$",
    r"\w+@\w+",
    r"[\[{]+x",
    r"(?i)A+B",
    r"\d+\.\d+",
)


def exact_match() -> Iterator[Input]:
    for title, text in texts():
        for options in OPTIONS:
            for end, want in (("x", PASS), ("y", FAIL)):
                both = case(output=json.dumps(text + "x"), expected=json.dumps(text + end))
                yield Input("exact_match", f"{title}, {options}, {end}", options, both, want)
    for title, value in values():
        for make, want in ((unchanged, PASS), (changed, FAIL)):
            both = case(output=unchanged(value), expected=make(value))
            yield Input("exact_match", f"{title}, {want}", {"compare": "json"}, both, want)


def _listing(implementation: str, found: frozenset[str], lacking: frozenset[str]) -> Iterator[Input]:
    for title, text in texts():
        output = json.dumps(text + "x")
        for options in OPTIONS:
            itself = case(output=output, expected=output)
            yield Input(implementation, f"{title} in itself, {options}", options, itself, found)
            other = case(output=output, expected=json.dumps(text + "q"))
            yield Input(implementation, f"{title} in another, {options}", options, other, lacking)
    for title, text in texts(SOME):
        many = listed(json.dumps(f"{text}#{n}") for n in range(200))
        both = case(output=json.dumps(text * 10), expected=many)
        yield Input(implementation, f"200 texts of {title}", {}, both, lacking)
    many = listed(f'"b{n}"' for n in range(20_000))
    yield Input(implementation, "20,000 texts", {}, case(output=json.dumps("a" * 500_000), expected=many), lacking)
    for title, value in values():
        yield Input(implementation, title, {"texts": ["x"]}, case(output=value), frozenset({"fail"}))
        yield Input(implementation, f"{title} as texts", {}, case(output='"x"', expected=value), ANY)


def contains() -> Iterator[Input]:
    yield from _listing("contains", PASS, FAIL)


def not_contains() -> Iterator[Input]:
    yield from _listing("not_contains", FAIL, PASS)


def edit_similarity() -> Iterator[Input]:
    found = dict(texts(SOME))
    for one, text in found.items():
        for other in list(found.values())[::2]:
            both = case(output=json.dumps(text), expected=json.dumps(other))
            yield Input("edit_similarity", f"{one} against {other[:3]!r}", {"threshold": 0.5}, both)
    for threshold in (0, 0.5, 0.999999):
        for options in ({}, *OPTIONS):
            both = case(output=json.dumps("ab" * 50_000), expected=json.dumps("ba" * 50_000))
            parameters = {"threshold": threshold, **options}
            yield Input("edit_similarity", f"100,000 by 100,000, {parameters}", parameters, both)
    longer = {"threshold": 0.5, "max_input_chars": 1_000_000}
    both = case(output=json.dumps("ab" * 250_000), expected=json.dumps("bca" * 160_000))
    yield Input("edit_similarity", "500,000 by 480,000", longer, both)


def regex() -> Iterator[Input]:
    for title, text in texts():
        for pattern in PATTERNS:
            parameters = {"pattern": pattern, "match_timeout_ms": 2_000}
            yield Input("regex", f"{title} by {pattern}", parameters, case(output=json.dumps(text)))
    for mode in ("match", "no_match"):
        for timeout in (1, 5, 10):
            parameters = {"pattern": r"\[[^\]]*\]", "mode": mode, "match_timeout_ms": timeout}
            output = json.dumps("[" * 90_000)
            yield Input("regex", f"{mode} in {timeout} ms", parameters, case(output=output), frozenset({"timeout"}))
