"""Runs the modelled engine over a text and counts what that costs.

The unit of cost is the time that the engine takes for one character of a plain scan. One step through the pattern
counts its node's weight, one step back `BACK` units. So the count says how long a match takes without timing anything.
"""

from dataclasses import dataclass

from evalbook.regex_safety.engine_model.nodes import FAILED, Captures, EngineRun, Entry, Node, RepeatState
from evalbook.regex_safety.engine_model.repeat_nodes import RepeatOne

BACK = 5
_FOLDED = {"\u017f": "s", "\u0130": "i", "\u0131": "i"}


@dataclass(frozen=True, slots=True)
class Program:
    """A pattern made ready for the modelled engine.

    A search begins only where a character of `first` stands (None: anywhere). A text without `required` is not searched
    at all, nor one with fewer than `least` characters left. `anchored` patterns match at the start of the text only.
    """

    start: Node
    first: frozenset[str] | None
    required: str
    required_ignores_case: bool
    anchored: bool
    least: int
    referenced: frozenset[int]


class TooCostly(Exception):
    """The run reached its limit."""


def fold(text: str) -> str:
    """Give *text* in lower case, character by character, with the letters that the engine takes for i and s."""
    return "".join(_FOLDED.get(c) or (c.lower() if len(c.lower()) == 1 else c) for c in text)


class Machine(EngineRun):
    """One match of a program against a text, which costs `limit` units at most."""

    def __init__(self, program: Program, text: str, *, whole: bool, limit: int) -> None:
        self.program = program
        self.text = text
        self.size = len(text)
        self.whole = whole
        self.limit = limit
        self.referenced = program.referenced
        self.searched = fold(text) if program.required_ignores_case else text
        self.node = program.start
        self.cost = 0
        self.matched = False
        self.runs: dict[frozenset[str], list[int]] = {}
        self.last_places: dict[Node, list[int]] = {}
        self.next_places: dict[Node, list[int]] = {}
        self._clear()

    def _clear(self) -> None:
        self.stack: list[Entry] = []
        self.push = self.stack.append
        self.marks: list[tuple[int, int, Captures]] = []
        self.starts: dict[int, int | None] = {}
        self.captures: Captures = {}
        self.changes = 0
        self.closed: dict[Node, set[int]] = {}
        self.states: dict[Node, RepeatState] = {}

    def mark(self, position: int) -> None:
        """Note where a look-around or an atomic group begins."""
        self.marks.append((len(self.stack), position, dict(self.captures)))

    def drop_to_mark(self) -> tuple[int, Captures]:
        """Drop what could be tried since the last mark, and give its position and what the groups had matched there."""
        height, position, captures = self.marks.pop()
        del self.stack[height:]
        return position, captures

    def state(self, node: Node) -> RepeatState:
        """Give what the engine keeps about the repeat *node*."""
        state = self.states.get(node)
        if state is None:
            state = self.states[node] = RepeatState()
        return state

    def run_end(self, characters: frozenset[str], position: int) -> int:
        """Give the position after the run of *characters* that begins at *position*."""
        ends = self.runs.get(characters)
        if ends is None:
            ends = self.runs[characters] = self._run_ends(characters)
        return ends[position]

    def last_place(self, node: Node, position: int) -> int:
        """Give the last position up to *position* at which *node* could match, at least -1."""
        places = self.last_places.get(node)
        if places is None:
            places = self.last_places[node] = self._last_places(node)
        return places[position]

    def next_place(self, node: Node, position: int) -> int:
        """Give the first position from *position* on at which *node* could match; past the text if there is none."""
        places = self.next_places.get(node)
        if places is None:
            places = self.next_places[node] = self._next_places(node)
        return places[position]

    def _last_places(self, node: Node) -> list[int]:
        places = [-1] * (self.size + 2)
        for position in range(self.size + 1):
            places[position] = position if node.could_match(self, position) else places[position - 1]
        return places

    def _next_places(self, node: Node) -> list[int]:
        places = [self.size + 1] * (self.size + 2)
        for position in range(self.size, -1, -1):
            places[position] = position if node.could_match(self, position) else places[position + 1]
        return places

    def _run_ends(self, characters: frozenset[str]) -> list[int]:
        ends = [self.size] * (self.size + 1)
        for position in range(self.size - 1, -1, -1):
            ends[position] = ends[position + 1] if self.text[position] in characters else position
        return ends

    def match(self) -> int:
        """Match, and give the cost; raises `TooCostly`."""
        program = self.program
        last = self.size - program.least
        if self.whole or program.anchored:
            last = min(last, 0)
        position = 0
        while position <= last and not self.matched:
            if program.required and self.searched.find(program.required, position) < 0:
                break
            if self._may_begin(position):
                self._clear()
                self._match_at(position)
            position = self._next(position)
        return self.cost

    def _may_begin(self, position: int) -> bool:
        self.cost += 1
        first = self.program.first
        if first is None or self.whole:
            return True
        return position < self.size and self.text[position] in first and self.program.start.could_match(self, position)

    def _next(self, position: int) -> int:
        program = self.program
        if program.first is None and isinstance(program.start, RepeatOne):
            end = self.run_end(program.start.characters, position)
            if end - position < program.start.limit:
                self.cost += (end - position) * program.start.price
                return end + 1
        return position + 1

    def _match_at(self, position: int) -> None:
        node = self.program.start
        stack, limit, steps = self.stack, self.limit, 0
        pop = stack.pop
        while True:
            steps += node.weight
            position = node.enter(self, position)
            while position == FAILED and stack:
                entry = pop()
                steps += BACK
                position = entry[0](self, entry)
            if self.matched or position == FAILED:
                break
            if self.cost + steps > limit:
                self.cost += steps
                raise TooCostly
            node = self.node
        self.cost += steps
