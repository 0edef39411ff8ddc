"""smolagents' memory: steps with the calls that were run in them; an agent that writes code hides its calls in it."""

from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import Gaps, WireTrace
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._paths import at
from evalbook.traces.formats._rules import Dialect, Each, End, Ending, MessageCall, MessageVocabulary, Speech, only

_CALL: Final = MessageCall(
    name=("function/name",),
    arguments=("function/arguments",),
    ends=End.RAN,
    endings=(Ending("failed", End.FAILED),),
    skip=frozenset({"final_answer"}),
)
_STEP: Final = Each(
    path="tool_calls",
    parts=only(_CALL),
    members=frozenset(
        [
            "step_number",
            "timing",
            "model_input_messages",
            "model_output",
            "model_output_message",
            "observations",
            "observations_images",
            "action_output",
            "code_action",
            "error",
            "is_final_answer",
            "token_usage",
            "step",
        ]
    ),
)
_PLAIN: Final = Speech(anything=True)
_DIALECT: Final = Dialect(
    alone=False,
    containers=("steps", "memory/steps"),
    around=frozenset({"system_prompt"}),
    items=MessageVocabulary(key="step", rules={"action": (_STEP,), "other": (_PLAIN,)}),
)


def _read(document: Json) -> WireTrace:
    """The trace of *document*, whose steps say what they are by their members."""
    steps = document.get("steps") if type(document) is dict else document
    named = [_named(step) for step in steps] if type(steps) is list else document
    gaps = Gaps()
    for index, step in enumerate(named if type(named) is list else []):
        if type(step) is dict and _hides_calls(step):
            gaps.add(f"/{index}", "runs code, and the calls that the code makes are not recorded")
    return read_messages(named, _DIALECT, found=gaps)


def _named(step: Json) -> Json:
    if type(step) is not dict:
        return step
    if "step_number" in step or "tool_calls" in step:
        failed = {"failed": True} if step.get("error") is not None else {}
        calls = step.get("tool_calls")
        with_end = (
            [{**call, **failed} if type(call) is dict else call for call in calls] if type(calls) is list else calls
        )
        return {**step, "step": "action", "tool_calls": with_end}
    is_plain = step.keys() & {"task", "plan", "system_prompt", "facts", "final_answer", "output"}
    return {**step, "step": "other"} if is_plain else step


def _hides_calls(step: dict[str, Json]) -> bool:
    calls = step.get("tool_calls")
    names = [at(call, "function/name") for call in calls] if type(calls) is list else []
    return bool(step.get("code_action")) or "python_interpreter" in names


FORMAT: Final = Format(
    name="smolagents",
    title="smolagents memory steps",
    tools="smolagents, memory steps",
    reads="calls of tool-calling agents, the failure of the step",
    unread="calls that a code agent's code makes (incomplete)",
    setting="",
    family="events",
    marks=(
        FormatMark(view="item", has=("step_number", "timing")),
        FormatMark(view="item", has=("step_number", "tool_calls")),
    ),
    read=_read,
    rank=7,
    by_line=True,
)
