"""json_schema (S-05): the output is valid against a JSON Schema, a documented subset of draft 2020-12."""

from collections.abc import Iterable, Mapping
from functools import partial

from pydantic import Field

from evalbook.case import Case
from evalbook.errors import Problem
from evalbook.jsonschema_subset.checking import schema_problems
from evalbook.jsonschema_subset.compiled import CompiledSchema, Verdict
from evalbook.jsonschema_subset.run import StepsExhausted
from evalbook.jsonvalue import Json
from evalbook.outcome import Code, Grade, Undecided, errored, failed, passed, timed_out
from evalbook.parameters import AnyJson, ReadsOutput
from evalbook.pointer import format_pointer
from evalbook.scorer import Need, ScoreFunction, scorer
from evalbook.scorers._patterns import PatternLimits, author_pattern_problems, compile_pattern
from evalbook.scorers._reading import ANYTHING, output_reader

_VALID = passed("The output is valid against the schema.")
_UNLOCATED = failed("The output is not valid against the schema; the place was not found in the steps allowed for it.")
_TOO_LONG = timed_out(Code.TIME_LIMIT, "The steps allowed for validating the output are used up.")
_TOO_DEEP = errored(Code.SCORING_FAILED, "The schema and the output together nest too deeply to be validated.")


class JsonSchemaParameters(ReadsOutput, PatternLimits):
    """The schema, and the limits of its patterns."""

    document: AnyJson = Field(
        alias="schema", description="A JSON Schema, draft 2020-12; docs/json-schema.md has the subset."
    )

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse what is outside the subset, refers outside or in a loop, or would take too long."""
        if "schema" in raw:
            for problem in schema_problems(raw["schema"], author_pattern_problems):
                yield Problem("/schema" + problem.pointer, problem.message)


@scorer(parameters=JsonSchemaParameters, needs=(Need.OUTPUT,))
def json_schema(parameters: JsonSchemaParameters) -> ScoreFunction:
    """Passes when the output is valid against a JSON Schema (a subset of draft 2020-12)."""
    output_of = output_reader(parameters, ANYTHING)
    schema = CompiledSchema(
        parameters.document,
        partial(compile_pattern, timeout_ms=parameters.match_timeout_ms, max_input_chars=parameters.max_input_chars),
    )

    def score(case: Case) -> Grade:
        output = output_of(case)
        try:
            verdict = schema.verdict(output)
        except StepsExhausted:
            raise Undecided(_TOO_LONG) from None
        except RecursionError:
            raise Undecided(_TOO_DEEP) from None
        return _VALID if verdict.valid else _invalid(verdict, schema)

    return score


def _invalid(verdict: Verdict, schema: CompiledSchema) -> Grade:
    if not verdict.failures:
        return _UNLOCATED
    first = verdict.failures[0]
    # The schema is the author's; the names on the way through the output are the case's.
    place = format_pointer(tuple("*" if type(token) is str else token for token in first.instance_tokens))
    where = f"at {place} of the output (names masked)" if place else "at the top of the output"
    details: list[Json] = [
        {"keyword": each.keyword, "schema": schema.pointer(each), "output": format_pointer(each.instance_tokens)}
        for each in verdict.failures
    ]
    broken = f"{first.keyword}, at {schema.pointer(first)}, does not hold {where}"
    return failed(f"The output is not valid against the schema: {broken}.", details={"failures": details})
