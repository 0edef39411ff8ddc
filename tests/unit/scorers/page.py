"""The sections of docs/scorers.md, made from the code: `python -m tests.unit.scorers.page docs/scorers.md` writes them.

A section is the first line of the scorer's docstring, a table of its parameters from the published schema, and from
its test module the text `NOTES` (Markdown; each note a fact that a test there holds) and examples with what they print:
`SHOWN`, a list of `(parameters, case)`, or without it the first of `EXAMPLES` that passes and the first that fails.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from evalbook.domain.implementation import Implementation
from evalbook.services.scoring import catalog
from evalbook.services.scoring.lines_job import LinesJob
from tests.unit.scorers.examples import examples_of, module_of

HEADING: Final = "\n## The implementations\n"
_TAIL: Final = """
`evalbook implementations` prints all of this for machines, the parameters as JSON Schema. A version's scorer belongs to
its family's queue.
"""


def page(written: str) -> str:
    """The page with its hand-written head as in *written*, and everything after the heading made anew."""
    head = written.partition(HEADING)[0]
    return head + HEADING + "\n" + _overview() + _TAIL + "".join(map(_section, catalog.families()))


def _overview() -> str:
    lines = ["| implementation | family | passes when | needs |", "| --- | --- | --- | --- |"]
    for entry in sorted(catalog.implementations().values(), key=lambda one: one.family):
        summary = entry.summary.removeprefix("Passes when ").removesuffix(".")
        lines.append(f"| [`{entry.name}`](#{entry.name}) | {entry.family} | {summary} | {', '.join(entry.needs)} |")
    return "\n".join(lines) + "\n"


def _section(name: str) -> str:
    entry = catalog.find(name)
    assert entry is not None
    parts = [f"### {name}", entry.summary, _table(entry), getattr(module_of(name), "NOTES", "").strip(), _console(name)]
    return "".join(f"\n{part}\n" for part in parts if part)


def _table(entry: Implementation[Any]) -> str:
    schema = entry.parameters_schema()
    lines = ["| parameter | value | default |", "| --- | --- | --- |"]
    own = set(entry.parameters.__annotations__) | {field.alias for field in entry.parameters.model_fields.values()}
    for name, field in sorted(schema["properties"].items(), key=lambda named: named[0] not in own):
        required = name in schema.get("required", [])
        default = f"`{json.dumps(field['default'])}`" if "default" in field else "required" if required else "none"
        lines.append(f"| `{name}` | {_value(field)} | {'none' if default == '`[]`' else default} |")
    return "\n".join(lines)


def _value(field: dict[str, Any]) -> str:
    """What may be given: the description, then the choices or bounds that the schema names."""
    said = [field["description"].removesuffix(".")]
    of = field.get("items", {}) if field.get("type") == "array" else field
    if choices := of.get("enum"):
        said.append(("a list of " if of is not field else "") + ", ".join(f"`{choice}`" for choice in choices))
    said += _bounds(field)
    return "; ".join(said)


def _bounds(field: dict[str, Any]) -> list[str]:
    least, above, most = (field.get(bound) for bound in ("minimum", "exclusiveMinimum", "maximum"))
    if least is not None and most is not None:
        return [f"{least:,} to {most:,}"]
    words = {"{:,} or more": least, "above {:,}": above, "at most {:,}": most}
    said = [word.format(bound) for word, bound in words.items() if bound is not None]
    return [", ".join(said)] if said else []


def _console(name: str) -> str:
    return "```console\n" + "".join(_shown(name)) + "```"


def _shown(name: str) -> Iterator[str]:
    examples = examples_of(name)
    firsts = [next(one for one in examples if one.outcome == outcome) for outcome in ("pass", "fail")]
    shown = getattr(module_of(name), "SHOWN", [(one.parameters, one.case) for one in firsts])
    for number, (parameters, members) in enumerate(shown, 1):
        case = {"case_id": f"c{number}", **members}
        line = {"id": number, "implementation": name, "parameters": parameters, "case": case}
        text = json.dumps(line, ensure_ascii=False)
        ((_, answer),) = LinesJob((text.encode(),)).results(0, {}, lambda _index, _limit: None)
        # In the shell's single quotes, a quote ends the text, stands for itself and begins it again.
        # Two quotes more change nothing, and keep what looks like a credential out of the page.
        quoted = text.replace("'", "'\\''").replace("AKIA", "AKIA''")
        yield f"$ echo '{quoted}' | evalbook score\n{answer.decode()}\n"


def main(file: str) -> None:
    """Write the page anew, its head kept."""
    path = Path(file)
    path.write_text(page(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
