"""required_fields: the output object has each listed field with its declared type."""

import json
from collections.abc import Iterator

import pytest

from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import ANY, FAIL, PASS, SOME, Input, case_text, large_values, long_texts
from tests.unit.scorers.structured.hostile_numbers import NUMBERS

EXAMPLES = [
    ({"required_fields": [{"path": "/n", "type": "integer"}]}, {"output": {"n": 1.0}}, "pass"),
    ({"required_fields": [{"path": "/a/0/b", "type": ["string", "null"]}]}, {"output": {"a": [{"b": None}]}}, "pass"),
    ({"required_fields": [{"path": "/a", "type": "any"}]}, {"output": {"b": 1}}, "fail"),
    ({"required_fields": [{"path": "/a", "type": "any"}], "output_path": "/b"}, {"output": {"b": {"a": None}}}, "pass"),
]
NOTES = """
`path` is a JSON Pointer from the object on. `type` is one or a list of `string`, `number`, `integer`, `boolean`,
`object`, `array`, `null`, `any`.

- A field that is `null` is there, with type `null`. `any` takes it.
- `integer` takes `1.0`, as in `json_schema`; `number` takes integers; `true` is neither.
- Only presence and type are looked at: an empty text is a string. For more use `json_schema`.
"""
SHOWN = [
    (
        {
            "required_fields": [
                {"path": "/answer", "type": "string"},
                {"path": "/sources/0/id", "type": ["string", "integer"]},
            ]
        },
        {"output": {"answer": None, "sources": []}},
    ),
]


def hostile_inputs() -> Iterator[Input]:
    paths = ["/a" * 99, "/0" * 99, "/member 9999", "/" + "9" * 400, "/" + "~1" * 400, "/a" * 5_000, "/x"]
    kinds = ("integer", "any", ["number", "array"])
    fields = [[{"path": path, "type": kind} for path in paths] for kind in kinds]
    many = [{"path": f"/item {n}", "type": "integer"} for n in range(SOME)]
    for title, value in large_values(SOME):
        for number, required in enumerate((*fields, many)):
            parameters = {"required_fields": required}
            yield Input(f"{title}, {number}", parameters, case_text(output=value), FAIL)
    for number in NUMBERS:
        for kind, want in (("integer", ANY), ("number", PASS), ("string", FAIL), (["null", "boolean"], FAIL)):
            parameters = {"required_fields": [{"path": "/x", "type": kind}]}
            yield Input(f"{number[:9]}, {kind}", parameters, case_text(output=f'{{"x":{number}}}'), want)
    for title, text in long_texts():
        for kind, want in (("string", PASS), ("number", FAIL), ("any", PASS)):
            parameters = {"required_fields": [{"path": "/x", "type": kind}]}
            output = f'{{"x":{json.dumps(text)}}}'
            yield Input(f"{title}, {kind}", parameters, case_text(output=output), want)


VALUES = {
    "string": "1",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "object": {},
    "array": [],
    "null": None,
}


def has(types, value):
    return (
        outcome("required_fields", {"required_fields": [{"path": "/f", "type": types}]}, output={"f": value}) == "pass"
    )


@pytest.mark.parametrize("declared", VALUES)
@pytest.mark.parametrize("kind", VALUES)
def test_a_field_passes_where_it_has_its_declared_type_and_nothing_is_converted(declared, kind):
    assert has(declared, VALUES[kind]) == (declared == kind or (declared, kind) == ("number", "integer"))


@pytest.mark.parametrize("kind", VALUES)
def test_any_takes_every_type(kind):
    assert has("any", VALUES[kind])


def test_one_of_several_types_suffices():
    assert has(["string", "null"], None)
    assert not has(["string", "null"], 1)


@pytest.mark.parametrize("number", [1.0, 1e2, -0.0, 10**30])
def test_a_whole_number_is_an_integer_however_it_is_written(number):
    assert has("integer", number)


def test_a_member_whose_name_holds_a_dot_or_a_slash_is_one_field():
    rules = [{"path": "/a.b", "type": "string"}, {"path": "/c~1d", "type": "string"}]

    assert outcome("required_fields", {"required_fields": rules}, output={"a.b": "x", "c/d": "y"}) == "pass"


def test_a_fail_counts_the_broken_rules_and_names_their_paths_and_types():
    rules = [{"path": "/agency", "type": "string"}, {"path": "/total", "type": "number"}, {"path": "/x", "type": "any"}]

    answer = grade("required_fields", {"required_fields": rules}, output={"agency": None, "total": 3})

    assert answer.explanation == (
        "2 of 3 required fields are missing or of another type: /agency is null, not string; /x is missing."
    )


def test_ten_broken_rules_are_named_at_most():
    rules = [{"path": f"/{number}", "type": "any"} for number in range(30)]

    answer = grade("required_fields", {"required_fields": rules}, output={})

    assert answer.explanation.endswith("/9 is missing and 20 more.")


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {"/required_fields"}),
        ({"required_fields": []}, {"/required_fields"}),
        ({"required_fields": [{"path": "a", "type": "any"}]}, {"/required_fields/0/path"}),
        ({"required_fields": [{"path": "", "type": "object"}]}, {"/required_fields/0/path"}),
        ({"required_fields": [{"path": "/a"}]}, {"/required_fields/0/type"}),
        ({"required_fields": [{"path": "/a", "type": "any", "min": 1}]}, {"/required_fields/0/min"}),
    ],
)
def test_rules_that_say_nothing_or_too_much_are_refused(parameters, pointers):
    assert refused("required_fields", parameters) == pointers


@pytest.mark.parametrize("types", ["float", [], ["string", "float"], None, 1])
def test_an_unknown_type_is_refused(types):
    assert refused("required_fields", {"required_fields": [{"path": "/a", "type": types}]})
