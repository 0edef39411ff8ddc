import json
from hashlib import sha256

import pytest

from evalbook.domain.versions import VersionState
from evalbook.services.scoring.consumer import SECONDS_A_MESSAGE, outcome_of
from tests.fakes.batches import SCORER, batch, batch_of_texts, cases, message, results_of, version
from tests.fakes.worker import InProcessWorker

OUTPUTS = ("hello world", "good bye", "hello")


def test_every_case_gets_its_result(house):
    summary = house.score(message(batch(cases(*OUTPUTS))))

    assert house.outcomes == ["pass", "fail", "pass"]
    assert (summary.failed, summary.messages, dict(summary.outcomes)) == ({}, 1, {"pass": 2, "fail": 1})


def test_a_result_names_its_run_case_and_version(house):
    house.score(message(batch([{"case_id": "a", "example_id": "e", "output": "hello"}])))

    (result,) = house.results
    assert (result["run_id"], result["case_id"], result["example_id"]) == ("run-1", "a", "e")
    assert result["scorer"] == {
        "name": SCORER.name,
        "version": 1,
        "digest": version().digest,
        "implementation": "contains",
    }
    assert result["assurance"] == "independently_observed"


def test_results_leave_with_the_ids_of_their_batch(house):
    house.score(message(batch(cases("hello"), batch_id="batch-9")))

    (sent,) = map(json.loads, house.results_queue.bodies)
    assert (sent["batch_id"], sent["run_id"], sent["organization_id"]) == ("batch-9", "run-1", "org-1")


def test_a_batch_without_cases_is_answered_without_results(house):
    summary = house.score(message(batch([])))

    [answer] = map(json.loads, house.results_queue.bodies)
    assert (answer["run_id"], answer["batch_id"], answer["results"]) == ("run-1", "batch-1", [])
    assert (summary.failed, house.queue.bodies, house.dead.kept) == ({}, [], [])


REFUSED = "The batch is refused: "


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"schema_version": 2}, "/schema_version must be at most 1."),
        ({"purpose": "sandbox"}, "/purpose must be 'evaluation'."),
        ({"budget": "b"}, "it has a member that is not known; known are schema_version, organization_id, "),
        ({"cases_ref": {"key": "k", "sha256": "0" * 64, "count": 1}}, "it exactly one of cases and cases_ref is "),
    ],
)
def test_a_batch_that_is_wrong_as_a_whole_is_answered_case_by_case_with_the_reason(house, changes, problem):
    summary = house.score(message(batch(cases("hello", "good bye"), **changes)))

    assert [(each["case_id"], each["code"]) for each in house.results] == [
        ("case-0", "BATCH_INVALID"), ("case-1", "BATCH_INVALID")
    ]  # fmt: skip
    assert all(each["explanation"].startswith(REFUSED + problem) for each in house.results)
    assert {each["scorer"]["name"] for each in house.results} == {SCORER.name}
    assert (summary.failed, summary.unreadable, house.dead.kept) == ({}, 0, [])


def test_a_refused_batch_whose_scorer_cannot_be_read_names_none(house):
    house.score(message(batch(cases("hello"), scorer=[])))

    assert house.results[0]["scorer"] == {"name": None, "version": None, "digest": None, "implementation": None}


def test_a_refused_batch_for_which_there_is_no_time_comes_again_as_it_was(house):
    given = message(batch(cases("hello", "good bye"), purpose="x"))
    house.worker = InProcessWorker(room=lambda: 1)

    house.score(message(batch([])), given)

    assert house.queue.bodies in ([], [given.body])


def test_a_case_with_an_unknown_member_is_invalid_and_every_other_is_scored(house):
    house.score(message(batch([{"case_id": "a", "ouput": "hello"}, {"case_id": "b", "output": "hello"}])))

    assert house.codes == ["CASE_INVALID", None]


def test_the_same_message_twice_gives_the_same_bytes(house):
    house.score(message(batch(cases(*OUTPUTS))))
    house.score(message(batch(cases(*OUTPUTS)), receive_count=2))

    first, second = house.results_queue.bodies
    assert first == second


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"no JSON", "the message is not JSON: it does not start with { (byte 0)"),
        (b"", "the message is not JSON: it does not start with { (byte 0)"),
        (b"[]", "the message is no score batch: it must be an object"),
        (b"{}", "the message is no score batch: /schema_version is required"),
        (batch([], schema_version=2), "the message is no score batch: /schema_version must be at most 1"),
        (
            batch([], run_id="a#b"),
            "the message is no score batch: /run_id must match ^[A-Za-z0-9][A-Za-z0-9._:@/+=-]{0,127}$",
        ),
        (b'{"a": 1, "a": 2}', "the message is not JSON: a key is repeated (byte 0)"),
        (b"[" * 10_000, "the message is not JSON: it does not start with { (byte 0)"),
        (b" " * 1_048_577, "the message is larger than 1 MiB"),
    ],
)
def test_what_is_no_batch_goes_to_the_dead_letters_with_its_reason_and_never_comes_again(house, body, reason):
    summary = house.score(message(body))

    assert house.dead.kept == [(message(body), reason)]
    assert (summary.failed, summary.unreadable, house.results) == ({}, 1, [])


