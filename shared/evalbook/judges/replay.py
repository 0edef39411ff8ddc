"""Recorded replies replayed: the core of `evalbook judge`, with no model called or looked up."""

from collections.abc import Mapping

from evalbook.contracts.case import read_case
from evalbook.domain.errors import CaseInvalid, ParametersRefused
from evalbook.domain.outcome import Assurance, Code, Outcome
from evalbook.jsonio.truncation import cut_body
from evalbook.jsonio.values import Json
from evalbook.judges.aggregation import AggregatedVerdict, RepeatAnswer, aggregate, unjudged
from evalbook.judges.content import content_missing, fenced_contents
from evalbook.judges.decision import Decision, Judgement, ReplyFailure, decide_alone
from evalbook.judges.reply import RawReply, parse_reply
from evalbook.judges.reply_json import ReplyUnusable
from evalbook.judges.version import JudgeParameters, read_judge_parameters


def replay(line: Mapping[str, Json]) -> dict[str, Json]:
    """Give the result of one line `{"id", "judge", "case", "replies"}` as JSON members, with each reply's own outcome.

    Parameters that no version could have give `{"id", "refused"}`; nothing is raised for what the line holds.
    """
    head = {"id": line.get("id")}
    try:
        parameters = read_judge_parameters(line.get("judge"))
    except ParametersRefused as refused:
        problems = [{"pointer": problem.pointer, "message": problem.message} for problem in refused.problems]
        return {**head, "refused": problems}
    return {**head, **_judged(parameters, line)}


def _judged(parameters: JudgeParameters, line: Mapping[str, Json]) -> dict[str, Json]:
    try:
        case = read_case(line.get("case"))
    except CaseInvalid as invalid:
        return _members(unjudged(Decision(Outcome.ERROR, str(invalid), Code.CASE_INVALID)), [])
    missing = content_missing(parameters.prompt_template, case)
    if missing:
        return _members(unjudged(Decision(Outcome.UNSUPPORTED, missing.meaning, missing)), [])
    recorded = line.get("replies")
    judgements = [judgement(reply, parameters) for reply in recorded] if isinstance(recorded, list) else []
    contents = fenced_contents(parameters.prompt_template, case)
    judge_run = aggregate(parameters, [RepeatAnswer(item) for item in judgements], contents)
    return _members(judge_run, [decide_alone(parameters, item) for item in judgements])


def judgement(recorded: Json, parameters: JudgeParameters) -> Judgement:
    """Read one recorded reply `{"content", "finish_reason", "refusal"?, "tool_calls"?}`, of whatever type it is."""
    members = recorded if isinstance(recorded, Mapping) else {}
    raw = RawReply(
        content=members.get("content"),
        finish_reason=members.get("finish_reason"),
        refusal=members.get("refusal"),
        tool_calls=members.get("tool_calls"),
    )
    try:
        return parse_reply(raw, parameters)
    except ReplyUnusable as unusable:
        return ReplyFailure(unusable.code, unusable.field)


def _members(judge_run: AggregatedVerdict, single: list[Decision]) -> dict[str, Json]:
    return {
        "outcome": judge_run.outcome.value,
        "code": _name(judge_run.code),
        "score": judge_run.score,
        "label": judge_run.label,
        "assurance": Assurance.REPORTED.value,
        "variability": judge_run.variability,
        "abstentions": judge_run.abstentions,
        "explanation": judge_run.explanation,
        "body": None if judge_run.body is None else cut_body(judge_run.body),
        "replies": [{"outcome": each.outcome.value, "code": _name(each.code)} for each in single],
    }


def _name(code: Code | None) -> str | None:
    return None if code is None else code.value
