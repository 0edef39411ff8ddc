"""The published documents are those that the code makes, and say what the code does."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evalbook.contracts import codes_page, export
from evalbook.contracts.case import read_case
from evalbook.domain.errors import CaseInvalid
from evalbook.domain.outcome import Assurance, Code, Grade, Outcome, errored, passed
from evalbook.domain.result import CaseIdentity, ResultWriter, Run, ScoringVersion
from evalbook.services.scoring.result_batches import pack
from tests.contract.batches import batch_of

DOCS = Path(__file__).parents[2] / "docs"

GOOD_CASES = [
    {"case_id": "a"},
    {"case_id": "x" * 128, "example_id": "y" * 128},
    {"case_id": "\U0001f600" * 128},
    {"case_id": "a", "example_id": None, "refs": None},
    {"case_id": "a", "input": None, "output": [1], "expected": {"a": True}},
    {"case_id": "a", "refs": {"output": {"span_id": "1", "field": "output"}, "input": {"span_id": "", "field": ""}}},
    {"case_id": "a", "refs": {}},
    {"case_id": "a", "trace": {"spans": []}, "subject": {"artifacts": []}},
]
BAD_CASES = [
    None,
    [],
    "a",
    {},
    {"case_id": None},
    {"case_id": ""},
    {"case_id": 5},
    {"case_id": "x" * 129},
    {"case_id": "a", "example_id": 5},
    {"case_id": "a", "example_id": "y" * 129},
    {"case_id": "a", "ouput": 1},
    {"case_id": "a", "refs": {"expected": {"span_id": "1", "field": "f", "at": 2}}},
    {"case_id": "a", "subject": {"artefacts": []}},
    {"case_id": "a", "refs": []},
    {"case_id": "a", "refs": {"trace": {"span_id": "1", "field": "f"}}},
    {"case_id": "a", "refs": {"output": None}},
    {"case_id": "a", "refs": {"output": {"span_id": "1"}}},
    {"case_id": "a", "refs": {"output": {"span_id": 1, "field": "f"}}},
    {"case_id": "a", "refs": {"output": {"span_id": "1", "field": ["f"]}}},
]


def published(name):
    """The validator of a published schema."""
    return Draft202012Validator(json.loads((DOCS / "schemas" / f"{name}.json").read_text(encoding="utf-8")))


def written(grade):
    """A result as it leaves."""
    writer = ResultWriter(Run("o", "p", "r"), ScoringVersion("s", None, None, None), Assurance.INDEPENDENTLY_OBSERVED)
    return writer.encode(CaseIdentity("a", None, "0" * 64), grade)


@pytest.mark.parametrize("name", export.MODELS)
def test_a_published_schema_is_in_step_with_its_model(name):
    assert (DOCS / "schemas" / f"{name}.json").read_text(encoding="utf-8") == export.schema_text(name)


def test_no_schema_is_published_beside_those_of_the_models():
    assert {path.stem for path in (DOCS / "schemas").iterdir()} == set(export.MODELS)


@pytest.mark.parametrize("name", export.MODELS)
def test_a_published_schema_is_valid(name):
    Draft202012Validator.check_schema(published(name).schema)


def test_the_export_writes_every_schema_into_a_folder_that_it_makes(tmp_path):
    export.main(str(tmp_path / "new" / "schemas"))

    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "new" / "schemas").iterdir()}
    assert files == {f"{name}.json": export.schema_text(name) for name in export.MODELS}


def test_the_page_of_codes_is_in_step_with_the_code(tmp_path):
    codes_page.main(str(tmp_path / "codes.md"))

    made = (tmp_path / "codes.md").read_text(encoding="utf-8")
    assert (DOCS / "codes.md").read_text(encoding="utf-8") == made
    assert [line.split("`")[1] for line in made.splitlines() if line.startswith("| `")] == list(Code)


@pytest.mark.parametrize("case", GOOD_CASES)
def test_a_good_case_is_read_and_valid_by_the_schema(case):
    assert read_case(case).case_id == case["case_id"]
    assert published("case").is_valid(case)


@pytest.mark.parametrize("case", BAD_CASES)
def test_a_bad_case_is_refused_and_not_valid_by_the_schema(case):
    with pytest.raises(CaseInvalid):
        read_case(case)

    assert not published("case").is_valid(case)


@pytest.mark.parametrize(
    "grade",
    [
        passed("Yes.", details={"a": 1}),
        errored(Code.CASE_INVALID, "Bad."),
        Grade(Outcome.INCONCLUSIVE, "No majority.", Code.NO_MAJORITY, score=3.5, label="good"),
    ],
)
def test_a_written_result_is_valid_by_the_schema(grade):
    assert list(published("result").iter_errors(json.loads(written(grade)))) == []


def test_a_packed_result_batch_is_valid_by_the_schema():
    (body,) = pack(batch_of("[]").head, [written(passed("Yes."))] * 3)

    assert list(published("result_batch").iter_errors(json.loads(body))) == []


def test_the_schema_of_a_batch_says_what_a_case_is():
    message = json.loads(batch_of('[{"case_id": "a"}]').body)

    assert published("score_batch").is_valid(message)
    assert not published("score_batch").is_valid({**message, "cases": [{"case_id": 5}]})
    assert not published("score_batch").is_valid({**message, "schema_version": True})
