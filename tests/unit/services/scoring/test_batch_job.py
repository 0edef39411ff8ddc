"""Scoring a batch: one result a case, the same bytes every time, and the same ids for the rest of a batch."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.contracts.score_batch import read_batch
from evalbook.domain.outcome import Code, errored, timed_out
from evalbook.domain.result import Run, ScoringVersion
from evalbook.services.scoring.batch_job import BatchJob, CaseRange
from evalbook.services.scoring.remainder import remaining_batch
from evalbook.services.scoring.worker import PREPARE_LIMIT_MS, preparing
from tests.contract.batches import batch_of, message

RUN = Run("org-1", "project-1", "run-1")
LATE = timed_out(Code.TIME_LIMIT, "Late.")


class Marks(list):
    """Remembers what the job starts."""

    def __call__(self, index, limit_ms):
        self.append((index, limit_ms))


def job_of(read, *, implementation="contains", parameters=b'{"texts":["yes"]}', verdict=None):
    """The job that a message's inline cases make."""
    head = read.head
    cases = CaseRange(read.body, True, 0, len(read.cases), head.first_index, frozenset(head.repeated))
    return BatchJob(cases, RUN, ScoringVersion("same", 3, "d" * 64, implementation), parameters, 2_000, verdict)


def results_of(job, begin=0, decided=None, mark=None):
    return list(job.results(begin, decided or {}, Marks() if mark is None else mark))


def scored(cases, **options):
    """The results of the cases of a batch, as they leave."""
    return [json.loads(encoded) for _, encoded in results_of(job_of(batch_of(cases), **options))]


MIXED = [
    '{"case_id":"a","output":"yes"}',
    '{"case_id":"b","output":"no","example_id":"e"}',
    '{"case_id":"c","output":NaN}',
    '{"output":"yes"}',
    '{"case_id":"a","output":"yes"}',
    '{"case_id":"d"}',
    "5",
]


def test_every_case_has_one_result_in_its_order():
    results = scored(f"[{','.join(MIXED)}]")

    assert [(result["case_id"], result["outcome"], result["code"]) for result in results] == [
        ("a", "pass", None),
        ("b", "fail", None),
        ("c", "error", "CASE_INVALID"),
        (None, "error", "CASE_INVALID"),
        ("a", "error", "CASE_ID_REPEATED"),
        ("d", "unsupported", "OUTPUT_UNAVAILABLE"),
        (None, "error", "CASE_INVALID"),
    ]
    assert len({result["result_id"] for result in results}) == len(MIXED)


def test_a_delivery_again_gives_the_same_bytes():
    read = batch_of(f"[{','.join(MIXED)}]")

    assert results_of(job_of(read)) == results_of(job_of(read))


def test_the_spelling_of_a_case_does_not_change_its_result():
    first, second = (
        scored('[{"case_id":"a","output":"yes","input":1}]'),
        scored('[{ "input": 1.0, "output": "\\u0079es", "case_id": "a" }]'),
    )

    assert first == second


def test_a_repeated_id_tells_its_cases_apart_by_their_index():
    same = '{"case_id":"a","output":"yes"}'

    results = scored(f"[{same},{same},{same}]")

    assert [result["code"] for result in results] == [None, "CASE_ID_REPEATED", "CASE_ID_REPEATED"]
    assert len({result["result_id"] for result in results}) == 3


def test_an_id_counts_as_seen_even_where_its_case_is_bad():
    results = scored('[{"case_id":"a","output":NaN},{"case_id":"a","output":"yes"}]')

    assert [result["code"] for result in results] == ["CASE_INVALID", "CASE_ID_REPEATED"]


def test_an_example_id_that_cannot_be_read_is_null():
    (result,) = scored(json.dumps([{"case_id": "a", "example_id": "x" * 129, "output": "yes"}]))

    assert (result["code"], result["example_id"]) == ("CASE_INVALID", None)


def test_a_case_is_marked_with_the_versions_limit_before_it_is_scored():
    marks = Marks()

    results_of(job_of(batch_of(f"[{MIXED[0]},{MIXED[1]}]")), mark=marks)

    assert marks == [(preparing(0), PREPARE_LIMIT_MS), (0, 2_000), (1, 2_000)]


def test_a_job_can_begin_in_the_middle():
    job = job_of(batch_of(f"[{','.join(MIXED)}]"))

    assert results_of(job, begin=4) == results_of(job)[4:]


def test_a_decided_case_is_not_scored_again():
    job = job_of(batch_of(f"[{MIXED[0]},{MIXED[1]}]"))

    results = [json.loads(encoded) for _, encoded in results_of(job, decided={0: LATE})]

    assert [result["code"] for result in results] == ["TIME_LIMIT", None]


def test_cases_of_a_version_that_could_not_be_prepared_get_that_grade():
    job = job_of(batch_of(f"[{MIXED[0]},{MIXED[2]}]"))
    unprepared = errored(Code.SCORING_FAILED, "Not prepared.")

    results = [json.loads(encoded) for _, encoded in results_of(job, decided={preparing(0): unprepared})]

    assert [result["code"] for result in results] == ["SCORING_FAILED", "CASE_INVALID"]


