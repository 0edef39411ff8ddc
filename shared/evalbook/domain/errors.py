"""The error tree.

    EvalBookError
    ├── Refused                   what was asked for cannot be done; carries every problem and its JSON Pointer
    │   └── ParametersRefused     a version with these parameters cannot be created
    ├── Unreadable                the input is no message of ours; never retried
    ├── CaseInvalid               one case cannot be read; becomes an `error` result
    ├── CatalogError              a scorer module breaks the catalog's rules; a fault in this code base
    └── Retryable                 trouble that trying again can cure
        ├── WorkerDied            the scoring process ended in the middle of a case
        └── StoreUnavailable      a table, bucket or queue did not answer

No message of these errors holds payload text.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong, and where (a JSON Pointer, RFC 6901, into what was sent)."""

    pointer: str
    message: str


class EvalBookError(Exception):
    """Base of every error that this package raises on purpose."""


class Refused(EvalBookError):  # noqa: N818  (named after the state, like the outcome)
    """What was asked for cannot be done as asked."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("; ".join(f"{problem.pointer or '(whole)'}: {problem.message}" for problem in self.problems))


class ParametersRefused(Refused):
    """A version with these parameters cannot be created."""


class Unreadable(EvalBookError):  # noqa: N818
    """The input is no message of ours; trying again cannot help."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CaseInvalid(EvalBookError):  # noqa: N818
    """One case cannot be read; the message names the place and quotes nothing."""


class CatalogError(EvalBookError):
    """A scorer module breaks the catalog's rules."""


class Retryable(EvalBookError):  # noqa: N818
    """Trouble that trying again can cure."""


class WorkerDied(Retryable):
    """The scoring process ended in the middle of a case."""


class StoreUnavailable(Retryable):
    """A table, bucket or queue did not answer."""
