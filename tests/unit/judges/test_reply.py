import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code
from evalbook.judges.aggregation import verifier
from evalbook.judges.reply import FINISHES, CitedEvidence, RawReply, parse_reply
from evalbook.judges.reply_json import ReplyUnusable
from tests.unit.judges.judging import (
    BY_SCORE_TYPE,
    CATEGORICAL,
    CONTINUOUS,
    EXTRA_VALUES,
    EXTRAS,
    ORDINAL,
    judge,
    members,
    raw,
)

VALID = json.dumps(members())
WITH_EXTRAS = judge(output_fields=EXTRAS)
SCORED = {"verdict": None}


def code_of(reply, parameters=None):
    with pytest.raises(ReplyUnusable) as unusable:
        parse_reply(reply, parameters or judge())
    return unusable.value.code.removeprefix("REPLY_")


def scored(literal, parameters):
    """Parse a scored reply whose score is spelled *literal*."""
    return parse_reply(raw(VALID.replace('"score": 1', f'"score": {literal}').replace('"pass"', "null")), parameters)


def test_a_valid_reply_is_read():
    reply = parse_reply(raw(VALID), judge())

    assert (reply.verdict, reply.score, reply.abstain, reply.reasoning_summary) == ("pass", 1, False, "Right.")


@pytest.mark.parametrize("finish", [word for word, code in FINISHES.items() if code is None])
def test_each_known_word_for_a_natural_end_is_accepted(finish):
    assert parse_reply(raw(VALID, finish_reason=finish), judge()).verdict == "pass"


@pytest.mark.parametrize(
    "finish",
    ["STOP", "End_Turn", "EoS", "stop-sequence", "finishreason.stop", "StopReason.END_TURN", "FINISH_REASON_STOP"],
)
def test_a_known_word_counts_however_its_server_spells_it(finish):
    assert parse_reply(raw(VALID, finish_reason=finish), judge()).verdict == "pass"


@pytest.mark.parametrize("finish", ["STOP", "stop_sequence", "COMPLETE"])
def test_a_natural_end_makes_no_half_reply_whole(finish):
    assert code_of(raw(VALID[:-2], finish_reason=finish)) == "NOT_JSON"


@pytest.mark.parametrize(
    ("finish", "code"),
    [
        ("length", "TRUNCATED"),
        ("max_tokens", "TRUNCATED"),
        ("content_filter", "FILTERED"),
        ("refusal", "REFUSED"),
        ("tool_calls", "UNEXPECTED_FINISH"),
        ("function_call", "UNEXPECTED_FINISH"),
        ("LENGTH", "TRUNCATED"),
        ("FinishReason.MAX_TOKENS", "TRUNCATED"),
        ("not-finished", "TRUNCATED"),
        ("Content-Filter", "FILTERED"),
        ("SPII", "FILTERED"),
        ("Refusal", "REFUSED"),
        (" stop", "UNEXPECTED_FINISH"),
        ("stop_by_operator", "UNEXPECTED_FINISH"),
        ("Unreasonable.STOP", "UNEXPECTED_FINISH"),
        ("FinishReason.", "UNEXPECTED_FINISH"),
        ("FinishReason.FinishReason.STOP", "UNEXPECTED_FINISH"),
        ("end_to\N{KELVIN SIGN}en", "UNEXPECTED_FINISH"),
        ("eos_to\N{KELVIN SIGN}en", "UNEXPECTED_FINISH"),
        ("pause_turn", "UNEXPECTED_FINISH"),
        ("abort", "UNEXPECTED_FINISH"),
        ("", "UNEXPECTED_FINISH"),
        (None, "UNEXPECTED_FINISH"),
        (True, "UNEXPECTED_FINISH"),
        (0, "UNEXPECTED_FINISH"),
        (["stop"], "UNEXPECTED_FINISH"),
        ({"reason": "stop"}, "UNEXPECTED_FINISH"),
    ],
)
def test_any_other_end_makes_a_complete_reply_unusable(finish, code):
    assert code_of(raw(VALID, finish_reason=finish)) == code


