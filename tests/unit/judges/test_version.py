from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.errors import ParametersRefused
from evalbook.jsonio.canonical import digest
from evalbook.judges.changes import JudgeChange, changes_between
from evalbook.judges.version import Condition, Material, material, read_judge_parameters, role_of
from tests.unit.judges.judging import BINARY, BY_SCORE_TYPE, CATEGORICAL, CONTINUOUS, DIGEST, EXTRAS, ORDINAL, judge

RUBRIC = {"name": "accuracy", "version": 1, "digest": DIGEST}


def refused_at(raw):
    with pytest.raises(ParametersRefused) as refused:
        read_judge_parameters(raw)
    return {problem.pointer for problem in refused.value.problems}


@pytest.mark.parametrize("raw", BY_SCORE_TYPE.values(), ids=BY_SCORE_TYPE)
def test_a_judge_of_each_score_type_is_read(raw):
    parameters = read_judge_parameters(raw)

    assert parameters.score_type == raw["score_type"]


def test_what_the_author_leaves_out_has_the_documented_default():
    parameters = judge()

    assert (
        parameters.temperature,
        parameters.max_reply_tokens,
        parameters.repeat_count,
        parameters.reasoning_summary_max_chars,
        parameters.time_limit_ms,
        parameters.output_fields,
        parameters.rubric,
    ) == (0, 800, 1, 1_200, 120_000, (), None)


def test_every_problem_is_named_at_once():
    raw = CATEGORICAL | {
        "model": "acme",
        "prompt_template": "{{ output }} {{rubric}}",
        "temperature": True,
        "repeat_count": 11,
        "categories": ["only"],
        "minimum": 1,
        "output_fields": [{"name": "score", "type": "enum"}, {"name": "n", "type": "integer", "max_length": 3}],
        "colour": "blue",
    }

    assert refused_at(raw) == {
        "/model",
        "/prompt_template",
        "/temperature",
        "/repeat_count",
        "/categories",
        "/pass_categories/0",
        "/minimum",
        "/output_fields/0/name",
        "/output_fields/0/values",
        "/output_fields/1/max_length",
        "/colour",
    }


@pytest.mark.parametrize("raw", [None, [], "judge", 5, True])
def test_parameters_that_are_no_object_are_refused_as_a_whole(raw):
    assert refused_at(raw) == {""}


@pytest.mark.parametrize("name", ["model", "prompt_template", "score_type"])
def test_what_has_no_default_is_required(name):
    raw = {key: value for key, value in BINARY.items() if key != name}

    assert refused_at(raw) == {"/" + name}


@pytest.mark.parametrize("model", ["openai::gpt-5", "bedrock::anthropic.claude-4:0", "azure::org/model@2026-01-01"])
def test_a_model_is_a_provider_and_an_identifier(model):
    assert judge(model=model).model == model


@pytest.mark.parametrize("model", ["", "gpt", "::gpt", "openai::", "a:b", "a::b::c", "a:::b", "a ::b", "a::b c", 5])
def test_any_other_model_is_refused(model):
    assert refused_at(BINARY | {"model": model}) == {"/model"}


@pytest.mark.parametrize(
    "template",
    [
        "no placeholder",
        "{{input}} {{expected}}",
        "{{ output }}",
        "{{Output}}",
        "{{output}} {{}}",
        "{{output}} {{trace}}",
        "{{{output}}}",
        "{{output}} {{in\nput}}",
        "{{output}} {{rubric}}",
        "{{output}} \ud800",
        "{{output}}" + "x" * 19_991,
        None,
    ],
)
def test_a_template_that_cannot_be_filled_is_refused(template):
    assert refused_at(BINARY | {"prompt_template": template}) == {"/prompt_template"}


