"""Lines that are nearly right: each command answers every line, tells what it refused, and never fails."""

import io
import json
import sys

import pytest
from hypothesis import HealthCheck, given, settings

from evalbook.cli.main import main
from evalbook.services.scoring.lines_job import LINE_MEMBERS, LinesJob
from tests.fakes.mutations import mutated_text

SCORE = {
    "id": 1,
    "implementation": "tool_call_match",
    "parameters": {"tool": "pay", "tool_params": [{"path": "/a", "rule": "min", "value": 1}]},
    "case": {
        "case_id": "a",
        "trace": {"spans": [{"span_id": "1", "kind": "tool", "name": "pay", "arguments": {"a": 2}}]},
    },
    "time_limit_ms": 1_000,
}
JUDGE = {"model": "a::b", "prompt_template": "{{output}}", "score_type": "binary"}
REPLY = {"content": '{"verdict": "pass", "score": 1, "reasoning_summary": "x", "cited_evidence": [], "abstain": false}'}
REPLAY = {
    "id": 1,
    "judge": JUDGE,
    "case": {"case_id": "a", "output": "x"},
    "replies": [REPLY | {"finish_reason": "stop"}],
}
ROW = {"case_id": "a", "human": ["pass", "fail"], "outcome": "pass", "repeats": ["pass", None]}
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def unmarked(*_):
    """What the watching process would be told; nobody watches here."""


@given(mutated_text(SCORE))
def test_a_line_is_answered_and_what_it_does_not_know_is_refused(text):
    job = LinesJob((text.encode("utf-8", "surrogatepass"),))

    [(_, answer)] = job.results(0, {}, unmarked)

    said = json.loads(answer)
    assert ("refused" in said) != ("outcome" in said)
    try:
        sent = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        sent = None
    if isinstance(sent, dict) and sent.keys() - set(LINE_MEMBERS):
        assert "refused" in said


@pytest.mark.parametrize("command", ["replay", "prompt", "calibrate"])
@QUIET
@given(text=mutated_text(REPLAY) | mutated_text(ROW))
def test_a_command_answers_and_ends_with_zero_or_two(command, text, monkeypatch, capsysbinary):
    sent = text.replace("\n", " ").encode("utf-8", "surrogatepass")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))

    status = main([command])

    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert status == (2 if any("refused" in answer for answer in answers) else 0)
    assert len(answers) == (1 if text.strip("\ufeff \n\t\r") or command == "calibrate" else 0)
