"""The traces component over HTTP."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final
from urllib.parse import quote

import httpx
from pydantic import Field, ValidationError

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.request import HttpAnswer, HttpExchange
from evalbook.adapters.http.retrying_reads import Repeatable
from evalbook.adapters.http.tokens import Tokens
from evalbook.contracts.model import Wire
from evalbook.domain.case import ContentRef
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.limits import TRACES_ANSWER_DEPTH
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import ABSENT, Json, encode_json
from evalbook.traces.port import (
    Content,
    ContentStatus,
    Purpose,
    TraceKey,
    TracesUnavailable,
    TraceUnreadable,
)

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024
MAX_TRACE_ID_CHARS: Final = 512

_OK: Final = 200
_NOT_FOUND: Final = 404
_TRACE_MEMBERS: Final = ("spans", "captured", "truncated", "incomplete")
# The answer, its list and an item stand above a value, which may itself nest a hundred deep.


class _Item(Wire):
    span_id: str
    field: str
    status: Annotated[ContentStatus, Field(strict=False)]
    value: Any = ABSENT


class _Items(Wire):
    items: list[_Item]


class HttpxTraces:
    """One traces component; a read takes ten seconds at most."""

    def __init__(
        self, url: str, tokens: Tokens, *, exchange: HttpExchange | None = None, pace: Backoff | None = None
    ) -> None:
        self._url = url.rstrip("/") + "/v1/traces/"
        self._asking = Repeatable(tokens, exchange or HttpExchange(MAX_ANSWER_BYTES), pace or Backoff())

    def spans(self, trace: TraceKey) -> Mapping[str, Json] | None:
        """The wire trace's members without the spans' content; None where the project has no such trace.

        Raises:
            TracesUnavailable: There was no answer.
            TraceUnreadable: The answer holds no list of spans.
        """
        query = {"organization_id": trace.organization_id, "project_id": trace.project_id}
        body = self._ask(trace, "GET", "spans", query=query)
        if body is None:
            return None
        if type(body) is not dict or type(body.get("spans")) is not list:
            raise TraceUnreadable("the answer holds no list of spans")
        return {name: body[name] for name in _TRACE_MEMBERS if name in body}

    def contents(
        self, trace: TraceKey, purpose: Purpose, fields: Sequence[ContentRef]
    ) -> Mapping[ContentRef, Content] | None:
        """The content of all *fields* in one request; None where the project has no such trace.

        Raises:
            TracesUnavailable: There was no answer.
            TraceUnreadable: The answer has not the shape of the contract.
        """
        asked = {
            "organization_id": trace.organization_id,
            "project_id": trace.project_id,
            "purpose": purpose.value,
            "fields": [{"span_id": ref.span_id, "field": ref.field} for ref in fields],
        }
        body = self._ask(trace, "POST", "content", body=encode_json(asked))
        if body is None:
            return None
        items = _items(body)
        found = {ContentRef(item.span_id, item.field): item for item in items}
        if len(found) < len(items):
            raise TraceUnreadable("the answer says two things of one field")
        return {ref: _content(found.get(ref)) for ref in fields}

    def _ask(
        self, trace: TraceKey, method: str, part: str, *, query: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Json:
        """The answer's JSON value, or None where there is no such trace."""
        if not _is_one_segment(trace.trace_id):
            return None
        url = f"{self._url}{quote(trace.trace_id, safe='')}/{part}"

        def build(token: str) -> httpx.Request:
            headers = {
                "Authorization": f"Bearer {token}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "Content-Type": "application/json",
            }
            return httpx.Request(method, url, params=query, headers=headers, content=body)

        try:
            answer = self._asking.ask(build)
        except StoreUnavailable as error:
            raise TracesUnavailable(str(error)) from error
        return _read(answer)


def _is_one_segment(trace_id: str) -> bool:
    """Whether a trace id can be asked for: a URL's path cannot say '.', '..' or half of a surrogate pair."""
    if not 0 < len(trace_id) <= MAX_TRACE_ID_CHARS or trace_id in (".", ".."):
        return False
    return not any("\ud800" <= character <= "\udfff" for character in trace_id)


def _read(answer: HttpAnswer | None) -> Json:
    if answer is None:
        raise TracesUnavailable("the traces component did not answer")
    if answer.status == _NOT_FOUND:
        return None
    if answer.status != _OK:
        raise TracesUnavailable(f"the traces component answered with status {answer.status}")
    if not answer.whole:
        raise TraceUnreadable("the answer is too large")
    try:
        value = read_json(answer.body, max_depth=TRACES_ANSWER_DEPTH)
    except NotStrictJson as error:
        raise TraceUnreadable(f"the answer is not strict JSON: {error.reason}") from None
    return {} if value is None else value


def _items(body: Json) -> Sequence[_Item]:
    try:
        return _Items.model_validate(body).items
    except ValidationError:
        raise TraceUnreadable("the answer has not the shape of the contract") from None


def _content(item: _Item | None) -> Content:
    if item is None or (item.status is ContentStatus.KEPT and item.value is ABSENT):
        return Content(ContentStatus.NOT_KEPT)
    return Content(item.status, item.value if item.status is ContentStatus.KEPT else ABSENT)
