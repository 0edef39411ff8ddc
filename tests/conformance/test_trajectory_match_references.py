"""Agreement of trajectory_match with agentevals, on runs drawn here: each run's calls joined in one assistant message.

Listed differences: within one message agentevals `strict` knows no order, so runs are compared with `exact` only where
the names are in the same order; and an empty reference says "no calls" here, where agentevals takes any run.
"""

import json
import random

import pytest
from agentevals.trajectory.match import create_trajectory_match_evaluator

from tests.unit.scorers.grading import outcome

MODES = {"exact": "strict", "unordered": "unordered", "subset": "subset", "superset": "superset"}


def drawn(seed):
    """A run and its reference, alike more often than not."""
    draw = random.Random(seed)
    pool = [("search", {"q": draw.choice("xy")}), ("book", {"id": draw.randint(1, 2), "n": 1}), ("pay", {"amount": 5})]
    reference = [draw.choice(pool) for _ in range(draw.randint(1, 4))]
    run = list(reference)
    for _ in range(draw.randint(0, 2)):
        change = draw.randint(0, 2)
        if change == 0:
            run.insert(draw.randint(0, len(run)), draw.choice(pool))
        elif change == 1 and run:
            run.pop(draw.randrange(len(run)))
        elif run:
            place = draw.randrange(len(run))
            run[place] = (run[place][0], {**run[place][1], "q": "z"})
    return run, reference


def message(calls):
    listed = [
        {"id": "c", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for name, arguments in calls
    ]
    return [{"role": "assistant", "content": "", "tool_calls": listed}]


@pytest.mark.parametrize("arguments", ["exact", "ignore"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(150))
def test_a_run_has_the_verdict_of_agentevals(seed, mode, arguments):
    run, reference = drawn(seed)
    if mode == "exact" and sorted(map(str, run)) == sorted(map(str, reference)):
        run = reference
    evaluate = create_trajectory_match_evaluator(trajectory_match_mode=MODES[mode], tool_args_match_mode=arguments)
    theirs = evaluate(outputs=message(run), reference_outputs=message(reference))["score"]
    ours = outcome(
        "trajectory_match",
        {"mode": mode, "arguments": arguments, "count_failed": True},
        expected=[{"name": name, "arguments": given} for name, given in reference],
        trace={
            "spans": [
                {"span_id": str(place), "kind": "tool", "name": name, "arguments": given}
                for place, (name, given) in enumerate(run)
            ]
        },
    )
    names_in_order = [name for name, _ in run] == [name for name, _ in reference]
    if mode == "exact" and arguments == "ignore" and not names_in_order:
        assert ours == "fail"
    else:
        assert (ours == "pass") is bool(theirs)
