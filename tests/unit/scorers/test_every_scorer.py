"""The rules that every implementation follows (G-01 to G-13), those to come included.

What a rule needs to know of an implementation it takes from the examples in the implementation's own test module; the
convention is in `tests/unit/scorers/examples.py`. So a new scorer is covered by adding its module and its test.
"""

import ast
import inspect
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import evalbook
from evalbook import scorers
from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.implementation import Need
from evalbook.domain.outcome import Assurance, Code, Outcome
from evalbook.domain.result import CaseIdentity, ResultWriter, Run, ScoringVersion
from evalbook.jsonio.pointer import is_pointer
from evalbook.jsonio.values import ABSENT, kind_of
from evalbook.services.scoring import catalog
from tests.unit.json_values import values
from tests.unit.scorers.changes import CANARY, CANARY_NUMBER, places_in, removed, replaced, with_canaries
from tests.unit.scorers.examples import every_example, examples_of, module_of, passing
from tests.unit.scorers.grading import as_sent, case_of, grade, refused, version_of

NAMES = [name for name in catalog.families() if examples_of(name)]
EXAMPLES = list(every_example())
MODULES = sorted(Path(scorers.__path__[0]).rglob("*.py"))
POSSIBLE = {Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.ERROR, Outcome.UNSUPPORTED, Outcome.TIMEOUT}
UNAVAILABLE = {Need.OUTPUT: Code.OUTPUT_UNAVAILABLE, Need.TRACE: Code.TRACE_UNAVAILABLE}
MEMBERS = ["input", "output", "expected", "subject", "trace"]
ONE_OF_EACH_KIND = [None, True, 7, "text", ["text"], {"name": "text"}]

every_scorer = pytest.mark.parametrize("name", NAMES)
every_case = pytest.mark.parametrize("example", EXAMPLES, ids=str)


def needing(need):
    """Parametrize over the implementations that need a part of the case."""
    return pytest.mark.parametrize("name", [name for name in NAMES if need in catalog.find(name).needs])


def unlawful(answer):
    """What is wrong with a grade, whatever scorer it is from."""
    decided = answer.outcome in {Outcome.PASS, Outcome.FAIL}
    score = answer.score
    return [
        rule
        for rule, kept in {
            "a deterministic scorer has six outcomes": answer.outcome in POSSIBLE,
            "pass and fail have no code, the others have one": decided == (answer.code is None),
            "only pass and fail have a score": decided or score is None,
            "a score is finite and 0 to 1": score is None or (math.isfinite(score) and 0 <= score <= 1),
            "an explanation is a sentence": answer.explanation.endswith("."),
            "no deterministic scorer has a label": answer.label is None,
        }.items()
        if not kept
    ]


def pointers_of_problems(name, raw):
    """Where the parameters, as the strict reader gave them, are refused."""
    try:
        catalog.find(name).prepare(raw)
    except ParametersRefused as refusal:
        return [problem.pointer for problem in refusal.problems]
    return []


def whole_case(members):
    """A case from members that were not sent, so that each may be anything at all."""
    return Case("case", None, *(members.get(name, ABSENT) for name in MEMBERS))


@pytest.mark.parametrize("name", catalog.families())
def test_it_has_a_test_module_of_its_own_with_a_passing_and_a_failing_example(name):
    assert {"pass", "fail"} <= {example.outcome for example in examples_of(name)}


@pytest.mark.parametrize("name", catalog.families())
def test_its_test_module_makes_hostile_inputs(name):
    assert inspect.isgeneratorfunction(getattr(module_of(name), "hostile_inputs", None))


@every_scorer
def test_its_summary_is_a_sentence(name):
    assert catalog.find(name).summary.startswith("Passes when ")
    assert catalog.find(name).summary.endswith(".")


@every_scorer
def test_it_needs_something_and_nothing_twice(name):
    needs = catalog.find(name).needs

    assert len(needs) == len(set(needs)) > 0


@every_scorer
def test_its_parameters_schema_is_valid_and_closed(name):
    schema = catalog.find(name).parameters_schema()

    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert [key for key, field in schema["properties"].items() if "description" not in field] == []


@every_scorer
def test_its_parameters_schema_can_be_published_as_json(name):
    schema = catalog.find(name).parameters_schema()

    assert json.loads(json.dumps(schema, allow_nan=False)) == schema


@every_scorer
def test_its_parameters_schema_names_bounds_as_json_schema_does_and_offers_no_null_where_null_is_refused(name):
    published = json.dumps(catalog.find(name).parameters_schema())

    assert [word for word in ('"ge"', '"le"', '"gt"', '"lt"', '"type": "null"') if word in published] == []


@every_case
def test_the_parameters_of_examples_are_valid_by_the_published_schema(example):
    schema = catalog.find(example.implementation).parameters_schema()

    assert list(Draft202012Validator(schema).iter_errors(example.parameters)) == []


@every_scorer
def test_it_refuses_a_parameter_that_it_does_not_know(name):
    assert refused(name, {**passing(name).parameters, "no_such_parameter": 1}) == {"/no_such_parameter"}


@every_scorer
@settings(max_examples=15)
@given(raw=values)
def test_it_reads_or_refuses_any_parameters(name, raw):
    assert all(map(is_pointer, pointers_of_problems(name, raw)))


@every_scorer
@settings(max_examples=30)
@given(data=st.data())
def test_it_reads_or_refuses_parameters_that_are_nearly_right(name, data):
    parameters = as_sent(data.draw(st.sampled_from(examples_of(name))).parameters)
    place = data.draw(st.sampled_from(list(places_in(parameters))))

    changed = replaced(parameters, place, data.draw(values))

    assert all(map(is_pointer, pointers_of_problems(name, changed)))


