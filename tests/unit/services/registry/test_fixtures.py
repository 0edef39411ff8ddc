from decimal import Decimal

import pytest

from evalbook.domain.errors import Problem, Refused
from evalbook.domain.outcome import Code, Outcome
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.services.registry.fixtures import Fixture
from evalbook.services.registry.version_check import NewVersion
from tests.fakes.registry import PROJECT


def case(case_id="a", output="x", **more):
    return {"case_id": case_id, "output": output, "expected": "x", **more}


def declined(call, *arguments):
    with pytest.raises(Declined) as caught:
        call(*arguments)
    return caught.value.reason


@pytest.fixture
def version(house):
    house.scorers.create(PROJECT, "s", "", "ann")
    return house.scorers.add_version(PROJECT, "s", NewVersion("exact_match", {}), "ann")


def give(house, *fixtures):
    return house.fixtures.replace(PROJECT, "s", 1, list(fixtures))


def verdicts(house, *fixtures):
    give(house, *fixtures)
    return [verdict.agrees for verdict in house.fixtures.run(PROJECT, "s", 1).verdicts]


def test_fixtures_come_back_as_they_were_given(house, version):
    give(house, Fixture(case(input=Decimal("1.50")), Outcome.PASS, score=Decimal("1.0")))

    _, fixtures = house.fixtures.get(PROJECT, "s", 1)

    assert fixtures == [{"case": case(input=Decimal("1.50")), "outcome": "pass", "score": Decimal("1.0")}]


def test_a_version_without_fixtures_has_none(house, version):
    assert house.fixtures.get(PROJECT, "s", 1)[1] == []


def test_fixtures_replace_those_before(house, version):
    give(house, Fixture(case("a"), Outcome.PASS), Fixture(case("b"), Outcome.PASS))

    replaced = give(house, Fixture(case("c"), Outcome.PASS))

    assert [each["case"]["case_id"] for each in house.fixtures.get(PROJECT, "s", 1)[1]] == ["c"]
    assert replaced.fixtures.count == 1


def test_many_large_fixtures_are_kept_whole(house, version):
    large = [Fixture(case(str(number), "y" * 50_000), Outcome.FAIL) for number in range(20)]

    give(house, *large)

    assert [each["case"] for each in house.fixtures.get(PROJECT, "s", 1)[1]] == [each.case for each in large]


def test_a_fixture_agrees_when_the_outcome_is_the_one_it_names(house, version):
    assert verdicts(house, Fixture(case(), Outcome.PASS), Fixture(case("b", "y"), Outcome.PASS)) == [True, False]


def test_a_code_counts_where_it_is_given(house, version):
    nothing = {"case_id": "a", "expected": "x"}
    right = Fixture(nothing, Outcome.UNSUPPORTED, Code.OUTPUT_UNAVAILABLE)
    wrong = Fixture({**nothing, "case_id": "b"}, Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE)

    assert verdicts(house, right, wrong) == [True, False]


def test_a_score_counts_where_it_is_given(house, version):
    right = Fixture(case("a"), Outcome.PASS, score=Decimal(1))
    wrong = Fixture(case("b"), Outcome.PASS, score=Decimal("0.999"))

    assert verdicts(house, right, wrong) == [True, False]


def test_a_score_where_there_is_none_disagrees(house, version):
    assert verdicts(house, Fixture({"case_id": "a"}, Outcome.ERROR, score=Decimal(0))) == [False]


def test_a_report_shows_what_was_expected_and_what_came(house, version):
    give(house, Fixture(case(output="y"), Outcome.PASS))

    [verdict] = house.fixtures.run(PROJECT, "s", 1).verdicts

    assert (verdict.case_id, verdict.expected) == ("a", {"outcome": "pass"})
    assert (verdict.actual["outcome"], verdict.actual["score"]) == ("fail", 0)


def test_what_there_was_no_time_for_is_neither_agreement_nor_disagreement(house, version):
    give(house, Fixture(case("a"), Outcome.PASS), Fixture(case("b"), Outcome.PASS))
    house.worker.room = 1

    report = house.fixtures.run(PROJECT, "s", 1)

    assert [report.count(agrees=each) for each in (True, False, None)] == [1, 0, 1]


def test_fixtures_that_are_not_there_cannot_be_run(house, version):
    assert declined(house.fixtures.run, PROJECT, "s", 1) is DeclineReason.FIXTURES_MISSING


def test_cases_that_cannot_be_read_are_all_named(house, version):
    with pytest.raises(Refused) as caught:
        give(house, Fixture("no case", Outcome.PASS), Fixture(case(), Outcome.PASS), Fixture({}, Outcome.PASS))

    assert [problem.pointer for problem in caught.value.problems] == ["/fixtures/0/case", "/fixtures/2/case"]


def test_two_fixtures_have_no_case_id_in_common(house, version):
    with pytest.raises(Refused) as caught:
        give(house, Fixture(case(), Outcome.PASS), Fixture(case(), Outcome.PASS))

    assert caught.value.problems == (
        Problem("/fixtures/1/case/case_id", "repeats the case_id of an earlier fixture"),
    )  # fmt: skip


def test_fixtures_of_an_activated_version_are_frozen(house, version):
    give(house, Fixture(case(), Outcome.PASS))
    house.activations.activate(PROJECT, "s", 1, "ann")

    assert declined(give, house, Fixture(case("b"), Outcome.PASS)) is DeclineReason.FIXTURES_FROZEN
    assert [each["case"]["case_id"] for each in house.fixtures.get(PROJECT, "s", 1)[1]] == ["a"]
