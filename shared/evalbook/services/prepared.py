"""Preparing versions once and keeping them."""

from functools import lru_cache

from evalbook import catalog
from evalbook.errors import ParametersRefused, Problem
from evalbook.scorer import PreparedScorer
from evalbook.strict_json import NotStrictJson, read_json

_KEPT = 256


@lru_cache(maxsize=_KEPT)
def prepared(implementation: str, parameters: bytes) -> PreparedScorer:
    """The prepared scorer for *parameters* (JSON text), from a bounded cache.

    Raises:
        ParametersRefused: The implementation does not exist, or a version with these parameters cannot be created.
    """
    found = catalog.find(implementation)
    if found is None:
        raise ParametersRefused([Problem("/implementation", "there is no such implementation")])
    try:
        raw = read_json(parameters)
    except NotStrictJson as error:
        raise ParametersRefused([Problem("/parameters", str(error))]) from None
    return found.prepare(raw)
