"""How large a pattern may be, so that checking and compiling it stay small."""

from evalbook.regex_safety.syntax.problem import Reason, refuse
from evalbook.regex_safety.syntax.syntax import Part, Repeat, Single, children

MAX_LENGTH = 2_000
MAX_NESTING = 50
MAX_ALTERNATIVES = 500
MAX_COPIES = 1_000
MAX_EXPANDED = 5_000


def check_length(text: str) -> None:
    """Refuse a pattern of more than `MAX_LENGTH` characters."""
    if len(text) > MAX_LENGTH:
        raise refuse(Reason.TOO_COMPLEX, MAX_LENGTH, len(text), f"a pattern may have {MAX_LENGTH} characters at most")


def check_size(part: Part, copies: int = 1) -> int:
    """Give the size of *part* once the engine has written out its lower counts; refuses what grows too large."""
    inner = 1
    if isinstance(part, Repeat):
        copies *= max(1, part.low)
        inner = max(1, part.low) + (part.high != part.low)
    if copies > MAX_COPIES:
        message = f"counts inside counts multiply to more than {MAX_COPIES} copies; write smaller counts"
        raise refuse(Reason.TOO_COMPLEX, part.place.start, part.place.end, message)
    size = isinstance(part, Single) + 1 + inner * sum(check_size(child, copies) for child in children(part))
    if size > MAX_EXPANDED:
        message = f"written out, this is larger than {MAX_EXPANDED} parts; write smaller counts or fewer alternatives"
        raise refuse(Reason.TOO_COMPLEX, part.place.start, part.place.end, message)
    return size
