import json
import statistics
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code, Outcome
from evalbook.judges.aggregation import RepeatAnswer, Usage, aggregate
from evalbook.judges.decision import ReplyFailure, decide_alone
from evalbook.judges.reply import CitedEvidence, Reply
from tests.unit.judges.judging import BINARY, BY_SCORE_TYPE, CATEGORICAL, CONTINUOUS, ORDINAL, judge, reply, rows

PANELS = rows("judge_panels.jsonl")
REPLY_FAULT = ReplyFailure(Code.REPLY_NOT_JSON)
BUDGET = ReplyFailure(Code.BUDGET_EXHAUSTED)
TIMEOUT = ReplyFailure(Code.TIME_LIMIT)
GATEWAY = ReplyFailure(Code.GATEWAY_5XX)
PASS = reply(verdict="pass", score=1)
FAIL = reply(verdict="fail", score=0)
ABSTAIN = reply(abstain=True)


def judge_run(judgements, raw=BINARY, *, contents=None, exhausted=Outcome.ERROR, **changes):
    parameters = judge(raw, **{"repeat_count": max(1, len(judgements)), **changes})
    return aggregate(parameters, [RepeatAnswer(each) for each in judgements], contents or {}, exhausted=exhausted)


def scores(*values):
    return [reply(score=value) for value in values]


def categories(*values):
    return [reply(verdict=value) for value in values]


def judgement(repeat, score_type):
    if repeat == "error":
        return REPLY_FAULT
    if repeat == "abstain":
        return ABSTAIN
    if score_type == "binary":
        return PASS if repeat == "pass" else FAIL
    return reply(verdict=repeat) if score_type == "categorical" else reply(score=repeat)


def recorded(row):
    threshold = {"pass_threshold": row["pass_threshold"]} if "pass_threshold" in row else {}
    repeats = [judgement(repeat, row["score_type"]) for repeat in row["repeats"]]
    return judge_run(repeats, BY_SCORE_TYPE[row["score_type"]], **threshold)


def judge_runs_that_want(name):
    wanted = [row for row in PANELS if name in row["expected"]]
    return pytest.mark.parametrize("row", wanted, ids=[row["id"] for row in wanted])


@judge_runs_that_want("outcome")
def test_a_recorded_judge_run_comes_to_its_recorded_outcome(row):
    assert recorded(row).outcome == row["expected"]["outcome"]


@judge_runs_that_want("variability")
def test_a_recorded_judge_run_varies_as_recorded(row):
    want = {name: float(value) for name, value in row["expected"]["variability"].items()}

    assert recorded(row).variability == pytest.approx(want, abs=1e-12)


@judge_runs_that_want("score")
def test_a_recorded_judge_run_has_its_recorded_median(row):
    assert recorded(row).score == float(row["expected"]["score"])


@judge_runs_that_want("verdict")
def test_a_recorded_judge_run_has_its_recorded_category(row):
    assert recorded(row).label == row["expected"]["verdict"]


@judge_runs_that_want("abstentions")
def test_a_recorded_judge_run_counts_its_abstentions(row):
    assert recorded(row).abstentions == row["expected"]["abstentions"]


@pytest.mark.parametrize(
    ("judgements", "outcome", "code"),
    [
        ([BUDGET, REPLY_FAULT, TIMEOUT, ABSTAIN], Outcome.ERROR, Code.BUDGET_EXHAUSTED),
        ([TIMEOUT, REPLY_FAULT, PASS, PASS], Outcome.ERROR, Code.REPLY_NOT_JSON),
        ([PASS, GATEWAY, REPLY_FAULT], Outcome.ERROR, Code.GATEWAY_5XX),
        ([ABSTAIN, ABSTAIN, TIMEOUT], Outcome.TIMEOUT, Code.TIME_LIMIT),
        ([ABSTAIN, ABSTAIN, PASS, FAIL], Outcome.ABSTAINED, Code.ABSTAINED),
        ([ABSTAIN, PASS, FAIL], Outcome.INCONCLUSIVE, Code.NO_MAJORITY),
        ([ABSTAIN, PASS, PASS], Outcome.PASS, None),
        ([ABSTAIN, FAIL, FAIL], Outcome.FAIL, None),
    ],
)
def test_budget_comes_before_error_before_timeout_before_abstained_before_inconclusive(judgements, outcome, code):
    result = judge_run(judgements)

    assert (result.outcome, result.code) == (outcome, code)


def test_a_spent_budget_is_what_the_run_makes_of_it():
    result = judge_run([PASS, BUDGET], exhausted=Outcome.SKIPPED)

    assert (result.outcome, result.code) == (Outcome.SKIPPED, Code.BUDGET_EXHAUSTED)


