"""Salvo: several shots a turn, each answered, but all chosen before any is answered.

    T(S, F) = 0 if every layout of S lies on the cells F shot so far, else
    T(S, F) = weight(S) + min over sets C of k cells not shot of the sum over the answers of
              T(what they leave of S, F + C)

A turn costs every layout that is not sunk yet one turn; at the end hits count too, as they take
shots. A set has k cells that some layout occupies, or all of them where they are fewer: one cell
more never costs a turn. The shots of a turn are answered in reading order.

This is the search of ``reference`` with sets in place of cells, and as plain: for boards of a few
cells. On larger ones the most hits to expect are at the likeliest cells, whatever else is shot:
``HeatMap.salvo`` names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, compress
from math import comb, inf
from typing import Any

from bitarray import frozenbitarray
from bitarray.util import count_and

from seabattle.enumerate.board import mask_of
from seabattle.enumerate.errors import RulesError, TooLargeError
from seabattle.enumerate.position import Position
from seabattle.enumerate.table import Game
from seabattle.enumerate.words import counted, mean_text
from seabattle.solver.search.queries import LimitReached, Limits
from seabattle.solver.search.reference import Cost, Hits, ReferenceSearch

MOST_SETS = 250
MOST_LAYOUTS = 60
"""Sets of first shots, and layouts, with which a game is not refused; it may still take minutes."""


@dataclass(frozen=True)
class SalvoSolution:
    """A game of salvo solved.

    Attributes
    ----------
    position
        What is known.
    salvo
        Shots a turn.
    layouts, weight
        Layouts that fit, and their weight.
    total_turns, worst_turns
        Least turns over all layouts, each times its weight; and of those strategies the fewest for
        any layout at most.
    best_salvos
        Every first turn of such a strategy: names of its cells, in reading order.
    """

    position: Position
    salvo: int
    layouts: int
    weight: int
    total_turns: int
    worst_turns: int
    best_salvos: tuple[tuple[str, ...], ...]

    @property
    def mean_turns(self) -> Fraction:
        """Total over weight."""
        return Fraction(self.total_turns, self.weight)

    def document(self) -> dict[str, Any]:
        """What ``solve --salvo --json`` prints after the game.

        Fields
        ------
        salvo: shots a turn
        layouts: layouts that fit
        weight: the weight of all layouts; their number where none has a weight of its own
        status: optimal
        total_turns: turns over all layouts, each weighed by its weight
        mean_turns: the same divided by the weight of all layouts
        worst_turns: the most turns for any layout
        best_salvos: every first turn of a best strategy
        """
        return {
            "salvo": self.salvo,
            "layouts": self.layouts,
            "weight": self.weight,
            "status": "optimal",
            "total_turns": self.total_turns,
            "mean_turns": float(self.mean_turns),
            "worst_turns": self.worst_turns,
            "best_salvos": [list(salvo) for salvo in self.best_salvos],
        }

    def facts(self, most: int = 12) -> list[tuple[str, str]]:
        """The same as labels and texts; at most so many first turns."""
        named = [" ".join(salvo) for salvo in self.best_salvos[:most]]
        more = len(self.best_salvos) - len(named)
        return [
            ("layouts", f"{self.layouts:,}"),
            ("salvo", f"{counted(self.salvo, 'shot')} a turn"),
            ("status", "optimal"),
            ("turns", mean_text(self.total_turns, self.weight, self.worst_turns)),
            ("best first turns", ", ".join(named) + (f" and {more} more" if more else "")),
        ]


def solve_salvo(game: Game, salvo: int, *, limits: Limits | None = None) -> SalvoSolution:
    """Fewest turns of so many shots each, on a small board.

    Parameters
    ----------
    game
        Rules, a position, or a decision table.
    salvo
        Shots a turn, 1 or more.
    limits
        When to give up.

    Raises
    ------
    RulesError
        If there is no shot in a turn.
    TooLargeError
        If the game is too large for a search by the definition alone.
    LimitReached
        At a limit of time.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> [solve_salvo(Rules("3x3", "2"), shots).total_turns for shots in (2, 3)]
    [31, 24]
    """
    if salvo < 1:
        raise RulesError(f"salvo {salvo}: a turn has 1 shot or more")
    search = SalvoSearch(game, salvo, limits or Limits())
    value, best = search.first_turns()
    name = search.rules.board.name
    return SalvoSolution(
        position=search.position,
        salvo=salvo,
        layouts=len(search.table),
        weight=search.table.total_weight,
        total_turns=int(value.total),
        worst_turns=int(value.worst),
        best_salvos=tuple(tuple(map(name, cells)) for cells in best),
    )


class SalvoSearch(ReferenceSearch):
    """The search by the definition, with so many shots a turn."""

    def __init__(self, game: Game, salvo: int, limits: Limits) -> None:
        super().__init__(game)
        self.salvo = salvo
        self.limits = limits
        self.turns: dict[tuple[frozenbitarray, int], Cost] = {}
        self.shot_mask = self.position.shot_mask
        self.cells_of_one = [
            mask_of(cell for cell, column in enumerate(self.columns) if column[row])
            for row in range(len(self.table))
        ]
        open_cells = len(self.open_cells(self.everything, self.shot_mask))
        sets = comb(open_cells, min(salvo, open_cells))
        if sets > MOST_SETS or len(self.table) > MOST_LAYOUTS:
            raise TooLargeError(
                f"{self.rules.board} with {self.rules.fleet} has {sets:,} first turns of "
                f"{counted(salvo, 'shot')} and {len(self.table):,} layouts; up to {MOST_SETS:,} "
                f"and {MOST_LAYOUTS} are solved. The likeliest cells are those of count --salvo"
            )

    def open_cells(self, rows: frozenbitarray, shot: int) -> list[int]:
        """Cells not shot that some layout occupies."""
        return [
            cell
            for cell, column in enumerate(self.columns)
            if not shot >> cell & 1 and count_and(rows, column)
        ]

    def salvos(self, rows: frozenbitarray, shot: int) -> Iterator[tuple[int, ...]]:
        """The sets of cells worth a turn; none when every ship is sunk."""
        cells = self.open_cells(rows, shot)
        if cells:
            yield from combinations(cells, min(self.salvo, len(cells)))

    def after(
        self, rows: frozenbitarray, hits: Hits, cells: tuple[int, ...]
    ) -> list[tuple[frozenbitarray, Hits]]:
        """What the answers to a turn leave."""
        states = [(rows, hits)]
        for cell in cells:
            states = [
                (left, more)
                for part, known in states
                for _, left, more in self.answers(part, known, cell)
            ]
        return states

    def least_turns(self, rows: frozenbitarray, shot: int) -> int:
        """Total turns that are needed at least: of a layout's cells k are shot a turn.

        Where all that are left of a layout may be shot in one turn, that finishes no more
        occupancies than a turn has such sets.
        """
        left = (self.cells_of_one[rows.index(1)] & ~shot).bit_count()
        weight: int = sum(compress(self.weights, rows))
        if not left or left > self.salvo:
            return weight * -(-left // self.salvo)
        each: dict[int, int] = {}
        for row in rows.search(1):
            cells = self.cells_of_one[row]
            each[cells] = each.get(cells, 0) + self.weights[row]
        return weight + sum(sorted(each.values())[: -comb(self.salvo, left)])

    def value(self, rows: frozenbitarray, hits: Hits, shot: int) -> Cost:
        """Turns still to come: total, and at worst."""
        if self.limits.over():
            raise LimitReached("the time limit was reached before the turns were known")
        state = rows, shot
        if state not in self.turns:
            best = Cost(inf, inf)
            for cells in self.salvos(rows, shot):
                best = min(best, self.turn_value(rows, hits, shot, cells, best.total))
            self.turns[state] = best if best.total < inf else Cost(0, 0)
        return self.turns[state]

    def turn_value(
        self,
        rows: frozenbitarray,
        hits: Hits,
        shot: int,
        cells: tuple[int, ...],
        most: float = inf,
    ) -> Cost:
        """The same when the next turn is given; infinite where the total is above ``most``."""
        shot |= mask_of(cells)
        parts = self.after(rows, hits, cells)
        total: float = sum(compress(self.weights, rows))
        total += sum(self.least_turns(part, shot) for part, _ in parts)
        worst: float = 0
        for part, known in parts:
            if total > most:
                return Cost(inf, inf)
            rest = self.value(part, known, shot)
            total += rest.total - self.least_turns(part, shot)
            worst = max(worst, rest.worst)
        return Cost(total, worst + 1)

    def first_turns(self) -> tuple[Cost, list[tuple[int, ...]]]:
        """Fewest turns, and every first turn of a strategy that needs no more."""
        start = self.everything, self.hits, self.shot_mask
        best = self.value(*start)
        sets = self.salvos(self.everything, self.shot_mask)
        return best, [c for c in sets if self.turn_value(*start, c, best.total) == best]
