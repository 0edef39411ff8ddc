"""Create, check, refuse, fix, activate: what an author does, through the API."""

import pytest

from tests.fakes.http_api import Token

GOOD = {"case": {"case_id": "a", "output": "x", "expected": "x"}, "outcome": "pass"}
BAD = {**GOOD, "outcome": "fail"}
FIXTURES = "/scorers/s/versions/1/fixtures"


@pytest.fixture
def version(api):
    api("POST", "/scorers", {"name": "s"})
    return api("POST", "/scorers/s/versions", {"implementation": "exact_match"}).json


def test_a_scorer_is_created(api):
    made = api("POST", "/scorers", {"name": "s", "description": "what for"})

    assert (made.status, made.headers["Location"]) == (201, "/scorers/s")
    assert made.json == api("GET", "/scorers/s").json
    assert made.json["created"]["by"] == "ann"


def test_a_version_is_created(api, version):
    assert (version["version"], version["state"], version["family"]) == (1, "draft", "text")
    assert api("GET", "/scorers/s/versions/1").json == version


def test_a_version_is_made_of_the_parameters_as_they_are_written(api, version):
    sent = '{"implementation": "edit_similarity", "parameters": {"threshold": 0.90}}'

    made = api("POST", "/scorers/s/versions", raw=sent)

    assert '"parameters":{"threshold":0.90}' in made.text
    assert made.headers["Location"] == "/scorers/s/versions/2"


def test_refused_parameters_are_all_named(api, version):
    refused = api(
        "POST", "/scorers/s/versions", {"implementation": "edit_similarity", "parameters": {"threshold": 2, "x": 1}}
    )

    assert (refused.status, refused.code) == (422, "PARAMETERS_REFUSED")
    assert [each["pointer"] for each in refused.json["problems"]] == ["/parameters/threshold", "/parameters/x"]


def test_a_slow_pattern_is_accepted_with_a_warning_that_stays(api, version):
    made = api("POST", "/scorers/s/versions", {"implementation": "regex", "parameters": {"pattern": "[ab]+$"}})

    [warning] = made.json["warnings"]
    assert (made.status, warning["pointer"]) == (201, "/parameters/pattern")
    assert api("GET", "/scorers/s/versions/2").json["warnings"] == [warning]


def test_a_pattern_that_can_blow_up_is_refused(api, version):
    refused = api("POST", "/scorers/s/versions", {"implementation": "regex", "parameters": {"pattern": "(a|a)*$"}})

    assert [each["pointer"] for each in refused.json["problems"]] == ["/parameters/pattern"]


def test_fixtures_are_given_and_read(api, version):
    given = api("PUT", FIXTURES, {"fixtures": [GOOD]})

    assert given.status == 200
    assert given.json == api("GET", FIXTURES).json
    assert (given.json["fixtures"], given.json["frozen"]) == ([GOOD], False)


def test_a_report_says_which_fixtures_agree(api, version):
    api("PUT", FIXTURES, {"fixtures": [GOOD, {**BAD, "case": {**BAD["case"], "case_id": "b"}}]})

    report = api("POST", f"{FIXTURES}/run").json

    assert (report["agreeing"], report["disagreeing"], report["not_run"]) == (1, 1, 0)
    assert report["fixtures"][1]["actual"]["outcome"] == "pass"


def test_activation_is_refused_until_the_fixtures_agree(api, version):
    without = api("POST", "/scorers/s/versions/1/activation")
    api("PUT", FIXTURES, {"fixtures": [BAD]})
    disagreeing = api("POST", "/scorers/s/versions/1/activation")
    api("PUT", FIXTURES, {"fixtures": [GOOD]})
    agreeing = api("POST", "/scorers/s/versions/1/activation", token=Token(sub="bob"))

    assert (without.status, without.code) == (409, "FIXTURES_MISSING")
    assert (disagreeing.status, disagreeing.code) == (409, "FIXTURES_DISAGREE")
    assert (agreeing.status, agreeing.json["version"], agreeing.json["activated"]["by"]) == (200, 1, "bob")
    assert api("GET", "/scorers/s").json["active_version"] == 1
    assert api("GET", "/scorers/s/activations").json["items"] == [agreeing.json]


def test_fixtures_of_an_activated_version_are_frozen(api, version):
    api("PUT", FIXTURES, {"fixtures": [GOOD]})
    api("POST", "/scorers/s/versions/1/activation")

    assert api("PUT", FIXTURES, {"fixtures": [BAD]}).code == "FIXTURES_FROZEN"
    assert api("GET", FIXTURES).json["frozen"] is True


def test_a_list_is_read_page_by_page(api):
    for name in ("a", "b", "c"):
        api("POST", "/scorers", {"name": name})

    first = api("GET", "/scorers", query={"limit": "2"}).json
    second = api("GET", "/scorers", query={"limit": "2", "cursor": first["next_cursor"]}).json

    assert [each["name"] for each in first["items"] + second["items"]] == ["a", "b", "c"]
    assert second["next_cursor"] is None


def test_a_list_of_versions_is_read_page_by_page(api, version):
    for _ in range(2):
        api("POST", "/scorers/s/versions", {"implementation": "exact_match"})

    first = api("GET", "/scorers/s/versions", query={"limit": "2"}).json
    second = api("GET", "/scorers/s/versions", query={"cursor": first["next_cursor"]}).json

    assert [each["version"] for each in first["items"] + second["items"]] == [1, 2, 3]


def test_a_rubric_is_versioned(api):
    rubric = {"instructions": "Look.", "criteria": [{"key": "k", "title": "K", "levels": [{"score": 1, "label": "l"}]}]}
    api("POST", "/rubrics", {"name": "r"})

    made = api("POST", "/rubrics/r/versions", rubric)

    assert (made.status, made.headers["Location"]) == (201, "/rubrics/r/versions/1")
    assert made.json == api("GET", "/rubrics/r/versions/1").json == api("GET", "/rubrics/r/versions").json["items"][0]
    assert api("GET", "/rubrics").json["items"] == [api("GET", "/rubrics/r").json]


def test_a_rubric_with_problems_is_refused(api):
    api("POST", "/rubrics", {"name": "r"})

    refused = api("POST", "/rubrics/r/versions", {"instructions": 1, "criteria": []})

    assert [each["pointer"] for each in refused.json["problems"]] == ["/criteria", "/instructions"]


def test_a_judges_prompt_is_shown(api, version):
    judge = {"model": "a::b", "prompt_template": "Judge {{output}}", "score_type": "binary"}

    shown = api("POST", "/scorers/s/prompt-preview", {"parameters": judge, "case": {"case_id": "a", "output": "hello"}})

    assert [each["role"] for each in shown.json["messages"]] == ["system", "user"]
    assert shown.json["not_asked"] is None


def test_without_a_catalog_judge_versions_are_refused(api, version):
    judge = {"model": "a::b", "prompt_template": "Judge {{output}}", "score_type": "binary"}

    refused = api("POST", "/scorers/s/versions", {"implementation": "judge", "parameters": judge})

    assert [each["pointer"] for each in refused.json["problems"]] == ["/parameters/model"]


def test_implementations_are_listed_with_their_parameters(api):
    listed = {each["name"]: each for each in api("GET", "/implementations").json["items"]}

    assert {"exact_match", "judge"} <= listed.keys()
    assert listed["edit_similarity"]["needs"] == ["output", "expected"]
    assert listed["edit_similarity"]["parameters"]["required"] == ["threshold"]
