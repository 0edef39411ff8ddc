"""Recorded replies of a real model in the form of our contract."""

from decimal import Decimal

import pytest

from devstack.standins.gateway_catalog import RECORDED_MODEL
from devstack.standins.gateway_recorded import RecordedReplies, recorded_outputs
from devstack.standins.gateway_replies import ChatRequest, estimated_tokens
from evalbook.domain.case import Case
from evalbook.judges.prompt import build_messages
from evalbook.judges.reply import RawReply, parse_reply
from evalbook.judges.reply_schema import response_format
from evalbook.judges.version import read_judge_parameters

OUTPUTS = recorded_outputs()
JUDGE = {"model": f"recorded-full::{RECORDED_MODEL}", "prompt_template": "{{output}}", "score_type": "binary"}


@pytest.fixture(scope="module")
def recorded():
    return RecordedReplies()


def asked(logical_id, output, *, rubric="full", **changes):
    parameters = read_judge_parameters({**JUDGE, **changes})
    system, user = build_messages(parameters, Case("c", output=output), boundary="0f" * 16)
    schema = response_format(parameters)["json_schema"]["schema"]
    return ChatRequest(logical_id, f"{RECORDED_MODEL}/{rubric}", system.content, user.content, schema), parameters


def test_every_recorded_answer_gets_a_usable_reply(recorded):
    verdicts = set()
    for number, output in enumerate(OUTPUTS):
        chat, parameters = asked(f"every-{number}", output)
        reply = parse_reply(RawReply(recorded.reply(chat).content, "stop"), parameters)
        verdicts.add(reply.verdict)

    assert (len(OUTPUTS), verdicts) == (171, {"pass", "fail"})


def test_three_requests_about_one_answer_get_three_runs_and_a_fourth_the_first_again(recorded):
    chats = [asked(f"runs-{number}", next(iter(OUTPUTS)))[0] for number in range(4)]

    contents = [recorded.reply(chat).content for chat in chats]

    assert contents[3] == contents[0]
    assert [recorded.reply(chat).content for chat in chats] == contents


def test_the_two_rubrics_are_two_models(recorded):
    output = next(iter(OUTPUTS))

    full, quick = (recorded.reply(asked(f"rubric-{r}", output, rubric=r)[0]).content for r in ("full", "quick"))

    assert full != quick


def test_a_summary_is_as_long_as_the_version_allows(recorded):
    chat, parameters = asked("short", next(iter(OUTPUTS)), reasoning_summary_max_chars=50)

    reply = parse_reply(RawReply(recorded.reply(chat).content, "stop"), parameters)

    assert len(reply.reasoning_summary) == 50


def test_a_scored_judge_gets_the_end_of_the_scale(recorded):
    scale = {"score_type": "continuous", "minimum": Decimal("0.5"), "maximum": 7}
    chat, parameters = asked("scored", next(iter(OUTPUTS)), **scale)

    reply = parse_reply(RawReply(recorded.reply(chat).content, "stop"), parameters)

    assert reply.score in (Decimal("0.5"), 7)


def test_an_answer_that_was_never_judged_is_left_to_another_model(recorded):
    assert recorded.reply(asked("unknown", "never judged")[0]) is None


def test_another_model_is_left_alone(recorded):
    assert recorded.reply(asked("other", next(iter(OUTPUTS)), rubric="other")[0]) is None


def test_tokens_are_estimated_from_bytes_and_rounded_up():
    assert [estimated_tokens("abcd"), estimated_tokens("abcd", "e", None), estimated_tokens("\u00e9" * 4)] == [1, 2, 2]
