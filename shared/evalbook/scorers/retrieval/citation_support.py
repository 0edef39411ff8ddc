"""citation_support (S-13, X-17): every document id that the answer cites was retrieved for it."""

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, Grade, failed, inconclusive, passed
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorers.retrieval._citation_recall import recall_of
from evalbook.scorers.retrieval._citations import CitationSupportParameters, citation_reader
from evalbook.scorers.retrieval._retrieved import retrieved


@scorer(parameters=CitationSupportParameters, needs=(Need.OUTPUT, Need.TRACE))
def citation_support(parameters: CitationSupportParameters) -> ScoreFunction:
    """Passes when every document id that the answer cites was retrieved for it."""
    citations_of, source = citation_reader(parameters)
    least, recall = parameters.min_citations or 0, recall_of(parameters)

    def score(case: Case) -> Grade:
        (wanted, found), cited_ids = read_both(case, lambda one: read_both(one, recall.wanted, retrieved), citations_of)
        known = frozenset(found.ids)
        read = cited_ids(known)
        cited = list(dict.fromkeys(read.ids))
        strangers = [one for one in cited if one not in known]
        counts = f"{len(cited)} distinct ids are cited, by {source}; {len(strangers)} are not among {found}."
        explanation = counts + read.unread_note
        details = {"cited": cited, "not_retrieved": strangers}
        if len(cited) < least:
            return failed(f"{explanation} The version asks for {least} or more.", details=details)
        if strangers:
            return failed(explanation, details=details)
        if recall.threshold is not None:
            return recall.graded(frozenset(cited), known if wanted is None else wanted, explanation, details)
        return passed(explanation, details=details) if cited else inconclusive(Code.NO_CITATIONS, explanation)

    return score