@every_case
def test_an_example_has_its_outcome(example):
    answer = grade(example.implementation, example.parameters, **example.case)

    assert answer.outcome == example.outcome
    assert unlawful(answer) == []


@every_case
def test_the_same_case_gives_the_same_bytes(example):
    writer = ResultWriter(Run("o", "p", "r"), ScoringVersion("s", 1, None, None), Assurance.INDEPENDENTLY_OBSERVED)
    identity = CaseIdentity("case", None, "0" * 64)

    encoded = [
        writer.encode(identity, version_of(example.implementation, example.parameters).score(case_of(example.case)))
        for _ in range(2)
    ]

    assert encoded[0] == encoded[1]


def test_the_same_case_gives_the_same_bytes_in_every_process():
    lines = [
        {
            "id": str(example),
            "implementation": example.implementation,
            "parameters": example.parameters,
            "case": {"case_id": "case", **example.case},
        }
        for example in EXAMPLES
    ]
    sent = "\n".join(map(json.dumps, lines)).encode()
    command = [sys.executable, "-m", "evalbook.cli", "score"]
    environment = {**os.environ, "PYTHONPATH": str(Path(evalbook.__file__).parents[1])}

    first, second = (
        subprocess.run(
            command, input=sent, capture_output=True, check=True, env={**environment, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in "12"
    )

    assert first == second
    assert len(first.splitlines()) == len(EXAMPLES)


@every_scorer
@settings(max_examples=30)
@given(data=st.data())
def test_it_grades_any_json_values_without_raising(name, data):
    example = data.draw(st.sampled_from(examples_of(name)))
    members = data.draw(st.dictionaries(st.sampled_from(MEMBERS), values))

    answer = version_of(name, example.parameters).score(whole_case(members))

    assert unlawful(answer) == []


@every_scorer
@settings(max_examples=50)
@given(data=st.data())
def test_it_grades_a_case_that_is_nearly_right_without_raising(name, data):
    example = data.draw(st.sampled_from(examples_of(name)))
    version, members = version_of(name, example.parameters), as_sent(example.case)
    place = data.draw(st.sampled_from([place for place in places_in(members) if place]))

    lacking = removed(members, place)
    changed = replaced(members, place, data.draw(values))

    assert unlawful(version.score(whole_case(lacking))) == []
    assert unlawful(version.score(whole_case(changed))) == []


@every_case
def test_no_explanation_holds_anything_of_the_case(example):
    version = version_of(example.implementation, example.parameters)

    for changed in with_canaries(as_sent(example.case)):
        explanation = version.score(whole_case(changed if isinstance(changed, dict) else {})).explanation
        assert CANARY not in explanation
        assert str(CANARY_NUMBER) not in explanation


@pytest.mark.parametrize(
    ("name", "need"), [(name, need) for name in NAMES for need in UNAVAILABLE if need in catalog.find(name).needs]
)
def test_a_needed_part_that_was_not_recorded_is_unsupported(name, need):
    example = passing(name)

    answer = grade(name, example.parameters, **removed(example.case, (need.value,)))

    assert (answer.outcome, answer.code) == (Outcome.UNSUPPORTED, UNAVAILABLE[need])


@needing(Need.EXPECTED)
def test_a_missing_expected_value_is_an_error_even_where_nothing_else_was_recorded(name):
    answer = grade(name, passing(name).parameters)

    assert (answer.outcome, answer.code) == (Outcome.ERROR, Code.EXPECTED_MISSING)


@needing(Need.EXPECTED)
def test_an_expected_value_of_the_wrong_type_is_an_error_even_where_nothing_else_was_recorded(name):
    fits = getattr(module_of(name), "TAKES_ANY_EXPECTED", False)

    answer = grade(name, passing(name).parameters, expected=True)

    assert fits or (answer.outcome, answer.code) == (Outcome.ERROR, Code.EXPECTED_WRONG_TYPE)


@pytest.mark.parametrize("output", ONE_OF_EACH_KIND, ids=kind_of)
@needing(Need.OUTPUT)
def test_an_output_of_the_wrong_type_fails_and_the_explanation_names_the_types(name, output):
    example, any_output = passing(name), getattr(module_of(name), "TAKES_ANY_OUTPUT", False)
    fits = any_output or kind_of(output) == kind_of(as_sent(example.case["output"]))

    answer = grade(name, example.parameters, **{**example.case, "output": output})

    assert fits or answer.outcome == Outcome.FAIL
    assert fits or answer.explanation.startswith(f"The output is {kind_of(output)}, not a")


@needing(Need.OUTPUT)
def test_an_output_path_that_leads_nowhere_fails(name):
    example = passing(name)

    answer = grade(name, {**example.parameters, "output_path": "/no such member"}, **example.case)

    assert answer.outcome == Outcome.FAIL


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "/".join(path.parts[-2:]))
def test_its_module_and_its_functions_are_short(path):
    text = path.read_text(encoding="utf-8")
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]

    assert len(text.splitlines()) <= (80 if path.stem in catalog.families() else 250)
    assert {node.name: lines for node in functions if (lines := _lines_of(node)) > 25} == {}


def _lines_of(function):
    """How many lines the body takes without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


@every_scorer
def test_its_preparation_and_parameters_are_documented(name):
    entry = catalog.find(name)

    assert inspect.getdoc(entry.preparation)
    assert entry.parameters.__doc__
    assert entry.parameters.__name__.endswith("Parameters")
