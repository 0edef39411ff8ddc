"""json_schema: the output is valid against a JSON Schema of draft-04 to 2020-12."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from evalbook.domain.implementation import PreparedScorer
from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import case_of, grade, outcome, refused, version_of
from tests.unit.scorers.hostile import (
    FAIL,
    PASS,
    SOME,
    Input,
    array_text,
    case_text,
    large_values,
    long_texts,
    nested_arrays,
)

TAKES_ANY_OUTPUT = True
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "pattern": "^[A-Z]"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}
EXAMPLES = [
    ({"schema": PERSON}, {"output": {"name": "Ada", "age": 36.0}}, "pass"),
    ({"schema": PERSON}, {"output": {"name": "ada"}}, "fail"),
    ({"schema": PERSON}, {"output": {"name": "Ada", "height": 1.7}}, "fail"),
    ({"schema": {"patternProperties": {"^x-": {"type": "string"}}}}, {"output": {"x-a": "1", "b": 2}}, "pass"),
    ({"schema": PERSON, "output_path": "/0"}, {"output": [{"name": "Ada"}]}, "pass"),
    ({"schema": {"pattern": "^(a|b)+$"}, "max_input_chars": 3}, {"output": "abab"}, "error"),
]
NOTES = """
The schema may be of draft-04, draft-06, draft-07, 2019-09 or 2020-12: its `$schema` says which, without one it is
2020-12. A version stores and shows it as 2020-12 has it. The keywords of 2020-12 that are taken, by what they are
about ([json-schema.md](json-schema.md) has the formats, and how older drafts spell the same):

| about | keywords |
| --- | --- |
| any value | `type`, `const`, `enum` |
| numbers | `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` |
| strings | `minLength`, `maxLength`, `pattern`, `format` |
| elements | `items`, `prefixItems`, `contains`, `minContains`, `maxContains` |
| arrays | `minItems`, `maxItems`, `uniqueItems`, `unevaluatedItems` |
| members | `properties`, `patternProperties`, `additionalProperties`, `propertyNames` |
| objects | `required`, `dependentRequired`, `dependentSchemas`, `unevaluatedProperties` |
| sizes of objects | `minProperties`, `maxProperties` |
| combinations | `allOf`, `anyOf`, `oneOf`, `not`, `if`, `then`, `else` |
| structure | `$schema` and `$id` (at the root), `$defs`, `$ref` (within the schema) |
| annotations | `title`, `description`, `default`, `examples`, `$comment`, `deprecated`, `readOnly`, `writeOnly` |
| annotations of texts | `contentEncoding`, `contentMediaType`, `contentSchema` |
| annotations for editors | `allowComments`, `allowTrailingCommas`, `defaultSnippets`, `doNotSuggest`, `errorMessage` |
| and | `deprecationMessage`, `markdownDeprecationMessage`, `markdownDescription`, `patternErrorMessage` |
| and | `enumDescriptions`, `enumNames`, `markdownEnumDescriptions`, `suggestSortText`, `tsEnumNames`, `tsType` |
| annotations of OpenAPI | `externalDocs`, `xml` |

- Names that begin with `x-` are annotations too. Any other keyword refuses the version: ignored, it would let
  everything through. A refusal names every problem at once, in definitions too, and what to write instead.
- Of `format`, those of 2020-12 are checked; a version with another one is refused unless `formats` is `annotate`.
- A `$ref` leads to any schema of the document, in containers of your own too (`#/components/schemas/name`).
- A `$ref` that leads out of the schema is refused; nothing is ever fetched. So is one that leads back to itself
  without going down the value, or a schema that would take too long to decide.
