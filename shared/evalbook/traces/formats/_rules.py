"""The words in which a dialect of messages says what its parts are: data, read by one engine.

A path such as `function/name` names a member of a member. A rule gives several paths where versions of a tool differ;
the first that holds a value counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._paths import Names, Paths, at


class End(Enum):
    """How a call ended: whether it was executed (None: not known) and its status."""

    OK = (True, "ok")
    RAN = (True, "unset")
    FAILED = (True, "error")
    NOT_RUN = (False, "unset")
    UNKNOWN = (None, "unset")


@dataclass(frozen=True, slots=True)
class Ending:
    """A mark of an end: the member at *path* is one of *values*; without values, it is there and not null or false.

    A value that begins with `*` stands for all that end so.
    """

    path: str
    end: End
    values: frozenset[str | bool] = frozenset()

    def fits(self, part: Mapping[str, Json]) -> bool:
        """Whether *part* shows the mark."""
        value = at(part, self.path)
        if not self.values:
            return value is not None and value is not False
        if type(value) is str:
            return any(type(one) is str and is_of_form(value, one) for one in self.values)
        return type(value) is bool and value in self.values


@dataclass(frozen=True, slots=True)
class Documents:
    """Where documents of a retrieval stand, and under which of *ids* each has its id.

    A document is of the type *kind* and has one of *has*, where those are given.
    """

    path: str
    ids: Paths
    kind: str | None = None
    has: Paths = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCall:
    """A part that asks for a call; with *ends* or an ending that fits it also says how the call ended.

    `named` is the tool's name where the part has none, `after` what stands before the name in the part's kind. A free
    text is no argument object. `joins` is another record of the call with the same id and name, `recap` also
    one without ids of a call with the same name and arguments. A tool in *skip* is the form of an answer and no action.
    """

    name: Paths = ("name",)
    named: str | None = None
    after: str | None = None
    arguments: Paths = ("arguments",)
    free_text: bool = False
    null_is_empty: bool = False
    call_id: Paths = ("id",)
    ends: End | None = None
    endings: tuple[Ending, ...] = ()
    documents: tuple[Documents, ...] = ()
    joins: bool = False
    recap: bool = False
    skip: Names = frozenset()
    members: Names = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A part that says how a call ended, which it names by id, else by the tool's name, else by order.

    Without the member *needs* it answers no call; nor does it where the tool is one of *skip*.
    """

    call_id: Paths = ("tool_call_id",)
    name: Paths = ("name",)
    named: str | None = None
    ends: End = End.RAN
    endings: tuple[Ending, ...] = ()
    documents: tuple[Documents, ...] = ()
    needs: str | None = None
    skip: Names = frozenset()
    members: Names = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsOver:
    """A part that records a handoff."""

    source: Paths = ()
    target: Paths
    members: Names = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Each:
    """A part that holds a list of *parts*; *members* are those beside the list."""

    path: str
    parts: "MessageVocabulary"
    members: Names = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """A part that holds the documents which a retrieval returned."""

    documents: Documents
    named: str = "retrieval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A part that is no call: text, thought, image, a list of tools that may be called.

    *anything* says that what else it holds is no call either.
    """

    members: Names = frozenset()
    texts: Paths = ("text",)
    anything: bool = False


Rule = MessageCall | Answer | HandsOver | Each | Retrieved | Speech


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageVocabulary:
    """What the kinds of parts are: the kind stands in the member *key*, or is a member itself where *key* is None.

    A part without the member is of the kind *default*. A kind with `*` at an end stands for all that go on there.
    """

    key: str | None = "type"
    default: str | None = None
    rules: Mapping[str, tuple[Rule, ...]]
    members: Names = frozenset()

    def rules_of(self, kind: str) -> tuple[Rule, ...] | None:
        """The rules of *kind*, None where it is not known."""
        exact = self.rules.get(kind)
        if exact is not None:
            return exact
        return next((rules for form, rules in self.rules.items() if is_of_form(kind, form)), None)


def is_of_form(text: str, form: str) -> bool:
    """Whether *text* is *form*, in which `*` at one end stands for anything."""
    if form[-1:] == "*":
        return text.startswith(form[:-1])
    return text.endswith(form[1:]) if form[:1] == "*" else text == form


def only(rule: Rule) -> MessageVocabulary:
    """The vocabulary of parts that are all of one rule."""
    return MessageVocabulary(key="", default="", rules={"": (rule,)}, members=frozenset({"type"}))


SPEECH: Final = (Speech(),)


def speech(*kinds: str) -> dict[str, tuple[Rule, ...]]:
    """The rules that the parts of *kinds* are no calls."""
    return dict.fromkeys(kinds, SPEECH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Where an item says when it was recorded: RFC 3339 text, or seconds since the Unix epoch with a fraction."""

    path: str
    seconds: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One way to write a list of messages, items or events.

    `containers` are the paths (with `*` for each element) at which a document that is no list holds its items; `items`
    says what items are that are no messages; `envelopes` are the members in which a message stands. Of a message,
    `role` is the member that says whose it is (or `role_of` finds it), `roles` what a message of that role is besides
    its parts, `parts` the members that hold parts, `documents` retrieved documents among them, and `members` those that
    hold no call. `repeats` says that an id names one call in all of the document, `unique` which member is the same in
    repeated items, `agent` which one says who acts, `unanswered` what became of a call without an answer.
    `alone` says that one item may be a whole document; else it is a line of one.
    """

    containers: Paths = ("messages",)
    around: Names = frozenset()
    items: MessageVocabulary | None = None
    envelopes: Paths = ()
    role: str = "role"
    role_of: Callable[[Mapping[str, Json], Mapping[str, Json]], Json] | None = None
    roles: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    parts: Mapping[str, MessageVocabulary] = field(default_factory=dict)
    members: Names = frozenset()
    clock: Clock | None = None
    repeats: bool = False
    unique: str | None = None
    agent: str | None = None
    documents: tuple[Documents, ...] = ()
    unanswered: End = End.NOT_RUN
    alone: bool = True
