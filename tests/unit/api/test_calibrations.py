"""Calibrations over HTTP: what is taken, what is refused, and who sees what of them."""

import json
from dataclasses import replace
from hashlib import sha256

import jsonschema
import pytest

from evalbook.api.declarations import api_document
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.domain.records import Project
from evalbook.services.calibration.ports import CalibrationStatus
from tests.fakes.http_api import EveryModel, HttpApi, Token
from tests.fakes.registry import registry_house

JUDGE = {"model": "bookbag::judge", "prompt_template": "{{output}}", "score_type": "binary"}
SCORED = {**JUDGE, "score_type": "ordinal", "minimum": 1, "maximum": 5}
CATEGORICAL = {**JUDGE, "score_type": "categorical", "categories": ["a", "b"], "pass_categories": ["a"]}
UNSEEING = Token(scope="scorer.read calibration.run")
SUPPORT = Project("acme", "support")


@pytest.fixture
def api(client):
    return HttpApi(registry_house(client, EveryModel()))


@pytest.fixture
def judge(api):
    return add_judge(api, JUDGE)


def add_judge(api, parameters, name="judge"):
    api("POST", "/scorers", {"name": name})
    made = api("POST", f"/scorers/{name}/versions", {"implementation": "judge", "parameters": parameters})
    assert made.status == 201
    return made.json


def entry(case_id="a", human="pass", **more):
    return {"case": {"case_id": case_id, "output": "secret-canary"}, "human": human, **more}


def body(*entries, **more):
    asked = {"scorer": {"name": "judge", "version": 1}, "cases": list(entries), "split": "test", "budget_limit": 1_000}
    return {name: each for name, each in {**asked, **more}.items() if each is not None}


def start(api, *entries, token=None, **more):
    return api("POST", "/calibrations", body(*entries, **more), **({"token": token} if token else {}))


def pointers(answer):
    assert (answer.status, answer.code) == (422, "REQUEST_INVALID")
    assert "canary" not in answer.text
    return [each["pointer"] for each in answer.json["problems"]]


def end(api, calibration_id, report=None, rows=None):
    """Let a calibration be finished."""
    here = api.calibrations
    record = here.store.calibration(SUPPORT, calibration_id)
    held = None if rows is None else here.row_bodies.put(calibration_id, json.dumps(rows).encode())
    text = json.dumps(report or {"kind": "binary"})
    assert here.store.end(replace(record, status=CalibrationStatus.FINISHED, report=text, rows=held))


def test_a_calibration_is_accepted_and_can_be_looked_at(api, judge):
    accepted = start(api, entry("a"), entry("b", "fail"))

    found = api("GET", accepted.headers["Location"])
    assert (accepted.status, found.status, found.json["status"]) == (202, 200, "running")
    assert accepted.json == {name: each for name, each in found.json.items() if name != "rows"}
    assert (found.json["material_digest"], found.json["digest"]) == (judge["material_digest"], judge["digest"])
    assert found.json["progress"] == {"cases": 2, "done": 0, "errors": 0, "spent_micro_dollars": 0}


def test_an_accepted_calibration_waits_to_be_worked_on(api, judge):
    accepted = start(api, entry())

    assert [each.calibration_id for each in api.calibrations.queue.visits] == [accepted.json["calibration_id"]]


def test_a_calibration_opens_a_budget_of_its_own(api, judge):
    accepted = start(api, entry(), budget_limit=777).json

    opened = api.calibrations.money.budget(BudgetKey("acme", "support", accepted["budget_id"]))
    assert (opened.limit, opened.purpose) == (777, "calibration")


def test_a_budget_above_the_cap_is_refused(api, judge):
    assert pointers(start(api, entry(), budget_limit=10**9 + 1)) == ["/budget_limit"]


