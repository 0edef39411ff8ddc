r"""Brackets in a Markdown answer that can be citations, `[a]` or `[a, b]`, told from what only looks like one.

No citation are: code; the text and the target of a link or image, inline or by a label that the answer defines
(CommonMark 6.3, 6.4); the definition of such a label; a footnote mark, `[^1]`; the box of a task list; escaped
brackets; brackets without a letter or digit. Of nested brackets the innermost cite; `[1\]]` cites `1]`.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final

from evalbook.scorers.retrieval._markdown_code import without_code

_TOKEN: Final = re.compile(r"\\.|[\[\]]", re.DOTALL)
_TITLE: Final = r"""(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\))"""
_TARGET: Final = re.compile(
    rf"\([ \t]*+(?:<[^<>\n]*+>|[^\s()<>]*+(?:\([^\s()]*+\)[^\s()]*+)*+)(?:[ \t]++{_TITLE})?+[ \t]*+\)"
)
_LABEL: Final = re.compile(r"\[([^\[\]]*+)\]")
# A target that is no address makes a line such as "[1]: Yes." a claim with its citation in front.
_DEFINITION: Final = re.compile(
    rf"^ {{0,3}}\[([^\[\]^][^\[\]]*+)\]:[ \t]*+(?:<[^<>\n]*+>|[A-Za-z][A-Za-z0-9+.-]*+:\S++|[/#.]\S*+)"
    rf"(?:[ \t]++{_TITLE})?+[ \t]*+$",
    re.MULTILINE,
)
_TASK_BOX: Final = re.compile(r"^([ \t]*+(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)\[[ xX]\](?=\s)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prose:
    """An answer without its code: what stands in each pair of brackets that can be a citation, by place, and the rest.

    The contents are as they were written, escapes included. In `rest` these brackets, and the targets of links, are
    blank; places count in it too.
    """

    brackets: tuple[tuple[int, str], ...]
    rest: str


def read_prose(text: str) -> Prose:
    """Return *text* without its code and definitions, its brackets read."""
    prose = _TASK_BOX.sub(r"\1", without_code(text))
    if "[" not in prose:
        return Prose((), prose)
    labels = frozenset(_normal(found[1]) for found in _DEFINITION.finditer(prose))
    prose = _DEFINITION.sub("", prose)
    found: list[tuple[int, str]] = []
    blanks: list[tuple[int, int]] = []
    for opening, content, end, is_link in _pairs(prose, labels):
        if is_link:
            while found and found[-1][0] > opening:
                found.pop()
            blanks.append((opening + len(content) + 2 if content else opening, end))
        elif content and not content.startswith("^"):
            found.append((opening, content))
            blanks.append((opening, end))
    return Prose(tuple(found), _blanked(prose, blanks))


def _blanked(prose: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            blank = max(start, done)
            pieces += [prose[done:blank], " " * (end - blank)]
            done = end
    return "".join([*pieces, prose[done:]])


def _pairs(prose: str, labels: Container[str]) -> Iterator[tuple[int, str, int, bool]]:
    """Yield each pair of brackets, inner ones first: where it opens, what it holds, its end, whether it is a link.

    The end is the link's where it is one. What holds brackets itself cites nothing, and is given as an empty text.
    """
    openings: list[int] = []
    holding: set[int] = set()
    token = _TOKEN.search(prose)
    while token:
        after = token.end()
        if token[0] == "[":
            openings.append(token.start())
        elif token[0] == "]" and openings:
            opening = openings.pop()
            holding.update(openings[-1:])
            content = "" if opening in holding else prose[opening + 1 : token.start()]
            link_end = _link_end(prose, content, after, labels)
            after = link_end or after
            yield opening, content, after, link_end is not None
        token = _TOKEN.search(prose, after)


def _link_end(prose: str, content: str, after: int, labels: Container[str]) -> int | None:
    """Return where the link ends whose text is *content*; None where it is no link."""
    if target := _TARGET.match(prose, after):
        return target.end()
    name = _normal(content)
    label = _LABEL.match(prose, after)
    # "[1][2]" above a list of sources, "[1]: https://...", are two citations, and so is each of "[1]" and "[Doc-2]".
    if label and _normal(label[1]) in labels and name not in labels:
        return label.end()
    return after if name in labels and not any(map(str.isdigit, name)) else None


def _normal(label: str) -> str:
    return " ".join(label.split()).casefold()
