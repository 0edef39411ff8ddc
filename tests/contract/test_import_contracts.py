"""The import contracts hold every module: one that stands in no layer, or looks upward, is found."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"


@pytest.fixture
def house(tmp_path):
    """A copy of the package's modules, with the project's contracts about it beside them."""
    for path in sorted((ROOT / "shared" / "evalbook").rglob("*.py")):
        copy = tmp_path / path.relative_to(ROOT / "shared")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    contracts = text[text.index("[tool.importlinter]") :].replace('"evalbook", "devstack"', '"evalbook"')
    (tmp_path / "pyproject.toml").write_text(contracts, "utf-8")
    return tmp_path


def linted(house):
    """How the linter ends over *house*, and what it says."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--config", "pyproject.toml"],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house), "PYTHONSAFEPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, " ".join(done.stdout.split())


def test_the_modules_as_they_are_keep_every_contract(house):
    code, said = linted(house)

    assert (code, "0 broken" in said) == (0, True), said


def test_a_module_that_stands_in_no_layer_fails(house):
    (house / "evalbook" / "stray.py").write_text('"""In no layer."""\n', "utf-8")

    code, said = linted(house)

    assert code == 1
    assert "evalbook.stray" in said


def test_a_subject_of_the_services_that_stands_in_no_order_fails(house):
    (house / "evalbook" / "services" / "stray.py").write_text('"""In no order."""\n', "utf-8")

    code, said = linted(house)

    assert code == 1
    assert "evalbook.services.stray" in said


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("domain/case.py", "import evalbook.api.problems"),
        ("services/scoring/worker.py", "import time"),
        ("services/registry/scorers.py", "import boto3"),
        ("services/registry/ports.py", "import aws_lambda_powertools"),
        ("scorers/text/regex.py", "import evalbook.scorers.trace.trajectory"),
        ("services/scoring/worker.py", "import evalbook.services.judging.ask"),
        ("jsonio/values.py", "import evalbook.jsonio.reader"),
    ],
)
def test_an_import_that_a_contract_forbids_fails(house, module, line):
    path = house / "evalbook" / module
    path.write_text(path.read_text("utf-8") + f"\n{line}\n", "utf-8")

    assert linted(house)[0] == 1


def test_every_package_is_held_by_the_layers():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]

    assert all(each["exhaustive"] for each in contracts if each["type"] == "layers")
