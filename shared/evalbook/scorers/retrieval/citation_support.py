"""citation_support (S-13): every document id that the answer cites was retrieved for it."""

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, Grade, failed, inconclusive, passed
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorers.retrieval._citations import CitationSupportParameters, citation_reader
from evalbook.scorers.retrieval._retrieved import retrieved


@scorer(parameters=CitationSupportParameters, needs=(Need.OUTPUT, Need.TRACE))
def citation_support(parameters: CitationSupportParameters) -> ScoreFunction:
    """Passes when every document id that the answer cites was retrieved for it."""
    citations_of, source = citation_reader(parameters)
    least = parameters.min_citations or 0

    def score(case: Case) -> Grade:
        found, cited_ids = read_both(case, retrieved, citations_of)
        known = frozenset(found.ids)
        cited = list(dict.fromkeys(cited_ids(known)))
        strangers = [one for one in cited if one not in known]
        explanation = f"{len(cited)} distinct ids are cited, by {source}; {len(strangers)} are not among {found}."
        details = {"cited": cited, "not_retrieved": strangers}
        if len(cited) < least:
            return failed(f"{explanation} The version asks for {least} or more.", details=details)
        if not cited:
            return inconclusive(Code.NO_CITATIONS, explanation)
        return failed(explanation, details=details) if strangers else passed(explanation, details=details)

    return score
