"""A judge version becomes active because one person asked for it and another one approved, and in no other way."""

from dataclasses import replace

import pytest

from evalbook.adapters.dynamodb.table import Table
from evalbook.domain.errors import ParametersRefused, Problem, StoreUnavailable
from evalbook.domain.records import AuditStamp, GovernedBy, Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.services.governance import actions
from evalbook.services.governance.actions import ActionState
from evalbook.services.governance.preconditions import Preconditions
from evalbook.services.registry.ports import Page
from tests.fakes.governed import ANN, BOB, CID, JUDGE, NAME, Governed
from tests.fakes.registry import PROJECT

LAST_MOMENT = "2026-12-07T11:59:59Z"
TOO_LATE = "2026-12-07T12:00:00Z"


@pytest.fixture
def world(client):
    return Governed(client)


def declined(call, *arguments):
    with pytest.raises(Declined) as caught:
        call(*arguments)
    return caught.value


def activated(world):
    return world.house.scorers.activations(PROJECT, NAME, Page("", 100))


def test_a_request_says_who_wants_what_and_changes_nothing(world):
    action = world.get(world.request(reason="better"))

    assert (action.state, action.requested) == (ActionState.REQUESTED, AuditStamp(ANN, "2026-11-30T12:00:00Z"))
    assert (action.target.version, action.reason, action.expires_at) == (1, "better", TOO_LATE)
    assert world.active is None


@pytest.mark.parametrize(
    ("version", "reason"),
    [(9, DeclineReason.VERSION_NOT_FOUND), (3, DeclineReason.ONLY_FOR_JUDGES), (2, DeclineReason.ALREADY_ACTIVE)],
)
def test_what_cannot_be_activated_cannot_be_requested(world, version, reason):
    world.add({"texts": ["a"]}, "contains")
    world.activated(2)

    assert declined(world.request, version).reason is reason


def test_a_version_whose_model_is_gone_cannot_be_requested(world):
    world.catalogs.empty = True

    with pytest.raises(ParametersRefused) as caught:
        world.request()

    assert caught.value.problems == (Problem("/model", "is not in the catalog"),)


def test_a_request_needs_no_catalog_since_it_is_asked_before_anything_is_carried_out(world):
    world.catalogs.down = True

    assert world.get(world.request()).state is ActionState.REQUESTED


def test_the_approval_of_another_person_makes_the_version_active(world):
    action = world.approve(world.request())

    assert (action.state, action.approved, action.activation) == (
        ActionState.CARRIED_OUT,
        AuditStamp(BOB, "2026-11-30T12:00:00Z"),
        1,
    )
    assert world.active == 1


def test_an_activation_names_its_action_and_both_people(world):
    action_id = world.request()
    world.approve(action_id)

    [activation] = activated(world)

    assert (activation.stamp.by, activation.governed) == (BOB, GovernedBy(action_id, ANN))


def test_nobody_approves_what_they_requested(world):
    action_id = world.request()

    assert declined(world.approve, action_id, ANN).reason is DeclineReason.SELF_DECISION
    assert (world.get(action_id).state, world.active) == (ActionState.REQUESTED, None)


def test_nobody_rejects_as_an_approver_what_they_requested(world):
    action_id = world.request()

    assert declined(world.reject, action_id, ANN).reason is DeclineReason.SELF_DECISION
    assert world.get(action_id).state is ActionState.REQUESTED


def test_nobody_resumes_what_they_requested(world):
    action_id = world.request()
    world.catalogs.down = True
    world.approve(action_id)
    world.catalogs.down = False

    assert declined(world.approve, action_id, ANN).reason is DeclineReason.SELF_DECISION
    assert world.active is None


def test_what_was_rejected_is_not_approved_any_more(world):
    action_id = world.request()
    rejected = world.reject(action_id)

    refusal = declined(world.approve, action_id, CID)

    assert (rejected.state, rejected.rejected.by) == (ActionState.REJECTED, BOB)
    assert (refusal.reason, refusal.message) == (DeclineReason.ACTION_NOT_OPEN, "The action is rejected.")
    assert world.active is None


def test_what_was_approved_is_not_rejected_any_more(world):
    action_id = world.request()
    world.catalogs.down = True
    world.approve(action_id)

    assert declined(world.reject, action_id, CID).message == "The action is approved."


def test_a_request_can_be_approved_until_it_expires(world):
    action_id = world.request()
    world.clock.text = LAST_MOMENT

    assert world.approve(action_id).state is ActionState.CARRIED_OUT


def test_a_request_that_has_expired_is_shown_so_and_cannot_be_approved(world):
    action_id = world.request()
    world.clock.text = TOO_LATE
    shown = world.get(action_id).state

    refusal = declined(world.approve, action_id)

    assert (shown, refusal.message, world.active) == (ActionState.EXPIRED, "The action is expired.", None)
    assert world.trail(action_id) == [(ANN, "requested"), (None, "expired")]