- An output that is a text holding JSON is a string. The schema `{"type": "object"}` fails it.
- `1.0` is an `integer`, in documents of draft-04 too. `multipleOf` is exact: 0.3 is a multiple of 0.1.
- The schemas `true` and `{}` pass any recorded output.
- `details` list up to ten places; the explanation names the first, with the names of the output masked by `*`.
- Validating is bounded in steps as well as in time; where they run out the case is `timeout` (`TIME_LIMIT`).
"""
SHOWN = [
    (
        {"schema": {"type": "object", "required": ["age"], "properties": {"age": {"type": "integer", "minimum": 0}}}},
        {"output": {"age": -1}},
    ),
    ({"schema": {"type": "string", "format": "email"}}, {"output": "someone"}),
    ({"schema": {"definitions": {"age": {"type": "integer", "nullable": True}}}}, {"output": {}}),
]


_BRANCHING = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "anyOf": [
                {"type": "array", "items": {"$ref": "#/$defs/node"}, "minItems": 1, "maxItems": 1, "contains": False},
                {"type": "array", "items": {"$ref": "#/$defs/node"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}},
                {"type": ["number", "string", "boolean"]},
            ]
        }
    },
}


def _chain(length: int) -> dict[str, Any]:
    """Schemas that refer to each other on one value, then to the first on its elements."""
    links: dict[str, Any] = {f"n{n}": {"allOf": [{"$ref": f"#/$defs/n{n + 1}"}]} for n in range(length)}
    down = {"items": {"$ref": "#/$defs/n0"}, "additionalProperties": {"$ref": "#/$defs/n0"}}
    return {"$ref": "#/$defs/n0", "$defs": {**links, f"n{length}": down}}


def _doubling(levels: int) -> dict[str, Any]:
    defs = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"items": {"$ref": "#/$defs/d0"}, "$defs": {**defs, f"d{levels}": {"type": ["number", "array"]}}}


SCHEMAS: dict[str, Any] = {
    "unique": {"uniqueItems": True},
    "unique all the way down": {
        "$ref": "#/$defs/u",
        "$defs": {"u": {"uniqueItems": True, "items": {"$ref": "#/$defs/u"}}},
    },
    "an enum of large values": {"items": {"enum": [[0] * 500, 1e300, "x" * 500, {"a": [1] * 500}, *range(1_000)]}},
    "multiples": {"items": {"multipleOf": 1e-300}},
    "multiples of a fraction": {"items": {"multipleOf": 0.1}},
    "a const": {"items": {"const": 1e300}},
    "branches": _BRANCHING,
    "negated branches": {**_BRANCHING, "not": {"$ref": "#/$defs/node"}},
    "a chain of references": _chain(25),
    "doubled references": _doubling(11),
    "contains": {"contains": {"const": "no"}, "minContains": 1},
    "contains down": {"$ref": "#/$defs/c", "$defs": {"c": {"contains": {"$ref": "#/$defs/c"}}}},
    "unevaluated": {"anyOf": [{"properties": {"a": True}}, {"contains": {"type": "null"}}], "unevaluatedItems": False},
    "unevaluated down": {
        "$ref": "#/$defs/e",
        "$defs": {
            "e": {
                "anyOf": [{"prefixItems": [{"$ref": "#/$defs/e"}]}, {"properties": {"a": {"$ref": "#/$defs/e"}}}, True],
                "unevaluatedProperties": {"$ref": "#/$defs/e"},
                "unevaluatedItems": {"$ref": "#/$defs/e"},
            }
        },
    },
    "names": {"propertyNames": {"pattern": "[a-z ]*=", "maxLength": 3}},
    "patterned": {
        "patternProperties": {"[a-z ]*=": False, "member": {"type": "number"}},
        "additionalProperties": False,
    },
    "patterns": {"items": {"type": ["string", "number"], "pattern": "[a-z ]*="}},
    "wrong everywhere": {"items": {"type": "null"}, "additionalProperties": {"type": "null"}},
    "one of many": {"items": {"oneOf": [{"maximum": n} for n in range(60)]}},
    "dependent": {"dependentRequired": {f"member {n}": [f"member {n + 1}"] for n in range(2_000)}},
}


def hostile_inputs() -> Iterator[Input]:
    for name, schema in SCHEMAS.items():
        for title, value in list(large_values(SOME))[len(name) % 2 :: 2]:
            yield Input(f"{name}: {title}", {"schema": schema}, case_text(output=value))
    for title, text in long_texts():
        parameters = {"schema": {"pattern": "[a-z ]*=", "minLength": 3}, "match_timeout_ms": 2_000}
        yield Input(f"pattern: {title}", parameters, case_text(output=json.dumps(text)))
    for title, value in list(large_values())[::6]:
        parameters = {"schema": SCHEMAS["unique all the way down"]}
        yield Input(f"unique: larger {title}", parameters, case_text(output=value))
    same = case_text(output=array_text([nested_arrays(50, str(n)) for n in range(2_000)] * 2))
    yield Input("two equal deep arrays", {"schema": {"uniqueItems": True}}, same, FAIL)
    for shape in ("[%s]", '{"a":%s}'):
        for levels in (99, 100):
            deep = "0"
            for _ in range(levels):
                deep = shape % deep
            parameters = {"schema": _chain(30)}
            yield Input(f"{levels} levels of {shape} by a chain", parameters, case_text(output=deep), PASS)


NODE = {"$ref": "#/$defs/node"}
BOTH_WAYS = [{"patternProperties": {"^a": NODE}}, {"patternProperties": {"^a": NODE}, "minProperties": 9}]


def nested(levels, inner, name="a"):
    for _ in range(levels):
        inner = {name: inner}
    return inner


def listed(levels, inner=None):
    for _ in range(levels):
        inner = [inner]
    return inner


def valid(schema, output):
    return outcome("json_schema", {"schema": schema}, output=output) == "pass"


def pointers(schema):
    return refused("json_schema", {"schema": schema})


@pytest.mark.parametrize(
    ("schema", "output"),
    [
        ({"multipleOf": 0.1}, 0.3),
        ({"multipleOf": 11.0}, 9007199254740995),
        ({"multipleOf": Decimal("1E-400")}, 10**399),
        ({"minimum": 9007199254740993}, Decimal("9007199254740993.0")),
        ({"maximum": 2**70}, 2**70),
        ({"const": 10**30}, Decimal("1E30")),
        ({"enum": [1, "a"]}, 1.0),
        ({"type": "integer"}, Decimal("1E+2")),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}, 0, False]),
        ({"uniqueItems": True}, [2**70, 2**70 + 1, Decimal("0.1"), Decimal("0.10000000000000000000000001")]),
        ({"minLength": 1, "maxLength": 1}, "💩"),
    ],
)
def test_numbers_are_compared_exactly_and_texts_by_code_points(schema, output):
    assert valid(schema, output)


@pytest.mark.parametrize(
    ("schema", "output"),
    [
        ({"multipleOf": 0.1}, 0.35),
        ({"multipleOf": Decimal("1E2")}, Decimal("1E-399")),
        ({"exclusiveMinimum": 0}, Decimal("-1E-399")),
        ({"maximum": 2**53}, 2**53 + 1),
        ({"const": 2**53}, 2**53 + 1),
        ({"const": {"a": [0]}}, {"a": [False]}),
        ({"enum": [0, 1]}, True),
        ({"type": "integer"}, Decimal("9007199254740993.5")),
        ({"type": ["integer", "string"]}, 0.5),
        ({"type": "number"}, True),
        ({"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]),
    ],
)
def test_what_differs_by_value_or_type_is_not_equal(schema, output):
    assert not valid(schema, output)


@pytest.mark.parametrize(
    "schema", [True, {}, {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "t"}]
)
def test_a_schema_that_asks_for_nothing_passes_anything(schema):
    assert valid(schema, {"any": ["thing", None]})


def test_the_schema_false_fails_anything():
    assert not valid(False, None)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"properties": {"a/b": {"format": "int32"}}}, "/schema/properties/a~1b/format"),
        ({"nullable": True}, "/schema/nullable"),
        ({"items": [{}]}, "/schema/items"),
        ({"allOf": []}, "/schema/allOf"),
        ({"type": "float"}, "/schema/type"),
        ({"type": []}, "/schema/type"),
        ({"required": ["a", "a"]}, "/schema/required"),
        ({"minLength": -1}, "/schema/minLength"),
        ({"multipleOf": 0}, "/schema/multipleOf"),
        ({"maximum": True}, "/schema/maximum"),
        ({"items": {"$schema": "http://json-schema.org/draft-07/schema#"}}, "/schema/items/$schema"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "/schema/$schema"),
        ({"$ref": "https://example.invalid/s.json"}, "/schema/$ref"),
        ({"$ref": "#name"}, "/schema/$ref"),
        ({"$ref": "#/$defs/absent"}, "/schema/$ref"),
        ({"$ref": "#/const/a", "const": {"a": {}}}, "/schema/$ref"),
        ({"pattern": "(a"}, "/schema/pattern"),
        ({"patternProperties": {"a++": {}}}, "/schema/patternProperties/a++"),
        (7, "/schema"),
    ],
)
def test_what_is_outside_the_subset_is_refused_by_its_pointer(schema, pointer):
    assert pointers(schema) == {pointer}


def test_every_problem_is_reported_at_once():
    schema = {"format": "int32", "items": {"$vocabulary": {}}, "not": 3, "$ref": "other", "$defs": {"a": {"tpye": 1}}}

    assert pointers(schema) == {
        "/schema/format",
        "/schema/items/$vocabulary",
        "/schema/not",
        "/schema/$ref",
        "/schema/$defs/a/tpye",
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"anyOf": [{"not": {"$ref": "#"}}]},
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"if": {"$ref": "#/$defs/a"}}}},
        {"dependentSchemas": {"a": {"$ref": "#"}}},
    ],
)
def test_references_that_loop_without_going_down_the_output_are_refused(schema):
    assert len(pointers(schema)) == 1


def test_a_reference_may_lead_to_any_schema_of_the_document():
    schema = {
        "properties": {"a": {"type": "null"}, "b~c%": {"$ref": "#/properties/a"}, "d": {"$ref": "#/properties/b~0c%25"}}
    }

    assert valid(schema, {"a": None, "b~c%": None, "d": None})
    assert not valid(schema, {"d": 1})


def test_a_property_may_be_called_like_a_keyword():
    schema = {"properties": {"$ref": {"type": "string"}, "$schema": {"type": "null"}, "format": False}}

    assert valid(schema, {"$ref": "#", "$schema": None})
    assert not valid(schema, {"format": 1})


def test_definitions_that_double_at_each_step_are_refused_by_their_expanded_size():
    doubling = {f"d{step}": {"allOf": [{"$ref": f"#/$defs/d{step + 1}"}] * 2} for step in range(18)}

    assert pointers({"$ref": "#/$defs/d0", "$defs": {**doubling, "d18": {}}}) == {"/schema"}


def test_unevaluated_keywords_nested_in_each_other_are_refused_by_their_expanded_size():
    schema = {}
    for _ in range(12):
        schema = {"anyOf": [schema], "unevaluatedProperties": False}

    assert pointers(schema) == {"/schema"}


def test_definitions_that_all_refer_to_each_other_are_accepted():
    kinds = [{"$ref": f"#/$defs/k{number}"} for number in range(20)]
    definitions = {f"k{number}": {"properties": {"x": {"anyOf": kinds}}} for number in range(20)}

    assert valid({"$ref": "#/$defs/k0", "$defs": definitions}, nested(90, 1, "x"))


def test_a_schema_nested_64_deep_is_accepted_and_one_level_more_is_not():
    assert valid(nested(64, True, "not"), 1)
    assert pointers(nested(65, True, "not")) == {"/schema" + "/not" * 65}


def test_more_than_200_patterns_are_refused():
    assert pointers({"patternProperties": {f"^{number}$": True for number in range(201)}}) == {"/schema"}


@pytest.mark.parametrize(
    "schema", [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}, "patternProperties": {"^a": {}}}]
)
def test_a_recursive_schema_goes_down_to_the_deepest_output(schema):
    assert valid({**schema, "type": ["array", "null"]}, listed(95))
    assert not valid({**schema, "type": ["array", "null"]}, listed(95, "text"))


def test_a_recursion_that_branches_at_every_level_is_decided_without_patterns():
    schema = {
        **NODE,
        "$defs": {"node": {"anyOf": [{"properties": {"a": NODE}, "minProperties": 1}] * 2, "not": {"const": 1}}},
    }

    assert valid(schema, nested(90, 2))
    assert not valid(schema, nested(90, 1))


def test_a_recursion_that_branches_at_every_level_with_patterns_times_out(monkeypatch):
    monkeypatch.setattr("evalbook.jsonschema_subset.compiled.DECIDING_STEPS", 5_000)
    schema = {**NODE, "$defs": {"node": {"anyOf": BOTH_WAYS, "type": "object"}}}

    answer = grade("json_schema", {"schema": schema}, output=nested(40, 1))

    assert (answer.outcome, answer.code) == ("timeout", Code.TIME_LIMIT)


def test_more_levels_of_schema_and_output_together_than_can_be_followed_are_an_error():
    step = {"patternProperties": {"^a": NODE}}
    for _ in range(20):
        step = {"allOf": [step]}

    answer = grade("json_schema", {"schema": {**NODE, "$defs": {"node": step}}}, output=nested(90, 1))

    assert (answer.outcome, answer.code) == ("error", Code.SCORING_FAILED)


@pytest.mark.parametrize(
    ("schema", "output"),
    [
        ({"uniqueItems": True}, [{"a": number} for number in range(20_000)]),
        ({"uniqueItems": True}, [2**70 + number for number in range(20_000)]),
        ({"uniqueItems": True, "patternProperties": {"^a": True}}, [{"a": number} for number in range(20_000)]),
        ({"items": {"enum": [{"a": number} for number in range(2_000)]}}, [{"a": 1}] * 2_000),
        ({"items": {"enum": [2**70 + number for number in range(2_000)]}}, [2**70 + 7] * 2_000),
        ({"anyOf": [{"enum": [[number]]} for number in range(2_000)] + [{}]}, [list(range(20_000))]),
    ],
    ids=["objects", "large numbers", "objects with patterns", "enum of objects", "enum of numbers", "many enums"],
)
def test_uniqueness_and_enums_take_no_quadratic_time(schema, output):
    assert valid(schema, output)


def test_a_pattern_that_takes_too_long_times_out_also_under_not():
    version = version_of("json_schema", {"schema": {"not": {"pattern": "a+[0-9]"}}, "match_timeout_ms": 1})

    answer = version.score(case_of({"output": "a" * 50_000}))

    assert (answer.outcome, answer.code) == ("timeout", Code.MATCH_TIME_LIMIT)


def explained(schema, output):
    answer = grade("json_schema", {"schema": schema}, output=output)
    assert answer.details is not None
    return answer.explanation, answer.details["failures"]


def test_a_fail_names_the_authors_keyword_and_masks_the_outputs_names():
    schema = {"additionalProperties": {"items": {"$ref": "#/$defs/text"}}, "$defs": {"text": {"type": "string"}}}

    explanation, failures = explained(schema, {"zqx": ["a", 7]})

    assert "type, at /$defs/text/type, does not hold at /*/1 of the output" in explanation
    assert "zqx" not in explanation
    assert failures == [{"keyword": "type", "schema": "/$defs/text/type", "output": "/zqx/1"}]


@pytest.mark.parametrize(
    ("schema", "output", "keyword", "pointer"),
    [
        ({"required": ["a", "b"]}, {"a": 1}, "required", "/required/1"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "dependentRequired", "/dependentRequired/a/0"),
        ({"properties": {"a": False}}, {"a": 1}, "false", "/properties/a"),
        ({"if": {"type": "null"}, "else": {"minLength": 2}}, "a", "minLength", "/else/minLength"),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], "maxContains", "/contains"),
        ({"patternProperties": {"^a": {"type": "null"}}}, {"a": 1}, "type", "/patternProperties/^a/type"),
        ({"unevaluatedProperties": {"type": "null"}}, {"a": 1}, "type", "/unevaluatedProperties/type"),
        ({"unevaluatedItems": False, "prefixItems": [{}]}, [1, 2], "false", "/unevaluatedItems"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "maxLength", "/propertyNames/maxLength"),
        (
            {"properties": {"$ref": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"const": 1}}},
            {"$ref": 2},
            "const",
            "/$defs/n/const",
        ),
        ({"oneOf": [{}, {}]}, 1, "oneOf", "/oneOf"),
        ({"not": {}}, 1, "not", "/not"),
    ],
)
def test_a_failure_is_named_by_keyword_and_pointer(schema, output, keyword, pointer):
    _, failures = explained(schema, output)

    assert [(each["keyword"], each["schema"]) for each in failures] == [(keyword, pointer)]


def test_ten_failures_are_listed_at_most():
    _, failures = explained({"items": {"type": "null"}}, list(range(50)))

    assert len(failures) == 10


def test_a_failure_that_is_hard_to_locate_still_fails():
    many = {"anyOf": [{"contains": {"type": "string"}} for _ in range(100)]}

    answer = grade("json_schema", {"schema": many}, output=list(range(1_000)))

    assert (answer.outcome, answer.details) == ("fail", None)


def test_a_version_scores_any_number_of_cases():
    version = version_of("json_schema", {"schema": PERSON})

    outcomes = [version.score(case_of({"output": json.loads(text)})).outcome for text in ('{"name": "A"}', "1") * 2]

    assert isinstance(version, PreparedScorer)
    assert outcomes == ["pass", "fail", "pass", "fail"]
