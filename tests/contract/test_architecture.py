"""The page about the architecture names the rooms that there are, and modules that exist."""

import re
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "shared" / "evalbook"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
[PICTURE] = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
HOMES = (ROOT, ROOT / "shared", PACKAGE)
_COLUMN = 36
_ROOMS_ONLY = r"\w+/?( [│·] \w+/?)*"


def layers():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layered] = [each for each in contracts if each.get("containers") == ["evalbook"]]
    return [re.split(r" \| ", layer) for layer in layered["layers"]]


def line_of(room):
    """Where the picture shows a room: before what it says about it, unless a line is rooms only."""
    lines = [line if re.fullmatch(_ROOMS_ONLY, line) else line[:_COLUMN] for line in PICTURE.splitlines()]
    found = [number for number, line in enumerate(lines) if re.search(rf"\b{room}\b", line)]
    assert found, f"the picture of docs/architecture.md does not show {room}: draw it where its layer is"
    return found[0]


def test_the_picture_shows_every_room_below_what_may_import_from_it():
    lines = [line_of(room) for layer in layers() for room in layer]

    assert lines == sorted(lines)


def test_the_picture_shows_the_rooms_that_there_are():
    rooms = {path.stem for path in PACKAGE.iterdir() if not path.name.startswith("_") and path.name != "py.typed"}

    assert {room for room in rooms if not re.search(rf"\b{room}\b", PICTURE)} == set()


def named_paths():
    """Files that the page names by a path, and those beside them that it names by their last part only."""
    folder = None
    for path in re.findall(r"`([\w/.]+\.(?:py|json|md|yaml))`", PAGE):
        if "/" in path:
            folder = Path(path).parent
            yield path
        elif not (ROOT / path).exists():
            yield str(folder / path)


def test_every_module_that_the_page_names_exists():
    assert [path for path in named_paths() if not any((home / path).exists() for home in HOMES)] == []


def test_a_public_class_name_means_one_thing():
    names = Counter(
        name
        for path in (ROOT / "shared" / "evalbook").rglob("*.py")
        for name in re.findall(r"^class ([A-Z]\w+)", path.read_text("utf-8"), re.MULTILINE)
    )

    assert {name: count for name, count in names.items() if count > 1} == {}
