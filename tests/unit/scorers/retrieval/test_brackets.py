"""Tests of telling bracketed citations from what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorers.retrieval._brackets import read_prose
from evalbook.scorers.retrieval._cited_ids import ids_in


def cited(text):
    return [one for _, content in read_prose(text).brackets for one in ids_in(content, ())]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Rates rose [1].", ["1"]),
        ("Rates rose[1].", ["1"]),
        ("[a, b]", ["a", "b"]),
        ("[a; b]", ["a", "b"]),
        ("[ a ,\nb ]", ["a", "b"]),
        ("[1,]", ["1"]),
        ("[1][2]", ["1", "2"]),
        ("[Doc-01] [Passage ID 4]", ["Doc-01", "Passage ID 4"]),
        ("Really![1]", ["1"]),
        ("[[1]]", ["1"]),
        ("[see [1] and [2]]", ["1", "2"]),
        ("[1]: Yes.", ["1"]),
        (r"[1\]]", ["1]"]),
        (r"[\[a\]]", ["[a]"]),
        (r"[1\[a]", ["1[a"]),
        (r"[Smith\, 2020]", ["Smith, 2020"]),
        (r"[a\\, b]", ["a\\", "b"]),
        (r"[dir\a.txt]", [r"dir\a.txt"]),
    ],
)
def test_bracketed_ids_are_citations(text, ids):
    assert cited(text) == ids


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[ ]",
        "[...] […]",
        "[docs](https://example.org)",
        "[docs](<https://example.org/a b>)",
        '[docs](https://example.org "The [title]")',
        "[docs](https://example.org/a_(b))",
        "[docs](https://example.org/[9])",
        "[docs [1]](https://example.org)",
        "[[docs](https://example.org)]",
        "![picture](a.png)",
        "[the docs][docs]\n\n[docs]: https://example.org",
        "[the docs][1]\n\n[1]: https://example.org",
        "See [Docs].\n\n[docs]: <https://example.org> 'Title'",
        "See [docs][].\n\n[docs]: /local",
        "Noted[^1].\n\n[^1]: A note.",
        "- [ ] to do\n- [x] done\n1. [X] done",
        "`items[0]`",
        "``a ` [0] ``",
        "```python\nitems[0]\n```",
        "~~~~\nitems[0]\n~~~\nitems[1]\n~~~~",
        "```\nnever closed [0]",
        r"\[1\]",
        r"\[ x = 1 \]",
        "[unclosed",
        "unopened]",
    ],
)
def test_what_only_looks_like_a_citation_is_none(text):
    assert cited(text) == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("[1](see the appendix)", ["1"]),
        ("[1](unclosed", ["1"]),
        ("[1] (https://example.org)", ["1"]),
        ("[docs](https://example.org) and [1]", ["1"]),
        ("Rose [1][2].\n\n[1]: https://a.example\n[2]: https://b.example", ["1", "2"]),
        ("Rose [Doc-2].\n\n[Doc-2]: https://a.example", ["Doc-2"]),
        ("a ` b [1]\n\nc ` d [2]", ["1", "2"]),
        (r"a \` b [1] c ` d", ["1"]),
        ("`a[0]` [1] `b[0]`", ["1"]),
        ("```\nitems[0]\n```\n[1]", ["1"]),
        ("```items[0]``` [1]", ["1"]),
        ("[`doc-1`]", ["doc-1"]),
        (r"`a\`[1]", ["1"]),
        ("[1] `[2](x)` [3]`(x)`", ["1", "3"]),
        ("[^1] [2]", ["2"]),
        ("- [x] done [1]", ["1"]),
    ],
)
def test_a_citation_beside_them_is_found(text, ids):
    assert cited(text) == ids


def test_all_of_the_brackets_are_one_id_where_that_is_known():
    assert list(ids_in(" a, b ", {"a, b"})) == ["a, b"]
    assert list(ids_in("a, b", {"a"})) == ["a", "b"]


def test_what_was_retrieved_with_its_backslashes_is_that_id():
    assert list(ids_in(r"a\_b", {r"a\_b"})) == [r"a\_b"]
    assert list(ids_in(r"a\_b", {"a_b"})) == ["a_b"]
    assert list(ids_in(r"x, a\_b", {r"a\_b"})) == ["x", r"a\_b"]


def test_an_id_without_letters_is_one_where_it_is_known():
    assert list(ids_in("§", {"§"})) == ["§"]
    assert list(ids_in("§", ())) == []


HOSTILE = ["[", "]", "[a](", "[a][", "`", "` `` ", "](", '[a](u "', "\n[a]: x:", "- [", "```\n", "\\", "   ", "[\n"]


@pytest.mark.parametrize("part", HOSTILE)
def test_repeated_markup_cites_nothing_but_a(part):
    assert set(cited(part * (20_000 // len(part)))) <= {"a"}


def test_deeply_nested_brackets_are_read():
    assert cited("[" * 20_000 + "1" + "]" * 20_000) == ["1"]


@given(st.text("[]()`~^!-: a1,\n", max_size=40))
def test_an_id_is_made_of_the_text_and_without_space_around_it(text):
    ids = cited(text)

    assert set("".join(ids)) <= set(text) | {" "}
    assert [one.strip() for one in ids] == ids


@given(st.lists(st.sampled_from(["1", "b", "Doc-3"]), max_size=4))
def test_citations_in_prose_are_found_in_order(ids):
    assert cited(" and ".join(f"it is so [{one}]" for one in ids)) == ids
