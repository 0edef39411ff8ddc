"""Parts of messages read by the rules of a vocabulary."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from evalbook.jsonio.values import Json
from evalbook.traces.formats._conversation import Conversation
from evalbook.traces.formats._gaps import key_pointer, looks_like_printed_call, may_be_call
from evalbook.traces.formats._parts import WireSpan, arguments_of, document_of, text_of
from evalbook.traces.formats._paths import Names, Paths, at, first_at, heads, id_at, is_hidden
from evalbook.traces.formats._rules import (
    Answer,
    Documents,
    Each,
    End,
    Ending,
    HandsOver,
    MessageCall,
    MessageVocabulary,
    Retrieved,
    Rule,
    Speech,
    is_of_form,
)

_PRINTED: Final = "is a text that may hold a call in printed form"
_FOUND: Final = "retrieval"
_PLAIN: Final = frozenset(
    {
        "additionalProperties", "additional_properties", "annotations", "cache_control", "callProviderMetadata",
        "caller", "completed_at", "created_at", "extra_content", "index", "metadata", "object",
        "providerMetadata", "providerOptions", "provider_metadata", "provider_specific_fields", "signature",
        "status", "thought", "thoughtSignature", "thought_signature",
    }
)  # fmt: skip
"""Members that calls and answers have in several dialects, and that hold no call."""


class Part(NamedTuple):
    """One part as a rule reads it: its fields and kind, where it stands, and the members that its place allows."""

    fields: dict[str, Json]
    pointer: str
    kind: str
    known: Names
    is_heard: bool = False


class PartReader:
    """Reads parts into a conversation; what a vocabulary does not know becomes a gap."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._gaps = conversation.gaps

    def knows(self, part: Mapping[str, Json], vocabulary: MessageVocabulary) -> bool:
        """Whether *part* is of a kind that the vocabulary has rules for."""
        return any(vocabulary.rules_of(kind) is not None for kind, _, _ in _kinds(part, vocabulary, ""))

    def read(
        self, part: dict[str, Json], pointer: str, vocabulary: MessageVocabulary, *, is_heard: bool = False
    ) -> None:
        """Read one part by the rules of its kind."""
        known = vocabulary.members | ({vocabulary.key} if vocabulary.key else frozenset())
        is_read = False
        for kind, fields, where in _kinds(part, vocabulary, pointer):
            rules = vocabulary.rules_of(kind)
            if rules is None:
                continue
            is_read = True
            for index, one in enumerate(fields if type(fields) is list else [fields]):
                place = f"{where}/{index}" if type(fields) is list else where
                self._apply_to(rules, Part({}, place, kind, known, is_heard), one)
        is_empty = vocabulary.key is None and all(name in known | _PLAIN or not value for name, value in part.items())
        if not is_read and not is_empty:
            self._gaps.add(pointer, "is of a kind that the format does not know")
        elif vocabulary.key is None:
            self._note_unknown(part, vocabulary.members | frozenset(vocabulary.rules), pointer)

    def _apply_to(self, rules: tuple[Rule, ...], part: Part, fields: Json) -> None:
        """Read *fields*, which stand where *part* is expected and may be no object."""
        for rule in rules:
            if type(fields) is dict:
                self.apply(rule, part._replace(fields=fields))
            elif not isinstance(rule, Speech):
                self._gaps.add(part.pointer, "is no object, and stands where a call or its answer does")
            elif type(fields) is str and not part.is_heard and looks_like_printed_call(fields):
                self._gaps.add(part.pointer, _PRINTED)

    def apply(self, rule: Rule, part: Part) -> None:
        """Read *part* by one rule."""
        if isinstance(rule, MessageCall):
            self._call(rule, part)
        elif isinstance(rule, Answer):
            self._answer(rule, part)
        elif isinstance(rule, HandsOver):
            self._handoff(rule, part)
        elif isinstance(rule, Each):
            self._each(rule, part)
        elif isinstance(rule, Retrieved):
            self.documents((rule.documents,), part.fields, rule.named)
        else:
            self._speech(rule, part)

    def _call(self, rule: MessageCall, part: Part) -> None:
        fields = part.fields
        name = text_of(first_at(fields, rule.name)) or rule.named
        name = part.kind.removeprefix(rule.after) if rule.after else name
        if name and any(is_of_form(name, form) for form in rule.skip):
            return
        paths = (*rule.name, *rule.arguments, *rule.call_id)
        self._note_any(part, rule.members | heads(paths, _paths(rule.endings, rule.documents)))
        self._note_inner(part, paths, rule.members)
        if not name:
            self._gaps.add(part.pointer, "is a call without the name of its tool")
            return
        arguments, call_id = _arguments(rule, fields), id_at(fields, rule.call_id)
        call = self._conversation.call(name, call_id, arguments, joins=rule.joins, recap=rule.recap)
        end = _end(rule.endings, fields) or rule.ends
        if end is not None:
            self._conversation.ended(call, end, part.pointer)
        self.documents(rule.documents, fields, name)

    def _answer(self, rule: Answer, part: Part) -> None:
        fields = part.fields
        self._note_any(part, rule.members | heads(rule.name, rule.call_id, _paths(rule.endings, rule.documents)))
        name = text_of(first_at(fields, rule.name)) or rule.named
        if rule.needs and at(fields, rule.needs) is None:
            return
        if name and any(is_of_form(name, form) for form in rule.skip):
            return
        end = _end(rule.endings, fields) or rule.ends
        call = self._conversation.answer(id_at(fields, rule.call_id), name, end, part.pointer)
        self.documents(rule.documents, fields, call["name"] if call else name or text_of(fields.get("type")) or _FOUND)

    def _handoff(self, rule: HandsOver, part: Part) -> None:
        self._note_unknown(part.fields, part.known | rule.members | heads(rule.source, rule.target), part.pointer)
        source, target = (text_of(first_at(part.fields, paths)) for paths in (rule.source, rule.target))
        if target is not None:
            self._conversation.handed_over(source, target)

    def _each(self, rule: Each, part: Part) -> None:
        place, held = f"{part.pointer}/{rule.path}", at(part.fields, rule.path)
        self._note_unknown(part.fields, part.known | rule.members | heads((rule.path,)), part.pointer)
        above = at(part.fields, rule.path.rpartition("/")[0])
        if type(above) is dict:
            self._note_unknown(above, part.known | rule.members | {rule.path.rpartition("/")[2]}, part.pointer)
        if type(held) is not list:
            if held is not None and type(held) is not str:
                self._gaps.add(place, "is no list, and stands where calls or answers do")
            return
        for index, one in enumerate(held):
            if type(one) is dict:
                self.read(one, f"{place}/{index}", rule.parts)
            else:
                self._gaps.add(f"{place}/{index}", "is no object, and stands where a call or its answer does")

    def _speech(self, rule: Speech, part: Part) -> None:
        if not rule.anything:
            self._note_unknown(part.fields, part.known | rule.members | frozenset(rule.texts), part.pointer)
        texts = [part.fields.get(name) for name in rule.texts]
        if not part.is_heard and any(type(text) is str and looks_like_printed_call(text) for text in texts):
            self._gaps.add(part.pointer, _PRINTED)

    def documents(self, places: tuple[Documents, ...], fields: dict[str, Json], name: str) -> None:
        """Note the documents that *fields* hold at one of *places*."""
        for where in places:
            held = at(fields, where.path)
            shown = [one for one in held if _is_document(one, where)] if type(held) is list else []
            if shown or (held == [] and where.kind is None and not where.has):
                self._conversation.retrieved(
                    [document_of({"id": first_at(one, where.ids)}, "id") for one in shown], name
                )

    def _note_any(self, part: Part, own: Names) -> None:
        """A call and an answer have few members: any other may be one of them under another name."""
        for name, value in part.fields.items():
            if name not in own and name not in part.known and name not in _PLAIN and value not in (None, "", []):
                self._gaps.add(key_pointer(part.pointer, name), "is a member that a call or its answer does not have")

    def _note_inner(self, part: Part, paths: Paths, own: Names) -> None:
        """The same for the members of a call's members, such as its `function`."""
        for head in {path.partition("/")[0] for path in paths if "/" in path}:
            inner = part.fields.get(head)
            if type(inner) is dict:
                below = frozenset(path.split("/")[1] for path in paths if path.startswith(f"{head}/"))
                self._note_any(part._replace(fields=inner, pointer=key_pointer(part.pointer, head)), own | below)

    def _note_unknown(self, fields: Mapping[str, Json], known: Names, pointer: str) -> None:
        for name, value in fields.items():
            if name in known or name in _PLAIN or not value:
                continue
            if type(value) in (dict, list) or may_be_call(name):
                self._gaps.add(
                    key_pointer(pointer, name), "is a member that the format does not know and may hold a call"
                )


