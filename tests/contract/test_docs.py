"""The examples in the documentation are run, and print what the pages say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^\$ (.+?)\n(.*?)(?=^\$ |\Z)", re.MULTILINE | re.DOTALL)


def examples():
    """Every command with `evalbook` in it and the output that its page shows."""
    for page in PAGES:
        blocks = _BLOCK.findall(page.read_text("utf-8"))
        shown = [example for block in blocks for example in _EXAMPLE.findall(block)]
        for number, (command, output) in enumerate(shown):
            if re.search(r"\bevalbook\b", command):
                yield pytest.param(command, output, id=f"{page.name}-{number}")


@pytest.mark.parametrize(("command", "output"), list(examples()))
def test_an_example_prints_what_its_page_shows(command, output):
    runnable = re.sub(r"\bevalbook\b(?= )", f"{sys.executable} -m evalbook.cli", command)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "shared")}

    run = subprocess.run(["bash", "-c", runnable], capture_output=True, cwd=ROOT, env=environment, check=False)

    assert run.returncode in (0, 1, 2), run.stderr.decode()
    assert run.stdout.decode() == output


def test_every_page_that_the_readme_links_to_is_there():
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text("utf-8"))

    assert [link for link in links if not (ROOT / link).exists()] == []
