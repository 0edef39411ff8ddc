"""Count the package's rooms and arrows, and the modules that four walks pass: `python -m devstack.walks`.

A walk is made on the local stack, a second time each, so that what a container does at its start is not counted.
"""

import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from unittest import mock

from devstack.clients.authors import JudgeAuthors
from devstack.clients.judging import JudgeRun, JudgingClient
from devstack.clients.scoring import ScoringClient
from devstack.demo.data import DemoCase, JsonObject, demo_set
from devstack.emulator import functions
from devstack.stack import Stack
from devstack.standins.gateway_catalog import RECORDED_MODEL
from devstack.standins.gateway_recorded import labelled_outputs
from devstack.walks.rooms import rooms_of

_RECORDER: Final = Path(__file__).parent / "recorder"
_STEPS: Final = ("JudgePrepareFunction", "JudgeAskFunction", "JudgeAggregateFunction", "JudgePublishFunction")
_JUDGING: Final = ("JudgeDispatchFunction", *_STEPS)
_PLENTY: Final = 5_000_000
_PARAMETERS: Final = {
    "model": f"recorded-full::{RECORDED_MODEL}",
    "prompt_template": "Does this answer do what a good support agent would do?\n\n{{output}}",
    "score_type": "binary",
    "repeat_count": 3,
}
_OUTPUTS: Final = list(labelled_outputs("support"))[:6]
_CASES: Final[list[JsonObject]] = [
    {"case": {"case_id": case_id, "output": output}, "human": label} for case_id, output, label in _OUTPUTS
]


@dataclass(frozen=True, slots=True)
class Walk:
    """What is done, given a number that tells its repetitions apart, and the functions that do it."""

    do: Callable[[int], object]
    functions: tuple[str, ...]


def walks(stack: Stack) -> dict[str, Walk]:
    """Return the four walks by their names."""
    scoring, judging, authors = ScoringClient(stack), JudgingClient(stack), JudgeAuthors(stack)
    case = DemoCase({"case_id": "c", "output": "a b"}, label=True)
    versions: dict[int, int] = {}

    def batch(number: int) -> None:
        scoring.score(demo_set("walk", f"contains-{number}", "contains", {"texts": ["a"]}, (case,)))

    def version(number: int) -> None:
        versions[number] = authors.create(f"judge-{number}", dict(_PARAMETERS))

    def judged(number: int) -> None:
        if number == 1:
            authors.activate("judge-1", versions[1])
        run = JudgeRun("judge-1", dict(_PARAMETERS), _PLENTY)
        judging.open(run)
        judging.judge(run, [{"case_id": f"case-{number}", "output": _OUTPUTS[0][1]}])

    def calibration(number: int) -> None:
        authors.calibrate(f"judge-{number}", versions[number], _CASES, _PLENTY)

    return {
        "a created version": Walk(version, ("RegistryFunction",)),
        "a batch": Walk(batch, ("ScoreTextFunction",)),
        "a judged case": Walk(judged, _JUDGING),
        "a calibration": Walk(calibration, ("CalibrationsFunction", "CalibrateFunction", *_STEPS)),
    }


def passed(notes: Path, since: int, names: Collection[str]) -> set[str]:
    """Return the modules that *notes* has since that second, of the functions with these physical *names*."""
    lines = (line.split(" ") for line in notes.read_text("utf-8").splitlines())
    return {module for second, function, module in lines if int(second) >= since and function in names}


def recording(notes: Path, bootstrap: Callable[..., str], *arguments: object) -> str:
    """Return a function's bootstrap that starts Python with the recorder."""
    script = bootstrap(*arguments)
    return script.replace("exec ", f'export PYTHONPATH="{_RECORDER}:$PYTHONPATH" EVALBOOK_WALKS="{notes}"\nexec ', 1)


def main() -> None:
    """Print the rooms, then each walk with the number of its modules and their names."""
    rooms = rooms_of("evalbook")
    print(f"rooms: {len(rooms.names)}, arrows: {len(rooms.arrows)}, modules: {rooms.modules}")
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        notes.touch()
        start = partial(recording, notes, functions.bootstrap)
        with mock.patch.object(functions, "bootstrap", start), Stack() as stack:
            for name, walk in walks(stack).items():
                walk.do(1)
                time.sleep(2)
                since = int(time.time())
                walk.do(2)
                modules = sorted(passed(notes, since, [stack.physical_id(each) for each in walk.functions]))
                print(f"\n{name}: {len(modules)} modules", *modules, sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
