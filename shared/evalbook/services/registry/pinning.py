"""What a new version pins of what its author sends: the same wherever it is sent from, so that digests agree."""

from contextlib import suppress

from evalbook.domain.errors import ParametersRefused
from evalbook.domain.implementation import DEFAULT_TIME_LIMIT_MS
from evalbook.domain.versions import JUDGE, version_digest
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters
from evalbook.services.scoring import catalog

_LIMIT = "time_limit_ms"
JUDGE_TIME_LIMIT_MS: int = JudgeParameters.model_fields[_LIMIT].default


def pinned_parameters(implementation: str, parameters: Json, time_limit_ms: Json) -> Json:
    """Return the parameters that a version pins.

    A judge's time limit is a parameter of it. Sent beside the parameters it takes its place among them, unless it is
    the one that they have without it: so what is exported is imported as it was.
    """
    if implementation != JUDGE:
        return _stored(implementation, parameters)
    if time_limit_ms is None or not isinstance(parameters, dict):
        return parameters
    if _LIMIT not in parameters and time_limit_ms == JUDGE_TIME_LIMIT_MS:
        return parameters
    return {**parameters, _LIMIT: time_limit_ms}


def _stored(implementation: str, parameters: Json) -> Json:
    """Return *parameters* as the implementation stores them; as they are where no version can have them."""
    found = catalog.find(implementation)
    if found is not None:
        with suppress(ParametersRefused):  # they are sent all the same: the API says what is wrong with them
            found.parameters.read(parameters)
            return found.parameters.stored(parameters)
    return parameters


def pinned_digest(implementation: str, parameters: Json, time_limit_ms: Json) -> str:
    """Return the digest that a version would have, if it can be created; *time_limit_ms* may be None, for the default.

    Of what no version can pin, such as parameters that are no object, the digest is nobody's.
    """
    pinned = pinned_parameters(implementation, parameters, time_limit_ms)
    if implementation == JUDGE:
        limit = pinned.get(_LIMIT, JUDGE_TIME_LIMIT_MS) if isinstance(pinned, dict) else time_limit_ms
    else:
        limit = DEFAULT_TIME_LIMIT_MS if time_limit_ms is None else time_limit_ms
    return version_digest(implementation, pinned, limit)
