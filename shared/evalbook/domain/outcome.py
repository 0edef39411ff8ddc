"""What scoring a case can come to: outcomes, codes and the grade that carries them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self


class Outcome(StrEnum):
    """What became of a case."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ABSTAINED = "abstained"
    ERROR = "error"
    TIMEOUT = "timeout"
    UNSUPPORTED = "unsupported"
    SKIPPED = "skipped"


class Assurance(StrEnum):
    """How far a result can be relied on."""

    INDEPENDENTLY_OBSERVED = "independently_observed"
    REPORTED = "reported"


class Code(StrEnum):
    """Why a case has neither passed nor failed; a closed list, each with its meaning."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Self:
        """Make the member *value* that carries its *meaning*."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    OUTPUT_UNAVAILABLE = "OUTPUT_UNAVAILABLE", "The case records no output."
    TRACE_UNAVAILABLE = "TRACE_UNAVAILABLE", "The case records no trace."
    ARGUMENTS_UNAVAILABLE = "ARGUMENTS_UNAVAILABLE", "A tool call's arguments were not kept or cannot be fetched."
    DOCUMENTS_UNAVAILABLE = "DOCUMENTS_UNAVAILABLE", "A retrieval's document ids were not kept."
    SPANS_UNAVAILABLE = "SPANS_UNAVAILABLE", "The trace's format does not record the kind of span that is asked about."
    TIMES_UNAVAILABLE = "TIMES_UNAVAILABLE", "A span's start or end time was not recorded."
    CONTENT_UNAVAILABLE = "CONTENT_UNAVAILABLE", "A value held in a stored trace was not kept or cannot be fetched."
    CAPTURE_POLICY_FORBIDS = "CAPTURE_POLICY_FORBIDS", "The project's capture policy forbids this use of a span."
    TRACE_TRUNCATED = "TRACE_TRUNCATED", "The recorded trace is not whole."
    TRACE_INVALID = "TRACE_INVALID", "The recorded trace contradicts itself."
    BATCH_INVALID = "BATCH_INVALID", "The batch cannot be taken as a whole; none of its cases is scored."
    CASE_INVALID = "CASE_INVALID", "The case cannot be read."
    CASE_ID_REPEATED = "CASE_ID_REPEATED", "An earlier case of the batch has the same case_id."
    EXPECTED_MISSING = "EXPECTED_MISSING", "There is no expected value."
    EXPECTED_WRONG_TYPE = "EXPECTED_WRONG_TYPE", "The expected value has a type that the scorer cannot use."
    EXPECTED_EMPTY = "EXPECTED_EMPTY", "The expected value is empty and would decide nothing."
    INPUT_TOO_LONG = "INPUT_TOO_LONG", "A text is longer than the version allows."
    NOTHING_RETRIEVED = "NOTHING_RETRIEVED", "No document was retrieved: the metric is undefined."
    NOTHING_LABELLED = "NOTHING_LABELLED", "No relevant document is labelled: the metric is undefined."
    NO_CALLS = "NO_CALLS", "There is no tool call to check: the metric is undefined."
    NO_CITATIONS = "NO_CITATIONS", "The answer cites nothing."
    TIME_LIMIT = "TIME_LIMIT", "The version's time limit ran out."
    MATCH_TIME_LIMIT = "MATCH_TIME_LIMIT", "A pattern match ran out of its time."
    NO_MAJORITY = "NO_MAJORITY", "The judge's repeats have no majority."
    NO_THRESHOLD = "NO_THRESHOLD", "The judge reports a score and the version has no pass threshold."
    ABSTAINED = "ABSTAINED", "Half or more of the judge's repeats abstained."
    BUDGET_EXHAUSTED = "BUDGET_EXHAUSTED", "The AI budget cannot pay for the call."
    VERSION_NOT_FOUND = "VERSION_NOT_FOUND", "The scorer or its version does not exist."
    VERSION_NOT_ACTIVATED = "VERSION_NOT_ACTIVATED", "The version was never activated, so an evaluation may not use it."
    DIGEST_MISMATCH = "DIGEST_MISMATCH", "The stored version's digest is not the one that was named."
    WRONG_FAMILY = "WRONG_FAMILY", "The scorer belongs to another family's queue."
    SCORING_FAILED = "SCORING_FAILED", "Scoring itself failed; the case was not judged."
    REPLY_NOT_JSON = "REPLY_NOT_JSON", "The reply is not one JSON value and nothing else."
    REPLY_NOT_AN_OBJECT = "REPLY_NOT_AN_OBJECT", "The reply is JSON and no object."
    REPLY_EMPTY = "REPLY_EMPTY", "The reply is empty."
    REPLY_TRUNCATED = "REPLY_TRUNCATED", "The reply was cut off at the token limit."
    REPLY_FILTERED = "REPLY_FILTERED", "The provider's content filter stopped the reply."
    REPLY_REFUSED = "REPLY_REFUSED", "The model refused to answer."
    REPLY_UNEXPECTED_FINISH = "REPLY_UNEXPECTED_FINISH", "The reply did not end by itself."
    REPLY_DUPLICATE_KEY = "REPLY_DUPLICATE_KEY", "The reply repeats a key."
    REPLY_NON_FINITE_NUMBER = "REPLY_NON_FINITE_NUMBER", "The reply holds NaN or an infinity, which are not JSON."
    REPLY_NUMBER_OUT_OF_RANGE = "REPLY_NUMBER_OUT_OF_RANGE", "A number of the reply has too many digits."
    REPLY_LONE_SURROGATE = "REPLY_LONE_SURROGATE", "The reply holds half of a surrogate pair."
    REPLY_TOO_DEEP = "REPLY_TOO_DEEP", "The reply is nested too deeply."
    REPLY_MISSING_FIELD = "REPLY_MISSING_FIELD", "The reply lacks a field."
    REPLY_UNKNOWN_FIELD = "REPLY_UNKNOWN_FIELD", "The reply has a field that was not asked for."
    REPLY_WRONG_TYPE = "REPLY_WRONG_TYPE", "A field of the reply has the wrong type."
    REPLY_OUT_OF_RANGE = "REPLY_OUT_OF_RANGE", "A number of the reply is outside its range."
    REPLY_SCORE_NOT_ALLOWED = "REPLY_SCORE_NOT_ALLOWED", "The reply has a score where the version asks for none."
    REPLY_VERDICT_NOT_ALLOWED = "REPLY_VERDICT_NOT_ALLOWED", "The reply has a verdict where the version asks for none."
    REPLY_TOO_LONG = "REPLY_TOO_LONG", "A text or list of the reply is too long."
    REPLY_TOO_MANY_EVIDENCE = "REPLY_TOO_MANY_EVIDENCE", "The reply cites more evidence than allowed."
    REPLY_EVIDENCE_SHAPE = "REPLY_EVIDENCE_SHAPE", "An item of cited evidence has the wrong shape."
    REPLY_NOT_A_VERDICT = "REPLY_NOT_A_VERDICT", "The verdict is neither pass nor fail."
    REPLY_NOT_A_CATEGORY = "REPLY_NOT_A_CATEGORY", "The verdict is none of the categories."
    REPLY_NOT_IN_ENUM = "REPLY_NOT_IN_ENUM", "An enum field of the reply has none of its values."
    REPLY_VERDICT_SCORE_CONTRADICTION = "REPLY_VERDICT_SCORE_CONTRADICTION", "Verdict and score disagree."
    REPLY_COUNT_MISMATCH = "REPLY_COUNT_MISMATCH", "There are more or fewer replies than the version asks for."
    GATEWAY_UNREACHABLE = "GATEWAY_UNREACHABLE", "The gateway could not be reached."
    GATEWAY_OUTCOME_UNKNOWN = "GATEWAY_OUTCOME_UNKNOWN", "The call was sent and its answer was lost."
    GATEWAY_BAD_REQUEST = "GATEWAY_BAD_REQUEST", "The gateway refused the request."
    GATEWAY_CONTEXT_TOO_LONG = "GATEWAY_CONTEXT_TOO_LONG", "The request does not fit the model's context window."
    GATEWAY_AUTH = "GATEWAY_AUTH", "The gateway did not accept the service's token."
    GATEWAY_FORBIDDEN = "GATEWAY_FORBIDDEN", "The gateway forbids the call."
    GATEWAY_MODEL_UNAVAILABLE = "GATEWAY_MODEL_UNAVAILABLE", "The gateway does not serve the pinned model."
    GATEWAY_MODEL_MISMATCH = "GATEWAY_MODEL_MISMATCH", "The gateway served another model than the pinned one."
    GATEWAY_IN_PROGRESS = "GATEWAY_IN_PROGRESS", "The same call is still in progress at the gateway."
    GATEWAY_IDEMPOTENCY_CONFLICT = "GATEWAY_IDEMPOTENCY_CONFLICT", "The call's id was used for another request."
    GATEWAY_TOO_LARGE = "GATEWAY_TOO_LARGE", "The request or its answer is too large."
    GATEWAY_RATE_LIMITED = "GATEWAY_RATE_LIMITED", "The gateway's rate limit did not let the call through in time."
    GATEWAY_PROVIDER_QUOTA = "GATEWAY_PROVIDER_QUOTA", "The provider's quota is used up."
    GATEWAY_CONTENT_BLOCKED = "GATEWAY_CONTENT_BLOCKED", "A content policy blocked the call."
    GATEWAY_5XX = "GATEWAY_5XX", "The gateway failed."
    BAD_GATEWAY_BODY = "BAD_GATEWAY_BODY", "The gateway answered with something else than a completion."


