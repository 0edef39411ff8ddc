"""Two runs compared as one self-contained page, without scripts."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from evalbook.reports.charts import Interval, interval_chart

_COUNTS: Final = ("decided_in_both", "pass_before", "pass_after")
_MAX_LISTED: Final = 1_000
_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1f24;--line:#d0d7de;--ground:#fff;--accent:#0550ae}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--line:#30363d;--ground:#0d1117;--accent:#58a6ff}}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem}
body{color:var(--ink);background:var(--ground)} section{overflow-x:auto} svg{max-width:100%;height:auto}
table{border-collapse:collapse;width:100%} td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
svg text{font:13px system-ui,sans-serif;fill:var(--ink)} .grid{stroke:var(--line)} .point{fill:var(--accent)}
.whisker{stroke:var(--accent);stroke-width:3}
"""
_LISTS: Final = {
    "worse": "Got worse",
    "newly_undecided": "No longer decided",
    "missing": "Missing in the new run",
    "better": "Got better",
    "newly_decided": "Decided now",
    "code_changed": "Undecided for another reason",
    "added": "New cases",
}


def comparison_page(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """Return the page for *comparisons*, one a scorer, as `ScorerComparison.as_json` gives them."""
    drawn = [
        Interval(str(each["scorer"]), each["difference"], *each["difference_newcombe95"])
        for each in comparisons
        if each["difference"] is not None
    ]
    chart = interval_chart("Difference of pass rates with 95 % intervals", drawn) if drawn else ""
    body = f"<h1>EvalBook comparison</h1><section>{chart}{_table(comparisons)}</section>"
    body += "".join(_lists(each) for each in comparisons)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>EvalBook comparison</title><style>{_STYLE}</style></head><body>{body}</body></html>"
    )


def _table(comparisons: Sequence[Mapping[str, Any]]) -> str:
    heads = ("Decided in both", "Pass before", "Pass after", "Better", "Worse", "p (McNemar, exact)")
    head = "".join(f'<th scope="col" class="n">{name}</th>' for name in heads)
    rows = []
    for each in comparisons:
        p = each["mcnemar_exact_p"]
        counts = (*(each[name] for name in _COUNTS), len(each["better"]), len(each["worse"]))
        figures = (*counts, "" if p is None else f"{p:.4f}")
        cells = "".join(f'<td class="n">{figure}</td>' for figure in figures)
        rows.append(f'<tr><th scope="row">{escape(each["scorer"])}</th>{cells}</tr>')
    return f'<table><thead><tr><th scope="col">Scorer</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _lists(comparison: Mapping[str, Any]) -> str:
    parts = []
    for name, title in _LISTS.items():
        changes = comparison[name]
        if changes:
            rows = "".join(map(_row, changes[:_MAX_LISTED]))
            more = len(changes) - _MAX_LISTED
            told = f"<p>and {more} more</p>" if more > 0 else ""
            head = "<thead><tr><th>Case</th><th>Before</th><th>After</th></tr></thead>"
            listed = f"<section><table>{head}<tbody>{rows}</tbody></table>{told}</section>"
            parts.append(f"<h3>{title} ({len(changes)})</h3>{listed}")
    return f"<h2>{escape(comparison['scorer'])}</h2>" + ("".join(parts) or "<p>No case changed.</p>")


def _row(change: Mapping[str, Any]) -> str:
    cells = (change["case_id"], _said(change["before"]), _said(change["after"]))
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _said(case: Mapping[str, Any] | None) -> str:
    return "" if case is None else " ".join(filter(None, (case["outcome"], case["code"])))
