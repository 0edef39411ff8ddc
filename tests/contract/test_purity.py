"""What scorers may reach: no clock, no randomness, no network, no files; and nothing anywhere runs what it is given."""

import ast
from functools import cache
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
MODULES = {
    ".".join(path.relative_to(SHARED).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((SHARED / "evalbook").rglob("*.py"))
}
# The readers of formats are found by walking their folder, which no import shows.
SCORERS = [name for name in MODULES if name.startswith(("evalbook.scorers.", "evalbook.traces.formats."))]

# What the scorers' code is made of. Whoever adds to it answers for its being a function of its arguments.
PURE = {
    "abc",
    "base64",
    "bisect",
    "collections",
    "contextlib",
    "contextvars",
    "dataclasses",
    "datetime.date",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "importlib.import_module",  # of the package's own modules
    "itertools",
    "jiter",
    "json",
    "jsonschema",
    "jsonschema_rs",
    "math",
    "orjson",
    "pkgutil",  # walks the package's own folders
    "pydantic",
    "pydantic_core",
    "rapidfuzz",
    "re",
    "regex",
    "string",
    "sys.maxunicode",
    "types",
    "typing",
    "unicodedata",
    "urllib.parse",
    "zlib",
}
RUNS_CODE = {"eval", "exec", "compile", "__import__"}


@cache
def tree_of(name):
    """The syntax tree of a module."""
    return ast.parse(MODULES[name].read_text("utf-8"))


def imported(name):
    """The full names that a module imports."""
    for node in ast.walk(tree_of(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(name):
    """The module of this package that a name belongs to."""
    return name if name in MODULES else name.rpartition(".")[0]


def reached(names):
    """Modules of this package that the named ones import, directly or through others, and themselves."""
    pending, found = list(names), set()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += [module_of(each) for each in imported(name) if each.startswith("evalbook.")]
    return found


def is_pure(name):
    """Whether a name from outside is among those that are known to be pure."""
    parts = name.split(".")
    return any(".".join(parts[:length]) in PURE for length in range(1, len(parts) + 1))


@pytest.mark.parametrize("name", sorted(reached(SCORERS)))
def test_what_a_scorer_reaches_has_no_clock_no_randomness_and_no_network(name):
    outside = {each for each in imported(name) if not each.startswith("evalbook.")}

    assert {each for each in outside if not is_pure(each)} == set()


@pytest.mark.parametrize("name", MODULES)
def test_nothing_is_executed_loaded_or_evaluated(name):
    nodes = ast.walk(tree_of(name))
    calls = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}

    assert calls & RUNS_CODE == set()
    assert {each for each in imported(name) if each.split(".")[0] in {"pickle", "marshal", "shelve"}} == set()
