"""What of a case a judge is shown, and the texts that stand in its fences."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code
from evalbook.jsonio.values import ABSENT, Json

CONTENT_NAMES: Final = ("input", "output", "expected")
PLACEHOLDER_NAMES: Final = (*CONTENT_NAMES, "rubric")
PLACEHOLDER: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def fenced_contents(template: str, case: Case) -> Mapping[str, str]:
    """Give the text of each part of *case* that *template* shows, by its name; absent parts are left out."""
    shown = set(PLACEHOLDER.findall(template))
    values = {name: getattr(case, name) for name in CONTENT_NAMES if name in shown}
    return {name: as_text(value) for name, value in values.items() if value is not ABSENT}


def content_missing(template: str, case: Case) -> Code | None:
    """Say why a judge with *template* cannot be asked about *case*, or None where it can.

    The output must be recorded; what *template* shows must not still be held in the case's stored trace.
    """
    held = (case.refs or {}).keys() & set(PLACEHOLDER.findall(template))
    if any(getattr(case, name) is ABSENT for name in held):
        return Code.CONTENT_UNAVAILABLE
    return Code.OUTPUT_UNAVAILABLE if case.output is ABSENT else None


def as_text(value: Json) -> str:
    """Give a text as it is, and any other JSON value as indented JSON with sorted names and numbers as written."""
    return value if isinstance(value, str) else _json(value, "\n")


def _json(value: Json, line: str) -> str:
    inner = line + "  "
    if isinstance(value, dict) and value:
        members = (f"{_json(name, inner)}: {_json(value[name], inner)}" for name in sorted(value))
        return "{" + inner + f",{inner}".join(members) + line + "}"
    if isinstance(value, list) and value:
        return "[" + inner + f",{inner}".join(_json(item, inner) for item in value) + line + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
