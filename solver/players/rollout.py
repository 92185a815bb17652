"""A player that plays on in layouts drawn at random: ``rollout``.

``greedy-map`` shoots the cell that is likeliest to be occupied, whatever comes after. ``rollout``
looks at what comes after from the first shot on: that is policy improvement by Monte-Carlo search
[Tesauro1996]. Before each shot it draws ``LAYOUTS`` layouts that fit, all equally likely.
The ``CANDIDATES`` cells that most of them occupy are tried: each is shot in the same layouts, and
``odds``, which knows the answers and not the layout, plays these games to their end. The cell with
the fewest shots on average is shot. Sequential halving [Karnin2013] spends the games where it is
close: half of the cells are given up after a part of the layouts, half of the others after the next
part, which is twice as large, and so on.

Once at most ``AHEAD`` layouts are left, it plays as ``lookahead`` does, in all of them; and from
the first shot on where ``odds`` cannot play, as it is not told of sinkings.

What is drawn follows from the position, so that the same position is answered alike.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.layouts import Layouts, cell_counts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import UNIFORM
from seabattle.solver.players.batches import BatchPlayer
from seabattle.solver.players.density import Odds
from seabattle.solver.players.exact_map import known
from seabattle.solver.players.lookahead import Lookahead

LAYOUTS = 20_000
"""Layouts that are drawn before each shot: about a second's work on 10x10."""
CANDIDATES = 12
"""Number of cells that are tried."""


class Rollout(Lookahead):
    """Tries its best shots in layouts drawn at random, later in every layout left."""

    name = "rollout"
    layouts: int = LAYOUTS
    candidates: int = CANDIDATES

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._odds = None if Odds.why_not(Position(rules)) else Odds(rules)

    def _best(self, position: Position) -> int:
        if self._odds is None:
            return super()._best(position)
        listed = self._list(position)
        if listed is None:
            chances = self._counter.at(position).chances()
            if chances.total > self.most_listed:
                ships = chances.draw(self.layouts, _chance_in(position))
                return self.best_drawn(position, ships, self._odds)
            listed = self._list_anew(position)
        return self._best_listed(position, listed)

    def _best_listed(self, position: Position, layouts: Layouts) -> int:
        if self._odds is not None and len(layouts) > self.most_listed:  # listed from the start
            ships = _chance_in(position).choice(layouts.ships, self.layouts)
            return self.best_drawn(position, ships, self._odds)
        return super()._best_listed(position, layouts)

    def best_drawn(
        self, position: Position, ships: NDArray[np.uint16], plays_on: BatchPlayer
    ) -> int:
        """The best cell by sequential halving.

        Parameters
        ----------
        position
            What is known.
        ships
            uint16 ``(layouts, ships)``: layouts drawn. A cell that all of them occupy is shot at
            once.
        plays_on
            Who plays the games to their end.
        """
        counts = cell_counts(self.rules, ships, UNIFORM)
        counts[[cell for cell, _ in position.shots]] = 0
        order = np.argsort(-counts, kind="stable")[: self.candidates]
        cells = [cell for cell in order.tolist() if counts[cell]]
        if counts[cells[0]] == len(ships):
            return int(cells[0])
        rounds = (len(cells) - 1).bit_length()
        ends = [len(ships) * (2**k - 1) // (2**rounds - 1) for k in range(rounds + 1)]
        shots = dict.fromkeys(cells, 0)
        for begin, end in pairwise(ends):
            for cell in cells:
                shots[cell] += int(plays_on.shots_after(position, cell, ships[begin:end]).sum())
            cells = sorted(cells, key=shots.__getitem__)[: (len(cells) + 1) // 2]
        return int(cells[0])


def _chance_in(position: Position) -> np.random.Generator:
    """Random numbers that follow from what is known."""
    return np.random.default_rng(np.ravel(known(position)[0]).astype(np.int64))
