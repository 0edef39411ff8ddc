"""The share of the retrieved, or of the labelled, ids that an answer cites."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, Grade, failed, inconclusive, passed
from evalbook.jsonio.canonical import EXACT
from evalbook.jsonio.values import Json
from evalbook.scorers.retrieval._citations import CitationSupportParameters
from evalbook.scorers.retrieval._labels import label_reader


@dataclass(frozen=True, slots=True)
class CitationRecall:
    """The recall that a version asks for; `wanted` reads a case's labelled ids, None where the retrieved ones count."""

    threshold: Decimal | None
    labelled: bool
    wanted: Callable[[Case], frozenset[str] | None]

    def graded(
        self, cited: frozenset[str], wanted: frozenset[str], explanation: str, details: Mapping[str, Json]
    ) -> Grade:
        """Grade *cited* against *wanted*, exactly: 2 of 3 do not meet 0.6667."""
        words = "labelled" if self.labelled else "retrieved"
        if not wanted:
            code = Code.NOTHING_LABELLED if self.labelled else Code.NOTHING_RETRIEVED
            return inconclusive(code, f"{explanation} No id is {words}, so there is none whose share could be cited.")
        hits, threshold = len(cited & wanted), self.threshold or Decimal(0)
        meets = hits >= EXACT.multiply(threshold, Decimal(len(wanted)))
        judged = "it meets the threshold" if meets else "it is below the threshold"
        explanation = f"{explanation} {hits} of {len(wanted)} {words} ids are cited; {judged}."
        grade = passed if meets else failed
        return grade(explanation, details=dict(details), score=hits / len(wanted))


def recall_of(parameters: CitationSupportParameters) -> CitationRecall:
    """Return the recall that a version with these *parameters* asks for.

    Raises:
        ParametersRefused: The labels that they give are no list of strings, or an empty one.
    """
    if parameters.recall_of == "retrieved":
        return CitationRecall(parameters.recall_threshold, labelled=False, wanted=lambda _: None)
    labels_of = label_reader(parameters)
    return CitationRecall(parameters.recall_threshold, labelled=True, wanted=lambda case: labels_of(case).ids)
