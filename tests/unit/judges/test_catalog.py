"""Reading the SSO catalog and confirming a judge against it (V-01)."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.errors import Problem
from evalbook.judges.catalog import CatalogUnreadable, confirm, read_catalog
from evalbook.judges.estimate import Price
from tests.unit.judges.judging import judge

MODEL = {
    "id": "acme::judge-1",
    "prices": {"input": 300, "output": 1_500},
    "temperature": {"minimum": 0, "maximum": 1},
    "response_format": "json_schema",
    "limits": {"reply_tokens": 4_000},
}


def document(*models, exact_choice=True):
    return {"capabilities": {"provider_model_selection": exact_choice}, "models": list(models)}


def catalog(*models, exact_choice=True):
    return read_catalog(json.dumps(document(*models, exact_choice=exact_choice)).encode())


def without(*names):
    return {name: value for name, value in MODEL.items() if name not in names}


def pointers(problems):
    return [problem.pointer for problem in problems]


def test_a_model_that_takes_all_that_the_version_pins_is_confirmed():
    found = catalog(MODEL)

    problems = confirm(found, judge(temperature=Decimal("0.7"), max_reply_tokens=4_000))

    assert problems == ()


def test_a_model_that_is_not_listed_is_refused():
    found = catalog(MODEL | {"id": "acme::judge-2"})

    problems = confirm(found, judge())

    assert problems == (Problem("/model", "is not in the catalog"),)


def test_the_provider_is_a_part_of_the_choice():
    found = catalog(MODEL | {"id": "other::judge-1"})

    problems = confirm(found, judge())

    assert pointers(problems) == ["/model"]


@pytest.mark.parametrize("capabilities", [{}, {"provider_model_selection": False}])
def test_a_catalog_that_does_not_allow_an_exact_choice_confirms_no_model(capabilities):
    found = read_catalog(json.dumps({"capabilities": capabilities, "models": [MODEL]}).encode())

    problems = confirm(found, judge())

    assert problems == (Problem("/model", "the catalog does not allow an exact choice of the model"),)


def test_a_model_without_prices_is_refused():
    found = catalog(without("prices"))

    problems = confirm(found, judge())

    assert problems == (Problem("/model", "has no price in the catalog, so no budget can be held for it"),)


@pytest.mark.parametrize("capability", ["json_object", "none"])
def test_a_model_that_takes_no_schema_is_refused(capability):
    found = catalog(MODEL | {"response_format": capability})

    problems = confirm(found, judge())

    assert problems == (Problem("/model", "does not take a JSON Schema as response format"),)


def test_a_model_that_is_not_said_to_take_a_temperature_is_refused():
    found = catalog(without("temperature"))

    problems = confirm(found, judge())

    assert pointers(problems) == ["/temperature"]


def test_a_temperature_above_the_models_range_is_refused():
    found = catalog(MODEL)

    problems = confirm(found, judge(temperature=Decimal("1.1")))

    assert pointers(problems) == ["/temperature"]


def test_more_reply_tokens_than_the_model_gives_are_refused():
    found = catalog(MODEL)

    problems = confirm(found, judge(max_reply_tokens=4_001))

    assert pointers(problems) == ["/max_reply_tokens"]


def test_every_reason_is_named_at_once():
    found = catalog({"id": "acme::judge-1"}, exact_choice=False)

    problems = confirm(found, judge())

    assert pointers(problems) == ["/model", "/model", "/model", "/temperature"]


@pytest.mark.parametrize(
    "change",
    [
        {"prices": {"input": -1, "output": 1}},
        {"prices": {"input": 1}},
        {"prices": {"input": 0.5, "output": 1}},
        {"prices": {"input": True, "output": 1}},
        {"response_format": "xml"},
        {"limits": {"reply_tokens": 0}},
    ],
)
def test_a_model_whose_entry_is_malformed_is_refused_as_unreadable(change):
    found = catalog(MODEL | change)

    problems = confirm(found, judge())

    assert problems == (Problem("/model", "the catalog's entry for this model cannot be read"),)


def test_a_malformed_entry_spoils_no_other():
    found = catalog({"id": "acme::judge-2", "prices": 7}, "no entry at all", MODEL)

    problems = confirm(found, judge())

    assert problems == ()


def test_a_model_that_is_listed_twice_is_refused():
    found = catalog(MODEL, MODEL | {"prices": {"input": 1, "output": 1}})

    problems = confirm(found, judge())

    assert problems == (Problem("/model", "the catalog's entry for this model cannot be read"),)


def test_fields_that_are_not_known_are_ignored():
    found = catalog(MODEL | {"region": "eu"})

    assert set(found.models) == {"acme::judge-1"}


def test_the_price_is_the_highest_rate_that_can_apply():
    prices = {"input": 300, "cached_input": 30, "cache_write": 375, "output": 1_500, "reasoning": 2_000}
    model = catalog(MODEL | {"prices": prices}).models["acme::judge-1"]

    assert model.prices.highest() == Price(input_rate=375, output_rate=2_000)


def test_the_name_in_requests_is_the_identifier_where_the_catalog_gives_no_other():
    model = catalog(MODEL).models["acme::judge-1"]

    assert (model.name, model.served_names) == ("judge-1", {"judge-1"})


def test_a_snapshot_that_the_catalog_lists_may_serve_the_model():
    model = catalog(MODEL | {"wire_name": "j1", "served_as": ["judge-1-2026-10-01"]}).models["acme::judge-1"]

    assert (model.name, model.served_names) == ("j1", {"j1", "judge-1-2026-10-01"})


@pytest.mark.parametrize("text", [b"", b"<html>", b"[]", b"{}", b'{"models": {}}', b'{"models": [], "models": []}'])
def test_what_is_no_catalog_is_refused(text):
    with pytest.raises(CatalogUnreadable):
        read_catalog(text)


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
ENTRIES = st.dictionaries(st.sampled_from([*MODEL, "wire_name", "served_as"]), SCALARS | st.lists(SCALARS, max_size=2))


@given(SCALARS | st.lists(SCALARS | ENTRIES, max_size=3))
def test_any_document_is_read_or_refused(models):
    text = json.dumps({"models": models}).encode()

    try:
        found = read_catalog(text)
    except CatalogUnreadable:
        found = None

    assert found is None or confirm(found, judge())
