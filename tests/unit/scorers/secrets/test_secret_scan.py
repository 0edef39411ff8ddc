"""secret_scan: none of the chosen credential detectors match the output."""

import base64
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorers.secrets._detectors import DETECTORS
from tests.unit.json_values import values
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import PASS, SOME, Input, array_text, case_text, large_values
from tests.unit.scorers.secrets.credentials import CREDENTIALS, MARK, github, joined, jwt, pem, some

TAKES_ANY_OUTPUT = True
AWS = CREDENTIALS["aws_access_key_id"][0]
EXAMPLES = [
    ({}, {"output": "The order number is 581848169."}, "pass"),
    ({}, {"output": f"Use {AWS}, please."}, "fail"),
    ({}, {"output": {"text": ["fine", {AWS: 1}]}}, "fail"),
    ({"detectors": ["jwt"]}, {"output": f"Use {AWS}, please."}, "pass"),
    ({"output_path": "/1"}, {"output": [AWS, None]}, "pass"),
]
NOTES = """
A JSON output is scanned in every string it holds, member names included.

- A finding names the detector, the place (the number of the string in document order, counted from 0, and the offset
  in it) and the length. The value is nowhere, in `body` neither; nor is a pointer, since a member's name can be the
  secret.
- A clean result says that no detector that ran matched. It does not say that the output holds no secret.
- A token that carries a checksum counts only with the right one, and one character repeated is a placeholder.
"""
SHOWN = [
    ({}, {"output": {"log": ["connected", "key=AKIA" + "IOSFODNN7EXAMPLE"]}}),
    ({"detectors": ["github_token", "jwt"]}, {"output": "Nothing to see here."}),
]


LENGTH = 15_000


_HEADER = base64.urlsafe_b64encode(b"{" + b'"a":[' * 1_000).decode().rstrip("=")


_DIGITS = base64.urlsafe_b64encode(b'{"a":' + b"9" * 6_000).decode().rstrip("=")


def _repeated(unit: str, length: int = LENGTH) -> str:
    return json.dumps(unit * (length // len(unit)))


def hostile_inputs() -> Iterator[Input]:
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
            yield Input(f"{prefix} {title}", {}, case_text(output=_repeated(unit)))
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
        yield Input(title, {}, case_text(output=_repeated(unit, 10 * LENGTH)))
    for detector in DETECTORS:
        output = _repeated(f" {detector.prefixes[0]}", 1_000_000)
        yield Input(f"a million characters of {detector.name}", {}, case_text(output=output), PASS)
    for title, value in large_values(SOME, 98):
        yield Input(title, {}, case_text(output=array_text([value, value])), PASS)


EVERY_CREDENTIAL = [
    pytest.param(name, each, id=f"{name}-{number}")
    for name, found in CREDENTIALS.items()
    for number, each in enumerate(found)
]


def findings(output, **parameters):
    details = grade("secret_scan", parameters, output=output).details
    return [tuple(each.values()) for each in details["findings"]] if details else []


@pytest.mark.parametrize(("name", "credential"), EVERY_CREDENTIAL)
def test_each_detector_finds_its_credentials_with_their_position_and_length(name, credential):
    assert findings(f"é: {credential}") == [(name, 0, 3, len(credential))]


@pytest.mark.parametrize(("name", "credential"), EVERY_CREDENTIAL)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("?k=", "&b=1"),
        ("'", "';"),
        ("`", "`"),
        ("is ", ", please"),
        ("%3D", "%26"),
        ("\\n", "\\n"),
        ("\\u0022", '"'),
    ],
)
def test_a_credential_is_found_whatever_surrounds_it(name, credential, before, after):
    assert [found[0] for found in findings(f"{before}{credential}{after}")] == [name]


@pytest.mark.parametrize("name", [name for name in CREDENTIALS if name != "private_key"])
def test_a_credential_inside_a_longer_word_is_none(name):
    assert findings(f"x{CREDENTIALS[name][0]}") == []


@pytest.mark.parametrize("name", [name for name in CREDENTIALS if name not in ("private_key", "bookbag_token", "jwt")])
def test_a_credential_that_goes_on_is_none(name):
    assert findings(f"{CREDENTIALS[name][0]}{some(300)}") == []


@pytest.mark.parametrize(
    "text",
    [
        AWS.lower(),
        AWS[:-1],
        joined("AKIA", "X" * 16),
        github()[:-1] + ("1" if github()[-1] == "0" else "0"),
        joined("github", "_pat_", some(58)),
        joined("-----BEGIN RSA ", "PRIVATE KEY-----"),
        joined('Files start with "-----BEGIN RSA ', 'PRIVATE KEY-----" and are secret.'),
        pem().replace("PRIVATE", "PUBLIC"),
        joined("-----BEGIN ", "PRIVATE KEY-----\n", "x" * 64),
        "xoxb-your-token-here",
        "sk-this-is-a-long-hyphenated-benign-phrase",
        joined("sk-proj-", "X" * 24),
        joined("sk-", some(48)),
        joined("sk-", "x" * 20, MARK, "x" * 20),
        joined("sk-", "ant-api03-YOUR_KEY_HERE"),
        joined("AI", "za", "X" * 35),
        joined("sk_", "live_", "x" * 24),
        "task_test_jiiyvapmmvbeulctqwpuxguw",
        joined("evb_", "x" * 24),
        "bbk_short",
        jwt('{"typ": "JWT"}'),
        jwt('["alg"]'),
        jwt('{"alg": '),
        "eyJVnIkKPdvoduCPP0igWkN.module.exports",
        jwt('{"alg": "' + "x" * 9_000 + '"}'),
    ],
)
def test_what_has_another_form_checksum_or_one_repeated_character_is_none(text):
    assert findings(f"see {text}.") == []


