"""Citations in a Markdown answer, `[a]` or `[a, b]`, told from what only looks like one.

No citation are: code; the text and the target of a link or image, inline or by a label that the answer defines
(CommonMark 6.3, 6.4); the definition of such a label; a footnote mark, `[^1]`; the box of a task list; escaped
brackets; brackets without a letter or digit. Of nested brackets the innermost cite.
"""

import re
from collections.abc import Container, Iterator
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
_SEPARATOR: Final = re.compile("[,;]")


def bracketed(text: str) -> list[str]:
    """What stands in each pair of brackets of *text* that can be a citation, in order."""
    if "[" not in text:
        return []
    prose = _TASK_BOX.sub(r"\1", without_code(text))
    labels = frozenset(_normal(found[1]) for found in _DEFINITION.finditer(prose))
    found: list[tuple[int, str]] = []
    for opening, content, is_link in _pairs(_DEFINITION.sub("", prose), labels):
        if is_link:
            while found and found[-1][0] > opening:
                found.pop()
        elif content and not content.startswith("^"):
            found.append((opening, content))
    return [content for _, content in found]


def _pairs(prose: str, labels: Container[str]) -> Iterator[tuple[int, str, bool]]:
    """Each pair of brackets, inner ones first: where it opens, what it holds, and whether that is a link's text.

    What holds brackets itself cites nothing, and is given as an empty text.
    """
    openings: list[int] = []
    token = _TOKEN.search(prose)
    while token:
        after = token.end()
        if token[0] == "[":
            openings.append(token.start())
        elif token[0] == "]" and openings:
            opening = openings.pop()
            nested = prose.find("[", opening + 1, token.start()) >= 0
            content = "" if nested else prose[opening + 1 : token.start()]
            link_end = _link_end(prose, content, after, labels)
            yield opening, content, link_end is not None
            after = link_end or after
        token = _TOKEN.search(prose, after)


def _link_end(prose: str, content: str, after: int, labels: Container[str]) -> int | None:
    """Where the link ends whose text is *content*; None where it is no link."""
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


def ids_in(content: str, known: Container[str]) -> Iterator[str]:
    """The ids that brackets with this *content* cite: all of it where that is a *known* id, else its parts."""
    whole = content.strip()
    for part in [whole] if whole in known else map(str.strip, _SEPARATOR.split(whole)):
        if any(map(str.isalnum, part)) or part in known:
            yield part
