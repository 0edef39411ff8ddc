"""Preparing versions once and keeping them."""

from functools import lru_cache

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.implementation import PreparedScorer
from evalbook.jsonio.reader import MAX_DEPTH, NotStrictJson, read_json
from evalbook.services.scoring import catalog

_KEPT = 256


@lru_cache(maxsize=_KEPT)
def prepared(implementation: str, parameters: bytes) -> PreparedScorer:
    """The prepared scorer for *parameters*, spelt as JSON by this package, from a bounded cache.

    Raises:
        ParametersRefused: The implementation does not exist, or a version with these parameters cannot be created.
    """
    found = catalog.find(implementation)
    if found is None:
        raise ParametersRefused([Problem("/implementation", "there is no such implementation")])
    try:
        raw = read_json(parameters, max_depth=MAX_DEPTH + 1, bounded=False)
    except NotStrictJson as error:
        raise ParametersRefused([Problem("", f"the parameters are not strict JSON: {error}")]) from None
    return found.prepare(raw)