@pytest.mark.parametrize("refusal", ["No.", {"text": "No."}, False, 0])
def test_a_refusal_makes_a_complete_reply_unusable(refusal):
    assert code_of(raw(VALID, refusal=refusal)) == "REFUSED"


@pytest.mark.parametrize("tool_calls", [[{"name": "grade"}], {}, "grade", 0])
def test_a_tool_call_makes_a_complete_reply_unusable(tool_calls):
    assert code_of(raw(VALID, tool_calls=tool_calls)) == "UNEXPECTED_FINISH"


def test_an_empty_refusal_and_an_empty_list_of_tool_calls_say_nothing():
    assert parse_reply(raw(VALID, refusal="", tool_calls=[]), judge()).verdict == "pass"


def test_the_finish_reason_comes_before_emptiness():
    assert code_of(raw("", finish_reason="length")) == "TRUNCATED"


@pytest.mark.parametrize("content", [None, "", " ", "\n\t\r "])
def test_a_reply_without_text_is_empty(content):
    assert code_of(raw(content)) == "EMPTY"


@pytest.mark.parametrize(
    "content",
    [
        5,
        True,
        [VALID],
        [{"type": "text", "text": VALID}],
        "pass",
        "nan",
        "\u00a0",
        "\ufeff" + VALID,
        "\u00a0" + VALID,
        VALID + "\u2028",
        VALID + "\0",
        VALID + VALID,
        VALID + ",",
        VALID + "\nDone.",
        VALID[:-1],
        f"```json\n{VALID}\n```",
        f"[{VALID}",
        VALID.replace('"', "'"),
        VALID.replace("false}", "false,}"),
        VALID.replace("false}", "False}"),
        VALID.replace("Right.", "Right.\n"),
        VALID.replace("Right.", "\\x41"),
        VALID.replace("Right.", "\\u00g1"),
        VALID.replace("1,", "01,"),
        VALID.replace("1,", "1.,"),
        VALID.replace("1,", ".1e1,"),
        VALID.replace("1,", "0x1,"),
        VALID.replace("1,", "١,"),
        VALID.replace("1,", "1_0,"),
        VALID.replace("1,", "NaN,").removesuffix("}"),
    ],
)
def test_what_is_not_one_json_value_is_not_json(content):
    assert code_of(raw(content)) == "NOT_JSON"


@pytest.mark.parametrize("content", ["[]", "null", "5", "true", '"pass"', f"[{VALID}]", json.dumps(VALID)])
def test_json_that_is_no_object_is_told(content):
    assert code_of(raw(content)) == "NOT_AN_OBJECT"


@pytest.mark.parametrize("around", [" ", "\t", "\r\n", "\n \t\r\n"])
def test_json_white_space_may_stand_around_the_object(around):
    assert parse_reply(raw(around + VALID + around), judge()).verdict == "pass"


@pytest.mark.parametrize(
    ("spelled", "code"),
    [
        ("NaN", "NON_FINITE_NUMBER"),
        ("-Infinity", "NON_FINITE_NUMBER"),
        ("1e400", "NON_FINITE_NUMBER"),
        ("-1E+309", "NON_FINITE_NUMBER"),
        ("1e99999999999999999999", "NON_FINITE_NUMBER"),
        ("9" * 5_000, "NUMBER_OUT_OF_RANGE"),
        ("0." + "3" * 5_000, "NUMBER_OUT_OF_RANGE"),
        ("1e-" + "9" * 30, "NUMBER_OUT_OF_RANGE"),
        ("1e-" + "9" * 5_000, "NUMBER_OUT_OF_RANGE"),
        ('"\\ud83d"', "LONE_SURROGATE"),
        ('"\ud83d"', "LONE_SURROGATE"),
        ('"\\udc4d\\ud83d"', "LONE_SURROGATE"),
        ("[" * 8 + "]" * 8, "TOO_DEEP"),
        ("[" * 400 + "]" * 400, "TOO_DEEP"),
        ("[" * 100_000 + "]" * 100_000, "TOO_DEEP"),
        ('{"a": 1, "a": 1}', "DUPLICATE_KEY"),
        ('{"a": 1, "\\u0061": 1}', "DUPLICATE_KEY"),
    ],
)
def test_json_beyond_the_bounds_is_unusable_wherever_it_stands(spelled, code):
    assert code_of(raw(VALID.replace('"Right."', spelled))) == code


