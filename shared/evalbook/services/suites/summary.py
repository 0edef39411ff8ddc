"""What a suite's run came to: results counted by scorer, pass rates with their intervals, and the gates."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Final

from evalbook.calibration.figures import Undefined
from evalbook.calibration.rates import wilson
from evalbook.domain.outcome import Outcome

DECIDED: Final = (Outcome.PASS.value, Outcome.FAIL.value)


@dataclass(slots=True)
class ScorerSummary:
    """The results of one scorer, counted; whatever neither passed nor failed by its code."""

    name: str
    outcomes: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: str, code: str | None) -> None:
        """Count one result."""
        self.outcomes[outcome] += 1
        if outcome not in DECIDED:
            self.codes[code or outcome] += 1

    @property
    def cases(self) -> int:
        """How many results there are."""
        return self.outcomes.total()

    @property
    def passed(self) -> int:
        """How many passed."""
        return self.outcomes[Outcome.PASS]

    @property
    def failed(self) -> int:
        """How many failed."""
        return self.outcomes[Outcome.FAIL]

    @property
    def pass_rate(self) -> float | None:
        """The share of all cases that passed: one that could not be decided has not passed; None without a case."""
        return self.passed / self.cases if self.cases else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval of the pass rate."""
        found = wilson(self.passed, self.cases)
        return None if isinstance(found, Undefined) else found

    def as_json(self) -> dict[str, object]:
        """Return the summary as JSON members."""
        return {
            "scorer": self.name,
            "cases": self.cases,
            "pass": self.passed,
            "fail": self.failed,
            "others": dict(sorted(self.codes.items())),
            "pass_rate": self.pass_rate,
            "pass_rate_wilson95": self.interval,
        }


@dataclass(frozen=True, slots=True)
class Gates:
    """What a run has to reach: least pass rates, for all scorers or by name, and outcomes that must not occur."""

    least: Decimal | None = None
    by_name: Mapping[str, Decimal] = field(default_factory=dict)
    outcomes: frozenset[str] = frozenset()

    def failures(self, summaries: Iterable[ScorerSummary]) -> Iterator[str]:
        """Say which gates do not hold, without payload."""
        for summary in summaries:
            least = self.by_name.get(summary.name, self.least)
            if least is not None and Fraction(summary.passed) < Fraction(least) * summary.cases:
                yield f"{summary.name}: {summary.passed} of {summary.cases} passed, below {least}"
            elif least is not None and not summary.cases:
                yield f"{summary.name}: no case was scored"
            for outcome in sorted(self.outcomes):
                if summary.outcomes[outcome]:
                    yield f"{summary.name}: {summary.outcomes[outcome]} of {summary.cases} cases are {outcome}"


def table(summaries: Sequence[ScorerSummary]) -> list[str]:
    """Return the lines of a table: a row a scorer, with its pass rate and interval."""
    width = max((len(summary.name) for summary in summaries), default=0)
    width = max(width, len("scorer"))
    lines = [f"{'scorer':{width}}  {'cases':>7} {'pass':>7} {'fail':>7} {'other':>7}  pass rate [95 % interval]"]
    for summary in summaries:
        other = summary.cases - summary.passed - summary.failed
        rate, interval = summary.pass_rate, summary.interval
        shown = "-" if rate is None or interval is None else f"{rate:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
        codes = ", ".join(f"{count} {code}" for code, count in summary.codes.most_common())
        row = f"{summary.name:{width}}  {summary.cases:7} {summary.passed:7} {summary.failed:7} {other:7}  {shown}"
        lines.append(row + (f"  {codes}" if codes else ""))
    return lines
