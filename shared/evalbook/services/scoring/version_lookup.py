"""Finding the version that a batch names, with as few reads as its immutability allows."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal, TypeVar

from evalbook.contracts.score_batch import ReadBatch, ScoreBatch
from evalbook.domain.outcome import Code, Grade, errored
from evalbook.domain.result import ScoringVersion
from evalbook.domain.versions import JUDGE, ScorerKey, ScorerVersion, VersionState, VersionStore
from evalbook.services.scoring import catalog

K = TypeVar("K")
V = TypeVar("V")

_KEPT = 1_000

_NOT_FOUND = errored(Code.VERSION_NOT_FOUND, "The scorer or its version does not exist.")
_NOT_ACTIVATED = errored(Code.VERSION_NOT_ACTIVATED, "The version was never activated; an evaluation may not use it.")
_NONE_ACTIVE = errored(Code.VERSION_NOT_ACTIVATED, "The scorer has no active version.")
_DRAFT, _MISSING = 0, -1
"""What is pinned instead of a number where a run's first batch found none that it may use: later ones find no other."""
_NO_NUMBER = {_DRAFT: _NONE_ACTIVE, _MISSING: _NOT_FOUND}
_OTHER_DIGEST = errored(Code.DIGEST_MISMATCH, "The stored version's digest is not the one that the batch names.")


@dataclass(frozen=True, slots=True)
class FoundVersion:
    """The version that scores a batch; or the grade that all its cases get instead."""

    scorer: ScoringVersion
    parameters: bytes = b"{}"
    time_limit_ms: int = 1_000
    refusal: Grade | None = None


class VersionLookup:
    """Reads versions for one family; what cannot change any more is kept."""

    def __init__(self, store: VersionStore, family: str | None) -> None:
        self._store = store
        self._family = family
        self._versions: OrderedDict[tuple[ScorerKey, int], ScorerVersion] = OrderedDict()
        self._pins: OrderedDict[tuple[ScorerKey, str], int] = OrderedDict()

    def find_for(self, read: ReadBatch) -> FoundVersion:
        """Return the version that a batch names, or the reason why it cannot be used or the batch is refused.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        if read.refusal is None:
            return self.find(read.head)
        refusal = errored(Code.BATCH_INVALID, f"The batch is refused: {read.refusal.problem}.")
        return FoundVersion(ScoringVersion(read.refusal.scorer, None, None, None), refusal=refusal)

    def find(self, batch: ScoreBatch) -> FoundVersion:
        """Return the version that *batch* names, or the reason why it cannot be used.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        key = ScorerKey(batch.organization_id, batch.project_id, batch.scorer.name)
        named = batch.scorer.version
        pinned = self._pinned(key, batch.run_id, named)
        number = pinned if named == "active" else named
        if number in _NO_NUMBER:
            return FoundVersion(ScoringVersion(key.name, None, None, None), refusal=_NO_NUMBER[number])
        version = None if pinned == _MISSING else self._version(key, number)
        if version is None:
            return FoundVersion(ScoringVersion(key.name, number, None, None), refusal=_NOT_FOUND)
        scorer = ScoringVersion(key.name, version.number, version.digest, version.implementation)
        refusal = self._refusal(batch, version) or (_NOT_ACTIVATED if pinned == _DRAFT else None)
        return FoundVersion(scorer, version.parameters.encode(), version.time_limit_ms, refusal)

    def _refusal(self, batch: ScoreBatch, version: ScorerVersion) -> Grade | None:
        if batch.scorer.digest not in (None, version.digest):
            return _OTHER_DIGEST
        family = JUDGE if version.implementation == JUDGE else catalog.families().get(version.implementation)
        if self._family is not None and family != self._family:
            return errored(Code.WRONG_FAMILY, f"The queue is for family {self._family}; the scorer is of another one.")
        return None

    def _version(self, key: ScorerKey, number: int) -> ScorerVersion | None:
        kept = self._versions.get((key, number))
        if kept:
            return kept
        version = self._store.get(key, number)
        # A draft may be activated at any moment; an activated version never becomes a draft again.
        if version and version.state is not VersionState.DRAFT:
            _keep(self._versions, (key, number), version)
        return version

    def _pinned(self, key: ScorerKey, run_id: str, named: int | Literal["active"]) -> int:
        """What the run found first under this name, so that no redelivery finds something else: a number, or none."""
        name = run_id if named == "active" else f"{run_id}#{named}"
        kept = self._pins.get((key, name))
        if kept is not None:
            return kept
        number = self._store.pin(key, name, None)
        if number is None:
            found = self._active(key) if named == "active" else self._usable(key, named)
            pinned = self._store.pin(key, name, found)
            number = found if pinned is None else pinned
        _keep(self._pins, (key, name), number)
        return number

    def _active(self, key: ScorerKey) -> int:
        number = self._store.active(key)
        if number is not None:
            return number
        return _MISSING if self._store.get(key, 1) is None else _DRAFT

    def _usable(self, key: ScorerKey, number: int) -> int:
        version = self._version(key, number)
        if version is None:
            return _MISSING
        return _DRAFT if version.state is VersionState.DRAFT else number


def _keep(kept: OrderedDict[K, V], key: K, value: V) -> None:
    kept[key] = value
    if len(kept) > _KEPT:
        kept.popitem(last=False)
