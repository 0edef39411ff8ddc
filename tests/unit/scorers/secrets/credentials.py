"""Credentials of every kind that is looked for, none of them real, put together when a test runs."""

import json
import string
from base64 import urlsafe_b64encode
from random import Random
from zlib import crc32

_LETTERS = string.ascii_letters + string.digits
_DASHED = _LETTERS + "-_"
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def some(count: int, alphabet: str = _LETTERS, seed: int = 7) -> str:
    """*count* characters of *alphabet*, the same for the same *seed*."""
    return "".join(Random(seed).choices(alphabet, k=count))


def joined(*parts: str) -> str:
    """The parts as one text, so that no source file holds it."""
    return "".join(parts)


def github(kind: str = "ghp", seed: int = 7) -> str:
    """A token whose last six characters are the checksum of the thirty before."""
    body, value, digits = some(30, seed=seed), 0, ""
    value = crc32(body.encode())
    for _ in range(6):
        value, digit = divmod(value, 62)
        digits = _BASE62[digit] + digits
    return joined(kind, "_", body, digits)


def base64url(text: str) -> str:
    """*text* in base64url without padding."""
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def jwt(header: str = '{"alg": "HS256"}') -> str:
    """A token with this header."""
    return f"{base64url(header)}.{base64url(json.dumps({'sub': some(9)}))}.{some(43, _DASHED)}"


def jwe(key: str = some(40)) -> str:
    """An encrypted token with this encrypted key; of direct encryption it is empty."""
    header = base64url('{"alg": "RSA-OAEP", "enc": "A256GCM"}')
    return ".".join([header, key, some(16), some(60, _DASHED), some(22)])


def pem(kind: str = "RSA ", lines: str = "\n", body: int = 200) -> str:
    """A private key in PEM, its lines ended by *lines*."""
    header, footer = (f"-----{word} {kind}PRIVATE KEY-----" for word in ("BEGIN", "END"))
    text = some(body, _LETTERS + "+/")
    return lines.join([header, *(text[at : at + 64] for at in range(0, body, 64)), footer])


def ssh2(lines: str = "\n") -> str:
    """A private key as commercial SSH programs write it."""
    header, footer = (f"---- {word} SSH2 ENCRYPTED PRIVATE KEY ----" for word in ("BEGIN", "END"))
    return lines.join([header, 'Comment: "mine"', some(64), some(40, seed=8), footer])


MARK = joined("T3Blbk", "FJ")
HEXADECIMAL = "0123456789abcdef"

CREDENTIALS = {
    "aws_access_key_id": [
        *(joined(prefix, some(16, string.ascii_uppercase + "234567")) for prefix in ("AKIA", "ASIA", "ABIA", "ACCA")),
        joined("A3T", "X", some(16, string.ascii_uppercase + "234567")),
    ],
    "github_token": [
        *map(github, ("ghp", "gho", "ghu", "ghs", "ghr")),
        joined("github", "_pat_", some(22), "_", some(59)),
        joined("ghs", "_", "7341", "_", jwt('{"alg": "RS256"}')),
        joined("ghr", "_", some(76)),
    ],
    "private_key": [
        *map(pem, ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ")),
        pem(lines="\\n"),
        pem(lines=" "),
        pem(lines="\\\\n"),
        pem(lines='\\n" +\n    "'),
        pem("PGP ").replace("KEY--", "KEY BLOCK--"),
        ssh2(),
        ssh2("\\n"),
        joined("Private-", "Lines: 2\n", some(64)),
    ],
    "slack_token": [
        joined("xox", "b-", "1" * 12, "-", "2" * 12, "-", some(24)),
        joined("xox", "p-", "1" * 12, "-", "2" * 12, "-", "3" * 13, "-", some(32, "0123456789abcdef")),
        joined("xox", "e-1-", some(146, string.ascii_uppercase + string.digits)),
        joined("xox", "c-", "1" * 11, "-", "2" * 12, "-", "3" * 13, "-", some(64, HEXADECIMAL)),
        joined("xox", "d-", some(60), "%2B", some(40), "%2f", some(20), "%3D"),
        joined("xox", "d-", some(60), "+/", some(40), "=="),
        joined("xw", "fp-", "4" * 12, "-", "5" * 13, "-", some(24)),
        joined("xapp", "-1-", some(11, string.ascii_uppercase), "-", "4" * 13, "-", some(64, "0123456789abcdef")),
    ],
    "openai_key": [
        joined("sk", "-", some(20), MARK, some(20, seed=8)),
        *(
            joined("sk", "-", kind, "-", some(size, _DASHED), MARK, some(size, _DASHED, seed=8))
            for kind in ("proj", "svcacct", "admin")
            for size in (58, 74)
        ),
        joined("sk", "-proj-", some(20), MARK, some(20, seed=8)),
    ],
    "anthropic_key": [
        *(joined("sk-", "ant-", kind, "-", some(93, _DASHED), "AA") for kind in ("api03", "admin01")),
        *(joined("sk-", "ant-", kind, "-", some(95, _DASHED), "x") for kind in ("oat01", "ort01", "sid02")),
    ],
    "google_api_key": [
        joined("AI", "za", some(34, _DASHED), "x"),
        joined("AQ", ".Ab8R", some(45, _DASHED), "x"),
    ],
    "stripe_secret_key": [
        joined(kind, "_", mode, "_", some(size))
        for kind in ("sk", "rk")
        for mode in ("live", "test")
        for size in (10, 24, 99)
    ]
    + [joined("sk", "_org_", mode, "_", some(size)) for mode in ("live", "test") for size in (24, 96)],
    "bookbag_token": [
        joined(kind, "_", some(size, _DASHED), "x") for kind in ("evb", "evr", "bbk") for size in (19, 60)
    ],
    "jwt": [
        jwe(),
        jwe(""),
        jwt(),
        jwt('{ "alg":"none"}'),
        jwt('{\n "typ": "JWT", "alg": "RS256"}'),
        jwt('{\r\n\t"alg": "ES256"}'),
    ],
}
"""The credentials by the name of the detector that finds them."""
