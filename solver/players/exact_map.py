"""Players that know every layout still possible: ``greedy-map``, ``map-endgame`` and ``exact``.

``greedy-map``
    Source: [Mrrl2013]. Shoots the cell occupied in the most layouts still possible, the first in
    reading order where several tie. Everything the answers reveal is used. While there are many
    layouts the counter maps them; once at most ``LISTED`` are left they are listed, and each answer
    crosses out some of the list. On small boards the list is all there is.
``map-endgame``
    The same until few layouts are left (``MapEndgame.most_solved``), then optimal play for the
    mean number of misses.
``exact``
    The optimal tree for the mean number of misses, where the game can be solved; solved once per
    tournament.

All three can be given a prior: then the likeliest cells and the mean number of misses are those
under the prior. If it rules out every layout that fits the answers, the opponent does not hide as
the prior says, and the layouts left are treated as equally likely.

Positions near the root come back in every game. The shot chosen in a position is kept, and found
again whatever the order of the shots before, where that order does not matter; the likeliest cells
of positions that many games come through are kept on disk (``opening_book``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate import layouts as _layout_kernels
from seabattle.enumerate.answers import kernel_mode
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import PlayerError, TooLargeError, WeightsError, WorkFailed
from seabattle.enumerate.layouts import (
    Layouts,
    count_layouts,
    enumerate_layouts,
    fitting,
)
from seabattle.enumerate.memory import usual_limit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import UNIFORM, DecisionTable
from seabattle.solver.players.opening_book import (
    Opening,
    OpeningBook,
    opening_book,
    order_matters,
)
from seabattle.solver.players.player import Player
from seabattle.solver.players.random_streams import Chance
from seabattle.solver.players.recent import Recent
from seabattle.trees.tree import Tree

LISTED = 2_000
"""Layouts are listed once at most this many are left."""
COUNTED = 8
"""Under a prior, layouts are counted only after this many shots, to see if they can be listed."""
LISTED_AT_ONCE = 200_000
"""Games with at most so many layouts are listed from the start."""
SOLVED = 300
"""On boards of at most ``LARGE`` cells ``map-endgame`` plays optimally once so many layouts are
left, or fewer."""
SOLVED_ON_LARGE = 50
"""The same on larger boards, where more cells are in question, if the order of shots does not
matter."""
SOLVED_TOUCHING = 25
"""The same on larger boards if ships may touch and are named, which leaves many cells in
question."""
SOLVED_OPEN = 15
"""The same on larger boards if the order of shots matters, with answers ``sunk`` under contact
``sides``, which makes the search longer."""
SOLVED_IN = 0.02
"""GiB for the table of such a search. On rare positions it would take minutes, as where one ship of
one cell may be on any of 25; then the map is asked. That depends on the position alone."""
LARGE = 36
"""The most cells of a board that is not large."""
MOST_SOLVED = 6_000
"""``exact`` plays games with at most so many layouts."""
REMEMBERED = 500_000
"""Number of positions whose shot is kept."""
TIE = 1e-9
"""Chances under a prior whose relative difference is smaller than this count as equal."""


def known(position: Position) -> tuple[tuple[int, int], ...]:
    """The shots of a position, sorted where their order does not matter.

    >>> rules = Rules("3x3", "2,1", answers="sunk")
    >>> known(Position.read(rules, [("C3", "miss"), ("A1", "hit")]))
    ((0, 1), (8, 0))
    """
    return position.shots if order_matters(position.rules) else tuple(sorted(position.shots))


@lru_cache(maxsize=2)
def _all_listed(rules: Rules) -> Layouts | None:
    """All layouts, where there are few."""
    if rules.board.cells > 128 or count_layouts(rules, most=LISTED_AT_ONCE) > LISTED_AT_ONCE:
        return None
    return enumerate_layouts(rules)


def _fitting_rows(position: Position, layouts: Layouts) -> NDArray[np.uint8]:
    """Which layouts fit, without the search for contradictions in the position."""
    rules = position.rules
    keep = np.ones(len(layouts), dtype=np.uint8)
    _layout_kernels.fit_history(
        placement_table(rules).masks,
        layouts.ships,
        np.array(rules.fleet.lengths, dtype=np.int64),
        np.array([cell for cell, _ in position.shots], dtype=np.int64),
        np.array([code for _, code in position.shots], dtype=np.int64),
        kernel_mode(rules),
        keep,
    )
    return keep


class _Listed(NamedTuple):
    """Layouts and their weights: float64 ``(n_layouts,)``, or None if all weigh the same."""

    layouts: Layouts
    weights: NDArray[np.float64] | None


class GreedyMap(Player):
    """The likeliest cell.

    Attributes
    ----------
    book
        The opening book; None on small boards, and where books are switched off.
    """

    name = "greedy-map"
    needs = AnswerMode.HIT
    uses_everything = True
    takes_prior = True

    def __init__(self, rules: Rules, prior: Prior | None = None) -> None:
        super().__init__(rules)
        self.prior = require_prior(prior, rules)
        self._shots: Recent[Any, int] = Recent(REMEMBERED)
        self._lists: Recent[Any, _Listed] = Recent(64)
        self.book: OpeningBook | None = None
        layouts = _all_listed(rules)
        self._root = None if layouts is None else self._listed(layouts)
        self._counter: Any = None
        if self._root is None:
            from seabattle.enumerate.counting.counter import Counter

            self._counter = Counter(rules, prior=self.prior, memory_limit=usual_limit())
            self.book = opening_book(rules, self.prior)

    @property
    def most_listed(self) -> int:
        """Layouts are listed once at most this many are left."""
        return LISTED

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell of highest occupancy."""
        key = known(position)
        cell = self._shots.get(key)
        if cell is None:
            cell = self._best(position)
            self._shots.put(key, cell)
        return int(cell)

    def finish(self, position: Position) -> None:
        """Take note of a finished game: what it added to the opening book is written."""
        super().finish(position)
        if self.book is not None:
            self.book.save(at_once=False)

    def _best(self, position: Position) -> int:
        listed = self._list(position)
        if listed is not None:
            return self._best_listed(position, listed)
        found = self.opening(position)
        if self.prior is None and self._lists.get(position.shots) is None:
            self._list_few(position, round(exp(found.weight)))  # where the book spared the map
        return found.cells[0]

    def opening(self, position: Position) -> Opening:
        """The likeliest cells of a position whose layouts are not listed."""
        if self.book is None:
            return self.find_opening(position)[0]
        return self.book.opening(position, self.find_opening)

    def find_opening(self, position: Position) -> tuple[Opening, bool]:
        """The likeliest cells by a map, and whether more layouts are left than would be listed."""
        if self.prior is None:
            return self._map_evenly(position)
        try:
            chances = self._counter.at(position).chances()
        except WeightsError:  # the opponent does not hide as the prior says
            return self._map_evenly(position)[0], False
        many = True
        if len(position.shots) >= COUNTED:
            many = self._list_few(position, self._counter.at(position).count())
        cells = self._highest(chances.cells.copy(), position)
        return Opening(tuple(cells.tolist()), chances.log_weight), many

    def _map_evenly(self, position: Position) -> tuple[Opening, bool]:
        """The cells that most layouts occupy, all equally likely."""
        found = self._counter.at(position).occupancy_map()
        many = self._list_few(position, found.layouts)
        return Opening(found.best_cells, log(found.layouts)), many

    def _list_few(self, position: Position, layouts: int) -> bool:
        """List the layouts that fit, if they are few; whether all players would map them."""
        if layouts <= self.most_listed:
            rows = self._counter.at(position).layouts(most=self.most_listed)
            self._lists.put(position.shots, self._listed(Layouts.of_ships(self.rules, rows)))
        return layouts > LISTED

    def _highest(self, counts: NDArray[Any], position: Position) -> NDArray[np.int64]:
        """The cells not shot whose count is highest, in reading order."""
        counts[list(cells_of(position.shot_mask))] = -1
        return np.flatnonzero(counts >= counts.max() * (1 - TIE))

    def _best_listed(self, position: Position, listed: _Listed) -> int:
        weights: NDArray[Any] = UNIFORM
        if listed.weights is not None and listed.weights.any():
            weights = listed.weights
        counts = np.zeros(self.rules.board.cells, dtype=weights.dtype)
        _layout_kernels.count_columns(listed.layouts.masks, weights, counts)
        return int(self._highest(counts, position)[0])

    def _listed(self, layouts: Layouts) -> _Listed:
        """Layouts with what they weigh."""
        weights = None if self.prior is None else self.prior.relative_weights(layouts)
        return _Listed(layouts, weights)

    def _list(self, position: Position) -> _Listed | None:
        """The layouts that fit, from the list of one shot before; None if there is no list."""
        if not position.shots:
            return self._root
        found: _Listed | None = self._lists.get(position.shots)
        if found is not None:
            return found
        if self._root is None:
            before: _Listed | None = self._lists.get(position.shots[:-1])
        else:
            before = self._list(Position(self.rules, position.shots[:-1]))
        if before is None:
            return None
        kept = np.flatnonzero(_fitting_rows(position, before.layouts))
        found = _Listed(
            Layouts(self.rules, before.layouts.masks[kept], before.layouts.ships[kept]),
            None if before.weights is None else before.weights[kept],
        )
        self._lists.put(position.shots, found)
        return found