def test_eight_levels_are_not_too_deep():
    assert code_of(raw(VALID.replace('"Right."', "[" * 7 + "]" * 7))) == "WRONG_TYPE"


def test_a_lone_surrogate_in_a_key_is_told():
    assert code_of(raw(VALID.replace("verdict", "\\udc00"))) == "LONE_SURROGATE"


def test_a_nul_and_an_empty_text_are_texts():
    reply = parse_reply(raw(members(reasoning_summary="", cited_evidence=[{"source": "\0", "quote": ""}])), judge())

    assert (reply.reasoning_summary, reply.evidence) == ("", (CitedEvidence("\0", ""),))


@pytest.mark.parametrize("name", [*members(), *EXTRA_VALUES])
def test_no_field_may_be_missing(name):
    content = members(**EXTRA_VALUES)
    del content[name]

    assert code_of(raw(content), WITH_EXTRAS) == "MISSING_FIELD"


@pytest.mark.parametrize("name", ["confidence", "Verdict", "verdict ", "", "reasoning"])
def test_no_field_may_be_added(name):
    assert code_of(raw(members(**{name: 1}))) == "UNKNOWN_FIELD"


def test_a_renamed_field_is_missing_rather_than_unknown():
    assert code_of(raw(VALID.replace("verdict", "Verdict"))) == "MISSING_FIELD"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"verdict": True}, "WRONG_TYPE"),
        ({"verdict": 1}, "WRONG_TYPE"),
        ({"verdict": ["pass"]}, "WRONG_TYPE"),
        ({"verdict": None}, "WRONG_TYPE"),
        ({"verdict": "Pass"}, "NOT_A_VERDICT"),
        ({"verdict": ""}, "NOT_A_VERDICT"),
        ({"verdict": "p\u0430ss"}, "NOT_A_VERDICT"),
        ({"verdict": "passed", "score": "1"}, "NOT_A_VERDICT"),
        ({"score": None}, "WRONG_TYPE"),
        ({"score": True}, "WRONG_TYPE"),
        ({"score": "1"}, "WRONG_TYPE"),
        ({"score": 2}, "OUT_OF_RANGE"),
        ({"score": 0.5}, "OUT_OF_RANGE"),
        ({"score": -1}, "OUT_OF_RANGE"),
        ({"score": 0}, "VERDICT_SCORE_CONTRADICTION"),
        ({"score": 1, "verdict": "fail"}, "VERDICT_SCORE_CONTRADICTION"),
        ({"score": 0, "reasoning_summary": None}, "VERDICT_SCORE_CONTRADICTION"),
        ({"abstain": None}, "WRONG_TYPE"),
        ({"abstain": "false"}, "WRONG_TYPE"),
        ({"abstain": 0}, "WRONG_TYPE"),
        ({"abstain": "true", "verdict": None, "score": None}, "WRONG_TYPE"),
        ({"reasoning_summary": None}, "WRONG_TYPE"),
        ({"reasoning_summary": ["Right."]}, "WRONG_TYPE"),
        ({"reasoning_summary": "x" * 1_201}, "TOO_LONG"),
        ({"cited_evidence": None}, "WRONG_TYPE"),
        ({"cited_evidence": {}}, "WRONG_TYPE"),
        ({"cited_evidence": "output"}, "WRONG_TYPE"),
        ({"cited_evidence": [None]}, "WRONG_TYPE"),
        ({"cited_evidence": [{"source": "output"}]}, "EVIDENCE_SHAPE"),
        ({"cited_evidence": [{"source": "output", "quote": "a", "page": 1}]}, "EVIDENCE_SHAPE"),
        ({"cited_evidence": [{"source": "output", "quote": None}]}, "WRONG_TYPE"),
        ({"cited_evidence": [{"source": 1, "quote": "a"}]}, "WRONG_TYPE"),
        ({"cited_evidence": [{"source": "output", "quote": "x" * 301}]}, "TOO_LONG"),
        ({"cited_evidence": [{"source": "output", "quote": "x"}] * 11}, "TOO_MANY_EVIDENCE"),
    ],
)
def test_a_field_that_breaks_the_contract_is_told(change, code):
    assert code_of(raw(members(**change))) == code


