"""Asking the traces component."""

import json
from decimal import Decimal

import httpx
import pytest

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.request import HttpExchange
from evalbook.adapters.http.traces import HttpxTraces
from evalbook.domain.case import ContentRef
from evalbook.domain.errors import StoreUnavailable
from evalbook.jsonio.values import ABSENT
from evalbook.traces.port import Content, ContentStatus, Purpose, TraceKey, TracesUnavailable, TraceUnreadable
from tests.unit.adapters.http.gateway_calls import Clock, FakeTokens, Scripted, answer, error

KEY = TraceKey("org-1", "project-1", "trace-1")
OUTPUT, ARGUMENTS = ContentRef("s1", "output"), ContentRef("s2", "arguments")
NOT_KEPT = Content(ContentStatus.NOT_KEPT)


class Asking:
    """The adapter against a scripted traces component."""

    def __init__(self, *script, tokens=None):
        self.server, self.clock = Scripted(list(script)), Clock()
        self.traces = HttpxTraces(
            "https://traces.example",
            tokens or FakeTokens(),
            exchange=HttpExchange(10_000, httpx.MockTransport(self.server)),
            pace=Backoff(self.clock, self.clock.sleep, lambda: 0.5),
        )

    def contents(self, *fields):
        return self.traces.contents(KEY, Purpose.SCORING, fields)


def item(ref, status, **value):
    return {"span_id": ref.span_id, "field": ref.field, "status": status, **value}


def test_spans_are_asked_for_in_the_runs_own_project():
    asking = Asking(answer(200, {"spans": [{"span_id": "s1", "kind": "tool"}], "truncated": True, "trace_id": "x"}))

    found = asking.traces.spans(KEY)

    assert str(asking.server.seen[0].url) == (
        "https://traces.example/v1/traces/trace-1/spans?organization_id=org-1&project_id=project-1"
    )
    assert found == {"spans": [{"span_id": "s1", "kind": "tool"}], "truncated": True}


def test_content_is_asked_for_in_one_request_with_its_purpose():
    asking = Asking(answer(200, {"items": []}))

    asking.contents(OUTPUT, ARGUMENTS)

    assert [json.loads(request.content) for request in asking.server.seen] == [
        {
            "organization_id": "org-1",
            "project_id": "project-1",
            "purpose": "scoring",
            "fields": [{"span_id": "s1", "field": "output"}, {"span_id": "s2", "field": "arguments"}],
        }
    ]


def test_kept_content_is_read_with_its_numbers_as_written():
    asking = Asking(answer(200, b'{"items": [{"span_id": "s1", "field": "output", "status": "kept", "value": 1.10}]}'))

    found = asking.contents(OUTPUT)

    assert str(found[OUTPUT].value) == "1.10"
    assert found[OUTPUT] == Content(ContentStatus.KEPT, Decimal("1.1"))


def test_a_kept_null_is_a_value():
    asking = Asking(answer(200, {"items": [item(OUTPUT, "kept", value=None)]}))

    assert asking.contents(OUTPUT)[OUTPUT] == Content(ContentStatus.KEPT, None)


def test_a_forbidden_field_has_no_value_whatever_is_answered():
    asking = Asking(answer(200, {"items": [item(OUTPUT, "forbidden", value="leaked")]}))

    assert asking.contents(OUTPUT)[OUTPUT] == Content(ContentStatus.FORBIDDEN, ABSENT)


def test_a_field_that_is_not_answered_for_counts_as_not_kept():
    asking = Asking(answer(200, {"items": [item(OUTPUT, "not_kept")]}))

    assert asking.contents(OUTPUT, ARGUMENTS) == {OUTPUT: NOT_KEPT, ARGUMENTS: NOT_KEPT}


def test_a_kept_field_without_a_value_counts_as_not_kept():
    asking = Asking(answer(200, {"items": [item(OUTPUT, "kept")]}))

    assert asking.contents(OUTPUT)[OUTPUT] == NOT_KEPT


def test_another_projects_trace_is_none():
    assert Asking(error(404)).traces.spans(KEY) is None
    assert Asking(error(404)).contents(OUTPUT) is None


@pytest.mark.parametrize("trace_id", ["a/b", "a?b#c", "../../admin", "\u00e4 %2F"])
def test_a_trace_id_is_one_segment_of_the_path_whatever_it_holds(trace_id):
    asking = Asking(error(404))

    asking.traces.spans(TraceKey("org-1", "project-1", trace_id))

    path = asking.server.seen[0].url.raw_path.partition(b"?")[0]
    assert (path.count(b"/"), path.endswith(b"/spans")) == (4, True)


@pytest.mark.parametrize("trace_id", ["", ".", "..", "x" * 513, "\ud800"])
def test_a_trace_id_that_no_path_can_say_is_no_trace(trace_id):
    asking = Asking(answer(200, {"spans": []}))

    assert asking.traces.spans(TraceKey("org-1", "project-1", trace_id)) is None
    assert asking.server.seen == []


def test_what_may_pass_is_asked_again():
    asking = Asking(error(503), httpx.ReadError("reset"), answer(200, {"spans": []}))

    assert asking.traces.spans(KEY) == {"spans": []}


@pytest.mark.parametrize("final", [httpx.ConnectError("refused"), error(500), error(401), error(403), error(400)])
def test_a_component_that_does_not_answer_is_trouble_that_a_retry_can_cure(final):
    with pytest.raises(TracesUnavailable):
        Asking(final).traces.spans(KEY)


def test_without_a_token_the_component_is_out_of_reach():
    with pytest.raises(TracesUnavailable):
        Asking(error(404), tokens=FakeTokens(StoreUnavailable("Secrets Manager gave no token"))).traces.spans(KEY)


@pytest.mark.parametrize(
    "body", [b"<html>", b'{"spans": [], "spans": []}', b'{"spans": [NaN]}', b'{"spans": {}}', b"null", b"[]"]
)
def test_spans_that_are_no_strict_json_list_are_unreadable(body):
    with pytest.raises(TraceUnreadable):
        Asking(answer(200, body)).traces.spans(KEY)


@pytest.mark.parametrize(
    "items", [None, [1], [{"span_id": "s1"}], [item(OUTPUT, "lost")], [item(OUTPUT, "kept", value=1)] * 2]
)
def test_content_of_another_shape_is_unreadable(items):
    with pytest.raises(TraceUnreadable):
        Asking(answer(200, {"items": items})).contents(OUTPUT)


def test_an_answer_over_the_size_limit_is_unreadable():
    with pytest.raises(TraceUnreadable, match="too large"):
        Asking(answer(200, {"spans": ["x" * 20_000]})).traces.spans(KEY)
