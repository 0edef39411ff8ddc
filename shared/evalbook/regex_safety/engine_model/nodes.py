"""The steps that the modelled engine takes, except for those of repeats.

A node is entered at a position; it sets the run's next node and gives the next position, or gives FAILED. What has to
be undone or tried later goes to the run's stack as a tuple whose first item is called with the run and the tuple.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

FAILED = -1
Entry: TypeAlias = tuple[Any, ...]
Captures: TypeAlias = dict[int, tuple[int | None, int]]
"""What each group has matched: its start, if it has one, and its end."""


class RepeatState:
    """What the engine keeps about one repeat.

    `body` maps a position to whether it is closed, `tail` holds those closed.
    """

    __slots__ = ("body", "changes", "count", "start", "tail")

    def __init__(self) -> None:
        self.count = 0
        self.start = 0
        self.changes = 0
        self.body: dict[int, bool] = {}
        self.tail: set[int] = set()


class EngineRun(Protocol):
    """What a node sees of the match that it takes part in."""

    text: str
    size: int
    whole: bool
    node: "Node"
    cost: int
    matched: bool
    push: Callable[[Entry], None]
    marks: list[tuple[int, int, Captures]]
    starts: dict[int, int | None]
    captures: Captures
    changes: int
    referenced: frozenset[int]
    closed: "dict[Node, set[int]]"

    def mark(self, position: int) -> None:
        """Note where a look-around or an atomic group begins."""

    def drop_to_mark(self) -> tuple[int, Captures]:
        """Drop what could be tried since the last mark; return its position and what the groups had matched there."""

    def state(self, node: "Node") -> RepeatState:
        """Return what the engine keeps about the repeat *node*."""

    def run_end(self, characters: frozenset[str], position: int) -> int:
        """Return the position after the characters out of *characters* that stand in a row from *position* on."""

    def last_place(self, node: "Node", position: int) -> int:
        """Return the last position up to *position* at which *node* could match, at least -1."""

    def next_place(self, node: "Node", position: int) -> int:
        """Return the first position from *position* on at which *node* could match; past the text if there is none."""


class Node:
    """One step; `refers` says whether a back-reference can follow it before the next end of a repeat."""

    __slots__ = ("next", "refers")

    weight = 5

    def __init__(self, following: "Node | None") -> None:
        self.next: Node = self if following is None else following
        self.refers: bool = following is not None and following.refers

    def enter(self, run: EngineRun, position: int) -> int:
        """Take this step at *position*."""
        raise NotImplementedError

    def could_match(self, _run: EngineRun, _position: int) -> bool:
        """Say whether the engine's quick look finds that this could match at a position."""
        return True


class Success(Node):
    """The whole pattern has matched."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None)

    def enter(self, run: EngineRun, position: int) -> int:
        """End the run, unless the whole text has to match and does not."""
        if run.whole and position != run.size:
            return FAILED
        run.matched = True
        return position

    def could_match(self, run: EngineRun, position: int) -> bool:
        """Say whether a match may end here."""
        return not run.whole or position == run.size


class Character(Node):
    """One character out of a set."""

    __slots__ = ("characters",)

    def __init__(self, characters: frozenset[str], following: Node) -> None:
        super().__init__(following)
        self.characters = characters

    def enter(self, run: EngineRun, position: int) -> int:
        """Match one character."""
        if position < run.size and run.text[position] in self.characters:
            run.node = self.next
            return position + 1
        return FAILED

    def could_match(self, run: EngineRun, position: int) -> bool:
        """Say whether the character matches."""
        return position < run.size and run.text[position] in self.characters


class Word(Node):
    """Several characters in a row, each out of a set; the engine compares them as one string."""

    __slots__ = ("first", "rest", "size")

    def __init__(self, sets: tuple[frozenset[str], ...], following: Node) -> None:
        super().__init__(following)
        self.first = sets[0]
        self.rest = tuple(enumerate(sets[1:], start=1))
        self.size = len(sets)

    def enter(self, run: EngineRun, position: int) -> int:
        """Match the characters."""
        if not self.could_match(run, position):
            return FAILED
        run.node = self.next
        return position + self.size

    def could_match(self, run: EngineRun, position: int) -> bool:
        """Say whether the characters match."""
        text = run.text
        if position + self.size > run.size or text[position] not in self.first:
            return False
        return all(text[position + offset] in characters for offset, characters in self.rest)


class Test(Node):
    """A zero-width test."""

    __slots__ = ("holds",)

    def __init__(self, holds: Any, following: Node) -> None:
        super().__init__(following)
        self.holds = holds

    def enter(self, run: EngineRun, position: int) -> int:
        """Go on where the test holds."""
        if not self.holds(run, position):
            return FAILED
        run.node = self.next
        return position

    def could_match(self, run: EngineRun, position: int) -> bool:
        """Say whether the test holds."""
        return bool(self.holds(run, position))


class Branch(Node):
    """Two ways to go on, the first one preferred."""

    __slots__ = ("other",)

    weight = 8

    def __init__(self, first: Node, other: Node) -> None:
        super().__init__(first)
        self.other = other
        self.refers = first.refers or other.refers

    def enter(self, run: EngineRun, position: int) -> int:
        """Take the first way that could match and remember the other."""
        if self.next.could_match(run, position):
            run.push((Branch.resume, self.other, position))
            run.node = self.next
        else:
            run.node = self.other
        return position

    @staticmethod
    def resume(run: EngineRun, entry: Entry) -> int:
        """Take the other way."""
        run.node = entry[1]
        return int(entry[2])