def test_lengths_count_code_points():
    content = members(
        reasoning_summary="\U0001f44d" * 1_200, cited_evidence=[{"source": "output", "quote": "\U0001f44d" * 300}] * 10
    )

    assert len(parse_reply(raw(content), judge()).evidence) == 10


@pytest.mark.parametrize(
    ("raw_judge", "literal", "score"),
    [
        (ORDINAL, "5.0", 5),
        (ORDINAL, "50e-1", 5),
        (ORDINAL, "0.1E1", 1),
        (CONTINUOUS, "-0", 0),
        (CONTINUOUS, "-0.0", 0),
        (CONTINUOUS, "1.000", 1),
        (CONTINUOUS, "0.30000000000000000001", Decimal("0.30000000000000000001")),
        (CONTINUOUS, "1e-400", Decimal("1e-400")),
    ],
)
def test_a_score_is_read_by_its_literal(raw_judge, literal, score):
    reply = scored(literal, judge(raw_judge))

    assert (reply.score, type(reply.score)) == (score, type(score))


@pytest.mark.parametrize(
    ("raw_judge", "literal", "code"),
    [
        (ORDINAL, "4.9999999999999999", "WRONG_TYPE"),
        (ORDINAL, "5.00000000000000000000000000000000000001", "WRONG_TYPE"),
        (ORDINAL, "5.5", "WRONG_TYPE"),
        (ORDINAL, "true", "WRONG_TYPE"),
        (ORDINAL, "null", "WRONG_TYPE"),
        (ORDINAL, '"5"', "WRONG_TYPE"),
        (ORDINAL, "[5]", "WRONG_TYPE"),
        (ORDINAL, "6", "OUT_OF_RANGE"),
        (ORDINAL, "0", "OUT_OF_RANGE"),
        (ORDINAL, "9" * 400, "OUT_OF_RANGE"),
        (CONTINUOUS, "1.00000000000000000000000000000000000001", "OUT_OF_RANGE"),
        (CONTINUOUS, "-1e-400", "OUT_OF_RANGE"),
        (CONTINUOUS, "90", "OUT_OF_RANGE"),
    ],
)
def test_a_score_off_the_scale_is_unusable(raw_judge, literal, code):
    with pytest.raises(ReplyUnusable) as unusable:
        scored(literal, judge(raw_judge))

    assert unusable.value.code.removeprefix("REPLY_") == code


def test_a_scored_judge_gives_no_verdict():
    assert code_of(raw(members(score=4)), judge(ORDINAL)) == "VERDICT_NOT_ALLOWED"


def test_a_categorical_judge_gives_no_score():
    assert code_of(raw(members(verdict="correct")), judge(CATEGORICAL)) == "SCORE_NOT_ALLOWED"


