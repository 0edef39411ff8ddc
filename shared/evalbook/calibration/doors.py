"""What a calibration refuses because its figures would be about nothing: options and spellings that meet no case."""

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from unicodedata import normalize

from evalbook.calibration.rows import UNDECIDED, VERDICTS, CalibrationRow, Label, problem_at
from evalbook.domain.errors import Problem, Refused

_DIFFERENCE = "letter case, white space or composed letters"


def check_doors(
    rows: Sequence[CalibrationRow], threshold: float | None, pass_categories: Iterable[str], declared: Iterable[str]
) -> None:
    """Refuse options that no case can meet, and categories that are spelt in two ways.

    A pass category has to occur among the labels and decisions of *rows*, or be one that the judge *declared*. Raises
    Refused with every problem; it quotes nothing.
    """
    problems = list(_of_threshold(threshold))
    spelt = list(_spelt(rows))
    problems += _of_pass_categories(list(pass_categories), {text for _, _, text in spelt} | {*declared})
    problems += _of_spellings(spelt)
    if problems:
        raise Refused(problems)


def _of_threshold(threshold: float | None) -> Iterator[Problem]:
    if threshold is not None and not isfinite(threshold):
        yield Problem("/threshold", "must be a finite number: every score, or none, would pass")


def _of_pass_categories(pass_categories: Sequence[str], known: set[str]) -> Iterator[Problem]:
    alike = {_normal(text) for text in known}
    for index, category in enumerate(pass_categories):
        if category not in known:
            near = f", only with other {_DIFFERENCE}: write it as the cases do" if _normal(category) in alike else ""
            message = f"occurs neither among the human labels nor among the judge's decisions{near}"
            yield Problem(f"/pass_categories/{index}", message)


def _of_spellings(spelt: Sequence[tuple[int, str, str]]) -> Iterator[Problem]:
    # A verdict that occurs is spelt right, wherever it stands; of other spellings the first is taken for the right one.
    first = {text: (text, "a verdict") for _, _, text in spelt if text in VERDICTS}
    seen: set[str] = set()
    for index, key, text in spelt:
        known, where = first.setdefault(_normal(text), (text, f"a label of line {index + 1}"))
        if text != known and text not in seen:
            yield problem_at(index, key, f"differs from {where} only in {_DIFFERENCE}: spell both alike")
        seen.add(text)


def _spelt(rows: Sequence[CalibrationRow]) -> Iterator[tuple[int, str, str]]:
    """Yield every category or verdict: the row's place, the member it stands in, the text."""
    has_labels = any(row.label is not None for row in rows)
    for row in rows:
        decision = ("label", row.label) if has_labels else ("outcome", row.outcome)
        members: list[tuple[str, Label | None]] = [*(("human", label) for label in row.human)]
        members += [("adjudicated", row.adjudicated), decision, *(("repeats", reply) for reply in row.repeats)]
        for key, label in members:
            if isinstance(label, str) and label not in UNDECIDED:
                yield row.index, key, label


def _normal(text: str) -> str:
    return normalize("NFC", " ".join(normalize("NFC", text).casefold().split()))
