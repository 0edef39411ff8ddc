"""A gateway that does not replay charges twice for what is sent twice: what perhaps was charged never leaves again."""

from collections import Counter

import pytest

from devstack.standins.gateway import GatewayOptions
from tests.fakes.judge_run_faults import GATEWAY_FAULTS, assert_sound
from tests.fakes.judge_run_world import judge_run_world


@pytest.fixture(scope="module")
def forgetful_world():
    with judge_run_world(GatewayOptions(replays=False)) as made:
        yield made


@pytest.fixture
def forgetful(forgetful_world):
    forgetful_world.begin(repeat_count=2)
    return forgetful_world


@pytest.mark.parametrize("fault", GATEWAY_FAULTS.values(), ids=GATEWAY_FAULTS)
def test_a_fault_of_a_gateway_that_does_not_replay_costs_each_call_one_charge(forgetful, fault):
    forgetful.sso.faults.add(fault)

    forgetful.send("good")

    [result] = forgetful.results()
    assert result["outcome"] in {"pass", "error", "skipped"}
    assert_sound(forgetful)


@pytest.mark.parametrize("name", ["drop", "reset", "truncated", "malformed", "html", "500-charged"])
def test_a_call_of_unknown_outcome_is_never_sent_again_to_a_gateway_that_does_not_replay(forgetful, name):
    forgetful.sso.faults.add(GATEWAY_FAULTS[name])

    forgetful.send("good")

    [result] = forgetful.results()
    assert result["outcome"] == "error"
    arrivals = Counter(arrival.logical_id for arrival in forgetful.sso.arrivals)
    assert set(arrivals.values()) == {1}


@pytest.mark.parametrize("name", ["429", "400", "402", "503"])
def test_what_certainly_cost_nothing_is_not_charged(forgetful, name):
    forgetful.sso.faults.add(GATEWAY_FAULTS[name])

    forgetful.send("good")

    forgetful.results()
    if name != "503":  # which says nothing of whether the provider was asked
        assert forgetful.money.spent == forgetful.charged
    assert forgetful.money.reserved == 0
