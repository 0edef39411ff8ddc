"""Reading usage and cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.adapters.http.usage import read_usage
from evalbook.judges.estimate import Usage, UsageReport


def usage(**members):
    return read_usage({"usage": {"prompt_tokens": 10, "completion_tokens": 5, **members}}, {})


def test_tokens_are_read():
    assert usage() == UsageReport(Usage(10, 5))


@pytest.mark.parametrize(
    ("reasoning", "total", "written"),
    [
        pytest.param(3, 15, 5, id="a part of the completion, as the total shows"),
        pytest.param(3, None, 5, id="a part of the completion, as it is by definition where no total says otherwise"),
        pytest.param(3, 18, 8, id="beside the completion, as the total shows"),
        pytest.param(7, None, 12, id="beside the completion, which is smaller"),
        pytest.param(7, 22, 12, id="beside the completion, by both"),
        pytest.param(7, 15, 12, id="beside the completion, which a total that leaves it out does not hide"),
        pytest.param(None, 18, 8, id="in the total alone"),
        pytest.param(3, 2, 5, id="a total that is none is not believed"),
        pytest.param(3, True, 5, id="a total of another type is not believed"),
    ],
)
def test_each_token_that_the_model_wrote_counts_once(reasoning, total, written):
    report = usage(completion_tokens_details={"reasoning_tokens": reasoning}, total_tokens=total)

    assert report.usage == Usage(10, written)


@pytest.mark.parametrize("details", [None, [], "3", {}, {"reasoning_tokens": -1}, {"reasoning_tokens": 1.5}])
def test_details_that_say_nothing_change_nothing(details):
    assert usage(completion_tokens_details=details).usage == Usage(10, 5)


def test_a_count_of_no_input_tokens_is_no_usage():
    assert usage(prompt_tokens=0, completion_tokens=0).usage is None


@pytest.mark.parametrize("members", [{"prompt_tokens": None}, {"completion_tokens": -1}, {"prompt_tokens": True},
                                     {"prompt_tokens": "10"}, {"completion_tokens": 1.5}])  # fmt: skip
def test_malformed_tokens_are_no_usage(members):
    assert usage(**members).usage is None


def test_a_cost_in_dollars_becomes_micro_dollars_rounded_up():
    assert usage(cost=0.0000071).cost == 8


def test_a_cost_of_whole_micro_dollars_is_kept_exactly():
    assert usage(cost=0.000123).cost == 123


def test_a_cost_is_taken_from_litellms_header():
    report = read_usage({}, {"x-litellm-response-cost": "4.9999999999999996e-05"})

    assert report == UsageReport(None, 50)


def test_the_bodys_cost_comes_before_the_headers():
    report = read_usage({"usage": {"cost": 0.000001}}, {"x-litellm-response-cost": "1"})

    assert report.cost == 1


@pytest.mark.parametrize(
    "cost", [-1, "NaN", "Infinity", "1e9999999999999999999", "free", True, [], 10**9, float("inf")]
)
def test_a_cost_that_cannot_be_is_not_stated(cost):
    assert usage(cost=cost).cost is None


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just([]), st.text())
def test_whatever_is_stated_is_read_or_left_out(value, header):
    report = read_usage({"usage": {"prompt_tokens": value, "completion_tokens": value, "cost": value}},
                     {"x-litellm-response-cost": header})  # fmt: skip

    assert report.cost is None or report.cost >= 0
