"""More data for the demo, from a folder of public data sets: GSM8K solutions and OpenQA predictions."""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Final

from devstack.demo_sets import DemoCase, DemoSet, JsonObject

_ANSWER: Final = re.compile(r"A:\s*\$?(-?[\d,]*\.?\d+)\s*\Z")
_FOLDING: Final = {"ignore_case": True, "collapse_whitespace": True, "trim": True, "normalize_unicode": True}


def real_sets(folder: Path) -> list[DemoSet]:
    """Build a set for each data file that *folder* holds."""
    found: list[DemoSet] = []
    if (path := folder / "gsm8k_model_solutions.jsonl").is_file():
        found += _gsm8k(list(_rows(path)))
    if (path := folder / "openqa_nq301_predictions.jsonl").is_file():
        found += _openqa(list(_rows(path)))
    return found


def _rows(path: Path) -> Iterator[JsonObject]:
    with path.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _number(text: str) -> int | float | None:
    """The number after `A:` at the end of a solution, as JSON has it; None where there is none."""
    found = _ANSWER.search(text.strip())
    if not found:
        return None
    number = Decimal(found[1].replace(",", ""))
    return int(number) if number == number.to_integral_value() else float(number)


def _gsm8k(rows: list[JsonObject]) -> Iterator[DemoSet]:
    models = [name for name in rows[0] if isinstance(rows[0][name], dict)]
    for model in models:
        cases = tuple(
            DemoCase(
                {
                    "case_id": f"{row['id']}-{model}",
                    "output": _number(row[model]["solution"]),
                    "expected": _number(row["ground_truth"]),
                },
                row[model]["is_correct"],
            )
            for row in rows
        )
        name = f"gsm8k-{model.replace('_', '-')}"
        yield DemoSet(f"GSM8K {model}", name, "numeric_tolerance", {"absolute": 0}, cases)


def _openqa(rows: list[JsonObject]) -> Iterator[DemoSet]:
    for model in rows[0]["predictions"]:
        name = re.sub(r"[^A-Za-z0-9]+", "-", model)
        answered = [row for row in rows if row["predictions"].get(model) is not None]
        kinds = (
            ("any gold answer", "contains", {"mode": "any", **_FOLDING}),
            ("first gold answer", "exact_match", _FOLDING),
        )
        for what, implementation, parameters in kinds:
            cases = tuple(
                DemoCase(
                    {
                        "case_id": f"{row['id']}-{name}",
                        "output": row["predictions"][model],
                        "expected": row["gold"] if implementation == "contains" else row["gold"][0],
                    },
                    None,
                )
                for row in answered
            )
            yield DemoSet(f"{model}: {what}", f"openqa-{name}-{implementation}", implementation, parameters, cases)
