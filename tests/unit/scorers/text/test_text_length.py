"""text_length: the output text has as many characters, words or lines as allowed."""

import json
from collections.abc import Iterator

import pytest

from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import ANY, FAIL, Input, case_text, large_values, long_texts

EXAMPLES = [
    ({"unit": "words", "maximum": 3}, {"output": "Oslo is fine"}, "pass"),
    ({"unit": "words", "maximum": 2}, {"output": "Oslo is fine"}, "fail"),
    ({"unit": "characters", "minimum": 1}, {"output": ""}, "fail"),
    ({"unit": "lines", "minimum": 2, "maximum": 2}, {"output": "a\nb\n"}, "pass"),
]
NOTES = """
- Characters are Unicode code points. Words are what white space separates. Lines end with a line break (`\\n`,
  `\\r\\n` or `\\r`) or with the text: a line break at the very end begins no further line, and an empty text has
  none.
- At least one bound is required. `minimum` 1 of any unit asks for an output that is not empty.
"""


def hostile_inputs() -> Iterator[Input]:
    for title, text in long_texts():
        for unit in ("characters", "words", "lines"):
            for bounds in ({"minimum": 1}, {"maximum": 10}, {"minimum": 10**300}, {"minimum": 5, "maximum": 10**6}):
                parameters = {"unit": unit, **bounds}
                yield Input(f"{title}: {parameters}", parameters, case_text(output=json.dumps(text * 10)), ANY)
    for title, value in large_values():
        yield Input(title, {"unit": "words", "maximum": 10}, case_text(output=value), FAIL)


@pytest.mark.parametrize(
    ("unit", "output", "count"),
    [
        ("characters", "", 0),
        ("characters", "e\u0301", 2),
        ("characters", "\U0001f600", 1),
        ("words", "", 0),
        ("words", " \t\n", 0),
        ("words", "a  b\u00a0c\u3000d", 4),
        ("words", "a\u200bb", 1),
        ("lines", "", 0),
        ("lines", "a", 1),
        ("lines", "a\n", 1),
        ("lines", "\n", 1),
        ("lines", "a\r\nb\rc\nd", 4),
        ("lines", "a\n\nb", 3),
    ],
)
def test_what_is_counted(unit, output, count):
    answer = grade("text_length", {"unit": unit, "minimum": count, "maximum": count}, output=output)

    assert answer.outcome == "pass"
    assert f"has {count} {unit};" in answer.explanation


def test_bounds_are_inclusive():
    parameters = {"unit": "words", "minimum": 2, "maximum": 3}

    verdicts = [outcome("text_length", parameters, output=" ".join("a" * count)) for count in (1, 2, 3, 4)]

    assert verdicts == ["fail", "pass", "pass", "fail"]


def test_a_maximum_of_none_passes_an_empty_output_only():
    assert outcome("text_length", {"unit": "characters", "maximum": 0}, output="") == "pass"
    assert outcome("text_length", {"unit": "characters", "maximum": 0}, output=" ") == "fail"


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({"unit": "words"}, {""}),
        ({"minimum": 1}, {"/unit"}),
        ({"unit": "sentences", "minimum": 1}, {"/unit"}),
        ({"unit": "words", "minimum": 0}, {"/minimum"}),
        ({"unit": "words", "minimum": -1}, {"/minimum"}),
        ({"unit": "words", "minimum": 1.5}, {"/minimum"}),
        ({"unit": "words", "minimum": True}, {"/minimum"}),
        ({"unit": "words", "minimum": 3, "maximum": 2}, {"/minimum"}),
        ({"unit": "words", "minimum": None, "maximum": None}, {"/minimum", "/maximum"}),
    ],
)
def test_bounds_that_decide_nothing_are_refused(parameters, pointers):
    assert refused("text_length", parameters) == pointers
