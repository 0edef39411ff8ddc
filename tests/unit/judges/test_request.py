"""The bytes of a chat completion request."""

import json
from decimal import Decimal

import pytest

from evalbook.judges.catalog import CatalogModel
from evalbook.judges.prompt import ChatMessage
from evalbook.judges.reply_schema import response_format
from evalbook.judges.request import RequestLabels, request_body
from tests.unit.judges.judging import judge

LABELS = RequestLabels(run_id="run-1", version_digest="5f" * 32, logical_id="ab" * 32)
MESSAGES = (ChatMessage("system", "Judge."), ChatMessage("user", "Case with a \u2028 and a \U0001f600."))


def model(**changes):
    return CatalogModel.model_validate({"id": "acme::judge-1", **changes})


def body(model_entry, **changes):
    return json.loads(request_body(model_entry, judge(**changes), MESSAGES, LABELS), parse_float=Decimal)


def test_the_request_holds_what_the_version_pins_and_nothing_else():
    sent = body(model())

    assert sent == {
        "model": "judge-1",
        "messages": [{"role": message.role, "content": message.content} for message in MESSAGES],
        "temperature": 0,
        "max_tokens": 800,
        "response_format": response_format(judge()),
    }


def test_the_same_request_has_the_same_bytes():
    first, second = (request_body(model(), judge(), MESSAGES, LABELS) for _ in range(2))

    assert first == second


def test_the_catalogs_name_for_the_model_is_sent():
    assert body(model(wire_name="acme/j1"))["model"] == "acme/j1"


def test_a_model_that_reads_max_completion_tokens_is_sent_those():
    sent = body(model(reply_limit="max_completion_tokens"), max_reply_tokens=50)

    assert (sent.get("max_tokens"), sent["max_completion_tokens"]) == (None, 50)


def test_a_temperature_is_sent_as_written_and_without_an_exponent():
    text = request_body(model(), judge(temperature=Decimal("1E-7")), MESSAGES, LABELS)

    assert b'"temperature":0.0000001,' in text


def test_metadata_are_sent_where_the_catalog_allows_them():
    sent = body(model(metadata=True))

    assert sent["metadata"] == {"run": "run-1", "judge_version": "5f" * 32, "logical_id": "ab" * 32}


def test_the_schemas_members_keep_the_order_in_which_a_model_shall_write_them():
    sent = body(model())

    names = list(sent["response_format"]["json_schema"]["schema"]["properties"])
    assert names == ["reasoning_summary", "cited_evidence", "score", "verdict", "abstain"]


def test_the_entry_of_another_model_is_refused():
    with pytest.raises(ValueError, match="another model"):
        request_body(model(id="acme::judge-2"), judge(), MESSAGES, LABELS)
