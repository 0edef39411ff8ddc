"""Pairing the calls of a run with those of its reference, and grading the share that the mode asks for."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import Field

from evalbook.domain.outcome import Code, EarlyOutcome, Grade, failed, passed, unsupported
from evalbook.domain.span import Span
from evalbook.jsonio.canonical import EXACT, canonical_json
from evalbook.jsonio.equality import json_equal
from evalbook.jsonio.values import ABSENT, Absent
from evalbook.scorer_kit.pairing import (
    Pairs,
    longest_common_subsequence,
    longest_increasing_pairing,
    maximum_matching,
)
from evalbook.scorers.trace._reference import Arguments, ReferenceCall

_MODES: Final = (
    "exact: the same calls, in the same order, no others; in_order: the reference's calls in their order, others in "
    "between; unordered: the same calls in any order, no others; superset: all calls of the reference, others too; "
    "subset: no call outside the reference."
)
_ARGUMENTS: Final = (
    "exact: equal arguments; subset: each argument of the reference, others too; ignore: names alone. A reference call "
    "without arguments compares its name alone."
)
Mode = Annotated[Literal["exact", "in_order", "unordered", "superset", "subset"], Field(description=_MODES)]
ArgumentsMode = Annotated[Literal["exact", "subset", "ignore"], Field(description=_ARGUMENTS)]

_MAX_LISTED: Final = 100
_MEASURES: Final = {"in_order": "Recall", "superset": "Recall", "subset": "Precision"}
_ORDERED: Final = frozenset({"exact", "in_order"})


@dataclass(frozen=True, slots=True)
class CallComparison:
    """How calls are compared: which order and which arguments count."""

    mode: Mode
    arguments: ArgumentsMode
    prune: Callable[[Arguments], Arguments]

    def pairs(self, reference: Sequence[ReferenceCall], calls: Sequence[Span]) -> Pairs:
        """Return as many pairs of indices (reference, call) as there can be, by the reference's order.

        Where order counts, both indices rise. *calls* have their arguments wherever they are compared.
        """
        ordered = self.mode in _ORDERED
        if self.arguments == "subset" or (self.arguments == "exact" and any(_open(each) for each in reference)):
            return self._fitting(reference, calls, ordered=ordered)
        left = [self._key(each) for each in reference]
        right = [self._key(each) for each in calls]
        return longest_common_subsequence(left, right) if ordered else _same(left, right)

    def need_arguments(self, reference: Sequence[ReferenceCall], calls: Sequence[Span]) -> None:
        """End the scorer where a call of *calls* has no arguments although those of the reference ask for them."""
        named = set() if self.arguments == "ignore" else {each.name for each in reference if not _open(each)}
        asked = [call for call in calls if call.name in named]
        lost = sum(call.arguments is ABSENT for call in asked)
        if lost:
            message = f"The arguments of {lost} of {len(asked)} calls that the reference asks for were not kept."
            raise EarlyOutcome(unsupported(Code.ARGUMENTS_UNAVAILABLE, message))

    def grade(self, pairs: Pairs, reference: Sequence[int], calls: Sequence[int], threshold: Decimal) -> Grade:
        """Grade *pairs* of the calls at these indices by recall, precision or F1, as the mode asks."""
        numerator, denominator = self._share(len(pairs), len(reference), len(calls))
        explanation = (
            f"{len(pairs)} of {len(reference)} reference calls are matched by {len(calls)} recorded calls, "
            f"{len(calls) - len(pairs)} of them extra. {_MEASURES.get(self.mode, 'F1')} "
        )
        details = _places(pairs, reference, calls)
        value = numerator / denominator
        if numerator >= EXACT.multiply(threshold, Decimal(denominator)):
            return passed(explanation + "meets the threshold.", score=value, details=details)
        return failed(explanation + "is below the threshold.", score=value, details=details)

    def _share(self, paired: int, reference: int, calls: int) -> tuple[int, int]:
        """Return recall, precision or F1 of *paired* calls as numerator and denominator, as the mode asks."""
        if reference == 0:
            return int(calls == 0), 1
        if self.mode in ("in_order", "superset"):
            return paired, reference
        if self.mode == "subset":
            return (paired, calls) if calls else (1, 1)
        return 2 * paired, reference + calls

    def _key(self, call: ReferenceCall | Span) -> Hashable:
        if self.arguments == "ignore" or call.arguments is ABSENT:
            return call.name
        return call.name, canonical_json(self.prune(call.arguments))

    def _fitting(self, reference: Sequence[ReferenceCall], calls: Sequence[Span], *, ordered: bool) -> Pairs:
        wanted = [(each.name, self._compared(each)) for each in reference]
        given = [(each.name, self._compared(each)) for each in calls]

        def fits(row: int, column: int) -> bool:
            (name, arguments), (called, found) = wanted[row], given[column]
            if name != called or arguments is ABSENT:
                return name == called
            return found is not ABSENT and self._holds(arguments, found)

        if ordered:
            return longest_increasing_pairing(len(wanted), len(given), fits)
        options = [[column for column in range(len(given)) if fits(row, column)] for row in range(len(wanted))]
        partners = enumerate(maximum_matching(options, len(given)))
        return [(row, column) for row, column in partners if column is not None]

    def _compared(self, call: ReferenceCall | Span) -> Arguments | Absent:
        return ABSENT if call.arguments is ABSENT else self.prune(call.arguments)

    def _holds(self, wanted: Arguments, given: Arguments) -> bool:
        if self.arguments == "exact":
            return json_equal(given, wanted)
        return all(name in given and json_equal(given[name], value) for name, value in wanted.items())


def _open(call: ReferenceCall) -> bool:
    return call.arguments is ABSENT


def _same(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairs:
    """Return pairs of equal elements, each element in one pair: equality makes any choice among equals the best one."""
    places: dict[Hashable, list[int]] = {}
    for place in range(len(right) - 1, -1, -1):
        places.setdefault(right[place], []).append(place)
    return [(index, places[each].pop()) for index, each in enumerate(left) if places.get(each)]


def _places(pairs: Pairs, reference: Sequence[int], calls: Sequence[int]) -> dict[str, list[object]]:
    """Return which calls are matched, missing and extra, by index; the first hundred of each."""
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    found: dict[str, list[object]] = {
        "matched": [{"reference": row, "call": column} for row, column in pairs],
        "missing": [row for row in reference if row not in rows],
        "extra": [column for column in calls if column not in columns],
    }
    return {name: places[:_MAX_LISTED] for name, places in found.items()}