@pytest.mark.parametrize("verdict", ["Correct", "correct ", "pass", "N/A", ""])
def test_only_a_declared_category_is_a_category(verdict):
    assert code_of(raw(members(verdict=verdict, score=None)), judge(CATEGORICAL)) == "NOT_A_CATEGORY"


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("severity", "Low", "NOT_IN_ENUM"),
        ("severity", None, "NOT_IN_ENUM"),
        ("severity", ["low"], "NOT_IN_ENUM"),
        ("issues", 2.5, "WRONG_TYPE"),
        ("issues", True, "WRONG_TYPE"),
        ("issues", None, "WRONG_TYPE"),
        ("issues", 11, "OUT_OF_RANGE"),
        ("issues", -1, "OUT_OF_RANGE"),
        ("confidence", "0.5", "WRONG_TYPE"),
        ("confidence", 10**400, "OUT_OF_RANGE"),
        ("urgent", 1, "WRONG_TYPE"),
        ("urgent", "true", "WRONG_TYPE"),
        ("note", 5, "WRONG_TYPE"),
        ("note", "longer", "TOO_LONG"),
    ],
)
def test_an_extra_field_that_breaks_its_bounds_is_told(name, value, code):
    assert code_of(raw(members(**EXTRA_VALUES | {name: value})), WITH_EXTRAS) == code


def test_the_extra_fields_are_kept():
    reply = parse_reply(raw(members(**EXTRA_VALUES)), WITH_EXTRAS)

    assert reply.fields == EXTRA_VALUES


ABSTAINING = {"abstain": True, "verdict": None, "score": None}


@pytest.mark.parametrize(
    ("raw_judge", "change"),
    [
        *((raw_judge, {}) for raw_judge in BY_SCORE_TYPE.values()),
        (BY_SCORE_TYPE["binary"], {"verdict": "pass", "score": 1}),
        (BY_SCORE_TYPE["binary"], {"verdict": "pass", "score": 0}),
        (BY_SCORE_TYPE["binary"], {"verdict": "fail"}),
        (CATEGORICAL, {"verdict": "correct"}),
        (ORDINAL, {"score": 5}),
    ],
)
def test_an_abstention_ignores_a_null_or_valid_verdict_and_score(raw_judge, change):
    reply = parse_reply(raw(members(**ABSTAINING | change)), judge(raw_judge))

    assert (reply.abstain, reply.verdict, reply.score) == (True, None, None)


@pytest.mark.parametrize(
    ("raw_judge", "change", "code"),
    [
        (BY_SCORE_TYPE["binary"], {"verdict": "unsure"}, "NOT_A_VERDICT"),
        (BY_SCORE_TYPE["binary"], {"score": 7}, "OUT_OF_RANGE"),
        (CATEGORICAL, {"score": 1}, "SCORE_NOT_ALLOWED"),
        (ORDINAL, {"score": 6}, "OUT_OF_RANGE"),
        (ORDINAL, {"verdict": "pass"}, "VERDICT_NOT_ALLOWED"),
        (ORDINAL, {"reasoning_summary": None}, "WRONG_TYPE"),
        (ORDINAL, {"cited_evidence": None}, "WRONG_TYPE"),
    ],
)
def test_an_abstention_excuses_nothing_else(raw_judge, change, code):
    assert code_of(raw(members(**ABSTAINING | change)), judge(raw_judge)) == code


def test_extra_fields_may_be_null_in_an_abstention():
    reply = parse_reply(raw(members(**ABSTAINING, **dict.fromkeys(EXTRA_VALUES))), WITH_EXTRAS)

    assert reply.fields == dict.fromkeys(EXTRA_VALUES)


def test_extra_fields_of_an_abstention_keep_their_bounds():
    assert code_of(raw(members(**ABSTAINING, **EXTRA_VALUES | {"issues": 11})), WITH_EXTRAS) == "OUT_OF_RANGE"


