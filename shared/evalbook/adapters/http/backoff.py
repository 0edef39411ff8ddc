"""How long to wait before a request is sent again."""

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_FIRST_SECONDS: Final = 0.5
_MAX_JITTER_SECONDS: Final = 20.0
_MAX_ASKED_SECONDS: Final = 60.0
_MAX_DOUBLINGS: Final = 10


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential back-off with full jitter; clock (UNIX seconds), sleep and the draw from [0, 1) can be given."""

    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.SystemRandom().random

    def seconds(self, failures: int, headers: Mapping[str, str]) -> float:
        """Say how long to wait after so many *failures*, the last of which answered with *headers*.

        What `Retry-After` asks for is granted up to a minute, with a little jitter on top so that not all come at once.
        """
        jitter = self.draw() * min(_MAX_JITTER_SECONDS, math.ldexp(_FIRST_SECONDS, min(failures, _MAX_DOUBLINGS)))
        asked = retry_after(headers, self.clock())
        if asked is None:
            return jitter
        return min(asked, _MAX_ASKED_SECONDS) + min(jitter, 1.0)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Read the seconds that `Retry-After` asks for (RFC 9110 §10.2.3), given as seconds or as a date; None without it.

    A date is compared with the answer's own `Date`, which knows nothing of our clock, and with *now* where it has none.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    then, answered = _instant(value), _instant(headers.get("date", ""))
    if then is None:
        return None
    return max(0.0, then - (now if answered is None else answered))


def _instant(text: str) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    zoned: datetime = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return zoned.timestamp()
