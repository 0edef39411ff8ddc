"""Hostile inputs of the structured family."""

import json
from collections.abc import Iterator
from typing import Any

from tests.integration.hostile.inputs import ANY, FAIL, PASS, SOME, Input, case, listed, named, nested, texts, values

NUMBERS = (
    "0",
    "-0.0",
    "1",
    "9" * 400,
    "-" + "9" * 399,
    "1e400",
    "1e-400",
    "-1e400",
    f"0.{'3' * 398}",
    f"{'7' * 200}.{'7' * 199}",
    f"{'1' * 395}e400"[:400],
    f"{'1' * 395}e-400"[:400],
    "0e400",
    "0e-400",
    f"1.{'0' * 390}e-400",
)
TOLERANCES: tuple[dict[str, Any], ...] = ({"absolute": 0}, {"absolute": 1e300, "relative": 1e-300}, {"relative": 1e308})

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


def json_schema() -> Iterator[Input]:
    for name, schema in SCHEMAS.items():
        for title, value in list(values(SOME))[len(name) % 2 :: 2]:
            yield Input("json_schema", f"{name}: {title}", {"schema": schema}, case(output=value))
    for title, text in texts():
        parameters = {"schema": {"pattern": "[a-z ]*=", "minLength": 3}, "match_timeout_ms": 2_000}
        yield Input("json_schema", f"pattern: {title}", parameters, case(output=json.dumps(text)))
    for title, value in list(values())[::6]:
        parameters = {"schema": SCHEMAS["unique all the way down"]}
        yield Input("json_schema", f"unique: larger {title}", parameters, case(output=value))
    same = case(output=listed([nested(50, str(n)) for n in range(2_000)] * 2))
    yield Input("json_schema", "two equal deep arrays", {"schema": {"uniqueItems": True}}, same, FAIL)
    for shape in ("[%s]", '{"a":%s}'):
        for levels in (99, 100):
            deep = "0"
            for _ in range(levels):
                deep = shape % deep
            parameters = {"schema": _chain(30)}
            yield Input("json_schema", f"{levels} levels of {shape} by a chain", parameters, case(output=deep), PASS)


def numeric_tolerance() -> Iterator[Input]:
    for tolerance in TOLERANCES:
        for output in NUMBERS:
            for expected in NUMBERS[::2]:
                both = case(output=output, expected=expected)
                yield Input("numeric_tolerance", f"{output[:9]} by {expected[:9]}", tolerance, both)
    for title, value in values(SOME):
        both = case(output=value, expected="1")
        yield Input("numeric_tolerance", title, TOLERANCES[0], both, frozenset({"fail"}))


def required_fields() -> Iterator[Input]:
    paths = ["/a" * 99, "/0" * 99, "/member 9999", "/" + "9" * 400, "/" + "~1" * 400, "/a" * 5_000, "/x"]
    kinds = ("integer", "any", ["number", "array"])
    fields = [[{"path": path, "type": kind} for path in paths] for kind in kinds]
    many = [{"path": f"/item {n}", "type": "integer"} for n in range(SOME)]
    for title, value in values(SOME):
        for number, required in enumerate((*fields, many)):
            parameters = {"required_fields": required}
            yield Input("required_fields", f"{title}, {number}", parameters, case(output=value), FAIL)
    for number in NUMBERS:
        for kind, want in (("integer", ANY), ("number", PASS), ("string", FAIL), (["null", "boolean"], FAIL)):
            parameters = {"required_fields": [{"path": "/x", "type": kind}]}
            yield Input("required_fields", f"{number[:9]}, {kind}", parameters, case(output=f'{{"x":{number}}}'), want)
    for title, text in texts():
        for kind, want in (("string", PASS), ("number", FAIL), ("any", PASS)):
            parameters = {"required_fields": [{"path": "/x", "type": kind}]}
            output = f'{{"x":{json.dumps(text)}}}'
            yield Input("required_fields", f"{title}, {kind}", parameters, case(output=output), want)


def _artifacts(count: int, digest: str) -> str:
    return listed(f'{{"kind":"k","name":"n{n}","sha256":"{digest}"}}' for n in range(count))


def required_artifacts() -> Iterator[Input]:
    digest = "ab" * 32
    lists = {
        "well-formed": _artifacts(SOME, digest),
        "digests a digit too long": _artifacts(SOME, digest + "a"),
        "digests of a million digits": _artifacts(2, "a" * 500_000),
        "one artifact": listed([f'{{"kind":"k","name":"n0","sha256":"{digest}"}}'] * SOME),
        **{f"kinds of {title}": listed([f'{{"kind":{json.dumps(text)},"name":"n"}}']) for title, text in texts(SOME)},
        **dict(values(SOME, 97)),
    }
    wanted = [
        [{"kind": "k", "name": "no"}],
        [{"kind": "k", "name": f"n{n}", "sha256": digest} for n in range(SOME + 1)],
    ]
    for title, entries in lists.items():
        found = named([("artifacts", entries)])
        for number, required in enumerate(wanted):
            for source, members in (
                ("output", {"output": found}),
                ("subject", {"output": "{}", "subject": found}),
                ("trace", {"output": "{}", "trace": named([("links", entries)])}),
            ):
                parameters = {"required_artifacts": required, "sources": [source]}
                yield Input("required_artifacts", f"{title}, {number}, {source}", parameters, case(**members), FAIL)
