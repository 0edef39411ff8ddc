"""`evalbook score --scorers`: suites over files of cases, their reports and gates."""

import json
from xml.etree import ElementTree as ET

import pytest

from evalbook.cli.main import main

SUITE = {
    "scorers": [
        {"name": "says yes", "implementation": "contains", "parameters": {"texts": ["yes"]}},
        {"implementation": "numeric_tolerance", "parameters": {"absolute": 0.1, "output_path": "/n"}},
    ]
}
CASES = [
    {"case_id": "a", "output": "yes", "expected": 1, "lang": "de"},
    {"case_id": "b", "output": {"n": 1.1}, "expected": 1.0, "lang": "fr"},
    {"case_id": "c", "expected": 1},
]


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Return a function that scores files in a folder of its own and gives exit status, output and errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.json").write_text(json.dumps(SUITE))
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))

    def score(*arguments, cases="cases.jsonl", suite="suite.json"):
        status = main(["score", "--scorers", suite, cases, *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return score


def results(tmp_path):
    return [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]


def test_a_table_counts_results_by_scorer_with_pass_rates_and_others_by_code(run):
    status, out, _ = run()

    rows = out.splitlines()
    assert status == 0
    assert rows[1].split() == [
        "says",
        "yes",
        "3",
        "1",
        "1",
        "1",
        "0.333",
        "[0.061,",
        "0.792]",
        "1",
        "OUTPUT_UNAVAILABLE",
    ]
    assert rows[2].split()[:5] == ["numeric_tolerance", "3", "1", "1", "1"]


def test_results_have_one_line_a_case_and_scorer(run, tmp_path):
    run("--results", "out.jsonl")

    assert [(line["case_id"], line["scorer"], line["outcome"]) for line in results(tmp_path)] == [
        ("a", "says yes", "pass"),
        ("a", "numeric_tolerance", "fail"),
        ("b", "says yes", "fail"),
        ("b", "numeric_tolerance", "pass"),
        ("c", "says yes", "unsupported"),
        ("c", "numeric_tolerance", "unsupported"),
    ]


def test_results_on_the_standard_output_leave_the_table_to_standard_error(run):
    _, out, err = run("--results", "-")

    assert [json.loads(line)["case_id"] for line in out.splitlines()] == ["a", "a", "b", "b", "c", "c"]
    assert err.startswith("scorer")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--fail-under", "0.3"], 0),
        (["--fail-under", "0.4"], 1),
        (["--fail-under", "says yes=0.4"], 1),
        (["--fail-under", "0.9", "--fail-under", "says yes=0.1", "--fail-under", "numeric_tolerance=0.1"], 0),
        (["--fail-on", "unsupported"], 1),
        (["--fail-on", "error,timeout"], 0),
    ],
)
def test_gates_end_with_one_where_they_do_not_hold(run, arguments, status):
    assert run(*arguments)[0] == status


def test_a_threshold_of_the_suite_is_a_gate(run, tmp_path):
    (tmp_path / "strict.json").write_text(json.dumps([{**SUITE["scorers"][0], "threshold": 0.5}]))

    status, out, _ = run(suite="strict.json")

    assert (status, out.splitlines()[-1]) == (1, "gate failed: says yes: 1 of 3 passed, below 0.5")


def test_a_case_that_could_not_be_decided_has_not_passed(run, tmp_path):
    (tmp_path / "undecided.jsonl").write_text('{"case_id": "a", "output": "yes"}\n{"case_id": "b"}\n')
    (tmp_path / "one.json").write_text(json.dumps(SUITE["scorers"][:1]))

    assert run("--fail-under", "0.6", cases="undecided.jsonl", suite="one.json")[0] == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("garbage", "row 4 is no JSON object"),
        ('{"output": "yes", "expectd": 1}', "row 4 has a member that is spelt almost like expected"),
        ('{"output": "yes", "Output": "no"}', "row 4 has a member that is spelt almost like output"),
    ],
)
def test_a_row_that_is_no_case_ends_with_two_and_says_which(run, tmp_path, line, told):
    with (tmp_path / "cases.jsonl").open("a") as file:
        file.write(line + "\n")

    status, out, err = run("--fail-under", "1")

    assert status == 2
    assert told in err
    assert out.splitlines()[1].split()[2] == "3"


def test_a_case_that_is_not_strict_ends_with_two(run, tmp_path):
    (tmp_path / "nan.jsonl").write_text('{"case_id": "a", "output": NaN}\n')

    assert run(cases="nan.jsonl")[0] == 2


def test_a_json_array_is_read(run, tmp_path):
    (tmp_path / "cases.json").write_text(json.dumps(CASES, indent=2))

    assert run(cases="cases.json")[1] == run()[1]


