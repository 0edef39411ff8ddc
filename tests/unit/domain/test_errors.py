"""The error tree is drawn whole, where it begins."""

import ast
import re
from pathlib import Path

from evalbook.domain import errors

PACKAGE = Path(errors.__file__).parents[1]
DRAWN = re.compile(r"^    ([│ ]*)[├└]── (\w+) ", re.MULTILINE)


def defined():
    """Every public error of the package that descends from EvalBookError by name, and its parent."""
    classes = {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }
    found = {"EvalBookError"}
    while more := {name for name, bases in classes.items() if found & set(bases)} - found:
        found |= more
    return {name: next(base for base in classes[name] if base in found) for name in found - {"EvalBookError"}}


def drawn():
    """Every error of the picture and its parent."""
    parents, tree = ["EvalBookError"], {}
    for indent, name in DRAWN.findall(errors.__doc__):
        depth = len(indent) // 4
        tree[name] = parents[depth]
        parents[depth + 1 :] = [name]
    return tree


def test_the_picture_shows_every_error_under_its_parent():
    assert drawn() == defined()
