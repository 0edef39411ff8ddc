"""More data for the demo, from a folder of public data sets: models' answers to questions with known answers."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Final

from devstack.demo.data import DemoCase, DemoSet, JsonObject, demo_set
from devstack.demo.retrieval import retrieval_sets
from devstack.demo.rows import rows
from devstack.demo.taubench import taubench_sets

_ANSWER: Final = re.compile(r"A:\s*\$?(-?[\d,]*\.?\d+)\s*\Z")
_FOLDING: Final = {"ignore_case": True, "collapse_whitespace": True, "trim": True, "normalize_unicode": True}


def real_sets(folder: Path) -> list[DemoSet]:
    """Build a set for each data file that *folder* holds."""
    return [
        *_gsm8k(rows(folder / "gsm8k_model_solutions.jsonl")),
        *taubench_sets(folder),
        *retrieval_sets(folder),
        *_openqa(rows(folder / "openqa_nq301_predictions.jsonl")),
    ]


def _number(text: str) -> int | float | None:
    """The number after `A:` at the end of a solution, as JSON has it; None where there is none."""
    found = _ANSWER.search(text.strip())
    if not found:
        return None
    number = Decimal(found[1].replace(",", ""))
    return int(number) if number == number.to_integral_value() else float(number)


def _gsm8k(solved: list[JsonObject]) -> Iterator[DemoSet]:
    models = [name for name, value in solved[0].items() if isinstance(value, dict)] if solved else []
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
            for row in solved
        )
        name = f"gsm8k-{model.replace('_', '-')}"
        yield demo_set(f"GSM8K {model}", name, "numeric_tolerance", {"absolute": 0}, cases)


def _openqa(asked: list[JsonObject]) -> Iterator[DemoSet]:
    for model in asked[0]["predictions"] if asked else ():
        name = re.sub(r"[^A-Za-z0-9]+", "-", model)
        answered = [row for row in asked if row["predictions"].get(model) is not None]
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
            yield demo_set(f"{model}: {what}", f"openqa-{name}-{implementation}", implementation, parameters, cases)
