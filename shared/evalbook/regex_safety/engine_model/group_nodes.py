"""The modelled engine's steps at groups and at what refers to them."""

from evalbook.regex_safety.engine_model.nodes import FAILED, EngineRun, Entry, Node


class GroupStart(Node):
    """Where a capturing group begins."""

    __slots__ = ("number",)

    weight = 5

    def __init__(self, number: int, following: Node) -> None:
        super().__init__(following)
        self.number = number

    def enter(self, run: EngineRun, position: int) -> int:
        """Note the position."""
        run.push((GroupStart.resume, self.number, run.starts.get(self.number)))
        run.starts[self.number] = position
        run.node = self.next
        return position

    @staticmethod
    def resume(run: EngineRun, entry: Entry) -> int:
        """Forget the position."""
        run.starts[entry[1]] = entry[2]
        return FAILED

    def could_match(self, run: EngineRun, position: int) -> bool:
        """Look past the edges of groups."""
        return past_groups(self).could_match(run, position)


class GroupEnd(Node):
    """Where a capturing group ends."""

    __slots__ = ("number",)

    weight = 9

    def __init__(self, number: int, following: Node) -> None:
        super().__init__(following)
        self.number = number

    def enter(self, run: EngineRun, position: int) -> int:
        """Keep what the group matched."""
        number = self.number
        old = run.captures.get(number)
        new = (run.starts.get(number), position)
        run.push((GroupEnd.resume, number, old, run.changes))
        if number in run.referenced and new != old:
            run.changes += 1
        run.captures[number] = new
        run.node = self.next
        return position

    @staticmethod
    def resume(run: EngineRun, entry: Entry) -> int:
        """Put back what the group had matched before."""
        _, number, old, run.changes = entry
        if old is None:
            run.captures.pop(number, None)
        else:
            run.captures[number] = old
        return FAILED

    def could_match(self, run: EngineRun, position: int) -> bool:
        """Look past the edges of groups."""
        return past_groups(self).could_match(run, position)


def past_groups(node: Node) -> Node:
    """Give the first node from *node* on that is no edge of a group."""
    while isinstance(node, GroupStart | GroupEnd):
        node = node.next
    return node


class Reference(Node):
    """What a group matched, once more."""

    __slots__ = ("number",)

    weight = 10

    def __init__(self, number: int, following: Node) -> None:
        super().__init__(following)
        self.number = number
        self.refers = True

    def enter(self, run: EngineRun, position: int) -> int:
        """Match the group's text."""
        span = run.captures.get(self.number)
        if span is None:
            return FAILED
        text = run.text[span[0] : span[1]]
        run.cost += len(text)
        if not run.text.startswith(text, position):
            return FAILED
        run.node = self.next
        return position + len(text)


class IfGroup(Node):
    """One of two ways to go on, depending on whether a group has matched."""

    __slots__ = ("number", "other")

    weight = 5

    def __init__(self, number: int, first: Node, other: Node) -> None:
        super().__init__(first)
        self.number = number
        self.other = other
        self.refers = True

    def enter(self, run: EngineRun, position: int) -> int:
        """Choose the way."""
        run.node = self.next if self.number in run.captures else self.other
        return position
