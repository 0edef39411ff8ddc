"""Preparing versions once and keeping them."""

from functools import lru_cache
from typing import Any

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.implementation import Implementation, PreparedScorer
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.services.scoring import catalog

_KEPT = 256


@lru_cache(maxsize=_KEPT)
def prepared(implementation: str, parameters: bytes) -> PreparedScorer:
    """Return the scorer for *parameters* of an author, spelt as JSON by this package, from a bounded cache.

    Raises:
        ParametersRefused: The implementation does not exist, or a version with these parameters cannot be created.
    """
    return _found(implementation).prepare(_read(parameters))


@lru_cache(maxsize=_KEPT)
def prepared_version(implementation: str, parameters: bytes) -> PreparedScorer:
    """Return the scorer for *parameters* that a version stores, meant as on the day it was created.

    Raises:
        ParametersRefused: The implementation does not exist, or such a version can no longer be prepared.
    """
    found, raw = _found(implementation), _read(parameters)
    return found.prepare(found.parameters.as_stored(raw) if isinstance(raw, dict) else raw)


def stored_parameters(implementation: str, parameters: bytes) -> bytes:
    """Return *parameters*, with which a version was prepared, as the version stores, shows and digests them."""
    stored = _found(implementation).parameters.stored(_read(parameters))
    return plain_json(stored)


def _found(implementation: str) -> Implementation[Any]:
    found = catalog.find(implementation)
    if found is None:
        raise ParametersRefused([Problem("/implementation", "there is no such implementation")])
    return found


def _read(parameters: bytes) -> Json:
    try:
        return read_stored(parameters)
    except NotStrictJson as error:
        raise ParametersRefused([Problem("", f"the parameters are not strict JSON: {error}")]) from None