def test_an_error_is_no_skip_in_a_run_that_skips_for_budget():
    assert judge_run([REPLY_FAULT], exhausted=Outcome.SKIPPED).outcome is Outcome.ERROR


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_more_or_fewer_judgements_than_repeats_are_no_verdict(count):
    result = judge_run([PASS] * count, repeat_count=3)

    assert (result.outcome, result.code, result.score) == (Outcome.ERROR, Code.REPLY_COUNT_MISMATCH, None)


@pytest.mark.parametrize(("verdict", "score"), [(PASS, 1), (FAIL, 0)])
def test_the_score_of_a_binary_judge_is_that_of_its_verdict(verdict, score):
    result = judge_run([verdict])

    assert (result.score, result.label) == (score, None)


def test_the_majority_category_is_the_label():
    result = judge_run(categories("partial", "correct", "correct"), CATEGORICAL)

    assert (result.outcome, result.label, result.score) == (Outcome.PASS, "correct", None)


def test_two_passing_categories_do_not_add_up_to_a_majority():
    result = judge_run(categories("correct", "partial"), CATEGORICAL, pass_categories=["correct", "partial"])

    assert (result.outcome, result.label) == (Outcome.INCONCLUSIVE, None)


def test_a_judge_without_threshold_reports_its_score_as_inconclusive():
    result = judge_run(scores(2, 5, 4), ORDINAL, pass_threshold=None)

    assert (result.outcome, result.code, result.score) == (Outcome.INCONCLUSIVE, Code.NO_THRESHOLD, 4)


def test_the_threshold_itself_passes():
    assert judge_run(scores(Decimal("0.6")), CONTINUOUS).outcome is Outcome.PASS


def test_the_median_is_compared_exactly():
    below = judge_run(scores(Decimal("0.59999999999999999999999999999999999999")), CONTINUOUS)

    assert (below.outcome, below.score) == (Outcome.FAIL, 0.6)


def test_the_mean_of_the_two_middle_scores_is_exact():
    result = judge_run(scores(Decimal("0.1"), Decimal("0.2")), CONTINUOUS, pass_threshold=Decimal("0.15"))

    assert result.outcome is Outcome.PASS


@pytest.mark.parametrize("digits", ["1e-400", "0." + "3" * 4_000])
def test_a_score_that_no_double_holds_is_reported_by_the_nearest(digits):
    result = judge_run(scores(Decimal(digits), Decimal(digits)), CONTINUOUS)

    assert result.variability == {"min": float(digits), "max": float(digits), "mean": float(digits), "stdev": 0.0}


def test_one_verdict_agrees_with_itself():
    assert judge_run([FAIL]).variability == {"agreement": 1.0}


def test_one_score_deviates_by_nothing():
    assert judge_run(scores(3), ORDINAL).variability == {"min": 3, "max": 3, "mean": 3, "stdev": 0.0}


@pytest.mark.parametrize("judgements", [[ABSTAIN], [PASS, REPLY_FAULT], [BUDGET]])
def test_a_judge_run_without_votes_or_with_a_failure_has_no_variability(judgements):
    assert judge_run(judgements).variability is None


def test_the_usage_of_all_calls_is_summed_and_labelled():
    answers = [RepeatAnswer(PASS, Usage(10, 2)), RepeatAnswer(REPLY_FAULT, Usage(11, 3)), RepeatAnswer(BUDGET)]

    result = aggregate(judge(repeat_count=3), answers, {})

    assert result.usage == {
        "input_tokens": 21,
        "output_tokens": 5,
        "calls_reported": 2,
        "source": "allocated from SSO usage",
    }


def test_a_judge_run_without_reported_usage_claims_none():
    assert judge_run([PASS]).usage is None


def test_the_rationale_of_one_reply_is_its_summary():
    assert judge_run([reply(verdict="pass", score=1, summary="It is right.")]).body["rationale"] == "It is right."


def test_the_rationale_of_several_replies_tells_them_apart():
    result = judge_run([reply(verdict="pass", score=1, summary="Yes."), reply(verdict="fail", score=0, summary="No.")])

    assert result.body["rationale"] == "Repeat 1: Yes.\n\nRepeat 2: No."


def test_the_body_holds_each_quote_and_whether_it_is_verified():
    quotes = (CitedEvidence("output", "Four"), CitedEvidence("output", "five"))

    result = judge_run([Reply("pass", 1, False, "", quotes, {})], contents={"output": "Four."})

    assert result.body["evidence"] == [
        {"repeat": 1, "source": "output", "quote": "Four", "verified": True},
        {"repeat": 1, "source": "output", "quote": "five", "verified": False},
    ]


def test_the_body_holds_the_extra_fields_as_plain_json():
    fields = {"note": "x", "confidence": Decimal("0.5"), "issues": Decimal("3.0"), "urgent": True, "gone": None}

    result = judge_run([Reply("pass", 1, False, "", (), fields)])

    assert json.loads(json.dumps(result.body))["details"]["replies"][0]["fields"] == {
        "note": "x",
        "confidence": 0.5,
        "issues": 3,
        "urgent": True,
        "gone": None,
    }


