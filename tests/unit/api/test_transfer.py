"""`evalbook export` and `evalbook import`, over the API itself."""

import io
import json
from collections import Counter
from contextlib import contextmanager

import httpx
import pytest

from evalbook.adapters.http import registry_client
from evalbook.adapters.http.registry_client import HttpRegistry
from evalbook.cli import main
from evalbook.domain.errors import Refused
from evalbook.jsonio.reader import read_json
from evalbook.services.registry.exporting import export_registry
from evalbook.services.registry.importing import ImportChange, import_registry, read_document
from evalbook.services.registry.transfer_port import ApiRefused
from tests.fakes.governed import JUDGE, Governed
from tests.fakes.http_api import HttpApi, Token, event
from tests.fakes.registry import registry_house

GOOD = {"case": {"case_id": "a", "output": "x", "expected": "x"}, "outcome": "pass", "score": 1.0}
RUBRIC = {"instructions": "Look.", "criteria": [{"key": "k", "title": "K"}]}


def transport(api, token=Token()):  # noqa: B008  (never changed)
    """Carries requests of the client into the API."""

    def carry(request):
        text = request.content.decode() or None
        query = dict(request.url.params)
        sent = event(request.method, request.url.path, text, token.claims(), headers=dict(request.headers), query=query)
        answer = api.send(sent)
        return httpx.Response(answer["statusCode"], headers=answer["headers"], text=answer["body"])

    return httpx.MockTransport(carry)


@contextmanager
def connected(api):
    with HttpRegistry("http://api", "token", "support", transport(api)) as registry:
        yield registry


def exported(api):
    with connected(api) as registry:
        return export_registry(registry)


def imported(api, document, *, activate=False):
    with connected(api) as registry:
        return list(import_registry(registry, read_document(document), activate=activate))


@pytest.fixture
def other(client):
    """A deployment with nothing in it."""
    return HttpApi(registry_house(client))


@pytest.fixture
def filled(api):
    """A project with a rubric, a scorer of three versions, two of them alike, and fixtures."""
    api("POST", "/rubrics", {"name": "r", "description": "tone"})
    for _ in range(2):
        api("POST", "/rubrics/r/versions", RUBRIC)
    api("POST", "/scorers", {"name": "s", "description": "what for"})
    api("POST", "/scorers/s/versions", {"implementation": "exact_match"})
    api("POST", "/scorers/s/versions", raw='{"implementation": "edit_similarity", "parameters": {"threshold": 0.90}}')
    api("POST", "/scorers/s/versions", {"implementation": "exact_match"})
    api("PUT", "/scorers/s/versions/1/fixtures", {"fixtures": [GOOD]})
    api("POST", "/scorers/s/versions/1/activation")
    return api


def test_a_document_holds_what_authors_wrote(filled):
    document = exported(filled)

    [scorer] = document["scorers"]
    assert (scorer["name"], scorer["description"], scorer["active_version"]) == ("s", "what for", 1)
    assert [each["implementation"] for each in scorer["versions"]] == ["exact_match", "edit_similarity", "exact_match"]
    assert scorer["versions"][0]["fixtures"] == [GOOD]
    assert [rubric["name"] for rubric in document["rubrics"]] == ["r"]


def test_an_imported_document_makes_the_same_registry(filled, other):
    document = exported(filled)

    imported(other, document, activate=True)

    assert exported(other) == document
    digests = [api("GET", "/scorers/s/versions/2").json["digest"] for api in (filled, other)]
    assert digests[0] == digests[1]


def test_importing_twice_changes_nothing(filled, other):
    document = exported(filled)
    first = imported(other, document, activate=True)

    assert Counter(each.action for each in first) == {"created": 7, "replaced": 1, "activated": 1}
    assert imported(other, document, activate=True) == []
    assert imported(filled, document, activate=True) == []


JUDGES = [
    {"implementation": "judge", "parameters": JUDGE},
    {"implementation": "judge", "parameters": JUDGE, "time_limit_ms": 120_000},
    {"implementation": "judge", "parameters": JUDGE, "time_limit_ms": 45_000},
    {"implementation": "judge", "parameters": {**JUDGE, "time_limit_ms": 30_000}},
    {"implementation": "judge", "parameters": {**JUDGE, "time_limit_ms": 120_000}},
    {"implementation": "judge", "parameters": {**JUDGE, "temperature": 0.50}},
]


def digests(api, scorer):
    return [each["digest"] for each in api("GET", f"/scorers/{scorer}/versions").json["items"]]


@pytest.fixture
def judged(governed):
    """A project with judges whose time limits are written in every way that there is, one of them with a rubric."""
    api = HttpApi(governed.house)
    api("POST", "/rubrics", {"name": "r"})
    rubric = api("POST", "/rubrics/r/versions", RUBRIC).json
    named = {"name": "r", "version": 1, "digest": rubric["digest"]}
    api("POST", "/scorers", {"name": "j"})
    with_rubric = {**JUDGE, "prompt_template": "{{output}} {{rubric}}", "rubric": named}
    for body in [*JUDGES, {"implementation": "judge", "parameters": with_rubric}]:
        assert api("POST", "/scorers/j/versions", body).status == 201
    return api


def test_judges_keep_their_digests_in_another_project(judged, client):
    other = HttpApi(Governed(client).house)

    imported(other, exported(judged))

    assert digests(other, "j") == digests(judged, "j")
    assert exported(other) == exported(judged)


def test_judges_are_made_once_however_often_they_are_imported(judged, client):
    other = HttpApi(Governed(client).house)
    document = exported(judged)
    imported(other, document)

    assert imported(other, document) == []
    assert imported(judged, document) == []