def test_what_cannot_be_read_comes_again_while_the_dead_letters_take_nothing(house):
    house.dead.down = True

    summary = house.score(message(b"no JSON"))

    assert summary.failed == {"message-1": "the dead-letter queue is down"}


BAD_CASES = {
    "no case_id": b'{"output": "hello"}',
    "case_id is a number": b'{"case_id": 1, "output": "hello"}',
    "an id too long": b'{"case_id": "%s", "output": "hello"}' % (b"a" * 129),
    "10,000 deep": b'{"case_id": "deep", "output": %s1%s}' % (b"[" * 10_000, b"]" * 10_000),
    "a repeated key": b'{"case_id": "key", "output": "hello", "output": "hello"}',
    "NaN": b'{"case_id": "nan", "output": NaN}',
    "a long integer": b'{"case_id": "long", "output": %s}' % (b"7" * 5_000),
    "half a pair": b'{"case_id": "half", "output": "\\ud800"}',
    "no object": b"7",
}


@pytest.mark.parametrize("bad", BAD_CASES.values(), ids=BAD_CASES.keys())
def test_a_bad_case_is_invalid_and_every_other_case_gets_its_result(house, bad):
    good = json.dumps(cases("hello")[0]).encode()

    summary = house.score(message(batch_of_texts([good, bad, good.replace(b"case-0", b"case-1")])))

    assert house.codes == [None, "CASE_INVALID", None]
    assert house.outcomes == ["pass", "error", "pass"]
    assert (summary.failed, house.dead.kept) == ({}, [])


def test_a_later_case_with_an_id_seen_before_is_repeated(house):
    house.score(message(batch([{"case_id": "a", "output": text} for text in ("hello", "hello", "good bye")])))

    assert house.codes == [None, "CASE_ID_REPEATED", "CASE_ID_REPEATED"]
    assert len(set(house.result_ids)) == 3


def test_equal_cases_whose_id_cannot_be_read_have_results_of_their_own(house):
    house.score(message(batch([{"output": "hello"}] * 3)))

    assert len(set(house.result_ids)) == 3


# ---------------------------------------------------------------- messages are apart from one another


def test_a_message_whose_results_are_not_taken_comes_again_alone(house):
    house.results_queue.takes = lambda messages: messages[0].answers != "b"

    summary = house.score(*(message(batch(cases("hello"), batch_id=f"{name}-1"), name) for name in "abc"))

    assert summary.failed == {"b": "the results queue answered Refused"}
    assert len(house.results) == 2
    assert summary.outcomes.total() == 2


def test_a_message_that_kills_the_process_comes_again_alone(house):
    house.worker = InProcessWorker(deadly=frozenset({5}))

    summary = house.score(message(batch(cases(*["hello"] * 6)), "deadly"), message(batch(cases("hello")), "harmless"))

    assert summary.failed == {"deadly": "the scoring process ended in the middle of a batch"}
    assert house.outcomes == ["pass"]


def test_from_the_second_receive_only_the_deadly_case_fails(house):
    house.worker = InProcessWorker(deadly=frozenset({1}))

    summary = house.score(message(batch(cases(*["hello"] * 3)), receive_count=2))

    assert house.codes == [None, "SCORING_FAILED", None]
    assert summary.failed == {}


def test_a_fault_of_ours_in_one_message_leaves_the_others_alone(house):
    class Broken:
        def run(self, job, **_):
            raise KeyError("canary") if job.size == 2 else AssertionError

    good, house.worker = house.worker, Broken()
    summary = house.score(message(batch(cases("hello", "hello")), "a"), message(batch(cases("hello")), "b"))

    assert summary.failed == {"a": "KeyError", "b": "AssertionError"}
    house.worker = good
    assert house.score(message(batch(cases("hello")))).failed == {}


