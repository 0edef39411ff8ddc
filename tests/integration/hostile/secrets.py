"""Hostile inputs of the secrets family: what looks like a credential again and again, and is none."""

import base64
import json
from collections.abc import Iterator

from evalbook.scorers.secrets._detectors import DETECTORS
from tests.integration.hostile.inputs import PASS, SOME, Input, case, listed, values

LENGTH = 15_000
_HEADER = base64.urlsafe_b64encode(b"{" + b'"a":[' * 1_000).decode().rstrip("=")
_DIGITS = base64.urlsafe_b64encode(b'{"a":' + b"9" * 6_000).decode().rstrip("=")


def _repeated(unit: str, length: int = LENGTH) -> str:
    return json.dumps(unit * (length // len(unit)))


def secret_scan() -> Iterator[Input]:
    prefixes = sorted({prefix for detector in DETECTORS for prefix in detector.prefixes})
    for prefix in prefixes:
        for title, unit in {
            "alone": prefix,
            "after blanks": f" {prefix}",
            "after escapes": f"\\n{prefix}",
            "after percent signs": f"%3D{prefix}",
            "with repeated letters": f" {prefix}{'a' * 40}",
            "almost long enough": f" {prefix}{'aB3' * 5}",
            "very long": f" {prefix}{'aB3_-' * 3_000}",
        }.items():
            yield Input("secret_scan", f"{prefix} {title}", {}, case(output=_repeated(unit)))
    for title, unit in {
        "tokens of three short parts": "eyJ.a.b ",
        "headers nested too deeply": f"{_HEADER}.aaaa.bbbb ",
        "headers with too long numbers": f"{_DIGITS}.aaaa.bbbb ",
        "headers that never end": "eyJ" + "a" * 100_000,
        "keys without an end": f"-----BEGIN PRIVATE KEY-----\n{'A' * 20}",
        "keys with headers": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\nDEK-Info: a\n\n",
        "keys behind gaps": "-----BEGIN PRIVATE KEY-----" + "\\n > " * 5_000,
        "headers of keys behind gaps": "-----BEGIN PRIVATE KEY-----" + "Aa: b\n" * 5_000,
        "dashes": "-",
        "groups of digits": "xoxb-" + "1234-" * 4 + "x ",
    }.items():
        yield Input("secret_scan", title, {}, case(output=_repeated(unit, 10 * LENGTH)))
    for detector in DETECTORS:
        output = _repeated(f" {detector.prefixes[0]}", 1_000_000)
        yield Input("secret_scan", f"a million characters of {detector.name}", {}, case(output=output), PASS)
    for title, value in values(SOME, 98):
        yield Input("secret_scan", title, {}, case(output=listed([value, value])), PASS)
