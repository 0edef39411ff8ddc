"""json_schema (S-05): the output is valid against a JSON Schema, a documented subset of draft 2020-12."""

from collections.abc import Iterable, Mapping
from functools import partial

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, EarlyOutcome, Grade, errored, passed, timed_out
from evalbook.domain.parameters import AnyJson, ReadsOutput
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.checking import author_patterns, schema_problems
from evalbook.jsonschema_subset.compiled import CompiledSchema
from evalbook.jsonschema_subset.run import StepsExhausted
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
)
from evalbook.scorer_kit.reading import ANYTHING, output_reader
from evalbook.scorers.structured._schema_failures import invalid

_VALID = passed("The output is valid against the schema.")
_TOO_LONG = timed_out(Code.TIME_LIMIT, "The steps allowed for validating the output are used up.")
_TOO_DEEP = errored(Code.SCORING_FAILED, "The schema and the output together nest too deeply to be validated.")


class JsonSchemaParameters(ReadsOutput, PatternLimits):
    """The schema, and the limits of its patterns."""

    document: AnyJson = Field(
        alias="schema", description="A JSON Schema, draft 2020-12; docs/scorers.md has the subset."
    )

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse what is outside the subset, refers outside or in a loop, or would take too long."""
        if "schema" in raw:
            for problem in schema_problems(raw["schema"], author_pattern_problems):
                yield Problem("/schema" + problem.pointer, problem.message)

    def warnings(self) -> Iterable[Problem]:
        """Warn of patterns that can run into their time limit on a long text."""
        for pattern, pointer in author_patterns(self.document):
            yield from author_pattern_warnings(pattern, "/schema" + pointer)


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
            raise EarlyOutcome(_TOO_LONG) from None
        except RecursionError:
            raise EarlyOutcome(_TOO_DEEP) from None
        return _VALID if verdict.valid else invalid(verdict, schema)

    return score
