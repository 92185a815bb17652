"""The frontier of a sweep over a board: what the cells to come need to know of those before.

``frontier.hpp`` says what its profiles and steps are, and finds them. They depend on the width of
the sweep, the contact rule and the ships only, so they are found once per process; what is known of
a game only forbids steps.

A board is swept row by row, or column by column where these are shorter. A ship is begun at its
first cell in that order. Its *shapes* are the ways in which the placements of a game let it lie:
any forms, lines among them, turned and mirrored as the rules allow.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import FULL, core
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Contact, Rules

MAX_WIDTH = 16
"""Widest narrow side of a board that can be swept."""

AHEAD = 128
"""Cells from a ship's first to its last, at most, along the rows of the sweep."""

FIRST_BYTES = 1 << 24
"""Memory for profiles and steps at first; it grows until they have found room."""

MOST_BYTES = 1 << 34

ALLOWANCE = 20_000
"""Profiles followed in a call; between calls the work can be interrupted."""

Shape = tuple[tuple[int, int], ...]
"""Cells of a ship as rows and columns from its first cell, in the order of the sweep."""


class Ships(NamedTuple):
    """What a frontier depends on.

    Attributes
    ----------
    width
        Cells in a row of the sweep.
    contact
        Contact rule.
    numbers
        How many ships of each type there are.
    shapes
        Each shape with the type of its ship, those of a type one after the other.
    """

    width: int
    contact: Contact
    numbers: tuple[int, ...]
    shapes: tuple[tuple[int, Shape], ...]


class Grid(NamedTuple):
    """How the board of a game is swept.

    Attributes
    ----------
    cells
        int64 ``(height, width)``: the board's cell at each place.
    ships
        What the frontier depends on; types are the kinds of ships in the fleet's order.
    starts
        int64 ``(n_placements,)``: for each placement ``row * codes + code`` of the step that begins
        it; see ``frontier.hpp``.
    """

    cells: NDArray[np.int64]
    ships: Ships
    starts: NDArray[np.int64]


@lru_cache(maxsize=32)
def grid(rules: Rules) -> Grid:
    """How the board of a game is swept: row by row, or by columns if these are shorter.

    Raises
    ------
    TooLargeError
        If the board is too wide, or a ship too tall.
    """
    board = rules.board
    if min(board.rows, board.columns) > MAX_WIDTH:
        raise TooLargeError(
            f"board {board}: its shorter side is {min(board.rows, board.columns)}; at most "
            f"{MAX_WIDTH} is supported"
        )
    table = placement_table(rules)
    cells = np.arange(board.cells).reshape(board.rows, board.columns)
    if board.columns > board.rows:
        cells = cells.T
    width = cells.shape[1]
    place = np.empty(board.cells, dtype=np.int64)
    place[cells.ravel()] = np.arange(board.cells)
    types = {kind: number for number, kind in enumerate(rules.fleet.kind_counts)}
    begun = []
    for placement, kind in zip(table.placements, table.kinds, strict=True):
        places = sorted(place[list(placement.cells)].tolist())
        if places[-1] - places[0] >= AHEAD:
            raise TooLargeError(
                f"ships {1 + places[-1] // width - places[0] // width} cells long on a board "
                f"{width} cells wide: a frontier does not fit in {AHEAD} bits"
            )
        row, column = divmod(places[0], width)
        shape = tuple((p // width - row, p % width - column) for p in places)
        begun.append((row, column, (types[kind], shape)))
    # Ships that go down come first.
    shapes = sorted({shape for *_, shape in begun}, key=lambda shape: (-shape[0], shape[1]))
    shapes.reverse()
    number = {shape: n for n, shape in enumerate(shapes)}
    codes = 1 + len(shapes) * width
    starts = [row * codes + 1 + number[shape] * width + column for row, column, shape in begun]
    ships = Ships(width, rules.contact, tuple(rules.fleet.kind_counts.values()), tuple(shapes))
    return Grid(np.ascontiguousarray(cells), ships, np.array(starts, dtype=np.int64))


class Frontier:
    """Profiles and steps of one row of a sweep, in memory that the core reads.

    Parameters
    ----------
    ships
        What they depend on.
    most
        Bytes that they may take while they are found.
    counted
        Whether the ships used are part of the profile; by default where ships may touch.

    Attributes
    ----------
    ships, counted
        As given.
    memory
        uint8: where they are.
    nodes, profiles, n_steps
        Numbers of profiles in all layers together, of those between two rows, and of steps.
    roundings
        How often a sum is rounded at most on its way through a row.

    Raises
    ------
    TooLargeError
        If they take more than ``most``.

    Examples
    --------
    >>> Frontier(grid(Rules("10x10", "russian")).ships).profiles
    10680
    """

    def __init__(self, ships: Ships, most: int = MOST_BYTES, counted: bool | None = None) -> None:
        self.ships = ships
        uses = np.prod([number + 1.0 for number in ships.numbers])
        self.counted = ships.contact is Contact.SIDES if counted is None else counted
        self.counted &= bool(uses < 1 << 28)
        given = core().structure("ships", self.fields)
        memory = np.empty(min(FIRST_BYTES, most), dtype=np.uint8)
        left = core().begin_frontier(given, memory) or 1
        while left:
            if left == FULL:
                if len(memory) == most:
                    raise TooLargeError(
                        f"a board {ships.width} wide with these ships: more profiles between two "
                        f"cells than fit the limit of memory; raise --memory-limit or take a board "
                        f"whose shorter side is below {ships.width}"
                    )
                smaller, memory = memory, np.empty(min(4 * len(memory), most), dtype=np.uint8)
                core().move_frontier(smaller, memory)
            left = core().search_frontier(memory, ALLOWANCE)
        self.memory = np.empty(core().frontier_bytes(memory), dtype=np.uint8)
        sizes = np.empty(4, dtype=np.int64)
        core().keep_frontier(memory, self.memory, sizes)
        self.nodes, self.profiles, self.n_steps, self.roundings = map(int, sizes)

    def __reduce__(self) -> tuple[type[Frontier], tuple[Ships, int, bool]]:
        return Frontier, (self.ships, MOST_BYTES, self.counted)  # the memory holds its addresses

    @property
    def fields(self) -> dict[str, Any]:
        """What the core is told of the ships, see ``seabattle_ships``."""
        ships = self.ships
        cells = [(n, *cell) for n, (_, shape) in enumerate(ships.shapes) for cell in shape]
        return {
            "width": ships.width,
            "contact": list(Contact).index(ships.contact),
            "counted": int(self.counted),
            "cells": np.array(cells, dtype=np.int32).reshape(-1),
            "types": np.array([kind for kind, _ in ships.shapes], dtype=np.int32),
            "ships": np.array(ships.numbers, dtype=np.int32),
        }

    @property
    def codes(self) -> int:
        """Number of codes of steps."""
        return 1 + len(self.ships.shapes) * self.ships.width

    @property
    def nbytes(self) -> int:
        """Bytes of the profiles and steps."""
        return int(self.memory.nbytes)


@lru_cache(maxsize=8)
def frontier(ships: Ships, most: int = MOST_BYTES) -> Frontier:
    """The frontier of boards with this shorter side, built once per process."""
    return Frontier(ships, most)
