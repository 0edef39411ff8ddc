"""The ids that an answer cites: a list in the output, or found in its text."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.outcome import EarlyOutcome, failed
from evalbook.domain.parameters import Pointer, ReadsOutput, Whole
from evalbook.jsonio.pointer import parse_pointer, resolve
from evalbook.jsonio.values import ABSENT, Json, kind_of
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
)
from evalbook.scorer_kit.reading import ANYTHING, STRING, output_reader, within_length
from evalbook.scorers.retrieval._brackets import bracketed, ids_in

CitedIds = Callable[[frozenset[str]], Iterable[str]]
"""The cited ids as they stand, given the ids that are known: those settle whether 'a, b' is one id or two."""

CitationReader = Callable[[Case], CitedIds]

_NO_LIST = failed("The output has no value at citations_path.")


class CitationSupportParameters(ReadsOutput, PatternLimits):
    """Where the citations of an answer are, and how many there must be."""

    citations_path: Pointer | None = Field(None, description="A list of ids in the output; else they are in its text.")
    citation_pattern: str | None = Field(
        None, description="Finds ids in the text: the groups that took part in a match, without groups all of it."
    )
    min_citations: Annotated[Whole, Field(ge=1)] | None = Field(None, description="The least number of distinct ids.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a pattern that cannot be used, and two places for the citations."""
        for name in ("citations_path", "citation_pattern", "min_citations"):
            if name in raw and raw[name] is None:
                yield Problem(f"/{name}", "must not be null")
        pattern = raw.get("citation_pattern")
        if isinstance(pattern, str):
            yield from author_pattern_problems(pattern, "/citation_pattern")
        if "citation_pattern" in raw and "citations_path" in raw:
            yield Problem("/citation_pattern", "cannot be given together with citations_path")

    def warnings(self) -> Iterable[Problem]:
        """Warn of a pattern that can run into its time limit on a long answer."""
        pattern = self.citation_pattern
        return () if pattern is None else author_pattern_warnings(pattern, "/citation_pattern")


def citation_reader(parameters: CitationSupportParameters) -> tuple[CitationReader, str]:
    """A function that reads what a case's output cites, and the words for where it looks."""
    if parameters.citations_path is not None:
        return _listed(parameters, parameters.citations_path), "the list at citations_path"
    if parameters.citation_pattern is not None:
        return _matched(parameters, parameters.citation_pattern), "the matches of citation_pattern"
    return _bracketed(parameters), "the brackets of the output text"


def _listed(parameters: ReadsOutput, path: str) -> CitationReader:
    output_of, tokens = output_reader(parameters, ANYTHING), parse_pointer(path)

    def read(case: Case) -> CitedIds:
        listed = resolve(output_of(case), tokens)
        if listed is ABSENT:
            raise EarlyOutcome(_NO_LIST)
        if type(listed) is not list:
            raise EarlyOutcome(failed(f"The citations are {kind_of(listed)}, not an array; nothing is converted."))
        for index, one in enumerate(listed):
            if type(one) is not str:
                raise EarlyOutcome(failed(f"Citation {index} is {kind_of(one)}, not a string; nothing is converted."))
        return lambda _: listed

    return read


def _matched(parameters: CitationSupportParameters, pattern: str) -> CitationReader:
    output_of = output_reader(parameters, STRING)
    compiled = compile_pattern(
        pattern, timeout_ms=parameters.match_timeout_ms, max_input_chars=parameters.max_input_chars
    )

    def read(case: Case) -> CitedIds:
        matches = compiled.spans(output_of(case))
        return lambda _: (one for match in matches for one in match.groups or (match.text,) if one)

    return read


def _bracketed(parameters: CitationSupportParameters) -> CitationReader:
    output_of, longest = output_reader(parameters, STRING), parameters.max_input_chars

    def read(case: Case) -> CitedIds:
        contents = bracketed(within_length(output_of(case), longest, "output"))
        return lambda known: (one for content in contents for one in ids_in(content, known))

    return read
