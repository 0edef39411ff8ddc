"""The tables at the end of docs/traces.md, made from the formats: `python -m tests.unit.traces.formats.page FILE`."""

import sys
from pathlib import Path
from typing import Final

from evalbook.traces.formats.catalog import formats

HEADING: Final = "\n## The formats\n"
_GOLDENS: Final = "../tests/unit/traces/formats/goldens"


def page(written: str) -> str:
    """The page with everything before the heading as in *written*, and the tables after it made anew."""
    head = written.partition(HEADING)[0]
    return f"{head}{HEADING}\n{_formats()}\n### Settings that keep arguments\n\n{_settings()}"


def _formats() -> str:
    lines = [
        "| format | what it is | written for | read | not read | golden |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in formats().values():
        cells = [f"`{one.name}`", one.title, one.tools, one.reads, one.unread, f"[file]({_GOLDENS}/{one.name}.json)"]
        lines.append(f"| {' | '.join(cell.replace('|', '/') or 'nothing known' for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _settings() -> str:
    lines = ["| what you record with | what to set |", "| --- | --- |"]
    lines += [f"| {one.title} | {one.setting.replace('|', '/')} |" for one in formats().values() if one.setting]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(page(file.read_text("utf-8")), encoding="utf-8")
