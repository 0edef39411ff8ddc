"""A schema ready to validate: `jsonschema-rs` decides, `jsonschema` says where a value breaks the schema."""

from dataclasses import dataclass
from typing import Final

from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.checking import places_of
from evalbook.jsonschema_subset.deciding import Decider, decider
from evalbook.jsonschema_subset.formats import FormatUse
from evalbook.jsonschema_subset.locating import locator, place_of
from evalbook.jsonschema_subset.preparing import Compile, Preparation
from evalbook.jsonschema_subset.run import StepsExhausted, running
from evalbook.jsonschema_subset.upgrading import upgraded
from evalbook.jsonschema_subset.validation import Failure, find_failures

MAX_NAMED: Final = 10
# A step is a keyword applied to a value, some ten microseconds.
DECIDING_STEPS: Final = 200_000
LOCATING_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a value is valid, and up to ten places where it is not; none where they could not be found in time."""

    valid: bool
    failures: tuple[Failure, ...] = ()


_VALID: Final = Verdict(valid=True)


class CompiledSchema:
    """A schema that `checking` found no problem with, upgraded; compiled once, used for any number of values."""

    def __init__(self, document: Json, compile_pattern: Compile, formats: FormatUse = "assert") -> None:
        document = upgraded(document).document
        self._places = places_of(document)[0]
        preparation = Preparation(document, compile_pattern, formats)
        self._root = preparation.root
        self._decider = decider(self._places, preparation.places)
        self._locator = locator(self._decider, self._places, preparation.places)

    def verdict(self, instance: Json) -> Verdict:
        """Whether *instance* is valid, by exact comparison of numbers.

        Raises:
            StepsExhausted: It takes too many steps to decide.
            RecursionError: Schema and value nest too deeply together to decide.
            Undecided: A pattern cannot be matched.
        """
        decided = self._decided(instance)
        if decided is None:
            found = find_failures(self._root, instance, most=MAX_NAMED, steps=DECIDING_STEPS)
            return Verdict(valid=False, failures=tuple(found)) if found else _VALID
        return _VALID if decided else Verdict(valid=False, failures=self._located(instance))

    def pointer(self, failure: Failure) -> str:
        """Where the keyword of *failure* stands in the document, references followed: a JSON Pointer."""
        return format_pointer(place_of(failure.schema_tokens, self._places))

    def _decided(self, instance: Json) -> bool | None:
        """What `jsonschema-rs` says; None where it cannot be asked."""
        if self._decider is None:
            return None
        if not self._decider.checks_at:
            return self._native(self._decider, instance)
        with running(DECIDING_STEPS) as run:
            valid = self._native(self._decider, instance)
        if run.interrupted:
            raise run.interrupted[0]
        return valid

    @staticmethod
    def _native(decider: Decider, instance: Json) -> bool | None:
        try:
            return bool(decider.validator.is_valid(instance))
        except ValueError:
            # It takes no number or text that JSON cannot hold.
            return None

    def _located(self, instance: Json) -> tuple[Failure, ...]:
        try:
            if self._locator is not None:
                with running(LOCATING_STEPS):
                    found = self._locator.failures(instance, MAX_NAMED)
                if found is not None:
                    return tuple(found)
            return tuple(find_failures(self._root, instance, most=MAX_NAMED, steps=LOCATING_STEPS))
        except (StepsExhausted, RecursionError, EarlyOutcome):
            return ()
