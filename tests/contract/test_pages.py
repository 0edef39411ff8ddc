"""The pages agree with the code about what there is: implementations, parameters, defaults, keywords, links."""

import json
import re
from pathlib import Path

import pytest

from evalbook.jsonio.reader import read_json
from evalbook.jsonschema_subset.vocabulary import KEYWORDS
from evalbook.judges.reply import FINISHES
from evalbook.judges.version import Condition, JudgeParameters, role_of
from evalbook.services.scoring import catalog
from tests.unit.scorers.page import page
from tests.unit.traces.formats.page import page as formats_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = list(catalog.families())

_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`]+)`")


def prose(path):
    """A page without its code."""
    return _FENCED.sub("", path.read_text("utf-8"))


def anchors(path):
    """What links to a page's headings end with."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(path):
    """The links of a page that lead to no file or no heading; those to other sites are not looked at."""
    for target in _LINK.findall(_CODE.sub("", prose(path))):
        file, _, anchor = target.partition("#")
        there = path.parent / file if file else path
        if "://" not in target and not (there.exists() and (not anchor or anchor in anchors(there))):
            yield target


def sections():
    """The sections of the implementations by name."""
    page = prose(ROOT / "docs" / "scorers.md").partition("\n## The implementations\n")[2]
    return dict(part.split("\n", 1) for part in page.split("\n### ")[1:])


def table(text, head):
    """The cells of the rows of the table with this head."""
    lines = text.partition(head + "\n")[2].splitlines()[1:]
    rows = lines[: next(number for number, line in enumerate([*lines, ""]) if not line.startswith("|"))]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def parameters_of(name):
    """The parameters that the page names for an implementation: what their value and their default are said to be."""
    return {
        parameter: (value, default)
        for names, value, default in table(sections()[name], "| parameter | value | default |")
        for parameter in _CODE.findall(names)
    }


def published(name):
    """The published parameters of an implementation."""
    return catalog.find(name).parameters_schema()["properties"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_link_of_a_page_leads_somewhere(path):
    assert list(dead_links(path)) == []


def test_the_sections_about_implementations_are_as_the_code_makes_them():
    written = (ROOT / "docs" / "scorers.md").read_text("utf-8")

    assert page(written) == written  # otherwise: make schemas


def test_the_tables_of_formats_are_as_the_code_makes_them():
    written = (ROOT / "docs" / "traces.md").read_text("utf-8")

    assert formats_page(written) == written  # otherwise: make schemas


def test_the_list_of_implementations_says_their_families_and_needs():
    rows = table(prose(ROOT / "docs" / "scorers.md"), "| implementation | family | passes when | needs |")

    listed = {_CODE.findall(name)[0]: (family, needs.split(", ")) for name, family, _, needs in rows}

    assert listed == {name: (entry.family, list(entry.needs)) for name, entry in catalog.implementations().items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_section_names_the_parameters_that_the_catalog_publishes(name):
    assert set(parameters_of(name)) == set(published(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_section_says_which_parameters_are_required(name):
    required = {parameter for parameter, (_, default) in parameters_of(name).items() if default == "required"}

    assert required == set(catalog.find(name).parameters_schema().get("required", []))


@pytest.mark.parametrize("name", NAMES)
def test_a_section_says_the_defaults_that_the_catalog_publishes(name):
    spelt = {key: _CODE.findall(default) for key, (_, default) in parameters_of(name).items()}
    defaults = {key: json.loads(code[0]) for key, code in spelt.items() if code}

    # An empty list is said in a word.
    said = {key: field["default"] for key, field in published(name).items() if "default" in field}
    assert defaults == {key: value for key, value in said.items() if value != []}


@pytest.mark.parametrize("name", NAMES)
def test_a_section_names_every_choice_that_a_parameter_has(name):
    choices = {
        key: field.get("enum") or field.get("items", {}).get("enum", []) for key, field in published(name).items()
    }

    assert {
        key: missing
        for key, (value, _) in parameters_of(name).items()
        if (missing := set(choices[key]) - set(_CODE.findall(value)))
    } == {}


QUESTIONS = [
    (question, _CODE.findall(name)[0], _CODE.findall(parameters)[0])
    for question, name, parameters in table(
        prose(ROOT / "docs" / "scorers.md"), "| I want to check that … | use | parameters |"
    )
]


@pytest.mark.parametrize(("question", "name", "parameters"), QUESTIONS)
def test_the_parameters_that_answer_a_question_make_a_version(question, name, parameters):
    assert catalog.find(name).prepare(read_json(parameters.encode())).implementation == name, question


def test_the_questions_lead_to_every_implementation():
    assert len(QUESTIONS) >= 40
    assert {name for _, name, _ in QUESTIONS} == set(NAMES)


def test_the_page_lists_the_keywords_of_the_json_schema_subset():
    rows = table(sections()["json_schema"], "| about | keywords |")

    assert {keyword for _, cell in rows for keyword in _CODE.findall(cell)} == KEYWORDS


def test_the_judges_page_says_of_each_parameter_whether_it_is_material():
    rows = table((ROOT / "docs" / "judges.md").read_text("utf-8"), "| name | value | default | role |")
    said = {name: role for names, _, _, role in rows for name in _CODE.findall(names)}

    assert said == {field: type(role_of(field)).__name__.lower() for field in JudgeParameters.model_fields}


def test_the_calibration_page_names_each_condition_of_a_judge():
    [row] = [
        row for row in (ROOT / "docs" / "calibration.md").read_text("utf-8").splitlines() if "| `conditions` |" in row
    ]
    named = _CODE.findall(row)[1:]

    assert named[:-1] == [field for field in JudgeParameters.model_fields if isinstance(role_of(field), Condition)]


def test_the_judges_page_lists_every_word_for_how_a_reply_ended():
    rows = table((ROOT / "docs" / "judges.md").read_text("utf-8"), "| meaning | words |")
    said = {
        word: None if "itself" in meaning else meaning.strip("`")
        for meaning, words in rows
        for word in _CODE.findall(words)
    }

    assert said == {word: code and code.name.removeprefix("REPLY_") for word, code in FINISHES.items()}
