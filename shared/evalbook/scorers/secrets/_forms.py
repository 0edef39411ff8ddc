r"""The forms of credentials that are looked for, a row each, with the day from which each is covered.

A row has the prefixes to look for, the form that must follow, matched from the prefix on, and what tells a real one. A
credential starts where no letter, digit or underscore stands before it, except the end of an escape (`\n`, `%3D`), and
ends where none of its own characters follows. A new form is a new row, and a credential of it in the tests.
"""

from typing import Final

from evalbook.scorers.secrets._checks import has_checksum, is_mixed, names_algorithm, names_encryption
from evalbook.scorers.secrets._token_form import FormRow

# Between a PEM header and its key: white space, also escaped, and what quotes, comments or joins lines in source text.
_GAP: Final = r"""(?:\\+[nrt]|[\s"'`+>|#*,;\\])*+"""
_KEY_TEXT: Final = (
    rf"{_GAP}(?:[A-Za-z-]{{2,40}}+: [^\\\n]{{0,200}}+(?:\\+[nrt]|\n){_GAP}){{0,5}}+(?P<secret>[A-Za-z0-9/+=]{{20}})"
)

_ROWS: Final = (
    FormRow(
        "aws_access_key_id",
        "`AKIA`, `ASIA`, `ABIA`, `ACCA` or `A3T` and a character, with 16 characters of base 32",
        "2026-11-30",
        "AKIA|ASIA|ABIA|ACCA|A3T",
        r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])(?P<secret>[A-Z2-7]{16})(?![A-Za-z0-9])",
    ),
    FormRow(
        "github_token",
        "`ghp_`, `gho_`, `ghu_`, `ghs_` or `ghr_` with 36 characters, the last six a checksum",
        "2026-11-30",
        "ghp_|gho_|ghu_|ghs_|ghr_",
        r"gh[pousr]_(?P<secret>[A-Za-z0-9]{36})(?![A-Za-z0-9])",
        has_checksum,
    ),
    FormRow(
        "github_token",
        "`github_pat_` with 82 characters",
        "2026-11-30",
        "github_pat_",
        r"github_pat_(?P<secret>\w{82})(?!\w)",
    ),
    FormRow(
        "github_token",
        "`ghs_` with the number of an application and a JWT",
        "2026-12-01",
        "ghs_",
        r"ghs_[0-9]{1,20}_(?P<secret>e[\w-]{8,}+)\.[\w-]{8,}+\.[\w-]{8,}+",
        names_algorithm,
    ),
    FormRow(
        "github_token",
        "`ghr_` with 76 characters",
        "2026-12-01",
        "ghr_",
        r"ghr_(?P<secret>[A-Za-z0-9]{76})(?!\w)",
    ),
    FormRow(
        "private_key",
        "PEM: `BEGIN [kind] PRIVATE KEY`, encrypted, OpenSSH and PGP ones too",
        "2026-11-30",
        "-----BEGIN ",
        rf"-----BEGIN (?:[A-Z0-9]{{1,20}} ){{0,4}}PRIVATE KEY(?: BLOCK)?-----{_KEY_TEXT}"
        r"(?:[^-\x00]{0,20000}+-----END [A-Z0-9 ]{1,80}-----)?",
    ),
    FormRow(
        "private_key",
        "SSH2: `BEGIN SSH2 ENCRYPTED PRIVATE KEY`, with four dashes",
        "2026-12-01",
        "---- BEGIN SSH2 ",
        rf"---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----{_KEY_TEXT}"
        r"(?:[^-\x00]{0,20000}+---- END [A-Z0-9 ]{1,80} ----)?",
    ),
    FormRow(
        "private_key",
        "PuTTY: the lines after `Private-Lines`",
        "2026-12-01",
        "Private-Lines: ",
        rf"Private-Lines: [0-9]{{1,4}}+(?:\\+[nrt]|\s){_GAP}(?P<secret>[A-Za-z0-9/+=]{{20,}}+)",
    ),
    FormRow(
        "slack_token",
        "`xoxa-`, `xoxb-`, `xoxe-`, `xoxo-`, `xoxp-`, `xoxr-` or `xoxs-` with groups of digits and a secret",
        "2026-11-30",
        "xoxa-|xoxb-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-",
        r"xox[abeoprs]-(?:[0-9]{1,14}-){1,4}(?P<secret>[A-Za-z0-9]{16,255})(?![\w-])",
    ),
    FormRow(
        "slack_token",
        "`xapp-` with a number, two identifiers and a secret",
        "2026-11-30",
        "xapp-",
        r"xapp-[0-9]{1,2}-[A-Z0-9]{8,16}-[0-9]{8,16}-(?P<secret>[A-Za-z0-9]{16,255})(?![\w-])",
    ),
    FormRow(
        "slack_token",
        "`xoxc-` (a browser's session) with groups of digits and a secret",
        "2026-12-01",
        "xoxc-",
        r"xoxc-(?:[0-9]{1,14}-){1,4}(?P<secret>[A-Za-z0-9]{16,255})(?![\w-])",
    ),
    FormRow(
        "slack_token",
        "`xoxd-` (a session's cookie), base64, also percent-encoded",
        "2026-12-01",
        "xoxd-",
        r"xoxd-(?P<secret>(?:[A-Za-z0-9+/]|%2[BbFf]){40,}+)(?:=|%3[Dd]){0,2}+(?![\w-])",
        is_mixed,
    ),
    FormRow(
        "slack_token",
        "`xwfp-` (a workflow) with groups of digits and a secret",
        "2026-12-01",
        "xwfp-",
        r"xwfp-(?:[0-9]{6,14}-){1,4}(?P<secret>[A-Za-z0-9]{16,255})(?![\w-])",
    ),
    FormRow(
        "openai_key",
        "`sk-` with `T3BlbkFJ` between 20 and 20 characters",
        "2026-11-30",
        "sk-",
        r"sk-(?P<secret>[A-Za-z0-9]{20})T3BlbkFJ[A-Za-z0-9]{20}(?![A-Za-z0-9])",
    ),
    FormRow(
        "openai_key",
        "`sk-proj-`, `sk-svcacct-` or `sk-admin-` with `T3BlbkFJ` between 58 or 74 characters on both sides",
        "2026-11-30",
        "sk-proj-|sk-svcacct-|sk-admin-",
        r"sk-(?:proj|svcacct|admin)-(?P<secret>[\w-]{74}|[\w-]{58})T3BlbkFJ(?:[\w-]{74}|[\w-]{58})(?![\w-])",
    ),
    FormRow(
        "openai_key",
        "`sk-proj-`, `sk-svcacct-` or `sk-admin-` with `T3BlbkFJ` between 20 and 20 characters",
        "2026-12-01",
        "sk-proj-|sk-svcacct-|sk-admin-",
        r"sk-(?:proj|svcacct|admin)-(?P<secret>[A-Za-z0-9]{20})T3BlbkFJ[A-Za-z0-9]{20}(?![\w-])",
    ),
    FormRow(
        "anthropic_key",
        "`sk-ant-api..-` or `sk-ant-admin..-` with 93 characters and `AA`",
        "2026-11-30",
        "sk-ant-api|sk-ant-admin",
        r"sk-ant-(?:api|admin)[0-9]{2}-(?P<secret>[\w-]{93})AA(?![\w-])",
    ),
    FormRow(
        "anthropic_key",
        "`sk-ant-oat..-` (OAuth access) with 40 to 200 characters",
        "2026-11-30",
        "sk-ant-oat",
        r"sk-ant-oat[0-9]{2}-(?P<secret>[\w-]{40,200})(?![\w-])",
    ),
    FormRow(
        "anthropic_key",
        "`sk-ant-ort..-` (OAuth refresh) or `sk-ant-sid..-` (a session) with 40 to 200 characters",
        "2026-12-01",
        "sk-ant-ort|sk-ant-sid",
        r"sk-ant-(?:ort|sid)[0-9]{2}-(?P<secret>[\w-]{40,200})(?![\w-])",
        is_mixed,
    ),
    FormRow(
        "google_api_key",
        "`AIza` with 35 characters",
        "2026-11-30",
        "AIza",
        r"AIza(?P<secret>[\w-]{35})(?![\w-])",
    ),
    FormRow(
        "google_api_key",
        "`AQ.Ab8R` (an authorisation key) with 46 characters",
        "2026-12-01",
        "AQ.Ab8R",
        r"AQ\.Ab8R(?P<secret>[\w-]{46})(?![\w-])",
    ),
    FormRow(
        "stripe_secret_key",
        "`sk_live_`, `sk_test_`, `rk_live_` or `rk_test_` with 10 to 99 characters",
        "2026-11-30",
        "sk_live_|sk_test_|rk_live_|rk_test_",
        r"[sr]k_(?:live|test)_(?P<secret>[A-Za-z0-9]{10,99})(?!\w)",
    ),
    FormRow(
        "stripe_secret_key",
        "`sk_org_live_` or `sk_org_test_` (an organisation) with 16 to 255 characters",
        "2026-12-01",
        "sk_org_live_|sk_org_test_",
        r"sk_org_(?:live|test)_(?P<secret>[A-Za-z0-9]{16,255})(?!\w)",
    ),
    FormRow(
        "bookbag_token",
        "`evb_`, `evr_` or `bbk_` with 20 characters or more",
        "2026-11-30",
        "evb_|evr_|bbk_",
        r"(?:evb|evr|bbk)_(?P<secret>[\w-]{20,}+)",
        dashed=True,
    ),
    # The openings of `{"`, `{ "`, and of an object whose first member is on a line of its own.
    FormRow(
        "jwt",
        "three parts, the first of which decodes to a JSON object with `alg`",
        "2026-11-30",
        "eyJ|eyAi|ewog|ewoJ|ew0K",
        r"(?P<secret>[\w-]{8,}+)\.[\w-]{2,}+\.[\w-]*+",
        names_algorithm,
        dashed=True,
    ),
    FormRow(
        "jwt",
        "five parts (encrypted), the first of which decodes to a JSON object with `alg` and `enc`",
        "2026-12-01",
        "eyJ|eyAi|ewog|ewoJ|ew0K",
        r"(?P<secret>[\w-]{8,}+)\.[\w-]*+\.[\w-]{8,}+\.[\w-]{2,}+\.[\w-]{8,}+",
        names_encryption,
        dashed=True,
    ),
)

FORMS: Final = tuple(row.compiled() for row in _ROWS)
"""Every form, those of one detector side by side."""


def covered_forms() -> str:
    """Return the forms as a table in Markdown, the detectors in their order."""
    rows = [f"| `{form.detector}` | {form.title} | {form.since} |" for form in FORMS]
    return "\n".join(["| detector | form | covered since |", "| --- | --- | --- |", *rows])
