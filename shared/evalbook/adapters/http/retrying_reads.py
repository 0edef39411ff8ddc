"""Requests that may be repeated without harm: reads, asked until they are answered or the time for it is over."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import httpx

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.request import HttpAnswer, HttpExchange, Loss
from evalbook.adapters.http.tokens import Tokens

TOTAL_SECONDS: Final = 10.0
MAX_ATTEMPTS: Final = 4

_UNAUTHORIZED: Final = 401
_AGAIN: Final = frozenset({408, 425, 429})
_MIN_SERVER_ERROR: Final = 500

BuildRequest = Callable[[str], httpx.Request]
"""Makes the request that carries a bearer token."""


@dataclass(frozen=True, slots=True)
class Repeatable:
    """Asks one server; what it gets back is an answer of whatever status, or None where there was none in time."""

    tokens: Tokens
    exchange: HttpExchange
    pace: Backoff

    def ask(self, build: BuildRequest) -> HttpAnswer | None:
        """Send what *build* makes, again after a loss, a refused token (once), 408, 425, 429 and 5xx.

        Raises:
            StoreUnavailable: There is no token.
        """
        deadline = self.pace.clock() + TOTAL_SECONDS
        last: HttpAnswer | None = None
        refused = False
        attempt = 0
        while True:
            attempt += 1
            seconds = deadline - self.pace.clock()
            if seconds <= 0:
                return last
            answer = self.exchange(build(self.tokens.token(fresh=refused)), seconds)
            last = answer if isinstance(answer, HttpAnswer) else None
            if last is not None and last.status == _UNAUTHORIZED and not refused:
                refused = True
                continue
            if not _is_passing(answer) or attempt >= MAX_ATTEMPTS:
                return last
            pause = self.pace.seconds(attempt, {} if last is None else last.headers)
            if self.pace.clock() + pause >= deadline:
                return last
            self.pace.sleep(pause)


def _is_passing(answer: HttpAnswer | Loss) -> bool:
    """Whether what came of a request may be another the next time."""
    return isinstance(answer, Loss) or answer.status in _AGAIN or answer.status >= _MIN_SERVER_ERROR