@pytest.mark.parametrize(
    "template",
    [
        "{{output}}" + "x" * 19_990,
        "{{output}}{{output}}",
        '{"a": {"b": 1}} {{output}}',
        "}} {{output}} {{",
        "\0{{output}}",
    ],
)
def test_a_template_that_can_be_filled_is_read(template):
    assert judge(prompt_template=template).prompt_template == template


def test_each_unknown_placeholder_is_a_problem_of_its_own():
    with pytest.raises(ParametersRefused) as refused:
        judge(prompt_template="{{a}} {{output}} {{b}}")

    assert [problem.message for problem in refused.value.problems] == [
        "the placeholder at offset 0 is none of input, output, expected, rubric",
        "the placeholder at offset 17 is none of input, output, expected, rubric",
    ]


def test_a_rubric_lets_the_template_show_it():
    parameters = judge(prompt_template="{{output}} {{rubric}}", rubric=RUBRIC)

    assert parameters.rubric.digest == DIGEST


def test_a_rubric_that_the_template_does_not_show_is_worth_a_warning():
    assert [warning.pointer for warning in judge(rubric=RUBRIC).warnings()] == ["/rubric"]


def test_a_rubric_that_the_template_shows_is_not():
    parameters = judge(prompt_template="{{output}} {{rubric}}", rubric=RUBRIC)

    assert list(parameters.warnings()) == []


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"digest": "5f"}, "/rubric/digest"),
        ({"version": "active"}, "/rubric/version"),
        ({"version": 0}, "/rubric/version"),
        ({"name": ""}, "/rubric/name"),
        ({"latest": True}, "/rubric/latest"),
    ],
)
def test_a_rubric_is_one_exact_version(change, at):
    assert refused_at(BINARY | {"rubric": RUBRIC | change}) == {at}


RANGES = {
    "temperature": (0, 2),
    "max_reply_tokens": (16, 16_000),
    "repeat_count": (1, 10),
    "reasoning_summary_max_chars": (50, 4_000),
    "time_limit_ms": (1, 600_000),
}


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("end", [0, 1])
def test_both_ends_of_a_range_belong_to_it(name, end):
    bound = RANGES[name][end]

    assert getattr(judge(**{name: bound}), name) == bound


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("step", [-1, 1])
def test_one_step_outside_a_range_is_refused(name, step):
    low, high = RANGES[name]

    assert refused_at(BINARY | {name: low - 1 if step < 0 else high + 1}) == {"/" + name}


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("value", [True, "1", None, [], Decimal("NaN"), float("inf"), Decimal("1E+999"), 10**500])
def test_only_a_number_is_a_number(name, value):
    assert refused_at(BINARY | {name: value}) == {"/" + name}


@pytest.mark.parametrize("spelled", [3, Decimal("3.0"), Decimal("0.3E1"), 3.0])
def test_a_whole_number_may_be_spelled_with_a_fraction_of_zero(spelled):
    assert judge(repeat_count=spelled).repeat_count == 3


def test_a_fraction_is_no_whole_number():
    assert refused_at(BINARY | {"repeat_count": Decimal("2.5")}) == {"/repeat_count"}


