"""The formats there are, found by walking this folder, and which of them a document is of."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from evalbook.domain.errors import CatalogError, Problem, Refused
from evalbook.jsonio.values import Json
from evalbook.traces import formats as folder
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import WireTrace
from evalbook.traces.formats._marks import Views

AUTO: Final = "auto"
"""The name that stands for the format whose marks a document shows."""


@cache
def formats() -> Mapping[str, Format]:
    """All formats by name.

    Raises:
        CatalogError: A module of the folder does not declare a format of its own name.
    """
    modules = [module.name for module in pkgutil.iter_modules(folder.__path__)]
    public = [name for name in modules if not name.startswith("_") and name != "catalog"]
    return MappingProxyType({name: _declared(name) for name in sorted(public)})


def _declared(name: str) -> Format:
    module = import_module(f"{folder.__name__}.{name}")
    declared = getattr(module, "FORMAT", None)
    if not isinstance(declared, Format) or declared.name != name:
        raise CatalogError(f"{module.__name__} must declare a FORMAT called {name}")
    return declared


def detect(document: Json) -> Mapping[str, str]:
    """The formats whose marks *document* shows, the likeliest first, each with the mark in words."""
    views = Views(document)
    found: list[tuple[bool, int, int, str, str]] = []
    for one in formats().values():
        times = [(mark, sum(map(mark.fits, views.nodes(mark.view)))) for mark in one.marks]
        strong = [(mark, count) for mark, count in times if count and not mark.weak]
        shown = strong or [(mark, count) for mark, count in times if count]
        if shown:
            found.append((not strong, -one.rank, -sum(count for _, count in shown), one.name, str(shown[0][0])))
    found.sort()
    return {name: words for weak, _, _, name, words in found if weak == found[0][0]}


def read_document(document: Json, name: str = AUTO, trace_id: str | None = None) -> WireTrace:
    """The wire trace of a recorded *document* in the format *name*, or in the one whose marks it shows.

    Raises:
        Refused: There is no such format, the document shows no mark of it, it cannot be read, or it holds several
            traces and *trace_id* names none of them.
    """
    found = detect(document)
    chosen = _chosen(name.replace("-", "_"), found)
    spans = next((other for other in found if formats()[other].family == "spans"), None)
    if spans is not None and chosen.family != "spans":
        # Readers of messages know no spans, and would take one in a list for an item without a call.
        raise Refused([Problem("", f"shows marks of {chosen.name} and of {spans}: read messages and spans apart")])
    if trace_id is None:
        return chosen.read(document)
    if chosen.read_one is None:
        raise Refused([Problem("", f"is {chosen.name}, whose documents hold one trace: leave the trace's id out")])
    return chosen.read_one(document, trace_id)


def _chosen(name: str, found: Mapping[str, str]) -> Format:
    known = formats()
    if name != AUTO and name not in known:
        raise Refused([Problem("", f"no format is called so: the formats are {AUTO}, {', '.join(known)}")])
    if not found:
        asked = "any format that can be read" if name == AUTO else name
        raise Refused([Problem("", f"has no mark of {asked}: see docs/traces.md for what each format looks like")])
    if name == AUTO:
        return known[next(iter(found))]
    if name not in found:
        likeliest, mark = next(iter(found.items()))
        raise Refused([Problem("", f"has no mark of {name}: it looks like {likeliest} ({mark})")])
    return known[name]
