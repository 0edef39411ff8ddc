"""The example on the page about writing a scorer works as it stands there: two files and nothing else."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evalbook import authoring

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "writing-a-scorer.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^```python (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
MODULE = "shared/evalbook/scorers/text/word_recall.py"
COPIED = ("shared", "tests/unit", "docs")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of what scorers are made of, tested with and documented in, with the page's two files in it."""
    root = tmp_path_factory.mktemp("copy")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for path, text in BLOCKS.items():
        (root / path).write_text(text, "utf-8")
    return root


def run(copy, *arguments):
    """What a Python module prints in the copy, and its exit code."""
    command = [sys.executable, "-P", "-m", *arguments]
    environment = {"PYTHONPATH": f"{copy / 'shared'}:{copy}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode


def test_a_scorer_is_two_files():
    assert len(BLOCKS) == 2
    assert not any((ROOT / path).exists() for path in BLOCKS)


def test_its_own_tests_and_the_rules_for_every_scorer_hold(copy):
    printed, code = run(copy, "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/scorers", "-k", "word_recall")

    assert code == 0, printed
    assert int(re.search(r"(\d+) passed", printed)[1]) > 30


def test_the_page_about_scorers_gets_its_section(copy):
    printed, code = run(copy, "tests.unit.scorers.page", "docs/scorers.md")

    assert code == 0, printed
    section = (copy / "docs" / "scorers.md").read_text("utf-8").partition("### word_recall\n")[2]
    assert section.startswith("\nPasses when enough of the expected text's words occur in the output.\n")
    assert "| `threshold` | The least share of the expected words that passes; 0 to 1 | required |" in section


def test_it_imports_nothing_of_the_package_but_what_authors_may():
    imported = re.findall(r"^(?:from|import) (evalbook[\w.]*)", BLOCKS[MODULE], re.MULTILINE)

    assert imported == ["evalbook.authoring"]


def test_what_authors_may_import_is_all_there_and_public():
    assert [name for name in authoring.__all__ if name.startswith("_") or not hasattr(authoring, name)] == []


def test_the_example_is_as_short_as_the_page_asks_for():
    assert len(BLOCKS[MODULE].splitlines()) <= 80


@pytest.mark.parametrize("path", re.findall(r"`((?:scorers|contracts|traces|tests)/[a-z_/]+\.py)`", PAGE))
def test_a_file_that_the_page_names_is_there(path):
    assert (ROOT / path).exists() or (ROOT / "shared" / "evalbook" / path).exists()