@pytest.mark.parametrize(
    ("source", "quote", "verified"),
    [
        ("output", "Canberra is\tthe \n capital.", True),
        ("output", "  capital. ", True),
        ("output", "cafe\u0301", True),
        ("output", "canberra", False),
        ("output", "", False),
        ("output", " \n", False),
        ("input", "Canberra", False),
        ("Output", "Canberra", False),
        ("elsewhere", "Canberra", False),
    ],
)
def test_a_quote_is_verified_where_it_stands_in_the_fence_that_it_names(source, quote, verified):
    contents = {"output": "Canberra  is the capital. Caf\u00e9, caf\u00e9.", "input": "Capital?"}

    assert verifier(contents)(CitedEvidence(source, quote)) is verified


def test_an_unusable_reply_names_the_field_and_quotes_nothing():
    with pytest.raises(ReplyUnusable) as unusable:
        parse_reply(raw(members(verdict="SECRET")), judge())

    assert str(unusable.value) == f"verdict: {Code.REPLY_NOT_A_VERDICT.meaning}"


@pytest.mark.parametrize("content", ['{"SECRET": ', '{"SECRET": 1}', '"SECRET"', VALID + "SECRET"])
def test_no_error_of_a_reply_carries_its_text(content):
    with pytest.raises(ReplyUnusable) as unusable:
        parse_reply(raw(content), judge())

    chain = [unusable.value, unusable.value.__cause__]
    assert not any("SECRET" in repr(vars(error)) + str(error) for error in chain if error is not None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
JUDGES = st.sampled_from([judge(each, output_fields=EXTRAS) for each in BY_SCORE_TYPE.values()])


def outcome_of(reply, parameters):
    try:
        return parse_reply(reply, parameters)
    except ReplyUnusable as unusable:
        return unusable


@given(
    content=JSON,
    finish=st.just("stop") | JSON,
    refusal=st.none() | JSON,
    tool_calls=st.none() | JSON,
    parameters=JUDGES,
)
def test_any_recorded_reply_is_read_or_unusable(content, finish, refusal, tool_calls, parameters):
    outcome = outcome_of(RawReply(content, finish, refusal, tool_calls), parameters)

    assert isinstance(outcome, ReplyUnusable)


@given(text=st.text(st.sampled_from('{}[]":,.\\u019eE+- \n\ttruefalsnNaIity\ud800')), parameters=JUDGES)
def test_any_text_is_read_or_unusable(text, parameters):
    assert isinstance(outcome_of(raw(text), parameters), ReplyUnusable)


@given(changes=st.dictionaries(st.sampled_from([*members(), *EXTRA_VALUES]), JSON, min_size=1), parameters=JUDGES)
def test_any_values_of_the_fields_are_read_or_unusable(changes, parameters):
    outcome = outcome_of(raw(members(**EXTRA_VALUES | changes)), parameters)

    assert isinstance(outcome, ReplyUnusable) or outcome.abstain is (changes.get("abstain") is True)


@st.composite
def mutations(draw):
    """A valid reply with a few characters removed, replaced or put in."""
    text = VALID
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 3)))
        text = text[:start] + draw(st.text(st.sampled_from('01.e-"\\:,{}[] nultrefasp'), max_size=3)) + text[end:]
    return text


def is_valid_pass(text):
    """Say by Python's own decoder and one comparison a field whether *text* is a whole passing reply."""
    pairs = json.loads(text, object_pairs_hook=list)
    return (
        sorted(name for name, _ in pairs) == sorted(members())
        and dict(pairs)["verdict"] == "pass"
        and dict(pairs)["score"] == 1
        and type(dict(pairs)["score"]) is not bool
        and dict(pairs)["abstain"] is False
        and dict(pairs)["cited_evidence"] == []
        and isinstance(dict(pairs)["reasoning_summary"], str)
    )


@given(mutations())
def test_a_mutated_reply_is_a_pass_only_where_it_is_a_whole_valid_reply(text):
    outcome = outcome_of(raw(text), judge())

    assert isinstance(outcome, ReplyUnusable) or outcome.verdict != "pass" or is_valid_pass(text)