def _kinds(part: Mapping[str, Json], vocabulary: MessageVocabulary, pointer: str) -> Iterator[tuple[str, Json, str]]:
    """The kinds of a part, each with the value that has its fields."""
    if vocabulary.key is None:
        yield from ((name, value, key_pointer(pointer, name)) for name, value in part.items() if value is not None)
    else:
        kind = part.get(vocabulary.key, vocabulary.default)
        if type(kind) is str:
            yield kind, part, pointer


def _paths(endings: tuple[Ending, ...], documents: tuple[Documents, ...]) -> tuple[str, ...]:
    return (*(ending.path for ending in endings), *(where.path for where in documents))


def _end(endings: tuple[Ending, ...], fields: dict[str, Json]) -> End | None:
    return next((ending.end for ending in endings if ending.fits(fields)), None)


def _arguments(rule: MessageCall, fields: dict[str, Json]) -> WireSpan:
    value = first_at(fields, rule.arguments)
    if value is None:
        # A member that is there and null says 'none' in some dialects, and nothing in all others.
        is_null = rule.null_is_empty and any(path in fields for path in rule.arguments)
        return {"arguments": {}} if is_null else {}
    if is_hidden(value):
        return {}
    return {"arguments_invalid": True} if rule.free_text else arguments_of(value)


def _is_document(source: Json, where: Documents) -> bool:
    if type(source) is not dict or where.kind not in (None, source.get("type")):
        return False
    return not where.has or first_at(source, where.has) is not None
