"""tool_call_match (S-10, X-14): the named tool was called with arguments that satisfy every rule."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.patterns import PatternLimits
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorers.trace import _argument_rules as rules
from evalbook.scorers.trace._argument_rules import ToolParam, first_broken_rule
from evalbook.scorers.trace._call_entries import CallEntry, entry_problems, entry_warnings, graded_entries
from evalbook.scorers.trace._call_forms import form_problems, graded, ruled
from evalbook.scorers.trace._calls import fail_if_forbidden, kept_arguments, tool_calls
from evalbook.traces.wire import read_trace

ToolName = Annotated[str, Field(min_length=1)]


class ToolCallMatchParameters(PatternLimits):
    """Which tool must be called, how and how often, and which others must not be; or several calls at once."""

    tool: ToolName | None = Field(None, description="The tool's own name, compared exactly.")
    tool_params: list[ToolParam] = Field(default_factory=list, description="What the arguments of a call must be like.")
    occurrence: Literal["any", "all", "exactly_one"] = Field(
        "any", description="Some call satisfies the rules; every call, and at least one; exactly one."
    )
    calls: list[CallEntry] | None = Field(None, min_length=1, description="Instead of tool: several calls, each once.")
    forbidden_tools: list[ToolName] = Field(default_factory=list, description="Tools that must not be called.")

    @classmethod
    def reads_arguments(cls, raw: Mapping[str, Json]) -> bool:
        """Whether there are rules on arguments."""
        return any(each.get("tool_params") or each.get("exact_arguments") for each in ruled(raw))

    @classmethod
    def reads_expected(cls, raw: Mapping[str, Json]) -> bool:
        """Whether a rule takes its value from the case."""
        return any(rules.reads_expected(each.get("tool_params")) for each in ruled(raw))

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse both tool and calls, rules without their value, and tools both asked for and forbidden."""
        yield from form_problems(raw)
        yield from rules.rule_problems(raw.get("tool_params"))
        yield from entry_problems(raw.get("calls"))

    def warnings(self) -> Iterable[Problem]:
        """Warn of patterns that can run into their time limit on a long argument."""
        yield from rules.rule_warnings(self.tool_params)
        yield from entry_warnings(self.calls or ())


@scorer(parameters=ToolCallMatchParameters, needs=(Need.TRACE,))
def tool_call_match(parameters: ToolCallMatchParameters) -> ScoreFunction:
    """Passes when the named tool was called with arguments that satisfy every rule, or each of several calls was."""
    forbidden, entries = frozenset(parameters.forbidden_tools), parameters.calls or ()
    groups = [each.tool_params for each in entries] or [parameters.tool_params]
    binds = [first_broken_rule(group, parameters) for group in groups]

    def score(case: Case) -> Grade:
        broken, trace = read_both(case, lambda case: [bind(case) for bind in binds], read_trace)
        calls = tool_calls(trace)
        fail_if_forbidden(calls, forbidden.__contains__)
        if entries:
            return graded_entries(list(zip(entries, broken, strict=True)), calls)
        named = [call for call in calls if call.name == parameters.tool]
        if not parameters.tool_params:
            return graded(parameters.occurrence, [None] * len(named))
        return graded(parameters.occurrence, [broken[0](arguments) for arguments in kept_arguments(named)])

    return score
