"""Decides whether a pattern can make a match run out of time."""

from functools import lru_cache

from evalbook.regex_safety.advice import Advisor
from evalbook.regex_safety.automaton.alphabet import Alphabet
from evalbook.regex_safety.automaton.automaton import Automaton
from evalbook.regex_safety.automaton.steps import OutOfSteps, Steps
from evalbook.regex_safety.automaton.surroundings import surroundings
from evalbook.regex_safety.automaton.words import Words
from evalbook.regex_safety.engine_model import modelled
from evalbook.regex_safety.growth import Growth
from evalbook.regex_safety.syntax.limits import check_length, check_size
from evalbook.regex_safety.syntax.parser import parse
from evalbook.regex_safety.syntax.problem import PatternCheck, PatternRefused, Reason, refuse
from evalbook.regex_safety.syntax.syntax import FLAG_BITS, Flag, Mode, Part, Repeat, walk
from evalbook.regex_safety.trial import REFUSED_LENGTH, Trial, reference_length

WARNED_LENGTH = 100_000
STEEP_LENGTH = 100
AMBIGUOUS_LENGTH = 4_500
"""Repeats inside repeats that share out one text in several ways are exponential by their structure.

Where only the engine's guards hold one back to a power of the length, it is refused if it reaches 100 ms within this
length: a small change, of the pattern or of the engine, would set it free."""
ALLOWED_STEPS = 2_500_000
WORD_STEPS = 400_000
MIN_BOUND = 6


def check_pattern(pattern: str, *, flags: frozenset[Flag] = frozenset(), mode: Mode = "search") -> PatternCheck:
    """Give what is wrong with *pattern* when it is matched in *mode*; the same answer on every machine."""
    return _check(pattern, sum(FLAG_BITS[flag] for flag in flags), mode)


@lru_cache(maxsize=256)
def _check(pattern: str, flags: int, mode: Mode) -> PatternCheck:
    try:
        if not pattern:
            raise refuse(Reason.EMPTY, 0, 0, "an empty pattern matches every text; write what has to be found")
        check_length(pattern)
        part = parse(pattern, flags)
        check_size(part)
        return _judge(part, Alphabet(part), pattern, whole=mode == "fullmatch")
    except PatternRefused as refused:
        return PatternCheck(refusal=refused.problem)


def _judge(part: Part, alphabet: Alphabet, pattern: str, *, whole: bool) -> PatternCheck:
    bound = sum(p.high for p in walk(part) if isinstance(p, Repeat) and p.high and p.high > p.low)
    try:
        words = Words(Automaton(part, alphabet.sets), alphabet, Steps(WORD_STEPS))
        if not words.looping():
            return PatternCheck()
        around = surroundings(part, alphabet)
        limit = bound if bound > MIN_BOUND else 0
        trial = Trial(modelled(part, alphabet, whole=whole), words, Steps(ALLOWED_STEPS), whole, limit, around)
        worst = trial.worst()
    except OutOfSteps:
        raise refuse(
            Reason.TOO_COMPLEX, 0, len(pattern), "too complex to be checked; write a shorter pattern"
        ) from None
    words.steps = Steps(WORD_STEPS)
    return PatternCheck() if worst is None else _verdict(worst, Advisor(pattern, part, words))


def _verdict(worst: Growth, advisor: Advisor) -> PatternCheck:
    length = reference_length(worst)
    if length > WARNED_LENGTH:
        return PatternCheck()
    reason = Reason.POLYNOMIAL
    nested = length <= AMBIGUOUS_LENGTH and advisor.nested_repeat(worst.attack.pump) is not None
    if nested or worst.exponential or length <= STEEP_LENGTH:
        reason = Reason.EXPONENTIAL
    elif length <= REFUSED_LENGTH:
        reason = Reason.POLYNOMIAL_TOO_FAST
    problem = advisor.explain(reason, worst, int(length))
    return PatternCheck(warning=problem) if reason is Reason.POLYNOMIAL else PatternCheck(refusal=problem)
