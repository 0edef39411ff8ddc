"""The forms in which an answer's text cites: which ids it names in the forms that are read, and how often in others."""

import re
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from evalbook.scorers.retrieval._brackets import Prose, read_prose
from evalbook.scorers.retrieval._cited_ids import expansion, ids_in, parts_of

CitationForm = Literal["brackets", "ranges", "lenticular", "parentheses", "superscript"]

WORDS: Final[dict[CitationForm, str]] = {
    "brackets": "brackets",
    "ranges": "ranges",
    "lenticular": "lenticular brackets",
    "parentheses": "parentheses",
    "superscript": "superscripts",
}
_LENTICULAR: Final = re.compile("【([^【】†\n]*+)†[^【】]*+】")
_PARENTHESES: Final = re.compile(r"(?<!\\)\(([^()\n]*+)(?<!\\)\)")
_TAGGED: Final = re.compile("<sup>([^<>]*+)</sup>", re.IGNORECASE)
_RAISED: Final = re.compile("[⁰¹²³⁴-⁹]++(?:[⁻,˒][⁰¹²³⁴-⁹]++)*+")
_LOWERED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒", "0123456789-,")


@dataclass(slots=True)
class Cited:
    """The ids that a text cites, in order, repeats included; how often it cites in forms that are not read."""

    ids: list[str] = field(default_factory=list)
    unread: Counter[CitationForm] = field(default_factory=Counter)

    @property
    def unread_note(self) -> str:
        """A sentence, after a space, on the forms that occur and are not read; nothing where there are none."""
        counts = [f"{WORDS[form]} {self.unread[form]}" for form in WORDS if self.unread[form]]
        return (
            f" Other forms of citation occur, which the version does not read: {', '.join(counts)}." if counts else ""
        )


def cited_in(text: str, forms: Container[CitationForm], known: Container[str]) -> Cited:
    """Return what *text*, an answer in Markdown, cites in *forms*, given the ids that are *known*."""
    cited, ranges, prose = Cited(), "ranges" in forms, read_prose(text)
    for form, content in _occurrences(prose, known):
        is_range = form != "lenticular" and any(expansion(part, known) for part in parts_of(content, known))
        if form not in forms and not (form == "brackets" and is_range and ranges):
            cited.unread[form] += 1
            continue
        cited.ids += ids_in(content, known, ranges=is_range and ranges)
        cited.unread["ranges"] += is_range and not ranges
    return cited


def _occurrences(prose: Prose, known: Container[str]) -> list[tuple[CitationForm, str]]:
    """Return the form and the content of everything that cites, in the order of the text."""
    found: list[tuple[int, CitationForm, str]] = []
    for at, content in prose.brackets:
        if any(parts_of(content, known)):
            found.append((at, "brackets", content))
    found += ((at, "lenticular", content) for at, content in _lenticular(prose.rest, known))
    found += ((at, "parentheses", content) for at, content in _parentheses(prose.rest, known))
    found += ((at, "superscript", content) for at, content in _superscripts(prose.rest, known))
    return [(form, content) for _, form, content in sorted(found)]


def _lenticular(text: str, known: Container[str]) -> Iterator[tuple[int, str]]:
    """Yield what stands before the dagger in lenticular brackets; without a dagger they only emphasise."""
    for found in _LENTICULAR.finditer(text):
        whole = found[0][1:-1].strip()
        if whole in known or any(map(str.isalnum, found[1])):
            yield found.start(), whole if whole in known else found[1]


def _parentheses(text: str, known: Container[str]) -> Iterator[tuple[int, str]]:
    """Yield the contents of parentheses that name ids: words in them that are no known id make a remark of them."""
    for found in _PARENTHESES.finditer(text):
        parts = list(parts_of(found[1], known))
        attached = found.start() > 0 and text[found.start() - 1].isalnum()
        if parts and all(_is_id(part, known, attached=attached) for part in parts):
            yield found.start(), found[1]


def _is_id(part: str, known: Container[str], *, attached: bool) -> bool:
    """Whether *part* names an id; letters that are *attached* to a word, as in "report(s)", belong to that word."""
    if part in known or expansion(part, known):
        return True
    if any(char.isspace() or char in "[]" for char in part):
        return False
    return not attached or any(map(str.isdigit, part))


def _superscripts(text: str, known: Container[str]) -> Iterator[tuple[int, str]]:
    """Yield raised numbers, in characters of their own or in `<sup>`; there also other ids that are known."""
    for found in _TAGGED.finditer(text):
        parts = list(parts_of(found[1], known))
        if parts and all(part in known or any(map(str.isdigit, part)) for part in parts):
            yield found.start(), found[1]
    for found in _RAISED.finditer(text):
        yield found.start(), found[0].translate(_LOWERED)