def test_another_activation_supersedes_a_request(world):
    older, newer = world.request(1), world.request(2)
    world.approve(newer)
    shown = world.get(older).state

    refusal = declined(world.approve, older)

    assert (shown, refusal.message, world.active) == (ActionState.SUPERSEDED, "The action is superseded.", 2)
    assert world.trail(older) == [(ANN, "requested"), (None, "superseded")]


def test_what_was_superseded_before_it_expired_stays_so(world):
    older = world.request(1)
    world.activated(2)

    world.clock.text = TOO_LATE

    assert world.get(older).state is ActionState.SUPERSEDED


def test_what_had_expired_is_not_superseded_later(world):
    older = world.request(1)
    world.clock.text = TOO_LATE

    world.activated(2)

    assert world.get(older).state is ActionState.EXPIRED


def test_a_model_that_is_gone_when_it_is_carried_out_fails_the_action(world):
    action_id = world.request()
    world.catalogs.empty = True

    refusal = declined(world.approve, action_id)

    problems = (Problem("/model", "is not in the catalog"),)
    assert (refusal.reason, refusal.message, refusal.problems) == (
        DeclineReason.ACTION_NOT_OPEN,
        "The action is failed.",
        problems,
    )
    assert (world.get(action_id).problems, world.active) == (problems, None)
    assert world.trail(action_id) == [(ANN, "requested"), (BOB, "approved"), (None, "failed")]


class OtherRubrics:
    """A store in which the rubric version has another digest than when it was named, or is gone."""

    def __init__(self, found):
        self.found = found

    def rubric_version(self, *_):
        return self.found


@pytest.mark.parametrize(("gone", "pointer"), [(True, "/rubric"), (False, "/rubric/digest")])
def test_a_rubric_that_is_not_as_it_was_named_is_a_problem(world, gone, pointer):
    world.house.rubrics.create(PROJECT, "r", "", ANN)
    content = {"instructions": "Look.", "criteria": [{"key": "k", "title": "T"}]}
    rubric = world.house.rubrics.add_version(PROJECT, "r", content, ANN)
    named = {"name": "r", "version": 1, "digest": rubric.digest}
    number = world.add(JUDGE | {"rubric": named, "prompt_template": "{{rubric}} {{output}}"})
    target = world.get(world.request(number)).target
    other = OtherRubrics(None if gone else replace(rubric, digest="0" * 64))

    problems = Preconditions(world.house.scorers.store, other, world.catalogs).problems(PROJECT, target)

    assert [problem.pointer for problem in problems] == [pointer]


@pytest.mark.parametrize("change", [{"version": 9}, {"digest": "0" * 64}])
def test_a_version_that_is_not_as_it_was_requested_is_a_problem(world, change):
    target = replace(world.get(world.request()).target, **change)

    problems = world.house.judges.course.preconditions.problems(PROJECT, target)

    assert problems == (Problem("/version", "is not there as it was requested"),)


def test_without_a_catalog_no_model_is_confirmed(world):
    target = world.get(world.request()).target
    house = world.house
    preconditions = Preconditions(house.scorers.store, house.rubrics.store, None)

    [problem] = preconditions.problems(PROJECT, target)

    assert problem.pointer == "/model"


def test_without_a_catalog_to_be_had_an_action_stays_approved(world):
    action_id = world.request()
    world.catalogs.down = True

    action = world.approve(action_id)

    assert (action.state, world.active) == (ActionState.APPROVED, None)


def test_an_approved_action_is_resumed_by_approving_it_again(world):
    action_id = world.request()
    world.catalogs.down = True
    world.approve(action_id, BOB)
    world.catalogs.down = False

    action = world.approve(action_id, CID)

    assert (action.state, action.approved.by, world.active) == (ActionState.CARRIED_OUT, BOB, 1)


def test_an_approved_action_is_resumed_on_schedule(world):
    action_id = world.request()
    world.catalogs.down = True
    world.approve(action_id)
    world.catalogs.down = False

    assert world.house.resume.run(10) == {"carried_out": 1}
    assert (world.get(action_id).state, world.active) == (ActionState.CARRIED_OUT, 1)


def test_an_action_that_cannot_be_resumed_lets_others_go_first_for_two_minutes(world):
    world.catalogs.down = True
    world.approve(world.request())

    runs = [world.house.resume.run(10) for _ in range(2)]
    world.clock.text = "2026-11-30T12:02:00Z"

    assert runs == [{"postponed": 1}, {}]
    assert world.house.resume.run(10) == {"postponed": 1}


@pytest.mark.parametrize("fault", ["before", "after"])
@pytest.mark.parametrize("way", ["approval", "schedule"])
def test_a_crash_between_approval_and_activation_is_resumed_to_exactly_one_activation(world, fault, way):
    action_id = world.request()
    getattr(world.actions, fault).append("carry_out")
    with pytest.raises(StoreUnavailable):
        world.approve(action_id)

    if way == "approval":
        world.approve(action_id)
    else:
        world.house.resume.run(10)

    assert world.trail(action_id) == [(ANN, "requested"), (BOB, "approved"), (None, "carried_out")]
    assert [each.version for each in activated(world)] == [1]


