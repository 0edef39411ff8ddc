"""The example on the page about writing a scorer, module and tests, works as it stands there."""

import re
import sys
from pathlib import Path

import pytest

from evalbook.scorers import text
from evalbook.services.scoring import catalog
from tests.unit.scorers.grading import outcome

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "writing-a-scorer.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^```python (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
MODULE = "shared/evalbook/scorers/text/word_recall.py"
TESTS = "tests/unit/scorers/text/test_word_recall.py"

# The page's test module, run as it stands.
PAGE_TESTS: dict[str, object] = {}
exec(compile(BLOCKS[TESTS], TESTS, "exec"), PAGE_TESTS)
OWN_TESTS = [name for name in PAGE_TESTS if name.startswith("test_")]


@pytest.fixture(autouse=True)
def _planted(tmp_path, monkeypatch):
    """Put the page's module into the family text."""
    (tmp_path / "word_recall.py").write_text(BLOCKS[MODULE], "utf-8")
    monkeypatch.setattr(text, "__path__", [*text.__path__, str(tmp_path)])
    catalog.families.cache_clear()
    yield
    sys.modules.pop(f"{text.__name__}.word_recall", None)
    catalog.families.cache_clear()


def test_the_catalog_finds_the_example():
    found = catalog.find("word_recall")

    assert (found.family, found.summary) == (
        "text",
        "Passes when enough of the expected text's words occur in the output.",
    )


@pytest.mark.parametrize("number", range(len(PAGE_TESTS["EXAMPLES"])))
def test_an_example_of_the_pages_test_module_has_its_outcome(number):
    parameters, case, wanted = PAGE_TESTS["EXAMPLES"][number]

    assert outcome("word_recall", parameters, **case) == wanted


@pytest.mark.parametrize("name", OWN_TESTS)
def test_a_test_of_the_pages_test_module_passes(name):
    PAGE_TESTS[name]()


def test_the_example_is_as_short_as_the_page_asks_for():
    assert len(BLOCKS[MODULE].splitlines()) <= 80


@pytest.mark.parametrize("path", re.findall(r"`((?:scorers|contracts|traces|tests)/[a-z_/]+\.py)`", PAGE))
def test_a_file_that_the_page_names_is_there(path):
    assert (ROOT / path).exists() or (ROOT / "shared" / "evalbook" / path).exists()
