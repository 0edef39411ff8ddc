"""Reading score batches: what is wrong with one case spoils no other; no message quotes what was sent."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalbook.contracts.case import CaseModel, example_id_of, read_case
from evalbook.contracts.results import Result
from evalbook.contracts.score_batch import MAX_MESSAGE_BYTES, CaseText, read_batch, read_cases
from evalbook.domain.case import ContentRef
from evalbook.domain.errors import CaseInvalid, Unreadable
from evalbook.jsonio.reader import split_array
from evalbook.jsonio.values import ABSENT
from tests.contract.batches import HEAD, batch_of, message

GOOD = '{"case_id":"good","output":1.50}'

BAD_CASES = [
    pytest.param(
        '{"case_id":"bad","output":%s}' % ("[" * 10_000 + "]" * 10_000), "nested too deeply", "bad", id="deep"
    ),
    pytest.param('{"case_id":"bad","output":{"a":1,"a":2}}', "a key is repeated", "bad", id="a key repeated inside"),
    pytest.param('{"case_id":"bad","output":1,"output":2}', "a key is repeated", "bad", id="a member repeated"),
    pytest.param('{"case_id":"bad","output":NaN}', "NaN or infinite", "bad", id="NaN"),
    pytest.param('{"case_id":"bad","output":-Infinity}', "NaN or infinite", "bad", id="an infinity"),
    pytest.param('{"case_id":"bad","output":%s}' % ("9" * 5_000), "out of bounds", "bad", id="5,000 digits"),
    pytest.param('{"case_id":"bad","output":1e401}', "out of bounds", "bad", id="an exponent of 401"),
    pytest.param('{"case_id":"bad","output":"\\ud800"}', "surrogate", "bad", id="a lone surrogate"),
    pytest.param('{"case_id":"b\\u0061d","output":NaN}', "NaN or infinite", "bad", id="an id with an escape"),
    pytest.param('{"case_id":"bad","output":tru}', "it is not JSON", "bad", id="half a word"),
    pytest.param('{"output":NaN,"case_id":"bad"}', "NaN or infinite", "bad", id="the id last"),
    pytest.param('{"case_id":"bad","case_id":"bad"}', "a key is repeated", None, id="the id repeated"),
    pytest.param('{"case_id":NaN}', "NaN or infinite", None, id="the id not finite"),
    pytest.param('{"case_id":5,"output":NaN}', "NaN or infinite", None, id="the id a number"),
    pytest.param('{"output":NaN}', "NaN or infinite", None, id="no id"),
    pytest.param("NaN", "NaN or infinite", None, id="no object"),
    pytest.param("[1 2]", "it is not JSON", None, id="no object and no JSON"),
    pytest.param('{"case_id" "bad"}', "it is not JSON", None, id="no colon"),
]

REF = {"key": "k", "sha256": "0" * 64, "count": 1}
OF_A_BATCH = "schema_version, organization_id, project_id, run_id, batch_id, purpose, scorer, budget_id, cases, "
REFUSED = [
    pytest.param({"schema_version": 2}, "/schema_version must be at most 1", "same", id="another schema version"),
    pytest.param({"schema_version": True}, "/schema_version must be a whole number", "same", id="true for a version"),
    pytest.param({"purpose": "canary"}, "/purpose must be 'evaluation'", "same", id="another purpose"),
    pytest.param({"scorer": {"name": "a"}}, "/scorer/version is required", "a", id="no version"),
    pytest.param({"scorer": {"name": "a", "version": 0}}, "/scorer/version must be a version's number", "a", id="0"),
    pytest.param({"scorer": {"name": "a", "version": "canary"}}, "99999999, or 'active'", "a", id="in words"),
    pytest.param({"scorer": {"name": "a", "version": 1.5}}, "/scorer/version must be a version's", "a", id="half"),
    pytest.param({"scorer": {"name": "a", "version": 1, "digest": "canary"}}, "/scorer/digest must", "a", id="digest"),
    pytest.param({"scorer": "canary"}, "/scorer must be an object", None, id="a scorer that is a text"),
    pytest.param({"scorer": None}, "/scorer is required", None, id="no scorer"),
    pytest.param(
        {"scorer": {"name": "a", "version": 1, "canary": 1}},
        "/scorer has a member that is not known; known are name, version, digest",
        "a",
        id="an unknown member of the scorer",
    ),
    pytest.param(
        {"canary": 1}, f"it has a member that is not known; known are {OF_A_BATCH}", "same", id="an unknown member"
    ),
    pytest.param({"cases_ref": REF}, "it exactly one of cases and cases_ref is required", "same", id="cases twice"),
    pytest.param({"first_index": -1}, "/first_index must be at least 0", "same", id="a negative index"),
    pytest.param({"repeated": [0.5]}, "/repeated/0 must be a whole number", "same", id="half an index"),
]

UNREADABLE = [
    pytest.param(b"", "not JSON", id="nothing"),
    pytest.param(b"canary", "not JSON", id="a word"),
    pytest.param(b"[]", "no score batch: it must be an object", id="an array"),
    pytest.param(b'{"canary":1,"canary":2}', "not JSON", id="a repeated key"),
    pytest.param(message('[{"case_id":"canary"}'), "not JSON", id="an array without an end"),
    pytest.param(message('[{"case_id":"canary]}]'), "not JSON", id="a text without an end"),
    pytest.param(message("[]") + b"canary", "not JSON", id="something after it"),
    pytest.param(message(None), "no score batch", id="no cases"),
    pytest.param(message("null"), "no score batch", id="null for cases"),
    pytest.param(message('{"case_id":"canary"}'), "/cases must be an array", id="cases in an object"),
    pytest.param(message('"canary"'), "/cases must be an array", id="cases in a text"),
    pytest.param(message('{"case_id":NaN}'), "no JSON array", id="cases in an object that is not strict"),
    pytest.param(message(organization_id=""), "/organization_id", id="an empty id"),
    pytest.param(message(project_id="canary#1"), "/project_id", id="an id with a separator"),
    pytest.param(message(run_id=5), "/run_id", id="an id that is a number"),
    pytest.param(message(batch_id=None), "/batch_id is required", id="no batch id"),
    pytest.param(message(None, cases_ref={"key": "", "sha256": "0" * 64, "count": 1}), "/cases_ref/key", id="no key"),
    pytest.param(
        message(None, cases_ref={"key": "k", "sha256": "0" * 64, "count": -1}), "/cases_ref/count", id="count"
    ),
    pytest.param(message('[{"a":NaN}]', canary="\ud800"), "not JSON", id="a head that is not strict"),
    pytest.param(b" " * (MAX_MESSAGE_BYTES + 1), "larger than 1 MiB", id="too large"),
]


@pytest.mark.parametrize(("text", "problem", "case_id"), BAD_CASES)
def test_a_bad_case_keeps_its_place_and_its_id_and_spoils_no_other(text, problem, case_id):
    first, bad, last = batch_of(f"[{GOOD}, {text} ,{GOOD}]").cases

    assert first == last == {"case_id": "good", "output": Decimal("1.50")}
    assert isinstance(bad, CaseText)
    assert problem in bad.problem
    assert (bad.case_id, bad.text) == (case_id, text.encode())


def test_a_case_with_bytes_that_are_no_utf8_spoils_no_other():
    bad, good = batch_of(b'[{"case_id":"bad","output":"\xff"},%s]' % GOOD.encode()).cases

    assert bad.case_id == "bad"
    assert good == {"case_id": "good", "output": Decimal("1.50")}


def test_a_case_without_an_id_is_strict_json_and_kept_as_it_is():
    assert batch_of('[{"output":1},5,null]').cases == [{"output": 1}, 5, None]


def test_a_cases_values_may_nest_a_hundred_deep_and_no_deeper():
    fits, deep = (f'{{"case_id":"{depth}","output":{"[" * depth}{"]" * depth}}}' for depth in (100, 101))

    assert [type(case) for case in batch_of(f"[{fits}]").cases] == [dict]
    assert [type(case) for case in batch_of(f"[{fits},{deep}]").cases] == [dict, CaseText]
    assert [type(case) for case in read_cases(f"[{fits},{deep}]".encode())] == [dict, CaseText]


def test_a_whole_batch_is_read_with_its_head():
    read = batch_of(f"[{GOOD}]")

    assert read.head.model_dump(exclude_unset=True) == {**HEAD, "cases": []}
    assert (read.head.first_index, read.head.repeated) == (0, [])


def test_cases_may_be_elsewhere():
    read = read_batch(message(None, cases_ref={"key": "k", "sha256": "a" * 64, "count": 5, "start": 2, "end": 4}))

    assert read.cases == []
    assert read.head.cases_ref.model_dump() == {"key": "k", "sha256": "a" * 64, "count": 5, "start": 2, "end": 4}


def test_a_batch_may_name_the_active_version():
    assert read_batch(message(scorer={"name": "a", "version": "active"})).head.scorer.version == "active"


@pytest.mark.parametrize("number", ["3.0", "3e0", "30E-1"])
def test_a_whole_number_is_whole_however_it_is_written(number):
    body = message("[]", scorer={"name": "a", "version": 77}).replace(b"77", number.encode())

    assert read_batch(body).head.scorer.version == 3


@pytest.mark.parametrize(("changes", "problem", "scorer"), REFUSED)
def test_a_batch_that_is_wrong_as_a_whole_keeps_its_ids_and_cases_and_says_what_is_wrong(changes, problem, scorer):
    read = read_batch(message(f"[{GOOD}]", **changes))

    assert problem in read.refusal.problem
    assert "canary" not in read.refusal.problem
    assert (read.refusal.scorer, read.head.run_id, read.head.batch_id, len(read.cases)) == (
        scorer, "run-1", "batch-1", 1
    )  # fmt: skip


@pytest.mark.parametrize(("changes", "problem", "scorer"), REFUSED)
def test_a_batch_that_is_wrong_as_a_whole_and_has_no_cases_cannot_be_answered(changes, problem, scorer):
    with pytest.raises(Unreadable) as caught:
        read_batch(message("[]", **changes))

    assert problem in caught.value.reason


def test_a_byte_order_mark_before_a_message_or_its_cases_is_no_part_of_it():
    assert read_batch(b"\xef\xbb\xbf" + message(f"[{GOOD}]")).body == message(f"[{GOOD}]")
    assert read_cases(b"\xef\xbb\xbf[1]") == [1]


@pytest.mark.parametrize(("body", "reason"), UNREADABLE)
def test_what_is_no_batch_is_refused_with_its_place_and_no_quote(body, reason):
    with pytest.raises(Unreadable) as caught:
        read_batch(body)

    assert reason in caught.value.reason
    assert "canary" not in str(caught.value)


def test_a_message_of_just_one_mebibyte_is_read():
    body = message("[]")

    assert read_batch(body + b" " * (MAX_MESSAGE_BYTES - len(body))).cases == []


@pytest.mark.parametrize("text", [b"", b"{}", b"5", b'{"a":NaN}', b"[1", b"[]]"])
def test_cases_that_are_no_array_are_refused(text):
    with pytest.raises(Unreadable, match="the cases are no JSON array"):
        read_cases(text)


_good_cases = st.sampled_from(['{"case_id":"a"}', '{"case_id":"b","output":[1,"]"]}', "5", '{"output":",{"}'])
_bad_cases = st.sampled_from(
    ['{"case_id":"a","output":NaN}', '{"a":1,"a":2}', '"\\ud800"', '{"case_id":"c","o":[1e999]}']
)


@given(st.lists(st.one_of(_good_cases, _bad_cases), max_size=6))
def test_every_case_of_a_batch_is_read_as_it_is_read_alone(texts):
    cases = batch_of("[" + ",".join(texts) + "]").cases

    assert cases == [read_cases(f"[{text}]".encode())[0] for text in texts]
    assert len(cases) == len(split_array(("[" + ",".join(texts) + "]").encode()))


def test_what_a_case_does_not_have_is_absent_and_null_is_not():
    case = read_case({"case_id": "a", "output": None})

    assert (case.output, case.expected, case.input, case.trace, case.subject) == (None, *[ABSENT] * 4)


def test_a_case_keeps_its_ids_values_and_refs():
    case = read_case(
        {"case_id": "a", "example_id": "e", "refs": {"output": {"span_id": "1", "field": "text"}}, "trace": 5}
    )

    assert (case.case_id, case.example_id, case.trace) == ("a", "e", 5)
    assert case.refs == {"output": ContentRef("1", "text")}


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (["canary"], "The case is an array, not an object."),
        ({"output": 1}, "/case_id must be a string of 1 to 128 characters."),
        (
            {"case_id": "a", "canary": 1},
            f"The case has a member that is not known; known are {', '.join(CaseModel.model_fields)}.",
        ),
        (
            {"case_id": "a", "subject": {"canary": 1}},
            "/subject has a member that is not known; known is artifacts.",
        ),
        (
            {"case_id": "a", "subject": {"artifacts": [{}, {"canary": 1}]}},
            "/subject/artifacts/1 has a member that is not known; known are kind, name, sha256.",
        ),
        (
            {"case_id": "a", "refs": {"output": {"span_id": "1", "field": "f", "canary": 1}}},
            "/refs/output must be an object with the strings span_id and field, and nothing else.",
        ),
        ({"case_id": "a", "example_id": ["canary"]}, "/example_id must be a string of at most 128 characters."),
        ({"case_id": "a", "refs": "canary"}, "/refs is a string, not an object."),
        ({"case_id": "a", "refs": {"canary": {}}}, "/refs may name input, output and expected only."),
        (
            {"case_id": "a", "refs": {"output": {"span_id": "canary"}}},
            "/refs/output must be an object with the strings span_id and field, and nothing else.",
        ),
    ],
)
def test_a_case_that_cannot_be_read_says_why_and_quotes_nothing(case, message):
    with pytest.raises(CaseInvalid) as caught:
        read_case(case)

    assert str(caught.value) == message


@pytest.mark.parametrize("case", [None, {}, {"example_id": None}, {"example_id": 5}, {"example_id": "x" * 129}])
def test_an_example_id_that_cannot_be_read_is_none(case):
    assert example_id_of(case) is None


@pytest.mark.parametrize("model", [CaseModel, Result])
def test_a_models_errors_do_not_show_what_was_sent(model):
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"case_id": ["canary"]})

    assert "canary" not in str(caught.value)
