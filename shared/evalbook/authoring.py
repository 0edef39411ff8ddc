"""Everything that the author of a scorer imports, in one place.

A scorer needs no other module of this package. What stands here keeps its name and its meaning; what does not stand
here may change with any commit. `docs/writing-a-scorer.md` shows how the parts go together.
"""

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import (
    Code,
    EarlyOutcome,
    Grade,
    errored,
    failed,
    inconclusive,
    passed,
    timed_out,
    unsupported,
)
from evalbook.domain.parameters import (
    AnyJson,
    Number,
    Parameters,
    Pointer,
    ReadsExpected,
    ReadsOutput,
    Share,
    Whole,
)
from evalbook.domain.span import Span, SpanKind
from evalbook.jsonio.canonical import EXACT, exact
from evalbook.jsonio.equality import json_equal
from evalbook.jsonio.pointer import format_pointer, parse_pointer, resolve
from evalbook.jsonio.values import ABSENT, Absent, Json, is_number, kind_of
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    ScoringPattern,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
)
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorer_kit.reading import (
    ANYTHING,
    ARRAY,
    NUMBER,
    OBJECT,
    STRING,
    expected_problems,
    expected_reader,
    given_expected,
    output_reader,
    within_length,
)
from evalbook.scorer_kit.text_options import TextOptions, normalizer
from evalbook.traces.wire import read_trace

__all__ = [
    "ABSENT",
    "ANYTHING",
    "ARRAY",
    "EXACT",
    "NUMBER",
    "OBJECT",
    "STRING",
    "Absent",
    "AnyJson",
    "Case",
    "Code",
    "EarlyOutcome",
    "Grade",
    "Json",
    "Need",
    "Number",
    "Parameters",
    "ParametersRefused",
    "PatternLimits",
    "Pointer",
    "Problem",
    "ReadsExpected",
    "ReadsOutput",
    "ScoreFunction",
    "ScoringPattern",
    "Share",
    "Span",
    "SpanKind",
    "TextOptions",
    "Whole",
    "author_pattern_problems",
    "author_pattern_warnings",
    "compile_pattern",
    "errored",
    "exact",
    "expected_problems",
    "expected_reader",
    "failed",
    "format_pointer",
    "given_expected",
    "inconclusive",
    "is_number",
    "json_equal",
    "kind_of",
    "normalizer",
    "output_reader",
    "parse_pointer",
    "passed",
    "read_both",
    "read_trace",
    "resolve",
    "scorer",
    "timed_out",
    "unsupported",
    "within_length",
]
