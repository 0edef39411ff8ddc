"""The repository has the shape of the design card: its top level, its packages."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def names(requirements):
    """The packages that requirements name."""
    return {re.split(r"[\[<>=~! ]", each)[0] for each in requirements if isinstance(each, str)}


@pytest.mark.parametrize(
    "entry", ["template.yaml", "functions", "layers", "shared", "tests", "events", "samconfig.toml"]
)
def test_the_top_level_has_what_the_design_card_names(entry):
    assert (ROOT / entry).exists()


def test_the_packages_of_the_design_card_are_used():
    runtime = {"aws-lambda-powertools", "boto3", "pydantic", "jsonschema", "regex", "rapidfuzz", "httpx"}

    assert runtime <= names(PROJECT["project"]["dependencies"])
    assert {"moto", "pytest"} <= names(PROJECT["dependency-groups"]["test"])