class MapEndgame(GreedyMap):
    """Greedy-map that plays optimally when few layouts remain."""

    name = "map-endgame"

    @property
    def most_solved(self) -> int:
        """Play is optimal once at most this many layouts are left."""
        if self.rules.board.cells <= LARGE:
            return SOLVED
        if order_matters(self.rules):
            return SOLVED_OPEN
        touching = self.rules.contact is Contact.SIDES and self.rules.answers is AnswerMode.SHIP
        return SOLVED_TOUCHING if touching else SOLVED_ON_LARGE

    def _best_listed(self, position: Position, listed: _Listed) -> int:
        if len(listed.layouts) <= self.most_solved:
            from seabattle.solver.search.endgame import solve_endgame
            from seabattle.solver.search.limits import LimitReached, Limits

            try:
                best = solve_endgame(
                    position,
                    listed.layouts.ships,
                    weights=self._whole(listed.layouts),
                    limits=Limits(memory=SOLVED_IN),
                ).best_cells
            except LimitReached:  # the map still knows
                best = ()
            if best:
                return best[0]
        return super()._best_listed(position, listed)

    def _whole(self, layouts: Layouts) -> NDArray[np.int64] | None:
        """Whole-number weights; None if all layouts are equally likely, or all are ruled out."""
        if self.prior is None:
            return None
        try:
            return self.prior.whole_weights(layouts).weights
        except WeightsError:
            return None


