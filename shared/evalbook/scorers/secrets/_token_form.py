"""One form of a credential, as it is written down and as texts are searched for it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from evalbook.scorers.secrets._checks import varies


@dataclass(frozen=True, slots=True)
class TokenForm:
    """One form of the credentials that `detector` finds; `since` is the day (ISO 8601) from which it is covered.

    In `form` the group `secret` is the part that differs from key to key; `is_real` is asked about it. A *dashed* form
    has any length and may hold dashes, so it does not start behind one: it would be read repeatedly.
    """

    detector: str
    title: str
    since: str
    prefixes: tuple[str, ...]
    form: re.Pattern[str]
    is_real: Callable[[str], bool]
    dashed: bool


class FormRow(NamedTuple):
    """A form as it is written down: prefixes with `|` between them, the form as a regular expression."""

    detector: str
    title: str
    since: str
    prefixes: str
    form: str
    is_real: Callable[[str], bool] = varies
    dashed: bool = False

    def compiled(self) -> TokenForm:
        """Return the form ready to be searched for."""
        prefixes, form = tuple(self.prefixes.split("|")), re.compile(self.form, re.ASCII)
        return TokenForm(self.detector, self.title, self.since, prefixes, form, self.is_real, self.dashed)
