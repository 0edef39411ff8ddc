"""The reference calls that a trajectory is compared with: their form, and what of their arguments is compared."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.domain.parameters import NamesExpected
from evalbook.jsonio.pointer import Tokens, parse_pointer
from evalbook.jsonio.values import ABSENT, Absent, Json, kind_of
from evalbook.scorer_kit.reading import ARRAY, expected_reader

Arguments = Mapping[str, Json]


class ReferenceCall(NamedTuple):
    """One call of the reference; without arguments it stands for a call of that name with any."""

    name: str
    arguments: Arguments | Absent


def reference_reader(parameters: NamesExpected) -> Callable[[Case], Sequence[ReferenceCall]]:
    """Return a function that reads a case's reference: a list of `{"name", "arguments"?}`.

    It ends the scorer with EXPECTED_MISSING or EXPECTED_WRONG_TYPE where there is none of that form.

    Raises:
        ParametersRefused: The parameter `expected` has another form.
    """
    expected_of = expected_reader(parameters, ARRAY)
    if parameters.expected is ABSENT:
        return lambda case: _calls(expected_of(case))
    try:
        fixed = _calls(expected_of(Case("")))
    except EarlyOutcome as ending:
        raise ParametersRefused([Problem("/expected", ending.grade.explanation)]) from None
    return lambda _: fixed


def _calls(listed: Sequence[Json]) -> list[ReferenceCall]:
    return [_call(index, each) for index, each in enumerate(listed)]


def _call(index: int, raw: Json) -> ReferenceCall:
    fault = _fault(raw)
    if fault:
        message = f'Reference call {index} {fault}; a reference call is {{"name", "arguments"?}}.'
        raise EarlyOutcome(errored(Code.EXPECTED_WRONG_TYPE, message))
    return ReferenceCall(raw["name"], raw.get("arguments", ABSENT))


def _fault(raw: Json) -> str | None:
    if type(raw) is not dict:
        return f"is {kind_of(raw)}, not an object"
    if type(raw.get("name")) is not str or not raw["name"]:
        return "has no name" if "name" not in raw else "has a name that is no text of at least one character"
    if type(raw.get("arguments", {})) is not dict:
        return f"has arguments that are {kind_of(raw['arguments'])}, not an object"
    unknown = len(raw.keys() - {"name", "arguments"})
    return f"has {unknown} members that are neither name nor arguments" if unknown else None


def pruned(ignored: Iterable[str]) -> Callable[[Arguments], Arguments]:
    """Return a function that leaves the values at the pointers *ignored* out of arguments."""
    # The last first: an element that is left out moves those behind it.
    paths = sorted(
        map(parse_pointer, ignored), key=lambda tokens: [(len(token), token) for token in tokens], reverse=True
    )

    def prune(arguments: Arguments) -> Arguments:
        value: Json = dict(arguments)
        for tokens in paths:
            value = _without(value, tokens)
        kept: Arguments = value
        return kept

    return prune if paths else lambda arguments: arguments


def _without(value: Json, tokens: Tokens) -> Json:
    """Return *value* without what stands at *tokens*, its parts copied only on the way there."""
    token, below = tokens[0], tokens[1:]
    if type(value) is dict and token in value:
        member = {token: _without(value[token], below)} if below else {}
        return {name: each for name, each in value.items() if name != token} | member
    if type(value) is list and str(token).isdecimal() and int(token) < len(value):
        place = int(token)
        return [*value[:place], *([_without(value[place], below)] if below else []), *value[place + 1 :]]
    return value
