"""extracted_number (X-05): the number that the output text states is within a tolerance of the expected number."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import EarlyOutcome, Grade, failed
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import scored_against, unprepared
from evalbook.scorer_kit.patterns import compile_pattern
from evalbook.scorer_kit.reading import NUMBER, STRING, output_reader, within_length
from evalbook.scorers.structured._extraction import ExtractedNumberParameters
from evalbook.scorers.structured._near import within_tolerance
from evalbook.scorers.structured._stated_numbers import Notation, NumberReader

_NO_NUMBER: Final = failed("The output text states no number in the declared notation.")
_NO_MATCH: Final = failed("The pattern is not found in the output text, or its group took no part.")
_NO_NUMBER_IN_GROUP: Final = failed("What the pattern's group captured is no number in the declared notation.")


@scorer(parameters=ExtractedNumberParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def extracted_number(parameters: ExtractedNumberParameters) -> ScoreFunction:
    """Passes when the number that the output text states is within a tolerance of the expected number."""
    text_of, longest = output_reader(parameters, STRING), parameters.max_input_chars
    notation = Notation(parameters.thousands, parameters.decimal, parameters.percent == "fraction")
    number_in = _extractor(parameters, NumberReader(notation))
    near = within_tolerance(parameters.absolute, parameters.relative)

    def stated(case: Case) -> Json:
        return number_in(within_length(text_of(case), longest, "output"))

    def compare(number: Json, expected: Json) -> Grade:
        grade = near(number, expected)
        return grade._replace(details={"number": f"{number:f}", **(grade.details or {})})

    return scored_against(parameters, NUMBER, stated, compare, unprepared)


def _extractor(parameters: ExtractedNumberParameters, reader: NumberReader) -> Callable[[str], Decimal]:
    """Return a function that takes the number out of a text, or ends the scorer with a fail."""
    if parameters.pattern is not None:
        return _from_group(parameters, parameters.pattern, reader)
    take = parameters.take

    def number_in(text: str) -> Decimal:
        numbers = reader.all_in(text)
        if not numbers:
            raise EarlyOutcome(_NO_NUMBER)
        if take == "only" and len(numbers) > 1:
            raise EarlyOutcome(failed(f"The output text states {len(numbers)} numbers; exactly one is taken."))
        return numbers[0] if take == "first" else numbers[-1]

    return number_in


def _from_group(parameters: ExtractedNumberParameters, pattern: str, reader: NumberReader) -> Callable[[str], Decimal]:
    compiled = compile_pattern(
        pattern, timeout_ms=parameters.match_timeout_ms, max_input_chars=parameters.max_input_chars
    )

    def number_in(text: str) -> Decimal:
        captured = compiled.first_group(text, 1)
        if captured is None:
            raise EarlyOutcome(_NO_MATCH)
        number = reader.whole(captured)
        if number is None:
            raise EarlyOutcome(_NO_NUMBER_IN_GROUP)
        return number

    return number_in
