"""What the emulator's policy check calls by another name than AWS does."""

from typing import Any, Final

_ALSO_NAMED: Final = {"sqs:SendMessage": "sqs:SendMessageBatch"}
"""On AWS the first permission covers the second call; the emulator asks for one of its own."""


def with_emulated_names(value: Any) -> Any:
    """Return a copy of a template (or a part of it) in which each such permission stands under both names."""
    if isinstance(value, dict):
        return {
            name: _named_twice(member) if name == "Action" else with_emulated_names(member)
            for name, member in value.items()
        }
    return [with_emulated_names(element) for element in value] if isinstance(value, list) else value


def _named_twice(action: Any) -> Any:
    actions = [action] if isinstance(action, str) else action
    added = [_ALSO_NAMED[each] for each in actions if isinstance(each, str) and each in _ALSO_NAMED]
    return [*actions, *added] if added else action
