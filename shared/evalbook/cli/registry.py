"""`evalbook export` and `evalbook import`: a project's scorers, rubrics and fixtures as one reviewable document."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalbook.domain.limits import REGISTRY_DOCUMENT_DEPTH

URL_VARIABLE = "EVALBOOK_API_URL"
TOKEN_VARIABLE = "EVALBOOK_TOKEN"


def add_commands(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add both commands."""
    export = commands.add_parser("export", help="print a project's scorers, rubrics and fixtures as one JSON document")
    _add_connection(export)
    export.set_defaults(run=_export)
    importing = commands.add_parser("import", help="make what a document holds and a project lacks")
    importing.add_argument("file", nargs="?", default="-", help="JSON; the standard input without it or with -")
    importing.add_argument("--activate", action="store_true", help="also activate the document's active versions")
    _add_connection(importing)
    importing.set_defaults(run=_import)


def _add_connection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", default=os.environ.get(URL_VARIABLE), help=f"the API's URL (default: {URL_VARIABLE})")
    parser.add_argument("--token", help=f"an access token (default: {TOKEN_VARIABLE}, which other users cannot see)")
    parser.add_argument("--project", help="the project; needed where the token has several")


def _export(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.judges.content import as_text
    from evalbook.services.registry.exporting import export_registry

    with _connected(options) as api:
        yield as_text(export_registry(api)).encode()


def _import(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.jsonio.reader import BYTE_ORDER_MARK, NotStrictJson, read_json
    from evalbook.jsonio.values import encode_json
    from evalbook.services.registry.importing import import_registry, read_document

    text = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    try:
        document = read_document(read_json(text.removeprefix(BYTE_ORDER_MARK), max_depth=REGISTRY_DOCUMENT_DEPTH))
    except NotStrictJson as error:
        raise SystemExit(f"evalbook import: the document is no strict JSON: {error}") from None
    with _connected(options) as api:
        for change in import_registry(api, document, activate=options.activate):
            yield encode_json({"action": change.action, "what": change.what})


def _connected(options: argparse.Namespace) -> Any:
    from evalbook.adapters.http.registry_client import HttpRegistry

    token = options.token or os.environ.get(TOKEN_VARIABLE)
    if not options.url or not token:
        raise SystemExit(
            f"evalbook: name the API and a token: --url and --token, or {URL_VARIABLE} and {TOKEN_VARIABLE}"
        )
    return HttpRegistry(options.url, token, options.project)
