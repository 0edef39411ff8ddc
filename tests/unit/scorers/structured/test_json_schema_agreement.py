"""The two validators behind json_schema, and the plain library where it is right, agree on generated schemas."""

from collections import Counter
from functools import partial
from json import dumps, loads

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evalbook.jsonschema_subset.checking import places_of, schema_problems
from evalbook.jsonschema_subset.deciding import decider
from evalbook.jsonschema_subset.locating import locator, place_of, within_size
from evalbook.jsonschema_subset.preparing import Preparation
from evalbook.jsonschema_subset.run import running
from evalbook.jsonschema_subset.upgrading import upgraded
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
        decided = [fast.validator.is_valid(value) for value in values]

    assert decided == [found_valid(preparation, value) for value in values]


@often
@given(seed=seeds)
def test_the_walking_validator_agrees_with_the_plain_library_on_whole_numbers(seed):
    schema, values = drawn(seed, fractions=False, patterned=True)
    preparation, plain = Preparation(schema, compiled), Draft202012Validator(schema)

    found = [found_valid(preparation, value) for value in values]

    assert found == [plain.is_valid(value) for value in values]


@often
@given(seed=seeds)
def test_definitions_in_containers_of_the_authors_own_mean_what_the_plain_library_says(seed):
    schema, values = drawn(seed, fractions=False, patterned=True)
    assume(isinstance(schema, dict) and "$defs" in schema)
    moved = loads(dumps(schema).replace("#/$defs/", "#/own/group/"))
    moved["own"] = {"group": moved.pop("$defs")}
    found = upgraded(moved)
    assume("$defs" in found.document)
    preparation, plain = Preparation(found.document, compiled), Draft202012Validator(moved)

    assert schema_problems(moved, lambda _pattern, _pointer: ()) == []
    assert [found_valid(preparation, value) for value in values] == [plain.is_valid(value) for value in values]


def located(preparation, schema, value):
    """The failures that the native validator's errors name; None where they are not asked for."""
    places = places_of(schema)[0]
    found = locator(decider(places, preparation.places), places, preparation.places)
    with running(STEPS):
        return None if found is None else found.failures(value, 10_000)


def placed(failures, schema):
    """The failures by the place of their keyword, whichever reference was followed to it."""
    places = places_of(schema)[0]
    return {(each.keyword, place_of(each.schema_tokens, places), each.instance_tokens) for each in failures}


@often
@given(seed=seeds)
def test_the_native_errors_name_the_failures_that_walking_finds(seed):
    schema, values = drawn(seed, fractions=True, patterned=False)
    preparation = Preparation(schema, compiled)

    for value in values:
        walked = find_failures(preparation.root, value, most=10_000, steps=STEPS)
        named = located(preparation, schema, value) if walked else None
        assert named is None or placed(named, schema) == placed(walked, schema)


def test_the_native_errors_name_them_in_most_documents():
    counts = Counter()
    for seed in range(300):
        generator = Generator(seed, fractions=True, patterned=False)
        schema, value = generator.document(), generator.value()
        if schema_problems(schema, lambda _pattern, _pointer: ()) == []:
            preparation = Preparation(schema, compiled)
            if find_failures(preparation.root, value, most=1, steps=STEPS):
                counts[located(preparation, schema, value) is not None] += 1

    assert counts[True] > 5


def test_a_value_of_more_parts_than_are_allowed_is_walked():
    assert within_size([[1, 2], {"a": 3}], 6)
    assert not within_size([[1, 2], {"a": 3}], 5)
    assert within_size("text", 1)
