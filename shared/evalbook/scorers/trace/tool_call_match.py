"""tool_call_match (S-10): the named tool was called with arguments that satisfy every rule."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.patterns import PatternLimits
from evalbook.scorers.trace._argument_rules import ToolParam, first_broken_rule, rule_problems, rule_warnings
from evalbook.scorers.trace._calls import fail_if_forbidden, kept_arguments, tool_calls
from evalbook.traces.wire import read_trace

ToolName = Annotated[str, Field(min_length=1)]

_NEEDED = {"any": "one or more", "all": "every call, and at least one", "exactly_one": "exactly one"}


class ToolCallMatchParameters(PatternLimits):
    """Which tool must be called, how and how often, and which others must not be."""

    tool: ToolName = Field(description="The tool's own name, compared exactly.")
    tool_params: list[ToolParam] = Field(default_factory=list, description="What the arguments of a call must be like.")
    occurrence: Literal["any", "all", "exactly_one"] = Field(
        "any", description="Some call satisfies the rules; every call, and at least one; exactly one."
    )
    forbidden_tools: list[ToolName] = Field(default_factory=list, description="Tools that must not be called.")

    @classmethod
    def reads_arguments(cls, raw: Mapping[str, Json]) -> bool:
        """Whether there are rules on arguments."""
        return bool(raw.get("tool_params"))

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse rules without the value that they need, and a tool that is both asked for and forbidden."""
        yield from rule_problems(raw.get("tool_params"))
        forbidden = raw.get("forbidden_tools")
        for index, name in enumerate(forbidden if isinstance(forbidden, list) else ()):
            if name == raw.get("tool"):
                yield Problem(f"/forbidden_tools/{index}", "is the tool that is asked for")

    def warnings(self) -> Iterable[Problem]:
        """Warn of patterns that can run into their time limit on a long argument."""
        return rule_warnings(self.tool_params)


@scorer(parameters=ToolCallMatchParameters, needs=(Need.TRACE,))
def tool_call_match(parameters: ToolCallMatchParameters) -> ScoreFunction:
    """Passes when the named tool was called with arguments that satisfy every rule."""
    tool, occurrence, forbidden = parameters.tool, parameters.occurrence, frozenset(parameters.forbidden_tools)
    broken_rule = first_broken_rule(parameters.tool_params, parameters) if parameters.tool_params else None

    def score(case: Case) -> Grade:
        calls = tool_calls(read_trace(case))
        fail_if_forbidden(calls, forbidden)
        named = [call for call in calls if call.name == tool]
        if broken_rule is None:
            return _graded(occurrence, [None] * len(named))
        return _graded(occurrence, [broken_rule(arguments) for arguments in kept_arguments(named)])

    return score


def _graded(occurrence: str, broken: Sequence[int | None]) -> Grade:
    """Grade calls, each by the rule that it breaks first, None for none."""
    satisfying, count = broken.count(None), len(broken)
    explanation = f"{satisfying} of {count} calls of the tool satisfy every rule; needed is {_NEEDED[occurrence]}."
    enough = {"any": satisfying > 0, "all": satisfying == count > 0, "exactly_one": satisfying == 1}
    if enough[occurrence]:
        return passed(explanation)
    rules = sorted({rule for rule in broken if rule is not None})
    return failed(explanation + (f" Broken first: rule {', '.join(map(str, rules))}." if rules else ""))
