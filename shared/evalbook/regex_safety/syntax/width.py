"""How many characters a part of a pattern can match."""

from evalbook.regex_safety.syntax.syntax import (
    Assertion,
    Atomic,
    BackReference,
    Group,
    Look,
    Part,
    Repeat,
    Sequence,
    Single,
    children,
)

INFINITE = 1 << 31


def widths(part: Part) -> tuple[int, int]:
    """Give the least and the greatest number of characters that *part* can match, at most `INFINITE`."""
    match part:
        case Single():
            return 1, 1
        case Assertion() | Look():
            return 0, 0
        case Group(body=body) | Atomic(body=body):
            return widths(body)
        case Repeat(body=body, low=low, high=high):
            least, greatest = widths(body)
            return min(INFINITE, least * low), _times(greatest, high)
        case _:
            return _combined(part)


def _combined(part: Part) -> tuple[int, int]:
    if isinstance(part, BackReference):
        return 0, INFINITE
    lows, highs = zip((0, 0), *(widths(child) for child in children(part)), strict=True)
    if isinstance(part, Sequence):
        return sum(lows), min(INFINITE, sum(highs))
    return min(lows[1:]), max(highs)


def _times(width: int, count: int | None) -> int:
    if width == 0:
        return 0
    return INFINITE if count is None else min(INFINITE, width * count)


def fixed_width(part: Part) -> int | None:
    """Give the number of characters that *part* matches, if it is always the same."""
    least, greatest = widths(part)
    return least if least == greatest and least < INFINITE else None
