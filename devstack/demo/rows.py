"""Reading data sets of one JSON object a line."""

import json
from pathlib import Path

from devstack.demo.data import JsonObject


def rows(path: Path) -> list[JsonObject]:
    """Return the rows of the file at *path*; none where there is no such file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
