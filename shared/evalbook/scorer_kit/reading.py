"""Reading the parts of a case that a scorer needs, with the same answers for all scorers where a part is not there.

Order matters: what is wrong with the data set (error) is found before what was not recorded (unsupported), and that
before what the candidate did wrong (fail). So a scorer reads the expected value first.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored, failed, unsupported
from evalbook.domain.parameters import NamesExpected, ReadsOutput
from evalbook.jsonio.pointer import is_pointer, parse_pointer, resolve
from evalbook.jsonio.values import ABSENT, Absent, Json, kind_of

Read = Callable[[Case], Json]

_NO_OUTPUT = unsupported(Code.OUTPUT_UNAVAILABLE, "The case records no output.")
_NO_FIELD = failed("The recorded output has no value at output_path.")
_NO_EXPECTED = errored(Code.EXPECTED_MISSING, "The case has no expected value.")
_NO_EXPECTED_FIELD = errored(Code.EXPECTED_MISSING, "The expected value has no value at expected_path.")


@dataclass(frozen=True, slots=True)
class JsonKind:
    """A JSON type that a scorer needs, with the words for it."""

    words: str
    types: tuple[type, ...]


STRING: Final = JsonKind("a string", (str,))
NUMBER: Final = JsonKind("a number", (int, Decimal, float))
OBJECT: Final = JsonKind("an object", (dict,))
ARRAY: Final = JsonKind("an array", (list,))
ANYTHING: Final = JsonKind("a value", (str, int, Decimal, float, bool, dict, list, type(None)))


def output_reader(parameters: ReadsOutput, kind: JsonKind) -> Read:
    """A function that reads the part of the output that is scored; it ends the scorer where there is none of *kind*."""
    tokens, types = parse_pointer(parameters.output_path), kind.types

    def read(case: Case) -> Json:
        value = case.output
        if value is ABSENT:
            raise EarlyOutcome(_NO_OUTPUT)
        if tokens:
            value = resolve(value, tokens)
            if value is ABSENT:
                raise EarlyOutcome(_NO_FIELD)
        if type(value) not in types:
            raise EarlyOutcome(failed(f"The output is {kind_of(value)}, not {kind.words}; nothing is converted."))
        return value

    return read


def expected_reader(parameters: NamesExpected, kind: JsonKind) -> Read:
    """A function that reads the expected value, a parameter or the example's; it ends the scorer without one of *kind*.

    Raises:
        ParametersRefused: The parameter `expected` has no value of *kind* at `expected_path`.
    """
    tokens, types = parse_pointer(parameters.expected_path), kind.types
    if parameters.expected is not ABSENT:
        given = {"expected": parameters.expected, "expected_path": parameters.expected_path}
        if problems := list(expected_problems(given, kind)):
            raise ParametersRefused(problems)
        fixed = resolve(parameters.expected, tokens)
        return lambda _: fixed

    def read(case: Case) -> Json:
        value = case.expected
        if value is ABSENT:
            raise EarlyOutcome(_NO_EXPECTED)
        if tokens:
            value = resolve(value, tokens)
            if value is ABSENT:
                raise EarlyOutcome(_NO_EXPECTED_FIELD)
        if type(value) not in types:
            raise EarlyOutcome(
                errored(Code.EXPECTED_WRONG_TYPE, f"The expected value is {kind_of(value)}, not {kind.words}.")
            )
        return value

    return read


def given_expected(raw: Mapping[str, Json]) -> Json | Absent:
    """The expected value that *raw* parameters give; ABSENT where they give none or `expected_path` leads nowhere."""
    path = raw.get("expected_path", "")
    if type(path) is not str or not is_pointer(path):
        return ABSENT
    return resolve(raw.get("expected", ABSENT), parse_pointer(path))


def expected_problems(raw: Mapping[str, Json], kind: JsonKind) -> Iterator[Problem]:
    """Return what is wrong with the parameter `expected` among *raw* parameters, for `Parameters.problems`."""
    value, path = given_expected(raw), raw.get("expected_path", "")
    if value is not ABSENT and type(value) not in kind.types:
        yield Problem("/expected", f"is {kind_of(value)}, not {kind.words}, where it is compared")
    if value is ABSENT and "expected" in raw and type(path) is str and is_pointer(path):
        yield Problem("/expected_path", "leads nowhere in the parameter expected")


def within_length(text: str, most: int, name: str) -> str:
    """*text* itself; it ends the scorer where the text has over *most* characters (R-03)."""
    if len(text) > most:
        raise EarlyOutcome(
            errored(Code.INPUT_TOO_LONG, f"The {name} has {len(text)} characters; the version allows {most}.")
        )
    return text
