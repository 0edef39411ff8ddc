"""Compares the pattern checker with others on labelled patterns, and prints what it takes.

    python benchmarks/patterns.py [FOLDER]

FOLDER holds `corpus.jsonl` (`pattern`, `flags`: letters of `imsx`, `label`: exponential, polynomial or safe,
`len_100ms`: the length at which a match takes 100 ms) and, if other checkers ran, `peers.jsonl` (`pattern` and an
answer for each: whether it refuses; null where it gave none). Without FOLDER, patterns of known class are generated.
"""

import json
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks._patterns_made import made_corpus
from evalbook.regex_safety.checker import check_pattern
from evalbook.regex_safety.syntax.problem import Reason

REFUSED_LENGTH = 1_000
FLAGS = {"i": "ignore_case", "m": "multiline", "s": "dot_all", "x": "verbose"}
LEFT_OUT = {Reason.UNSUPPORTED_SYNTAX, Reason.INVALID_SYNTAX}
SELF = "this checker"


def main() -> None:
    rows = made_corpus() if len(sys.argv) < 2 else read(Path(sys.argv[1]) / "corpus.jsonl")
    peers = (
        read(Path(sys.argv[1]) / "peers.jsonl")
        if len(sys.argv) > 1 and (Path(sys.argv[1]) / "peers.jsonl").exists()
        else []
    )
    times: list[float] = []
    answers = [answer(row, times) for row in rows]
    tools: dict[str, list[bool | None]] = {SELF: answers}
    for tool in [key for key in (peers[0] if peers else {}) if key not in {"pattern", "label"}]:
        tools[tool] = [peer[tool] for peer in peers]
    print_table(rows, tools)
    print_times(times)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answer(row: dict[str, Any], times: list[float]) -> bool | None:
    """Whether either mode is refused; nothing for syntax that has no place here."""
    flags = frozenset(FLAGS[letter] for letter in row.get("flags", ""))
    refused = False
    for mode in ("search", "fullmatch"):
        began = time.process_time()
        check = check_pattern(row["pattern"], flags=flags, mode=mode)
        times.append(time.process_time() - began)
        if check.refusal is not None and check.refusal.reason in LEFT_OUT:
            return None
        refused = refused or check.refusal is not None
    return refused


def kind(row: dict[str, Any]) -> str:
    if row["label"] == "exponential" or (row.get("len_100ms") or REFUSED_LENGTH + 1) <= REFUSED_LENGTH:
        return "to refuse"
    return "slow" if row["label"] == "polynomial" else "safe"


def print_table(rows: list[dict[str, Any]], tools: dict[str, list[bool | None]]) -> None:
    print(f"{len(rows)} patterns: {dict(Counter(kind(row) for row in rows))}")
    print("refused, of those that the tool answered; then this checker on the same patterns")
    print(f"{'':16}{'to refuse':>24}{'safe':>24}{'slow':>24}{'no answer':>12}")
    for tool, given in tools.items():
        line = f"{tool:16}"
        for wanted in ("to refuse", "safe", "slow"):
            asked = [i for i, row in enumerate(rows) if kind(row) == wanted and given[i] is not None]
            theirs = sum(bool(given[i]) for i in asked)
            ours = sum(bool(tools[SELF][i]) for i in asked)
            line += f"{f'{theirs}/{len(asked)}  ({ours})':>24}"
        print(f"{line}{sum(one is None for one in given):>12}")


def print_times(times: list[float]) -> None:
    ordered = sorted(times)
    late = ordered[int(len(ordered) * 0.95)]
    print(
        f"CPU time a check: median {statistics.median(ordered) * 1e3:.1f} ms, "
        f"95th percentile {late * 1e3:.1f} ms, worst {ordered[-1] * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    main()
