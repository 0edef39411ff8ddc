"""json_schema (S-05, X-18): the output is valid against a JSON Schema of draft-04 to 2020-12, a documented subset."""

from functools import partial

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, EarlyOutcome, Grade, errored, passed, timed_out
from evalbook.jsonschema_subset.compiled import CompiledSchema
from evalbook.jsonschema_subset.run import StepsExhausted
from evalbook.scorer_kit.parsing import parsed_output_reader
from evalbook.scorer_kit.patterns import compile_pattern
from evalbook.scorer_kit.reading import ANYTHING
from evalbook.scorers.structured._schema_failures import invalid
from evalbook.scorers.structured._schema_parameters import JsonSchemaParameters

_VALID = passed("The output is valid against the schema.")
_TOO_LONG = timed_out(Code.TIME_LIMIT, "The steps allowed for validating the output are used up.")
_TOO_DEEP = errored(Code.SCORING_FAILED, "The schema and the output together nest too deeply to be validated.")


@scorer(parameters=JsonSchemaParameters, needs=(Need.OUTPUT,))
def json_schema(parameters: JsonSchemaParameters) -> ScoreFunction:
    """Passes when the output is valid against a JSON Schema (draft-04 to 2020-12)."""
    output_of = parsed_output_reader(parameters, ANYTHING)
    schema = CompiledSchema(
        parameters.document,
        partial(compile_pattern, timeout_ms=parameters.match_timeout_ms, max_input_chars=parameters.max_input_chars),
        parameters.formats,
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
