"""The rooms of the package, the folders and modules right under it, and the arrows of imports between them."""

from dataclasses import dataclass

import grimp


@dataclass(frozen=True, slots=True)
class Rooms:
    """The names of the rooms, the pairs of which the first imports from the second, and the number of modules."""

    names: frozenset[str]
    arrows: frozenset[tuple[str, str]]
    modules: int


def rooms_of(package: str) -> Rooms:
    """Return the rooms of the importable *package*."""
    graph = grimp.build_graph(package)
    arrows = {
        (_room(importer), _room(imported))
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    }
    names = frozenset(map(_room, graph.modules)) - {""}
    between = frozenset((one, other) for one, other in arrows if one != other and one and other)
    return Rooms(names, between, len(graph.modules))


def _room(module: str) -> str:
    _, _, path = module.partition(".")
    return path.partition(".")[0]
