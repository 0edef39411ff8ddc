import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.judges.replay import replay
from tests.unit.judges.judging import BINARY, BY_SCORE_TYPE, ORDINAL, members, rows

ROWS = rows("judge_replies.jsonl")
CASE = {"case_id": "c-1", "input": "Two and two?", "output": "Four.", "expected": "4"}
STOPPED = {"content": json.dumps(members()), "finish_reason": "stop"}


def line(**changes):
    return {"id": "l-1", "judge": BINARY, "case": CASE, "replies": [STOPPED], **changes}


def verified(result):
    flags = [evidence["verified"] for evidence in result["body"]["evidence"]]
    return [sum(flags), len(flags)]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_recorded_reply_comes_to_its_recorded_outcome(row):
    result = replay(row)

    assert result["outcome"] == row["want"]["outcome"]


WITH_CODE = [row for row in ROWS if "reply_code" in row["want"]]
WITH_SCORE = [row for row in ROWS if "score" in row["want"]]


@pytest.mark.parametrize("row", WITH_CODE, ids=[row["id"] for row in WITH_CODE])
def test_a_recorded_unusable_reply_has_its_recorded_code(row):
    result = replay(row)

    code = f"REPLY_{row['want']['reply_code']}"
    assert (result["code"], result["replies"]) == (code, [{"outcome": "error", "code": code}])


@pytest.mark.parametrize("row", WITH_SCORE, ids=[row["id"] for row in WITH_SCORE])
def test_a_recorded_usable_reply_has_its_recorded_score_label_and_evidence(row):
    result = replay(row)

    want = row["want"]
    assert (result["score"], result["label"], verified(result)) == (
        want["score"],
        want["label"],
        want["evidence_verified"],
    )


def test_a_result_has_every_member_that_the_command_promises():
    result = replay(line())

    assert list(result) == [
        "id",
        "outcome",
        "code",
        "score",
        "label",
        "assurance",
        "variability",
        "abstentions",
        "explanation",
        "body",
        "replies",
    ]


def test_a_judges_result_is_a_reported_one():
    assert replay(line())["assurance"] == "reported"


def test_each_reply_has_its_own_outcome_and_code():
    unusable = {"content": "pass", "finish_reason": "stop"}

    result = replay(line(judge=BINARY | {"repeat_count": 2}, replies=[STOPPED, unusable]))

    assert result["replies"] == [{"outcome": "pass", "code": None}, {"outcome": "error", "code": "REPLY_NOT_JSON"}]


def test_parameters_that_no_version_could_have_are_refused_with_every_problem():
    result = replay(line(judge=BINARY | {"temperature": 3, "repeat_count": 0}))

    assert (result["id"], [problem["pointer"] for problem in result["refused"]]) == (
        "l-1",
        ["/repeat_count", "/temperature"],
    )


@pytest.mark.parametrize("given_judge", [None, [], "judge"])
def test_a_judge_that_is_no_object_is_refused(given_judge):
    assert [problem["pointer"] for problem in replay(line(judge=given_judge))["refused"]] == [""]


@pytest.mark.parametrize("case", [None, [], "case", 5, {"output": "Four."}, CASE | {"case_id": ""}, CASE | {"refs": 1}])
def test_a_case_that_cannot_be_read_is_an_error(case):
    result = replay(line(case=case))

    assert (result["outcome"], result["code"]) == ("error", "CASE_INVALID")


def test_a_case_without_output_is_unsupported():
    result = replay(line(case={"case_id": "c-1", "input": "Two and two?"}))

    assert (result["outcome"], result["code"]) == ("unsupported", "OUTPUT_UNAVAILABLE")


@pytest.mark.parametrize("name", ["input", "output", "expected"])
def test_a_case_whose_content_is_held_in_a_stored_trace_is_unsupported(name):
    case = {key: value for key, value in CASE.items() if key != name}

    result = replay(line(case=case | {"refs": {name: {"span_id": "s-1", "field": "output"}}}))

    assert (result["outcome"], result["code"]) == ("unsupported", "CONTENT_UNAVAILABLE")


def test_an_output_of_null_is_an_output():
    assert replay(line(case=CASE | {"output": None}))["outcome"] == "pass"


@pytest.mark.parametrize("replies", [None, [], "pass", {}, [STOPPED, STOPPED]])
def test_other_than_repeat_count_replies_are_an_error(replies):
    result = replay(line(replies=replies))

    assert (result["outcome"], result["code"]) == ("error", "REPLY_COUNT_MISMATCH")


@pytest.mark.parametrize(
    ("recorded", "code"),
    [
        (None, "REPLY_UNEXPECTED_FINISH"),
        ("pass", "REPLY_UNEXPECTED_FINISH"),
        ({}, "REPLY_UNEXPECTED_FINISH"),
        ({"finish_reason": "stop"}, "REPLY_EMPTY"),
        ({"finish_reason": "stop", "content": None}, "REPLY_EMPTY"),
        ({"finish_reason": "stop", "content": 1}, "REPLY_NOT_JSON"),
        ({"finish_reason": "stop", "content": members()}, "REPLY_NOT_JSON"),
    ],
)
def test_a_recorded_reply_of_the_wrong_shape_is_an_error(recorded, code):
    assert replay(line(replies=[recorded]))["code"] == code


def test_a_quote_is_checked_against_the_parts_that_the_template_shows():
    cites = members(cited_evidence=[{"source": name, "quote": "Four"} for name in ("input", "output", "expected")])
    case = CASE | {"input": "Four?", "expected": "Four"}

    result = replay(
        line(
            judge=BINARY | {"prompt_template": "{{output}} {{input}}"},
            case=case,
            replies=[{"content": json.dumps(cites), "finish_reason": "stop"}],
        )
    )

    assert [evidence["verified"] for evidence in result["body"]["evidence"]] == [True, True, False]


def test_a_quote_of_a_json_output_is_checked_against_the_text_that_the_judge_saw():
    cites = members(cited_evidence=[{"source": "output", "quote": '{ "answer": 4 }'}])

    result = replay(
        line(case=CASE | {"output": {"answer": 4}}, replies=[{"content": json.dumps(cites), "finish_reason": "stop"}])
    )

    assert verified(result) == [1, 1]


def test_nothing_outside_the_body_holds_text_of_the_case_or_the_judge():
    marked = {name: f"MARKER {name}" for name in ("case_id", "input", "output", "expected")}
    content = members(reasoning_summary="MARKER", cited_evidence=[{"source": "MARKER", "quote": "MARKER"}])
    broken = content | {"MARKER": 1}

    results = [
        replay(line(case=marked, replies=[{"content": json.dumps(each), "finish_reason": "stop"}]))
        for each in (content, broken, content | {"verdict": "MARKER"})
    ]

    assert "MARKER" not in json.dumps([result | {"body": None} for result in results])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(changes=st.dictionaries(st.sampled_from(["id", "judge", "case", "replies"]), JSON))
def test_any_line_has_a_result_that_is_json(changes):
    result = replay(line(**changes))

    assert json.loads(json.dumps(result)) == result


@given(judge=st.sampled_from([*BY_SCORE_TYPE.values(), ORDINAL]), recorded=st.lists(JSON, min_size=1, max_size=10))
def test_no_recorded_rubbish_becomes_a_verdict(judge, recorded):
    result = replay(line(judge=judge | {"repeat_count": len(recorded)}, replies=recorded))

    assert result["outcome"] == "error"
