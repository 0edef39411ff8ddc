"""The demo's data: recorded replies of a real model with labelled verdicts, from the package judgekeeper."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Final

from devstack.demo.data import DemoCase, DemoSet, demo_set

FIELDS: Final = ("coding", "health", "support")
RUBRICS: Final = ("full", "quick")
RUNS: Final = (1, 2, 3)
OPPOSITE: Final = {"pass": "fail", "fail": "pass"}


@dataclass(frozen=True, slots=True)
class Reply:
    """One recorded reply of the model, and the label of the answer that it judges."""

    key: str
    run: int
    verdict: str
    text: str
    label: str


def replies() -> Iterator[Reply]:
    """Yield every recorded reply: three fields, two rubrics, three runs."""
    root = files("judgekeeper") / "demo_data" / "fields"
    for field in FIELDS:
        table = StringIO((root / field / "labels.csv").read_bytes().decode(), newline="")
        labels = {row["id"]: row["human_label"] for row in csv.DictReader(table)}
        for rubric in RUBRICS:
            for run in RUNS:
                lines = (root / field / "runs" / rubric / f"run-{run:02}.jsonl").read_text("utf-8").splitlines()
                for record in map(json.loads, lines):
                    if record["type"] == "judgment":
                        key = f"{field}-{rubric}-{record['id']}"
                        yield Reply(key, run, record["verdict"], record["rationale"], labels[record["id"]])


def default_sets() -> list[DemoSet]:
    """Build the demo's sets; a label says whether the model's verdict agrees with the labelled one."""
    recorded = list(replies())
    ignoring_case = {"ignore_case": True}
    return [
        demo_set("verdict = label", "verdict-is-label", "exact_match", {}, _verdicts(recorded)),
        demo_set(
            "reply states the label", "states-label", "contains", ignoring_case, _stated(recorded, opposite=False)
        ),
        demo_set(
            "reply states no other", "states-no-other", "not_contains", ignoring_case, _stated(recorded, opposite=True)
        ),
        demo_set("reply repeats run 1", "repeats-run-1", "edit_similarity", {"threshold": 0.9}, _repeated(recorded)),
    ]


def _case_id(reply: Reply) -> str:
    return f"{reply.key}-{reply.run}"


def _verdicts(recorded: list[Reply]) -> tuple[DemoCase, ...]:
    return tuple(
        DemoCase(
            {"case_id": _case_id(reply), "output": reply.verdict, "expected": reply.label},
            reply.verdict == reply.label,
        )
        for reply in recorded
    )


def _stated(recorded: list[Reply], *, opposite: bool) -> tuple[DemoCase, ...]:
    def expected(reply: Reply) -> str:
        return f"verdict: {OPPOSITE[reply.label] if opposite else reply.label}"

    return tuple(
        DemoCase(
            {"case_id": _case_id(reply), "output": reply.text, "expected": expected(reply)},
            reply.verdict == reply.label,
        )
        for reply in recorded
        if "verdict:" in reply.text.casefold()
    )


def _repeated(recorded: list[Reply]) -> tuple[DemoCase, ...]:
    first = {reply.key: reply for reply in recorded if reply.run == 1}
    return tuple(
        DemoCase(
            {"case_id": _case_id(reply), "output": reply.text, "expected": first[reply.key].text},
            reply.verdict == first[reply.key].verdict,
        )
        for reply in recorded
        if reply.run > 1
    )
