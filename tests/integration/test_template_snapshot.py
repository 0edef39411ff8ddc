"""What CloudFormation gets is what it got before the template was written in loops, except where it is listed here.

Where a function's code lies is left out: each is packaged under its logical id.

A resource, a role or a queue that changes by accident is seen here. Whoever changes one on purpose lists it, with the
reason; `python -m devstack.emulator.transformed --digests > tests/integration/template_digests.json` takes a new
snapshot, which empties the lists.
"""

import json
from fnmatch import fnmatchcase
from pathlib import Path

from devstack.emulator.transformed import digests, transformed

BEFORE = json.loads((Path(__file__).parent / "template_digests.json").read_text("utf-8"))
NOW = digests(transformed())

ADDED: dict[str, str] = {
    "TracingPolicy": "invocations can be traced",
    "*ErrorsAlarm": "a function that keeps failing is told of",
    "*ThrottlesAlarm": "a function that keeps being throttled is told of",
    "JudgePanelsTimedOutAlarm": "so is a judge run that ran out of time",
    "ApiFailuresAlarm": "so is an API that keeps failing",
}
"""Patterns of logical ids that are new, and why they are there."""

REMOVED: dict[str, str] = {}
"""Patterns of logical ids that are gone, and why."""

CHANGED: dict[str, str] = {
    "*Function.Environment": "functions are told whether they are traced; budgets are no longer leased",
    "SandboxWorkFunction.Description": "its words",
    "JudgePanelsFailedAlarm.AlarmDescription": "its words",
    "*Function.TracingConfig": "invocations can be traced",
    "JudgePanel.TracingConfiguration": "judge runs can be traced",
    "JudgePrepareRole.Policies": "budgets are no longer leased",
    "SweepRole.Policies": "without leases the sweeper reads no single item",
}
"""Patterns of `<logical id>.<property>` that differ, and why."""


def matched(name, patterns):
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def differences():
    for name in BEFORE.keys() & NOW.keys():
        for part in BEFORE[name].keys() | NOW[name].keys():
            if BEFORE[name].get(part) != NOW[name].get(part):
                yield f"{name}.{part}"


def test_no_resource_is_added_that_is_not_listed():
    assert [name for name in NOW.keys() - BEFORE.keys() if not matched(name, ADDED)] == []


def test_no_resource_is_removed_that_is_not_listed():
    assert [name for name in BEFORE.keys() - NOW.keys() if not matched(name, REMOVED)] == []


def test_no_resource_is_changed_where_it_is_not_listed():
    assert [name for name in sorted(differences()) if not matched(name, CHANGED)] == []


def test_what_is_listed_is_a_difference():
    found = [*(NOW.keys() ^ BEFORE.keys()), *differences()]

    assert [
        pattern for pattern in [*ADDED, *REMOVED, *CHANGED] if not any(fnmatchcase(name, pattern) for name in found)
    ] == []
