"""The catalog finds what lies in the package of scorers."""

import sys
from importlib import import_module

import pytest

from evalbook.domain.errors import CatalogError
from evalbook.services.scoring import catalog

_MODULE = '''
from evalbook.domain.parameters import Parameters
from evalbook.domain.implementation import Need, scorer

@scorer(parameters=Parameters, needs=[Need.OUTPUT])
def {name}(parameters):
    """Passes."""
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a function that makes a package of scorers from its files."""
    made = []

    def make(files):
        name = f"sample_scorers_{len(made)}_{tmp_path.name}"
        made.append(name)
        for path in ("__init__.py", *files):
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            (file.parent / "__init__.py").touch()
            file.write_text(files.get(path, ""), encoding="utf-8")
        return import_module(name)

    monkeypatch.syspath_prepend(tmp_path)
    yield make
    for name in [name for name in sys.modules if name.startswith(tuple(made) or "\0")]:
        del sys.modules[name]


def test_implementations_are_found_in_their_families_sorted_by_name(package):
    home = package({"b/one.py": _MODULE.format(name="one"), "a/two.py": _MODULE.format(name="two")})

    assert dict(catalog.families(home)) == {"one": "b", "two": "a"}
    assert list(catalog.implementations(home)) == ["one", "two"]


def test_a_found_implementation_bears_its_name_and_family(package):
    home = package({"b/one.py": _MODULE.format(name="one")})

    found = catalog.find("one", home)

    assert (found.name, found.family) == ("one", "b")


def test_modules_with_an_underscore_and_modules_outside_families_are_no_implementations(package):
    home = package({"a/_shared.py": "", "loose.py": "", "a/one.py": _MODULE.format(name="one")})

    assert list(catalog.families(home)) == ["one"]


def test_an_unknown_name_is_not_found(package):
    assert catalog.find("none", package({})) is None


def test_two_implementations_of_one_name_break_the_catalog(package):
    home = package({"a/one.py": "", "b/one.py": ""})

    with pytest.raises(CatalogError, match="two implementations are called one"):
        catalog.families(home)


@pytest.mark.parametrize("text", ["", "one = 1"])
def test_a_module_without_an_implementation_of_its_name_breaks_the_catalog(package, text):
    home = package({"a/one.py": text})

    with pytest.raises(CatalogError, match="must define an implementation called one"):
        catalog.find("one", home)


def test_the_products_implementations_are_in_the_products_catalog():
    names = {"exact_match", "contains", "not_contains", "numeric_tolerance", "edit_similarity"}

    assert names <= set(catalog.implementations())


def test_the_catalog_cannot_be_changed():
    with pytest.raises(TypeError):
        catalog.families()["new"] = "text"