class Grade(NamedTuple):
    """What a scorer says about one case.

    A named tuple, unlike the other records here: one is made for every case, at a third of the cost. Only `details` may
    hold payload text: it becomes the result's `body`.
    """

    outcome: Outcome
    explanation: str
    code: Code | None = None
    score: float | int | None = None
    label: str | None = None
    details: Mapping[str, Any] | None = None


_PASS: Final = Outcome.PASS
_FAIL: Final = Outcome.FAIL


class EarlyOutcome(Exception):
    """Ends a scorer early with the grade that it carries; never leaves `PreparedScorer.score`."""

    def __init__(self, grade: Grade) -> None:
        super().__init__(grade.outcome.value)
        self.grade = grade


def passed(explanation: str, *, score: float = 1.0, details: Mapping[str, Any] | None = None) -> Grade:
    """Grade a case as pass."""
    return Grade(_PASS, explanation, None, score, None, details)


def failed(explanation: str, *, score: float = 0.0, details: Mapping[str, Any] | None = None) -> Grade:
    """Grade a case as fail."""
    return Grade(_FAIL, explanation, None, score, None, details)


def errored(code: Code, explanation: str) -> Grade:
    """Grade a case as error: the data set, the scorer or the service is at fault, not the candidate."""
    return Grade(Outcome.ERROR, explanation, code)


def unsupported(code: Code, explanation: str) -> Grade:
    """Grade a case as unsupported: what the scorer needs was not recorded."""
    return Grade(Outcome.UNSUPPORTED, explanation, code)


def inconclusive(code: Code, explanation: str, *, details: Mapping[str, Any] | None = None) -> Grade:
    """Grade a case as inconclusive: the metric is undefined for it."""
    return Grade(Outcome.INCONCLUSIVE, explanation, code, details=details)


def timed_out(code: Code, explanation: str) -> Grade:
    """Grade a case as timeout."""
    return Grade(Outcome.TIMEOUT, explanation, code)
