"""`evalbook spans`: traces of other tools as wire traces, one a line."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from evalbook.cli.streams import UNUSABLE
from evalbook.domain.limits import LINE_DEPTH
from evalbook.jsonio.reader import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from evalbook.jsonio.values import Json

_SUFFIXES: Final = frozenset({".json", ".jsonl", ".ndjson"})
_ENVELOPE: Final = frozenset({"id", "document", "format"})
_HELP: Final = "a document, JSON Lines of documents, or a folder of both; the standard input without it or with -"


@dataclass(frozen=True, slots=True)
class _Found:
    """One document: its id and the name of its format where the line says them, and what is wrong with the line."""

    value: "Json" = None
    document_id: "Json" = None
    format: str | None = None
    problems: tuple[tuple[str, str], ...] = ()


_Line = tuple[bytes, bool]


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command."""
    spans = commands.add_parser("spans", help="convert traces of other tools, one document a line")
    spans.add_argument("file", nargs="?", default="-", help=_HELP)
    spans.add_argument(
        "--from", dest="format", default="auto", metavar="FORMAT", help="the format (default: told by its marks)"
    )
    spans.add_argument("--trace", metavar="ID", help="the trace to take of documents that hold several")
    spans.set_defaults(run=_spans)


def _spans(options: argparse.Namespace) -> Iterator[bytes]:
    for line, is_read in _lines(options):
        if not is_read:
            options.status = UNUSABLE
        yield line


def _lines(options: argparse.Namespace) -> Iterator[_Line]:
    from evalbook.traces.formats.catalog import AUTO, formats

    name = options.format.replace("-", "_")
    if name not in {AUTO, *formats()}:
        raise SystemExit(f"evalbook spans: the formats are {AUTO}, {', '.join(formats())}")
    if options.file == "-":
        yield from (_answer(found, name, options.trace) for found in _documents(sys.stdin.buffer, name))
    elif Path(options.file).is_dir():
        yield from _folder(Path(options.file), name, options.trace)
    else:
        with Path(options.file).open("rb") as stream:
            yield from (_answer(found, name, options.trace) for found in _documents(stream, name))


def _folder(folder: Path, name: str, trace_id: str | None) -> Iterator[_Line]:
    """The documents of all files below *folder*, each with the name of its file and, without an id, that as its id."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in files:
        if path.suffix not in _SUFFIXES:
            print(f"evalbook: passed over {path}, which is none of {', '.join(sorted(_SUFFIXES))}", file=sys.stderr)
            continue
        file = path.relative_to(folder).as_posix()
        with path.open("rb") as stream:
            found = list(_documents(stream, name))
        for number, one in enumerate(found, 1):
            yield _answer(one, name, trace_id, file=file, place=file if len(found) == 1 else f"{file}:{number}")


def _answer(found: _Found, name: str, trace_id: str | None, *, file: str | None = None, place: "Json" = None) -> _Line:
    """Return the line that answers for one document, its wire trace or why there is none, and whether it was read."""
    from evalbook.domain.errors import Refused
    from evalbook.jsonio.values import encode_json
    from evalbook.traces.formats.catalog import read_document

    document_id = place if found.document_id is None else found.document_id
    said = {key: value for key, value in (("id", document_id), ("file", file)) if value is not None}
    problems = found.problems
    if not problems:
        try:
            return encode_json({**said, **read_document(found.value, found.format or name, trace_id)}), True
        except Refused as refused:
            problems = tuple((problem.pointer, problem.message) for problem in refused.problems)
    listed = [{"pointer": pointer, "message": message} for pointer, message in problems]
    return encode_json({**said, "refused": listed}), False


def _documents(stream: BinaryIO, name: str) -> Iterator[_Found]:
    """The documents of a file: one a line, or one in all of it where its first line is none by itself."""
    first = next((line for line in stream if line.strip()), b"").removeprefix(BYTE_ORDER_MARK)
    if not first.strip():
        return
    value = _strict(first)
    if value is None:
        yield from _of_whole(first + stream.read())
    elif _is_item(value, name):
        yield _of_items([first, *filter(bytes.strip, stream)])
    else:
        yield _of_line(first)
        yield from (_of_line(line) for line in stream if line.strip())


def _strict(text: bytes) -> "Json":
    """The value of a JSON *text*, None where it is none (or null, which is no document either)."""
    from evalbook.jsonio.reader import NotStrictJson, read_json

    try:
        return read_json(text, max_depth=LINE_DEPTH)
    except NotStrictJson:
        return None


def _is_item(value: "Json", name: str) -> bool:
    """Whether a file's first line is an item of a trace, so that all of its lines are one document."""
    from evalbook.traces.formats._marks import CONTAINERS
    from evalbook.traces.formats.catalog import AUTO, detect, formats

    if type(value) is not dict or "document" in value or any(type(value.get(key)) is list for key in CONTAINERS):
        return False
    chosen = next(iter(detect([value])), None) if name == AUTO else name
    return chosen is not None and formats()[chosen].by_line


def _of_whole(text: bytes) -> Iterator[_Found]:
    """The document in all of *text*; where it is none and lines of it are, the documents in its lines."""
    lines = [line for line in text.split(b"\n") if line.strip()]
    is_document = _strict(text) is not None
    if is_document or not any(type(_strict(line)) in (dict, list) for line in lines):
        yield _of_line(text)
    else:
        yield from map(_of_line, lines)


def _of_items(lines: list[bytes]) -> _Found:
    values = [_strict(line) for line in lines]
    wrong = tuple((f"/{index}", "is not strict JSON") for index, value in enumerate(values) if value is None)
    return _Found(values, problems=wrong)


def _of_line(text: bytes) -> _Found:
    from evalbook.domain.errors import CaseInvalid
    from evalbook.jsonio.reader import NotStrictJson, read_json
    from evalbook.services.scoring.json_lines import id_of, read_line

    try:
        value = read_json(text, max_depth=LINE_DEPTH)
    except NotStrictJson as error:
        try:
            document_id = id_of(read_line(text))
        except CaseInvalid:
            document_id = None
        return _Found(document_id=document_id, problems=(("", f"is not strict JSON: {error}"),))
    if type(value) is not dict:
        return _Found(value)
    document_id = value.get("id") if type(value.get("id")) in (str, int) else None
    return _of_envelope(value, document_id) if "document" in value else _Found(value, document_id)


def _of_envelope(line: dict[str, "Json"], document_id: "Json") -> _Found:
    """The document of a line `{id, document, format}`."""
    unknown = sorted(line.keys() - _ENVELOPE)
    wrong = [(f"/{key}", "is no member of a line, which has id, document and format") for key in unknown]
    if type(line.get("format", "")) is not str:
        wrong.append(("/format", "must be the name of a format"))
    if wrong:
        return _Found(document_id=document_id, problems=tuple(wrong))
    return _Found(line["document"], document_id, line.get("format"))
