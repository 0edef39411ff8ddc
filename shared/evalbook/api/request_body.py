"""Reading a request's body: bounded, strict, numbers as they were written."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

from evalbook.api.problems import ApiCode, ApiProblem
from evalbook.domain.errors import Problem
from evalbook.domain.limits import REQUEST_DEPTH
from evalbook.jsonio.reader import BYTE_ORDER_MARK, NotStrictJson, read_json
from evalbook.jsonio.values import Json

MAX_BODY_BYTES: Final = 1_048_576
# The body, its list of fixtures, the fixture and the case stand above a case's own values, which may nest 100 deep.


def body_bytes(event: Mapping[str, Any]) -> bytes:
    """The body of a request, empty where it has none.

    Raises:
        ApiProblem: 413 where it is too large, 400 where it cannot be decoded.
    """
    text = event.get("body") or ""
    if len(text) > 2 * MAX_BODY_BYTES:
        raise _too_large()
    try:
        raw = base64.b64decode(text, validate=True) if event.get("isBase64Encoded") else text.encode()
    except (binascii.Error, UnicodeEncodeError):
        raise ApiProblem(ApiCode.BODY_NOT_JSON, "The body cannot be decoded.") from None
    if len(raw) > MAX_BODY_BYTES:
        raise _too_large()
    return raw.removeprefix(BYTE_ORDER_MARK)


def read_body(raw: bytes, headers: Mapping[str, str]) -> dict[str, Json]:
    """The JSON object that a body is.

    Raises:
        ApiProblem: 415 where it is not declared as JSON, 400 where it is no strict JSON, 422 where it is no object.
    """
    declared = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if declared != "application/json":
        raise ApiProblem(ApiCode.MEDIA_TYPE_UNSUPPORTED, "Send application/json.")
    try:
        value = read_json(raw, max_depth=REQUEST_DEPTH)
    except NotStrictJson as error:
        raise ApiProblem(ApiCode.BODY_NOT_JSON, f"The body is no strict JSON: {error}.") from None
    if not isinstance(value, dict):
        problem = Problem("", "must be an object")
        raise ApiProblem(ApiCode.REQUEST_INVALID, "The request cannot be read.", (problem,))
    return value


def _too_large() -> ApiProblem:
    detail = f"A body has at most {MAX_BODY_BYTES} bytes."
    return ApiProblem(ApiCode.BODY_TOO_LARGE, detail)


def read_text(text: str) -> Json:
    """Read a body that was read before, for the event handler."""
    return read_json(text.encode(), max_depth=REQUEST_DEPTH)
