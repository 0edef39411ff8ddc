"""The stand-in for Bookbag SSO: catalog, chat completions, charges, replays, and faults on demand.

Tests use its methods; other processes use `/admin`, which is as open as the loopback interface.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from devstack.standins.gateway_calls import Arrival, CallBook, CallStatus, Charge, sha256_hex
from devstack.standins.gateway_catalog import MODELS, StandInModel, catalog_document
from devstack.standins.gateway_faults import Fault, Faults
from devstack.standins.gateway_replies import (
    ChatRequest,
    Completion,
    Replies,
    Rule,
    RuledReplies,
    ScriptedReplies,
    estimated_tokens,
)
from devstack.standins.http_service import HttpService, Request, Response, error_response, json_response

TOKEN: Final = "sso-stand-in-token"
EVERY_ORGANIZATION: Final = "*"
_ANOTHER_MODEL: Final = "another-model"


@dataclass(slots=True)
class GatewayOptions:
    """How the stand-in behaves: whether it replays, whom each token may act for, and who answers before the rules."""

    replays: bool = True
    tokens: Mapping[str, frozenset[str]] = field(default_factory=lambda: {TOKEN: frozenset({EVERY_ORGANIZATION})})
    exact_choice: bool = True
    models: tuple[Replies, ...] = ()
    port: int = 0


class GatewayStandIn(HttpService):
    """A context manager: the stand-in, answering at `url` while it is entered."""

    def __init__(self, options: GatewayOptions | None = None) -> None:
        self.options = options or GatewayOptions()
        super().__init__(self._answered, self.options.port)
        self.faults = Faults()
        self.scripted = ScriptedReplies()
        self.ruled = RuledReplies()
        self.calls = CallBook(replays=self.options.replays)
        self._seconds: list[float] = []

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What was charged so far."""
        return self.calls.charges

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """The calls that arrived so far, charged or not."""
        return self.calls.arrivals

    @property
    def slowest_seconds(self) -> float:
        """How long the slowest call took to answer; 0 where none came."""
        return max(self._seconds, default=0.0)

    def clear(self) -> None:
        """Forget calls, their times, charges, faults, scripted replies and rules."""
        self.calls.clear()
        self._seconds.clear()
        self.faults.clear()
        self.scripted.clear()
        self.ruled.rules = ()

    def _answered(self, request: Request) -> Response:
        if request.path[:1] == ("admin",):
            return self._administered(request)
        refusal = self._refusal(request)
        if refusal:
            return refusal
        match request.method, request.path:
            case "GET", ("v1", "catalog"):
                return json_response(catalog_document(exact_choice=self.options.exact_choice))
            case "POST", ("v1", "chat", "completions"):
                started = time.monotonic()
                response = self._completed(request)
                self._seconds.append(time.monotonic() - started)
                return response
            case _:
                return error_response(404, "not_found")

    def _refusal(self, request: Request) -> Response | None:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        organizations = self.options.tokens.get(token)
        if organizations is None:
            return error_response(401, "authentication_error")
        organization = request.headers.get("x-bookbag-organization", "")
        if not organization or not organizations & {organization, EVERY_ORGANIZATION}:
            return error_response(403, "permission_error")
        return None

    def _completed(self, request: Request) -> Response:
        headers = request.headers
        if not headers.get("x-bookbag-budget") or not headers.get("idempotency-key"):
            return error_response(400, "invalid_request_error", "a budget and an idempotency key are required")
        arrival = _arrival(request)
        self.calls.note(arrival)
        try:
            chat = ChatRequest.read(arrival.logical_id, request.json())
        except (KeyError, TypeError, ValueError, AttributeError):
            return error_response(400, "invalid_request_error")
        model = next((model for model in MODELS if model.name == chat.model), None)
        if model is None:
            return error_response(404, "model_not_found")
        return self._called(arrival, chat, model)

    def _called(self, arrival: Arrival, chat: ChatRequest, model: StandInModel) -> Response:
        fault = self.faults.take(chat.logical_id, chat.user)
        standing = self.calls.begin(arrival)
        match standing:
            case CallStatus.CONFLICT:
                return error_response(422, "idempotency_key_reuse")
            case CallStatus.IN_PROGRESS:
                return error_response(409, "idempotency_request_in_progress", Retry_After="1")
            case Response():
                response = Response(standing.status, standing.body, {**standing.headers, "Idempotent-Replayed": "true"})
                return fault.spoil(response) if fault else response
            case CallStatus.NEW:
                return self._new(arrival, chat, model, fault)

    def _new(self, arrival: Arrival, chat: ChatRequest, model: StandInModel, fault: Fault | None) -> Response:
        if fault and fault.kind == "slow":
            self.stopping.wait(fault.seconds)
        if fault and not fault.charged:
            self.calls.give_up(arrival)
            return fault.spoil(error_response(502, "upstream_error"))
        completion = self._completion(chat)
        charge = _charge(arrival, chat, model, completion)
        served = _ANOTHER_MODEL if fault and fault.kind == "wrong_model" else model.name
        response = json_response(_chat_completion(charge, served, completion, number=len(self.charges) + 1))
        self.calls.finish(arrival, charge, response)
        return fault.spoil(response) if fault else response

    def _completion(self, chat: ChatRequest) -> Completion:
        for replies in (self.scripted, *self.options.models):
            completion = replies.reply(chat)
            if completion is not None:
                return completion
        return self.ruled.reply(chat)

    def _administered(self, request: Request) -> Response:
        try:
            body = request.json() if request.body else []
            members = body if isinstance(body, list) else [body]
            return self._orders(members)[request.method, *request.path[1:]]()
        except KeyError:
            return error_response(404, "not_found")
        except (AttributeError, TypeError, ValueError) as error:
            return error_response(400, "invalid_request_error", str(error))

    def _orders(self, members: list[Any]) -> Mapping[tuple[str, ...], Callable[[], Response]]:
        def done(order: Callable[[], None]) -> Callable[[], Response]:
            def answer() -> Response:
                order()
                return Response(204)

            return answer

        def rule() -> None:
            self.ruled.rules = tuple(Rule(**each) for each in members)

        def script() -> None:
            for each in members:
                self.scripted.add(Completion(**{k: v for k, v in each.items() if k != "key"}), key=each.get("key"))

        return {
            ("POST", "faults"): done(lambda: self.faults.add(*map(Fault.read, members))),
            ("POST", "rules"): done(rule),
            ("POST", "replies"): done(script),
            ("POST", "clear"): done(self.clear),
            ("GET", "charges"): lambda: json_response([asdict(charge) for charge in self.charges]),
            ("GET", "arrivals"): lambda: json_response([asdict(arrival) for arrival in self.arrivals]),
        }


