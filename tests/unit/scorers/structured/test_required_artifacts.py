"""required_artifacts: the case lists each required artifact by kind and name, with a SHA-256 digest."""

import json
from collections.abc import Iterator

import pytest

from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import FAIL, SOME, Input, array_text, case_text, large_values, long_texts, object_text

DIGEST, OTHER = "aB" * 32, "0" * 64
REPORT = {"kind": "file", "name": "report.csv", "sha256": DIGEST}
ANY_DIGEST = {"kind": "file", "name": "report.csv"}
EXAMPLES = [
    ({"required_artifacts": [REPORT]}, {"output": {"artifacts": [{**REPORT, "sha256": DIGEST.lower()}]}}, "pass"),
    ({"required_artifacts": [REPORT]}, {"output": {"artifacts": [{**REPORT, "sha256": OTHER}]}}, "fail"),
    ({"required_artifacts": [ANY_DIGEST]}, {"output": "done", "subject": {"artifacts": [REPORT]}}, "pass"),
    ({"required_artifacts": [REPORT], "sources": ["trace"]}, {"output": {"artifacts": [REPORT]}}, "unsupported"),
]
NOTES = """
It checks what the case reports and fetches nothing.

Artifacts are listed as `{"kind", "name", "sha256"}` in the output's member `artifacts` (or in the array at
`output_path`), in the case's `subject.artifacts` and in its `trace.links`. The lists of all chosen sources count
together.

- A digest is 64 hexadecimal digits in either letter case. Without `sha256` any well-formed digest does; without a
  well-formed digest an artifact is not listed.
- Kind and name are compared exactly.
- An artifact that is found needs nothing else. Where one is missing, an output that was not recorded or a truncated
  trace makes the case `unsupported`, since it could have been listed there; an output that is no object fails.
"""
SHOWN = [
    (
        {"required_artifacts": [{"kind": "report", "name": "q3.pdf"}, {"kind": "data", "name": "q3.csv"}]},
        {"output": {"artifacts": [{"kind": "report", "name": "q3.pdf", "sha256": "3f2a"}]}},
    ),
]


def _artifacts(count: int, digest: str) -> str:
    return array_text(f'{{"kind":"k","name":"n{n}","sha256":"{digest}"}}' for n in range(count))


def hostile_inputs() -> Iterator[Input]:
    digest = "ab" * 32
    lists = {
        "well-formed": _artifacts(SOME, digest),
        "digests a digit too long": _artifacts(SOME, digest + "a"),
        "digests of a million digits": _artifacts(2, "a" * 500_000),
        "one artifact": array_text([f'{{"kind":"k","name":"n0","sha256":"{digest}"}}'] * SOME),
        **{
            f"kinds of {title}": array_text([f'{{"kind":{json.dumps(text)},"name":"n"}}'])
            for title, text in long_texts(SOME)
        },
        **dict(large_values(SOME, 97)),
    }
    wanted = [
        [{"kind": "k", "name": "no"}],
        [{"kind": "k", "name": f"n{n}", "sha256": digest} for n in range(SOME + 1)],
    ]
    for title, entries in lists.items():
        found = object_text([("artifacts", entries)])
        for number, required in enumerate(wanted):
            for source, members in (
                ("output", {"output": found}),
                ("subject", {"output": "{}", "subject": found}),
                ("trace", {"output": "{}", "trace": object_text([("links", entries)])}),
            ):
                parameters = {"required_artifacts": required, "sources": [source]}
                # A subject whose artifacts have members that are not known makes the case invalid.
                want = FAIL | {"error"} if source == "subject" else FAIL
                yield Input(f"{title}, {number}, {source}", parameters, case_text(**members), want)


def listed(required, entries, **parameters):
    parameters = {"required_artifacts": required, **parameters}
    return outcome("required_artifacts", parameters, output={"artifacts": entries}) == "pass"


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("output", {"output": {"artifacts": [REPORT]}}),
        ("subject", {"output": {}, "subject": {"artifacts": [REPORT]}}),
        ("trace", {"output": {}, "trace": {"links": [REPORT]}}),
    ],
)
def test_an_artifact_is_found_in_each_source_and_only_where_the_source_is_chosen(source, members):
    others = [other for other in ("output", "subject", "trace") if other != source]

    assert outcome("required_artifacts", {"required_artifacts": [REPORT]}, **members) == "pass"
    assert outcome("required_artifacts", {"required_artifacts": [REPORT], "sources": [source]}, **members) == "pass"
    assert outcome("required_artifacts", {"required_artifacts": [REPORT], "sources": others}, **members) == "fail"