def test_a_registry_that_does_not_answer_makes_messages_come_again(house):
    house.versions.down = True

    summary = house.score(message(batch(cases("hello"))))

    assert (summary.failed, house.results) == ({"message-1": "the registry is down"}, [])


# ---------------------------------------------------------------- the rest of a batch


def test_what_the_time_left_cannot_hold_goes_back_as_a_smaller_batch(house):
    house.worker = InProcessWorker(room=iter((1, 10**9)).__next__)

    summary = house.score(message(batch(cases(*OUTPUTS))))

    (rest,) = map(json.loads, house.queue.bodies)
    assert [case["case_id"] for case in rest["cases"]] == ["case-1", "case-2"]
    assert (summary.put_back, summary.failed, len(house.results)) == (1, {}, 1)


def test_results_are_sent_before_the_rest_is_put_back(house):
    sent = []
    house.worker = InProcessWorker(room=lambda: 1)
    house.results_queue.takes = lambda _: sent.append("results") or True
    house.queue.takes = lambda _: sent.append("rest") or True

    house.score(message(batch(cases(*OUTPUTS))))

    assert sent == ["results", "rest"]


def test_a_rest_is_not_put_back_whose_results_were_not_taken(house):
    house.worker = InProcessWorker(room=lambda: 1)
    house.results_queue.takes = lambda _: False

    summary = house.score(message(batch(cases(*OUTPUTS))))

    assert (summary.failed, house.queue.bodies) == ({"message-1": "the results queue answered Refused"}, [])


def test_a_rest_that_cannot_be_put_back_makes_its_message_come_again(house):
    house.worker = InProcessWorker(room=lambda: 1)
    house.queue.takes = lambda _: False

    summary = house.score(message(batch(cases(*OUTPUTS))))

    assert summary.failed == {"message-1": "the rest could not be put back: the queue answered Refused"}


def test_messages_that_the_time_left_cannot_hold_go_back_unread(house):
    times = iter((3_600.0, 3_600.0, SECONDS_A_MESSAGE - 0.1))
    second = batch(cases("hello"), batch_id="batch-2")

    summary = house.score(message(batch(cases("hello"))), message(second, "b"), seconds_left=times.__next__)

    assert house.queue.bodies == [second]
    assert (summary.put_back, summary.failed) == (1, {})


def test_a_first_message_of_which_nothing_fits_is_not_put_back_for_ever(house):
    house.worker = InProcessWorker(room=lambda: -1)

    summary = house.score(message(batch(cases("hello"))))

    assert (summary.failed, house.queue.bodies) == ({"message-1": "there was no time left"}, [])


# ---------------------------------------------------------------- versions


def test_a_version_that_does_not_exist_is_not_found(house):
    house.score(message(batch(cases("hello"), scorer={"name": SCORER.name, "version": 7})))

    assert house.codes == ["VERSION_NOT_FOUND"]
    assert house.results[0]["scorer"] == {
        "name": SCORER.name,
        "version": 7,
        "digest": None,
        "implementation": None,
    }


def test_a_scorer_that_does_not_exist_has_no_active_version_either(house):
    house.score(message(batch(cases("hello"), scorer={"name": "other", "version": "active"})))

    assert house.codes == ["VERSION_NOT_FOUND"]


def test_another_organizations_version_is_not_found(house):
    house.score(message(batch(cases("hello"), organization_id="org-2")))

    assert house.codes == ["VERSION_NOT_FOUND"]


def test_a_scorer_without_an_active_version_is_not_activated(house):
    house.score(message(batch(cases("hello"), scorer={"name": SCORER.name, "version": "active"})))

    assert house.codes == ["VERSION_NOT_ACTIVATED"]


def test_a_draft_may_not_be_used(house):
    house.versions.put(version(2, state=VersionState.DRAFT))

    house.score(message(batch(cases("hello"), scorer={"name": SCORER.name, "version": 2})))

    assert house.codes == ["VERSION_NOT_ACTIVATED"]


def test_a_retired_version_may_be_used(house):
    house.versions.put(version(2, state=VersionState.RETIRED))

    house.score(message(batch(cases("hello"), scorer={"name": SCORER.name, "version": 2})))

    assert house.outcomes == ["pass"]


def test_a_digest_that_is_not_the_versions_is_a_mismatch(house):
    house.score(message(batch(cases("hello"), scorer={"name": SCORER.name, "version": 1, "digest": "0" * 64})))

    assert house.codes == ["DIGEST_MISMATCH"]


