"""The plug-in for pytest, in runs of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evalbook

SHARED = str(Path(evalbook.__file__).parents[1])


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a test file with the plug-in and gives its exit code and output."""

    def tested(text):
        (tmp_path / "test_it.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "evalbook.pytest_plugin", "."]
        environment = {**os.environ, "PYTHONPATH": SHARED, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False, text=True)
        return found.returncode, found.stdout

    return tested


def test_an_output_that_passes_passes_the_test(run):
    code, out = run('def test_it(evalbook):\n    evalbook("contains", {"texts": ["yes"]}, output="yes")\n')

    assert (code, "1 passed" in out) == (0, True)


def test_an_output_that_fails_fails_the_test_with_outcome_and_explanation(run):
    code, out = run('def test_it(evalbook):\n    evalbook("contains", {"texts": ["yes"]}, output="no")\n')

    assert code == 1
    assert "contains: fail: 1 of 1 listed texts do not occur in the output: 0." in out


def test_an_undecided_output_fails_the_test_with_its_code(run):
    code, out = run('def test_it(evalbook):\n    evalbook("contains", {"texts": ["yes"]})\n')

    assert code == 1
    assert "unsupported (OUTPUT_UNAVAILABLE)" in out


def test_a_marker_says_what_outputs_are_scored_with(run):
    text = (
        "import pytest\n"
        '@pytest.mark.evalbook("exact_match", {"trim": True}, expected="yes")\n'
        "def test_it(evalbook):\n"
        '    evalbook(output=" yes ")\n'
        '    with pytest.raises(pytest.fail.Exception):\n        evalbook(output="no")\n'
    )

    assert run(text)[0] == 0


def test_without_an_implementation_the_test_is_told_to_name_one(run):
    code, out = run('def test_it(evalbook):\n    evalbook(output="a")\n')

    assert code == 1
    assert "name an implementation" in out
