"""Whatever people do and wherever it breaks off, actions and activations tell one story."""

from contextlib import suppress
from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from evalbook.domain.errors import ParametersRefused, StoreUnavailable
from evalbook.domain.refusals import Declined
from evalbook.services.governance.actions import ActionState
from evalbook.services.registry.ports import Page
from tests.fakes.governed import ANN, BOB, CID, NAME, Governed
from tests.fakes.registry import PROJECT

EVERYTHING = Page("", 100)
PEOPLE = st.sampled_from([ANN, BOB, CID])
WHICH = st.integers(0, 3)
DEEDS = st.one_of(
    st.tuples(st.just("request"), st.integers(1, 2), PEOPLE),
    st.tuples(st.just("approve"), WHICH, PEOPLE),
    st.tuples(st.just("reject"), WHICH, PEOPLE),
    st.tuples(st.just("resume")),
    st.tuples(st.just("wait"), st.integers(1, 4)),
    st.tuples(st.just("catalog"), st.booleans(), st.booleans()),
    st.tuples(st.just("crash"), st.sampled_from(["before", "after"]), st.sampled_from(["take", "carry_out"])),
)


class Story:
    """Does deeds, one after the other, and knows which actions there are."""

    def __init__(self, client):
        self.world, self.ids, self.day = Governed(client), [], date(2026, 11, 30)

    def do(self, name, *arguments):
        with suppress(Declined, ParametersRefused, StoreUnavailable):
            getattr(self, name)(*arguments)

    def request(self, version, by):
        self.ids.append(self.world.request(version, by))

    def approve(self, which, by):
        if self.ids:
            self.world.approve(self.ids[which % len(self.ids)], by)

    def reject(self, which, by):
        if self.ids:
            self.world.reject(self.ids[which % len(self.ids)], by)

    def resume(self):
        self.world.house.resume.run(10)

    def wait(self, days):
        self.day += timedelta(days=days)
        self.world.clock.text = f"{self.day}T12:00:00Z"

    def catalog(self, down, empty):
        self.world.catalogs.down, self.world.catalogs.empty = down, empty

    def crash(self, when, method):
        getattr(self.world.actions, when).append(method)


@settings(max_examples=25, deadline=None)
@given(deeds=st.lists(DEEDS, min_size=5, max_size=25))
def test_every_activation_has_one_action_two_people_and_an_unbroken_trail(client, deeds):
    story = Story(client)
    for deed in deeds:
        story.do(*deed)

    house = story.world.house
    actions = house.judges.course.store.store.actions(PROJECT, "", 100)
    activations = house.scorers.activations(PROJECT, NAME, EVERYTHING)
    done = {each.key.action_id: each for each in actions if each.state is ActionState.CARRIED_OUT}
    assert sorted(each.governed.action_id for each in activations) == sorted(done)
    for activation in activations:
        action = done[activation.governed.action_id]
        assert (action.activation, action.target.version) == (activation.number, activation.version)
        assert (action.requested.by, action.approved.by) == (activation.governed.requested_by, activation.stamp.by)
        assert action.approved.by != action.requested.by
    assert story.world.active == (activations[-1].version if activations else None)
    for action in actions:
        events = house.judges.events(action)
        assert [each.number for each in events] == list(range(1, action.events + 1))
        assert all(before.after is after.before for before, after in pairwise(events))
        assert (events[0].before, events[-1].after) == (None, action.state)
