"""A small traces component: stored traces by organization and project, their content behind a capture policy."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from devstack.standins.http_service import HttpService, Request, Response, error_response, json_response

TOKEN: Final = "traces-token"
CONTENT_FIELDS: Final = ("arguments", "input", "output", "expected", "result")
PURPOSES: Final = ("scoring", "judge")

Span = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CapturePolicy:
    """What a project keeps of its spans' content, and what it lets be used for a purpose.

    `not_kept` are names of fields; `forbidden` are, for a purpose, kinds of spans.
    """

    not_kept: frozenset[str] = frozenset()
    forbidden: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def item(self, span: Span | None, name: str, purpose: str) -> dict[str, Any]:
        """Say what becomes of asking for the field *name* of *span* for *purpose*."""
        if span is not None and span.get("kind") in self.forbidden.get(purpose, frozenset()):
            return {"status": "forbidden"}
        if span is None or name not in span or name in self.not_kept:
            return {"status": "not_kept"}
        return {"status": "kept", "value": span[name]}


@dataclass(frozen=True, slots=True)
class _Stored:
    spans: tuple[Span, ...]
    truncated: bool


class TracesService(HttpService):
    """A context manager: the component, answering at `url` while it is entered.

    Tests use `store` and `set_policy`; other processes use `PUT /admin/traces` and `PUT /admin/policies`.
    """

    def __init__(self, port: int = 0, token: str = TOKEN) -> None:
        super().__init__(self._answered, port)
        self._token = token
        self._traces: dict[tuple[str, str, str], _Stored] = {}
        self._policies: dict[tuple[str, str], CapturePolicy] = {}
        self._failures: list[int] = []
        self._lock = threading.Lock()
        self.requests: list[tuple[str, ...]] = []
        """Method and path of each request but the administrator's."""

    def store(
        self, organization_id: str, project_id: str, trace_id: str, spans: Sequence[Span], *, truncated: bool = False
    ) -> None:
        """Store a trace with its spans' content."""
        with self._lock:
            self._traces[organization_id, project_id, trace_id] = _Stored(tuple(spans), truncated)

    def set_policy(self, organization_id: str, project_id: str, policy: CapturePolicy) -> None:
        """Set a project's capture policy; without one everything is kept and may be used."""
        with self._lock:
            self._policies[organization_id, project_id] = policy

    def fail_next(self, *statuses: int) -> None:
        """Answer the next requests with these statuses."""
        with self._lock:
            self._failures += statuses

    def _answered(self, request: Request) -> Response:
        if request.path[:1] == ("admin",):
            return self._administered(request)
        with self._lock:
            self.requests.append((request.method, *request.path))
            failure = self._failures.pop(0) if self._failures else None
        if failure:
            return error_response(failure, "failed_on_demand")
        if request.headers.get("authorization") != f"Bearer {self._token}":
            return error_response(401, "unauthorized")
        match request.method, request.path:
            case "GET", ("v1", "traces", trace_id, "spans"):
                return self._spans(request.query, trace_id)
            case "POST", ("v1", "traces", trace_id, "content"):
                return self._content(request, trace_id)
            case _:
                return error_response(404, "not_found")

    def _found(self, place: Mapping[str, Any], trace_id: str) -> _Stored | None:
        with self._lock:
            return self._traces.get((place.get("organization_id", ""), place.get("project_id", ""), trace_id))

    def _spans(self, query: Mapping[str, str], trace_id: str) -> Response:
        stored = self._found(query, trace_id)
        if stored is None:
            return error_response(404, "trace_not_found")
        spans = [{name: value for name, value in span.items() if name not in CONTENT_FIELDS} for span in stored.spans]
        return json_response({"trace_id": trace_id, "spans": spans, "truncated": stored.truncated})

    def _content(self, request: Request, trace_id: str) -> Response:
        try:
            asked = request.json()
            place = (asked["organization_id"], asked["project_id"])
            fields = [(each["span_id"], each["field"]) for each in asked["fields"]]
            purpose = PURPOSES[PURPOSES.index(asked["purpose"])]
        except (KeyError, TypeError, ValueError):
            return error_response(400, "invalid_request")
        stored = self._found(asked, trace_id)
        if stored is None:
            return error_response(404, "trace_not_found")
        policy = self._policies.get(place, CapturePolicy())
        spans = {span["span_id"]: span for span in stored.spans}
        items = [
            {"span_id": span_id, "field": name, **policy.item(spans.get(span_id), name, purpose)}
            for span_id, name in fields
        ]
        return json_response({"items": items})

    def _administered(self, request: Request) -> Response:
        try:
            body = request.json()
            place = (body["organization_id"], body["project_id"])
            if request.path[1:] == ("traces",):
                self.store(*place, body["trace_id"], body["spans"], truncated=body.get("truncated", False))
            elif request.path[1:] == ("policies",):
                self.set_policy(*place, _read_policy(body))
            else:
                return error_response(404, "not_found")
        except (KeyError, TypeError, ValueError, AttributeError):
            return error_response(400, "invalid_request")
        return Response(204)


def _read_policy(body: Mapping[str, Any]) -> CapturePolicy:
    forbidden = {purpose: frozenset(kinds) for purpose, kinds in body.get("forbidden", {}).items()}
    return CapturePolicy(frozenset(body.get("not_kept", [])), forbidden)
