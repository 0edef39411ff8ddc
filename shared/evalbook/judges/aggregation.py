"""From the answers to a judge's repeats to the case's one result."""

import statistics
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from evalbook.domain.outcome import Code, Outcome
from evalbook.jsonio.values import Json
from evalbook.judges.decision import Decision, Judgement, as_json_number, decide
from evalbook.judges.estimate import Usage
from evalbook.judges.reply import CitedEvidence, Reply
from evalbook.judges.version import SCORED, JudgeParameters

USAGE_SOURCE: Final = "allocated from SSO usage"


@dataclass(frozen=True, slots=True)
class RepeatAnswer:
    """What came of asking once, and what SSO reports of it; None where no call was charged or nothing is reported.

    `served_model` is the name by which the reply called its model.
    """

    judgement: Judgement
    usage: Usage | None = None
    served_model: str | None = None


@dataclass(frozen=True, slots=True)
class AggregatedVerdict:
    """The case's result; only `body` holds text of the case or of the judge.

    `score` is 1 or 0 of a binary judge and the median of a scored one, `label` the category that has the majority.
    `variability` is None where the judge run failed or nobody judged.
    """

    outcome: Outcome
    explanation: str
    code: Code | None
    score: int | float | None
    label: str | None
    variability: Mapping[str, int | float] | None
    abstentions: int
    served_models: tuple[str, ...]
    usage: Mapping[str, int | str] | None
    body: dict[str, Json] | None


def aggregate(
    parameters: JudgeParameters,
    answers: Sequence[RepeatAnswer],
    contents: Mapping[str, str],
    *,
    exhausted: Outcome = Outcome.ERROR,
) -> AggregatedVerdict:
    """Give the one result of a case from the answers to its repeats, in the order of the repeats.

    *contents* are the fenced texts by name, against which quotes are checked; *exhausted* is what a spent budget makes
    of a case: `error` in a sandbox or calibration, `skipped` in an evaluation.
    """
    judgements = [answer.judgement for answer in answers]
    decision = decide(parameters, judgements, exhausted=exhausted)
    replies = {number: item for number, item in enumerate(judgements, start=1) if isinstance(item, Reply)}
    whole = len(replies) == len(judgements) == parameters.repeat_count
    return AggregatedVerdict(
        outcome=decision.outcome,
        explanation=decision.explanation,
        code=decision.code,
        score=decision.score,
        label=decision.label,
        variability=_variability(parameters, replies.values()) if whole else None,
        abstentions=sum(reply.abstain for reply in replies.values()),
        served_models=tuple(sorted({answer.served_model for answer in answers if answer.served_model})),
        usage=_total(answers),
        body=_body(replies, contents),
    )


def unjudged(decision: Decision) -> AggregatedVerdict:
    """Give the result of a case that no judge was asked about."""
    return AggregatedVerdict(
        outcome=decision.outcome,
        explanation=decision.explanation,
        code=decision.code,
        score=None,
        label=None,
        variability=None,
        abstentions=0,
        served_models=(),
        usage=None,
        body=None,
    )


def _variability(parameters: JudgeParameters, replies: Iterable[Reply]) -> Mapping[str, int | float] | None:
    if parameters.score_type in SCORED:
        scores = [reply.score for reply in replies if reply.score is not None]
        return spread(scores) if scores else None
    verdicts = [reply.verdict for reply in replies if reply.verdict is not None]
    return agreement(verdicts) if verdicts else None


def _total(answers: Sequence[RepeatAnswer]) -> Mapping[str, int | str] | None:
    reported = [answer.usage for answer in answers if answer.usage is not None]
    if not reported:
        return None
    return {
        "input_tokens": sum(usage.input_tokens for usage in reported),
        "output_tokens": sum(usage.output_tokens for usage in reported),
        "calls_reported": len(reported),
        "source": USAGE_SOURCE,
    }


def _body(replies: Mapping[int, Reply], contents: Mapping[str, str]) -> dict[str, Json] | None:
    if not replies:
        return None
    is_verified = verifier(contents)
    return {
        "rationale": _rationale(replies),
        "evidence": [
            {
                "repeat": number,
                "source": evidence.source,
                "quote": evidence.quote,
                "verified": is_verified(evidence),
            }
            for number, reply in replies.items()
            for evidence in reply.evidence
        ],
        "details": {"replies": [_details(number, reply) for number, reply in replies.items()]},
    }


def _rationale(replies: Mapping[int, Reply]) -> str:
    summaries = {number: reply.reasoning_summary for number, reply in replies.items()}
    if list(summaries) == [1]:
        return summaries[1]
    return "\n\n".join(f"Repeat {number}: {summary}" for number, summary in summaries.items())


def _details(number: int, reply: Reply) -> dict[str, Json]:
    return {
        "repeat": number,
        "verdict": reply.verdict,
        "score": None if reply.score is None else as_json_number(reply.score),
        "abstain": reply.abstain,
        "fields": {name: _plain_json(value) for name, value in reply.fields.items()},
    }


def _plain_json(value: Json) -> Json:
    return as_json_number(value) if isinstance(value, Decimal) else value


def agreement(verdicts: Sequence[str]) -> Mapping[str, int | float]:
    """Give the share of at least one verdict that equals the most frequent one."""
    most = max(Counter(verdicts).values())
    return {"agreement": most / len(verdicts)}


def spread(scores: Sequence[int | Decimal]) -> Mapping[str, int | float]:
    """Give minimum, maximum, mean and population standard deviation of at least one score; one score deviates by 0."""
    exact = [Fraction(score) for score in scores]
    return {
        "min": as_json_number(min(exact)),
        "max": as_json_number(max(exact)),
        "mean": as_json_number(statistics.mean(exact)),
        "stdev": float(statistics.pstdev(exact)),
    }


def verifier(contents: Mapping[str, str]) -> Callable[[CitedEvidence], bool]:
    """Give the check of quotes against *contents*, the fenced texts by name.

    A quote is verified where it stands in the fence that it names, by NFC and with white space collapsed. A quote
    without any character verifies nothing.
    """
    texts = {name: _collapsed(text) for name, text in contents.items()}

    def is_verified(evidence: CitedEvidence) -> bool:
        quote = _collapsed(evidence.quote)
        return bool(quote) and quote in texts.get(evidence.source, "")

    return is_verified


def _collapsed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
