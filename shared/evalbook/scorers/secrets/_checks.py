"""What tells a credential from a text of the same form: checksums, headers that decode, no placeholders."""

import json
from base64 import urlsafe_b64decode
from typing import Final
from zlib import crc32

_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECKED_CHARS: Final = 30
_CHECKSUM_CHARS: Final = 6
_MAX_HEADER_CHARS: Final = 8_192


def varies(secret: str) -> bool:
    """Return whether *secret* is more than one character repeated."""
    return secret.count(secret[0]) != len(secret)


def is_mixed(secret: str) -> bool:
    """Return whether *secret* mixes capitals, small letters and digits, two kinds at least, as random text does."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return sum(any(map(kind, secret)) for kind in kinds) > 1


def has_checksum(secret: str) -> bool:
    """Return whether the last six characters are the CRC-32 of the thirty before, as GitHub spells it in base 62."""
    value, digits = crc32(secret[:_CHECKED_CHARS].encode()), ""
    for _ in range(_CHECKSUM_CHARS):
        value, digit = divmod(value, len(_BASE62))
        digits = _BASE62[digit] + digits
    return secret[_CHECKED_CHARS:] == digits


def names_algorithm(header: str) -> bool:
    """Return whether *header* is base64url of a JSON object with the member `alg` (RFC 7515, section 4.1.1)."""
    return "alg" in _members(header)


def names_encryption(header: str) -> bool:
    """Return whether *header* is base64url of a JSON object with `alg` and `enc` (RFC 7516, section 4.1)."""
    return {"alg", "enc"} <= _members(header)


def _members(header: str) -> set[str]:
    """Return the names in the JSON object that *header* encodes, without padding; none where it encodes none."""
    if len(header) > _MAX_HEADER_CHARS:
        return set()
    try:
        decoded = json.loads(urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except (ValueError, RecursionError):
        return set()
    return set(decoded) if isinstance(decoded, dict) else set()
