"""Saying where an output breaks a schema: the author's keywords by name, the case's own names masked."""

from evalbook.domain.outcome import Grade, failed
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.compiled import CompiledSchema, Verdict

_UNLOCATED = failed("The output is not valid against the schema; the place was not found in the steps allowed for it.")


def invalid(verdict: Verdict, schema: CompiledSchema) -> Grade:
    """Grade an output that is not valid; the details have up to ten places, by JSON Pointers into schema and output."""
    if not verdict.failures:
        return _UNLOCATED
    first = verdict.failures[0]
    place = format_pointer(tuple("*" if type(token) is str else token for token in first.instance_tokens))
    where = f"at {place} of the output (names masked)" if place else "at the top of the output"
    details: list[Json] = [
        {"keyword": each.keyword, "schema": schema.pointer(each), "output": format_pointer(each.instance_tokens)}
        for each in verdict.failures
    ]
    broken = f"{first.keyword}, at {schema.pointer(first)}, does not hold {where}"
    return failed(f"The output is not valid against the schema: {broken}.", details={"failures": details})
