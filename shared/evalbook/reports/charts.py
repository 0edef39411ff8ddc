"""Charts as inline SVG: pure text, every label escaped."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH = 720
_LEFT = 210
_RIGHT = 60
_ROW = 30
_CELL = 84


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval, as drawn on one line of a chart."""

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """A named line through (x, y) points."""

    label: str
    points: Sequence[tuple[float, float]]


def interval_chart(title: str, intervals: Sequence[Interval]) -> str:
    """Return a chart with a line for each interval, on a scale of 0 to 1, or -1 to 1 where one reaches below 0."""
    low = -1.0 if any(interval.low < 0 for interval in intervals) else 0.0
    height = _ROW * len(intervals) + 40
    ticks = [low + (1 - low) * step / 4 for step in range(5)]
    parts = [_tick(_x(tick, low), height - 24, f"{tick:g}") for tick in ticks]
    for at, interval in enumerate(intervals):
        parts.extend(_interval(interval, low, at * _ROW + _ROW / 2))
    return _svg(title, height, parts)


def _interval(interval: Interval, low: float, y: float) -> list[str]:
    start, end, middle = (_x(max(low, min(1.0, x)), low) for x in (interval.low, interval.high, interval.value))
    return [
        _text(_LEFT - 12, y + 4, interval.label, "end"),
        f'<line class="whisker" x1="{start:.1f}" x2="{end:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="point" cx="{middle:.1f}" cy="{y:.1f}" r="5"/>',
        _text(_WIDTH - _RIGHT + 10, y + 4, f"{interval.value:.3f}", "start"),
    ]


def matrix_chart(title: str, labels: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
    """Return a confusion matrix: rows human, columns judge, darker with a larger share of the row."""
    parts = [_text(_LEFT + _CELL * len(labels) / 2, 14, "judge", "middle")]
    for j, label in enumerate(labels):
        parts.append(_text(_LEFT + _CELL * (j + 0.5), 34, _short(label), "middle"))
    for i, (label, row) in enumerate(zip(labels, rows, strict=True)):
        parts.append(_text(_LEFT - 12, 44 + _CELL * (i + 0.5), f"human {_short(label)}", "end"))
        parts.extend(_cell(i, j, count, count / max(1, sum(row))) for j, count in enumerate(row))
    return _svg(title, 56 + _CELL * len(labels), parts, width=max(_WIDTH, _LEFT + _CELL * len(labels) + 10))


def _cell(i: int, j: int, count: int, share: float) -> str:
    x, y = _LEFT + _CELL * j, 44 + _CELL * i
    kind = "agree" if i == j else "differ"
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{_CELL - 4}" height="{_CELL - 4}" '
        f'fill-opacity="{0.08 + 0.72 * share:.2f}"/>'
        + _text(x + _CELL / 2 - 2, y + _CELL / 2 - 2, str(count), "middle")
        + _text(x + _CELL / 2 - 2, y + _CELL / 2 + 16, f"{share:.0%} of row", "middle", "small")
    )


def line_chart(title: str, lines: Sequence[Line]) -> str:
    """Return lines over a common x axis, y from 0 to 1; each point carries its figures as a tooltip."""
    xs = [x for line in lines for x, _ in line.points]
    first, width = min(xs), (max(xs) - min(xs)) or 1.0
    height = 300
    parts = [_tick(_LEFT + (_WIDTH - _LEFT - _RIGHT) * (x - first) / width, height - 24, f"{x:g}") for x in _ends(xs)]
    parts += [_text(_LEFT - 12, _y(y, height) + 4, f"{y:g}", "end") for y in (0.0, 0.5, 1.0)]
    for at, line in enumerate(lines):
        places = [(_LEFT + (_WIDTH - _LEFT - _RIGHT) * (x - first) / width, _y(y, height)) for x, y in line.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline class="line line{at}" points="{path}"/>')
        parts.extend(_marker(at, line, place, point) for place, point in zip(places, line.points, strict=True))
        parts.append(_text(12, 24 + 20 * at, line.label, "start", f"key key{at}"))
    return _svg(title, height, parts)


def _marker(at: int, line: Line, place: tuple[float, float], point: tuple[float, float]) -> str:
    tip = escape(f"{line.label} {point[1]:.3f} at {point[0]:g}")
    return f'<circle class="dot dot{at}" cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="3"><title>{tip}</title></circle>'


def _ends(xs: Sequence[float]) -> list[float]:
    return sorted({min(xs), max(xs)})


def _y(share: float, height: float) -> float:
    return 14 + (1 - share) * (height - 60)


def _x(value: float, low: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (value - low) / (1 - low)


def _tick(x: float, y: float, label: str) -> str:
    return f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{y:.1f}"/>' + _text(x, y + 16, label, "middle")


def _text(x: float, y: float, text: str, anchor: str, kind: str = "label") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(label: str) -> str:
    return label if len(label) <= 12 else label[:11] + "…"  # noqa: PLR2004  (what a cell has room for)


def _svg(title: str, height: float, parts: Sequence[str], width: float = _WIDTH) -> str:
    name = escape(title)
    return (
        f'<svg role="img" aria-label="{name}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}"><title>{name}</title>{"".join(parts)}</svg>'
    )
