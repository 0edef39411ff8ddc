"""Documents of older drafts: upgraded once, the same values are valid against them as the reference says."""

import pytest
from jsonschema.validators import validator_for

from evalbook.jsonschema_subset.checking import schema_problems
from evalbook.jsonschema_subset.upgrading import upgraded
from tests.unit.scorers.grading import outcome

D4, D6, D7 = (f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 6, 7))
D19, D20 = (f"https://json-schema.org/draft/{name}/schema" for name in ("2019-09", "2020-12"))
VALUES = [
    *(None, True, 0, 1, 3, 5, 5.5, 10, "", "a", "long text", [], [1], ["a"], [1, "a"], [1, "a", 2], ["a", 1]),
    *({}, {"a": 1}, {"a": "x"}, {"a": 1, "b": 2}, {"a": {"a": {"a": 1}}}, {"b": [1, {"b": ["x"]}]}, {"c": 5}),
]


def upgrade(schema):
    found = upgraded(schema)
    assert found.problems == ()
    return found.document


def problems(schema):
    return {each.pointer for each in schema_problems(schema, lambda _pattern, _pointer: ())}


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": D4, "minimum": 5, "exclusiveMinimum": True, "maximum": 10, "exclusiveMaximum": False},
        {"$schema": D4, "minimum": 1, "maximum": 5, "exclusiveMaximum": True},
        {"$schema": D4, "id": "http://example.test/s", "properties": {"a": {"$ref": "http://example.test/s#"}}},
        {"$schema": D4, "items": [{"type": "integer"}], "additionalItems": False},
        {"$schema": D6, "items": [{"type": "integer"}, {"type": "string"}], "additionalItems": {"type": "integer"}},
        {"$schema": D7, "items": {"type": "integer"}, "additionalItems": False},
        {"$schema": D7, "additionalItems": False},
        {"$schema": D19, "items": [True, {"type": "string"}], "unevaluatedItems": {"minimum": 2}},
        {"$schema": D7, "dependencies": {"a": ["b"], "c": {"minProperties": 2}, "b": True}},
        {"$schema": D4, "dependencies": {"a": {"required": ["b"]}}},
        {"$schema": D7, "definitions": {"a": {"type": "integer"}}, "properties": {"a": {"$ref": "#/definitions/a"}}},
        {"definitions": {"a": {"type": "integer"}}, "properties": {"a": {"$ref": "#/definitions/a"}}},
        {"$schema": D7, "$defs": {"a": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/a"}}},
        {"$schema": D7, "$ref": "#/definitions/a", "definitions": {"a": {"type": "array"}}, "minItems": 2},
        {"$schema": D19, "$ref": "#/$defs/a", "$defs": {"a": {"type": "array"}}, "minItems": 2},
        {"$schema": D7, "properties": {"a": {"$ref": "#/definitions/b", "not": {}}}, "definitions": {"b": {}}},
        {
            "$schema": D6,
            "$id": "http://example.test/root.json",
            "definitions": {"x": {"$id": "folder/", "definitions": {"y": {"$id": "y.json", "type": "string"}}}},
            "properties": {"a": {"$ref": "folder/y.json"}, "b": {"$ref": "root.json#/properties/a"}},
        },
        {"$schema": D7, "definitions": {"x": {"$id": "#name", "type": "string"}}, "items": {"$ref": "#name"}},
        {"$schema": D4, "definitions": {"x": {"id": "#name", "type": "string"}}, "items": {"$ref": "#name"}},
        {"$schema": D7, "properties": {"a": {"$id": "#/properties/a", "type": "string"}}},
        {"$schema": D20, "$defs": {"x": {"$anchor": "name", "type": "string"}}, "items": {"$ref": "#name"}},
        {"$schema": D19, "properties": {"a": {"$recursiveRef": "#"}, "b": {}}, "additionalProperties": False},
        {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}, "additionalProperties": False},
        {"$schema": "https://json-schema.org/draft/2020-12/schema#", "prefixItems": [{"type": "integer"}]},
        {"$schema": D7, "items": {"$schema": D7, "type": "integer"}},
        {"$schema": D7, "if": {"type": "array"}, "then": {"contains": {"const": 1}}, "else": {"not": {"const": 5}}},
        {"$schema": D4, "type": ["array", "object"], "oneOf": [{"minItems": 2}, {"minProperties": 1}]},
        {
            "$ref": "#/own/list/properties/b",
            "own": {
                "list": {"properties": {"b": {"not": {"$ref": "#/own/list"}}, "a": {"type": "integer"}}},
            },
        },
        {
            "$schema": D7,
            "definitions": {"group": {"one": {"type": "integer"}, "two": {"minimum": 3}}},
            "properties": {"a": {"$ref": "#/definitions/group/one"}},
        },
        {
            "$schema": D4,
            "shared": {
                "inner": {"list": {"items": {"$ref": "#/shared/other/text"}}},
                "other": {"text": {"minLength": 2}},
            },
            "type": ["array", "object"],
            "allOf": [{"$ref": "#/shared/inner/list"}],
        },
        {
            "components": {
                "schemas": {"T": {"properties": {"a": {"$ref": "#/components/schemas/T"}}, "maxProperties": 1}}
            },
            "$ref": "#/components/schemas/T",
        },
        {
            "$defs": {"g": {"minProperties": 1, "in": {"type": "object"}}},
            "$ref": "#/$defs/g",
            "not": {"$ref": "#/$defs/g/in"},
        },
        {
            "x-own": [{"type": "integer"}, False],
            "items": {"$ref": "#/x-own/0"},
            "properties": {"b": {"$ref": "#/x-own/1"}},
        },
        {"$defs": {"a/b": {"minItems": 2}}, "a": {"b": {"$ref": "#/$defs/a~1b"}}, "$ref": "#/a/b"},
        {
            "k": {"a": {"more": {"b": {"minItems": 1}}, "$ref": "#/k/a/more/b"}},
            "items": {"$ref": "#/k/a/more/b"},
            "$ref": "#/k/a",
        },
    ],
)
def test_every_value_is_valid_against_an_older_document_as_the_reference_says(schema):
    reference = validator_for(schema)(schema)

    wanted = ["pass" if reference.is_valid(value) else "fail" for value in VALUES]

    assert [outcome("json_schema", {"schema": schema}, output=value) for value in VALUES] == wanted


