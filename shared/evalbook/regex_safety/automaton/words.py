"""Finds words in the position automaton: ways in, ways out, and cycles that can be pumped."""

from collections import Counter
from collections.abc import Iterable, Iterator

from evalbook.regex_safety.automaton.alphabet import Alphabet
from evalbook.regex_safety.automaton.automaton import Automaton
from evalbook.regex_safety.automaton.steps import Steps


class Words:
    """Shortest words through an automaton; every search takes from *steps* what it costs."""

    def __init__(self, automaton: Automaton, alphabet: Alphabet, steps: Steps) -> None:
        self.automaton = automaton
        self.alphabet = alphabet
        self.steps = steps
        usable = [bool(characters) for characters in automaton.sets]
        self.follow = [[q for q in following if usable[q]] for following in automaton.follow]
        self.size = len(usable)
        self.entries = [p for p in automaton.span.first if usable[p]]
        self.exits = set(automaton.span.last)
        self.letters = [alphabet.word([characters]) if characters else "" for characters in automaton.sets]
        self.component = self._components()
        self._ways_in = self._shortest(self.entries)
        self._order = {character: number for number, character in enumerate(alphabet.characters)}
        self._appeal = {character: self._appeal_of(character) for character in alphabet.characters}

    def looping(self) -> list[int]:
        """Give the positions that can follow themselves, in the order of the pattern."""
        return [p for p in range(self.size) if self.component[p] >= 0]

    def way_in(self, position: int) -> str:
        """Spell the shortest word from the start through *position*."""
        return self._spell(self._ways_in, position)

    def way_out(self, position: int) -> str:
        """Spell the shortest word from after *position* to the end of a match."""
        before = self._shortest(self.follow[position])
        ends = [p for p in before if p in self.exits]
        if position in self.exits or not ends:
            return ""
        return self._spell(before, ends[0])

    def whole(self) -> str:
        """Spell the shortest word that matches; nothing if the empty text does."""
        ends = [p for p in self._ways_in if p in self.exits]
        return "" if self.automaton.span.empty or not ends else self._spell(self._ways_in, ends[0])

    def cycle(self, position: int, through: int) -> str:
        """Spell a short word from after *position* by way of *through* back through *position*."""
        to = self._shortest(self.follow[position])
        back = self._shortest(self.follow[through])
        if through not in to or (position not in back and position != through):
            return ""
        return self._spell(to, through) + ("" if position == through else self._spell(back, position))

    def spellings(self, sets: list[frozenset[str]]) -> list[str]:
        """Return texts of one character out of each of *sets*, each text once.

        First of those that most loops and fewest other positions take (which could end a match early), then of the most
        common ones, then of ones that end a word.
        """
        by = (self._appeal.__getitem__, self._order.__getitem__, self._ends_word)
        return list(dict.fromkeys("".join(min(chosen, key=key) for chosen in sets) for key in by))

    def _appeal_of(self, character: str) -> tuple[int, int, int]:
        loops = outside = 0
        for characters, component in zip(self.automaton.sets, self.component, strict=True):
            if character in characters:
                loops, outside = loops + (component >= 0), outside + (component < 0)
        return outside, -loops, self._order[character]

    def _ends_word(self, character: str) -> tuple[bool, int]:
        return character.isalnum() or character == "_", self._order[character]

    def loops(self, position: int, word: str) -> bool:
        """Say whether *word* can lead from *position* back to it."""
        return position in self.after([position], word)

    def ambiguous(self, word: str) -> list[int]:
        """Give the positions from which *word*, twice, leads back in more than one way."""
        return [p for p in self.looping() if self._ways(p, word * 2) > 1]

    def _ways(self, position: int, word: str) -> int:
        ways = {position: 1}
        for letter in word:
            self.steps.take(len(ways))
            reached: Counter[int] = Counter()
            for p, count in ways.items():
                for q in self.follow[p]:
                    if letter in self.automaton.sets[q] and self.component[q] == self.component[position]:
                        reached[q] += count
            ways = reached
        return ways.get(position, 0)

    def after(self, positions: Iterable[int], word: str) -> set[int]:
        """Give the positions that *word* can lead to from any of *positions*."""
        current = set(positions)
        sets = self.automaton.sets
        for letter in word:
            self.steps.take(sum(len(self.follow[p]) for p in current) + 1)
            current = {q for p in current for q in self.follow[p] if letter in sets[q]}
        return current

    def _shortest(self, starts: Iterable[int]) -> dict[int, int | None]:
        """Search breadth first, and give the position before each one reached."""
        before: dict[int, int | None] = dict.fromkeys(starts)
        queue = list(before)
        for position in queue:
            self.steps.take(len(self.follow[position]) + 1)
            for following in self.follow[position]:
                if following not in before:
                    before[following] = position
                    queue.append(following)
        return before

    def _spell(self, before: dict[int, int | None], end: int) -> str:
        word = []
        position: int | None = end if end in before else None
        while position is not None:
            word.append(self.letters[position])
            position = before[position]
        return "".join(reversed(word))

    def _components(self) -> list[int]:
        """Number the strongly connected components with a cycle; -1 for positions outside of them (Tarjan 1972)."""
        component = [-1] * self.size
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        waiting: set[int] = set()
        for root in range(self.size):
            if root not in index:
                for members in self._visit(root, index, low, stack, waiting):
                    if len(members) > 1 or members[0] in self.follow[members[0]]:
                        for member in members:
                            component[member] = members[-1]
        return component

    def _visit(
        self, root: int, index: dict[int, int], low: dict[int, int], stack: list[int], waiting: set[int]
    ) -> Iterator[list[int]]:
        work: list[tuple[int, Iterator[int]]] = [(root, iter(self.follow[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            position, following = work[-1]
            self.steps.take(1)
            target = next(following, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[position])
                if low[position] == index[position]:
                    at = stack.index(position)
                    members = stack[at:]
                    del stack[at:]
                    waiting.difference_update(members)
                    yield members
            elif target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                waiting.add(target)
                work.append((target, iter(self.follow[target])))
            elif target in waiting:
                low[position] = min(low[position], index[target])
