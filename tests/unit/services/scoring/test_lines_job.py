"""Scoring lines: one answer a line, whatever the line holds."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code, errored, timed_out
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.services.scoring.lines_job import LinesJob
from evalbook.services.scoring.worker import PREPARE_LIMIT_MS, preparing
from tests.unit.json_values import values

GOOD = {"implementation": "contains", "parameters": {"texts": ["yes"]}, "case": {"case_id": "a", "output": "yes"}}


def answer_to(line, decided=None):
    """The answer to one line, a text or what is written as one."""
    text = line if isinstance(line, bytes) else plain_json(line)
    ((_, answer),) = LinesJob((text,)).results(0, decided or {}, lambda _index, _limit: None)
    return read_json(answer)


def problems_of(line):
    return {(problem["pointer"], problem["message"]) for problem in answer_to(line)["refused"]}


def test_a_line_is_answered_with_its_id_and_grade():
    assert answer_to({"id": "1", **GOOD}) == {
        "id": "1",
        "outcome": "pass",
        "code": None,
        "score": Decimal("1.0"),
        "explanation": "The output contains every listed text.",
        "body": None,
    }


def test_details_come_in_the_body():
    line = {"implementation": "exact_match", "case": {"case_id": "a", "output": "x", "expected": "y"}}

    assert answer_to(line)["body"]["details"]["output"] == {"from": 0, "text": "x", "length": 1}


def test_a_long_body_is_cut():
    line = {"implementation": "exact_match", "parameters": {"compare": "json"}}
    line["case"] = {"case_id": "a", "output": {"x" * 20_000: 1}, "expected": {}}

    assert answer_to(line)["body"]["left_out_bytes"] > 3_000


@pytest.mark.parametrize(
    "line_id",
    [
        None,
        True,
        0,
        10**30,
        "",
        "\U0001f600",
        [],
        {"a": [1, None]},
        Decimal("1.50"),
        Decimal("1E+400"),
        [Decimal("0.1")],
    ],
)
def test_an_id_of_any_type_comes_back_as_it_was_written(line_id):
    answer = answer_to({"id": line_id, **GOOD})

    assert plain_json(answer["id"]) == plain_json(line_id)
    assert answer["outcome"] == "pass"


def test_a_line_without_an_id_is_answered_with_null():
    assert answer_to(GOOD)["id"] is None


@pytest.mark.parametrize("name", ["params", "Parameters", "time_limit", "expected", "a/b"])
def test_a_member_that_is_not_known_is_refused_by_its_name(name):
    answer = answer_to({**GOOD, name: 1})

    assert [problem["pointer"] for problem in answer["refused"]] == ["/" + name.replace("/", "~1")]
    assert "id, implementation, parameters, case, time_limit_ms" in answer["refused"][0]["message"]


def test_a_byte_order_mark_in_front_of_a_line_is_passed_over():
    assert answer_to(b"\xef\xbb\xbf" + plain_json(GOOD))["outcome"] == "pass"


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        (b"canary", "The line is no JSON object: it does not start with { (byte 0)."),
        (b'"canary"', "The line is no JSON object."),
        (b"[]", "The line is no JSON object."),
        (b'{"id":1,"canary', "The line is no JSON object: brackets or quotes do not match (byte 8)."),
        (b'{"canary"}', "The line is no JSON object: a member has no key or no value (byte 0)."),
    ],
)
def test_a_line_that_is_no_object_is_an_invalid_case(text, explanation):
    answer = answer_to(text)

    assert (answer["id"], answer["outcome"], answer["code"]) == (None, "error", "CASE_INVALID")
    assert answer["explanation"] == explanation


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (b'{"case_id":"a","output":NaN}', "a number is NaN or infinite"),
        (b'{"case_id":"a","output":1,"output":1}', "a key is repeated"),
        (b'{"case_id":"a","output":"\\ud800"}', "a text holds half of a surrogate pair"),
        (b'{"case_id":"a","output":%s}' % (b"9" * 5_000), "a number is out of bounds"),
        (b'{"case_id":"a","output":%s}' % (b"[" * 10_000 + b"]" * 10_000), "it is nested too deeply"),
    ],
)
def test_a_case_that_is_not_strict_json_is_invalid_and_keeps_the_lines_id(case, reason):
    answer = answer_to(b'{"id":7,"implementation":"contains","parameters":{"texts":["a"]},"case":%s}' % case)

    assert (answer["id"], answer["code"]) == (7, "CASE_INVALID")
    assert answer["explanation"].startswith(f"The case is not strict JSON: {reason}")


@pytest.mark.parametrize("case", [None, [], {}, {"case_id": ""}])
def test_a_case_that_cannot_be_read_is_invalid(case):
    assert answer_to({**GOOD, "case": case})["code"] == "CASE_INVALID"


def test_a_line_without_a_case_says_so():
    line = {name: member for name, member in GOOD.items() if name != "case"}

    assert answer_to(line)["explanation"] == "The line has no case."


def test_a_repeated_member_spoils_itself_only():
    twice = b'{"id":7,"implementation":"contains","parameters":{"texts":["a"]},"case":{},"case":{}}'

    answer = answer_to(twice)

    assert (answer["id"], answer["explanation"]) == (7, "The case is not strict JSON: a key is repeated (byte 0).")


@pytest.mark.parametrize("line_id", [b"NaN", b'1,"id":2', b'"\\ud800"'])
def test_an_id_that_cannot_be_read_is_null(line_id):
    text = plain_json(GOOD)[:-1] + b',"id":' + line_id + b"}"

    assert answer_to(text)["id"] is None
    assert answer_to(text)["outcome"] == "pass"


def test_every_problem_of_a_version_is_named_at_once():
    line = {**GOOD, "parameters": {"texts": [""], "mode": "x", "y": 1}, "time_limit_ms": 0}

    assert problems_of(line) == {
        ("/texts/0", "is empty, once the text options are applied: it would be found in anything"),
        ("/mode", "must be 'all' or 'any'"),
        ("/y", "is not a parameter of this implementation"),
        ("/time_limit_ms", "must be a whole number from 1 to 60000"),
    }


def test_a_time_limit_alone_is_refused_too():
    assert problems_of({**GOOD, "time_limit_ms": 60_001}) == {
        ("/time_limit_ms", "must be a whole number from 1 to 60000")
    }


@pytest.mark.parametrize("name", ["no_such", "_text", "", None, 5, ["contains"], "contains.contains", "../contains"])
def test_an_unknown_implementation_is_refused(name):
    assert problems_of({**GOOD, "implementation": name}) == {("/implementation", "there is no such implementation")}


def test_parameters_that_are_not_strict_json_are_refused():
    line = b'{"implementation":"contains","parameters":{"texts":["a"],"texts":["b"]},"case":{"case_id":"a"}}'

    ((pointer, message),) = problems_of(line)
    assert pointer == ""
    assert message.startswith("the parameters are not strict JSON: a key is repeated")


def test_a_refusal_has_an_id_and_problems_and_nothing_else():
    assert answer_to({"id": 1.5, **GOOD, "parameters": 5}) == {
        "id": Decimal("1.5"),
        "refused": [{"pointer": "", "message": "must be an object, not a number"}],
    }


@pytest.mark.parametrize("number", [Decimal("1E+400"), Decimal("1.5E-400"), 10**399, Decimal("0." + "3" * 398)])
def test_a_number_in_the_parameters_may_be_anything_within_the_bounds(number):
    line = {"implementation": "exact_match", "parameters": {"compare": "json", "expected": number}}

    text = plain_json(line)

    assert answer_to(text[:-1] + b',"case":{"case_id":"a","output":0}}')["outcome"] == "fail"


def test_parameters_may_nest_as_deep_as_a_cases_values():
    deep = b"[" * 100 + b"]" * 100
    line = b'{"implementation":"exact_match","parameters":{"compare":"json","expected":%s},"case":%s}'

    assert answer_to(line % (deep, b'{"case_id":"a","output":%s}' % deep))["outcome"] == "pass"


def test_each_line_is_marked_before_preparing_and_before_scoring():
    marks = []
    lines = (plain_json({**GOOD, "time_limit_ms": 50}), b"[]", plain_json(GOOD))

    list(LinesJob(lines).results(1, {}, lambda *mark: marks.append(mark)))

    assert marks == [(preparing(1), PREPARE_LIMIT_MS), (preparing(2), PREPARE_LIMIT_MS), (2, 2_000)]


def test_a_version_that_takes_too_long_to_prepare_is_refused():
    answer = answer_to({"id": 1, **GOOD}, decided={preparing(0): errored(Code.SCORING_FAILED, "Late.")})

    assert [problem["message"] for problem in answer["refused"]] == [
        "the version could not be prepared within its bound"
    ]


def test_a_case_that_was_decided_is_not_scored_again():
    answer = answer_to({"id": 1, **GOOD}, decided={0: timed_out(Code.TIME_LIMIT, "Late.")})

    assert (answer["outcome"], answer["code"]) == ("timeout", "TIME_LIMIT")


def test_a_case_that_was_decided_is_not_marked_again():
    marks = []

    list(LinesJob((plain_json(GOOD),)).results(0, {0: timed_out(Code.TIME_LIMIT, "Late.")}, lambda *_: marks.append(_)))

    assert marks == [(preparing(0), PREPARE_LIMIT_MS)]


@given(st.one_of(values, st.fixed_dictionaries({}, optional=dict.fromkeys(["id", *GOOD, "time_limit_ms"], values))))
def test_any_value_gets_an_answer(line):
    answer = json.loads(json.dumps(answer_to(plain_json(line)), default=str))

    assert set(answer) in ({"id", "refused"}, {"id", "outcome", "code", "score", "explanation", "body"})


@given(st.binary(max_size=30))
def test_any_bytes_get_an_answer_and_none_passes(line):
    answer = answer_to(line)

    assert answer.get("outcome") == "error" or answer["refused"] != []


def test_a_line_that_names_no_implementation_is_refused():
    assert answer_to(b"{}")["refused"] == [{"pointer": "/implementation", "message": "there is no such implementation"}]
