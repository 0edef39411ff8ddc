import json
from hashlib import sha256

from tests.fakes.batches import SCORER, batch, batch_of_texts, cases, message

REASON = "given up after too many receives"


def test_every_case_of_a_message_that_is_given_up_gets_a_result(house):
    summary = house.give_up(message(batch(cases("hello", "good bye"))))

    assert house.codes == ["SCORING_FAILED", "SCORING_FAILED"]
    assert (dict(summary.outcomes), summary.failed) == ({"error": 2}, {})


def test_results_of_what_is_given_up_have_the_ids_of_the_results_that_scoring_would_have_given(house):
    body = batch([*cases("hello", "good bye"), {"case_id": "case-0", "output": "hello"}, {"output": "hello"}])
    house.score(message(body))
    scored = house.result_ids
    house.results_queue.bodies.clear()

    house.give_up(message(body))

    assert house.result_ids == scored


def test_the_ids_are_the_same_for_the_version_that_a_run_pinned(house):
    house.versions.activate(SCORER, 1)
    body = batch(cases("hello"), scorer={"name": SCORER.name, "version": "active"})
    house.give_up(message(body))
    given_up = house.result_ids
    house.results_queue.bodies.clear()

    house.score(message(body))

    assert house.result_ids == given_up


def test_the_message_is_kept_as_it_was_with_the_reason(house):
    given = message(batch(cases("hello")), receive_count=3)

    house.give_up(given)

    assert house.dead.kept == [(given, REASON)]


def test_what_cannot_be_read_is_kept_once_with_its_own_reason(house):
    summary = house.give_up(message(b"no JSON"))

    assert [reason for _, reason in house.dead.kept] == ["the message is not JSON: it does not start with { (byte 0)"]
    assert summary.unreadable == 1


def test_a_message_whose_results_are_not_taken_is_not_kept_yet_and_comes_again(house):
    house.results_queue.takes = lambda messages: messages[0].answers == "b"

    summary = house.give_up(message(batch(cases("hello")), "a"), message(batch(cases("hello")), "b"))

    assert summary.failed == {"a": "the results queue answered Refused"}
    assert [kept.message_id for kept, _ in house.dead.kept] == ["b"]


def test_a_message_that_cannot_be_kept_comes_again(house):
    house.dead.down = True

    assert house.give_up(message(batch(cases("hello")))).failed == {"message-1": "the dead-letter queue is down"}


def test_without_time_a_message_comes_again(house):
    summary = house.give_up(message(batch(cases("hello"))), seconds_left=lambda: 1.0)

    assert (summary.failed, house.results, house.dead.kept) == ({"message-1": "there was no time left"}, [], [])


def test_cases_by_reference_are_given_up_too(house):
    text = json.dumps(cases("hello", "hello")).encode()
    house.bodies.objects["key"] = text
    ref = {"key": "key", "sha256": sha256(text).hexdigest(), "count": 2}

    house.give_up(message(batch_of_texts([], cases_ref=ref).replace(b', "cases": []', b"")))

    assert house.codes == ["SCORING_FAILED"] * 2
