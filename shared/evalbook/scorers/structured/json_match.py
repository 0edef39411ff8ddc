"""json_match (X-04): the output has enough of the expected value's leaves, and nothing that it must not have."""

from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Final

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, Outcome, failed, passed
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import scored_against
from evalbook.scorer_kit.parsing import parsed_output_reader
from evalbook.scorer_kit.reading import ANYTHING
from evalbook.scorers.structured._leaves import Node
from evalbook.scorers.structured._match_parameters import JsonMatchParameters, expected_tree, tree_builder
from evalbook.scorers.structured._matching import LeafMatcher, Match, Near
from evalbook.scorers.structured._near import within_tolerance

_MAX_POINTERS: Final = 20


@scorer(parameters=JsonMatchParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def json_match(parameters: JsonMatchParameters) -> ScoreFunction:
    """Passes when the output has enough of the expected value's leaves, by weight, and nothing forbidden."""
    matcher = LeafMatcher(parameters.lists, parameters.additional_fields, _near(parameters))
    output_of, builder = parsed_output_reader(parameters, ANYTHING), tree_builder(parameters)

    def compare(output: Node, expected: Node) -> Grade:
        return _graded(matcher.match(expected, output), parameters.threshold)

    def tree_of(case: Case) -> Node:
        return builder.tree(output_of(case))

    return scored_against(parameters, ANYTHING, tree_of, compare, expected_tree(parameters))


def _near(parameters: JsonMatchParameters) -> Near | None:
    if parameters.tolerance is None:
        return None
    compare = within_tolerance(parameters.tolerance.absolute, parameters.tolerance.relative)

    def near(output: Json, expected: Json) -> bool:
        return compare(output, expected).outcome is Outcome.PASS

    return near


def _graded(match: Match, threshold: Decimal) -> Grade:
    """Grade a comparison; the share is compared with the threshold exactly."""
    count = sum(1 for _ in match.places())
    # In a subset, all that is compared may weigh nothing.
    share = match.matched / match.total if match.total else 0.0
    explanation = f"The output has {share:.4f} of the expected leaves, by weight; {count} places differ"
    if match.forbidden:
        explanation += f", {match.forbidden} of them by a field or an element that is not expected"
    shown = [format_pointer(place) for place in islice(match.places(), _MAX_POINTERS)]
    details = {"differing": shown, "count": count} if count else None
    if not match.forbidden and match.matched >= Fraction(threshold) * max(match.total, 1):
        return passed(explanation + ".", score=share, details=details)
    return failed(explanation + ".", score=share, details=details)
