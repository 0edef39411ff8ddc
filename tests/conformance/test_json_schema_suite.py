"""The official JSON Schema Test Suite, draft 2020-12, as the source distribution of `jsonschema` holds it.

Runs apart from the unit tests: pip fetches the distribution of the installed version once and keeps it in pytest's
cache. Every schema whose keywords are all in the subset is accepted, and gives every one of its tests the right
outcome; every other one is refused. Run with `-s` to see the counts.
"""

import subprocess
import sys
import tarfile
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pytest

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.jsonio.reader import read_json
from evalbook.services.scoring import catalog

_FOLDER = "/json/tests/draft2020-12/"
# A schema that holds one of these, or refers outside itself, is outside the subset.
OUTSIDE = frozenset(
    {"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$schema", "format"}
    | {"contentEncoding", "contentMediaType", "contentSchema"}
)
# What the optional tests ask for beyond that: keywords of older drafts, and words that are none.
OPTIONAL_OUTSIDE = OUTSIDE | {"dependencies", "unknown-keyword"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"


@pytest.fixture(scope="session")
def suite(request):
    """The suite's files by name, each a list of schemas with their tests."""
    number = version("jsonschema")
    folder = Path(request.config.cache.mkdir(f"jsonschema-{number}"))
    if not list(folder.glob("*.tar.gz")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "jsonschema"]
        subprocess.run([*command, f"jsonschema=={number}", "--dest", str(folder)], check=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        return {
            name.partition(_FOLDER)[2]: read_json(files.extractfile(name).read())
            for name in files.getnames()
            if _FOLDER in name and name.endswith(".json")
        }


def words_of(schema):
    """Every name in a schema, with $id for a reference that leads out of it and $schema for another draft."""
    if isinstance(schema, list):
        return set().union(*map(words_of, schema))
    if not isinstance(schema, dict):
        return set()
    reference = str(schema.get("$ref", "#"))
    outward = {"$id"} if reference != "#" and not reference.startswith("#/") else set()
    other = {"$schema"} if schema.get("$schema", DRAFT) != DRAFT else set()
    return schema.keys() - {"$schema"} | outward | other | set().union(*map(words_of, schema.values()))


def results(groups, outside):
    """How many schemas were refused, and the tests of the others: passed, and those that got the wrong outcome."""
    counts, wrong = Counter(), []
    for group in groups:
        counts["schemas"] += 1
        try:
            scorer = catalog.find("json_schema").prepare({"schema": group["schema"]})
        except ParametersRefused:
            counts["refused"] += 1
            if not words_of(group["schema"]) & outside:
                wrong.append((group["description"], "refused without a reason"))
            continue
        for test in group["tests"]:
            counts["tests"] += 1
            got = scorer.score(Case("case", output=test["data"])).outcome
            if got != ("pass" if test["valid"] else "fail"):
                wrong.append((group["description"], test["description"], got))
    return counts, wrong


def shown(name, counts, wrong):
    right = counts["tests"] - sum(len(each) == 3 for each in wrong)
    schemas = f"{counts['refused']} of {counts['schemas']} schemas refused"
    print(f"\n{name}: {right} of {counts['tests']} tests right, {schemas}")  # noqa: T201  (the counts are asked for)


def test_every_required_test_of_the_supported_keywords_passes(suite):
    groups = [group for name, groups in suite.items() if "/" not in name for group in groups]

    counts, wrong = results(groups, OUTSIDE)

    shown("required", counts, wrong)
    assert wrong == []
    assert counts["tests"] > 900


def test_every_optional_test_of_the_supported_keywords_passes(suite):
    groups = [
        group
        for name, groups in suite.items()
        if name.startswith("optional/") and "format/" not in name
        for group in groups
    ]

    counts, wrong = results(groups, OPTIONAL_OUTSIDE)

    shown("optional", counts, wrong)
    assert wrong == []
    assert counts["tests"] > 90


def test_every_schema_with_format_is_refused(suite):
    groups = [group for name, groups in suite.items() if name.startswith("optional/format/") for group in groups]

    counts, wrong = results(groups, OUTSIDE)

    shown("format", counts, wrong)
    assert wrong == []
    assert counts["refused"] == counts["schemas"] > 0
