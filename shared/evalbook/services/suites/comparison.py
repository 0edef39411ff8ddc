"""Two runs compared, scorer by scorer: what got better or worse, what is no longer decided, and by chance or not."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from evalbook.calibration.figures import Undefined
from evalbook.calibration.rates import mcnemar_exact, wilson


class ScoredCase(NamedTuple):
    """What a run said of one case: outcome and code."""

    outcome: str
    code: str | None


Run = Mapping[str, Mapping[str, ScoredCase]]
"""A run's results: scorer → case id → what it said."""


class ChangedCase(NamedTuple):
    """A case whose result differs: before and after; None where a run has no result."""

    case_id: str
    before: ScoredCase | None
    after: ScoredCase | None


@dataclass(slots=True)
class ScorerComparison:
    """One scorer's results in two runs."""

    name: str
    both_passed: int = 0
    both_failed: int = 0
    better: list[ChangedCase] = field(default_factory=list)
    worse: list[ChangedCase] = field(default_factory=list)
    newly_undecided: list[ChangedCase] = field(default_factory=list)
    newly_decided: list[ChangedCase] = field(default_factory=list)
    code_changed: list[ChangedCase] = field(default_factory=list)
    missing: list[ChangedCase] = field(default_factory=list)
    added: list[ChangedCase] = field(default_factory=list)

    @property
    def has_regressed(self) -> bool:
        """Whether a case that passed fails, was decided and no longer is, or is missing."""
        return bool(self.worse or self.newly_undecided or self.missing)

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON members; rates and test are over the cases that both runs decided."""
        decided = self.both_passed + self.both_failed + len(self.better) + len(self.worse)
        found = paired_difference(self.both_passed, len(self.better), len(self.worse), self.both_failed)
        return {
            "scorer": self.name,
            "decided_in_both": decided,
            "pass_before": self.both_passed + len(self.worse),
            "pass_after": self.both_passed + len(self.better),
            "difference": None if found is None else found[0],
            "difference_newcombe95": None if found is None else found[1:],
            "mcnemar_exact_p": mcnemar_exact(len(self.worse), len(self.better)) if decided else None,
            "regressed": self.has_regressed,
            **{name: [_shown(each) for each in getattr(self, name)] for name in _LISTS},
        }


_MAX_TOLD = 100
_LISTS = ("better", "worse", "newly_undecided", "newly_decided", "code_changed", "missing", "added")


def _shown(change: ChangedCase) -> dict[str, object]:
    sides = {"before": change.before, "after": change.after}
    return {"case_id": change.case_id, **{name: side and side._asdict() for name, side in sides.items()}}


def compare(before: Run, after: Run) -> Iterator[ScorerComparison]:
    """Yield a comparison for each scorer of either run, by name."""
    for name in sorted(before.keys() | after.keys()):
        yield _compared(name, before.get(name, {}), after.get(name, {}))


def _compared(name: str, before: Mapping[str, ScoredCase], after: Mapping[str, ScoredCase]) -> ScorerComparison:
    comparison = ScorerComparison(name)
    for case_id in (*before, *(each for each in after if each not in before)):
        _sort(comparison, ChangedCase(case_id, before.get(case_id), after.get(case_id)))
    return comparison


def _sort(comparison: ScorerComparison, change: ChangedCase) -> None:
    before, after = change.before, change.after
    if before is None or after is None:
        (comparison.added if before is None else comparison.missing).append(change)
        return
    match before.outcome, after.outcome:
        case "pass", "pass":
            comparison.both_passed += 1
        case "fail", "fail":
            comparison.both_failed += 1
        case "fail", "pass":
            comparison.better.append(change)
        case "pass", "fail":
            comparison.worse.append(change)
        case (("pass" | "fail"), _):
            comparison.newly_undecided.append(change)
        case _, ("pass" | "fail"):
            comparison.newly_decided.append(change)
        case _ if before != after:
            comparison.code_changed.append(change)


def paired_difference(both: int, better: int, worse: int, neither: int) -> tuple[float, float, float] | None:
    """Return the difference of two paired pass rates, after less before, and its 95 % interval; None without a case.

    Newcombe's square-and-add interval for paired proportions, with the continuity correction of the correlation
    (Statistics in Medicine 17, 1998, method 10).
    """
    n = both + better + worse + neither
    after, before = wilson(both + better, n), wilson(both + worse, n)
    if isinstance(after, Undefined) or isinstance(before, Undefined):
        return None
    p_after, p_before = (both + better) / n, (both + worse) / n
    phi = _correlation(both, better, worse, neither)
    low = _reach(p_after - after[0], before[1] - p_before, phi)
    high = _reach(after[1] - p_after, p_before - before[0], phi)
    difference = p_after - p_before
    return difference, max(-1.0, difference - low), min(1.0, difference + high)


def _reach(one: float, two: float, phi: float) -> float:
    return sqrt(max(0.0, one**2 - 2 * phi * one * two + two**2))


def _correlation(both: int, better: int, worse: int, neither: int) -> float:
    margins = (both + better) * (worse + neither) * (both + worse) * (better + neither)
    if not margins:
        return 0.0
    product, n = both * neither - better * worse, both + better + worse + neither
    return (max(product - n / 2, 0.0) if product > 0 else product) / sqrt(margins)


def collect(results: Iterable[tuple[str, str, ScoredCase]]) -> dict[str, dict[str, ScoredCase]]:
    """Return *results*, of scorer, case id and what was said, as a run; the last of a case stands."""
    run: dict[str, dict[str, ScoredCase]] = {}
    for name, case_id, said in results:
        run.setdefault(name, {})[case_id] = said
    return run


def table(comparisons: Iterable[ScorerComparison]) -> Iterator[str]:
    """Yield the lines of a table, and under it the cases that got worse or are no longer decided."""
    found = list(comparisons)
    width = max((len(each.name) for each in found), default=0)
    width = max(width, len("scorer"))
    yield f"{'scorer':{width}}  {'better':>7} {'worse':>7} {'undecided':>9} {'missing':>7}  difference [95 % interval]"
    for each in found:
        read = each.as_json()
        interval, p = read["difference_newcombe95"], read["mcnemar_exact_p"]
        shown = f"{read['difference']:+.3f} [{interval[0]:+.3f}, {interval[1]:+.3f}] p = {p:.4f}" if interval else "-"
        counts = f"{len(each.better):7} {len(each.worse):7} {len(each.newly_undecided):9} {len(each.missing):7}"
        yield f"{each.name:{width}}  {counts}  {shown}"
    for each in found:
        for change in (*each.worse, *each.newly_undecided, *each.missing)[:_MAX_TOLD]:
            yield f"{each.name}: {change.case_id}: {_said(change.before)} -> {_said(change.after)}"


def _said(case: ScoredCase | None) -> str:
    return "missing" if case is None else f"{case.outcome} {case.code}" if case.code else case.outcome
