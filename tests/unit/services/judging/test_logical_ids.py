"""The logical request id of a repeat: one on every delivery, another where anything that it is made of differs."""

import pytest

from evalbook.budgets.calls import logical_request_id
from evalbook.services.judging.records import JudgeRunJob, StoredScorer

SCORER = StoredScorer(name="tone", version=3, digest="a" * 64, implementation="llm_judge")
JOB = JudgeRunJob(
    organization_id="org-1",
    project_id="project-1",
    run_id="run-1",
    batch_id="batch-1",
    purpose="evaluation",
    budget_id="budget-1",
    scorer=SCORER,
    case_id="case-1",
    example_id=None,
    case_digest="c" * 64,
    case="{}",
)


def of(job=JOB, repeat=0):
    return logical_request_id(job.logical_call(repeat))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(of(JOB.model_copy(update={"organization_id": "org-2"})), id="organization"),
        pytest.param(of(JOB.model_copy(update={"project_id": "project-2"})), id="project"),
        pytest.param(of(JOB.model_copy(update={"run_id": "run-2"})), id="run"),
        pytest.param(of(JOB.model_copy(update={"scorer": SCORER.model_copy(update={"name": "tact"})})), id="scorer"),
        pytest.param(
            of(JOB.model_copy(update={"scorer": SCORER.model_copy(update={"digest": "b" * 64})})), id="version"
        ),
        pytest.param(of(JOB.model_copy(update={"case_id": "case-2"})), id="case"),
        pytest.param(of(JOB.model_copy(update={"case_digest": "d" * 64})), id="content of the case"),
        pytest.param(of(repeat=1), id="repeat"),
    ],
)
def test_the_id_depends_on_each_of_its_parts(other):
    assert other != of()


@pytest.mark.parametrize("update", [{"batch_id": "batch-2"}, {"budget_id": "budget-2"}, {"case": "{ }"}])
def test_another_delivery_of_the_case_has_the_same_id(update):
    assert of(JOB.model_copy(update=update)) == of()


def test_parts_do_not_run_into_each_other():
    one = JOB.model_copy(update={"project_id": "a", "run_id": "bc"})
    other = JOB.model_copy(update={"project_id": "ab", "run_id": "c"})

    assert of(one) != of(other)


def test_the_id_never_changes():
    assert of() == "bd1cd3152dd6e0a3598206e4b5d51b912435340e6ceec57732c1cbf0c88f8341"
