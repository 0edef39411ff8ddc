"""Tests of `evalbook spans`: files, lines and folders of documents."""

import io
import json

import pytest

from evalbook.cli.main import main

CHAT = {
    "messages": [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "buy", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "bought"},
    ]
}
EVENTS = [
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "sell", "arguments": {}}},
    {"jsonrpc": "2.0", "id": 1, "result": {"content": []}},
]


class Stdin:
    def __init__(self, text):
        self.buffer = io.BytesIO(text)


@pytest.fixture
def spans(capsysbinary, monkeypatch):
    def run(text=b"", *arguments):
        monkeypatch.setattr("sys.stdin", Stdin(text))
        code = main(["spans", *map(str, arguments)])
        return code, [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]

    return run


def lines(*values):
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def names(answer):
    return [span["name"] for span in answer["spans"]]


def test_the_format_is_told_by_the_marks(spans):
    code, (answer,) = spans(lines(CHAT))

    assert (code, names(answer)) == (0, ["buy"])


def test_the_id_of_a_line_is_carried_through(spans):
    _, answers = spans(lines({"id": "a", "document": CHAT}, {**CHAT, "id": 7}, {"id": "b", "document": {"x": 1}}))

    assert [answer["id"] for answer in answers] == ["a", 7, "b"]
    assert "refused" in answers[2]


def test_a_line_may_name_the_format_of_its_document(spans):
    _, (answer,) = spans(lines({"id": "a", "format": "mcp", "document": CHAT}))

    assert "looks like openai_chat" in answer["refused"][0]["message"]


def test_an_unknown_member_of_a_line_is_refused_by_name(spans):
    _, (answer,) = spans(lines({"id": "a", "document": CHAT, "formt": "mcp"}))

    assert answer["refused"][0]["pointer"] == "/formt"


def test_a_line_that_is_no_json_keeps_its_id_and_the_lines_around_it(spans):
    _, answers = spans(lines(CHAT) + b'{"id": "a", "document": {"x": NaN}}\n{"id": \n' + lines(CHAT))

    assert [answer.get("id", "spans" in answer) for answer in answers] == [True, "a", False, True]


def test_a_document_may_be_written_over_many_lines(spans):
    _, (answer,) = spans(b"\xef\xbb\xbf" + json.dumps(CHAT, indent=2).encode())

    assert names(answer) == ["buy"]


def test_a_document_over_many_lines_that_is_cut_is_one_refusal(spans):
    _, (answer,) = spans(json.dumps(CHAT, indent=2).encode()[:90])

    assert "not strict JSON" in answer["refused"][0]["message"]


def test_a_file_of_items_is_one_document(spans):
    _, (answer,) = spans(lines(*EVENTS))

    assert (names(answer), answer["spans"][0]["executed"]) == (["sell"], True)


def test_a_file_of_items_with_a_broken_line_is_refused(spans):
    _, (answer,) = spans(lines(EVENTS[0]) + b'{"jsonrpc": \n')

    assert answer["refused"][0]["pointer"] == "/1"


def test_a_folder_is_read_file_by_file(spans, tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.json").write_text(json.dumps(CHAT, indent=1), "utf-8")
    (tmp_path / "b.jsonl").write_bytes(lines(CHAT, {"id": "mine", "document": CHAT}))
    (tmp_path / "notes.txt").write_text("x", "utf-8")

    _, answers = spans(b"", tmp_path)

    assert [(answer["id"], answer["file"]) for answer in answers] == [
        ("b.jsonl:1", "b.jsonl"),
        ("mine", "b.jsonl"),
        ("runs/a.json", "runs/a.json"),
    ]


def test_a_file_that_is_passed_over_is_named(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("x", "utf-8")

    assert main(["spans", str(tmp_path)]) == 0
    assert "notes.txt" in capsys.readouterr().err


def test_an_id_of_a_trace_is_refused_where_a_document_holds_one(spans):
    _, (answer,) = spans(lines(CHAT), "--trace", "t")

    assert "leave the trace's id out" in answer["refused"][0]["message"]


def test_one_session_of_a_transcript_can_be_taken(spans):
    def line(session, name):
        use = {"type": "tool_use", "id": name, "name": name, "input": {}}
        message = {"role": "assistant", "content": [use]}
        return {"type": "assistant", "uuid": name, "sessionId": session, "message": message}

    text = lines(line("s", "f"), line("t", "g"))

    assert "2 sessions" in spans(text)[1][0]["refused"][0]["message"]
    assert names(spans(text, "--trace", "t")[1][0]) == ["g"]


def test_an_unknown_format_ends_the_command_with_the_names(spans):
    with pytest.raises(SystemExit, match="openai_chat"):
        spans(b"", "--from", "nothing")


def test_a_missing_file_is_named(capsys):
    assert main(["spans", "no/such/file"]) == 2
    assert "no/such/file" in capsys.readouterr().err


def test_nothing_gives_nothing(spans):
    assert spans(b"\n\n") == (0, [])
