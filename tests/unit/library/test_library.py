"""Scoring from Python: the same verdicts as the command, numbers exact, what is not JSON refused."""

import io
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

import evalbook
from evalbook.cli.main import main
from evalbook.domain.errors import ParametersRefused
from evalbook.jsonio.canonical import plain_json
from tests.unit.scorers.examples import every_example


def test_one_call_scores_one_case():
    result = evalbook.score("contains", {"texts": ["yes"]}, output="yes")

    assert (result.outcome, result.passed, result.score, result.code) == ("pass", True, 1.0, None)


@pytest.mark.parametrize("output", [1.1, Decimal("1.1")])
def test_a_float_stands_for_the_digits_that_it_prints(output):
    assert evalbook.score("numeric_tolerance", {"absolute": 0.1}, output=output, expected=1.0).passed


def test_an_undecided_case_has_not_passed():
    result = evalbook.score("contains", {"texts": ["yes"]})

    assert (result.passed, result.outcome, result.code) == (False, "unsupported", "OUTPUT_UNAVAILABLE")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1: 2}, {"a": {1, 2}}, b"bytes"])
def test_what_json_cannot_hold_is_a_type_error(value):
    with pytest.raises(TypeError):
        evalbook.score("contains", {"texts": ["a"]}, output=value)


def test_parameters_that_no_version_could_have_are_refused_at_once():
    with pytest.raises(ParametersRefused, match=r"^/texts: "):
        evalbook.Scorer("contains", {"texts": []})


def test_a_suite_gives_one_result_a_scorer_in_its_order():
    suite = evalbook.Suite.read([{"implementation": "exact_match"}, {"name": "n", "implementation": "text_or"}][:1])

    [results] = suite.score_all([{"output": "a", "expected": "a"}])

    assert [(each.scorer, each.case_id, each.outcome) for each in results] == [("exact_match", "1", "pass")]


def test_a_suite_of_a_file_is_loaded(tmp_path):
    (tmp_path / "suite.json").write_text('{"scorers": [{"implementation": "exact_match"}]}')

    assert [each.name for each in evalbook.Suite.load(tmp_path / "suite.json").scorers] == ["exact_match"]


def test_many_cases_are_scored_in_their_order():
    scorer = evalbook.Scorer("exact_match", {"expected": "7"})

    found = [result.passed for result in scorer.score_all({"output": str(number % 10)} for number in range(1_000))]

    assert found == [number % 10 == 7 for number in range(1_000)]


def test_time_limits_hold_as_in_the_service():
    slow = evalbook.Scorer("edit_similarity", {"threshold": 0.1}, 5)
    letters = Random(1).choices("abcdefgh", k=180_000)

    assert slow.score(output="".join(letters[:90_000]), expected="".join(letters[90_000:])).outcome == "timeout"


@pytest.mark.parametrize("example", list(every_example()), ids=str)
def test_every_example_has_the_verdict_of_the_command(example, monkeypatch, capsysbinary):
    line = {"id": 1, "implementation": example.implementation, "parameters": example.parameters}
    sent = plain_json({**line, "case": {"case_id": "1", **example.case}})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
    main(["score"])
    said = json.loads(capsysbinary.readouterr().out)

    result = evalbook.score(example.implementation, example.parameters, **example.case)

    assert (result.outcome, result.code, result.score, result.explanation) == tuple(
        said[name] for name in ("outcome", "code", "score", "explanation")
    )


def test_importing_the_package_imports_nothing_of_the_library():
    command = "import sys, evalbook; print(sorted(name for name in sys.modules if name.startswith('evalbook')))"
    shared = str(Path(evalbook.__file__).parents[1])

    found = subprocess.run([sys.executable, "-c", command], env={"PYTHONPATH": shared}, capture_output=True, check=True)

    assert found.stdout == b"['evalbook']\n"


def test_a_name_that_is_not_public_is_none():
    with pytest.raises(AttributeError):
        evalbook.no_such_name  # noqa: B018  (that it raises is the point)
