r"""The ten credential detectors: prefixes to look for, the form that must follow, and what tells a real one.

The form is matched from the prefix on. A credential starts where no letter, digit or underscore stands before it,
except the end of an escape (`\n`, `%3D`), and ends where none of its own characters follows.
"""

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from zlib import crc32

_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MAX_JWT_HEADER_CHARS: Final = 8_192


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of credential; in `form` the group `secret` or `plain` is the part that differs from key to key.

    A *dashed* one has any length and may hold dashes, so it does not start behind one: it would be read repeatedly.
    """

    name: str
    prefixes: tuple[str, ...]
    form: re.Pattern[str]
    is_real: Callable[[str], bool]
    dashed: bool


def _is_no_placeholder(secret: str) -> bool:
    """Whether *secret* is more than one character repeated."""
    return secret.count(secret[0]) != len(secret)


def _has_checksum(secret: str) -> bool:
    """Whether the last six characters are the CRC-32 of those before, as GitHub spells it; True for other lengths."""
    if len(secret) != 36:  # noqa: PLR2004  (30 and 6; fine-grained tokens carry no checksum)
        return _is_no_placeholder(secret)
    value, digits = crc32(secret[:30].encode()), ""
    for _ in range(6):
        value, digit = divmod(value, 62)
        digits = _BASE62[digit] + digits
    return secret[30:] == digits


def _names_algorithm(header: str) -> bool:
    """Whether *header*, base64url without padding, is a JSON object with the member `alg` (RFC 7515, section 4.1.1)."""
    if len(header) > _MAX_JWT_HEADER_CHARS:
        return False
    try:
        decoded = json.loads(urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except (ValueError, RecursionError):
        return False
    return isinstance(decoded, dict) and "alg" in decoded


def _detector(
    name: str, prefixes: str, form: str, is_real: Callable[[str], bool] = _is_no_placeholder, *, dashed: bool = False
) -> Detector:
    return Detector(name, tuple(prefixes.split(",")), re.compile(form, re.ASCII), is_real, dashed)


# Between a PEM header and its key: white space, also escaped, and what quotes, comments or joins lines in source text.
_GAP: Final = r"""(?:\\+[nrt]|[\s"'`+>|#*,;\\])*+"""
_PEM: Final = (
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    rf"{_GAP}(?:[A-Za-z-]{{2,40}}+: [^\\\n]{{0,200}}+(?:\\+[nrt]|\n){_GAP}){{0,5}}+(?P<secret>[A-Za-z0-9/+=]{{20}})"
    r"(?:[^-\x00]{0,20000}+-----END [A-Z0-9 ]{1,80}-----)?"
)
_OPENAI: Final = (
    r"sk-(?:(?P<plain>[A-Za-z0-9]{20})T3BlbkFJ[A-Za-z0-9]{20}(?![A-Za-z0-9])"
    r"|(?:proj|svcacct|admin)-(?P<secret>[\w-]{74}|[\w-]{58})T3BlbkFJ(?:[\w-]{74}|[\w-]{58})(?![\w-]))"
)

DETECTORS: Final[tuple[Detector, ...]] = (
    _detector(
        "aws_access_key_id",
        "AKIA,ASIA,ABIA,ACCA,A3T",
        r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])(?P<secret>[A-Z2-7]{16})(?![A-Za-z0-9])",
    ),
    _detector(
        "github_token",
        "ghp_,gho_,ghu_,ghs_,ghr_,github_pat_",
        r"(?:gh[pousr]_(?P<secret>[A-Za-z0-9]{36})(?![A-Za-z0-9])|github_pat_(?P<plain>\w{82})(?!\w))",
        _has_checksum,
    ),
    _detector("private_key", "-----BEGIN ", _PEM),
    _detector(
        "slack_token",
        "xoxa-,xoxb-,xoxe-,xoxo-,xoxp-,xoxr-,xoxs-,xapp-",
        r"(?:xox[abeoprs]-(?:[0-9]{1,14}-){1,4}|xapp-[0-9]{1,2}-[A-Z0-9]{8,16}-[0-9]{8,16}-)"
        r"(?P<secret>[A-Za-z0-9]{16,255})(?![\w-])",
    ),
    _detector("openai_key", "sk-", _OPENAI),
    _detector(
        "anthropic_key",
        "sk-ant-",
        r"sk-ant-(?:(?:api|admin)[0-9]{2}-(?P<secret>[\w-]{93})AA|oat[0-9]{2}-(?P<plain>[\w-]{40,200}))(?![\w-])",
    ),
    _detector("google_api_key", "AIza", r"AIza(?P<secret>[\w-]{35})(?![\w-])"),
    _detector(
        "stripe_secret_key",
        "sk_live_,sk_test_,rk_live_,rk_test_",
        r"[sr]k_(?:live|test)_(?P<secret>[A-Za-z0-9]{10,99})(?!\w)",
    ),
    _detector("bookbag_token", "evb_,evr_,bbk_", r"(?:evb|evr|bbk)_(?P<secret>[\w-]{20,}+)", dashed=True),
    # The openings of `{"`, `{ "`, and of an object whose first member is on a line of its own.
    _detector(
        "jwt",
        "eyJ,eyAi,ewog,ewoJ,ew0K",
        r"(?P<secret>[\w-]{8,}+)\.[\w-]{2,}+\.[\w-]*+",
        _names_algorithm,
        dashed=True,
    ),
)
