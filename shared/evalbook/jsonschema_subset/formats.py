"""The formats that are asserted: those of 2020-12 (validation, section 7.3), as `jsonschema-rs` checks them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

import jsonschema_rs

FormatUse = Literal["assert", "annotate"]
"""What `format` does: it is asserted, or only an annotation."""


@dataclass(frozen=True, slots=True)
class FormatCheck:
    """The check of one format."""

    _validator: Any

    def holds(self, text: str) -> bool:
        """Whether *text* has the format, in time linear in its length."""
        return bool(self._validator.is_valid(text))


def _check(name: str) -> FormatCheck:
    return FormatCheck(jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True))


_NAMES: Final = (
    *("date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
    *("uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template"),
    *("json-pointer", "relative-json-pointer", "regex"),
)
FORMATS: Final[Mapping[str, FormatCheck]] = MappingProxyType({name: _check(name) for name in _NAMES})
"""The check of each format that can be asserted."""

_ALL: Final = ", ".join(sorted(FORMATS))


def why_not_asserted(name: str) -> str | None:
    """Say why the format *name* cannot be asserted, and what to do instead; None where it can."""
    if name in FORMATS:
        return None
    return f"cannot be asserted (those that can: {_ALL}): write a pattern, or set formats to 'annotate'"