def test_an_upgraded_document_is_one_of_2020_12_and_keeps_its_name():
    schema = {"$schema": D4, "id": "http://example.test/s.json", "definitions": {"a/b": {"$ref": "#/definitions/a~1b"}}}

    assert upgrade(schema) == {
        "$schema": D20,
        "$id": "http://example.test/s.json",
        "$defs": {"a/b": {"$ref": "#/$defs/a~1b"}},
    }


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"$schema": D20, "$id": "urn:example:s", "$ref": "#/$defs/a%25b", "$defs": {"a%b": {"items": {}}}},
        {"type": "object", "properties": {"definitions": {"const": {"id": 1}}, "$id": {}}, "x-order": [1]},
    ],
)
def test_a_document_of_2020_12_that_refers_by_pointer_comes_out_as_it_is(schema):
    assert upgrade(schema) == schema


def test_what_came_out_of_an_upgrade_comes_out_of_another_as_it_is():
    schema = {
        "$schema": D7,
        "$id": "http://example.test/s",
        "definitions": {"a b": {"$id": "t", "dependencies": {"x": ["y"], "y": {"items": [{}]}}}},
        "properties": {"a": {"$ref": "t#/dependencies/y"}},
    }

    once = upgrade(schema)

    assert once["properties"] == {"a": {"$ref": "#/$defs/a%20b/dependentSchemas/y"}}
    assert upgrade(once) == once


def test_a_schema_in_a_container_moves_to_the_definitions_and_is_one_of_2020_12_again():
    schema = {"$defs": {"g": {"a": {"type": "null"}, "b": {}}, "$defs/g/a": {}}, "items": {"$ref": "#/$defs/g/a"}}

    once = upgrade(schema)

    assert once == {
        "$defs": {"g": {}, "$defs/g/a": {}, "$defs/g/a'": {"type": "null"}},
        "items": {"$ref": "#/$defs/$defs~1g~1a'"},
    }
    assert upgrade(once) == once


