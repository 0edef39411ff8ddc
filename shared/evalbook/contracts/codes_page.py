"""The page of outcome codes: `python -m evalbook.contracts.codes_page FILE` writes it."""

import sys
from pathlib import Path
from typing import Final

from evalbook.domain.outcome import Code

_HEAD: Final = """\
# Outcome codes

Every outcome but `pass` and `fail` carries one of these codes. The list is closed; it is made from the code
(`make schemas`) and stands in `schemas/result.json` too.

| code | meaning |
| --- | --- |
"""


def codes_page() -> str:
    """The page in Markdown: one table, a row a code."""
    return _HEAD + "".join(f"| `{code.value}` | {code.meaning} |\n" for code in Code)


def main(file: str) -> None:
    """Write the page to *file*."""
    Path(file).write_text(codes_page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
