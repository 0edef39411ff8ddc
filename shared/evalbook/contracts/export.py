"""The wire models as JSON Schemas: `python -m evalbook.contracts.export FOLDER` writes one file a model."""

import json
import sys
from pathlib import Path
from typing import Final

from evalbook.contracts.case import CaseModel
from evalbook.contracts.model import Wire
from evalbook.contracts.results import Result, ResultBatch
from evalbook.contracts.score_batch import ScoreBatch

MODELS: Final[dict[str, type[Wire]]] = {
    "case": CaseModel,
    "score_batch": ScoreBatch,
    "result": Result,
    "result_batch": ResultBatch,
}
"""The published models by the names of their files."""


def schema_text(name: str) -> str:
    """The JSON Schema (draft 2020-12) of the model called *name*, as the text of its file."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{name}.json",
        **MODELS[name].model_json_schema(),
    }
    return json.dumps(schema, indent=2) + "\n"


def main(folder: str) -> None:
    """Write the schema of every model into *folder*, which is made where it is missing."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        (target / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
