"""`evalbook compare`: two runs, case by case."""

import json

import pytest

from evalbook.cli.main import main


def line(case_id, outcome, code=None, scorer="s"):
    return {"case_id": case_id, "scorer": scorer, "outcome": outcome, "code": code}


OLD = [
    line("a", "pass"),
    line("b", "fail"),
    line("c", "pass"),
    line("d", "error", "X"),
    line("e", "pass"),
    line("g", "pass"),
]
NEW = [
    line("a", "fail"),
    line("b", "pass"),
    line("c", "timeout", "T"),
    line("d", "pass"),
    line("f", "pass"),
    line("g", "pass"),
]


@pytest.fixture
def run(tmp_path, capsys):
    def compare(*arguments, old=OLD, new=NEW):
        for name, lines in (("old", old), ("new", new)):
            (tmp_path / name).write_text("".join(json.dumps(each) + "\n" for each in lines))
        status = main(["compare", str(tmp_path / "old"), str(tmp_path / "new"), *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return compare


def test_changes_are_sorted_by_what_they_mean(run):
    _, out, _ = run("--json")

    found = json.loads(out)
    names = ("better", "worse", "newly_undecided", "newly_decided", "missing", "added")
    assert {name: [change["case_id"] for change in found[name]] for name in names} == {
        "better": ["b"],
        "worse": ["a"],
        "newly_undecided": ["c"],
        "newly_decided": ["d"],
        "missing": ["e"],
        "added": ["f"],
    }


def test_rates_and_test_are_over_the_cases_that_both_decided(run):
    found = json.loads(run("--json")[1])

    assert (found["decided_in_both"], found["pass_before"], found["pass_after"]) == (3, 2, 2)
    assert (found["difference"], found["mcnemar_exact_p"]) == (0.0, 1.0)


def test_a_regression_ends_with_one_where_asked(run):
    assert run()[0] == 0
    assert run("--fail-on", "regression")[0] == 1
    assert run("--fail-on", "regression", old=NEW, new=NEW)[0] == 0


@pytest.mark.parametrize("lost", [[], [line("a", "error", "E")]])
def test_a_case_that_is_missing_or_no_longer_decided_is_a_regression(run, lost):
    assert run("--fail-on", "regression", old=[line("a", "pass")], new=lost)[0] == 1


def test_the_table_names_the_cases_that_got_worse(run):
    _, out, _ = run()

    assert "s: a: pass -> fail" in out.splitlines()
    assert "s: c: pass -> timeout T" in out.splitlines()
    assert "s: e: pass -> missing" in out.splitlines()


@pytest.mark.parametrize("bad", ["x", "{}", '{"case_id": 1, "scorer": "s", "outcome": "pass", "code": null}',
                                 '{"case_id": "a", "scorer": "s", "outcome": "good", "code": null}'])  # fmt: skip
def test_a_line_that_is_no_result_is_refused_with_its_number(tmp_path, capsys, bad):
    (tmp_path / "r").write_text(json.dumps(OLD[0]) + "\n" + bad + "\n")

    status = main(["compare", str(tmp_path / "r"), str(tmp_path / "r")])

    assert status == 2
    assert "line 2 of" in capsys.readouterr().err


def test_the_page_escapes_what_it_shows(run, tmp_path):
    hostile = "<script>alert(1)</script>"
    run(
        "--html",
        str(tmp_path / "page"),
        old=[line(hostile, "pass", scorer=hostile)],
        new=[line(hostile, "fail", scorer=hostile)],
    )

    page = (tmp_path / "page").read_text()
    assert hostile not in page
    assert "&lt;script&gt;" in page