def _arrival(request: Request) -> Arrival:
    headers = request.headers
    return Arrival(
        logical_id=headers["idempotency-key"],
        request_id=headers.get("x-request-id", ""),
        organization_id=headers["x-bookbag-organization"],
        budget_id=headers["x-bookbag-budget"],
        body_sha256=sha256_hex(request.body),
    )


def _charge(arrival: Arrival, chat: ChatRequest, model: StandInModel, completion: Completion) -> Charge:
    read = estimated_tokens(chat.system, chat.user, json.dumps(chat.schema))
    written = estimated_tokens(completion.content, completion.refusal)
    return Charge(
        logical_id=arrival.logical_id,
        organization_id=arrival.organization_id,
        budget_id=arrival.budget_id,
        model=model.id,
        input_tokens=read,
        output_tokens=written,
        micro_dollars=model.cost(read, written),
    )


def _chat_completion(charge: Charge, served: str, completion: Completion, *, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": completion.content, "refusal": completion.refusal}
    if completion.tool_calls is not None:
        message["tool_calls"] = completion.tool_calls
    return {
        "id": f"chatcmpl-stand-in-{number}",
        "object": "chat.completion",
        "model": served,
        "choices": [{"index": 0, "message": message, "finish_reason": completion.finish_reason}],
        "usage": {
            "prompt_tokens": charge.input_tokens,
            "completion_tokens": charge.output_tokens,
            "total_tokens": charge.input_tokens + charge.output_tokens,
            "cost": charge.micro_dollars / 1_000_000,
            "estimated_from_texts": True,
        },
    }