def test_a_budget_that_the_project_has_can_pay(api, judge):
    api.calibrations.ledger.create_budget(Budget.opened(BudgetKey("acme", "support", "mine"), 5, "any", 10**15))

    assert start(api, entry(), budget_limit=None, budget_id="mine").json["budget_id"] == "mine"


@pytest.mark.parametrize(("project", "code"), [("sales", "BUDGET_NOT_FOUND"), ("support", "BUDGET_CLOSED")])
def test_another_projects_budget_and_a_closed_one_do_not_pay(api, judge, project, code):
    key = BudgetKey("acme", project, "mine")
    api.calibrations.ledger.create_budget(Budget.opened(key, 5, "any", 10**15))
    api.calibrations.ledger.close_budget(key)

    assert start(api, entry(), budget_limit=None, budget_id="mine").code == code


@pytest.mark.parametrize(
    "more",
    [
        {"budget_limit": None},
        {"budget_id": "b"},
        {"cases": None},
        {"cases_ref": {"key": "k", "sha256": "0" * 64, "count": 1}},
    ],
)
def test_cases_and_what_pays_are_named_exactly_once(api, judge, more):
    assert pointers(start(api, entry(), **more)) == [""]


@pytest.mark.parametrize("count", [0, 501])
def test_a_calibration_has_1_to_500_cases(api, judge, count):
    assert pointers(start(api, *(entry(str(number)) for number in range(count)))) == ["/cases"]


def test_five_hundred_cases_are_taken(api, judge):
    assert start(api, *(entry(str(number)) for number in range(500))).status == 202


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        (entry(human=None), "/cases/0/human"),
        (entry(human="Pass"), "/cases/0/human"),
        (entry(human="error"), "/cases/0/human"),
        (entry(human=1), "/cases/0/human"),
        (entry(human=[]), "/cases/0/human"),
        (entry(human=["pass"]), "/cases/0/human/0"),
        (entry(human=[{"labeller": "ann", "label": "pass"}] * 2), "/cases/0/human/1"),
        (entry(human=[{"labeller": "", "label": "pass"}]), "/cases/0/human/0"),
        (entry(human=[{"labeller": "ann", "label": None}]), "/cases/0/human/0"),
        (entry(human=[{"labeller": str(each), "label": "pass"} for each in range(21)]), "/cases/0/human"),
        (entry(adjudicated="secret-canary"), "/cases/0/human"),
        (entry(adjudicated=["pass"]), "/cases/0/adjudicated"),
        (entry(**{"secret-canary": 1}), "/cases/0"),
        (entry(case_id=""), "/cases/0/case"),
        ({"case": "secret-canary", "human": "pass"}, "/cases/0/case"),
        ("secret-canary", "/cases/0"),
    ],
)
def test_a_labelled_case_that_cannot_be_used_is_named_and_not_quoted(api, judge, wrong, pointer):
    assert pointers(start(api, wrong)) == [pointer]


def test_a_case_id_that_is_repeated_is_named(api, judge):
    assert pointers(start(api, entry("a"), entry("b"), entry("a"))) == ["/cases/2/case/case_id"]


def test_every_case_that_cannot_be_used_is_named(api, judge):
    assert pointers(start(api, entry("a", "x"), entry("b"), entry("c", "y"))) == ["/cases/0/human", "/cases/2/human"]


@pytest.mark.parametrize(("human", "status"), [(5, 202), (1, 202), (6, 422), (0, 422), ("good", 422)])
def test_scores_lie_in_the_judges_range(api, human, status):
    add_judge(api, SCORED)

    assert start(api, entry(human=human)).status == status


@pytest.mark.parametrize(("parameters", "status"), [(SCORED, 422), ({**SCORED, "pass_threshold": 3}, 202)])
def test_pass_and_fail_are_labels_for_a_scored_judge_that_has_a_threshold(api, parameters, status):
    add_judge(api, parameters)

    assert start(api, entry("a"), entry("b", "fail")).status == status


