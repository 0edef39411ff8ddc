"""The calls that all messages of a trace ask for: histories repeat, so each call counts once, and no call is lost."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from evalbook.traces.formats._spans.record import Record
from evalbook.traces.formats._spans.shapes import Answered, Asked

Entries = list[Asked | Answered]
_Key = tuple[str, str]


@dataclass(slots=True)
class Request:
    """A call that was asked for, and the record whose messages showed it first."""

    asked: Asked
    record: Record


@dataclass(slots=True)
class Requests:
    """The calls that were asked for, the answers to none of them, and the ids that name no single call."""

    calls: list[Request] = field(default_factory=list)
    answers: list[tuple[Answered, Record]] = field(default_factory=list)
    shared_ids: set[str] = field(default_factory=set)


Source = tuple[Record, Entries]


def collect(sources: Iterable[Source], is_above: Callable[[Record, Record], bool]) -> Requests:
    """The calls of all *sources*: each a record and one conversation on it. `is_above` tells wrappers."""
    found = Requests()
    settled = [(record, _settled(entries, found, record)) for record, entries in sources]
    _note_shared(settled, found.shared_ids)
    _join_named(settled, found)
    _join_nameless(settled, found, is_above)
    return found


def _settled(entries: Entries, found: Requests, record: Record) -> list[Asked]:
    """The calls of one conversation, each with its answer; what is said twice of one call counts once."""
    asked: list[Asked] = []
    answers: list[Answered] = []
    for entry in entries:
        if isinstance(entry, Answered):
            call = _answered_call(entry, asked)
            if call is None:
                answers.append(entry)
            else:
                _close(call, entry)
            continue
        first = next((one for one in reversed(asked) if entry.call_id and one.call_id == entry.call_id), None)
        if first is None:
            asked.append(entry)
        elif first.message == entry.message or (not first.answered and _alike(first, entry)):
            first.arguments = first.arguments if "arguments" in first.arguments else entry.arguments
        else:
            found.shared_ids.add(str(entry.call_id))
            asked.append(entry)
    found.answers.extend((answer, record) for answer in _renamed(asked, answers))
    return asked


def _close(call: Asked, answer: Answered) -> None:
    call.answered, call.failed = True, call.failed or answer.failed
    call.denied = call.denied or answer.denied


def _renamed(asked: list[Asked], answers: list[Answered]) -> list[Answered]:
    """The *answers* that are left when a history names calls by other ids than it answers them by.

    Then the calls and the answers go together in order, and the answers' ids are those that the tools were called with.
    """
    still = [one for one in asked if not one.answered and not one.is_new]
    if len(still) != len(answers) or not all(answer.call_id for answer in answers):
        return answers
    for call, answer in zip(still, answers, strict=True):
        if answer.name not in (None, call.name):
            return answers
    for call, answer in zip(still, answers, strict=True):
        _close(call, answer)
        call.call_id = answer.call_id
    return []


def _alike(one: Asked, other: Asked) -> bool:
    if one.name != other.name:
        return False
    held = [asked.arguments["arguments"] for asked in (one, other) if "arguments" in asked.arguments]
    return len(held) < 2 or held[0] == held[1]  # noqa: PLR2004


def _answered_call(answer: Answered, asked: list[Asked]) -> Asked | None:
    if answer.call_id is not None:
        named = [one for one in asked if one.call_id == answer.call_id]
        found = next((one for one in named if not one.answered), named[-1] if named else None)
        if found is not None:
            return found
        return None
    still = [one for one in asked if not one.answered and answer.name in (None, one.name)]
    nameless = [one for one in still if one.call_id is None]
    return next(iter(nameless or still), None)


def _note_shared(settled: list[tuple[Record, list[Asked]]], shared: set[str]) -> None:
    """An id that two model spans gave to different calls is no identity."""
    first: dict[str, tuple[Record, Asked]] = {}
    for record, calls in settled:
        for asked in calls:
            if asked.call_id is None:
                continue
            known = first.setdefault(asked.call_id, (record, asked))
            if not _alike(known[1], asked):
                shared.add(asked.call_id)


def _join_named(settled: list[tuple[Record, list[Asked]]], found: Requests) -> None:
    known: dict[str, Request] = {}
    for record, calls in settled:
        for asked in calls:
            if asked.call_id is None or asked.call_id in found.shared_ids:
                continue
            request = known.get(asked.call_id)
            if request is None:
                known[asked.call_id] = Request(asked, record)
                continue
            _add(request.asked, asked)
            if asked.is_new and not request.asked.is_new:
                request.record, request.asked.is_new = record, True
    found.calls.extend(known.values())


def _add(to: Asked, other: Asked) -> None:
    to.answered, to.failed = to.answered or other.answered, to.failed or other.failed
    to.denied, to.is_provider = to.denied or other.denied, to.is_provider or other.is_provider
    if "arguments" not in to.arguments and "arguments" in other.arguments:
        to.arguments = other.arguments


def _join_nameless(
    settled: list[tuple[Record, list[Asked]]], found: Requests, is_above: Callable[[Record, Record], bool]
) -> None:
    """Calls without ids: as many as the longest history shows, or as all models together asked for anew."""
    histories: dict[_Key, list[tuple[Record, list[Asked]]]] = {}
    for record, calls in settled:
        by_key: dict[_Key, list[Asked]] = {}
        for asked in calls:
            if asked.call_id is None or asked.call_id in found.shared_ids:
                by_key.setdefault((asked.name, _spelled(asked)), []).append(asked)
        for key, held in by_key.items():
            histories.setdefault(key, []).append((record, held))
    for shown in histories.values():
        found.calls.extend(_counted(shown, is_above))


def _spelled(asked: Asked) -> str:
    """The arguments that tell equal calls without ids; APIs leave them out where there are none."""
    return repr(asked.arguments.get("arguments") or {})


def _counted(histories: list[tuple[Record, list[Asked]]], is_above: Callable[[Record, Record], bool]) -> list[Request]:
    news: Counter[str] = Counter()
    records: dict[str, Record] = {}
    for record, held in histories:
        count = sum(asked.is_new for asked in held)
        news[record.span_id] = max(news[record.span_id], count)
        records[record.span_id] = record
    inner = [one for one, count in news.items() if count and not _is_wrapper(one, news, records, is_above)]
    total = max(*(len(held) for _, held in histories), sum(news[one] for one in inner))
    answered = max(sum(asked.answered for asked in held) for _, held in histories)
    record, held = histories[0]
    calls = [replace(held[0], call_id=None, answered=place < answered) for place in range(total)]
    for _, others in histories:
        for mine, other in zip(calls, others, strict=False):
            mine.failed, mine.denied = mine.failed or other.failed, mine.denied or other.denied
            mine.is_provider = mine.is_provider or other.is_provider
    return [Request(call, record) for call in calls]


def _is_wrapper(
    one: str, news: Counter[str], records: dict[str, Record], is_above: Callable[[Record, Record], bool]
) -> bool:
    return any(count and other != one and is_above(records[one], records[other]) for other, count in news.items())
