"""Tests of tool_call_match with several calls at once, and of rules that take their value from the case."""

import pytest

from tests.unit.scorers.grading import grade, outcome, refused, version_of


def trace(*spans):
    return {"spans": [{"span_id": str(place), "kind": "tool", **each} for place, each in enumerate(spans)]}


def call(name, status="unset", **arguments):
    return {"name": name, "status": status, "arguments": arguments}


def rule(path, value, rule="equals"):
    return {"path": path, "rule": rule, "value": value}


def entry(tool="pay", *rules, **fields):
    return {"tool": tool, "tool_params": list(rules), **fields}


def verdict(entries, *spans, **members):
    return outcome("tool_call_match", {"calls": entries}, trace=trace(*spans), **members)


def test_every_entry_needs_a_call():
    assert verdict([entry("a"), entry("b")], call("b"), call("a")) == "pass"
    assert verdict([entry("a"), entry("b")], call("a")) == "fail"


def test_one_call_does_not_serve_two_entries():
    assert verdict([entry("a"), entry("a")], call("a")) == "fail"
    assert verdict([entry("a"), entry("a")], call("a"), call("a")) == "pass"


@pytest.mark.parametrize("turned", [False, True])
def test_calls_are_paired_so_that_all_entries_have_theirs(turned):
    entries = [entry("pay"), entry("pay", rule("/to", "x"))]
    spans = [call("pay", to="x"), call("pay", to="y")]

    assert verdict(entries[::-1] if turned else entries, *spans) == "pass"
    assert verdict(entries[::-1] if turned else entries, *spans[::-1]) == "pass"


def test_a_minimum_asks_for_so_many_distinct_calls():
    assert verdict([entry("a", minimum=2)], call("a"), call("a")) == "pass"
    assert verdict([entry("a", minimum=2)], call("a")) == "fail"


def test_a_maximum_counts_every_call_that_satisfies_the_entry():
    entries = [entry("a", maximum=1), entry("a", minimum=1)]

    assert verdict(entries, call("a"), call("a")) == "fail"


def test_a_maximum_of_zero_says_that_there_is_no_such_call():
    never = [entry("pay", rule("/amount", 100, "min"), minimum=0, maximum=0)]

    assert verdict(never, call("pay", amount=99)) == "pass"
    assert verdict(never, call("pay", amount=100)) == "fail"


@pytest.mark.parametrize(
    ("status", "ended", "expected"),
    [
        ("ok", "ok", "pass"),
        ("ok", "unset", "pass"),
        ("ok", "error", "fail"),
        ("error", "error", "pass"),
        ("error", "ok", "fail"),
        ("any", "error", "pass"),
    ],
)
def test_an_entry_can_say_how_its_call_ended(status, ended, expected):
    assert verdict([entry("a", status=status)], call("a", ended)) == expected


@pytest.mark.parametrize(
    ("rules", "arguments", "expected"),
    [
        ([rule("/a", 1)], {"a": 1}, "pass"),
        ([rule("/a", 1)], {"a": 1, "b": 2}, "fail"),
        ([rule("/a/x", 1)], {"a": {"x": 1}}, "pass"),
        ([rule("", {"a": 1, "b": 2})], {"a": 1, "b": 2}, "pass"),
        ([], {}, "pass"),
        ([], {"a": 1}, "fail"),
    ],
)
def test_exact_arguments_leave_no_argument_without_a_rule(rules, arguments, expected):
    assert verdict([entry("a", *rules, exact_arguments=True)], call("a", **arguments)) == expected


def test_a_forbidden_call_fails_whatever_the_entries_find():
    parameters = {"calls": [entry("a")], "forbidden_tools": ["b"]}

    assert outcome("tool_call_match", parameters, trace=trace(call("a"), call("b"))) == "fail"


def test_arguments_that_an_entry_reads_and_that_were_not_kept_decide_nothing():
    lost = {"name": "pay"}

    found = grade(
        "tool_call_match", {"calls": [entry("pay", rule("/to", "x"))]}, trace=trace(lost, call("pay", to="x"))
    )

    assert (found.outcome, found.code) == ("unsupported", "ARGUMENTS_UNAVAILABLE")


def test_an_entry_without_rules_needs_no_arguments():
    assert verdict([entry("pay")], {"name": "pay"}) == "pass"


