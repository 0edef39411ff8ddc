"""Tests of trajectory."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.outcome import Code, Outcome
from evalbook.services.scoring import catalog
from tests.unit.scorers.hostile import SOME, Input, case_text
from tests.unit.scorers.hostile_traces import ERROR, SPAN_COUNT, broken_traces, long_trace, traces

IMPLEMENTATION = catalog.find("trajectory")

PARAMETERS = {
    "required_steps": [{"name": "search"}, {"name": "docs", "kind": "retrieval"}],
    "forbidden_tools": ["drop"],
    "handoffs": [{"from": "triage", "to": "billing"}],
}
SPANS = [
    {"span_id": "a", "kind": "tool", "name": "search", "start_time": 0, "end_time": 1, "status": "ok"},
    {"span_id": "b", "kind": "retrieval", "name": "docs", "start_time": 2, "end_time": 3, "error": None},
    {"span_id": "c", "kind": "handoff", "start_time": 4, "source_agent": "triage", "target_agent": "billing"},
]
EXAMPLES = [
    (PARAMETERS, {"trace": {"spans": SPANS}}, "pass"),
    (PARAMETERS, {"trace": {"spans": SPANS[:2]}}, "fail"),
    (PARAMETERS, {"trace": {"spans": SPANS[1:]}}, "fail"),
    (PARAMETERS, {"trace": {"spans": [*SPANS, {"span_id": "d", "kind": "tool", "name": "drop"}]}}, "fail"),
    (PARAMETERS, {"trace": {"spans": [{**SPANS[0], "end_time": "2026-01-01"}]}}, "error"),
]
NOTES = """
See [trajectories](traces.md#trajectories).

- At least one of `required_steps`, `forbidden_tools` and `handoffs` is required.
- Steps are in the order in which they *started*; others may come between. A step that is listed twice must happen
  twice. With `unordered_steps` they may come in any order, each with a span of its own.
- A span that ended in error, or did not end, is no step; a later one with its name may be. A step's `status` asks for
  another end: `error`, or `failed_then_ok` for one that failed and then, later, ended well.
- `*` in the name of a forbidden tool stands for any characters.
- Handoffs are looked for in any order, each as often as it is listed. One that ended in error counts as recorded, and
  the explanation counts those; with `handoff_status: ok` it does not count.
"""
SHOWN = [
    (
        {"required_steps": [{"name": "search"}, {"name": "book"}], "forbidden_tools": ["delete_account"]},
        {
            "trace": {
                "spans": [
                    {"span_id": "1", "kind": "tool", "name": "book", "start_time": 10, "end_time": 20},
                    {"span_id": "2", "kind": "tool", "name": "search", "start_time": 30, "end_time": 40},
                ]
            }
        },
    ),
]


STEPS: tuple[dict[str, Any], ...] = (
    {"required_steps": [{"name": f"t{n % 7}"} for n in range(SPAN_COUNT * 2)]},
    {"required_steps": [{"name": "no"}] * SOME},
    {"required_steps": [{"name": "t0"}, {"name": "t0", "kind": "handoff"}]},
    {"forbidden_tools": [f"x{n}" for n in range(SOME)]},
    {"handoffs": [{"from": "a", "to": "b"}] * SOME},
    {"handoffs": [{"from": f"a{n}", "to": "b"} for n in range(SOME)], "forbidden_tools": ["t9"]},
)


def hostile_inputs() -> Iterator[Input]:
    for number, steps in enumerate(STEPS):
        for title, trace in traces():
            yield Input(f"{title}, steps {number}", steps, case_text(trace=trace))
    yield Input("10,000 spans", STEPS[0], case_text(trace=long_trace()))
    for title, trace in broken_traces():
        yield Input(title, STEPS[0], case_text(trace=trace), ERROR)


def tools(names, **fields):
    return [{"span_id": str(place), "kind": "tool", "name": name, **fields} for place, name in enumerate(names)]


def steps(names):
    return {"required_steps": [{"name": name} for name in names]}


def handoff(source, target, **fields):
    return {"span_id": "h", "kind": "handoff", "source_agent": source, "target_agent": target, **fields}


def grade(parameters, spans):
    return IMPLEMENTATION.prepare(parameters).score(Case("case", trace={"spans": spans}))


def passes(parameters, spans):
    return grade(parameters, spans).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("required", "recorded", "passing"),
    [
        ("ab", "ab", True),
        ("ab", "xaxbx", True),
        ("ab", "ba", False),
        ("ab", "bab", True),
        ("aa", "a", False),
        ("aa", "axa", True),
        ("aba", "aab", False),
        ("a", "", False),
    ],
)
def test_steps_happen_in_order_with_others_in_between(required, recorded, passing):
    assert passes(steps(required), tools(recorded)) is passing


def test_the_order_is_that_of_the_start_times():
    spans = [
        {"span_id": "2", "kind": "tool", "name": "b", "start_time": 5, "end_time": 6},
        {"span_id": "1", "kind": "tool", "name": "a", "start_time": 1, "end_time": 9},
    ]

    assert passes(steps("ab"), spans)
    assert not passes(steps("ba"), spans)


@pytest.mark.parametrize("unfit", [{"status": "error"}, {"error": {"type": "timeout"}}, {"start_time": 1}])
def test_a_span_in_error_or_without_end_is_no_step(unfit):
    assert not passes(steps("a"), tools("a", **unfit))


def test_a_step_may_be_taken_after_it_failed():
    failed_first, then = tools("aa")

    assert passes(steps("a"), [{**failed_first, "status": "error"}, then])


def test_a_call_that_was_only_requested_is_no_step():
    assert not passes(steps("a"), tools("a", executed=False))


def test_a_step_of_another_kind_is_looked_for_among_that_kind():
    spans = [{"span_id": "1", "kind": "retrieval", "name": "search"}]

    assert passes({"required_steps": [{"kind": "retrieval", "name": "search"}]}, spans)
    assert not passes({"required_steps": [{"name": "search"}]}, spans)


def test_two_records_of_one_call_are_one_step():
    assert not passes(steps("aa"), tools("aa", call_id="1"))
    assert passes(steps("a"), tools("aa", call_id="1"))


def test_a_call_that_one_record_says_failed_is_no_step():
    first, second = tools("aa", call_id="1")

    assert not passes(steps("a"), [first, {**second, "status": "error"}])


def test_a_call_that_one_record_says_goes_on_is_no_step():
    first, second = tools("aa", call_id="1")

    assert not passes(steps("a"), [first, {**second, "end_time": None}])


def test_a_forbidden_call_fails():
    assert passes({"forbidden_tools": ["x"]}, tools("ab"))
    assert not passes({"forbidden_tools": ["x"]}, tools("axb", status="error"))


def test_a_span_of_another_kind_is_no_forbidden_call():
    assert passes({"forbidden_tools": ["x"]}, [{"span_id": "1", "kind": "agent", "name": "x"}])


def test_a_recorded_handoff_passes():
    declared = {"handoffs": [{"from": "triage", "to": "billing"}]}

    assert passes(declared, [handoff("triage", "billing")])


@pytest.mark.parametrize(
    "recorded",
    [
        handoff("billing", "triage"),
        handoff(None, "billing"),
        handoff("triage", None),
        handoff("triage", "billing", kind="agent"),
        handoff("triage", "billing", executed=False),
    ],
)
def test_any_other_handoff_does_not_do(recorded):
    assert not passes({"handoffs": [{"from": "triage", "to": "billing"}]}, [recorded])


def test_a_handoff_whose_span_is_marked_as_an_error_is_recorded():
    assert passes({"handoffs": [{"from": "a", "to": "b"}]}, [handoff("a", "b", status="error")])


def test_a_handoff_declared_twice_is_recorded_twice():
    declared = {"handoffs": [{"from": "a", "to": "b"}] * 2}

    assert not passes(declared, [handoff("a", "b")])
    assert passes(declared, [handoff("a", "b"), handoff("a", "b", span_id="i")])


def test_no_arguments_are_needed():
    assert passes(steps("a"), tools("a"))


def test_a_case_without_trace_is_unsupported():
    graded = IMPLEMENTATION.prepare(steps("a")).score(Case("case"))

    assert (graded.outcome, graded.code) == (Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE)


def test_a_truncated_trace_is_unsupported_even_with_a_forbidden_call():
    prepared = IMPLEMENTATION.prepare({"forbidden_tools": ["x"]})

    graded = prepared.score(Case("case", trace={"spans": tools("x"), "truncated": True}))

    assert graded.code is Code.TRACE_TRUNCATED


def test_an_explanation_names_the_step_by_its_index():
    assert grade(steps("ab"), tools("ab", status="error")).explanation == (
        "Required step 0 of 2 did not happen after those before it: "
        "1 spans have its kind and name, 1 of them ended in error or did not end."
    )


@pytest.mark.parametrize(
    ("parameters", "pointer"),
    [
        ({}, ""),
        ({"required_steps": [], "forbidden_tools": [], "handoffs": []}, ""),
        ({"required_steps": [{}]}, "/required_steps/0/name"),
        ({"required_steps": [{"name": ""}]}, "/required_steps/0/name"),
        ({"required_steps": [{"name": "a", "kind": "step"}]}, "/required_steps/0/kind"),
        ({"required_steps": "a"}, "/required_steps"),
        ({"forbidden_tools": [1]}, "/forbidden_tools/0"),
        ({"handoffs": [{"from": "a"}]}, "/handoffs/0/to"),
        ({"handoffs": [{"source": "a", "to": "b"}]}, "/handoffs/0/source"),
    ],
)
def test_parameters_against_the_contract_are_refused(parameters, pointer):
    with pytest.raises(ParametersRefused) as caught:
        IMPLEMENTATION.prepare(parameters)

    assert pointer in {problem.pointer for problem in caught.value.problems}


def test_a_required_step_that_is_forbidden_is_warned_of():
    prepared = IMPLEMENTATION.prepare({**steps("ab"), "forbidden_tools": ["b"]})

    assert [warning.pointer for warning in prepared.warnings] == ["/required_steps/1/name"]


@given(st.text("ab", max_size=4), st.text("abc", max_size=8))
def test_steps_are_a_subsequence(required, recorded):
    left = iter(recorded)
    expected = all(step in left for step in required)

    assert passes({**steps(required), "forbidden_tools": ["x"]}, tools(recorded)) is expected


ATOMS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", "tool", "handoff", "ok"])
FIELDS = ["span_id", "kind", "name", "status", "start_time", "end_time", "call_id", "executed", "source_agent"]
ANY_SPANS = st.lists(st.dictionaries(st.sampled_from(FIELDS), ATOMS) | ATOMS, max_size=3)
EVERYTHING = {**steps("a"), "forbidden_tools": ["x"], "handoffs": [{"from": "a", "to": "b"}]}


@given(ANY_SPANS)
def test_no_span_makes_it_raise(spans):
    assert grade(EVERYTHING, spans).outcome in {Outcome.FAIL, Outcome.ERROR}


@given(ANY_SPANS)
def test_the_same_case_gives_the_same_grade(spans):
    turned = [dict(reversed(span.items())) if isinstance(span, dict) else span for span in spans]

    assert grade(EVERYTHING, spans) == grade(EVERYTHING, turned)


@pytest.mark.parametrize(
    ("wanted", "recorded", "passing"),
    [
        ("ok", ["ok"], True),
        ("ok", ["error"], False),
        ("error", ["error"], True),
        ("error", ["ok"], False),
        ("failed_then_ok", ["error", "ok"], True),
        ("failed_then_ok", ["error", "error", "ok"], True),
        ("failed_then_ok", ["ok", "error"], False),
        ("failed_then_ok", ["ok"], False),
        ("failed_then_ok", ["error"], False),
    ],
)
@pytest.mark.parametrize("unordered", [False, True])
def test_a_step_can_say_how_it_ended(wanted, recorded, passing, unordered):
    parameters = {"required_steps": [{"name": "a", "status": wanted}], "unordered_steps": unordered}
    spans = [span for status in recorded for span in tools("a", status=status)]

    assert passes(parameters, [{**span, "span_id": str(place)} for place, span in enumerate(spans)]) is passing


def test_the_failure_of_a_recovered_step_comes_after_the_step_before():
    parameters = {"required_steps": [{"name": "a"}, {"name": "b", "status": "failed_then_ok"}]}
    spans = [*tools("b", status="error"), *tools("ab")]

    assert not passes(parameters, [{**span, "span_id": str(place)} for place, span in enumerate(spans)])


@pytest.mark.parametrize(
    ("required", "recorded", "passing"),
    [("ab", "ba", True), ("aab", "aba", True), ("aa", "ab", False), ("ab", "b", False)],
)
def test_unordered_steps_have_a_span_each_in_any_order(required, recorded, passing):
    assert passes({**steps(required), "unordered_steps": True}, tools(recorded)) is passing


@pytest.mark.parametrize(
    ("status", "fields", "passing"),
    [
        ("any", {}, True),
        ("any", {"status": "error"}, True),
        ("ok", {}, True),
        ("ok", {"status": "error"}, False),
        ("ok", {"error": {"type": "cancelled"}}, False),
        ("ok", {"start_time": 1}, False),
    ],
)
def test_a_handoff_counts_as_recorded_or_only_where_it_ended_well(status, fields, passing):
    parameters = {"handoffs": [{"from": "a", "to": "b"}], "handoff_status": status}

    assert passes(parameters, [handoff("a", "b", **fields)]) is passing


def test_recorded_handoffs_that_ended_in_error_are_told():
    found = grade({"handoffs": [{"from": "a", "to": "b"}]}, [handoff("a", "b", status="error")])

    assert found.explanation.endswith("1 recorded handoffs ended in error.")


@pytest.mark.parametrize(
    ("pattern", "passing"), [("delete_*", False), ("*_user", False), ("*", False), ("drop_*", True)]
)
def test_a_forbidden_tool_can_be_a_glob(pattern, passing):
    assert passes({"forbidden_tools": [pattern]}, tools(["delete_user"])) is passing
