"""Results as OpenTelemetry evaluation events."""

import json

import pytest

from evalbook.cli.main import main
from evalbook.reports.otel_events import Evaluated, evaluated, otel_events

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
RESULT = {"case_id": "a", "scorer": "s", "outcome": "pass", "code": None, "score": 0.5, "explanation": "Fine."}


def record(result, about=Evaluated()):  # noqa: B008  (a tuple, never changed)
    document = otel_events([(result, about)], 7)
    [each] = document["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    values = {one["key"]: next(iter(one["value"].values())) for one in each["attributes"]}
    return each, values


def test_a_decided_result_has_a_label_and_its_score():
    each, values = record(RESULT)

    assert (each["eventName"], each["timeUnixNano"]) == ("gen_ai.evaluation.result", "7")
    assert values == {
        "gen_ai.evaluation.name": "s",
        "gen_ai.evaluation.score.label": "pass",
        "gen_ai.evaluation.score.value": 0.5,
        "gen_ai.evaluation.explanation": "Fine.",
        "evalbook.case_id": "a",
    }


def test_an_undecided_result_has_an_error_type_and_no_value():
    _, values = record({**RESULT, "outcome": "unsupported", "code": "TRACE_UNAVAILABLE", "score": None})

    assert values["error.type"] == "TRACE_UNAVAILABLE"
    assert not any(key.startswith("gen_ai.evaluation.score") for key in values)


def test_an_event_is_parented_to_the_root_span_of_the_recorded_trace():
    spans = [{"span_id": SPAN}, {"span_id": "1" * 16, "parent_span_id": SPAN}]

    each, _ = record(RESULT, evaluated({"trace_id": TRACE, "spans": spans}))

    assert (each["traceId"], each["spanId"]) == (TRACE, SPAN)


@pytest.mark.parametrize("trace", [None, 5, {}, {"trace_id": "t-1", "spans": []}, {"trace_id": "0" * 32}])
def test_without_ids_of_opentelemetry_an_event_has_no_parent(trace):
    assert evaluated(trace) == Evaluated()


def test_a_span_that_is_not_the_only_root_is_no_parent():
    assert evaluated({"trace_id": TRACE, "spans": [{"span_id": SPAN}, {"span_id": "1" * 16}]}) == Evaluated(TRACE)


def test_the_command_writes_one_event_a_result(tmp_path, capsys):
    (tmp_path / "suite.json").write_text('[{"implementation": "exact_match"}]')
    (tmp_path / "cases.jsonl").write_text('{"case_id": "a", "output": "x", "expected": "x"}\n{"case_id": "b"}\n')

    main(
        [
            "score",
            "--scorers",
            str(tmp_path / "suite.json"),
            str(tmp_path / "cases.jsonl"),
            "--otel",
            str(tmp_path / "o"),
        ]
    )

    written = json.loads((tmp_path / "o").read_text())
    assert len(written["resourceLogs"][0]["scopeLogs"][0]["logRecords"]) == 2
    assert "exact_match" in capsys.readouterr().out
