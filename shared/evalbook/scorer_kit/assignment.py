"""Optimal assignment: pairs of the largest total value, where pairs are worth more or less."""

from collections.abc import Sequence


def best_assignment(values: Sequence[Sequence[int]]) -> list[int | None]:
    """Return for each row its column, each column at most once, so that the sum of values is as large as can be.

    As many rows are assigned as there are columns for; the others get None. The Hungarian method with potentials
    (Kuhn, 1955; Munkres, 1957) on whole numbers, so that nothing is rounded: O(rows * columns * min(rows, columns)).
    """
    if not values or not values[0]:
        return [None] * len(values)
    if len(values) <= len(values[0]):
        return [*_assigned(values)]
    rows: list[int | None] = [None] * len(values)
    for column, row in enumerate(_assigned(list(zip(*values, strict=True)))):
        rows[row] = column
    return rows


def _assigned(values: Sequence[Sequence[int]]) -> list[int]:
    """Return each row's column; there are at least as many columns as rows.

    Rows and columns are numbered from 1 here: column 0 holds the row that is being assigned.
    """
    width = len(values[0])
    unknown = 1 + 4 * sum(abs(value) for row in values for value in row)
    potentials = [0] * (len(values) + 1), [0] * (width + 1)
    row_of = [0] * (width + 1)
    for row in range(1, len(values) + 1):
        row_of[0] = row
        _assign_one(values, potentials, row_of, unknown)
    columns = [0] * len(values)
    for column in range(1, width + 1):
        if row_of[column]:
            columns[row_of[column] - 1] = column - 1
    return columns


def _assign_one(
    values: Sequence[Sequence[int]], potentials: tuple[list[int], list[int]], row_of: list[int], unknown: int
) -> None:
    """Find the cheapest way to make room for the row in column 0, a shortest path, and take it."""
    row_potential, column_potential = potentials
    size = len(row_of)
    distance, came_from, reached = [unknown] * size, [0] * size, [False] * size
    column = 0
    while row_of[column]:
        reached[column] = True
        line, potential = values[row_of[column] - 1], row_potential[row_of[column]]
        for other in range(1, size):
            if (
                not reached[other]
                and (cost := -line[other - 1] - potential - column_potential[other]) < distance[other]
            ):
                distance[other], came_from[other] = cost, column
        following = min((other for other in range(1, size) if not reached[other]), key=distance.__getitem__)
        step = distance[following]
        for other in range(size):
            if reached[other]:
                row_potential[row_of[other]] += step
                column_potential[other] -= step
            else:
                distance[other] -= step
        column = following
    while column:
        row_of[column] = row_of[came_from[column]]
        column = came_from[column]
