"""The implementations there are, found by walking the package of scorers: there is no list to edit."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

from evalbook import scorers
from evalbook.domain.errors import CatalogError
from evalbook.domain.implementation import Implementation


@cache
def families(package: ModuleType = scorers) -> Mapping[str, str]:
    """Every implementation's name and its family, read from the files alone: nothing is imported but the packages."""
    found: dict[str, str] = {}
    for family in pkgutil.iter_modules(package.__path__):
        if not family.ispkg:
            continue
        home = import_module(f"{package.__name__}.{family.name}")
        for module in pkgutil.iter_modules(home.__path__):
            if module.name.startswith("_"):
                continue
            if module.name in found:
                raise CatalogError(f"two implementations are called {module.name}")
            found[module.name] = family.name
    return MappingProxyType(dict(sorted(found.items())))


def find(name: str, package: ModuleType = scorers) -> Implementation[Any] | None:
    """Return the implementation called *name*, its module imported on first use; None where there is none.

    Raises:
        CatalogError: The module does not define an implementation of its own name.
    """
    family = families(package).get(name)
    if family is None:
        return None
    module = import_module(f"{package.__name__}.{family}.{name}")
    entry = getattr(module, name, None)
    if not isinstance(entry, Implementation):
        raise CatalogError(f"{module.__name__} must define an implementation called {name}")
    return entry


def implementations(package: ModuleType = scorers) -> Mapping[str, Implementation[Any]]:
    """Return all implementations by name."""
    return MappingProxyType({name: entry for name in families(package) if (entry := find(name, package))})
