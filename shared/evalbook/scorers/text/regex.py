"""regex (S-04, X-13): the output matches a pattern, as a whole, anywhere (and how often), or nowhere."""

from collections.abc import Callable, Mapping

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import EarlyOutcome, Grade, failed, passed
from evalbook.scorer_kit.accepted import scored_against
from evalbook.scorer_kit.patterns import ScoringPattern, compile_pattern
from evalbook.scorer_kit.reading import STRING, Read, output_reader
from evalbook.scorer_kit.text_options import normalizer
from evalbook.scorers.text._regex_parameters import RegexParameters, mode_of

_ANSWERS: Mapping[str, tuple[Grade, Grade]] = {
    "match": (passed("The pattern is found in the output."), failed("The pattern is not found in the output.")),
    "full_match": (passed("The pattern matches the output."), failed("The pattern does not match the whole output.")),
    "no_match": (failed("The pattern is found in the output."), passed("The pattern is not found in the output.")),
}
_NOTHING_CAPTURED = failed("The pattern is not found in the output, or the group took no part in the first match.")
_EQUAL = passed("The group captured the expected text.")


@scorer(parameters=RegexParameters, needs=(Need.OUTPUT,))
def regex(parameters: RegexParameters) -> ScoreFunction:
    """Passes when the output matches a pattern: anywhere, as a whole, or nowhere; or a group captures what it must."""
    output_of = output_reader(parameters, STRING)
    pattern = compile_pattern(
        parameters.pattern,
        flags=frozenset(parameters.flags),
        mode=mode_of(parameters.mode),
        timeout_ms=parameters.match_timeout_ms,
        max_input_chars=parameters.max_input_chars,
    )
    grade = _counter(parameters, pattern) or _finder(parameters, pattern)
    if parameters.group is not None:
        return _captured(parameters, pattern, output_of, grade)
    return lambda case: grade(output_of(case))


def _finder(parameters: RegexParameters, pattern: ScoringPattern) -> Callable[[str], Grade]:
    when_found, otherwise = _ANSWERS[parameters.mode]
    return lambda text: when_found if pattern.matches(text) else otherwise


def _counter(parameters: RegexParameters, pattern: ScoringPattern) -> Callable[[str], Grade] | None:
    """Return a function that grades by how often the pattern is found; None where the version does not say."""
    least, most = parameters.minimum_matches or 1, parameters.maximum_matches
    if most is None and parameters.minimum_matches is None:
        return None
    bounds = f"{least} or more" if most is None else f"{least} to {most}"

    def grade(text: str) -> Grade:
        count = pattern.count(text)
        explanation = f"The pattern is found {count} times in the output; allowed are {bounds}."
        return passed(explanation) if count >= least and (most is None or count <= most) else failed(explanation)

    return grade


def _captured(
    parameters: RegexParameters, pattern: ScoringPattern, output_of: Read, grade: Callable[[str], Grade]
) -> ScoreFunction:
    normalized, group = normalizer(parameters), parameters.group or 0

    def captured_in(case: Case) -> str:
        text = output_of(case)
        if (ending := grade(text)).code is None and not ending.score:
            raise EarlyOutcome(ending)
        if (found := pattern.first_group(text, group)) is None:
            raise EarlyOutcome(_NOTHING_CAPTURED)
        return normalized(found)

    def compare(found: str, expected: str) -> Grade:
        lengths = f"it has {len(found)} characters, the expected text {len(expected)}"
        return _EQUAL if found == expected else failed(f"The group captured another text: {lengths}.")

    return scored_against(parameters, STRING, captured_in, compare, normalized)