@pytest.mark.parametrize("name", ["propertes", "Properties", "propertys", "paternProperties", "additionalProps"])
def test_a_container_whose_name_is_a_misspelt_keyword_is_refused(name):
    schema = {name: {"a": {"type": "null"}}, "items": {"$ref": f"#/{name}/a"}}

    assert problems(schema) == {f"/{name}", "/items/$ref"}


def test_annotations_of_openapi_check_nothing():
    assert outcome("json_schema", {"schema": {"externalDocs": {}, "type": "string"}}, output="a") == "pass"


def test_one_point_zero_is_an_integer_for_a_document_of_draft_04_too():
    assert outcome("json_schema", {"schema": {"$schema": D4, "type": "integer"}}, output=1.0) == "pass"


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$schema": "http://json-schema.org/schema#"}, "/$schema"),
        ({"$schema": 7}, "/$schema"),
        ({"$schema": D4, "definitions": {"a": {"const": 1}}}, "/definitions/a/const"),
        ({"$schema": D6, "if": {}}, "/if"),
        ({"$schema": D7, "dependentRequired": {}}, "/dependentRequired"),
        ({"$schema": D7, "items": {"prefixItems": [{}]}}, "/items/prefixItems"),
        ({"$schema": D4, "exclusiveMinimum": True}, "/exclusiveMinimum"),
        ({"$schema": D6, "minimum": 1, "exclusiveMinimum": True}, "/exclusiveMinimum"),
        ({"$schema": D19, "dependencies": {"a": ["b"]}}, "/dependencies"),
        ({"items": [{}]}, "/items"),
        ({"$schema": D7, "definitions": {"a": {}}, "$defs": {"a": {}}}, "/definitions/a"),
        ({"$schema": D7, "items": [{"tpye": "object"}]}, "/items/0/tpye"),
        ({"$schema": D7, "items": [{}], "additionalItems": {"nullable": True}}, "/additionalItems/nullable"),
        ({"$schema": D7, "dependencies": {"a": {"tpye": 1}}}, "/dependencies/a/tpye"),
        ({"$schema": D7, "definitions": {"a": {"$ref": "#/$defs/a"}}}, "/definitions/a/$ref"),
        ({"$schema": D7, "definitions": {"a": {"$id": "x", "items": {"$ref": "y"}}}}, "/definitions/a/items/$ref"),
        ({"$ref": "#/box/a", "box": {"a": {"$ref": "#/box/b"}, "b": {"requred": ["x"]}}}, "/box/b/requred"),
        ({"$ref": "#/box/a", "box": {"a": {"$ref": "#/box/a"}}}, "/box/a"),
        ({"$ref": "#/$defs/g/a", "$defs": {"g": {"a": {}, "minLenght": 3}}}, "/$defs/g/minLenght"),
        ({"$ref": "#/default/a", "default": {"a": {}}}, "/$ref"),
        ({"$ref": "#/const/a", "const": {"a": {}}}, "/$ref"),
        ({"$ref": "#/properties", "properties": {"a": {}}}, "/$ref"),
        ({"$ref": "#/x-box/a", "x-box": {"a": "text"}}, "/$ref"),
        ({"$ref": "#/x-box/b", "x-box": {"a": {}}}, "/$ref"),
        ({"$schema": D19, "contains": {}, "items": {"unevaluatedItems": False}}, "/contains"),
        (
            {"$dynamicAnchor": "n", "$defs": {"b": {"$id": "b", "$dynamicAnchor": "n", "not": {"$dynamicRef": "#n"}}}},
            "/$defs/b/not/$dynamicRef",
        ),
    ],
)
def test_what_a_draft_does_not_know_or_cannot_say_is_refused_where_its_author_wrote_it(schema, pointer):
    assert problems(schema) == {pointer}
