"""The data sets of a folder become cases whose labels are computed apart from the scorers."""

import json

import pytest

from devstack.demo.real import real_sets
from evalbook.domain.case import Case
from evalbook.jsonio.reader import read_json
from evalbook.services.scoring import catalog


def call(call_id, name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function", "function": function}]}


def answer(call_id, content="done"):
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def run(trial, success, *messages):
    expected = [
        {"name": "look_up", "kwargs": {"id": "a"}},
        {"name": "cancel_reservation", "kwargs": {"reservation_id": "a"}},
    ]
    return {
        "id": f"run-{trial}",
        "task_id": 7,
        "success": success,
        "expected_actions": expected,
        "messages": [{"role": "user", "content": "cancel a"}, *messages],
    }


LOOK_UP = (call("1", "look_up", id="a"), answer("1"))
CANCEL = (call("2", "cancel_reservation", reservation_id="a"), answer("2"))
REFUSED = (call("3", "cancel_reservation", reservation_id="b"), answer("3", "Error: not found"))
TREC_RUN = [{"doc": f"d{number}", "score": float(number)} for number in range(12)]

ROWS = {
    "taubench_airline_trials01": [
        run(0, True, *LOOK_UP, *REFUSED, *CANCEL),
        run(1, True, *CANCEL, *LOOK_UP),
        run(2, False, *LOOK_UP),
    ],
    "taubench_airline_tools": [
        {"name": "look_up", "parameters": {"type": "object", "properties": {"id": {"type": "string"}}}},
        {"name": "never_called", "parameters": {"type": "object"}},
    ],
    "taubench_airline_tool_args": [
        {"id": "c1", "tool": "look_up", "arguments_raw": '{"id": "a"}'},
        {"id": "c2", "tool": "look_up", "arguments_raw": '{"id": 1}'},
    ],
    "trec_eval_sample": [
        {"id": "q1", "qrels": {"d11": 1, "d10": 1, "d9": 0, "d8": 2, "d0": 1}, "run": TREC_RUN},
        {"id": "q2", "qrels": {"d0": 1, "d5": -1}, "run": TREC_RUN},
    ],
    "expertqa_citations": [
        {"id": "e1", "answer": "Yes [1][2].", "attribution": ["[1] https://a.example", "[2] https://b.example"]},
        {"id": "e2", "answer": "Yes [3].", "attribution": ["[1] https://a.example"]},
        {"id": "e3", "answer": "Yes [2].", "attribution": ["[2] https://b.example"]},
        {"id": "e4", "answer": "Yes.", "attribution": ["[1] https://a.example"]},
    ],
    "gsm8k_model_solutions": [
        {"id": "g1", "ground_truth": "A: 1,200", "small": {"solution": "so\nA: 1200", "is_correct": True}},
        {"id": "g2", "ground_truth": "A: 3", "small": {"solution": "no idea", "is_correct": False}},
    ],
    "openqa_nq301_predictions": [{"id": "o1", "gold": ["Oslo"], "predictions": {"model": "In Oslo."}}],
}


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name, lines in ROWS.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return {one.title: one for one in real_sets(folder)}


def labels(one):
    return [case.label for case in one.cases]


def results(one):
    """What each case of the set comes to, read as the queue's messages are."""
    for version in one.versions:
        prepared = catalog.find(one.implementation).prepare(read_json(json.dumps(version.parameters).encode()))
        for case in version.cases:
            grade = prepared.score(Case(**read_json(json.dumps(case.case).encode())))
            yield case, {"outcome": grade.outcome, "score": grade.score}


def test_a_folder_without_known_files_has_no_sets(tmp_path):
    assert real_sets(tmp_path) == []


def test_every_case_comes_to_what_its_label_says(sets):
    scored = [pair for one in sets.values() for pair in results(one) if pair[0].label is not None]

    assert [case.case_id for case, result in scored if not case.agrees(result)] == []


def test_an_expected_call_was_made_where_the_messages_hold_it(sets):
    assert labels(sets["tau-bench: each expected call"]) == [True, True, True, True, True, False]


def test_expected_tools_are_asked_for_in_order(sets):
    assert labels(sets["tau-bench: expected tools in order"]) == [True, False, False]


def test_a_change_that_was_refused_is_no_change(sets):
    changed = [len(case.case["output"]) for case in sets["tau-bench: changes = expected, vs. reward"].cases]

    assert changed == [1, 1, 0]


def test_a_tool_that_nobody_called_needs_no_version(sets):
    assert [version.scorer for version in sets["tau-bench: arguments fit the tool"].versions] == ["tau-look-up"]


def test_precision_divides_by_its_depth_and_takes_every_positive_grade_as_relevant(sets):
    assert [case.score for case in sets["TREC: precision at 5"].cases] == [0.6, 0.0]


def test_an_answer_without_citations_has_no_label(sets):
    assert labels(sets["ExpertQA: what is cited is listed"]) == [True, False, True, None]


def test_a_source_that_was_not_retrieved_supports_nothing(sets):
    assert labels(sets["ExpertQA: the same without source 1"]) == [False, False, True, None]


def test_a_solution_without_an_answer_is_recorded_as_null(sets):
    assert [case.case["output"] for case in sets["GSM8K small"].cases] == [1200, None]
