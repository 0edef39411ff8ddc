"""The modelled engine's steps at repeats, with the guards that keep it from trying a position twice.

A guard on a tail closes a position once what follows the repeat has failed there. A guard on a body closes a position
where the body has failed before it ever matched. The engine forgets all guards when a search moves
on to its next start.
"""

from typing import NamedTuple

from evalbook.regex_safety.engine_model.group_nodes import past_groups
from evalbook.regex_safety.engine_model.nodes import FAILED, EngineRun, Entry, Node

_UNLIMITED = 1 << 31


class Manner(NamedTuple):
    """How a repeat takes its turns: `limit` of them at most (None: any number), few first if `lazy`, guarded or not."""

    limit: int | None
    lazy: bool
    guarded: bool


class RepeatOne(Node):
    """A repeat of one character out of a set, `limit` times at most."""

    __slots__ = ("characters", "guarded", "lazy", "limit", "price", "tail")

    weight = 12

    def __init__(self, characters: frozenset[str], manner: Manner, following: Node, price: int) -> None:
        super().__init__(following)
        self.price = price
        self.tail = past_groups(following)
        self.characters = characters
        self.limit = manner.limit or _UNLIMITED
        self.lazy = manner.lazy
        self.guarded = manner.guarded and not following.refers

    def enter(self, run: EngineRun, position: int) -> int:
        """Take as many characters as the greed of the repeat wants."""
        end = min(run.run_end(self.characters, position), position + self.limit)
        run.node = self.next
        if self.lazy:
            run.push((RepeatOne.grow, self, position, end))
            return position
        run.cost += (end - position) * self.price
        closed = run.closed.get(self)
        while closed and end in closed:
            if end == position:
                return FAILED
            run.cost += 1
            end -= 1
        if end > position:
            run.push((RepeatOne.shrink, self, position, end))
        return end

    @staticmethod
    def shrink(run: EngineRun, entry: Entry) -> int:
        """Give back characters until what follows could match."""
        node: RepeatOne
        _, node, start, end = entry
        closed = run.closed.setdefault(node, set())
        if node.guarded:
            closed.add(end)
        position = run.last_place(node.tail, end - 1)
        while position >= start and position in closed:
            position = run.last_place(node.tail, position - 1)
        run.cost += end - max(position, start - 1)
        if position < start:
            return FAILED
        if position > start:
            run.push((RepeatOne.shrink, node, start, position))
        run.node = node.next
        return position

    @staticmethod
    def grow(run: EngineRun, entry: Entry) -> int:
        """Take further characters until what follows could match."""
        node: RepeatOne
        _, node, start, end = entry
        position = run.next_place(node.tail, start + 1) if start < end else end + 1
        run.cost += (1 + node.price) * (min(position, end + 1) - start)
        if position > end:
            return FAILED
        if position < end:
            run.push((RepeatOne.grow, node, position, end))
        run.node = node.next
        return position


class RepeatMany(Node):
    """A repeat of anything longer, `limit` times at most; `next` is its body, `after` follows it."""

    __slots__ = ("after", "body_guarded", "guarded", "lazy", "limit")

    weight = 15

    def __init__(self, manner: Manner, after: Node) -> None:
        super().__init__(None)
        self.after = after
        self.limit = manner.limit
        self.lazy = manner.lazy
        self.guarded = manner.guarded and not after.refers
        self.body_guarded = manner.guarded
        self.refers = after.refers

    def close(self, body: Node) -> None:
        """Set the body, which ends in this repeat's `RepeatEnd`."""
        self.next = body
        self.body_guarded = self.body_guarded and not (body.refers and self.limit is None)
        self.refers = self.refers or (body.refers and self.limit is None)

    def enter(self, run: EngineRun, position: int) -> int:
        """Begin to repeat."""
        state = run.state(self)
        run.push((RepeatMany.leave, self, position, state.count, state.start, state.changes))
        state.count, state.start, state.changes = 0, position, run.changes
        body = not state.body.get(position, False) and self.next.could_match(run, position)
        tail = self.after.could_match(run, position)
        return self.choose(run, position, body=body, tail=tail)

    def choose(self, run: EngineRun, position: int, *, body: bool, tail: bool) -> int:
        """Go into the body or on to the tail, and remember the other where it could match too."""
        if not body and not tail:
            return FAILED
        into_body = body and not (self.lazy and tail)
        if body and tail:
            other = RepeatMany.try_tail if into_body else RepeatMany.try_body
            run.push((other, self, position, run.state(self).count, position, run.changes))
        return self.go(run, position, into_body=into_body)

    def go(self, run: EngineRun, position: int, *, into_body: bool) -> int:
        """Go on, and note what is to be closed if that fails."""
        if into_body:
            state = run.state(self)
            state.start, state.changes = position, run.changes
            run.push((RepeatMany.close_body, self, position))
            run.node = self.next
        else:
            run.push((RepeatMany.close_tail, self, position))
            run.node = self.after
        return position

    @staticmethod
    def leave(run: EngineRun, entry: Entry) -> int:
        """Give up the repeat at this position."""
        node: RepeatMany
        _, node, position, count, start, changes = entry
        if node.body_guarded:
            run.state(node).body.setdefault(position, True)
        _restore(run, node, count, start, changes)
        return FAILED

    @staticmethod
    def try_tail(run: EngineRun, entry: Entry) -> int:
        """Go on to the tail after the body has failed."""
        node: RepeatMany
        _, node, position, count, start, changes = entry
        _restore(run, node, count, start, changes)
        return node.go(run, position, into_body=False)

    @staticmethod
    def try_body(run: EngineRun, entry: Entry) -> int:
        """Go into the body after the tail has failed."""
        node: RepeatMany
        _, node, position, count, start, changes = entry
        _restore(run, node, count, start, changes)
        return node.go(run, position, into_body=True)

    @staticmethod
    def close_body(run: EngineRun, entry: Entry) -> int:
        """Close the position for the body."""
        if entry[1].body_guarded:
            run.state(entry[1]).body.setdefault(entry[2], True)
        return FAILED

    @staticmethod
    def close_tail(run: EngineRun, entry: Entry) -> int:
        """Close the position for the tail."""
        if entry[1].guarded:
            run.state(entry[1]).tail.add(entry[2])
        return FAILED


class RepeatEnd(Node):
    """The end of a repeat's body."""

    __slots__ = ("repeat",)

    weight = 18

    def __init__(self, repeat: RepeatMany) -> None:
        super().__init__(None)
        self.repeat = repeat

    def enter(self, run: EngineRun, position: int) -> int:
        """Count the turn and begin the next one, or go on."""
        repeat = self.repeat
        state = run.state(repeat)
        if repeat.body_guarded:
            state.body.setdefault(state.start, False)
        changed = state.changes != run.changes or position != state.start
        more = changed and (repeat.limit is None or state.count + 1 < repeat.limit)
        body = more and not state.body.get(position, False) and repeat.next.could_match(run, position)
        tail = position not in state.tail and repeat.after.could_match(run, position)
        if not body and not tail:
            return FAILED
        run.push((RepeatEnd.resume, repeat, state.count, state.start, state.changes))
        state.count += 1
        return repeat.choose(run, position, body=body, tail=tail)

    @staticmethod
    def resume(run: EngineRun, entry: Entry) -> int:
        """Go back into the body's last turn."""
        _restore(run, entry[1], entry[2], entry[3], entry[4])
        return FAILED


def _restore(run: EngineRun, node: RepeatMany, count: int, start: int, changes: int) -> None:
    state = run.state(node)
    state.count, state.start, state.changes = count, start, changes
