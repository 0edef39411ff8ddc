"""trajectory_match (X-01): the run's tool calls are those of a reference that comes with the case."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Final

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, passed
from evalbook.domain.parameters import NamesExpected, Pointer, PositiveShare
from evalbook.domain.span import Span
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorer_kit.reading import ARRAY, expected_problems
from evalbook.scorers.trace._calls import tool_calls
from evalbook.scorers.trace._comparison import ArgumentsMode, CallComparison, Mode
from evalbook.scorers.trace._reference import ReferenceCall, pruned, reference_reader
from evalbook.traces.wire import read_trace

ToolNames = list[Annotated[str, Field(min_length=1)]]
ArgumentPointer = Annotated[Pointer, Field(min_length=1)]

_NO_CALLS: Final = passed("The reference has no calls, and no call is recorded.")
_FAILED: Final = "Whether a call that ended in error can be a call of the reference; otherwise it is an extra one."
_THRESHOLD: Final = "The least score that passes: recall (in_order, superset), precision (subset) or F1."


class TrajectoryMatchParameters(NamesExpected):
    """How the calls of a run are compared with those of its reference, the expected value."""

    mode: Mode = "in_order"
    arguments: ArgumentsMode = "exact"
    ignore_arguments: list[ArgumentPointer] = Field(
        default_factory=list, description="Arguments that are left out on both sides."
    )
    only_tools: ToolNames | None = Field(None, min_length=1, description="Only calls of these count, on both sides.")
    ignore_tools: ToolNames = Field(default_factory=list, description="Calls of these do not count, on both sides.")
    count_failed: bool = Field(default=False, description=_FAILED)
    threshold: PositiveShare = Field(Decimal(1), description=_THRESHOLD)

    @classmethod
    def reads_arguments(cls, raw: Mapping[str, Json]) -> bool:
        """Whether arguments are compared."""
        return raw.get("arguments") != "ignore"

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse an expected value of another type, and tools that are both chosen and left out."""
        yield from expected_problems(raw, ARRAY)
        if raw.get("only_tools") and raw.get("ignore_tools"):
            yield Problem("/ignore_tools", "cannot stand beside only_tools: name the tools that count, or the others")


@scorer(parameters=TrajectoryMatchParameters, needs=(Need.EXPECTED, Need.TRACE))
def trajectory_match(parameters: TrajectoryMatchParameters) -> ScoreFunction:
    """Passes when the run's tool calls are those of a reference that comes with the case."""
    comparison = CallComparison(parameters.mode, parameters.arguments, pruned(parameters.ignore_arguments))
    reference_of, threshold, counts_failed = reference_reader(parameters), parameters.threshold, parameters.count_failed
    only, ignored = parameters.only_tools, frozenset(parameters.ignore_tools)

    def counts(call: ReferenceCall | Span) -> bool:
        return call.name not in ignored and (only is None or call.name in only)

    def score(case: Case) -> Grade:
        reference, trace = read_both(case, reference_of, read_trace)
        calls = tool_calls(trace)
        rows = [row for row, call in enumerate(reference) if counts(call)]
        columns = [column for column, call in enumerate(calls) if counts(call)]
        if not rows and not columns:
            return _NO_CALLS
        fit = [column for column in columns if counts_failed or not calls[column].errored]
        wanted, found = [reference[row] for row in rows], [calls[column] for column in fit]
        comparison.need_arguments(wanted, found)
        pairs = [(rows[row], fit[column]) for row, column in comparison.pairs(wanted, found)]
        return comparison.grade(pairs, rows, columns, threshold)

    return score
