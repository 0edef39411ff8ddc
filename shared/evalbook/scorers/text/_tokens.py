"""The tokens of a text, counted: as they stand, or normalised as the published evaluation of SQuAD does."""

import re
import string
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal

from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.text_options import words_of

Normalization = Literal["none", "squad"]
Tokens = Counter[str]

_NO_TOKENS: Final = errored(Code.EXPECTED_EMPTY, "The expected text has no tokens: it would decide nothing.")
_ARTICLES: Final = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def tokenizer(normalization: Json) -> Callable[[str], Tokens]:
    """Return a function that counts a text's tokens.

    `squad` lower-cases, removes ASCII punctuation and then English articles, as the evaluation script of SQuAD 1.1
    (Rajpurkar et al., 2016); anything else leaves tokens as they are.
    """
    if normalization != "squad":
        return lambda text: Counter(words_of(text))
    return lambda text: Counter(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def expected_tokenizer(normalization: Json) -> Callable[[str], Tokens]:
    """Return a function that counts the tokens of an expected text; it ends the scorer where there are none."""
    tokens_of = tokenizer(normalization)

    def prepare(text: str) -> Tokens:
        if not (tokens := tokens_of(text)):
            raise EarlyOutcome(_NO_TOKENS)
        return tokens

    return prepare