def test_the_sources_are_taken_together():
    second = {**REPORT, "name": "second"}
    members = {"output": {"artifacts": [REPORT]}, "trace": {"links": [second]}}

    assert outcome("required_artifacts", {"required_artifacts": [REPORT, second]}, **members) == "pass"


def test_kind_and_name_are_compared_as_written():
    assert not listed([REPORT], [{**REPORT, "kind": "File"}])
    assert not listed([REPORT], [{**REPORT, "name": "report.csv "}])


@pytest.mark.parametrize("digest", [DIGEST + "0", DIGEST[1:], "sha256:" + DIGEST, "g" * 64, DIGEST + "\n", None, 1, ""])
def test_an_artifact_without_a_well_formed_digest_is_not_listed(digest):
    assert not listed([ANY_DIGEST], [{**REPORT, "sha256": digest}])


def test_of_two_entries_with_one_name_either_may_have_the_digest():
    assert listed([REPORT], [{**REPORT, "sha256": OTHER}, REPORT])


@pytest.mark.parametrize(
    "entries", [None, "report.csv", {"report.csv": REPORT}, [[REPORT]], [None], [{"name": "report.csv"}]]
)
def test_what_is_no_list_of_artifacts_lists_nothing(entries):
    assert not listed([ANY_DIGEST], entries)


def test_output_path_leads_to_the_object_with_the_list_or_to_the_list():
    chosen = {"required_artifacts": [REPORT], "sources": ["output"]}

    assert (
        outcome("required_artifacts", {**chosen, "output_path": "/r"}, output={"r": {"artifacts": [REPORT]}}) == "pass"
    )
    assert outcome("required_artifacts", {**chosen, "output_path": "/r"}, output={"r": [REPORT]}) == "pass"
    assert outcome("required_artifacts", chosen, output=[REPORT]) == "fail"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, Code.OUTPUT_UNAVAILABLE),
        ({"subject": {"artifacts": []}}, Code.OUTPUT_UNAVAILABLE),
        ({"output": {}, "trace": {"links": [], "truncated": True}}, Code.TRACE_TRUNCATED),
        ({"output": "text", "trace": {"truncated": True}}, Code.TRACE_TRUNCATED),
    ],
)
def test_a_missing_artifact_is_unsupported_where_what_could_list_it_was_not_recorded(members, code):
    answer = grade("required_artifacts", {"required_artifacts": [REPORT]}, **members)

    assert (answer.outcome, answer.code) == ("unsupported", code)


def test_what_is_found_needs_no_other_source():
    members = {"subject": {"artifacts": [REPORT]}, "trace": {"truncated": True}}

    assert outcome("required_artifacts", {"required_artifacts": [REPORT]}, **members) == "pass"


def test_a_fail_names_each_missing_artifact_by_its_index_and_in_what_way_it_is_missing():
    required = [REPORT, {**REPORT, "name": "b"}, {**REPORT, "name": "c"}]
    entries = [{**REPORT, "sha256": OTHER}, {**ANY_DIGEST, "name": "b"}]

    answer = grade("required_artifacts", {"required_artifacts": required}, output={"artifacts": entries})

    assert answer.explanation == (
        "The case does not list 3 of 3 required artifacts: 0 (listed with another digest), "
        "1 (listed without a well-formed digest), 2 (not listed)."
    )


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {"/required_artifacts"}),
        ({"required_artifacts": []}, {"/required_artifacts"}),
        ({"required_artifacts": [REPORT], "sources": []}, {"/sources"}),
        ({"required_artifacts": [{**REPORT, "kind": ""}]}, {"/required_artifacts/0/kind"}),
        ({"required_artifacts": [{"kind": "file"}]}, {"/required_artifacts/0/name"}),
        ({"required_artifacts": [{**REPORT, "sha256": "sha256:" + DIGEST}]}, {"/required_artifacts/0/sha256"}),
        ({"required_artifacts": [{**REPORT, "sha256": ""}]}, {"/required_artifacts/0/sha256"}),
        ({"required_artifacts": [{**REPORT, "sha256": None}]}, {"/required_artifacts/0/sha256"}),
    ],
)
def test_requirements_that_say_nothing_or_cannot_be_met_are_refused(parameters, pointers):
    assert refused("required_artifacts", parameters) == pointers
