"""Bookbag SSO, or any other gateway that speaks OpenAI chat completions, over HTTP.

A request is sent again only where that cannot charge twice: after an answer that certainly cost nothing, and after an
uncertain one only at a gateway that replays (same key, same body: the same answer and no second charge).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final
from uuid import NAMESPACE_URL, uuid5

import httpx

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.completion import read_completion
from evalbook.adapters.http.request import HttpAnswer, HttpExchange, Loss
from evalbook.adapters.http.tokens import Tokens
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.outcome import Code
from evalbook.services.judging.gateway import (
    ChargeStatus,
    CompletionReply,
    CompletionRequest,
    GatewayFailure,
    GatewayFault,
    OnSent,
)

MAX_REPLY_BYTES: Final = 8 * 1024 * 1024
MAX_UNCERTAIN_RESENDS: Final = 3
MAX_ATTEMPTS: Final = 30

_TIME_LIMIT: Final = GatewayFault(Code.TIME_LIMIT, ChargeStatus.NONE)
_NO_TOKEN: Final = GatewayFault(Code.GATEWAY_UNREACHABLE, ChargeStatus.NONE, may_send_again=True)
_SENT_BEFORE: Final = GatewayFault(Code.GATEWAY_OUTCOME_UNKNOWN, ChargeStatus.UNCERTAIN)


@dataclass(frozen=True, slots=True)
class GatewayAddress:
    """Where the gateway is and what it promises; *headers* are those that turn another gateway's own retries off."""

    url: str
    replays: bool
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class HttpxGateway:
    """One gateway; each `complete` is one logical request."""

    def __init__(
        self,
        address: GatewayAddress,
        tokens: Tokens,
        *,
        exchange: HttpExchange | None = None,
        pace: Backoff | None = None,
    ) -> None:
        self._url = address.url.rstrip("/") + "/v1/chat/completions"
        self._address = address
        self._tokens = tokens
        self._exchange = exchange or HttpExchange(MAX_REPLY_BYTES)
        self._pace = pace or Backoff()

    def complete(
        self, request: CompletionRequest, *, deadline: float, on_sent: OnSent, sent_before: bool = False
    ) -> CompletionReply:
        """Ask once, sending again only what is safe to send again, until *deadline* (UNIX seconds).

        *sent_before* says that an earlier worker sent this request and its outcome is unknown: a gateway that does not
        replay is then not asked at all.

        Raises:
            GatewayFailure: There is no completion of the pinned model; says what that means for the budget.
        """
        if sent_before and not self._address.replays:
            raise GatewayFailure(_SENT_BEFORE)
        course = _Course(self._address.replays, in_doubt=sent_before)
        while True:
            token = self._token(course)
            if deadline <= self._pace.clock():
                raise GatewayFailure(course.final(course.last or _TIME_LIMIT))
            course.attempts += 1
            on_sent(course.attempts, course.in_doubt)
            sending = self._http_request(request, token, course.attempts)
            answer = self._exchange(sending, deadline - self._pace.clock())
            outcome = read_completion(answer, request)
            if isinstance(outcome, CompletionReply):
                return outcome
            course.note(outcome)
            self._wait_or_raise(course, outcome, answer, deadline)

    def _token(self, course: "_Course") -> str:
        try:
            return self._tokens.token(fresh=course.token_refused)
        except StoreUnavailable:
            fault = _NO_TOKEN
        raise GatewayFailure(course.final(fault))

    def _wait_or_raise(
        self, course: "_Course", fault: GatewayFault, answer: HttpAnswer | Loss, deadline: float
    ) -> None:
        """Wait for the next attempt, or raise *fault* where there is none or it would come too late."""
        if course.asks_for_token():
            return
        if not course.goes_on(fault):
            raise GatewayFailure(course.final(fault))
        headers = answer.headers if isinstance(answer, HttpAnswer) else {}
        pause = self._pace.seconds(course.attempts, headers)
        if self._pace.clock() + pause >= deadline:
            raise GatewayFailure(course.final(fault))
        self._pace.sleep(pause)

    def _http_request(self, request: CompletionRequest, token: str, attempt: int) -> httpx.Request:
        headers = {
            **self._address.headers,
            "Authorization": f"Bearer {token}",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "X-Bookbag-Organization": request.organization_id,
            "X-Bookbag-Budget": request.budget_id,
            "Idempotency-Key": request.logical_id,
            # Some servers take nothing but a UUID here.
            "X-Request-Id": str(uuid5(NAMESPACE_URL, f"{request.logical_id}/{attempt}")),
        }
        return httpx.Request("POST", self._url, headers=headers, content=request.body)


@dataclass(slots=True)
class _Course:
    """What the attempts of one logical request have come to so far."""

    replays: bool
    in_doubt: bool
    """Whether some attempt may have been charged, which a later answer that cost nothing does not undo."""
    attempts: int = 0
    uncertain: int = 0
    last: GatewayFault | None = None
    refreshes: int = 0

    @property
    def token_refused(self) -> bool:
        """Whether the last attempt's token was refused."""
        return self.last is not None and self.last.code is Code.GATEWAY_AUTH

    def note(self, fault: GatewayFault) -> None:
        """Take note of *fault*, which the last attempt came to."""
        self.last = fault
        if fault.charge is ChargeStatus.UNCERTAIN:
            self.in_doubt = True
            self.uncertain += fault.code is not Code.GATEWAY_IN_PROGRESS

    def asks_for_token(self) -> bool:
        """Whether to try once more, at once, with a token from the source."""
        self.refreshes += self.token_refused
        return self.token_refused and self.refreshes == 1

    def goes_on(self, fault: GatewayFault) -> bool:
        """Whether the same request may be sent once more now."""
        return self._is_safe(fault) and self.attempts < MAX_ATTEMPTS and self.uncertain <= MAX_UNCERTAIN_RESENDS

    def final(self, fault: GatewayFault) -> GatewayFault:
        """Give *fault* with what all attempts together mean for the budget."""
        charge = ChargeStatus.UNCERTAIN if self.in_doubt and fault.charge is ChargeStatus.NONE else fault.charge
        return replace(fault, charge=charge, may_send_again=self._is_safe(fault))

    def _is_safe(self, fault: GatewayFault) -> bool:
        return fault.may_send_again and (self.replays or not self.in_doubt)
