"""Makes patterns for property tests: well-formed ones, and heaps of pieces of syntax."""

from hypothesis import strategies as st

_ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        ".",
        "[ab]",
        "[^a]",
        "[a-c]",
        r"\w",
        r"\d",
        r"\s",
        r"[\w-]",
        r"\x61",
        "1",
        "_",
        "A",
        r"\n",
        "^",
        "$",
        r"\b",
        r"\B",
        r"\A",
        r"\Z",
        r"\R",
        "(?i:a)",
        "(?s:.)",
        "{",
        "a{x}",
        "(?#note)a",
    ]
)
_COUNTS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{,2}", "{1,}"])
_GREEDS = st.sampled_from(["", "", "?", "+"])


def _extend(inner):
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, _COUNTS, _GREEDS).map(lambda t: f"(?:{t[0]}){t[1]}{t[2]}"),
        st.tuples(_COUNTS, _GREEDS).map(lambda t: f"[ab]{t[0]}{t[1]}"),
        inner.map(lambda p: f"({p})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda options: f"(?:{'|'.join(options)})"),
        st.tuples(st.sampled_from(["?=", "?!", "?>"]), inner).map(lambda t: f"({t[0]}{t[1]})"),
        st.sampled_from(["(?<=a)", "(?<!ab)", "(?<=[ab])"]),
        inner.map(lambda p: f"({p})\\1"),
        inner.map(lambda p: f"(?:({p})|c)(?(1)a|b)"),
    )


patterns = st.recursive(_ATOMS, _extend, max_leaves=8)
"""Patterns that are mostly well-formed."""

pieces = st.lists(
    st.sampled_from(
        [
            *"ab01(){}[]|?*+^$.\\-,:<>=!#PiesxmgNpkRLdD& \n_",
            "(?:",
            "(?P<n>",
            "(?P=n)",
            "\\1",
            "\\p{L}",
            "\\g<1>",
            "(?(1)",
            "{1,3}",
            "{e}",
            "{i<=1}",
            "[[:",
            "\\N{DIGIT ONE}",
            "(?i)",
            "(?x)",
            "(?-i:",
            "(?<=",
            "\\u0041",
            "\\012",
            "[^]a]",
            "ſ",
            "İ",
        ]
    ),
    min_size=1,
    max_size=9,
).map("".join)
"""Heaps of pieces of syntax, mostly ill-formed."""
