"""The two forms of tool_call_match, one tool or several calls, and the grade of the first."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.jsonio.values import Json

_NEEDED: Final = {"any": "one or more", "all": "every call, and at least one", "exactly_one": "exactly one"}
_OF_ONE_TOOL: Final = ("tool_params", "occurrence")


def ruled(raw: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Yield every part of the parameters *raw*, which may be anything at all, that may have rules on arguments."""
    yield raw
    calls = raw.get("calls")
    yield from (entry for entry in (calls if isinstance(calls, list) else ()) if isinstance(entry, dict))


def form_problems(raw: Mapping[str, Json]) -> Iterator[Problem]:
    """Name what does not fit together: both forms or none, and a tool that is both asked for and forbidden."""
    has_calls, has_tool = raw.get("calls") is not None, raw.get("tool") is not None
    if has_calls == has_tool:
        yield Problem("" if has_calls else "/tool", "exactly one of tool and calls is required")
    for name in _OF_ONE_TOOL if has_calls else ():
        if name in raw:
            yield Problem(f"/{name}", "belongs to tool; with calls each entry has rules of its own")
    asked = {entry.get("tool") for entry in ruled(raw) if isinstance(entry.get("tool"), str)}
    forbidden = raw.get("forbidden_tools")
    for index, name in enumerate(forbidden if isinstance(forbidden, list) else ()):
        if isinstance(name, str) and name in asked:
            yield Problem(f"/forbidden_tools/{index}", "is the tool that is asked for")


def graded(occurrence: str, broken: Sequence[int | None]) -> Grade:
    """Grade calls of one tool, each by the rule that it breaks first, None for none."""
    satisfying, count = broken.count(None), len(broken)
    explanation = f"{satisfying} of {count} calls of the tool satisfy every rule; needed is {_NEEDED[occurrence]}."
    enough = {"any": satisfying > 0, "all": satisfying == count > 0, "exactly_one": satisfying == 1}
    if enough[occurrence]:
        return passed(explanation)
    rules = sorted({rule for rule in broken if rule is not None})
    return failed(explanation + (f" Broken first: rule {', '.join(map(str, rules))}." if rules else ""))
