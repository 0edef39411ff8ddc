"""Files of cases, by their endings: JSON Lines, a JSON array, CSV, Parquet."""

import argparse
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evalbook.cli.streams import content_lines, open_input
from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.reader import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from evalbook.services.suites.case_rows import CaseRow, RowUnreadable

_ENDINGS = {".json": "json", ".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}


def read_cases(options: argparse.Namespace) -> Iterator["CaseRow | RowUnreadable"]:
    """Yield the cases of `options.file` in `options.format`; `auto` goes by the file's ending, else JSON Lines.

    Raises:
        Refused: The file is not of that format, or a mapping names no member of a case.
    """
    from evalbook.services.suites import case_rows

    chosen = options.format
    if chosen == "auto":
        chosen = _ENDINGS.get(Path(options.file).suffix.lower(), "jsonl")
    mapping = case_rows.read_mapping(options.map)
    if mapping and chosen in ("json", "jsonl"):
        raise Refused([Problem("--map", "is for CSV and Parquet: JSON has the members of a case already")])
    if chosen == "parquet":
        yield from case_rows.rows_of_columns(_parquet_rows(options.file), mapping)
        return
    with open_input(options.file) as stream:
        if chosen == "json":
            yield from case_rows.rows_of_array(stream.read().removeprefix(BYTE_ORDER_MARK))
        elif chosen == "jsonl":
            yield from case_rows.rows_of_lines(content_lines(stream))
        else:
            csv.field_size_limit(1 << 30)
            text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
            yield from case_rows.rows_of_columns(_csv_rows(csv.DictReader(text, strict=True)), mapping)


def _csv_rows(reader: "csv.DictReader[str]") -> Iterator[dict[str, str]]:
    try:
        for row in reader:
            if None in row or None in row.values():
                raise Refused([Problem("", f"line {reader.line_num} has not as many cells as the header")])
            yield row
    except csv.Error as error:
        raise Refused([Problem("", f"line {reader.line_num} is no CSV: {error}")]) from None
    except UnicodeDecodeError:
        raise Refused([Problem("", f"line {reader.line_num + 1} is not UTF-8")]) from None


def _parquet_rows(path: str) -> Iterator[dict[str, object]]:
    try:
        from pyarrow import parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise Refused([Problem("", "Parquet needs pyarrow: pip install 'evalbook-scorers[parquet]'")]) from None
    for batch in parquet.ParquetFile(path).iter_batches():
        yield from batch.to_pylist()
