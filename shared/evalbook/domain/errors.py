"""The error tree of the whole package, drawn in full; a module that raises an error of its own defines it there.

    EvalBookError
    ├── Refused                   what was asked for cannot be done; carries every problem and its JSON Pointer
    │   ├── ParametersRefused     a version with these parameters cannot be created
    │   └── NotConverted          a document of another tool is no trace (traces.conversion)
    ├── Declined                  a request that the registry's rules do not allow (domain.refusals)
    ├── Unreadable                the input is no message of ours; never retried
    ├── CaseInvalid               one case cannot be read; becomes an `error` result
    ├── CatalogError              a scorer module breaks the catalog's rules; a fault in this code base
    ├── MatchTimeout              a pattern's match was stopped (regex_safety.matcher)
    ├── InputTooLong              a text is longer than the pattern's version allows (regex_safety.matcher)
    ├── ReplyUnusable             a judge's reply is no reply as the version asks for (judges.reply_json)
    ├── CatalogUnreadable         the gateway's list of models cannot be read (judges.catalog)
    ├── GatewayFailure            a call of a model came to nothing (services.judging.gateway)
    ├── TraceUnreadable           what the traces component answered is no trace (traces.port)
    ├── ApiRefused                the HTTP API of another deployment refused (services.registry.transfer_port)
    ├── StepRetryable             a step of a judge run that the state machine runs again (entrypoints.judging)
    ├── StepFailed                a step of a judge run that it does not run again (entrypoints.judging)
    └── Retryable                 trouble that trying again can cure
        ├── WorkerDied            the scoring process ended in the middle of a case
        ├── StoreUnavailable      a table, bucket or queue did not answer
        ├── NotSent               results or the remainder of a batch could not be sent (services.scoring.consumer)
        ├── NotNow                a judge's case has to wait (services.judging.ports)
        ├── CatalogUnavailable    the gateway's list of models cannot be had (services.judging.gateway)
        └── TracesUnavailable     the traces component did not answer (traces.port)

Beside the tree stand exceptions that end a computation early and are no faults: `EarlyOutcome` carries a grade,
`NotStrictJson` and `NotStorable` say what a text or value is. No message of these errors holds payload text.
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


class Refused(EvalBookError):
    """What was asked for cannot be done as asked."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("; ".join(f"{problem.pointer or '(whole)'}: {problem.message}" for problem in self.problems))


class ParametersRefused(Refused):
    """A version with these parameters cannot be created."""


class Unreadable(EvalBookError):
    """The input is no message of ours; trying again cannot help."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CaseInvalid(EvalBookError):
    """One case cannot be read; the message names the place and quotes nothing."""


class CatalogError(EvalBookError):
    """A scorer module breaks the catalog's rules."""


class Retryable(EvalBookError):
    """Trouble that trying again can cure."""


class WorkerDied(Retryable):
    """The scoring process ended in the middle of a case."""


class StoreUnavailable(Retryable):
    """A table, bucket or queue did not answer."""
