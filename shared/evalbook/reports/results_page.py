"""A suite's results as one self-contained page: figures without scripts, cases to search and open with them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Protocol

from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json, encode_json
from evalbook.reports.charts import Interval, interval_chart

_SHOWN = ("input", "output", "expected", "trace")


class Row(Protocol):
    """A case of the run: its id, its JSON text, and what else its row held."""

    @property
    def case_id(self) -> str:
        """The case's id."""

    @property
    def text(self) -> bytes:
        """The case as JSON text."""

    @property
    def fields(self) -> Mapping[str, Json]:
        """What else the row held, for slices."""


def results_page(
    summaries: Sequence[Mapping[str, Any]],
    rows: Iterable[tuple[Row, Sequence[Mapping[str, Any]]]],
    *,
    with_bodies: bool = False,
) -> str:
    """Return the page of a run: *summaries* one a scorer, *rows* cases with one result a scorer, in that order.

    It needs no network. Outputs, expected values, traces and details are on it only *with_bodies*; whatever the data
    hold, they stand in it as data and cannot become markup.
    """
    data = {
        "scorers": [summary["scorer"] for summary in summaries],
        "cases": [_case(row, results, with_bodies=with_bodies) for row, results in rows],
    }
    page = _template().replace("<!--STATIC-->", _static(summaries), 1)
    return page.replace("<!--DATA-->", _embedded(data), 1)


@cache
def _template() -> str:
    return Path(__file__).with_suffix(".html").read_text("utf-8")


def _embedded(data: Json) -> str:
    """Return *data* as JSON in which no element can end and no comment begin."""
    text = encode_json(data).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _case(row: Row, results: Sequence[Mapping[str, Any]], *, with_bodies: bool) -> dict[str, Json]:
    shown = [_result(result, with_bodies=with_bodies) for result in results]
    case: dict[str, Json] = {"id": row.case_id, "f": dict(row.fields), "r": shown}
    return case | ({"b": _body(row.text)} if with_bodies else {})


def _result(result: Mapping[str, Any], *, with_bodies: bool) -> list[Json]:
    details = (result["body"] or {}).get("details") if with_bodies else None
    return [result["outcome"], result["code"], result["score"], result["explanation"], details]


def _body(text: bytes) -> dict[str, Json]:
    try:
        case = read_json(text)
    except NotStrictJson:
        return {}
    return {name: case[name] for name in _SHOWN if name in case} if isinstance(case, dict) else {}


def _static(summaries: Sequence[Mapping[str, Any]]) -> str:
    """The figures, which every reader sees, also in a mail."""
    drawn = [
        Interval(str(each["scorer"]), each["pass_rate"], *each["pass_rate_wilson95"])
        for each in summaries
        if each["pass_rate"] is not None
    ]
    chart = interval_chart("Pass rates with 95 % intervals", drawn) if drawn else ""
    head = "".join(f'<th scope="col" class="n">{name}</th>' for name in ("Cases", "Pass", "Fail", "Other"))
    rows = "".join(map(_row, summaries))
    table = (
        f'<div class="scroll"><table><thead><tr><th scope="col">Scorer</th>{head}<th scope="col">Pass rate, 95 %'
        f' interval</th><th scope="col">Others by code</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )
    return f"<section><h2>Pass rates</h2>{chart}{table}</section>"


def _row(summary: Mapping[str, Any]) -> str:
    others = ", ".join(f"{count} {code}" for code, count in summary["others"].items())
    other = summary["cases"] - summary["pass"] - summary["fail"]
    rate, interval = summary["pass_rate"], summary["pass_rate_wilson95"]
    shown = "" if rate is None else f"{rate:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
    figures = "".join(
        f'<td class="n">{each}</td>' for each in (summary["cases"], summary["pass"], summary["fail"], other)
    )
    return (
        f'<tr><th scope="row">{escape(summary["scorer"])}</th>{figures}<td>{shown}</td><td>{escape(others)}</td></tr>'
    )
