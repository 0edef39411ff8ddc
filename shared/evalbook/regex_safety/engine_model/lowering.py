"""Turns a syntax tree into the modelled engine's program."""

from evalbook.regex_safety.automaton.alphabet import Alphabet
from evalbook.regex_safety.engine_model.branches import Item, Joined, Rewriter
from evalbook.regex_safety.engine_model.edges import TESTS
from evalbook.regex_safety.engine_model.enclosed_nodes import (
    Enclosed,
    EnclosedEnd,
    NegativeLook,
    NegativeLookEnd,
    StepBack,
)
from evalbook.regex_safety.engine_model.first import Lookup
from evalbook.regex_safety.engine_model.group_nodes import GroupEnd, GroupStart, IfGroup, Reference
from evalbook.regex_safety.engine_model.machine import Program, fold
from evalbook.regex_safety.engine_model.nodes import Branch, Character, Node, Success, Test, Word
from evalbook.regex_safety.engine_model.repeat_nodes import Manner, RepeatEnd, RepeatMany, RepeatOne
from evalbook.regex_safety.syntax.syntax import (
    Assertion,
    Atomic,
    BackReference,
    Choice,
    Conditional,
    Greed,
    Group,
    Look,
    Part,
    Repeat,
    Single,
    walk,
)
from evalbook.regex_safety.syntax.width import widths

_JOINED_PRICE = 4


def lower(part: Part, alphabet: Alphabet) -> Program:
    """Make the program of the whole pattern *part*."""
    rewriter = Rewriter(alphabet.sets)
    lookup = Lookup(rewriter)
    items = rewriter.flatten(part)
    required, ignores_case = lookup.required_text(items)
    if ignores_case and not required.isascii():
        required = ""
    return Program(
        start=_Lowering(rewriter).items(items, Success(), guarded=True),
        first=lookup.first_characters(items),
        required=fold(required) if ignores_case else required,
        required_ignores_case=ignores_case,
        anchored=lookup.is_anchored(items),
        least=widths(part)[0],
        referenced=frozenset(p.number for p in walk(part) if isinstance(p, BackReference | Conditional)),
    )


class _Lowering:
    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter
        self.sets = rewriter.sets

    def items(self, items: list[Item], following: Node, *, guarded: bool) -> Node:
        word: list[frozenset[str]] = []
        for item in reversed(items):
            if isinstance(item, Single) and item.atom.character is not None:
                word.insert(0, self.sets[item.atom])
                continue
            following = self.item(item, _spelled(word, following), guarded=guarded)
            word = []
        return _spelled(word, following)

    def part(self, part: Part, following: Node, *, guarded: bool) -> Node:
        return self.items(self.rewriter.flatten(part), following, guarded=guarded)

    def item(self, item: Item, following: Node, *, guarded: bool) -> Node:
        match item:
            case Joined(characters=characters):
                return Character(characters, following)
            case Single(atom=atom):
                return Character(self.sets[atom], following)
            case Assertion(edge=edge):
                return Test(TESTS[edge], following)
            case BackReference(number=number):
                return Reference(number, following)
            case _:
                return self.compound(item, following, guarded=guarded)

    def compound(self, part: Part, following: Node, *, guarded: bool) -> Node:
        match part:
            case Choice():
                return self.choice(part, following, guarded=guarded)
            case Repeat():
                return self.repeat(part, following, guarded=guarded)
            case Look():
                return self.look(part, following, guarded=guarded)
            case _:
                return self.enclosing(part, following, guarded=guarded)

    def enclosing(self, part: Part, following: Node, *, guarded: bool) -> Node:
        match part:
            case Group(number=number, body=body):
                return GroupStart(number, self.part(body, GroupEnd(number, following), guarded=guarded))
            case Atomic(body=body):
                return Enclosed(self.part(body, EnclosedEnd(following, goes_back=False), guarded=guarded))
            case Conditional(number=number, then=then, otherwise=otherwise):
                first = self.part(then, following, guarded=guarded)
                return IfGroup(number, first, self.part(otherwise, following, guarded=guarded))
            case _:
                return self.part(part, following, guarded=guarded)

    def look(self, part: Look, following: Node, *, guarded: bool) -> Node:
        width = part.width or 0
        if part.negative:
            body = self.part(part.body, NegativeLookEnd(), guarded=guarded)
            return NegativeLook(body, following, width)
        body = self.part(part.body, EnclosedEnd(following, goes_back=True), guarded=guarded)
        return Enclosed(StepBack(width, body) if width else body)

    def choice(self, choice: Choice, following: Node, *, guarded: bool) -> Node:
        prefix, options = self.rewriter.split(choice)
        node = self.items(options[-1], following, guarded=guarded)
        for items in reversed(options[:-1]):
            node = Branch(self.items(items, following, guarded=guarded), node)
        return self.items(prefix, node, guarded=guarded)

    def repeat(self, repeat: Repeat, following: Node, *, guarded: bool) -> Node:
        if repeat.greed is Greed.POSSESSIVE:
            inner = self.plain_repeat(repeat, EnclosedEnd(following, goes_back=False), guarded=guarded)
            return Enclosed(inner)
        return self.plain_repeat(repeat, following, guarded=guarded)

    def plain_repeat(self, repeat: Repeat, following: Node, *, guarded: bool) -> Node:
        items = self.rewriter.flatten(repeat.body)
        if repeat.high != repeat.low:
            following = self.optional_turns(repeat, items, following, guarded=guarded)
        for _ in range(repeat.low):
            following = self.items(items, following, guarded=guarded)
        return following

    def optional_turns(self, repeat: Repeat, items: list[Item], following: Node, *, guarded: bool) -> Node:
        limit = None if repeat.high is None else repeat.high - repeat.low
        manner = Manner(limit, repeat.greed is Greed.LAZY, guarded)
        characters = self.rewriter.character_set(items)
        if characters is not None:
            price = items[0].atom.price if isinstance(items[0], Single) else _JOINED_PRICE
            return RepeatOne(characters, manner, following, price)
        node = RepeatMany(manner, following)
        node.close(self.items(items, RepeatEnd(node), guarded=guarded and limit is None))
        return node


def _spelled(word: list[frozenset[str]], following: Node) -> Node:
    if not word:
        return following
    return Word(tuple(word), following) if len(word) > 1 else Character(word[0], following)