@pytest.mark.parametrize("limit", [None, 9_000, 5_000])
@pytest.mark.parametrize("implementation", ["judge", "exact_match"])
def test_a_document_that_was_written_by_hand_is_imported_once(governed, implementation, limit):
    version = {"implementation": implementation, "parameters": JUDGE if implementation == "judge" else {}}
    scorer = {"name": "n", "versions": [{**version, "time_limit_ms": limit}]}
    document, api = {"format": "evalbook/1", "rubrics": [], "scorers": [scorer]}, HttpApi(governed.house)
    imported(api, document)

    assert imported(api, document) == []


def test_an_import_activates_no_judge_and_says_so(governed, client):
    governed.activated(1)
    document, other = exported(HttpApi(governed.house)), Governed(client)

    changes = imported(HttpApi(other.house), document, activate=True)

    [kept] = [each.what for each in changes if each.action == "kept"]
    assert kept == "scorer tone version 1 not active: judges are activated by an action that somebody else approves"
    assert other.active is None


def test_nothing_is_activated_unless_it_is_asked_for(filled, other):
    imported(other, exported(filled))

    assert other("GET", "/scorers/s").json["active_version"] is None


def test_a_version_edited_in_the_document_becomes_a_new_version(filled):
    document = exported(filled)
    document["scorers"][0]["versions"][1]["parameters"] = {"threshold": 1}

    changes = imported(filled, document)

    assert changes == [ImportChange("created", "scorer s version 4")]


def test_frozen_fixtures_are_kept(filled):
    document = exported(filled)
    document["scorers"][0]["versions"][0]["fixtures"][0]["outcome"] = "fail"

    changes = imported(filled, document)

    assert changes == [ImportChange("kept", "fixtures of scorer s version 1: they are frozen")]
    assert filled("GET", "/scorers/s/versions/1/fixtures").json["fixtures"] == [GOOD]


def test_lists_longer_than_a_page_are_exported_whole(filled, monkeypatch):
    monkeypatch.setattr(registry_client, "_PAGE", 2)

    assert len(exported(filled)["scorers"][0]["versions"]) == 3


def test_what_the_api_refuses_is_said_with_every_problem(other):
    version = {"implementation": "edit_similarity", "parameters": {"x": 1}, "time_limit_ms": 1}
    document = {"format": "evalbook/1", "rubrics": [], "scorers": [{"name": "s", "versions": [version]}]}

    with pytest.raises(ApiRefused) as caught:
        imported(other, document)

    assert str(caught.value).splitlines() == [
        "POST /scorers/s/versions: 422 PARAMETERS_REFUSED These parameters cannot be a version's.",
        "  /parameters/threshold: is required",
        "  /parameters/x: is not a parameter of this implementation",
    ]


def test_a_document_that_is_none_is_refused_with_every_problem():
    with pytest.raises(Refused) as caught:
        read_document({"format": "evalbook/2", "scorers": [{}], "more": 1})

    assert [each.pointer for each in caught.value.problems] == [
        "/format", "/more", "/rubrics", "/scorers/0/name", "/scorers/0/versions"
    ]  # fmt: skip


@pytest.mark.parametrize("answer", [httpx.Response(502, text="<html>"), httpx.Response(500, json=["x"])])
def test_an_answer_that_is_no_problem_is_said_by_its_status(answer):
    with (
        HttpRegistry("http://api", "t", None, httpx.MockTransport(lambda _: answer)) as registry,
        pytest.raises(ApiRefused, match=rf"^GET /x: {answer.status_code}"),
    ):
        registry.get("/x")


def test_no_answer_is_said_without_more():
    def fail(_):
        raise httpx.ConnectError("secret")

    with (
        HttpRegistry("http://api", "t", None, httpx.MockTransport(fail)) as registry,
        pytest.raises(ApiRefused, match=r"^GET /x: no answer \(ConnectError\)$"),
    ):
        registry.get("/x")


@pytest.fixture
def command(monkeypatch, capfdbinary):
    """Runs the command line against an API; its exit code and what it prints."""

    def run(api, *arguments):
        def connect(url, token, project):
            return HttpRegistry(url, token, project, transport(api))

        monkeypatch.setattr(registry_client, "HttpRegistry", connect)
        code = main.main([*arguments, "--url", "http://api", "--token", "t", "--project", "support"])
        return code, capfdbinary.readouterr()

    return run


def test_the_commands_move_a_project(filled, other, command, tmp_path):
    code, printed = command(filled, "export")
    (tmp_path / "project.json").write_bytes(printed.out)
    imported_code, changes = command(other, "import", str(tmp_path / "project.json"), "--activate")

    assert (code, imported_code) == (0, 0)
    assert read_json(printed.out, max_depth=110) == exported(other)
    assert json.loads(changes.out.splitlines()[0]) == {"action": "created", "what": "rubric r"}
    assert b'"threshold": 0.90' in printed.out


def test_a_document_can_come_from_the_standard_input(filled, other, command, monkeypatch):
    _, printed = command(filled, "export")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(printed.out)))

    code, _ = command(other, "import")

    assert code == 0
    assert other("GET", "/scorers/s").json["versions"] == 3


def test_a_refusal_ends_the_command(other, command, tmp_path):
    (tmp_path / "x.json").write_text('{"format": "evalbook/1", "rubrics": [], "scorers": [], "more": 1}')

    code, printed = command(other, "import", str(tmp_path / "x.json"))

    assert code == 2
    assert printed.err == b"evalbook: /more: is not known here: remove it, or correct its name\n"


def test_a_command_without_a_token_says_what_it_needs(monkeypatch):
    monkeypatch.delenv("EVALBOOK_TOKEN", raising=False)

    with pytest.raises(SystemExit, match="name the API and a token"):
        main.main(["export", "--url", "http://api"])