def test_usable_replies_beside_an_unusable_one_keep_their_place_in_the_body():
    result = judge_run([REPLY_FAULT, reply(verdict="pass", score=1, summary="Yes.")])

    assert result.body["rationale"] == "Repeat 2: Yes."


def test_a_judge_run_without_a_usable_reply_has_no_body():
    assert judge_run([REPLY_FAULT, TIMEOUT]).body is None


@pytest.mark.parametrize(
    ("result", "explanation"),
    [
        (judge_run([PASS]), "The verdict is pass, by 1 of 1 reply."),
        (judge_run([PASS, PASS, FAIL]), "The verdict is pass, by 2 of 3 replies."),
        (judge_run([ABSTAIN, FAIL, FAIL]), "The verdict is fail, by 2 of 2 replies. 1 of 3 replies abstained."),
        (judge_run([PASS, FAIL]), "No verdict has more than half of 2 replies; the most frequent has 1."),
        (judge_run([ABSTAIN, FAIL]), "1 of 2 replies abstained."),
        (judge_run(categories("wrong"), CATEGORICAL), "The category is wrong, which does not pass, by 1 of 1 reply."),
        (
            judge_run(scores(3, 4), ORDINAL),
            "The median score of 2 replies is 3.5, which is below the pass threshold 4.",
        ),
        (
            judge_run(scores(5), ORDINAL, pass_threshold=None),
            "The median score of 1 reply is 5; the version has no pass threshold.",
        ),
        (
            judge_run([PASS, ReplyFailure(Code.REPLY_WRONG_TYPE, "score")]),
            "Reply 2 of 2, field score: A field of the reply has the wrong type.",
        ),
        (judge_run([PASS], repeat_count=2), "The version asks for 2 replies, and there are 1."),
    ],
)
def test_the_explanation_says_how_the_outcome_was_reached(result, explanation):
    assert result.explanation == explanation


@pytest.mark.parametrize(
    ("judgement", "raw", "outcome"),
    [
        (PASS, BINARY, Outcome.PASS),
        (ABSTAIN, BINARY, Outcome.ABSTAINED),
        (reply(score=3), ORDINAL, Outcome.FAIL),
        (TIMEOUT, BINARY, Outcome.TIMEOUT),
        (REPLY_FAULT, BINARY, Outcome.ERROR),
    ],
)
def test_one_judgement_of_several_has_an_outcome_of_its_own(judgement, raw, outcome):
    assert decide_alone(judge(raw, repeat_count=5), judgement).outcome is outcome


SINGLE = {
    "binary": st.sampled_from([PASS, FAIL]),
    "categorical": st.sampled_from(categories("correct", "partial", "wrong")),
    "ordinal": st.integers(1, 5).map(lambda score: reply(score=score)),
    "continuous": st.decimals(0, 1, places=3).map(lambda score: reply(score=score)),
}


@st.composite
def judge_runs(draw, with_failures=True):
    score_type = draw(st.sampled_from([*SINGLE]))
    others = [ABSTAIN, REPLY_FAULT, TIMEOUT, BUDGET, GATEWAY] if with_failures else [ABSTAIN]
    single = SINGLE[score_type] | SINGLE[score_type] | SINGLE[score_type] | st.sampled_from(others)
    return BY_SCORE_TYPE[score_type], draw(st.lists(single, min_size=1, max_size=10))


@given(judge_runs(), st.randoms())
def test_the_order_of_the_repeats_changes_no_verdict(drawn, random):
    raw, judgements = drawn
    shuffled = random.sample(judgements, len(judgements))

    one, other = judge_run(judgements, raw), judge_run(shuffled, raw)

    assert (one.outcome, one.score, one.label, one.variability) == (
        other.outcome,
        other.score,
        other.label,
        other.variability,
    )


@given(judge_runs())
def test_a_failure_anywhere_leaves_no_verdict(drawn):
    raw, judgements = drawn

    result = judge_run(judgements, raw)

    decided = result.outcome in (Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.ABSTAINED)
    assert decided is not any(isinstance(each, ReplyFailure) for each in judgements)


@given(judge_runs(with_failures=False))
def test_a_code_stands_on_all_but_pass_and_fail(drawn):
    raw, judgements = drawn

    result = judge_run(judgements, raw)

    assert (result.code is None) is (result.outcome in (Outcome.PASS, Outcome.FAIL))


@given(st.lists(st.decimals(0, 1, places=6), min_size=1, max_size=10), st.decimals(0, 1, places=6))
def test_a_scored_judge_run_passes_where_its_median_meets_the_threshold(values, threshold):
    result = judge_run(scores(*values), CONTINUOUS, pass_threshold=threshold)

    middle = statistics.median(Fraction(value) for value in values)
    assert result.outcome is (Outcome.PASS if middle >= Fraction(threshold) else Outcome.FAIL)
