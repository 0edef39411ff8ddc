"""What the SSO stand-in's models say: scripted replies first, else a verdict by rule in the form that was asked for."""

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

Schema = Mapping[str, Any]

_FENCE: Final = re.compile(r"<<<BEGIN (\w+) ([0-9a-f]+)>>>\n(.*?)\n<<<END \1 \2>>>", re.DOTALL)
_BYTES_A_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class Completion:
    """One choice of a chat completion."""

    content: str | None
    finish_reason: str | None = "stop"
    refusal: str | None = None
    tool_calls: list[Any] | None = None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What of a request decides the reply."""

    logical_id: str
    model: str
    system: str
    user: str
    schema: Schema

    @classmethod
    def read(cls, logical_id: str, body: Mapping[str, Any]) -> "ChatRequest":
        """Read a request's body; raises `KeyError`, `TypeError` or `ValueError` where it is none."""
        system, user = ("\n".join(_contents(body["messages"], role)) for role in ("system", "user"))
        if not user:
            raise ValueError("there is no user message")
        wanted = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        return cls(logical_id, body["model"], system, user, wanted)

    def fenced(self) -> Mapping[str, str]:
        """Give the fenced texts of the user message by their names."""
        return {match[1]: match[3] for match in _FENCE.finditer(self.user)}


class Replies(Protocol):
    """A model of the stand-in."""

    def reply(self, request: ChatRequest) -> Completion | None:
        """Answer *request*, or leave it to another model."""


def estimated_tokens(*texts: str | None) -> int:
    """Estimate how many tokens *texts* have: one for every four bytes of UTF-8, rounded up."""
    return -(-sum(len((text or "").encode()) for text in texts) // _BYTES_A_TOKEN)


class ScriptedReplies:
    """Replies that were laid ready, each given once, to whoever comes or to one logical request."""

    def __init__(self) -> None:
        self._ready: list[tuple[str | None, Completion]] = []
        self._lock = threading.Lock()

    def add(self, *completions: Completion, key: str | None = None) -> None:
        """Lay *completions* ready, in this order; with *key* only for that logical request."""
        with self._lock:
            self._ready += [(key, completion) for completion in completions]

    def clear(self) -> None:
        """Take away what was laid ready."""
        with self._lock:
            self._ready.clear()

    def reply(self, request: ChatRequest) -> Completion | None:
        """Give the next reply that is ready for *request*."""
        with self._lock:
            for place, (key, completion) in enumerate(self._ready):
                if key in (None, request.logical_id):
                    del self._ready[place]
                    return completion
        return None


@dataclass(frozen=True, slots=True)
class Rule:
    """What is said of a case whose fenced output holds a text; of every case where the text is empty."""

    contains: str
    verdict: str | None = "pass"
    score: float | None = None
    abstain: bool = False


class RuledReplies:
    """Verdicts by the first rule that applies; without one, pass where the output holds the expected value."""

    def __init__(self) -> None:
        self.rules: tuple[Rule, ...] = ()

    def reply(self, request: ChatRequest) -> Completion:
        """Give the verdict in the form that the request's schema asks for."""
        texts = request.fenced()
        output, expected = texts.get("output", ""), texts.get("expected", "")
        default = Rule("", "pass" if expected.casefold() in output.casefold() else "fail")
        rule = next((rule for rule in self.rules if rule.contains in output), default)
        return Completion(json.dumps(shaped(request, rule, "Decided by a rule."), ensure_ascii=False))


def shaped(request: ChatRequest, rule: Rule, summary: str) -> dict[str, Any]:
    """Give a reply with the members that the request's schema asks for, in its order, that says what *rule* says."""
    wanted = _said(request, rule, summary)
    return {
        name: wanted[name] if name in wanted else _anything(request, name, schema)
        for name, schema in request.schema.get("properties", {}).items()
    }


def _contents(messages: Sequence[Mapping[str, Any]], role: str) -> Iterator[str]:
    for message in messages:
        if message["role"] == role:
            yield message["content"]


def _said(request: ChatRequest, rule: Rule, summary: str) -> dict[str, Any]:
    properties = request.schema.get("properties", {})
    said = {"reasoning_summary": summary, "cited_evidence": [], "abstain": rule.abstain}
    if rule.abstain:
        return {**said, "verdict": None, "score": None}
    choices = properties.get("verdict", {}).get("enum", [None])
    verdict = rule.verdict if rule.verdict in choices else choices[0]
    return {**said, "verdict": verdict, "score": _score(request, rule)}


def _score(request: ChatRequest, rule: Rule) -> float | None:
    schema = request.schema.get("properties", {}).get("score", {})
    if schema.get("type") == "null":
        return None
    if rule.score is not None:
        return rule.score
    if "enum" in schema:
        return int(rule.verdict == "pass")
    low, high = _bounds(request.system, "score")
    return high if rule.verdict == "pass" else low


def _anything(request: ChatRequest, name: str, schema: Schema) -> Any:
    """Give some value of a declared extra field."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    first = kind if isinstance(kind, str) else kind[0]
    return {"string": "", "boolean": False}.get(first, _bounds(request.system, name)[0])


def _bounds(system: str, name: str) -> tuple[float, float]:
    """Find a number's bounds in the system prompt, which alone names them."""
    line = re.search(rf"^- {re.escape(name)}: .*$", system, re.MULTILINE)
    low = re.search(r"(-?[\d.]+) or more", line[0]) if line else None
    high = re.search(r"(-?[\d.]+) or less", line[0]) if line else None
    least: float = json.loads(low[1]) if low else 0
    return least, json.loads(high[1]) if high else max(least, 1)


def longest_summary(system: str, unknown: int) -> int:
    """Find how many characters the system prompt allows the summary; *unknown* where it does not say."""
    found = re.search(r"^- reasoning_summary: a string of at most (\d+) characters", system, re.MULTILINE)
    return int(found[1]) if found else unknown