def test_a_threshold_keeps_the_digits_as_written():
    parameters = judge(CONTINUOUS, pass_threshold=Decimal("0.7000000000000000000001"))

    assert parameters.pass_threshold == Decimal("0.7000000000000000000001")


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ([{"name": "n", "type": "text"}], "/output_fields/0/type"),
        ([{"name": "n"}], "/output_fields/0/type"),
        ([{"name": "a b", "type": "string"}], "/output_fields/0/name"),
        ([{"name": "", "type": "string"}], "/output_fields/0/name"),
        ([{"name": "abstain", "type": "string"}], "/output_fields/0/name"),
        ([{"name": "n", "type": "string"}, {"name": "n", "type": "number"}], "/output_fields/1/name"),
        ([{"name": "n", "type": "string", "minimum": 1}], "/output_fields/0/minimum"),
        ([{"name": "n", "type": "string", "max_length": 0}], "/output_fields/0/max_length"),
        ([{"name": "n", "type": "boolean", "values": ["a"]}], "/output_fields/0/values"),
        ([{"name": "n", "type": "number", "minimum": 2, "maximum": 1}], "/output_fields/0/maximum"),
        ([{"name": "n", "type": "integer", "minimum": Decimal("0.5")}], "/output_fields/0/minimum"),
        ([{"name": "n", "type": "enum"}], "/output_fields/0/values"),
        ([{"name": "n", "type": "enum", "values": []}], "/output_fields/0/values"),
        ([{"name": "n", "type": "enum", "values": ["a", "a"]}], "/output_fields/0/values/1"),
        ([{"name": "n", "type": "enum", "values": [1]}], "/output_fields/0/values/0"),
        ([{"name": "n", "type": "string", "pattern": "a"}], "/output_fields/0/pattern"),
        (["n"], "/output_fields/0"),
        ("n", "/output_fields"),
        ([{"name": f"n{index}", "type": "string"} for index in range(31)], "/output_fields"),
    ],
)
def test_an_output_field_that_cannot_be_held_is_refused(fields, at):
    assert refused_at(BINARY | {"output_fields": fields}) == {at}


def test_thirty_output_fields_are_read():
    fields = [{"name": f"n{index}", "type": "string"} for index in range(30)]

    assert len(judge(output_fields=fields).output_fields) == 30


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"categories": None}, {"/categories"}),
        ({"categories": ["correct"]}, {"/categories", "/pass_categories"}),
        ({"categories": ["correct", "wrong", "wrong"]}, {"/categories/2"}),
        ({"categories": ["correct", ""]}, {"/categories/1"}),
        ({"pass_categories": None}, {"/pass_categories"}),
        ({"pass_categories": []}, {"/pass_categories"}),
        ({"pass_categories": ["right"]}, {"/pass_categories/0"}),
        ({"pass_categories": ["Correct"]}, {"/pass_categories/0"}),
        ({"pass_categories": ["correct", "correct"]}, {"/pass_categories/1"}),
        ({"pass_categories": ["wrong", "partial", "correct"]}, {"/pass_categories"}),
        ({"minimum": 0, "maximum": 1, "pass_threshold": 1}, {"/minimum", "/maximum", "/pass_threshold"}),
    ],
)
def test_categories_that_decide_nothing_are_refused(change, at):
    assert refused_at(CATEGORICAL | change) == at


@pytest.mark.parametrize("scale", [ORDINAL, CONTINUOUS])
@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"minimum": None}, {"/minimum"}),
        ({"maximum": None}, {"/maximum"}),
        ({"minimum": 5, "maximum": 5}, {"/maximum"}),
        ({"minimum": 6, "maximum": 1}, {"/maximum"}),
        ({"maximum": 10**301}, {"/maximum"}),
        ({"pass_threshold": 6}, {"/pass_threshold"}),
        ({"pass_threshold": -1}, {"/pass_threshold"}),
        ({"pass_threshold": "4"}, {"/pass_threshold"}),
        ({"categories": ["a", "b"], "pass_categories": ["a"]}, {"/categories", "/pass_categories"}),
    ],
)
def test_a_scale_that_cannot_be_scored_on_is_refused(scale, change, at):
    assert refused_at(scale | change) == at


def test_the_ends_of_an_ordinal_scale_are_whole():
    assert refused_at(ORDINAL | {"minimum": Decimal("0.5")}) == {"/minimum"}


def test_a_scale_needs_no_threshold():
    assert judge(ORDINAL, pass_threshold=None).pass_threshold is None


def test_a_binary_judge_has_no_scale():
    assert refused_at(BINARY | {"minimum": 0, "maximum": 1}) == {"/minimum", "/maximum"}


def test_the_material_does_not_depend_on_spelling():
    spelled = ORDINAL | {"minimum": Decimal("1.0"), "pass_threshold": Decimal("40E-1"), "temperature": Decimal("0.00")}

    assert material(judge(spelled)) == material(judge(ORDINAL))


