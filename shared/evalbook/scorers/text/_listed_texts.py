"""The listed texts of contains and not_contains: a parameter, or the expected value."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.domain.parameters import ReadsExpected
from evalbook.jsonio.values import ABSENT, Absent, Json, kind_of
from evalbook.scorer_kit.reading import (
    STRING,
    JsonKind,
    expected_problems,
    expected_reader,
    given_expected,
    output_reader,
)
from evalbook.scorer_kit.text_options import TextOptions, normalizer
from evalbook.scorers.text._occurrence import OccurrenceOptions

Texts = tuple[str, ...]

_EMPTY_LIST = errored(Code.EXPECTED_EMPTY, "The expected list of texts is empty.")
_TEXT_OR_TEXTS = JsonKind("a string or an array of strings", (str, list))
_EMPTY = "is empty, once the text options are applied: it would be found in anything"
_MAX_NAMED = 10


class ListedTextsParameters(ReadsExpected, TextOptions, OccurrenceOptions):
    """Which texts are looked for."""

    texts: list[str] | None = Field(None, min_length=1, description="The texts; without them the expected value.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse texts that are empty once the options are applied: they would be found in anything."""
        if "texts" in raw and raw["texts"] is None:
            yield Problem("/texts", "must be an array, not null")
        if "texts" in raw and "expected" in raw:
            yield Problem("/expected", "cannot be given together with texts")
        chosen = {name: raw.get(name) is True for name in TextOptions.model_fields}
        normalized = normalizer(TextOptions.model_validate(chosen))
        texts = raw.get("texts")
        for index, text in enumerate(texts if isinstance(texts, list) else ()):
            if isinstance(text, str) and not normalized(text):
                yield Problem(f"/texts/{index}", _EMPTY)
        yield from expected_problems(raw, _TEXT_OR_TEXTS)
        yield from _problems_of(given_expected(raw), f"/expected{raw.get('expected_path', '')}", normalized)


def _problems_of(expected: Json | Absent, pointer: str, normalized: Callable[[str], str]) -> Iterator[Problem]:
    """Return what is wrong with the texts that the parameter `expected` lists at *pointer*."""
    if expected == []:
        yield Problem(pointer, "is an empty array")
    for index, text in enumerate(expected if type(expected) is list else ()):
        if type(text) is not str:
            yield Problem(f"{pointer}/{index}", f"is {kind_of(text)}, not a string")
        elif not normalized(text):
            yield Problem(f"{pointer}/{index}", _EMPTY)
    if type(expected) is str and not normalized(expected):
        yield Problem(pointer, _EMPTY)


def listed_texts(parameters: ListedTextsParameters) -> Callable[[Case], tuple[str, Texts]]:
    """Return a function that reads a case's output and the texts looked for in it, the options applied to both."""
    normalized, output_of = normalizer(parameters), output_reader(parameters, STRING)
    texts_of = _fixed(parameters) or _expected(parameters)

    def read(case: Case) -> tuple[str, Texts]:
        texts = texts_of(case)
        return normalized(output_of(case)), texts

    return read


def _fixed(parameters: ListedTextsParameters) -> Callable[[Case], Texts] | None:
    if parameters.texts is None:
        return None
    texts = tuple(map(normalizer(parameters), parameters.texts))
    return lambda _: texts


def _expected(parameters: ListedTextsParameters) -> Callable[[Case], Texts]:
    normalized, expected_of = normalizer(parameters), expected_reader(parameters, _TEXT_OR_TEXTS)

    def texts_of(case: Case) -> Texts:
        expected = expected_of(case)
        texts = [expected] if type(expected) is str else expected
        if not texts:
            raise EarlyOutcome(_EMPTY_LIST)
        return tuple(_checked(index, text, normalized) for index, text in enumerate(texts))

    if parameters.expected is ABSENT:
        return texts_of
    texts = texts_of(Case(""))
    return lambda _: texts


def _checked(index: int, text: Json, normalized: Callable[[str], str]) -> str:
    if type(text) is not str:
        raise EarlyOutcome(
            errored(Code.EXPECTED_WRONG_TYPE, f"Expected text {index} is {kind_of(text)}, not a string.")
        )
    shown = normalized(text)
    if not shown:
        raise EarlyOutcome(
            errored(Code.EXPECTED_EMPTY, f"Expected text {index} is empty: it would be found in anything.")
        )
    return shown


def named(indexes: list[int]) -> str:
    """Name texts by their indexes, the first ten of them."""
    shown = ", ".join(map(str, indexes[:_MAX_NAMED]))
    return f"{shown} and {len(indexes) - _MAX_NAMED} more" if len(indexes) > _MAX_NAMED else shown
