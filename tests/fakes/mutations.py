"""Documents that are nearly right: one or two changes away from one that is."""

import copy
import json

from hypothesis import strategies as st

ODD = [None, True, False, 0, -1, 1, 1.0, 2.5, 1e300, 10**30, "", "x", "active", "\u202e", "0" * 64, [], [None], {}]
ODD += [{"a": 1}, [[[[]]]], "x" * 300, "2031-01-01T00:00:00Z"]
JSON = st.recursive(
    st.sampled_from(ODD) | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
SPOILT = ["NaN", "1e401", "9" * 401, "12.5e400", '"\\ud800"', "{", "", '{"a":1,"a":2}', "[" * 300 + "]" * 300, "tru"]


def places(value, path=()):
    """Every place in a document, as the keys that lead there; the whole first."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from places(member, (*path, name))


@st.composite
def mutated(draw, document):
    """*document* with one to three members taken away, renamed, replaced or added."""
    found = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(found))))
        if not path:
            if isinstance(found, dict):
                found[draw(st.text(max_size=8) | st.sampled_from(["case", "versoin"]))] = copy.deepcopy(draw(JSON))
            continue
        holder = found
        for name in path[:-1]:
            holder = holder[name]
        change = draw(st.sampled_from(["remove", "rename", "replace", "replace", "add"]))
        if change == "remove":
            del holder[path[-1]]
        elif change == "rename" and isinstance(holder, dict):
            holder[draw(st.text(max_size=8)) or "renamed"] = holder.pop(path[-1])
        elif change == "add" and isinstance(holder[path[-1]], dict):
            holder[path[-1]][draw(st.text(min_size=1, max_size=8))] = copy.deepcopy(draw(JSON))
        else:
            holder[path[-1]] = copy.deepcopy(draw(JSON))
    return found


@st.composite
def mutated_text(draw, document):
    """The text of a mutated document, sometimes with one value that is no strict JSON, or cut short."""
    text = json.dumps(draw(mutated(document)))
    kind = draw(st.sampled_from(["whole", "whole", "spoilt", "cut", "marked"]))
    if kind == "spoilt" and ":" in text:
        at = draw(st.integers(0, text.count(":") - 1))
        parts = text.split(":")
        return ":".join(parts[: at + 1]) + ":" + draw(st.sampled_from(SPOILT)) + "," + ":".join(parts[at + 1 :])
    if kind == "cut":
        return text[: draw(st.integers(0, len(text)))]
    return "\ufeff" + text if kind == "marked" else text
