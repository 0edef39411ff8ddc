"""What of a pattern means characters of all of Unicode although it may look as if it meant ASCII."""

import re
from collections.abc import Collection
from typing import Final

_ESCAPE: Final = re.compile(r"\\(.)|(\(\?[a-z]*i[a-z]*[:)])", re.DOTALL)
_OF_UNICODE: Final = frozenset("dDwWsSbB")


def unicode_reach(pattern: str, flags: Collection[str] = ()) -> list[str]:
    """Return the escapes of *pattern*, and `ignore_case`, that cover all of Unicode; nothing with the flag `ascii`."""
    if "ascii" in flags:
        return []
    matches = list(_ESCAPE.finditer(pattern))
    found = {f"\\{match[1]}" for match in matches if match[1] and match[1] in _OF_UNICODE}
    inline = any(match[2] for match in matches)
    return [*sorted(found), *(["ignore_case"] if inline or "ignore_case" in flags else [])]