def test_the_score_is_the_share_of_entries_that_hold():
    found = grade("tool_call_match", {"calls": [entry("a"), entry("b")]}, trace=trace(call("a")))

    assert (found.score, found.details) == (0.5, {"paired": [{"entry": 0, "call": 0}]})


def test_an_explanation_names_entries_by_their_place():
    explanation = grade("tool_call_match", {"calls": [entry("a"), entry("b")]}, trace=trace(call("a"))).explanation

    assert explanation == "1 of 2 entries of calls hold, over 1 recorded calls. Too few calls of their own: entry 1."


FROM_CASE = {"tool": "pay", "tool_params": [{"path": "/to", "rule": "equals", "expected_path": "/payee"}]}


def test_a_rule_can_take_its_value_from_the_case():
    recorded = trace(call("pay", to="x"))

    assert outcome("tool_call_match", FROM_CASE, expected={"payee": "x"}, trace=recorded) == "pass"
    assert outcome("tool_call_match", FROM_CASE, expected={"payee": "y"}, trace=recorded) == "fail"


def test_an_entry_can_take_its_value_from_the_case():
    parameters = {"calls": [FROM_CASE]}

    assert outcome("tool_call_match", parameters, expected={"payee": "x"}, trace=trace(call("pay", to="x"))) == "pass"


@pytest.mark.parametrize("members", [{}, {"expected": {"other": 1}}])
def test_a_value_that_the_case_does_not_have_is_an_error_even_where_nothing_was_called(members):
    found = grade("tool_call_match", FROM_CASE, trace=trace(), **members)

    assert (found.outcome, found.code) == ("error", "EXPECTED_MISSING")


@pytest.mark.parametrize(
    ("rule", "value"), [("min", "5"), ("max", None), ("one_of", []), ("one_of", "a"), ("type", "text")]
)
def test_a_value_of_the_case_that_the_rule_cannot_use_is_an_error(rule, value):
    parameters = {"tool": "pay", "tool_params": [{"path": "/a", "rule": rule, "expected_path": ""}]}

    found = grade("tool_call_match", parameters, expected=value, trace=trace(call("pay", a=1)))

    assert (found.outcome, found.code) == ("error", "EXPECTED_WRONG_TYPE")


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {"/tool"}),
        ({"tool": "a", "calls": [entry("b")]}, {""}),
        ({"calls": []}, {"/calls"}),
        ({"calls": [entry("a")], "occurrence": "all"}, {"/occurrence"}),
        ({"calls": [entry("a")], "tool_params": []}, {"/tool_params"}),
        ({"calls": [entry("a")], "forbidden_tools": ["a"]}, {"/forbidden_tools/0"}),
        ({"calls": [entry("a", minimum=0)]}, {"/calls/0/minimum"}),
        ({"calls": [entry("a", minimum=2, maximum=1)]}, {"/calls/0/maximum"}),
        ({"calls": [entry("a", minimum=600), entry("b", minimum=600)]}, {"/calls"}),
        ({"calls": [entry("a", status="failed")]}, {"/calls/0/status"}),
        ({"calls": [entry("a", rule("/x", "(a+)+$", "matches"))]}, {"/calls/0/tool_params/0/value"}),
        ({"calls": [{"tool": "a", "args": {}}]}, {"/calls/0/args"}),
        (
            {"tool": "a", "tool_params": [{"path": "", "rule": "matches", "expected_path": ""}]},
            {"/tool_params/0/expected_path"},
        ),
        (
            {"tool": "a", "tool_params": [{"path": "", "rule": "present", "expected_path": ""}]},
            {"/tool_params/0/expected_path"},
        ),
        (
            {"tool": "a", "tool_params": [{"path": "", "rule": "equals", "value": 1, "expected_path": ""}]},
            {"/tool_params/0/value"},
        ),
    ],
)
def test_entries_and_rules_that_cannot_be_used_are_refused(parameters, pointers):
    assert refused("tool_call_match", parameters) == pointers


def test_a_pattern_that_covers_all_of_unicode_is_warned_of():
    parameters = {"tool": "pay", "tool_params": [{"path": "/amount", "rule": "matches", "value": r"^\d+$"}]}

    [warning] = version_of("tool_call_match", parameters).warnings
    assert warning.pointer == "/tool_params/0/value"
    assert warning.message.startswith(r"\d cover all of Unicode")
