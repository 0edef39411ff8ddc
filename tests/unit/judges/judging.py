"""Judges, cases and replies that the tests of this folder start from."""

import json
import re
from decimal import Decimal
from pathlib import Path

from evalbook.domain.case import Case
from evalbook.jsonio.values import Json
from evalbook.judges.prompt import ChatMessage
from evalbook.judges.reply import RawReply, Reply
from evalbook.judges.version import JudgeParameters, read_judge_parameters

HERE = Path(__file__).parent
BOUNDARY = "0123456789abcdef" * 2
DIGEST = "5f" * 32

BINARY = {"model": "acme::judge-1", "prompt_template": "{{input}} {{output}} {{expected}}", "score_type": "binary"}
CATEGORICAL = BINARY | {
    "score_type": "categorical",
    "categories": ["correct", "partial", "wrong"],
    "pass_categories": ["correct"],
}
ORDINAL = BINARY | {"score_type": "ordinal", "minimum": 1, "maximum": 5, "pass_threshold": 4}
CONTINUOUS = BINARY | {"score_type": "continuous", "minimum": 0, "maximum": 1, "pass_threshold": Decimal("0.6")}
BY_SCORE_TYPE = {raw["score_type"]: raw for raw in (BINARY, CATEGORICAL, ORDINAL, CONTINUOUS)}

EXTRAS = [
    {"name": "severity", "type": "enum", "values": ["low", "high"]},
    {"name": "issues", "type": "integer", "minimum": 0, "maximum": 10},
    {"name": "confidence", "type": "number"},
    {"name": "urgent", "type": "boolean"},
    {"name": "note", "type": "string", "max_length": 5},
]
EXTRA_VALUES = {"severity": "low", "issues": 3, "confidence": 0.5, "urgent": False, "note": "short"}


def judge(raw: dict[str, Json] = BINARY, **changes: Json) -> JudgeParameters:
    """Read the parameters *raw* with *changes*."""
    return read_judge_parameters({**raw, **changes})


def rows(name: str) -> list[dict[str, Json]]:
    """Read the recorded rows of *name*, with numbers as written."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line, parse_float=Decimal) for line in lines]


def case_of(**values: Json) -> Case:
    """Give a case with the *values* of its input, output or expected value."""
    return Case("case-1", **values)


def members(**changes: Json) -> dict[str, Json]:
    """Give the members of a valid binary reply with *changes*."""
    valid = {"reasoning_summary": "Right.", "cited_evidence": [], "score": 1, "verdict": "pass", "abstain": False}
    return valid | changes


def raw(content: Json, **changes: Json) -> RawReply:
    """Give a reply that stopped by itself with *content*, a text or the members of an object."""
    text = json.dumps(content) if isinstance(content, dict) else content
    return RawReply(**{"content": text, "finish_reason": "stop", **changes})


def reply(
    *, verdict: str | None = None, score: int | Decimal | None = None, abstain: bool = False, summary: str = "Seen."
) -> Reply:
    """Give a usable reply."""
    return Reply(verdict, score, abstain, summary, (), {})


def parse_prompt(message: ChatMessage, boundary: str) -> list[tuple[str, str]]:
    """Read a user message back as texts and fences in order; raises where markers with *boundary* do not pair up."""
    fence = re.compile(rf"<<<BEGIN (\w+) {boundary}>>>\n(.*?)\n<<<END \1 {boundary}>>>", re.DOTALL)
    parts, end = [], 0
    for match in fence.finditer(message.content):
        parts += [("", message.content[end : match.start()]), (match.group(1), match.group(2))]
        end = match.end()
    parts.append(("", message.content[end:]))
    if message.content.count(boundary) != 2 * fence.subn("", message.content)[1]:
        raise AssertionError("a marker stands alone or inside a fence")
    return parts
