"""Names with `*`: any characters, also none. Nothing else is special."""

from collections.abc import Callable, Iterable


def any_of(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a name is matched by one of *patterns*; linear in the name, for each."""
    named = list(patterns)
    plain = frozenset(pattern for pattern in named if "*" not in pattern)
    globs = [pattern.split("*") for pattern in named if "*" in pattern]
    return lambda name: name in plain or any(_matches(parts, name) for parts in globs)


def _matches(parts: list[str], name: str) -> bool:
    """Return whether *name* begins with the first part, ends with the last and has the others in between, in order."""
    first, *between, last = parts
    if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
        return False
    place, end = len(first), len(name) - len(last)
    for part in between:
        # The first place is as good as any: it leaves most for the parts behind.
        found = name.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True
