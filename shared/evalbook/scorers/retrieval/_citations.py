"""The ids that an answer cites: a list in the output, or found in its text."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Final, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.outcome import EarlyOutcome, failed
from evalbook.domain.parameters import Pointer, PositiveShare, ReadsExpected, ReadsOutput, Whole
from evalbook.jsonio.pointer import parse_pointer, resolve
from evalbook.jsonio.values import ABSENT, Json, kind_of
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
)
from evalbook.scorer_kit.reading import ANYTHING, STRING, output_reader, within_length
from evalbook.scorers.retrieval._citation_forms import WORDS, CitationForm, Cited, cited_in

CitedIds = Callable[[frozenset[str]], Cited]
"""What is cited, given the ids that are known: those settle whether 'a, b' is one id or two."""

CitationReader = Callable[[Case], CitedIds]

DEFAULT_FORMS: Final[tuple[CitationForm, ...]] = ("brackets", "lenticular")
# What a version that was stored before there were forms reads.
_FORMS_BEFORE: Final[tuple[CitationForm, ...]] = ("brackets",)
_NO_LIST = failed("The output has no value at citations_path.")
_LABELS = ("expected", "expected_path")
_ONE_PLACE = ("citations_path", "citation_pattern", "forms")


class CitationSupportParameters(ReadsExpected, PatternLimits):
    """Where the citations of an answer are, how many there must be, and which share of which ids they must cover."""

    citations_path: Pointer | None = Field(None, description="A list of ids in the output; else they are in its text.")
    citation_pattern: str | None = Field(
        None, description="Finds ids in the text: the groups that took part in a match, without groups all of it."
    )
    forms: Annotated[list[CitationForm], Field(min_length=1)] = Field(
        list(DEFAULT_FORMS), description="How the text cites, where neither of these says it."
    )
    min_citations: Annotated[Whole, Field(ge=1)] | None = Field(None, description="The least number of distinct ids.")
    recall_threshold: PositiveShare | None = Field(
        None, description="The least share of the ids named by recall_of that must be cited; above 0."
    )
    recall_of: Literal["retrieved", "labelled"] = Field(
        "retrieved", description="Whose share that is: the ids retrieved, or those that the expected value labels."
    )

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a pattern that cannot be used, two places for the citations, and labels that nothing reads."""
        for name in ("citations_path", "citation_pattern", "min_citations", "recall_threshold"):
            if name in raw and raw[name] is None:
                yield Problem(f"/{name}", "must not be null: leave it out")
        pattern = raw.get("citation_pattern")
        if isinstance(pattern, str):
            yield from author_pattern_problems(pattern, "/citation_pattern")
        first, *others = [name for name in _ONE_PLACE if name in raw] or [""]
        yield from (Problem(f"/{name}", f"cannot be given together with {first}") for name in others)
        if "recall_of" in raw and "recall_threshold" not in raw:
            yield Problem("/recall_of", "needs recall_threshold, the least share of those ids that must be cited")
        if raw.get("recall_of") != "labelled":
            yield from (Problem(f"/{name}", "is read with recall_of labelled only") for name in _LABELS if name in raw)

    @classmethod
    def stored(cls, raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return *raw* with the forms spelt out: a later default will not change what the version means."""
        return raw if any(name in raw for name in _ONE_PLACE) else {**raw, "forms": list(DEFAULT_FORMS)}

    @classmethod
    def reads_expected(cls, raw: Mapping[str, Json]) -> bool:
        """Return whether labels are read: only for the recall of them."""
        return raw.get("recall_of") == "labelled"

    @classmethod
    def as_stored(cls, raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return *raw*, which a version stores, with the forms that were read before there was a choice."""
        return raw if any(name in raw for name in _ONE_PLACE) else {**raw, "forms": list(_FORMS_BEFORE)}

    def warnings(self) -> Iterable[Problem]:
        """Warn of a pattern that can run into its time limit on a long answer."""
        pattern = self.citation_pattern
        return () if pattern is None else author_pattern_warnings(pattern, "/citation_pattern")


def citation_reader(parameters: CitationSupportParameters) -> tuple[CitationReader, str]:
    """Return a function that reads what a case's output cites, and the words for where it looks."""
    if parameters.citations_path is not None:
        return _listed(parameters, parameters.citations_path), "the list at citations_path"
    if parameters.citation_pattern is not None:
        return _matched(parameters, parameters.citation_pattern), "the matches of citation_pattern"
    words = [word for form, word in WORDS.items() if form in parameters.forms]
    return _written(parameters), f"the {' and '.join(words)} of the output text"


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
        return lambda _: Cited(listed)

    return read


def _matched(parameters: CitationSupportParameters, pattern: str) -> CitationReader:
    output_of = output_reader(parameters, STRING)
    compiled = compile_pattern(
        pattern, timeout_ms=parameters.match_timeout_ms, max_input_chars=parameters.max_input_chars
    )

    def read(case: Case) -> CitedIds:
        matches = compiled.spans(output_of(case))
        return lambda _: Cited([one for match in matches for one in match.groups or (match.text,) if one])

    return read


def _written(parameters: CitationSupportParameters) -> CitationReader:
    output_of, longest = output_reader(parameters, STRING), parameters.max_input_chars
    forms = frozenset(parameters.forms)

    def read(case: Case) -> CitedIds:
        text = within_length(output_of(case), longest, "output")
        return lambda known: cited_in(text, forms, known)

    return read