def test_a_word_near_a_credential_does_not_switch_a_detector_off():
    assert len(findings(f"EXAMPLE (fake, do not use): {AWS}")) == 1


def test_every_credential_of_a_text_is_found_in_order():
    tokens = [github(seed=seed) for seed in range(5)]
    text = " ".join([*tokens, AWS])

    assert [found[2] for found in findings(text)] == [text.index(token) for token in [*tokens, AWS]]


def test_a_private_key_is_found_to_its_end_and_with_the_headers_of_an_encrypted_one():
    lines = pem().split("\n")
    encrypted = "\n".join([lines[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0123", "", *lines[1:]])

    assert findings(encrypted) == [("private_key", 0, 0, len(encrypted))]
    assert findings(encrypted.replace("\n", "\\n")) == [("private_key", 0, 0, len(encrypted.replace("\n", "\\n")))]


def test_a_private_key_that_was_cut_off_is_found():
    assert [found[0] for found in findings(pem()[:90])] == ["private_key"]


def test_a_position_in_json_is_the_number_of_the_string_names_included_and_the_offset_in_it():
    output = {"a": ["b", 1, {"c": f"key {AWS}"}], f"{AWS}": None}

    assert findings(output) == [("aws_access_key_id", 3, 4, 20), ("aws_access_key_id", 4, 0, 20)]


def test_two_strings_are_never_read_as_one():
    assert findings([AWS[:10], AWS[10:]]) == []
    assert findings({AWS[:10]: AWS[10:]}) == []


@pytest.mark.parametrize("output", [None, True, 7, 1.5, [], {}, ""])
def test_an_output_without_any_text_passes(output):
    assert outcome("secret_scan", {}, output=output) == "pass"


def test_only_the_chosen_detectors_run():
    text = f"{AWS} {github()} {jwt()}"

    assert [found[0] for found in findings(text, detectors=["jwt", "github_token"])] == ["github_token", "jwt"]


@pytest.mark.parametrize("detectors", [[], ["password"], None, "jwt"])
def test_no_or_unknown_detectors_are_refused(detectors):
    assert refused("secret_scan", {"detectors": detectors})


@pytest.mark.parametrize(("name", "credential"), EVERY_CREDENTIAL)
def test_no_part_of_a_credential_is_reported(name, credential):
    answer = grade("secret_scan", {}, output={credential: [credential]})

    reported = answer.explanation + json.dumps(answer.details)
    assert name in reported
    assert [at for at in range(len(credential) - 7) if credential[at : at + 8] in reported] == []


def test_a_clean_result_says_what_ran_and_does_not_claim_that_there_is_no_secret():
    answer = grade("secret_scan", {"detectors": ["jwt", "private_key"]}, output="text")

    assert answer.explanation == "None of the detectors that ran (2) matched; what they do not know was not looked for."


def test_findings_are_counted_in_full_and_listed_up_to_a_hundred():
    answer = grade("secret_scan", {}, output=f"{AWS} " * 300)

    assert answer.details["count"] == 300
    assert len(answer.details["findings"]) == 100
    assert answer.explanation.startswith("Credentials found in the output: 300 (")


@given(value=values)
def test_a_value_without_prefixes_has_no_finding(value):
    assert findings(value) == []


@given(before=st.text(" .,:;\"'()[]{}", max_size=9), seed=st.integers(0, 999))
def test_a_token_is_found_at_any_offset_behind_punctuation(before, seed):
    assert findings(before + github(seed=seed)) == [("github_token", 0, len(before), 40)]


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "a",
            "sk-",
            "sk-ant-api03-",
            "eyJ.",
            "-eyJ",
            "evb_",
            "-evb_",
            "xoxb-1-",
            "AKIA",
            " AIza",
            "github_pat_",
            "\\nghp_",
        ),
        "-----BEGIN " + "A B C ",
        "-----BEGIN " + "PRIVATE KEY-----",
        "-----BEGIN " + "PRIVATE KEY-----\nAb: " + "c: " * 60,
        "-----BEGIN " + "PRIVATE KEY-----" + "\n" * 300,
        "Ab: ",
    ],
)
def test_a_hundred_thousand_characters_of_prefixes_take_a_moment(unit):
    text = "-----BEGIN " + "PRIVATE KEY-----\n" + unit * (100_000 // len(unit))

    assert len(findings(text)) <= 1
