"""What every first shot of a game is worth, once for each orbit of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from seabattle.enumerate.game.board import cells_of, mask_of
from seabattle.enumerate.game.position import Position
from seabattle.solver.search.problem import Problem


def orbit_values(
    problem: Problem, position: Position, shot_value: Callable[[int], int]
) -> dict[int, int]:
    """Value of every cell that may matter as first shot, asked for once per orbit.

    Parameters
    ----------
    problem, position
        The problem, and the position of its table.
    shot_value
        Least misses of a tree that begins with a shot at a cell.
    """
    weighed = problem.unknown
    if not problem.hits_are_free:
        weighed |= problem.certain & ~position.shot_mask
    # Where the cells hit are part of the state, a symmetry has to keep them too.
    hit = position.hit_mask
    symmetries = [
        symmetry
        for symmetry in problem.symmetries
        if problem.hits_are_free or mask_of(symmetry[cell] for cell in cells_of(hit)) == hit
    ]
    found: dict[int, int] = {}
    for cell in cells_of(weighed):
        images = {symmetry[cell] for symmetry in symmetries}
        known = next((found[image] for image in images if image in found), None)
        found[cell] = shot_value(cell) if known is None else known
    return found


def best_shots(
    problem: Problem, position: Position, worth: Mapping[int, int], least: int
) -> tuple[str, ...]:
    """Names of the cells an optimal tree can begin with, certain hits included.

    Parameters
    ----------
    problem, position
        As in ``orbit_values``.
    worth
        What it returned.
    least
        The optimum.
    """
    board = problem.rules.board
    certain = problem.certain & ~position.shot_mask
    if problem.unknown == 0:
        return tuple(board.names(certain))
    best = mask_of(cell for cell, cost in worth.items() if cost == least)
    return tuple(board.names(best | (certain if problem.hits_are_free else 0)))


def cell_values(
    problem: Problem, position: Position, worth: Mapping[int, int], least: int
) -> Iterator[int]:
    """Least total for every first shot: a certain hit adds 0, a certain miss all the weight.

    Parameters
    ----------
    problem, position, worth
        As in ``best_shots``.
    least
        The least total.
    """
    for cell in range(problem.cells):
        known = (problem.certain | position.shot_mask) >> cell & 1
        yield worth.get(cell, least if known else least + problem.weight)
