"""How many characters a part of a pattern can match."""

from evalbook.patterns.syntax import (
    Assertion,
    Atomic,
    BackReference,
    Choice,
    Conditional,
    Group,
    Look,
    Part,
    Repeat,
    Sequence,
    Single,
)

INFINITE = 1 << 31


def widths(part: Part) -> tuple[int, int]:
    """Give the least and the greatest number of characters that *part* can match, at most `INFINITE`."""
    match part:
        case Single():
            return 1, 1
        case Assertion() | Look():
            return 0, 0
        case BackReference():
            return 0, INFINITE
        case Sequence(items=items):
            pairs = [widths(item) for item in items]
            return sum(low for low, _ in pairs), min(INFINITE, sum(high for _, high in pairs))
        case Choice(options=options):
            pairs = [widths(option) for option in options]
            return min(low for low, _ in pairs), max(high for _, high in pairs)
        case Conditional(then=then, otherwise=otherwise):
            pairs = [widths(then), widths(otherwise)]
            return min(low for low, _ in pairs), max(high for _, high in pairs)
        case Group(body=body) | Atomic(body=body):
            return widths(body)
        case Repeat(body=body, low=low, high=high):
            least, greatest = widths(body)
            return min(INFINITE, least * low), _times(greatest, high)


def _times(width: int, count: int | None) -> int:
    if width == 0:
        return 0
    return INFINITE if count is None else min(INFINITE, width * count)


def fixed_width(part: Part) -> int | None:
    """Give the number of characters that *part* matches, if it is always the same."""
    least, greatest = widths(part)
    return least if least == greatest and least < INFINITE else None
