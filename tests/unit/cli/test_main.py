"""The command line: JSON Lines in, JSON Lines out, one answer a line in the order of the lines."""

import io
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import evalbook
from evalbook.cli.main import main
from evalbook.services.scoring import catalog

GOOD = {"implementation": "contains", "parameters": {"texts": ["yes"]}, "case": {"case_id": "a", "output": "yes"}}


@pytest.fixture
def run(capsysbinary, monkeypatch):
    """Return a function that runs a command in this process and gives its answers."""

    def run_command(*arguments, sent=b"", ends=0):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
        status = main(arguments)
        out, err = capsysbinary.readouterr()
        assert (status, err) == (ends, b"")
        return [json.loads(line) for line in out.splitlines()]

    return run_command


def lines_of(*lines):
    return b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)


def process(*arguments, **options):
    command = [sys.executable, "-m", "evalbook.cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(evalbook.__file__).parents[1])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, **options)


def test_implementations_are_listed_with_all_that_they_publish(run):
    listed = run("implementations")

    assert [entry["name"] for entry in listed] == list(catalog.families())
    contains = next(entry for entry in listed if entry["name"] == "contains")
    assert (contains["family"], contains["needs"]) == ("text", ["output"])
    assert contains["summary"] == catalog.find("contains").summary
    Draft202012Validator.check_schema(contains["parameters"])


def test_lines_are_answered_in_their_order_over_many_jobs(run):
    lines = [{"id": number, **GOOD} for number in range(450)]

    answers = run("score", sent=lines_of(*lines))

    assert [answer["id"] for answer in answers] == list(range(450))
    assert {answer["outcome"] for answer in answers} == {"pass"}


def test_a_bad_line_is_answered_in_its_place(run):
    bad = [
        b"canary",
        b'{"id":"nan","case":NaN,"implementation":"contains","parameters":{"texts":["a"]}}',
        b"\xff",
        b"[" * 999,
    ]

    answers = run(
        "score", sent=lines_of(GOOD, *bad, {"id": "r", **GOOD, "parameters": {}, "implementation": "x"}, GOOD), ends=2
    )

    assert [answer.get("outcome", "refused") for answer in answers] == ["pass", *["error"] * 4, "refused", "pass"]
    assert [answer["id"] for answer in answers] == [None, None, "nan", None, None, "r", None]
    assert "canary" not in json.dumps(answers)


def test_ids_of_any_type_come_back(run):
    ids = [None, True, 1, 1.5, "x", [1, {"a": None}], {"b": 1, "a": 2}]

    answers = run("score", sent=lines_of(*({"id": line_id, **GOOD} for line_id in ids)))

    assert [answer["id"] for answer in answers] == ids


def test_an_empty_input_has_no_answers(run):
    assert run("score") == []


def test_empty_lines_are_passed_over(run):
    assert len(run("score", sent=b"\n \r\n" + lines_of(GOOD) + b"\n" + lines_of(GOOD).strip())) == 2


def test_a_file_can_be_named(run, tmp_path):
    (tmp_path / "lines.jsonl").write_bytes(lines_of({"id": 1, **GOOD}))

    assert [answer["id"] for answer in run("score", str(tmp_path / "lines.jsonl"))] == [1]


def test_a_dash_names_the_standard_input(run):
    assert [answer["id"] for answer in run("score", "-", sent=lines_of({"id": 1, **GOOD}))] == [1]


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_an_input_that_cannot_be_read_ends_with_status_two(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    status = main(["score", name])

    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith(f"evalbook: cannot read {name}: ")


@pytest.mark.parametrize("arguments", [[], ["no-such-command"], ["score", "a", "b"]])
def test_a_command_that_is_none_ends_with_status_two(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
    assert "usage: evalbook" in capsys.readouterr().err


def test_a_line_that_takes_too_long_times_out_and_the_next_is_scored(run):
    # Seconds of work: the watching process needs a moment of its own on a busy machine before it can step in.
    case = {"case_id": "a", "output": "ab" * 200_000, "expected": "ba" * 199_999 + "cc"}
    parameters = {"threshold": 0, "max_input_chars": 400_000}
    slow = {"implementation": "edit_similarity", "parameters": parameters, "case": case, "time_limit_ms": 1}

    answers = run("score", sent=lines_of({"id": 1, **GOOD}, {"id": 2, **slow}, {"id": 3, **GOOD}))

    assert [(answer["id"], answer["outcome"], answer["code"]) for answer in answers] == [
        (1, "pass", None),
        (2, "timeout", "TIME_LIMIT"),
        (3, "pass", None),
    ]


def test_it_runs_as_a_program_of_its_own():
    with process("score", stdin=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        out, err = command.communicate(lines_of({"id": 1, **GOOD}))

    assert (json.loads(out)["outcome"], err, command.returncode) == ("pass", b"", 0)


def test_it_ends_quietly_when_its_reader_is_gone(tmp_path):
    (tmp_path / "lines.jsonl").write_bytes(lines_of(*({"id": "x" * 200, **GOOD} for _ in range(3_000))))

    with process("score", str(tmp_path / "lines.jsonl"), stderr=subprocess.PIPE) as command:
        first = command.stdout.readline()
        command.stdout.close()
        err = command.stderr.read()

    assert json.loads(first)["outcome"] == "pass"
    assert (err, command.returncode) == (b"", 0)


def test_a_closed_output_is_no_failure(monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)

    with os.fdopen(writer, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        status = main(["implementations"])
        monkeypatch.undo()

    assert status == 0


JUDGED = {
    "judge": {"model": "a::b", "prompt_template": "{{output}}", "score_type": "binary"},
    "case": {"case_id": "a", "output": "Oslo"},
}


def test_prompts_are_shown_line_by_line_with_a_boundary_of_their_own(run):
    lines = [{"id": number, **JUDGED} for number in range(2)]

    first, second = run("prompt", sent=lines_of(*lines))

    assert (first["id"], second["id"]) == (0, 1)
    assert "Oslo" in first["messages"][1]["content"]
    assert first["messages"] != second["messages"]


@pytest.mark.parametrize("command", ["replay", "judge", "prompt"])
def test_an_id_or_a_line_that_cannot_be_read_is_null(run, command):
    unreadable = json.dumps({"id": 1, **JUDGED}).replace("1", "NaN", 1).encode()

    answers = run(command, sent=lines_of(unreadable, b"[]", {"id": 2, **JUDGED}), ends=2)

    assert [answer["id"] for answer in answers] == [None, None, 2]
    assert answers[1]["refused"] == [{"pointer": "", "message": "The line is no JSON object."}]
    assert answers[1]["line"] == 2


@pytest.mark.parametrize("command", ["replay", "prompt"])
def test_a_member_that_is_not_known_is_refused(run, command):
    [answer] = run(command, sent=lines_of({"id": 1, **JUDGED, "reply": []}), ends=2)

    assert (answer["id"], [problem["pointer"] for problem in answer["refused"]]) == (1, ["/reply"])


@pytest.mark.parametrize("command", ["score", "replay", "prompt", "calibrate", "spans"])
def test_a_byte_order_mark_is_passed_over(command, tmp_path, capsysbinary):
    lines = {
        "score": GOOD,
        "replay": {**JUDGED, "replies": []},
        "prompt": JUDGED,
        "calibrate": {"case_id": "a", "human": "pass", "outcome": "pass"},
        "spans": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hello"}],
    }
    (tmp_path / "in").write_bytes(b"\xef\xbb\xbf" + lines_of(lines[command]))
    arguments = ["--from", "openai_chat"] if command == "spans" else []

    status = main([command, str(tmp_path / "in"), *arguments])

    assert (status, b"refused" in capsysbinary.readouterr().out) == (0, False)


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])

    assert (caught.value.code, capsys.readouterr().out) == (0, f"evalbook {version('evalbook-scorers')}\n")


ANSWER = {
    "report": {"kind": "binary", "status": "sufficient", "n": 2, "n_decided": 2, "tpr": 1.0},
    "rows": [
        {"case_id": "case-a", "human": "pass", "judge": "fail", "agrees": False},
        {"case_id": "case-b", "human": "pass", "judge": "pass", "agrees": True},
    ],
}


def test_a_stored_calibration_becomes_a_page_with_its_disagreements(run, tmp_path):
    (tmp_path / "answer.json").write_text(json.dumps(ANSWER))

    [report] = run("calibrate", "--report", str(tmp_path / "answer.json"), "--html", str(tmp_path / "page.html"))

    page = (tmp_path / "page.html").read_text()
    assert report == ANSWER["report"]
    assert ("case-a" in page, "case-b" in page) == (True, False)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"report": null}', '{"report": {}, "rows": [1]}'])
def test_what_is_no_stored_calibration_is_refused(run, tmp_path, text):
    (tmp_path / "answer.json").write_text(text)

    [answer] = run("calibrate", "--report", str(tmp_path / "answer.json"), ends=2)

    assert list(answer) == ["refused"]
