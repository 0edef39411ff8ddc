"""The engine that reads lists of messages, items and events by the rules of a dialect.

What the rules know is read or passed over. What they do not know is a gap where it may hold a call: a part or item of
an unknown kind, an unknown member that holds a structure or has a telling name, a text with the printed form of a call.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.domain.timestamps import nanoseconds
from evalbook.jsonio.values import Json, kind_of
from evalbook.traces.formats._conversation import Conversation
from evalbook.traces.formats._gaps import Gaps, WireTrace, key_pointer, looks_like_printed_call, may_be_call
from evalbook.traces.formats._members import COMMON, REQUEST
from evalbook.traces.formats._part_rules import Part, PartReader
from evalbook.traces.formats._parts import text_of
from evalbook.traces.formats._paths import at
from evalbook.traces.formats._rules import Answer, Clock, Dialect, MessageVocabulary

Located = tuple[str, Json]

_NANOSECONDS: Final = 1_000_000_000
_HEARD: Final = frozenset({"user", "system", "developer", "human", "tool", "function", "request"})


def reader(dialect: Dialect) -> Callable[[Json], WireTrace]:
    """The reader of documents of *dialect*."""
    return lambda document: read_messages(document, dialect)


def read_messages(document: Json, *dialects: Dialect, found: Gaps | None = None) -> WireTrace:
    """The wire trace of a *document* of the first of *dialects*, some items of which may be of the others.

    Raises:
        Refused: It holds no list of items, one of them is no object, or the dialect knows none of them.
    """
    gaps = Gaps() if found is None else found
    main = dialects[0]
    items = list(_located(document, main, gaps))
    wrong = [
        Problem(where, f"must be an object, not {kind_of(item)}") for where, item in items if type(item) is not dict
    ]
    if wrong:
        raise Refused(wrong)
    conversation = Conversation(gaps, repeats=main.repeats)
    readers = [_ItemReader(dialect, conversation) for dialect in dialects]
    known = sum([_read_item(item, where, readers) for where, item in items])
    if items and not known:
        raise Refused([Problem("", "holds no item of a kind that the format knows")])
    return conversation.trace(main.unanswered)


def _read_item(item: dict[str, Json], pointer: str, readers: list["_ItemReader"]) -> bool:
    chosen = next((one for one in readers if one.knows(item)), readers[0])
    return chosen.read(item, pointer)


def _located(document: Json, dialect: Dialect, gaps: Gaps) -> Iterator[Located]:
    """The items of *document*, each with its pointer; what stands beside them and is not known is a gap."""
    if type(document) is list:
        if not document:
            raise Refused([Problem("", "is an empty list, and nothing says that something was recorded")])
        yield from ((f"/{index}", item) for index, item in enumerate(document))
        return
    if type(document) is not dict:
        raise Refused([Problem("", f"must be an array or an object, not {kind_of(document)}")])
    found = [path for path in dialect.containers if type(at(document, path.partition("/")[0])) in (list, dict)]
    if not found:
        is_item = _ItemReader(dialect, Conversation(gaps)).knows(document)
        if is_item and not dialect.alone:
            raise Refused([Problem("", "is one item of a document: hand over the list of all of them")])
        if not is_item:
            places = " or ".join(dialect.containers) or "nothing else"
            raise Refused([Problem("", f"must be an array or an object with one as {places}")])
        yield "", document
        return
    known = {*COMMON, *REQUEST, *dialect.around, *(path.partition("/")[0] for path in dialect.containers)}
    _note_unknown(document, known, "", gaps)
    for path in found:
        yield from _walked(document, path.split("/"), "", gaps)


def _walked(value: Json, path: list[str], pointer: str, gaps: Gaps) -> Iterator[Located]:
    if not path:
        if type(value) is list:
            yield from ((f"{pointer}/{index}", item) for index, item in enumerate(value))
        elif value is not None:
            yield pointer, value
    elif path[0] == "*":
        elements = value if type(value) is list else []
        if len(elements) > 1:
            gaps.add(pointer, "holds several answers, of which one alone can have been the agent's")
        for index, element in enumerate(elements):
            yield from _walked(element, path[1:], f"{pointer}/{index}", gaps)
    elif type(value) is dict:
        if pointer:
            _note_unknown(value, {*COMMON, *REQUEST, path[0], "groundingMetadata", "safetyRatings"}, pointer, gaps)
        yield from _walked(value.get(path[0]), path[1:], key_pointer(pointer, path[0]), gaps)


def _note_unknown(holder: Mapping[str, Json], known: set[str], pointer: str, gaps: Gaps) -> None:
    for name, value in holder.items():
        if name not in known and (is_structure(value) or (value and may_be_call(name))):
            gaps.add(key_pointer(pointer, name), "is a member that the format does not know and may hold a call")


def is_structure(value: Json) -> bool:
    """Whether *value* is an object or a list, or a text of one, that holds something."""
    return bool(value) and (type(value) in (dict, list) or (type(value) is str and value.lstrip()[:1] in ("{", "[")))


class _ItemReader:
    """Reads items of one dialect into a conversation."""

    def __init__(self, dialect: Dialect, conversation: Conversation) -> None:
        self._dialect = dialect
        self._conversation = conversation
        self._gaps = conversation.gaps
        self._parts = PartReader(conversation)
        self._seen: set[str] = set()

    def knows(self, item: dict[str, Json]) -> bool:
        """Whether *item* is a part, or a message of a role, that the dialect knows."""
        items = self._dialect.items
        if items is not None and self._parts.knows(item, items):
            return True
        return self._role(item, self._opened(item)) in self._dialect.roles

    def read(self, item: dict[str, Json], pointer: str) -> bool:
        """Read one item; false where it is of no known kind, which is noted as a gap."""
        dialect = self._dialect
        if dialect.unique and (mark := text_of(item.get(dialect.unique))):
            if mark in self._seen:
                return True
            self._seen.add(mark)
        self._conversation.time = _time(at(item, dialect.clock.path), dialect.clock) if dialect.clock else None
        self._conversation.agent = text_of(item.get(dialect.agent)) if dialect.agent else None
        if dialect.items is not None and self._parts.knows(item, dialect.items):
            self._parts.read(item, pointer, dialect.items)
            return True
        return self._message(item, pointer)

    def _opened(self, item: dict[str, Json]) -> dict[str, Json]:
        """The message in *item*'s envelope, else *item*."""
        held = (at(item, path) for path in self._dialect.envelopes)
        return next((message for message in held if type(message) is dict), item)

    def _role(self, item: Mapping[str, Json], message: Mapping[str, Json]) -> str:
        find = self._dialect.role_of
        return text_of(find(item, message) if find else message.get(self._dialect.role)) or ""

    def _message(self, item: dict[str, Json], pointer: str) -> bool:
        dialect = self._dialect
        message = self._opened(item)
        if message is not item:
            heads = {path.partition("/")[0] for path in dialect.envelopes}
            _note_unknown(item, {*COMMON, *dialect.members, *heads}, pointer, self._gaps)
            pointer = key_pointer(pointer, next(path for path in dialect.envelopes if at(item, path) is message))
        role = self._role(item, message)
        rules = dialect.roles.get(role)
        if rules is None:
            self._gaps.add(pointer, "is no message of a role, or item of a kind, that the format knows")
        is_answer = any(isinstance(rule, Answer) for rule in rules or ())
        known = COMMON | dialect.members | frozenset({*dialect.parts, dialect.role})
        for rule in rules or ():
            self._parts.apply(rule, Part(message, pointer, role, known))
        for name, vocabulary in dialect.parts.items():
            if name in message and not (is_answer and name in ("content", "contents")):
                self._list(message[name], key_pointer(pointer, name), vocabulary, role)
        self._parts.documents(dialect.documents, message, "search_result")
        if not is_answer:
            _note_unknown(message, {*COMMON, *dialect.members, *dialect.parts, dialect.role}, pointer, self._gaps)
        return rules is not None

    def _list(self, held: Json, pointer: str, vocabulary: MessageVocabulary, role: str) -> None:
        if type(held) is str:
            if role not in _HEARD and looks_like_printed_call(held):
                self._gaps.add(pointer, "is a text that may hold a call in printed form")
        elif type(held) is list:
            for index, part in enumerate(held):
                self._part(part, f"{pointer}/{index}", vocabulary, role)
        elif held is not None:
            self._part(held, pointer, vocabulary, role)

    def _part(self, part: Json, pointer: str, vocabulary: MessageVocabulary, role: str) -> None:
        if type(part) is str:
            self._list(part, pointer, vocabulary, role)
        elif type(part) is not dict:
            self._gaps.add(pointer, f"is {kind_of(part)} where a part is expected")
        else:
            self._parts.read(part, pointer, vocabulary, is_heard=role in _HEARD)


def _time(value: Json, clock: Clock) -> Json:
    """A time as the wire takes it; None where it cannot be read: the order of the items then stands for it."""
    if clock.seconds:
        is_number = type(value) in (int, float, Decimal)
        return int(Decimal(str(value)) * _NANOSECONDS) if is_number else None
    if type(value) is str and nanoseconds(value) is not None:
        return value
    return None