class Exact(Player):
    """The optimal tree."""

    name = "exact"
    needs = AnswerMode.HIT
    uses_everything = True

    def __init__(self, rules: Rules, tree: Tree) -> None:
        super().__init__(rules)
        self.tree = tree
        self._shots: Recent[Any, int] = Recent(REMEMBERED)

    def choose(self, position: Position, chance: Chance) -> int:
        """The tree's shot at the end of the path that the answers take."""
        cell = self._shots.get(position.shots)
        if cell is None:
            cell = self._walk(position)
            self._shots.put(position.shots, cell)
        return int(cell)

    def _walk(self, position: Position) -> int:
        node = self.tree.root
        before = len(self.tree.position.shots)
        for cell, code in position.shots[before:]:
            if node.is_leaf:
                break
            following = dict(node.edges).get(code)
            if cell != node.shot or following is None:
                raise PlayerError(
                    f"player 'exact' plays its own tree, which does not shoot "
                    f"{self.rules.board.name(cell)} here"
                )
            node = following
        if not node.is_leaf:
            return node.shot
        return next(cells_of(node.occupancy & ~position.shot_mask))


def _fitting(rules: Rules, position: Position) -> int:
    """Number of layouts up to the limit of ``exact``, or one more."""
    if not position.shots:
        return min(count_layouts(rules, most=MOST_SOLVED), MOST_SOLVED + 1)
    layouts = _all_listed(rules)
    return MOST_SOLVED + 1 if layouts is None else int(fitting(position, layouts).sum())


def refuses_to_solve(rules: Rules, position: Position) -> str:
    """Why the optimal tree is out of reach; an empty text when it is not."""
    from seabattle.solver.search.problem import MAX_SOLVED_CELLS

    if rules.board.cells > MAX_SOLVED_CELLS:
        return (
            f"the optimal tree is out of reach on {rules.board.cells} cells; the limit is "
            f"{MAX_SOLVED_CELLS}"
        )
    if _fitting(rules, position) > MOST_SOLVED:
        return f"the optimal tree is looked for among at most {MOST_SOLVED:,} layouts"
    from seabattle.solver.search.problem import as_problem

    try:
        as_problem(position)
    except TooLargeError as error:
        return str(error)
    return ""


def optimal_tree(
    rules: Rules, position: Position, stop: Callable[[], bool], prior: Prior | None
) -> Tree:
    """The tree that ``exact`` plays, solved anew."""
    from seabattle.solver.search.solve import solve

    limit = usual_limit()
    table = DecisionTable.build(position, prior=prior, memory_limit=limit / 2)
    solution = solve(table, "mean", memory_limit=limit, threads=1, stop=stop)
    if solution.interrupted:
        raise KeyboardInterrupt
    if solution.status != "optimal":
        raise WorkFailed(f"the player 'exact' knows no optimal tree: {solution.stopped_by}")
    return solution.tree


def tree_of_file(path: str | Path, position: Position) -> Tree:
    """The tree that ``exact`` plays, from a strategy file.

    Raises
    ------
    PlayerError
        If the file is of another game or begins elsewhere.
    StrategyError, FileAccessError
        If it is no sound strategy file.
    """
    from seabattle.trees.strategy.strategy import Strategy

    strategy = Strategy.open(path)
    if strategy.rules != position.rules:
        raise PlayerError(
            f"strategy file {path} is for {strategy.rules}, and the games are {position.rules}"
        )
    if set(strategy.position.shots) != set(position.shots):
        raise PlayerError(f"strategy file {path} begins after other shots than the games")
    return strategy.tree()
