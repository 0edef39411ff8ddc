"""The modelled engine answers as the engine does, and counts the same on every machine."""

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evalbook.regex_safety.automaton.alphabet import Alphabet
from evalbook.regex_safety.engine_model.lowering import lower
from evalbook.regex_safety.engine_model.machine import Machine, TooCostly
from evalbook.regex_safety.syntax.limits import check_size
from evalbook.regex_safety.syntax.parser import parse
from evalbook.regex_safety.syntax.problem import PatternRefused

from .strategies import patterns, pieces

FLAGS = st.sampled_from([0, 0, int(regex.I), int(regex.M), int(regex.S), int(regex.X)])


def accepted(pattern, flags):
    try:
        tree = parse(pattern, flags)
        check_size(tree)
    except PatternRefused:
        return None
    return tree


def run(pattern, text, *, whole=False, flags=0, limit=1_000_000):
    tree = parse(pattern, flags)
    model = Machine(lower(tree, Alphabet(tree)), text, whole=whole, limit=limit)
    model.match()
    return model


def agree(data, pattern, flags):
    tree = accepted(pattern, flags)
    assume(tree is not None)
    compiled = regex.compile(pattern, flags)
    alphabet = Alphabet(tree)
    program = lower(tree, alphabet)
    text = data.draw(st.text(st.sampled_from(alphabet.characters), max_size=7))
    for whole in (False, True):
        model = Machine(program, text, whole=whole, limit=200_000)
        try:
            model.match()
        except TooCostly:
            continue
        match = (compiled.fullmatch if whole else compiled.search)(text, timeout=5)
        assert model.matched == (match is not None)


@settings(max_examples=150, deadline=None)
@given(st.data(), patterns, FLAGS)
def test_a_well_formed_pattern_means_the_same_to_the_engine(data, pattern, flags):
    agree(data, pattern, flags)


@settings(max_examples=150, deadline=None)
@given(st.data(), pieces, FLAGS)
def test_whatever_is_accepted_the_engine_accepts_with_the_same_meaning(data, pattern, flags):
    agree(data, pattern, flags)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("a|b", "xb", True),
        ("^b", "ab", False),
        ("(?m)^b", "a\nb", True),
        ("a(?=b)", "ab", True),
        ("a(?!b)", "ab", False),
        ("(?<=a)b", "ab", True),
        ("(?<!a)b", "ab", False),
        ("(a|b)\\1", "ab", False),
        ("(a|b)\\1", "bb", True),
        ("(?>a*)a", "aaa", False),
        ("a*+a", "aaa", False),
        ("(a)?(?(1)b|c)", "ab", True),
        ("\\bb", "ab b", True),
        ("(?i)straße", "STRASSE", False),
    ],
)
def test_the_model_finds_what_a_pattern_means(pattern, text, found):
    model = run(pattern, text)

    assert model.matched is found


def test_the_whole_text_has_to_match_in_that_mode():
    model = run("a*", "aab", whole=True)

    assert not model.matched


def test_the_same_run_costs_the_same_every_time():
    first = run("(a|aa)*b", "a" * 12 + "!b")

    second = run("(a|aa)*b", "a" * 12 + "!b")

    assert first.cost == second.cost


def test_a_text_without_the_required_characters_costs_nothing():
    model = run("(a|a)*b", "a" * 50)

    assert model.cost == 0


def test_ambiguous_alternatives_double_the_cost_with_every_character():
    less = run("(a|a)*$", "a" * 8 + "!")

    more = run("(a|a)*$", "a" * 10 + "!")

    assert 3.5 < more.cost / less.cost < 4.5


def test_the_engines_guards_keep_a_nested_repeat_polynomial():
    less = run("^(a+)+$", "a" * 100 + "!")

    more = run("^(a+)+$", "a" * 200 + "!")

    assert 3 < more.cost / less.cost < 5


def test_a_run_ends_at_its_limit():
    with pytest.raises(TooCostly):
        run("(a|a)*$", "a" * 40 + "!", limit=50_000)