@pytest.mark.parametrize(
    ("humans", "status"), [(["a", "b"], 202), (["pass", "fail"], 202), (["a", "pass"], 422), (["c"], 422)]
)
def test_labels_for_a_categorical_judge_are_its_categories_or_verdicts(api, humans, status):
    add_judge(api, CATEGORICAL)

    assert start(api, *(entry(str(at), human) for at, human in enumerate(humans))).status == status


def test_the_label_set_digest_depends_on_labels_and_on_no_order(api, judge):
    def digest(*entries):
        return start(api, *entries).json["label_set_digest"]

    humans = [{"labeller": "ann", "label": "pass"}, {"labeller": "bob", "label": "fail"}]
    one = digest(entry("a", humans), entry("b"))

    assert digest(entry("b"), entry("a", humans[::-1])) == one
    assert (
        len(
            {
                one,
                digest(entry("a", humans), entry("b", "fail")),
                digest(entry("a", humans, adjudicated="pass"), entry("b")),
            }
        )
        == 3
    )


def referred(api, *entries, **changes):
    text = json.dumps(entries).encode()
    api.calibrations.referred.objects["labelled"] = text
    ref = {"key": "labelled", "sha256": sha256(text).hexdigest(), "count": len(entries)}
    return start(api, cases=None, cases_ref={**ref, **changes})


def test_cases_can_be_referred_to(api, judge):
    inline = start(api, entry("a"), entry("b", "fail"))

    by_reference = referred(api, entry("a"), entry("b", "fail"))

    assert by_reference.status == 202
    assert by_reference.json["label_set_digest"] == inline.json["label_set_digest"]


def test_every_reference_that_leads_nowhere_is_refused_in_the_same_words(api, judge):
    answers = [referred(api, entry(), key="other"), referred(api, entry(), sha256="0" * 64)]

    assert [pointers(each) for each in answers] == [["/cases_ref"]] * 2
    assert answers[0].text == answers[1].text


def test_a_reference_counts_what_it_leads_to(api, judge):
    assert pointers(referred(api, entry(), count=2)) == ["/cases_ref"]


def test_referred_cases_are_read_as_strictly(api, judge):
    assert pointers(referred(api, entry("a", "secret-canary"))) == ["/cases/0/human"]


def test_what_is_referred_to_is_strict_json(api, judge):
    text = b'[{"case": {"case_id": "a", "case_id": "b"}, "human": "pass"}]'
    api.calibrations.referred.objects["labelled"] = text

    refused = start(api, cases=None, cases_ref={"key": "labelled", "sha256": sha256(text).hexdigest(), "count": 1})

    assert pointers(refused) == ["/cases_ref"]


@pytest.mark.parametrize(
    ("scorer", "code"),
    [
        ({"name": "none", "version": 1}, "SCORER_NOT_FOUND"),
        ({"name": "judge", "version": 2}, "VERSION_NOT_FOUND"),
        ({"name": "plain", "version": 1}, "ONLY_FOR_JUDGES"),
    ],
)
def test_only_a_stored_judge_version_is_calibrated(api, judge, scorer, code):
    api("POST", "/scorers", {"name": "plain"})
    api("POST", "/scorers/plain/versions", {"implementation": "exact_match"})

    assert start(api, entry(), scorer=scorer).code == code


def test_the_same_request_sent_twice_with_one_key_is_one_calibration(api, judge):
    first, again = (api("POST", "/calibrations", body(entry()), headers={"Idempotency-Key": "k"}) for _ in range(2))

    assert first.json == again.json
    assert len(api("GET", "/scorers/judge/calibrations").json["items"]) == 1


def test_a_finished_calibration_shows_its_report(api, judge):
    accepted = start(api, entry())
    end(api, accepted.json["calibration_id"], {"kind": "binary", "tpr": None})

    found = api("GET", accepted.headers["Location"]).json

    assert (found["status"], found["report"]) == ("finished", {"kind": "binary", "tpr": None})


