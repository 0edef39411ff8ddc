"""Grading calls by the verdicts on their arguments."""

from collections.abc import Mapping
from typing import Final

from evalbook.domain.outcome import Code, EarlyOutcome, Grade, errored, failed, passed, timed_out
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.compiled import CompiledSchema
from evalbook.jsonschema_subset.run import StepsExhausted

_MAX_LISTED: Final = 20
_TOO_LONG = timed_out(Code.TIME_LIMIT, "The steps allowed for validating a call's arguments are used up.")
_TOO_DEEP = errored(Code.SCORING_FAILED, "A schema and a call's arguments together nest too deeply to be validated.")


def checked(schema: CompiledSchema, arguments: Mapping[str, Json]) -> list[Json] | None:
    """Return where *arguments* break *schema*, for the details of a grade; None where they are valid."""
    try:
        verdict = schema.verdict(arguments)
    except StepsExhausted:
        raise EarlyOutcome(_TOO_LONG) from None
    except RecursionError:
        raise EarlyOutcome(_TOO_DEEP) from None
    if verdict.valid:
        return None
    return [
        {"keyword": each.keyword, "schema": schema.pointer(each), "arguments": format_pointer(each.instance_tokens)}
        for each in verdict.failures
    ]


def graded(verdicts: Mapping[int, list[Json] | None], unknown: int) -> Grade:
    """Grade a run by the verdicts on its calls of known tools, by the calls' indices, and so many calls of others."""
    broken = [(index, places) for index, places in verdicts.items() if places is not None]
    valid = len(verdicts) - len(broken)
    explanation = f"The arguments of {valid} of {len(verdicts)} calls are valid against their tools' schemas."
    if unknown:
        explanation += f" {unknown} calls are to a tool that has no schema."
    if not broken and not unknown:
        return passed(explanation)
    failures = [{"call": index, **place} for index, places in broken for place in places]
    return failed(explanation, score=valid / (len(verdicts) + unknown), details={"failures": failures[:_MAX_LISTED]})
