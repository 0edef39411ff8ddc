"""What the tests of the gateway's adapter share: a request, a scripted gateway, a clock that only sleeping moves."""

import json
from dataclasses import dataclass, field

import httpx

from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.gateway import GatewayAddress, HttpxGateway
from evalbook.adapters.http.request import HttpExchange
from evalbook.services.judging.gateway import CompletionRequest, GatewayFailure

LOGICAL_ID = "ab" * 32
REQUEST = CompletionRequest("org-1", "budget-1", LOGICAL_ID, b'{"model":"judge-1"}', frozenset({"judge-1"}))
START = 1_800_000_000.0


@dataclass
class Clock:
    """A clock that stands still until somebody sleeps."""

    now: float = START
    slept: list[float] = field(default_factory=list)

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


class FakeTokens:
    """Gives `token-1`, and a new one each time a fresh one is asked for."""

    def __init__(self, error=None):
        self.number = 1
        self.error = error

    def token(self, *, fresh=False):
        if self.error:
            raise self.error
        self.number += fresh
        return f"token-{self.number}"


@dataclass
class Scripted:
    """A gateway that answers, or fails, by a script; the last entry is said again and again."""

    script: list
    seen: list[httpx.Request] = field(default_factory=list)

    async def __call__(self, request):
        self.seen.append(request)
        said = self.script[min(len(self.seen), len(self.script)) - 1]
        if isinstance(said, Exception):
            raise said
        return httpx.Response(said.status, stream=Body(said.content), headers=said.headers)


@dataclass
class Body(httpx.AsyncByteStream):
    """A body that comes in small pieces, as from a network."""

    content: bytes

    async def __aiter__(self):
        for start in range(0, len(self.content), 100):
            yield self.content[start : start + 100]


def completion(**changes):
    """The body of a completion, with *changes*."""
    message = {"role": "assistant", "content": '{"verdict": "pass"}'}
    return {
        "id": "chatcmpl-1",
        "model": "judge-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        **changes,
    }


@dataclass(frozen=True)
class Said:
    """An answer that can be given any number of times."""

    status: int
    content: bytes
    headers: dict


def answer(status=200, body=None, **headers):
    """An answer with *body*, which is a completion unless it is given."""
    content = body if isinstance(body, bytes) else json.dumps(completion() if body is None else body).encode()
    return Said(status, content, {name.replace("_", "-"): value for name, value in headers.items()})


def error(status, code=None, *, kind=None, message="", **headers):
    """An error in OpenAI's form."""
    return answer(status, {"error": {"message": message, "type": kind, "code": code}}, **headers)


@dataclass
class Call:
    """One logical request against a scripted gateway."""

    script: list
    replays: bool = True
    seconds: float = 120.0
    sent_before: bool = False
    tokens: FakeTokens = field(default_factory=FakeTokens)
    most_bytes: int = 1_000_000
    headers: dict = field(default_factory=dict)
    draw: float = 0.5

    def __post_init__(self):
        self.server = Scripted(self.script)
        self.clock = Clock()
        self.sent = []
        self.doubts = []

    @property
    def requests(self):
        return self.server.seen

    def note(self, attempt, in_doubt):
        self.doubts.append(in_doubt)
        self.sent.append(attempt)

    def reply(self):
        """What `complete` gives."""
        gateway = HttpxGateway(
            GatewayAddress("https://sso.example/", self.replays, self.headers),
            self.tokens,
            exchange=HttpExchange(self.most_bytes, httpx.MockTransport(self.server)),
            pace=Backoff(self.clock, self.clock.sleep, lambda: self.draw),
        )
        return gateway.complete(REQUEST, deadline=START + self.seconds, on_sent=self.note, sent_before=self.sent_before)

    def fault(self):
        """The fault that `complete` raises."""
        try:
            got = self.reply()
        except GatewayFailure as failure:
            return failure.fault
        raise AssertionError(f"the call was answered: {got}")
