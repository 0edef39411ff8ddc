"""Several calls asked for at once: each entry says which call, and how many distinct ones there must be."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Parameters, Whole
from evalbook.domain.span import Span
from evalbook.jsonio.pointer import parse_pointer
from evalbook.jsonio.values import Json, is_number
from evalbook.scorer_kit.pairing import maximum_matching
from evalbook.scorers.trace._argument_rules import Broken, ToolParam, rule_problems, rule_warnings
from evalbook.scorers.trace._calls import kept_arguments

MAX_SLOTS: Final = 1_000
_MAX_LISTED: Final = 100

Status = Literal["ok", "error", "any"]


class CallEntry(Parameters):
    """One kind of call that must be there."""

    tool: Annotated[str, Field(min_length=1)] = Field(description="The tool's own name, compared exactly.")
    tool_params: list[ToolParam] = Field(default_factory=list, description="What its arguments must be like.")
    exact_arguments: bool = Field(default=False, description="Whether an argument that no rule names is one too many.")
    status: Status = Field("any", description="How the call must have ended: without error, in error, or either.")
    minimum: Whole = Field(1, ge=0, le=MAX_SLOTS, description="So many distinct calls are paired with the entry.")
    maximum: Whole | None = Field(None, ge=0, description="At most so many calls satisfy it.")

    @property
    def has_argument_rules(self) -> bool:
        """Whether its calls' arguments are read."""
        return bool(self.tool_params) or self.exact_arguments


def entry_problems(entries: Json) -> Iterator[Problem]:
    """Name what is wrong with *entries*, which may be anything at all, beyond single fields."""
    slots = 0
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict):
            yield from rule_problems(entry.get("tool_params"), f"/calls/{index}/tool_params")
            yield from _bound_problems(entry, f"/calls/{index}")
            least = entry.get("minimum", 1)
            slots += int(least) if is_number(least) and least > 0 else 0
    if slots > MAX_SLOTS:
        yield Problem("/calls", f"asks for {slots} calls; at most {MAX_SLOTS} are paired")


def entry_warnings(entries: Sequence[CallEntry]) -> Iterator[Problem]:
    """Name what is accepted in the patterns of *entries* and yet worth knowing."""
    for index, entry in enumerate(entries):
        yield from rule_warnings(entry.tool_params, f"/calls/{index}/tool_params")


def _bound_problems(entry: Mapping[str, Json], pointer: str) -> Iterator[Problem]:
    least, most = entry.get("minimum", 1), entry.get("maximum")
    if most is None and is_number(least) and not least:
        yield Problem(f"{pointer}/minimum", "would pass everything with 0 and no maximum: give a maximum")
    if is_number(least) and is_number(most) and most < least:
        yield Problem(f"{pointer}/maximum", "must not be below minimum")


def _satisfying(entry: CallEntry, broken: Broken, calls: Sequence[Span]) -> list[int]:
    """Return the indices of *calls* that satisfy *entry*; end the scorer where arguments that it reads are not kept."""
    named = [place for place, call in enumerate(calls) if call.name == entry.tool and _ended(call, entry.status)]
    if not entry.has_argument_rules:
        return named
    kept = zip(named, kept_arguments([calls[place] for place in named]), strict=True)
    return [place for place, arguments in kept if broken(arguments) is None and _named_all(entry, arguments)]


def _named_all(entry: CallEntry, arguments: Mapping[str, Json]) -> bool:
    paths = [parse_pointer(rule.path) for rule in entry.tool_params]
    return not entry.exact_arguments or not all(paths) or arguments.keys() <= {path[0] for path in paths}


def _ended(call: Span, status: Status) -> bool:
    return {"any": True, "error": call.errored, "ok": call.ended and not call.errored}[status]


def graded_entries(entries: Sequence[tuple[CallEntry, Broken]], calls: Sequence[Span]) -> Grade:
    """Grade *calls*: each entry has its minimum of calls of its own, and none has more than its maximum."""
    options = [_satisfying(entry, broken, calls) for entry, broken in entries]
    slots = [index for index, (entry, _) in enumerate(entries) for _ in range(entry.minimum)]
    partners = maximum_matching([options[index] for index in slots], len(calls))
    short = {index for index, partner in zip(slots, partners, strict=True) if partner is None}
    over = {index for index, (entry, _) in enumerate(entries) if _exceeds(entry.maximum, len(options[index]))}
    held = len(entries) - len(short | over)
    explanation = f"{held} of {len(entries)} entries of calls hold, over {len(calls)} recorded calls."
    for indices, words in ((short, "Too few calls of their own"), (over, "Too many calls")):
        explanation += f" {words}: entry {', '.join(map(str, sorted(indices)))}." if indices else ""
    paired = [{"entry": index, "call": partner} for index, partner in zip(slots, partners, strict=True)]
    details = {"paired": [each for each in paired if each["call"] is not None][:_MAX_LISTED]}
    if held == len(entries):
        return passed(explanation, details=details)
    return failed(explanation, score=held / len(entries), details=details)


def _exceeds(most: int | None, count: int) -> bool:
    return most is not None and count > most
