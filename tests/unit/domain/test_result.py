"""Results: an id that is the same on every redelivery, and nothing from the case outside the body."""

import json
from dataclasses import replace

import pytest

from evalbook.domain.outcome import Assurance, Code, Grade, Outcome, errored, passed
from evalbook.domain.result import CaseIdentity, ResultWriter, Run, ScoringVersion

RUN = Run("org", "project", "run")
SCORER = ScoringVersion("scorer", 2, "d" * 64, "exact_match")
CASE = CaseIdentity("case", "example", "c" * 64)


def writer(run=RUN, scorer=SCORER, assurance=Assurance.INDEPENDENTLY_OBSERVED):
    return ResultWriter(run, scorer, assurance)


def test_the_same_parts_give_the_same_id():
    assert writer().result_id(CASE) == writer().result_id(CASE)
    assert len(writer().result_id(CASE)) == 64


@pytest.mark.parametrize(
    ("run", "scorer", "case"),
    [
        (replace(RUN, organization_id="org2"), SCORER, CASE),
        (replace(RUN, project_id="project2"), SCORER, CASE),
        (replace(RUN, run_id="run2"), SCORER, CASE),
        (RUN, replace(SCORER, name="scorer2"), CASE),
        (RUN, replace(SCORER, digest="e" * 64), CASE),
        (RUN, replace(SCORER, digest=None), CASE),
        (RUN, SCORER, CASE._replace(case_id="case2")),
        (RUN, SCORER, CASE._replace(digest="f" * 64)),
        (RUN, SCORER, CASE._replace(place=0)),
        (Run("org", "projectrun", ""), SCORER, CASE),
    ],
)
def test_another_part_gives_another_id(run, scorer, case):
    assert writer(run, scorer).result_id(case) != writer().result_id(CASE)


def test_the_index_tells_cases_apart_whose_id_does_not():
    first, second = (CaseIdentity(None, None, "c" * 64, index) for index in (0, 1))

    assert writer().result_id(first) != writer().result_id(second)


def test_an_unreadable_id_is_no_case_called_none():
    unreadable, called = CaseIdentity(None, None, "c" * 64, 0), CaseIdentity("None", None, "c" * 64, 0)

    assert writer().result_id(unreadable) != writer().result_id(called)


def test_an_index_cannot_be_taken_for_a_part_of_the_case_id():
    assert writer().result_id(CASE._replace(place=1, case_id="2 x")) != writer().result_id(
        CASE._replace(place=12, case_id="x")
    )


@pytest.mark.parametrize(
    ("scorer", "case"),
    [
        (replace(SCORER, version=9), CASE),
        (replace(SCORER, implementation=None), CASE),
        (SCORER, CASE._replace(example_id=None)),
    ],
)
def test_what_the_digests_cover_anyway_does_not_change_the_id(scorer, case):
    assert writer(scorer=scorer).result_id(case) == writer().result_id(CASE)


def test_a_result_has_all_its_members_with_body_as_the_only_place_for_details():
    grade = passed("Yes.", score=0.5, details={"shown": "payload"})

    record = json.loads(writer().encode(CASE, grade))

    assert record == {
        "result_id": writer().result_id(CASE),
        "run_id": "run",
        "case_id": "case",
        "example_id": "example",
        "scorer": {"name": "scorer", "version": 2, "digest": "d" * 64, "implementation": "exact_match"},
        "outcome": "pass",
        "code": None,
        "score": 0.5,
        "label": None,
        "assurance": "independently_observed",
        "explanation": "Yes.",
        "usage": None,
        "variability": None,
        "body": {"details": {"shown": "payload"}},
    }


def test_a_result_without_details_has_no_body():
    record = json.loads(writer(assurance=Assurance.REPORTED).encode(CASE, errored(Code.CASE_INVALID, "Bad.")))

    assert (record["body"], record["code"], record["score"]) == (None, "CASE_INVALID", None)
    assert record["assurance"] == "reported"


def test_a_large_body_is_cut():
    record = json.loads(writer().encode(CASE, passed("Yes.", details={"text": "x" * 20_000})))

    assert record["body"]["left_out_bytes"] > 3_000


def test_numbers_beyond_64_bits_are_written_in_full():
    grade = Grade(Outcome.FAIL, "Nö.", score=0, details={"n": 10**30})

    assert json.loads(writer().encode(CASE, grade))["body"] == {"details": {"n": 10**30}}
