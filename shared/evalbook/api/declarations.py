"""Every route that a module of `api/routes` declares, and the document of them all."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from evalbook.api import routes
from evalbook.api.openapi import document
from evalbook.api.request_context import RouteGroup
from evalbook.api.route_table import Route, declared


@cache
def groups() -> Sequence[type[RouteGroup]]:
    """Return the groups of routes, by the names of their modules."""
    modules = [import_module(f"{routes.__name__}.{each.name}") for each in iter_modules(routes.__path__)]
    members = [member for module in modules for member in vars(module).values() if _is_group(member, module.__name__)]
    return tuple(members)


@cache
def every_route() -> Sequence[Route]:
    """Return all routes."""
    return tuple(route for group in groups() for route in declared(group).values())


@cache
def api_document() -> str:
    """Return the OpenAPI document of the whole API, as JSON text."""
    return document(groups())


def _is_group(member: object, module: str) -> bool:
    return isinstance(member, type) and issubclass(member, RouteGroup) and member.__module__ == module
