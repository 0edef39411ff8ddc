"""Hostile inputs that several scorers of texts share."""

import json
from collections.abc import Iterator

from tests.unit.scorers.hostile import ANY, SOME, Input, array_text, case_text, large_values, long_texts

OPTIONS = (
    {"normalize_unicode": True},
    {"ignore_case": True},
    {"trim": True, "collapse_whitespace": True},
    {"normalize_unicode": True, "trim": True, "collapse_whitespace": True, "ignore_case": True},
)


def listing(found: frozenset[str], lacking: frozenset[str]) -> Iterator[Input]:
    for title, text in long_texts():
        output = json.dumps(text + "x")
        for options in OPTIONS:
            itself = case_text(output=output, expected=output)
            yield Input(f"{title} in itself, {options}", options, itself, found)
            other = case_text(output=output, expected=json.dumps(text + "q"))
            yield Input(f"{title} in another, {options}", options, other, lacking)
    for title, text in long_texts(SOME):
        many = array_text(json.dumps(f"{text}#{n}") for n in range(200))
        both = case_text(output=json.dumps(text * 10), expected=many)
        yield Input(f"200 texts of {title}", {}, both, lacking)
    many = array_text(f'"b{n}"' for n in range(20_000))
    yield Input("20,000 texts", {}, case_text(output=json.dumps("a" * 500_000), expected=many), lacking)
    for title, value in large_values():
        yield Input(title, {"texts": ["x"]}, case_text(output=value), frozenset({"fail"}))
        yield Input(f"{title} as texts", {}, case_text(output='"x"', expected=value), ANY)
