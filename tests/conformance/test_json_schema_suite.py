"""The official JSON Schema Test Suite, of five drafts, as the source distribution of `jsonschema` holds it.

Runs apart from the unit tests: pip fetches the distribution of the installed version once and keeps it in pytest's
cache. Every schema that stays within its document and uses keywords of its draft is accepted, and gives every one of
its tests the right outcome; every other one is refused. Run with `-s` to see the counts.
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

_FOLDER = "/json/tests/"
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
# The words of the refusals that are right: nothing is fetched, no reference changes its target as values are read, ...
RIGHTLY_REFUSED = (
    "leads out of the schema",
    "leads to one schema or another",
    "leads to no schema of this document",
    "names no draft that is known here",
    "is no keyword of the subset",
    "cannot be asserted",
    "is ignored by draft-04",
    "dependentRequired and dependentSchemas",
    "means another thing beside unevaluatedItems",
)
# What the suite asks for, and is decided otherwise: draft-04's integers (the one listed difference), and texts that
# are decoded, which the drafts leave open.
DIFFERENT = {("draft4", "optional/zeroTerminatedFloats.json"), ("draft7", "optional/content.json")}


@pytest.fixture(scope="session")
def suite(request):
    """The suite's files by draft and name, each a list of schemas with their tests."""
    number = version("jsonschema")
    folder = Path(request.config.cache.mkdir(f"jsonschema-{number}"))
    if not list(folder.glob("*.tar.gz")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "jsonschema"]
        subprocess.run([*command, f"jsonschema=={number}", "--dest", str(folder)], check=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        return {
            tuple(name.partition(_FOLDER)[2].split("/", 1)): read_json(files.extractfile(name).read())
            for name in files.getnames()
            if _FOLDER in name and name.endswith(".json") and "/remotes/" not in name
        }


def results(draft, files, **parameters):
    """How many schemas were refused, and the tests of the others that got the wrong outcome."""
    counts, wrong = Counter(), []
    for name, group in ((name, group) for name, groups in files.items() for group in groups):
        counts["schemas"] += 1
        schema = group["schema"]
        if isinstance(schema, dict):
            schema = {"$schema": DRAFTS[draft], **schema}
        try:
            scorer = catalog.find("json_schema").prepare({"schema": schema, **parameters})
        except ParametersRefused as refusal:
            counts["refused"] += 1
            words = [problem.message for problem in refusal.problems]
            if not all(any(right in message for right in RIGHTLY_REFUSED) for message in words):
                wrong.append((name, group["description"], words))
            continue
        for test in group["tests"]:
            counts["tests"] += 1
            got = scorer.score(Case("case", output=test["data"])).outcome
            if got != ("pass" if test["valid"] else "fail") and (draft, name) not in DIFFERENT:
                wrong.append((name, group["description"], test["description"], got))
    return counts, wrong


def files_of(suite, draft, *, optional, formats):
    chosen = {name: groups for (of, name), groups in suite.items() if of == draft}
    return {
        name: groups
        for name, groups in chosen.items()
        if name.startswith("optional/") == optional and name.startswith("optional/format/") == formats
    }


def shown(draft, kind, counts, wrong):
    tests, refused = counts["tests"], f"{counts['refused']} of {counts['schemas']} schemas refused"
    print(f"\n{draft}, {kind}: {tests} tests, {len(wrong)} wrong, {refused}")  # noqa: T201  (the counts are asked for)


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_required_test_passes(suite, draft):
    # The required tests take format for an annotation.
    counts, wrong = results(draft, files_of(suite, draft, optional=False, formats=False), formats="annotate")

    shown(draft, "required", counts, wrong)
    assert wrong == []
    assert counts["tests"] > 500
    assert counts["refused"] < counts["schemas"] / 10


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_optional_test_passes(suite, draft):
    counts, wrong = results(draft, files_of(suite, draft, optional=True, formats=False))

    shown(draft, "optional", counts, wrong)
    assert wrong == []
    assert counts["tests"] > 90


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_format_that_is_asserted_passes_its_tests(suite, draft):
    counts, wrong = results(draft, files_of(suite, draft, optional=True, formats=True))

    shown(draft, "formats", counts, wrong)
    assert wrong == []
    # The one that is refused is the unknown format.
    assert (counts["refused"], counts["tests"] > 100) == (1, True)
