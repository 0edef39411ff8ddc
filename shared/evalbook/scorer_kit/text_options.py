"""The text options that several scorers share, and what is said about two texts."""

import re
from collections.abc import Callable
from unicodedata import normalize

from pydantic import Field

from evalbook.domain.parameters import Parameters
from evalbook.jsonio.values import Json

# The characters with the Unicode property White_Space; Python's str.isspace also takes U+001C to U+001F.
_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_RUN = re.compile(f"[{_WHITE_SPACE}]+")
_WHITE_SPACE_CHARS = "".join(chr(point) for point in range(0x3001) if _RUN.fullmatch(chr(point)))
_EXCERPT_CHARS = 80
_FEW = 16
"""Characters that are compared sooner one by one than by halves."""


class TextOptions(Parameters):
    """Options applied to both sides of a comparison of texts."""

    trim: bool = Field(False, description="Remove white space at both ends.")  # noqa: FBT003
    collapse_whitespace: bool = Field(False, description="Replace each run of white space by one space.")  # noqa: FBT003
    ignore_case: bool = Field(False, description="Compare without letter case (casefold, no locale).")  # noqa: FBT003
    normalize_unicode: bool = Field(False, description="Normalize to Unicode NFC.")  # noqa: FBT003


def normalizer(options: TextOptions) -> Callable[[str], str]:
    """A function that applies the chosen options in their order: NFC, white space, letter case (and NFC once more)."""
    steps: list[Callable[[str], str]] = []
    if options.normalize_unicode:
        steps.append(_nfc)
    if options.trim:
        steps.append(lambda text: text.strip(_WHITE_SPACE_CHARS))
    if options.collapse_whitespace:
        steps.append(lambda text: _RUN.sub(" ", text))
    if options.ignore_case:
        steps.append(str.casefold)
        if options.normalize_unicode:
            steps.append(_nfc)

    def normalized(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return normalized if steps else str


def words_of(text: str) -> list[str]:
    """Split *text* at runs of white space (the Unicode property White_Space) into what stands between them."""
    return [word for word in _RUN.split(text) if word]


def _nfc(text: str) -> str:
    return normalize("NFC", text)


def first_difference(left: str, right: str) -> int:
    """Return the index of the first code point in which two different texts differ, found in O(n log n) at C speed."""
    low, high = 0, min(len(left), len(right))
    while high - low > _FEW:
        middle = (low + high) // 2
        if left.startswith(right[low:middle], low):
            low = middle
        else:
            high = middle
    while low < high and left[low] == right[low]:
        low += 1
    return low


def excerpt(text: str, start: int) -> dict[str, Json]:
    """A short piece of *text* from *start*, for a result's details."""
    return {"from": start, "text": text[start : start + _EXCERPT_CHARS], "length": len(text)}