def test_a_verdict_is_given_to_every_case_that_can_be_read_and_nothing_is_prepared():
    marks = Marks()
    verdict = errored(Code.WRONG_FAMILY, "Wrong.")

    results = results_of(job_of(batch_of(f"[{','.join(MIXED)}]"), implementation=None, verdict=verdict), mark=marks)

    codes = [json.loads(encoded)["code"] for _, encoded in results]
    wrong, invalid = "WRONG_FAMILY", "CASE_INVALID"
    assert codes == [wrong, wrong, invalid, invalid, "CASE_ID_REPEATED", wrong, invalid]
    assert preparing(0) not in dict(marks)


@pytest.mark.parametrize(
    ("implementation", "parameters"),
    [("contains", b'{"texts":[]}'), ("no_such", b"{}"), (None, b"{}"), ("contains", b"{")],
)
def test_a_stored_version_that_cannot_be_prepared_fails_its_cases(implementation, parameters):
    (result,) = scored(f"[{MIXED[0]}]", implementation=implementation, parameters=parameters)

    assert (result["code"], result["explanation"]) == (
        "SCORING_FAILED",
        "The stored version can no longer be prepared.",
    )


def test_a_range_of_stored_cases_is_scored_like_the_same_cases_inline():
    text = f"[{','.join(MIXED)}]".encode()
    inline = job_of(batch_of(text))
    whole = results_of(inline)

    part = CaseRange(text, False, 2, 6, 0, frozenset())
    job = BatchJob(part, RUN, inline.scorer, inline.parameters, 2_000)

    assert job.size == 4
    assert [encoded for _, encoded in results_of(job)] == [encoded for _, encoded in whole[2:6]]


_cases = st.lists(
    st.sampled_from(
        [
            *MIXED,
            '{"case_id":"c","output":"yes"}',
            '{"case_id":"b","output":{"z":1,"a":1.50}}',
            '{"case_id":"n","output":[1e400,0.0000000001e-400,%s]}' % ("9" * 400),
            '{"case_id":"c","case_id":"c"}',
        ]
    ),
    min_size=1,
    max_size=8,
)


@given(_cases, st.data())
def test_a_batch_scored_in_parts_gives_the_results_of_the_whole(cases, data):
    read = batch_of(f"[{' , '.join(cases)}]")
    whole = [encoded for _, encoded in results_of(job_of(read))]

    parts = []
    while len(parts) < len(whole):
        done = data.draw(st.integers(1, len(read.cases)))
        parts += [encoded for _, encoded in results_of(job_of(read))][:done]
        body = remaining_batch(read, done)
        assert len(body) < len(read.body) + len(',"first_index":0,"repeated":[]') + 1
        read = read_batch(body)

    assert parts == whole


def test_a_rest_holds_its_cases_to_the_byte():
    case = '{"z": 1.50, "case_id" : "x", "a": 1E+400}'

    body = remaining_batch(batch_of(f"[{MIXED[0]}, {case} ]"), 1)

    assert body.endswith(b'"cases":[%s]}' % case.encode())


def test_a_rest_keeps_the_batchs_ids_and_remembers_index_and_repeated_ids():
    read = batch_of(f"[{MIXED[0]},{MIXED[1]},{MIXED[0]},{MIXED[0]}]")

    rest = read_batch(remaining_batch(read, 1))
    second = read_batch(remaining_batch(rest, 1))

    assert (rest.head.first_index, rest.head.repeated) == (1, [2])
    assert (second.head.first_index, second.head.repeated) == (2, [2])
    assert rest.head.model_dump(exclude={"first_index", "repeated"}) == read.head.model_dump(
        exclude={"first_index", "repeated"}
    )


def test_a_rest_of_cases_elsewhere_starts_later():
    ref = {"key": "k", "sha256": "a" * 64, "count": 9, "start": 2, "end": 8}

    rest = read_batch(remaining_batch(read_batch(message(None, cases_ref=ref)), 3))

    assert rest.head.cases_ref.model_dump() == {**ref, "start": 5}


@pytest.mark.parametrize(
    ("implementation", "assurance"), [("judge", "reported"), ("contains", "independently_observed")]
)
def test_a_result_says_how_far_its_scorer_can_be_relied_on_also_where_it_was_given_up(implementation, assurance):
    body = message('[{"case_id": "case-1", "output": "x"}]')
    scorer = ScoringVersion("s", 1, "0" * 64, implementation)
    job = BatchJob(
        CaseRange(body, True, 0, 1, 0, frozenset()), RUN, scorer, b"{}", 1_000, errored(Code.SCORING_FAILED, "")
    )

    [(_, result)] = job.results(0, {}, Marks())

    assert json.loads(result)["assurance"] == assurance
