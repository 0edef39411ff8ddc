"""Cutting a result's body to size."""

from collections.abc import Iterator
from typing import Final

from evalbook.jsonio.values import Json, encode_json

MAX_BODY_BYTES: Final = 16_384
_NOTE_BYTES: Final = 64
_BYTES_A_CHARACTER: Final = 6
_OVERHEAD: Final = 4


def cut_body(body: dict[str, Json]) -> dict[str, Json]:
    """*body* itself, or as much of it from the front as 16 KB of JSON hold, with `left_out_bytes` beside it."""
    size = len(encode_json(body))
    return body if size <= MAX_BODY_BYTES else _shortened(body, size)


def encode_body(body: dict[str, Json]) -> bytes:
    """Return the cut body as JSON text in UTF-8."""
    encoded = encode_json(body)
    return encoded if len(encoded) <= MAX_BODY_BYTES else encode_json(_shortened(body, len(encoded)))


def _shortened(body: dict[str, Json], size: int) -> dict[str, Json]:
    kept, _ = _cut(body, MAX_BODY_BYTES - _NOTE_BYTES)
    kept = kept if type(kept) is dict else {}
    return {**kept, "left_out_bytes": size - len(encode_json(kept))}


def _cut(value: Json, room: int) -> tuple[Json, int]:
    """Return the front of *value* that *room* bytes hold, and the room that is left; (None, -1) where nothing fits."""
    size = len(encode_json(value))
    if size <= room:
        return value, room - size
    if type(value) is str:
        shown = value[: max(room - _OVERHEAD, 0) // _BYTES_A_CHARACTER]
        return shown, 0
    if type(value) is dict and room > _OVERHEAD:
        return dict(_members(list(value.items()), room - _OVERHEAD)), 0
    if type(value) in (list, tuple) and room > _OVERHEAD:
        return [element for _, element in _members([("", element) for element in value], room - _OVERHEAD)], 0
    return None, -1


def _members(members: list[tuple[str, Json]], room: int) -> Iterator[tuple[str, Json]]:
    for name, value in members:
        room -= len(encode_json(name)) + 2
        if room <= 0:
            return
        kept, room = _cut(value, room)
        if room < 0:
            return
        yield name, kept
