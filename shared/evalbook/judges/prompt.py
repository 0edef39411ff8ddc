"""The messages of one judge request."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evalbook.domain.case import Case
from evalbook.judges.content import PLACEHOLDER, fenced_contents
from evalbook.judges.rubric import Rubric
from evalbook.judges.system_prompt import closing, opening, system_prompt
from evalbook.judges.version import JudgeParameters

_ABSENT_WORDS: Final = {"expected": "expected value"}
_BOUNDARY: Final = re.compile(r"[0-9a-f]{32,128}")


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat completion."""

    role: Literal["system", "user"]
    content: str


def boundary_is_free(boundary: str, contents: Iterable[str]) -> bool:
    """Whether none of *contents* holds *boundary*, in either letter case; draw another one where it is not free.

    The caller draws it from a cryptographic source: at least 32 lower-case hexadecimal digits, which is 128 bits.
    """
    return not any(boundary in text.lower() for text in contents)


def build_messages(
    parameters: JudgeParameters, case: Case, *, boundary: str, rubric: Rubric | None = None
) -> tuple[ChatMessage, ChatMessage]:
    """Give the system and the user message that ask for one judgement of *case*.

    The template is read once, so nothing that a case or a rubric holds is ever taken for a placeholder. Raises
    `ValueError` where *boundary* is too short or not free, or where the rubric that the version names is not given.
    """
    contents = fenced_contents(parameters.prompt_template, case)
    if not _BOUNDARY.fullmatch(boundary) or not boundary_is_free(boundary, contents.values()):
        raise ValueError("the boundary must be 32 to 128 hexadecimal digits that no content holds")
    if (rubric is None) != (parameters.rubric is None):
        raise ValueError("a rubric belongs to a version that names one, and to no other")
    texts = {name: _fence(name, text, boundary) for name, text in contents.items()}
    if rubric is not None:
        texts["rubric"] = rubric.text()
    return (
        ChatMessage("system", system_prompt(parameters, boundary)),
        ChatMessage("user", _filled(parameters.prompt_template, texts)),
    )


def _filled(template: str, texts: Mapping[str, str]) -> str:
    def text_of(match: re.Match[str]) -> str:
        name = match.group(1)
        return texts.get(name, f"(The case records no {_ABSENT_WORDS.get(name, name)}.)")

    return PLACEHOLDER.sub(text_of, template)


def _fence(name: str, text: str, boundary: str) -> str:
    return f"{opening(name, boundary)}\n{text}\n{closing(name, boundary)}"
