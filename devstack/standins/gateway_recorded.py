"""Recorded replies of a real model, from the package judgekeeper, given by the SSO stand-in in our contract's form.

The verdicts and the reasons are the model's own; only the JSON around them is ours. Each answer was judged three times,
so the first three repeats of a case are three real runs.
"""

import csv
import io
import json
import threading
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Final

from devstack.demo.sets import FIELDS, Reply, replies
from devstack.standins.gateway_catalog import RECORDED_MODEL, RUBRICS
from devstack.standins.gateway_replies import ChatRequest, Completion, Rule, longest_summary, shaped

_UNKNOWN_SUMMARY_CHARS: Final = 1_200


def recorded_outputs() -> Mapping[str, str]:
    """Give each judged answer's text and its item, `field-id`."""
    root = files("judgekeeper") / "demo_data" / "fields"
    items: dict[str, str] = {}
    for name in FIELDS:
        # Not read as text: that would change the line ends inside an answer.
        lines = io.StringIO((root / name / "items.csv").read_bytes().decode(), newline="")
        items |= {row["output"]: f"{name}-{row['id']}" for row in csv.DictReader(lines)}
    return items


def labelled_outputs(field: str) -> Iterator[tuple[str, str, str]]:
    """Yield each judged answer of a field: its item, `field-id`, its text and what a person said, `pass` or `fail`."""
    path = files("judgekeeper") / "demo_data" / "fields" / field / "labels.csv"
    lines = csv.DictReader(io.StringIO(path.read_bytes().decode(), newline=""))
    labels = {f"{field}-{row['id']}": row["human_label"] for row in lines}
    return ((item, output, labels[item]) for output, item in recorded_outputs().items() if item in labels)


class RecordedReplies:
    """The model of each rubric says again what it said of the answer that the request fences as `output`."""

    def __init__(self) -> None:
        self._items = recorded_outputs()
        self._runs: dict[str, list[Reply]] = {}
        for reply in replies():
            self._runs.setdefault(reply.key, []).append(reply)
        self._taken: dict[str, list[str]] = {}
        self._lock = threading.Lock()

    def reply(self, request: ChatRequest) -> Completion | None:
        """Give the recorded run for this logical request, the next one for each new request about the same answer."""
        rubric = request.model.removeprefix(f"{RECORDED_MODEL}/")
        item = self._items.get(request.fenced().get("output", ""))
        if rubric not in RUBRICS or item is None:
            return None
        name, _, number = item.partition("-")
        recorded = self._recorded(f"{name}-{rubric}-{number}", request.logical_id)
        summary = recorded.text[: longest_summary(request.system, _UNKNOWN_SUMMARY_CHARS)]
        return Completion(json.dumps(shaped(request, Rule("", recorded.verdict), summary), ensure_ascii=False))

    def _recorded(self, key: str, logical_id: str) -> Reply:
        runs = self._runs[key]
        with self._lock:
            taken = self._taken.setdefault(key, [])
            if logical_id not in taken:
                taken.append(logical_id)
            return runs[taken.index(logical_id) % len(runs)]