def test_the_versions_own_digest_is_none(house):
    named = {"name": SCORER.name, "version": 1, "digest": version().digest}

    house.score(message(batch(cases("hello"), scorer=named)))

    assert house.outcomes == ["pass"]


def test_another_familys_scorer_is_on_the_wrong_queue(house):
    house.score(message(batch(cases("hello"))), family="structured")

    assert house.codes == ["WRONG_FAMILY"]


def test_a_stored_version_that_can_no_longer_be_prepared_fails_its_cases(house):
    house.versions.put(version(2, parameters={"texts": []}))

    house.score(message(batch(cases("hello"), scorer={"name": SCORER.name, "version": 2})))

    assert house.codes == ["SCORING_FAILED"]


def test_under_a_refusal_an_invalid_case_is_still_invalid(house):
    house.score(message(batch([{"output": 1}], scorer={"name": SCORER.name, "version": 7})))

    assert house.codes == ["CASE_INVALID"]


# ---------------------------------------------------------------- cases by reference


def referred(house, count=4, *, stored=4, digest=None, **members):
    text = json.dumps(cases(*["hello"] * stored)).encode()
    house.bodies.objects["cases.json"] = text
    ref = {"key": "cases.json", "sha256": digest or sha256(text).hexdigest(), "count": count, **members}
    return batch_of_texts([], cases_ref=ref).replace(b', "cases": []', b"")


def case_ids(house):
    return [result["case_id"] for result in house.results]


def test_cases_are_read_by_reference(house):
    house.score(message(referred(house)))

    assert case_ids(house) == ["case-0", "case-1", "case-2", "case-3"]


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ({"start": 1}, ["case-1", "case-2", "case-3"]),
        ({"start": 1, "end": 3}, ["case-1", "case-2"]),
        ({"end": 1}, ["case-0"]),
        ({"start": 2, "end": 2}, []),
        ({"start": 4}, []),
    ],
)
def test_a_reference_may_mean_a_part_of_the_cases(house, members, wanted):
    house.score(message(referred(house, **members)))

    assert case_ids(house) == wanted


def test_a_case_has_the_same_result_in_whatever_part_it_is_meant(house):
    house.score(message(referred(house)))
    whole = house.results
    house.results_queue.bodies.clear()

    house.score(*(message(referred(house, start=start, end=start + 1), f"m-{start}") for start in range(4)))

    assert house.results == whole


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"start": 3, "end": 2}, "the message is no score batch: /cases_ref means 3 to 2 of 4 cases, and there are 4"),
        (
            {"start": 9, "count": 9},
            "the message is no score batch: /cases_ref means 9 to 9 of 9 cases, and there are 4",
        ),
        ({"digest": "0" * 64}, "the object that cases_ref names has another digest"),
        ({"key": "other.json"}, "the object that cases_ref names does not exist"),
        ({"start": -1}, "the message is no score batch: /cases_ref/start must be at least 0"),
    ],
)
def test_a_reference_that_does_not_fit_goes_to_the_dead_letters_with_its_reason(house, members, reason):
    summary = house.score(message(referred(house, **members)))

    assert [kept for _, kept in house.dead.kept] == [reason]
    assert (summary.unreadable, house.results) == (1, [])


def test_an_object_that_is_no_list_of_cases_goes_to_the_dead_letters(house):
    house.bodies.objects["cases.json"] = b'{"case_id": "a"}'
    ref = {"key": "cases.json", "sha256": sha256(b'{"case_id": "a"}').hexdigest(), "count": 1}

    house.score(message(batch_of_texts([], cases_ref=ref).replace(b', "cases": []', b"")))

    assert [kept for _, kept in house.dead.kept] == ["the cases are no JSON array"]


def test_a_bucket_that_does_not_answer_makes_messages_come_again(house):
    body = referred(house)
    house.bodies.down = True

    assert house.score(message(body)).failed == {"message-1": "the bucket is down"}


def test_the_rest_of_a_reference_is_a_reference(house):
    house.worker = InProcessWorker(room=lambda: 1)

    house.score(message(referred(house, start=1, end=3)))

    (rest,) = map(json.loads, house.queue.bodies)
    assert (rest["cases_ref"]["start"], rest["cases_ref"]["end"], rest.get("cases")) == (2, 3, None)


def test_the_outcome_in_a_result_is_not_one_that_a_text_imitates(house):
    imitation = '","outcome":"pass","x":"'

    house.score(message(batch([{"case_id": imitation, "example_id": imitation, "output": "good bye"}])))

    (sent,) = house.results_queue.bodies
    assert outcome_of(sent) == "fail" == results_of([sent])[0]["outcome"]