def test_an_approval_whose_answer_was_lost_is_carried_out_once(world):
    action_id = world.request()
    world.actions.after.append("take")
    with pytest.raises(StoreUnavailable):
        world.approve(action_id)

    action = world.approve(action_id)

    assert (action.state, len(activated(world))) == (ActionState.CARRIED_OUT, 1)


def test_an_approval_of_what_was_carried_out_answers_the_same(world):
    action_id = world.request()
    first = world.approve(action_id)

    assert world.approve(action_id, CID) == first
    assert len(activated(world)) == 1


def test_an_approved_action_expires_as_well(world):
    action_id = world.request()
    world.catalogs.down = True
    world.approve(action_id)
    world.catalogs.down, world.clock.text = False, TOO_LATE

    assert world.house.resume.run(10) == {"expired": 1}
    assert (world.get(action_id).state, world.active) == (ActionState.EXPIRED, None)


def test_the_schedule_ends_requests_that_have_expired_and_leaves_others_alone(world):
    old = world.request(1)
    world.clock.text = TOO_LATE
    new = world.request(2)

    assert world.house.resume.run(10) == {"expired": 1}
    assert [world.trail(each)[-1][1] for each in (old, new)] == ["expired", "requested"]
    assert world.house.resume.run(10) == {}


def test_an_action_that_fails_to_be_read_does_not_keep_the_schedule_from_the_others(world):
    world.catalogs.down = True
    for number in (1, 2):
        world.approve(world.request(number))
    world.catalogs.down = False
    world.actions.before.append("carry_out")

    assert world.house.resume.run(10) == {"postponed": 1, "carried_out": 1}


def test_an_earlier_version_becomes_active_again_by_an_action_as_well(world):
    world.activated(1)
    world.activated(2)

    world.activated(1)

    assert world.active == 1
    assert [(each.version, each.previous) for each in activated(world)] == [(1, None), (2, 1), (1, 2)]
    assert [each.version.state.value for each in world.house.scorers.versions(PROJECT, NAME, Page("", 9))] == [
        "active",
        "retired",
    ]


def test_a_judge_is_activated_in_no_other_way(world):
    refusal = declined(world.house.activations.activate, PROJECT, NAME, 1, BOB)

    assert (refusal.reason, world.active) == (DeclineReason.NOT_FOR_JUDGES, None)


def test_actions_are_listed_newest_first_and_page_by_page(world):
    ids = []
    for second in range(3):
        world.clock.text = f"2026-11-30T12:00:0{second}Z"
        ids.append(world.request())

    first = world.house.judges.list(PROJECT, Page("", 2))
    second = world.house.judges.list(PROJECT, Page(first[-1].key.action_id, 2))

    assert [each.key.action_id for each in (*first, *second)] == ids[::-1]


def test_an_action_of_another_project_is_not_there(world):
    action_id = world.request()

    refusal = declined(world.house.judges.get, Project("acme", "sales"), action_id)

    assert refusal.reason is DeclineReason.ACTION_NOT_FOUND


def test_a_step_from_a_state_that_has_passed_is_not_written(world):
    action_id = world.request()
    before = world.get(action_id)
    world.reject(action_id)

    written = world.actions.take(actions.approve(before, AuditStamp(CID, "2026-11-30T12:00:00Z"), ""))

    assert (written, world.trail(action_id)) == (False, [(ANN, "requested"), (BOB, "rejected")])


def test_an_event_is_never_written_over(world, monkeypatch):
    monkeypatch.setattr("evalbook.adapters.dynamodb.actions.attempts", lambda: range(2))
    action_id = world.request()
    step = actions.approve(world.get(action_id), AuditStamp(CID, "2026-11-30T12:00:00Z"), "")
    again = replace(step, event=replace(step.event, number=1))

    with pytest.raises(StoreUnavailable, match="too many others"):
        world.actions.take(again)

    assert (world.get(action_id), world.trail(action_id)) == (step.before, [(ANN, "requested")])


def test_a_store_in_which_others_get_in_the_way_is_asked_again(world, monkeypatch):
    action_id = world.request()
    transact, refusals = Table.transact, [False] * 3
    monkeypatch.setattr(Table, "transact", lambda *each: refusals.pop() if refusals else transact(*each))

    assert world.approve(action_id).state is ActionState.CARRIED_OUT


def test_an_action_that_was_carried_out_while_it_was_read_is_not_shown_as_superseded(world):
    action_id = world.request()
    before = world.get(action_id)
    world.approve(action_id)

    assert world.house.judges.course.shown(before) == world.get(action_id)
