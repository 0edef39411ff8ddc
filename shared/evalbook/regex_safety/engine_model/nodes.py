"""The steps that the modelled engine takes, except for those of repeats.

A node is entered at a position; it sets the run's next node and gives the next position, or gives FAILED. What has to
be undone or tried later goes to the run's stack as a tuple whose first item is called with the run and the tuple.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from evalbook.regex_safety.engine_model.machine import Run

FAILED = -1
Entry: TypeAlias = tuple[Any, ...]


class Node:
    """One step; `refers` says whether a back-reference can follow it before the next end of a repeat."""

    __slots__ = ("next", "refers")

    weight = 5

    def __init__(self, following: "Node | None") -> None:
        self.next: Node = self if following is None else following
        self.refers: bool = following is not None and following.refers

    def enter(self, run: "Run", position: int) -> int:
        """Take this step at *position*."""
        raise NotImplementedError

    def could_match(self, _run: "Run", _position: int) -> bool:
        """Say whether the engine's quick look finds that this could match at a position."""
        return True


class Success(Node):
    """The whole pattern has matched."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None)

    def enter(self, run: "Run", position: int) -> int:
        """End the run, unless the whole text has to match and does not."""
        if run.whole and position != run.size:
            return FAILED
        run.matched = True
        return position

    def could_match(self, run: "Run", position: int) -> bool:
        """Say whether a match may end here."""
        return not run.whole or position == run.size


class Character(Node):
    """One character out of a set."""

    __slots__ = ("characters",)

    def __init__(self, characters: frozenset[str], following: Node) -> None:
        super().__init__(following)
        self.characters = characters

    def enter(self, run: "Run", position: int) -> int:
        """Match one character."""
        if position < run.size and run.text[position] in self.characters:
            run.node = self.next
            return position + 1
        return FAILED

    def could_match(self, run: "Run", position: int) -> bool:
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

    def enter(self, run: "Run", position: int) -> int:
        """Match the characters."""
        if not self.could_match(run, position):
            return FAILED
        run.node = self.next
        return position + self.size

    def could_match(self, run: "Run", position: int) -> bool:
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

    def enter(self, run: "Run", position: int) -> int:
        """Go on where the test holds."""
        if not self.holds(run, position):
            return FAILED
        run.node = self.next
        return position

    def could_match(self, run: "Run", position: int) -> bool:
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

    def enter(self, run: "Run", position: int) -> int:
        """Take the first way that could match and remember the other."""
        if self.next.could_match(run, position):
            run.push((Branch.resume, self.other, position))
            run.node = self.next
        else:
            run.node = self.other
        return position

    @staticmethod
    def resume(run: "Run", entry: Entry) -> int:
        """Take the other way."""
        run.node = entry[1]
        return int(entry[2])
