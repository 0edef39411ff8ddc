"""Write the API's document and its page: `python -m evalbook.api.export docs`."""

import sys
from pathlib import Path

from evalbook.api.declarations import api_document
from evalbook.reports.api_page import page


def export(folder: Path) -> None:
    """Write `openapi.json` and `api.html` into *folder*."""
    document = api_document()
    (folder / "openapi.json").write_text(document, encoding="utf-8")
    (folder / "api.html").write_text(page(document), encoding="utf-8")


if __name__ == "__main__":
    export(Path(sys.argv[1]))
