import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.judges.changes import JudgeChange, compare, text_diff
from evalbook.judges.version import conditions, material
from tests.unit.judges.judging import BINARY, DIGEST, judge


@pytest.mark.parametrize(
    ("change", "old"),
    [
        ({"repeat_count": 5}, 1),
        ({"max_reply_tokens": 100}, 800),
        ({"reasoning_summary_max_chars": 50}, 1_200),
        ({"time_limit_ms": 1}, 120_000),
    ],
)
def test_a_change_of_a_condition_is_told_apart_from_the_material(change, old):
    found = compare(judge(), judge(BINARY, **change))

    [(name, new)] = change.items()
    assert (found.material, found.conditions) == ((), (JudgeChange(name, old, new),))


def test_equal_judges_differ_in_nothing():
    assert compare(judge(), judge()).material == compare(judge(), judge()).conditions == ()


def test_two_names_of_one_rubric_text_are_the_same_judge():
    one, other = ({"rubric": {"name": name, "version": 1, "digest": DIGEST}} for name in ("accuracy", "tone"))

    assert compare(judge(BINARY, **one), judge(BINARY, **other)) == compare(judge(), judge())


def test_conditions_are_compared_as_calibration_reports_name_them():
    assert {each.field for each in compare(None, judge()).conditions} == conditions(judge()).keys()


def test_against_no_judge_every_field_is_new():
    found = compare(None, judge())

    assert {each.field for each in found.material} == material(judge()).keys()
    assert all(each.old is None for each in (*found.material, *found.conditions))


def test_a_changed_template_is_shown_as_a_unified_diff():
    old, new = "Judge\n{{output}}\nstrictly.", "Judge\n{{output}}\nkindly."

    [change] = compare(judge(BINARY, prompt_template=old), judge(BINARY, prompt_template=new)).material

    assert (change.field, change.old, change.new) == ("prompt_template", old, new)
    assert change.diff == "--- old\n+++ new\n@@ -1,3 +1,3 @@\n Judge\n {{output}}\n-strictly.\n+kindly."


def test_a_template_that_is_new_has_no_diff():
    [change] = [each for each in compare(None, judge()).material if each.field == "prompt_template"]

    assert change.diff is None


LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=3), min_size=1, max_size=12)


@given(LINES, LINES)
def test_a_diff_of_templates_makes_the_new_one_of_the_old_one(old, new):
    diff = text_diff("\n".join(old), "\n".join(new))

    assert patched(old, diff.split("\n")[2:]) == new


def patched(old, lines):
    """*old* with the hunks of a diff applied, whose context and removed lines must be those of *old*."""
    new, at = [], 0
    for line in lines:
        if hunk := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+.* @@", line):
            begin = int(hunk[1]) - (hunk[2] != "0")
            new, at = new + old[at:begin], begin
        elif line[0] == "+":
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new, at = new + ([line[1:]] if line[0] == " " else []), at + 1
    return new + old[at:]


def test_templates_of_very_many_lines_stand_as_a_whole():
    old, new = "a\n" * 1_000, "a\n" * 999 + "b"

    lines = text_diff(old, new).split("\n")

    assert lines[2] == "@@ -1,1001 +1,1000 @@"
    assert lines[3:] == [f"-{line}" for line in old.split("\n")] + [f"+{line}" for line in new.split("\n")]
