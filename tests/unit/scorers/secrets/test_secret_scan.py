"""secret_scan: none of the chosen credential detectors match the output."""

import base64
import hashlib
import json
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorers.secrets._forms import FORMS, covered_forms
from evalbook.scorers.secrets._parameters import ALL
from evalbook.scorers.secrets._scanning import scan
from tests.unit.json_values import values
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import PASS, SOME, Input, array_text, case_text, large_values
from tests.unit.scorers.secrets.credentials import (
    CREDENTIALS,
    HEXADECIMAL,
    MARK,
    base64url,
    github,
    joined,
    jwe,
    jwt,
    pem,
    some,
)

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
- `ignore` holds the SHA-256 digests of whole findings, so that a known value of a documentation is not written down:
  `printf %s "$value" | sha256sum`. A digest ignores its own value only, whichever detector found it.
- `extra_detectors` find by patterns of your own, in each string by itself; `match_timeout_ms` and `max_input_chars`
  hold for them. Each pattern is checked as every pattern is, and must not match the empty text.

What each detector knows, and since when; `make secrets-forms` prints the same list:

""" + covered_forms()
SHOWN = [
    ({}, {"output": {"log": ["connected", "key=AKIA" + "IOSFODNN7EXAMPLE"]}}),
    ({"detectors": ["github_token", "jwt"]}, {"output": "Nothing to see here."}),
    (
        {"extra_detectors": [{"name": "ticket", "pattern": r"\bTCK-[0-9]{6}\b"}]},
        {"output": "Ticket TCK-204518 is open."},
    ),
]


LENGTH = 15_000


_HEADER = base64.urlsafe_b64encode(b"{" + b'"a":[' * 1_000).decode().rstrip("=")


_DIGITS = base64.urlsafe_b64encode(b'{"a":' + b"9" * 6_000).decode().rstrip("=")


def _repeated(unit: str, length: int = LENGTH) -> str:
    return json.dumps(unit * (length // len(unit)))


def hostile_inputs() -> Iterator[Input]:
    prefixes = sorted({prefix for form in FORMS for prefix in form.prefixes})
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
    for prefix in sorted({form.prefixes[0] for form in FORMS}):
        output = _repeated(f" {prefix}", 1_000_000)
        yield Input(f"a million characters of {prefix}", {}, case_text(output=output), PASS)
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
        jwe().replace(
            base64url('{"alg": "RSA-OAEP", "enc": "A256GCM"}'), base64url('{"typ": "JWT", "enc": "A256GCM"}')
        ),
        joined("ghs", "_7341_", jwt('{"page": 3}')),
        joined("ghs", "_7341_", "header.payload.signature"),
        joined("ghs", "_<APP_ID>_<JWT>"),
        joined("ghr", "_", "x" * 76),
        joined("ghr", "_", some(60)),
        joined("ghr", "_", "publish_the_nightly_packages_of_every_branch_to_the_mirrors_of_all_of_them_now"),
        joined("xox", "c-", "1" * 11, "-", "2" * 12, "-", "3" * 13, "-", "f" * 64),
        joined("xox", "c-", "the-token-of-your-session"),
        joined("xox", "d-", "x" * 80),
        joined("xox", "d-", "yourcookiegoesherewithoutanyspacesinbetweenthewords"),
        joined("xw", "fp-", "12-34-", some(24)),
        joined("sk-", "ant-ort01-", "x" * 90),
        joined("sk-", "ant-ort01-", "your-refresh-token-goes-here-and-nothing-else-does"),
        joined("sk-", "ant-orthography-of-2-languages-", some(60)),
        joined("sk", "-proj-", some(19), MARK, some(20)),
        joined("FAQ", ".Ab8R", some(46)),
        joined("AQ", ".Ab8R", "x" * 46),
        joined("AQ", ".Ab8R", some(40)),
        joined("sk", "_org_live_", "0" * 32),
        joined("sk", "_org_live_your_key_goes_here"),
        joined("task", "_org_live_", some(24)),
        joined("sk", "_organ_live_", some(24)),
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


def test_a_form_inside_another_of_its_detector_is_one_finding():
    inner = CREDENTIALS["slack_token"][1]

    assert findings(f"{jwe()} {inner}") == [("jwt", 0, 0, len(jwe())), ("slack_token", 0, len(jwe()) + 1, len(inner))]


def test_a_value_whose_digest_is_ignored_is_no_finding():
    known = hashlib.sha256(AWS.encode()).hexdigest()

    assert findings(f"{AWS} {github()}", ignore=[known]) == [("github_token", 0, len(AWS) + 1, len(github()))]
    assert outcome("secret_scan", {"ignore": [known]}, output=f"export KEY={AWS}") == "pass"


def test_a_digest_ignores_its_own_value_only():
    known = hashlib.sha256(AWS.encode()).hexdigest()
    other = joined("AKIA", some(16, "ABCDEFGH234567", seed=11))

    assert len(findings(other, ignore=[known])) == 1


def test_an_ignored_value_inside_a_longer_finding_does_not_hide_it():
    known = hashlib.sha256(pem()[:40].encode()).hexdigest()

    assert len(findings(pem(), ignore=[known])) == 1


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "A" * 64, AWS, "g" * 64, 7, None])
def test_what_is_no_digest_in_small_letters_is_refused(digest):
    assert refused("secret_scan", {"ignore": [digest]}) == {"/ignore/0"}


EXTRA = {"name": "acme_token", "pattern": r"\bacme_[a-z]{2}_[0-9a-f]{16}\b"}
ACME = joined("acme", "_eu_", some(16, HEXADECIMAL))


def test_a_detector_of_the_authors_own_finds_in_every_text_by_its_name():
    assert findings([f"a {ACME}", {ACME: AWS}], extra_detectors=[EXTRA]) == [
        ("acme_token", 0, 2, len(ACME)),
        ("acme_token", 1, 0, len(ACME)),
        ("aws_access_key_id", 2, 0, len(AWS)),
    ]


def test_a_digest_ignores_what_an_extra_detector_finds_too():
    known = hashlib.sha256(ACME.encode()).hexdigest()

    assert findings(ACME, extra_detectors=[EXTRA], ignore=[known]) == []


def test_an_extra_detector_counts_among_those_that_ran():
    clean = grade("secret_scan", {"extra_detectors": [EXTRA], "detectors": ["jwt"]}, output="nothing")

    assert "the detectors that ran (2)" in clean.explanation


def test_no_part_of_what_an_extra_detector_finds_is_reported():
    found = grade("secret_scan", {"extra_detectors": [EXTRA]}, output=ACME)

    assert ACME not in f"{found.explanation}{found.details}"
    assert ACME[5:] not in f"{found.explanation}{found.details}"


@pytest.mark.parametrize(
    ("extra", "pointer"),
    [
        ({"name": "x", "pattern": "(a|a)*;"}, "/extra_detectors/0/pattern"),
        ({"name": "x", "pattern": "(?R)a"}, "/extra_detectors/0/pattern"),
        ({"name": "x", "pattern": "["}, "/extra_detectors/0/pattern"),
        ({"name": "x", "pattern": ""}, "/extra_detectors/0/pattern"),
        ({"name": "x", "pattern": "a*"}, "/extra_detectors/0/pattern"),
        ({"name": "x", "pattern": 7}, "/extra_detectors/0/pattern"),
        ({"name": "x"}, "/extra_detectors/0/pattern"),
        ({"name": "X y", "pattern": "a"}, "/extra_detectors/0/name"),
        ({"name": "jwt", "pattern": "a"}, "/extra_detectors/0/name"),
        ({"pattern": "a"}, "/extra_detectors/0/name"),
        ({"name": "x", "pattern": "a", "flags": []}, "/extra_detectors/0/flags"),
        ("jwt", "/extra_detectors/0"),
    ],
)
def test_an_extra_detector_that_cannot_be_used_is_refused_at_its_place(extra, pointer):
    assert refused("secret_scan", {"extra_detectors": [extra]}) == {pointer}


def test_two_extra_detectors_of_one_name_are_refused():
    assert refused("secret_scan", {"extra_detectors": [EXTRA, EXTRA]}) == {"/extra_detectors/1/name"}


def test_a_text_too_long_for_an_extra_detector_is_an_error_and_no_pass():
    parameters = {"extra_detectors": [EXTRA], "max_input_chars": 10}

    assert outcome("secret_scan", parameters, output="eleven char") == "error"


def test_every_form_has_a_day_from_which_it_is_covered():
    assert all(date.fromisoformat(form.since) for form in FORMS)


def test_every_detector_of_the_parameters_has_forms():
    assert list(dict.fromkeys(form.detector for form in FORMS)) == ALL


@pytest.mark.parametrize("form", [pytest.param(form, id=f"{form.detector}: {form.title}") for form in FORMS])
def test_every_form_has_a_credential_here_that_it_finds_alone(form):
    found = [each for each in CREDENTIALS[form.detector] if scan([each], [form])]

    assert found


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
