"""A calibration report as one HTML page that needs nothing from a network."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from evalbook.jsonio.values import Json
from evalbook.reports.charts import Interval, Line, interval_chart, line_chart, matrix_chart

Report = Mapping[str, Json]

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1,h2,h3{line-height:1.2} table{border-collapse:collapse;margin:.5rem 0 1.5rem;width:100%}
section{overflow-x:auto} svg{max-width:100%;height:auto}
th,td{text-align:left;padding:.3rem .7rem;border-bottom:1px solid #d0d7de;vertical-align:top;overflow-wrap:anywhere}
td.figure{font-variant-numeric:tabular-nums;white-space:nowrap} .reason{color:#57606a;font-size:.875rem}
.status{padding:.7rem 1rem;border-left:.4rem solid #1a7f37;background:#f0f8f2}
.status.insufficient{border-color:#bc4c00;background:#fff4ec}
text{font:13px system-ui,sans-serif;fill:#1b1f24} .small{font-size:11px} .grid{stroke:#d0d7de}
.whisker{stroke:#0550ae;stroke-width:3} .point{fill:#0550ae} .agree{fill:#1a7f37} .differ{fill:#bc4c00}
.line{fill:none;stroke-width:2} .line0{stroke:#0550ae} .line1{stroke:#bc4c00} .line2{stroke:#1a7f37}
.dot0,.key0{fill:#0550ae} .dot1,.key1{fill:#bc4c00} .dot2,.key2{fill:#1a7f37}
"""
_INTERVALS = {
    "agreement": "agreement_wilson95",
    "exact_agreement": "exact_agreement_wilson95",
    "tpr": "tpr_wilson95",
    "tnr": "tnr_wilson95",
    "cohen_kappa": "cohen_kappa_ci95",
    "kappa_quadratic": "kappa_quadratic_ci95",
    "spearman": "spearman_ci95",
    "pearson": "pearson_fisher_ci95",
}
_TABLES = (
    "calibration",
    "abstention",
    "corrected_pass_rate",
    "binarised_pass",
    "human_agreement",
    "stability",
    "bootstrap",
)
_NOT_IN_A_TABLE = frozenset({*_TABLES[:-1], "undecided", "per_category", "confusion_matrix", "disagreements"})
_TITLES = {
    "calibration": "What was measured",
    "n": "Labelled cases",
    "n_decided": "Decided cases",
    "n_rows": "Rows",
    "n_without_human": "Rows without a human label",
    "n_human_ties": "Cases on which the humans tie",
    "tpr": "TPR",
    "tnr": "TNR",
    "npv": "NPV",
    "f1": "F1",
    "mcc": "MCC",
    "mae": "MAE",
    "rmse": "RMSE",
    "gwet_ac1": "Gwet's AC1",
    "cohen_kappa": "Cohen's kappa",
    "lin_ccc": "Lin's CCC",
    "kendall_tau_b": "Kendall's tau-b",
    "youden_j": "Youden's J",
    "bland_altman_limits_95": "Bland-Altman limits (95 %)",
}
_ENDINGS = {"wilson95": "Wilson interval (95 %)", "ci95": "interval (95 %)", "se": "standard error"}


def render_html(report: Report) -> str:
    """Return *report* (of `calibrate`) as a whole HTML document without scripts; every text in it is escaped.

    Where the report has a list `disagreements` (of that function), the cases are listed; it names cases, so leave it
    out for readers who may not see them.
    """
    body = "".join(
        [
            f"<h1>Judge calibration</h1>{_banner(report)}",
            _section("Agreement with 95 % intervals", _interval_part(report)),
            _section("Confusion matrix", _matrix_part(report)),
            _section("Figures", _table(report)),
            _section("Reliability by repeat", _repeats_part(report.get("by_repeat"))),
            _section("Threshold sweep", _sweep_part(report.get("threshold_sweep"))),
            _section("Undecided cases", _undecided_part(report.get("undecided"))),
            _section("By category", _category_part(report.get("per_category"))),
            *(_section(_title(name), _table(report[name])) for name in _TABLES if report.get(name)),
            _section("Disagreements", _disagreement_part(report.get("disagreements"))),
        ]
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Judge calibration</title><style>{_STYLE}</style></head><body>{body}</body></html>"
    )


def _banner(report: Report) -> str:
    status = str(report.get("status", ""))
    kind = " insufficient" if status == "insufficient" else ""
    reason = f": {report['status_reason']}" if report.get("status_reason") else ""
    said = f"{report.get('n_decided', 0)} of {report.get('n', 0)} labelled cases decided, kind {report.get('kind', '')}"
    banner = (
        f'<p class="status{kind}" role="status"><strong>{escape(status)}</strong>{escape(f"{reason} ({said})")}</p>'
    )
    return banner + _partial(report.get("calibration"))


