"""Reading labelled cases from lines."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.calibration.rows import CalibrationRow, parse_row, read_rows
from evalbook.domain.errors import Refused

ROW = {"case_id": "a", "human": "pass", "outcome": "fail"}


def problems_of(*lines):
    with pytest.raises(Refused) as refused:
        read_rows(lines)
    return [(problem.pointer, problem.message) for problem in refused.value.problems]


def line(**fields):
    return json.dumps({**ROW, **fields})


def test_a_line_becomes_a_row():
    rows = read_rows([json.dumps({**ROW, "repeats": ["fail", "pass", "fail"]})])

    assert rows == (CalibrationRow(0, "a", ("pass",), "fail", repeats=("fail", "pass", "fail")),)


def test_a_score_becomes_a_float():
    (row,) = read_rows(['{"case_id": "a", "human": 4, "score": 3.5}'])

    assert (row.human, row.score) == ((4.0,), 3.5)


def test_several_humans_are_a_list():
    (row,) = read_rows([line(human=["pass", None, "fail"])])

    assert row.human == ("pass", "fail")


def test_null_is_as_good_as_absent():
    (row,) = read_rows([line(human=None, score=None, repeats=None)])

    assert row == CalibrationRow(0, "a", outcome="fail")


def test_unknown_keys_are_ignored():
    (row,) = read_rows([line(usage={"tokens": 3}, explanation="x")])

    assert row == CalibrationRow(0, "a", ("pass",), "fail")


def test_true_and_false_are_pass_and_fail():
    (row,) = read_rows([line(human=[True, False], repeats=[True])])

    assert (row.human, row.repeats) == (("pass", "fail"), ("pass",))


def test_abstain_means_abstained():
    (row,) = read_rows([line(outcome="abstain", repeats=["abstain", "pass"])])

    assert (row.outcome, row.repeats) == ("abstained", ("abstained", "pass"))


def test_a_reply_may_be_missing():
    (row,) = read_rows([line(repeats=[4, None])])

    assert row.repeats == (4.0, None)


def test_blank_lines_are_skipped_and_counted():
    rows = read_rows(["\n", line(), "  "])

    assert [row.index for row in rows] == [1]


def test_no_line_is_no_row():
    assert read_rows([]) == ()


def test_a_decimal_of_a_caller_is_a_score():
    row = parse_row(0, {"case_id": "a", "score": Decimal("0.25"), "human": Decimal("1.0")})

    assert (row.score, row.human) == (0.25, (1.0,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "must be one JSON object, not an array"),
        ("null", "must be one JSON object, not null"),
    ],
)
def test_what_is_no_object_is_refused_with_its_line(text, message):
    assert problems_of(line(), text) == [("/1", f"line 2: {message}")]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "nonsense",
        '{"case_id": "a"} {}',
        "[" * 100_000,
        '{"case_id": ' + "9" * 5000 + "}",
        '{"case_id": "a", "case_id": "b", "outcome": "pass"}',
        '{"case_id": "a", "score": NaN}',
        '{"case_id": "a", "score": -Infinity}',
        '{"case_id": "a\\ud800", "outcome": "pass"}',
        '{"case_id": "a\ud800", "outcome": "pass"}',
        b'{"case_id": "\xff", "outcome": "pass"}',
        "\ufeff{}",
    ],
)
def test_what_is_no_strict_json_is_refused_with_its_line(text):
    ((pointer, message),) = problems_of(line(), text)

    assert (pointer, message.startswith("line 2: must be one JSON object; ")) == ("/1", True)


def test_lines_may_be_bytes():
    assert read_rows([line().encode()]) == read_rows([line()])


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"case_id": None}, "/0/case_id"),
        ({"case_id": 7}, "/0/case_id"),
        ({"case_id": ""}, "/0/case_id"),
        ({"case_id": "a" * 129}, "/0/case_id"),
        ({"outcome": 1}, "/0/outcome"),
        ({"outcome": ""}, "/0/outcome"),
        ({"outcome": "x" * 257}, "/0/outcome"),
        ({"outcome": {}}, "/0/outcome"),
        ({"score": "4"}, "/0/score"),
        ({"score": True}, "/0/score"),
        ({"score": 10**390}, "/0/score"),
        ({"human": {}}, "/0/human"),
        ({"human": "abstained"}, "/0/human"),
        ({"human": ["pass", "error"]}, "/0/human/1"),
        ({"human": ["pass", []]}, "/0/human/1"),
        ({"repeats": "pass"}, "/0/repeats"),
        ({"repeats": ["pass", {}]}, "/0/repeats/1"),
        ({"outcome": None}, "/0"),
        ({"outcome": None, "human": None}, "/0"),
    ],
)
def test_a_field_of_the_wrong_shape_is_refused_at_its_place(fields, pointer):
    assert [place for place, _ in problems_of(line(**fields))] == [pointer]


@pytest.mark.parametrize("number", ["1e390", "-1e13"])
def test_a_score_out_of_bounds_is_refused(number):
    assert problems_of(f'{{"case_id": "a", "score": {number}}}')[0][0] == "/0/score"


@pytest.mark.parametrize("number", [Decimal("NaN"), Decimal("Infinity"), float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused(number):
    with pytest.raises(Refused, match="finite"):
        parse_row(0, {"case_id": "a", "score": number})


def test_a_repeated_case_id_is_refused_with_both_lines():
    assert problems_of(line(), line()) == [("/1/case_id", "line 2: must be unique; line 1 has the same")]


def test_every_problem_is_named():
    assert [place for place, _ in problems_of("{", line(score="x"), line(human={}))] == ["/0", "/1/score", "/2/human"]


def test_a_problem_quotes_no_text_of_the_row():
    messages = str(problems_of(line(outcome="secret " * 60, human="error", case_id="secret" * 50)))

    assert "secret" not in messages


def refused_pointers(read):
    """Return where problems are, or None where nothing is refused."""
    try:
        read()
    except Refused as refused:
        return [problem.pointer for problem in refused.problems]
    return None


@given(st.lists(st.text(), min_size=1))
def test_any_lines_that_are_no_objects_are_refused(lines):
    pointers = refused_pointers(lambda: read_rows([*lines, "{"]))

    assert f"/{len(lines)}" in pointers


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["pass", "fail", "error", "x"]),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
FIELDS = st.fixed_dictionaries(
    {"case_id": st.just("a")}, optional=dict.fromkeys(("human", "outcome", "score", "repeats", "label"), JSON)
)


@given(FIELDS)
def test_any_fields_are_a_row_or_refused_at_their_place(fields):
    pointers = refused_pointers(lambda: parse_row(3, fields))

    assert pointers is None or all(pointer.startswith("/3") for pointer in pointers)


def test_labels_may_name_their_labellers():
    (row,) = read_rows([line(human=[{"labeller": "ann", "label": "pass"}, {"labeller": "bob", "label": "fail"}])])

    assert row.human == ("pass", "fail")


def test_a_label_that_names_its_labeller_is_read_as_strictly():
    assert problems_of(line(human=[{"labeller": "ann", "label": {}}]))[0][0] == "/0/human/0/label"


def test_an_adjudicated_label_is_kept_beside_the_labellers_own():
    (row,) = read_rows([line(human=["pass", "fail"], adjudicated="fail")])

    assert (row.human, row.adjudicated, row.given) == (("pass", "fail"), "fail", ("pass", "fail", "fail"))


def test_an_adjudicated_label_alone_is_the_human_label():
    (row,) = read_rows([line(human=None, adjudicated="fail")])

    assert row.human == ("fail",)


def test_an_adjudicated_label_is_one_label():
    assert [pointer for pointer, _ in problems_of(line(adjudicated=["fail"]))] == ["/0/adjudicated"]


@pytest.mark.parametrize("key", ["humans", "Outcome", "verdict", "a/b"])
def test_a_key_that_no_row_has_is_refused_by_its_name_and_line(key):
    line = json.dumps({"case_id": "a", "human": "pass", "outcome": "pass", key: "fail"})

    with pytest.raises(Refused) as caught:
        read_rows([line])

    [problem] = caught.value.problems
    assert problem.pointer == "/0/" + key.replace("/", "~1")
    assert problem.message.startswith("line 1: is not known")


def test_an_answer_of_replay_is_a_row_that_is_called_by_its_id():
    answer = {
        "id": "a",
        "outcome": "pass",
        "code": None,
        "score": 1,
        "label": None,
        "assurance": "reported",
        "body": None,
    }

    [row] = read_rows([json.dumps({**answer, "body": None, "abstentions": 0, "replies": [], "human": "pass"})])

    assert (row.case_id, row.outcome, row.human) == ("a", "pass", ("pass",))
