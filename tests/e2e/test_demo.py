"""The demo's sets through the real stack, and the demo as a command that somebody stops."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from devstack.clients.scoring import ScoringClient
from devstack.demo.recorded_agent import agent_sets
from devstack.demo.sets import default_sets
from devstack.demo.table import agreement
from devstack.instructions import instructions
from devstack.stack import ROOT

FIGURES = {
    "verdict = label": (997, 29, "1026 of 1026 (100.0%)"),
    "reply repeats run 1": (450, 234, "450 of 684 (65.8%)"),
    "agent: asked in celsius, nothing deleted": (78, 12, "90 of 90 (100.0%)"),
    "agent: steps in order, handed over": (66, 24, "90 of 90 (100.0%)"),
    "agent: the task's reference calls, no others": (54, 36, "90 of 90 (100.0%)"),
    "agent: at most five calls, none in error": (78, 12, "90 of 90 (100.0%)"),
    "agent: the topic's documents found": (84, 6, "90 of 90 (100.0%)"),
    "agent: what is cited was found": (78, 12, "90 of 90 (100.0%)"),
    "agent: no credential in the answer": (84, 6, "90 of 90 (100.0%)"),
    "agent: fields there": (78, 12, "90 of 90 (100.0%)"),
    "agent: valid against a schema": (72, 18, "90 of 90 (100.0%)"),
    "agent: reference well formed": (84, 6, "90 of 90 (100.0%)"),
    "agent: no degrees Fahrenheit in the answer": (84, 6, "90 of 90 (100.0%)"),
}
PATIENCE = 15.0
INTERRUPTIBLE = ("env", "--default-signal=INT")  # also where the tests run in the background of a shell


@pytest.fixture(scope="module")
def sets():
    return {one.title: one for one in [*default_sets(), *agent_sets()]}


@pytest.mark.parametrize("title", FIGURES)
def test_a_set_comes_back_whole_with_its_figures(stack, sets, title):
    one = sets[title]

    scored = ScoringClient(stack).score(one)

    outcomes = [result["outcome"] for result in scored.results.values()]
    assert scored.results.keys() == {case.case_id for case in one.cases}
    assert (outcomes.count("pass"), outcomes.count("fail"), agreement(one, scored)) == FIGURES[title]


@pytest.mark.parametrize("title", FIGURES)
def test_the_readme_shows_a_sets_figures(title):
    [shown] = [line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith(f"{title}  ")]

    passed, failed, agreeing = FIGURES[title]
    assert f" {passed} " in shown
    assert f" {failed} " in shown
    assert shown.endswith(f"  {agreeing}")


def test_ctrl_c_in_the_middle_leaves_nothing_running():
    command = [*INTERRUPTIBLE, sys.executable, "-m", "devstack.demo"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as demo:
        greeting = demo.stdout.readline()
        started = groups_of_children(demo.pid)
        os.killpg(demo.pid, signal.SIGINT)
        rest = demo.stdout.read()

    assert greeting.startswith("The stack is up after ")
    assert rest.endswith("Stopped.\n")
    assert demo.returncode == 130
    assert started
    assert is_over(started)


def processes():
    """Each live process's parent and group; one that waits to be reaped is dead."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended while we looked
            state, parent, group, *_ = stat.read_text().rpartition(")")[2].split()
            if state != "Z":
                yield int(parent), int(group)


def groups_of_children(pid):
    return {group for parent, group in processes() if parent == pid}


def is_over(groups):
    """Tell whether no process is left in these groups, now or soon."""
    deadline = time.monotonic() + PATIENCE
    while (alive := groups & {group for _, group in processes()}) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive


def test_what_make_up_prints_stores_a_version_and_scores_a_batch_as_pasted(stack):
    printed = instructions(stack.endpoint, stack.outputs, stack.api_url)
    pasted = printed[printed.index("export AWS_") : printed.index("# or with the AWS CLI")]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'shared'}{os.pathsep}{ROOT}"}

    done = subprocess.run(
        ["bash", "-e"], input=pasted, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )

    results = json.loads(done.stdout)["results"]
    assert [result["outcome"] for result in results] == ["pass", "fail", "fail"]