def _partial(calibration: Json) -> str:
    """What is missing of a stored calibration, if anything is."""
    if not isinstance(calibration, Mapping) or not calibration.get("partial"):
        return ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in calibration["partial_reasons"].items())
    said = f": cases without judgement, by reason: {reasons}"
    return f'<p class="status insufficient" role="status"><strong>partial</strong>{escape(said)}</p>'


def _interval_part(report: Report) -> str:
    own = _intervals(report)
    binarised = report.get("binarised_pass")
    chart = interval_chart("Agreement with 95 % intervals", own) if own else ""
    if isinstance(binarised, Mapping) and (found := _intervals(binarised)):
        chart += "<h3>As pass and fail</h3>" + interval_chart("Agreement as pass and fail", found)
    return chart


def _intervals(report: Report) -> list[Interval]:
    return [
        Interval(_title(name), report[name], *report[bounds])
        for name, bounds in _INTERVALS.items()
        if report.get(name) is not None and report.get(bounds)
    ]


def _matrix_part(report: Report) -> str:
    charts = []
    for owner in (report, report.get("binarised_pass")):
        matrix = owner.get("confusion_matrix") if isinstance(owner, Mapping) else None
        if matrix and matrix["labels"]:
            labels = [_shown(label) for label in matrix["labels"]]
            charts.append(matrix_chart("Confusion matrix", labels, matrix["rows_human"]))
    return "".join(charts)


def _repeats_part(repeats: Json) -> str:
    if not repeats:
        return ""
    columns = [name for name in ("n", "agreement", "tpr", "tnr", "cohen_kappa", "mae") if name in repeats[0]]
    rows = [[_shown(one["repeat"]), *(_shown(one.get(name)) for name in columns)] for one in repeats]
    drawn = [
        Interval(f"{_title(name)}, repeat {one['repeat']}", one[name], *one[f"{name}_wilson95"])
        for name in ("agreement", "tpr", "tnr")
        for one in repeats
        if one.get(name) is not None and one.get(f"{name}_wilson95")
    ]
    chart = interval_chart("Reliability by repeat", drawn) if drawn else ""
    return chart + _grid(["Repeat", *map(_title, columns)], rows)


def _sweep_part(sweep: Json) -> str:
    if not sweep:
        return ""
    lines = [
        Line(_title(name), [(float(row["threshold"]), float(row[name])) for row in sweep if row[name] is not None])
        for name in ("tpr", "tnr")
    ]
    drawn = [line for line in lines if line.points]
    chart = line_chart("TPR and TNR by pass threshold", drawn) if drawn else ""
    names = ("threshold", "tp", "fn", "fp", "tn", "tpr", "tnr", "youden_j")
    grid = _grid([_title(name) for name in names], [[_shown(row[name]) for name in names] for row in sweep])
    return f"<p>A threshold chosen here must be confirmed on other cases.</p>{chart}{grid}"


def _disagreement_part(cases: Json) -> str:
    if not cases:
        return ""
    rows = [[_shown(case[name]) for name in ("case_id", "human", "judge")] for case in cases]
    return _grid(["Case", "Human", "Judge"], rows)


def _undecided_part(undecided: Json) -> str:
    rows = []
    for outcome, whole in (undecided or {}).items():
        rows.append([outcome, "all", *_counted(whole)])
        rows.extend([outcome, f"human {label}", *_counted(group)] for label, group in whole["by_human"].items())
    return _grid(["Outcome", "Cases", "Undecided", "Of", "Rate", "95 % interval"], rows) if rows else ""


def _counted(group: Report) -> list[str]:
    return [_shown(group[name]) for name in ("n", "of", "rate", "wilson95")]


def _category_part(categories: Json) -> str:
    names = ("n_human", "n_judge", "recall", "precision")
    rows = [[category, *(_shown(figures[name]) for name in names)] for category, figures in (categories or {}).items()]
    return _grid(["Category", *map(_title, names)], rows) if rows else ""


def _table(figures: Mapping[str, Json]) -> str:
    rows, nested = [], []
    for name, value in figures.items():
        if name.endswith("_reason") or (name in _NOT_IN_A_TABLE and value is not None):
            continue
        if isinstance(value, Mapping):
            nested.append(f"<h3>{escape(_title(name))}</h3>{_table(value)}")
        elif not _is_list_of_objects(value):
            reason = figures.get(f"{name}_reason")
            why = f' <span class="reason">{escape(str(reason))}</span>' if reason and value is None else ""
            rows.append(
                f'<tr><th scope="row">{escape(_title(name))}</th>'
                f'<td class="figure">{escape(_shown(value))}</td><td>{why}</td></tr>'
            )
    return (f"<table>{''.join(rows)}</table>" if rows else "") + "".join(nested)


def _is_list_of_objects(value: Json) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)


def _grid(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>" if content else ""


def _title(name: str) -> str:
    """A figure's name in words; an interval's is that of its estimate and its kind."""
    start, _, end = name.rpartition("_")
    if end in _ENDINGS:
        return f"{_title(start)}, {_ENDINGS[end]}"
    return _TITLES.get(name) or name.replace("_", " ").capitalize()


def _shown(value: Json) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value)
