"""Whether what a judge quotes stands where it says."""

import unicodedata
from collections.abc import Callable, Mapping

from evalbook.judges.reply import Evidence


def verifier(contents: Mapping[str, str]) -> Callable[[Evidence], bool]:
    """Give the check of quotes against *contents*, the fenced texts by name.

    A quote is verified where it stands in the fence that it names, by NFC and with white space collapsed. A quote
    without any character verifies nothing.
    """
    texts = {name: _collapsed(text) for name, text in contents.items()}

    def is_verified(evidence: Evidence) -> bool:
        quote = _collapsed(evidence.quote)
        return bool(quote) and quote in texts.get(evidence.source, "")

    return is_verified


def _collapsed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
