"""Whatever the pattern, the check ends soon and small."""

import random
import time
import tracemalloc

import pytest

from evalbook.regex_safety.automaton.steps import OutOfSteps, Steps
from evalbook.regex_safety.checker import ALLOWED_STEPS, check_pattern
from evalbook.regex_safety.syntax.problem import Reason

RANDOM = random.Random(7)
PIECES = [*"abc01(){}[]|?*+^$.,:-", "(?:", ")*", ")+", "{2,9}", r"\w", r"\s*", ".*", "a|a", "[ab]+", r"\1"]


def heap():
    return "".join(RANDOM.choice(PIECES) for _ in range(2_000))[:2_000]


def balanced(depth):
    if depth == 0:
        return RANDOM.choice(["a", "b", r"\w", "[ab]", ".", "ab"])
    kind = RANDOM.randrange(4)
    inner = [balanced(depth - 1) for _ in range(3)]
    return ["".join(inner), f"(?:{'|'.join(inner)})", f"({inner[0]})*{inner[1]}", f"(?:{inner[0]}){{1,9}}{inner[2]}"][
        kind
    ]


HOSTILE = {
    "counts in counts": "(?:(?:a{1000}){1000}){100}",
    "upper counts in counts": "((a{1,1000}){1,1000}){1,1000}",
    "a huge count": "a{10000000}",
    "counted ambiguity": "(?:(?:a|a){9}){9}$",
    "many optional": "^" + "a?" * 400 + "a" * 400 + "$",
    "deep brackets": "(" * 1000 + "a" + ")" * 1000,
    "deep repeats": "(?:" * 45 + "a" + ")*" * 45,
    "deep alternatives": "(?:" * 49 + "a" + "|b)" * 49,
    "many alternatives": "|".join(["a"] * 100_000),
    "a star of words": "(?:" + "|".join(f"w{i}" for i in range(400)) + ")*$",
    "a star of letters": "(?:" + "|".join("ab" for _ in range(480)) + ")*$",
    "empty groups": "()" * 1000,
    "repeated empty groups": "(?:()*)*" * 200,
    "many classes": "".join(f"[{chr(200 + i)}-{chr(600 + i)}]*" for i in range(250)),
    "many characters": "".join(chr(0x4E00 + i) for i in range(2_000)),
    "many references": "(" + "a*" * 20 + ")" + "\\1" * 900,
    "many look-aheads": "(?=.*a)" * 280,
    "many stars": ".*" * 1000,
    "many lazy stars": ".*?" * 600 + "b",
    "stars and words": (r"\w+\s*" * 280) + "$",
    "too long": "a" * 1_000_000,
    **{f"a heap {i}": heap() for i in range(4)},
    **{f"a tree {i}": balanced(5)[:2_000] for i in range(4)},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pattern_is_decided_within_seconds(name):
    began = time.process_time()

    check_pattern(HOSTILE[name])

    assert time.process_time() - began < 3


@pytest.mark.parametrize("name", ["a star of words", "many classes"])
def test_a_hostile_pattern_takes_less_than_64_mb(name):
    tracemalloc.start()

    check_pattern(HOSTILE[name] + "x")

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64_000_000


@pytest.mark.parametrize("name", ["counts in counts", "a huge count", "deep brackets", "many alternatives", "too long"])
def test_a_pattern_beyond_the_limits_is_too_complex(name):
    check = check_pattern(HOSTILE[name])

    assert check.refusal is not None
    assert check.refusal.reason in {Reason.TOO_COMPLEX, Reason.INVALID_SYNTAX}


def test_steps_end_when_they_are_used_up():
    steps = Steps(10)
    steps.take(10)

    with pytest.raises(OutOfSteps):
        steps.take(1)


def test_a_part_of_the_steps_is_taken_from_the_whole():
    whole = Steps(ALLOWED_STEPS)

    Steps(10, whole).take(4)

    assert whole.left == ALLOWED_STEPS - 4