def test_csv_columns_are_mapped_to_members_as_texts_or_as_json(run, tmp_path):
    (tmp_path / "cases.csv").write_text('\ufeffid,answer,label,lang\n7,"yes, it is",1,de\n8,"{""n"": 1}",1,fr\n')

    run("--map", "case_id=id", "--map", "output=answer", "--map", "expected:json=label", "--results", "out.jsonl",
        cases="cases.csv")  # fmt: skip

    assert [(line["case_id"], line["outcome"]) for line in results(tmp_path)] == [
        ("7", "pass"),
        ("7", "fail"),
        ("8", "fail"),
        ("8", "fail"),
    ]


@pytest.mark.parametrize("arguments", [["--map", "answer=x"], ["--map", "output"], ["--map", "output:xml=a"]])
def test_a_mapping_that_names_no_member_is_refused(run, tmp_path, arguments):
    (tmp_path / "cases.csv").write_text("output\nyes\n")

    status, _, err = run(*arguments, cases="cases.csv")

    assert status == 2
    assert "MEMBER=COLUMN" in err


def test_a_row_of_csv_with_too_few_cells_is_refused_with_its_line(run, tmp_path):
    (tmp_path / "cases.csv").write_text("output,expected\nyes,1\nno\n")

    status, _, err = run(cases="cases.csv")

    assert status == 2
    assert "line 3" in err


def test_parquet_rows_are_read(run, tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow, which is an extra")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"case_id": ["a"], "output": ["yes"]}), tmp_path / "cases.parquet")

    assert run(cases="cases.parquet")[0] == 0


def test_a_yaml_suite_keeps_its_numbers_exact(run, tmp_path):
    (tmp_path / "suite.yaml").write_text(
        "scorers:\n  - implementation: numeric_tolerance\n    parameters: {absolute: 0.1, output_path: /n}\n"
    )

    assert run("--fail-under", "0.3", suite="suite.yaml")[0] == 0


@pytest.mark.parametrize(
    ("suite", "places"),
    [
        ({}, ["/scorers"]),
        ([], ["(whole)"]),
        ({"scorer": []}, ["/scorer"]),
        ([5], ["/0"]),
        ([{"implementation": "contain"}], ["/0/implementation"]),
        (
            [{"implementation": "contains", "parameters": {"texts": [], "x": 1}}],
            ["/0/parameters/texts", "/0/parameters/x"],
        ),
        ([{"implementation": "exact_match", "treshold": 1}], ["/0/treshold"]),
        ([{"implementation": "exact_match", "threshold": 2}], ["/0/threshold"]),
        ([{"implementation": "exact_match"}, {"implementation": "exact_match"}], ["/0/name", "/1/name"]),
        ([{"implementation": "exact_match", "time_limit_ms": 0}], ["/0/time_limit_ms"]),
    ],
)
def test_a_suite_is_refused_with_every_problem_and_its_place(run, tmp_path, suite, places):
    (tmp_path / "bad.json").write_text(json.dumps(suite))

    status, out, err = run(suite="bad.json")

    assert (status, out) == (2, "")
    assert all(f"{place}: " in err for place in places)


def test_junit_has_a_suite_a_scorer_and_a_test_case_a_case(run, tmp_path):
    run("--junit", "out.xml")

    suites = ET.parse(tmp_path / "out.xml").getroot()
    counts = {
        suite.get("name"): [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] for suite in suites
    }
    assert counts == {"says yes": ["3", "1", "0", "1"], "numeric_tolerance": ["3", "1", "0", "1"]}
    assert [case.get("name") for case in suites[0]] == ["a", "b", "c"]
    assert suites[0][2][0].get("message").startswith("OUTPUT_UNAVAILABLE: ")


def test_junit_takes_ids_that_xml_cannot_hold(run, tmp_path):
    (tmp_path / "odd.jsonl").write_text(json.dumps({"case_id": '<"\u0000\ufffe&', "output": "no"}) + "\n")

    run("--junit", "out.xml", cases="odd.jsonl")

    [case] = ET.parse(tmp_path / "out.xml").getroot()[0]
    assert case.get("name") == '<"\ufffd\ufffd&'


def test_the_page_has_bodies_only_where_asked(run, tmp_path):
    run("--html", "without.html")
    run("--html", "with.html", "--with-bodies")

    without, bodies = (tmp_path / "without.html").read_text(), (tmp_path / "with.html").read_text()
    assert '"output":"yes"' not in without
    assert '"output":"yes"' in bodies


def test_without_a_case_a_gate_does_not_hold(run, tmp_path):
    (tmp_path / "none.jsonl").write_text("")

    assert run("--fail-under", "0.5", cases="none.jsonl")[0] == 1


def test_a_case_without_an_id_is_called_by_its_number(run, tmp_path):
    (tmp_path / "plain.jsonl").write_text('\n{"output": "yes"}\n')

    run("--results", "out.jsonl", cases="plain.jsonl")

    assert {line["case_id"] for line in results(tmp_path)} == {"2"}
