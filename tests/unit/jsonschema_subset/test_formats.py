"""The formats: asserted as the native validator checks them, or annotations by the author's wish."""

import pytest

from evalbook.jsonschema_subset.formats import FORMATS
from tests.unit.scorers.grading import outcome, refused

RIGHT = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T23:59:59.5+01:00",
    "time": "12:00:00Z",
    "duration": "P1DT2H",
    "email": "ann@example.test",
    "idn-email": "ånn@example.test",
    "hostname": "www.example.test",
    "idn-hostname": "bücher.example",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.test/a?b#c",
    "uri-reference": "../a",
    "iri": "https://example.test/ä",
    "iri-reference": "ä/b",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "uri-template": "/a/{id}",
    "json-pointer": "/a~1b/0",
    "relative-json-pointer": "1/a",
    "regex": "^a+$",
}
WRONG = {"uri-reference": "a b\\", "iri-reference": "a b\\", "uri-template": "{a", "regex": "(a", "json-pointer": "a"}


def judged(schema, output, **parameters):
    return outcome("json_schema", {"schema": schema, **parameters}, output=output)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_text_has_to_have_the_format(name):
    assert judged({"format": name}, RIGHT[name]) == "pass"
    assert judged({"format": name}, WRONG.get(name, "neither this nor that")) == "fail"


def test_a_format_says_nothing_about_what_is_no_text():
    assert judged({"format": "date"}, 20240229) == "pass"


def test_a_format_is_asserted_beside_patterns_for_properties():
    schema = {"patternProperties": {"^on_": {"format": "date"}}}

    assert judged(schema, {"on_day": "2024-02-29", "by": "x"}) == "pass"
    assert judged(schema, {"on_day": "2023-02-29"}) == "fail"


@pytest.mark.parametrize("schema", [{"format": "date"}, {"patternProperties": {"^a": {}}, "format": "date"}])
def test_formats_that_annotate_check_nothing(schema):
    assert judged(schema, "someday", formats="annotate") == "pass"


def test_a_format_that_cannot_be_asserted_is_taken_as_an_annotation_only():
    schema = {"properties": {"n": {"type": "integer", "format": "int32"}}}

    assert refused("json_schema", {"schema": schema}) == {"/schema/properties/n/format"}
    assert judged(schema, {"n": 1}, formats="annotate") == "pass"


def test_another_use_of_formats_is_refused():
    assert refused("json_schema", {"schema": {}, "formats": "ignore"}) == {"/formats"}
