"""Parts that several readers share: arguments and documents as other formats hold them."""

from collections.abc import Iterable
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json, kind_of

WireSpan = dict[str, Json]

_UNREADABLE: Final[WireSpan] = {"arguments_invalid": True}


def arguments_of(value: Json) -> WireSpan:
    """The fields of a span that say what the arguments of its call are, from an object or a JSON text of one.

    An empty text is no arguments, as for tools that take none. What is no object leaves `arguments` out, which is 'not
    recorded', with `arguments_invalid` to say why; null and nothing at all leave both out.
    """
    if value is None:
        return {}
    if type(value) is str:
        value = parsed(value) if value.strip() else {}
    return {"arguments": value} if type(value) is dict else dict(_UNREADABLE)


def parsed(text: str) -> Json:
    """The value of a strict JSON *text*, None where it is none."""
    try:
        return read_json(text.encode("utf-8", "surrogatepass"))
    except NotStrictJson:
        return None


def document_of(source: Json, *names: str) -> WireSpan:
    """A document whose id is the first of the fields *names* that *source* has; an integer is written as text."""
    values = [source[name] for name in names if name in source] if type(source) is dict else []
    for value in values:
        if type(value) is str:
            return {"id": value}
        if type(value) is int:
            return {"id": str(value)}
    return {}


def listed(document: Json, *names: str) -> list[Json]:
    """The list that *document* is, or that it holds under the first of *names* that it has.

    Raises:
        Refused: It is neither.
    """
    if type(document) is dict:
        document = next((document[name] for name in names if name in document), None)
    if type(document) is not list:
        raise Refused([Problem("", f"must be an array or an object with one as {' or '.join(names)}")])
    return document


def objects(items: Iterable[Json]) -> list[dict[str, Json]]:
    """*items*, all of which must be objects.

    Raises:
        Refused: Some are not; names each by its place.
    """
    found = list(items)
    problems = [
        Problem(f"/{index}", f"must be an object, not {kind_of(item)}")
        for index, item in enumerate(found)
        if type(item) is not dict
    ]
    if problems:
        raise Refused(problems)
    return found


def text_of(value: Json) -> str | None:
    """*value* where it is a text that is not empty."""
    return value if type(value) is str and value else None