def test_the_material_does_not_depend_on_the_order_of_the_pass_categories():
    one, other = ["correct", "partial"], ["partial", "correct"]

    assert material(judge(CATEGORICAL, pass_categories=one)) == material(judge(CATEGORICAL, pass_categories=other))


@pytest.mark.parametrize(
    ("raw", "change", "fields"),
    [
        (BINARY, {"model": "acme::judge-2"}, ["model"]),
        (BINARY, {"prompt_template": "{{output}}!"}, ["prompt_template"]),
        (BINARY, {"rubric": RUBRIC}, ["rubric_digest"]),
        (BINARY, {"output_fields": EXTRAS}, ["output_fields"]),
        (BINARY, {"temperature": 1}, ["temperature"]),
        (CATEGORICAL, {"categories": ["partial", "correct", "wrong"]}, ["categories"]),
        (CATEGORICAL, {"pass_categories": ["partial"]}, ["pass_categories"]),
        (ORDINAL, {"pass_threshold": 3}, ["pass_threshold"]),
        (ORDINAL, {"minimum": 0, "maximum": 10}, ["maximum", "minimum"]),
        (ORDINAL, {"score_type": "continuous"}, ["score_type"]),
    ],
)
def test_a_material_change_names_its_fields(raw, change, fields):
    changes = changes_between(material(judge(raw)), material(judge(raw, **change)))

    assert [each.field for each in changes] == fields


@pytest.mark.parametrize(
    "change",
    [{"repeat_count": 5}, {"max_reply_tokens": 100}, {"reasoning_summary_max_chars": 50}, {"time_limit_ms": 1}],
)
def test_other_changes_are_not_material(change):
    assert changes_between(material(judge()), material(judge(**change))) == ()


@pytest.mark.parametrize("field", type(judge()).model_fields)
def test_each_parameter_is_either_material_or_a_condition(field):
    assert isinstance(role_of(field), Material | Condition)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (BINARY, "09e0b8a566e589608a1baccc7e872bd850585c722338f6b9f320aa1a83a9c31f"),
        (CATEGORICAL, "c822397d006050469109dddfc4b0d007dd5216f2143250751045b9676aa20e9e"),
        (ORDINAL, "661131c9b006117b6fbd3698af42728abe525256f163ccad029716a6f3b366fc"),
        (CONTINUOUS, "0b63dc0e7ec530d038be48dbf6086daaef296585db269a128ce4ddb5fa49aa76"),
        (
            ORDINAL
            | {"prompt_template": "{{output}} {{rubric}}", "rubric": RUBRIC}
            | {"output_fields": EXTRAS, "temperature": Decimal("0.25")},
            "d6a18362b117d9b028bd68e74ec793385b7864044a5e8fa052747debf38de131",
        ),
    ],
)
def test_the_material_digest_of_a_version_never_changes(raw, expected):
    assert digest(dict(material(judge(raw)))) == expected


def test_a_material_change_shows_the_old_and_the_new():
    changes = changes_between(material(judge(ORDINAL)), material(judge(ORDINAL, pass_threshold=None)))

    assert changes == (JudgeChange("pass_threshold", 4, None),)


def test_the_parameters_have_a_json_schema_that_names_their_ranges():
    temperature = type(judge()).model_json_schema()["properties"]["temperature"]

    assert temperature == {"default": 0, "maximum": 2, "minimum": 0, "title": "Temperature", "type": "number"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    name=st.sampled_from(sorted(type(judge()).model_fields)), value=JSON, raw=st.sampled_from([*BY_SCORE_TYPE.values()])
)
def test_any_value_of_any_parameter_is_read_or_refused(name, value, raw):
    try:
        parameters = read_judge_parameters(raw | {name: value})
    except ParametersRefused:
        return

    assert material(parameters)["score_type"] == parameters.score_type