def test_rows_are_for_those_who_may_see_bodies(api, judge):
    accepted = start(api, entry())
    end(api, accepted.json["calibration_id"], rows=[{"case_id": "a"}])

    seen, unseen = (api("GET", accepted.headers["Location"], **more).json for more in ({}, {"token": UNSEEING}))

    assert (seen["rows"], "rows" in unseen) == ([{"case_id": "a"}], False)
    assert unseen["report"] == seen["report"]


def test_another_project_and_another_organization_see_nothing(api, judge):
    accepted = start(api, entry())

    for token in (Token(projects="sales"), Token(org="bolt")):
        assert api("GET", accepted.headers["Location"], token=token).code == "CALIBRATION_NOT_FOUND"
        assert api("GET", "/scorers/judge/calibrations", token=token).code == "SCORER_NOT_FOUND"
        assert start(api, entry(), token=token).code == "SCORER_NOT_FOUND"


def test_another_projects_scorer_of_the_same_name_has_calibrations_of_its_own(api, judge):
    start(api, entry())
    api("POST", "/scorers", {"name": "judge"}, token=Token(projects="sales"))

    assert api("GET", "/scorers/judge/calibrations", token=Token(projects="sales")).json["items"] == []


def test_calibrations_are_listed_newest_first_page_by_page(api, judge):
    made = [start(api, entry()).json["calibration_id"] for _ in range(3)]

    first = api("GET", "/scorers/judge/calibrations", query={"limit": "2"}).json
    second = api("GET", "/scorers/judge/calibrations", query={"limit": "2", "cursor": first["next_cursor"]}).json

    assert [each["calibration_id"] for each in first["items"] + second["items"]] == made[::-1]
    assert second["next_cursor"] is None
    assert all("report" not in each and "rows" not in each for each in first["items"])


def test_a_calibration_turns_stale_when_a_judge_of_other_material_becomes_active(api, judge):
    accepted = start(api, entry())
    before = api("GET", accepted.headers["Location"]).json
    changed = {
        "implementation": "judge",
        "parameters": {**JUDGE, "prompt_template": "Is it? {{output}}", "repeat_count": 3},
    }
    api("POST", "/scorers/judge/versions", changed)
    activate(api, 2)

    after = api("GET", accepted.headers["Location"]).json

    assert (before["stale"], after["stale"], after["changed_fields"]) == (False, True, ["prompt_template"])
    [change] = after["staleness"]["changes"]
    assert (change["old"], change["new"]) == ("{{output}}", "Is it? {{output}}")
    assert "-{{output}}" in change["diff"]
    assert [each["field"] for each in after["staleness"]["conditions_changed"]] == ["repeat_count"]


def activate(api, number):
    """Make a judge version active, as the governed action does."""
    store = api.house.scorers.store
    tested = store.version(SUPPORT.scorer("judge"), number)
    assert store.activate(tested, tested.created)


def test_a_store_that_does_not_answer_leaves_nothing_running(api, judge):
    api.calibrations.held.down = True

    answer = start(api, entry())

    assert (answer.status, api("GET", "/scorers/judge/calibrations").json["items"]) == (503, [])


def test_every_answer_about_a_calibration_is_one_that_the_document_describes(api, judge):
    document = json.loads(api_document())
    accepted = start(api, entry())
    end(api, accepted.json["calibration_id"], rows=[{"case_id": "a"}])
    answers = {
        ("/calibrations", "post"): accepted,
        ("/calibrations/{calibration}", "get"): api("GET", accepted.headers["Location"]),
        ("/scorers/{scorer}/calibrations", "get"): api("GET", "/scorers/judge/calibrations"),
    }

    for (path, method), answer in answers.items():
        described = document["paths"][path][method]["responses"][str(answer.status)]["content"]
        schema = described["application/json"]["schema"]
        jsonschema.validate(answer.json, {**schema, "components": document["components"]})
