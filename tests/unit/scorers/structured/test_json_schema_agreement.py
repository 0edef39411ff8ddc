"""The two validators behind json_schema, and the plain library where it is right, agree on generated schemas."""

from functools import partial

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evalbook.jsonschema_subset.checking import places_of, schema_problems
from evalbook.jsonschema_subset.deciding import decider
from evalbook.jsonschema_subset.preparing import Preparation
from evalbook.jsonschema_subset.run import running
from evalbook.jsonschema_subset.validation import find_failures
from evalbook.scorer_kit.patterns import compile_pattern
from tests.unit.scorers.structured.generated_schemas import Generator

STEPS = 1_000_000
VALUES = 10
seeds = st.integers(0, 2**64)
often = settings(max_examples=400, suppress_health_check=[HealthCheck.filter_too_much])
compiled = partial(compile_pattern, timeout_ms=1_000, max_input_chars=100)


def drawn(seed, **kinds):
    """A schema of the subset and values for it."""
    generator = Generator(seed, **kinds)
    schema = generator.document()
    assume(schema_problems(schema, lambda _pattern, _pointer: ()) == [])
    return schema, [generator.value() for _ in range(VALUES)]


def found_valid(preparation, value):
    return find_failures(preparation.root, value, most=1, steps=STEPS) == []


@often
@given(seed=seeds)
def test_the_fast_validator_decides_what_the_walking_one_finds(seed):
    schema, values = drawn(seed, fractions=True, patterned=False)
    preparation = Preparation(schema, compiled)
    fast = decider(places_of(schema)[0], preparation.places)

    with running(STEPS):
        decided = [fast.is_valid(value) for value in values]

    assert decided == [found_valid(preparation, value) for value in values]


@often
@given(seed=seeds)
def test_the_walking_validator_agrees_with_the_plain_library_on_whole_numbers(seed):
    schema, values = drawn(seed, fractions=False, patterned=True)
    preparation, plain = Preparation(schema, compiled), Draft202012Validator(schema)

    found = [found_valid(preparation, value) for value in values]

    assert found == [plain.is_valid(value) for value in values]
