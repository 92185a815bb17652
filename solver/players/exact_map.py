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

Positions near the root come back in every game: the shot chosen in a position is remembered, and
found again whatever the order of the shots before, where that order does not matter.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PlayerError, Stop, TooLargeError, WeightsError, WorkFailed
from seabattle.enumerate.layouts import (
    Layouts,
    cell_counts,
    count_layouts,
    enumerate_layouts,
    fitting,
)
from seabattle.enumerate.memory import usual_limit
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import UNIFORM, DecisionTable
from seabattle.solver.players.chance import Chance
from seabattle.solver.players.player import Player
from seabattle.trees.tree import Tree

LISTED = 2_000
"""Layouts are listed once at most this many are left."""
COUNTED = 8
"""Under a prior, layouts are counted only after this many shots, to see if they can be listed."""
LISTED_AT_ONCE = 200_000
"""Games with at most so many layouts are listed from the start."""
SOLVED_IN = 0.02
"""GiB for the table of the search of ``map-endgame``. Some rare positions would take minutes, as
one where a ship of one cell may be on any of 25; for them the map is asked instead. Memory is what
is limited, not time, so that the shot depends on the position alone."""
MOST_SOLVED = 6_000
"""``exact`` plays games with at most so many layouts."""
REMEMBERED = 500_000
"""Number of positions whose shot is kept."""
LISTS = 64
"""Number of positions whose layouts are kept."""
TIE = 1e-9
"""Chances under a prior whose relative difference is smaller than this count as equal."""


def known(position: Position) -> tuple[Any, ...]:
    """What is known in a position, the shots sorted where their order does not matter.

    >>> rules = Rules("3x3", "2,1", answers="sunk")
    >>> known(Position.read(rules, [("C3", "miss"), ("A1", "hit")]))[0]
    ((0, 1), (8, 0))
    """
    told = position.shots if position.rules.order_matters else tuple(sorted(position.shots))
    return told, position.ordered, position.ships


@lru_cache(maxsize=2)
def few_layouts(rules: Rules, most: int = LISTED_AT_ONCE) -> Layouts | None:
    """All layouts, where there are few."""
    if rules.board.cells > 128 or count_layouts(rules, most=most) > most:
        return None
    return enumerate_layouts(rules)


class GreedyMap(Player):
    """The cell occupied in the most layouts still possible.

    Attributes
    ----------
    most_at_once
        Games with at most so many layouts have them listed from the start; in others they are
        listed once at most ``most_listed`` are left.
    """

    name = "greedy-map"
    uses_chance = False
    takes_prior = True
    most_at_once: ClassVar[int] = LISTED_AT_ONCE
    most_listed: ClassVar[int] = LISTED

    def __init__(self, rules: Rules, prior: Prior | None = None) -> None:
        super().__init__(rules)
        self.prior = prior
        self._shots: dict[Any, int] = {}
        self._lists: dict[Any, Layouts] = {}
        self._root = few_layouts(rules, self.most_at_once)
        if self._root is None:
            self._counter: Any = Counter(rules, prior=self.prior, memory_limit=usual_limit())
            if self._counter.too_large is not None:
                raise PlayerError(
                    f"player {self.name!r} cannot play {rules}: it needs a map of all layouts, and "
                    f"{self._counter.too_large}"
                )

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell of highest occupancy."""
        key = known(position)
        if key not in self._shots:
            if len(self._shots) >= REMEMBERED:
                self._shots.clear()
            self._shots[key] = self._best(position)
        return self._shots[key]

    def _best(self, position: Position) -> int:
        listed = self._list(position)
        if listed is None:
            cell, layouts = self.map(position)
            if layouts > self.most_listed:
                return cell
            listed = self._list_anew(position)
        return self._best_listed(position, listed)

    def map(self, position: Position) -> tuple[int, float]:
        """The likeliest cell by a map, and how many layouts fit; inf where they are not counted."""
        counter = self._counter.at(position)
        if self.prior is not None:
            try:
                chances = counter.chances().cells
            except WeightsError:  # the opponent does not hide as the prior says
                pass
            else:
                layouts = counter.count() if len(position.shots) >= COUNTED else inf
                return self._highest(chances, position), layouts
        found = counter.under(None).map()
        return found.best_cells[0], found.layouts

    def _highest(self, counts: NDArray[Any], position: Position) -> int:
        """The first of the cells not shot whose count is highest."""
        counts[list(cells_of(position.shot_mask))] = -1
        return int(np.flatnonzero(counts >= counts.max() * (1 - TIE))[0])

    def _best_listed(self, position: Position, layouts: Layouts) -> int:
        counts = cell_counts(self.rules, layouts.ships, self._weights(layouts))
        return self._highest(counts, position)

    def _weights(self, layouts: Layouts) -> NDArray[Any]:
        """What layouts weigh: ``UNIFORM`` without a prior, or where it rules all of them out."""
        weights: NDArray[Any] = UNIFORM
        if self.prior is not None:
            weights = self.prior.relative_weights(layouts)
        return weights if weights.any() else UNIFORM

    def _list_anew(self, position: Position) -> Layouts:
        """The layouts that fit, where they are few and there is no list of one shot before."""
        rows = self._counter.at(position).layouts(most=self.most_listed)
        listed = Layouts(self.rules, rows)
        self._keep(position, listed)
        return listed

    def _keep(self, position: Position, layouts: Layouts) -> None:
        """Keep the layouts that fit a position, in place of those used least lately."""
        self._lists[position.shots] = layouts
        if len(self._lists) > LISTS:
            del self._lists[next(iter(self._lists))]

    def _list(self, position: Position) -> Layouts | None:
        """The layouts that fit, from the list of one shot before; None if there is no list."""
        if not position.shots:
            return self._root
        found = self._lists.pop(position.shots, None)
        if found is None:
            before = self._lists.get(position.shots[:-1], self._root)
            if before is None:
                return None
            kept = np.flatnonzero(fitting(position, before))
            found = Layouts(self.rules, before.ships[kept])
        self._keep(position, found)
        return found


class MapEndgame(GreedyMap):
    """Greedy-map, optimal once few layouts are left."""

    name = "map-endgame"

    @property
    def most_solved(self) -> int:
        """Play is optimal once at most this many layouts are left.

        Fewer where more cells are in question: on large boards, and there if ships may touch and
        are named; fewest if the order of shots matters, which makes the search longer. None where
        ships of two kinds may lie on the same cells, as there is no decision table of them.
        """
        if self.rules.fleet.shares_cells:
            return 0
        if self.rules.board.cells <= 36:
            return 300
        if self.rules.order_matters:
            return 15
        touching = self.rules.contact is Contact.SIDES and self.rules.answers is AnswerMode.SHIP
        return 25 if touching else 50

    def _best_listed(self, position: Position, layouts: Layouts) -> int:
        if len(layouts) <= self.most_solved:
            from seabattle.solver.endgame import EndgameSearch
            from seabattle.solver.search.queries import LimitReached, Limits

            prior = self.prior if len(self._weights(layouts)) else None
            limits = Limits(memory=SOLVED_IN)
            try:
                search = EndgameSearch(position, layouts.ships, prior=prior, limits=limits)
                best = search.solve().best_cells
            except (LimitReached, TooLargeError):  # the map still knows
                best = ()
            if best:
                return best[0]
        return super()._best_listed(position, layouts)


class Exact(Player):
    """The optimal tree, on small boards."""

    name = "exact"
    uses_chance = False
    takes_prior = True
    reads_strategy = True

    def __init__(self, rules: Rules, tree: Tree) -> None:
        super().__init__(rules)
        self.tree = tree

    @classmethod
    def refuses(cls, position: Position) -> str:
        """Why the optimal tree is out of reach; an empty text when it is not."""
        from seabattle.solver.search.problem import as_problem

        try:
            few = count_layouts(position.rules, most=LISTED_AT_ONCE) <= LISTED_AT_ONCE
            if not few or len(as_problem(position).table) > MOST_SOLVED:
                return f"the optimal tree is looked for among at most {MOST_SOLVED:,} layouts"
        except TooLargeError as error:
            return str(error)
        return ""

    @classmethod
    def prepare(
        cls,
        position: Position,
        prior: Prior | None,
        strategy: str | Path | None,
        stop: Stop,
    ) -> tuple[Tree]:
        """The tree: of a strategy file, or solved anew.

        Raises
        ------
        PlayerError
            If the file is of another game or begins elsewhere.
        StrategyError, FileAccessError
            If it is not a sound strategy file.
        """
        if strategy is not None:
            return (_tree_of_file(strategy, position),)
        from seabattle.solver.search.solve import solve

        limit = usual_limit()
        table = DecisionTable.build(position, prior=prior, memory_limit=limit / 2)
        solution = solve(table, "mean", memory_limit=limit, threads=1, stop=stop)
        if solution.interrupted:
            raise KeyboardInterrupt(solution.stopped_by)
        if solution.status != "optimal":
            raise WorkFailed(f"the player 'exact' knows no optimal tree: {solution.stopped_by}")
        return (solution.tree,)

    def choose(self, position: Position, chance: Chance) -> int:
        """The tree's shot at the end of the path that the answers take."""
        return shot_of_tree(self.name, self.tree, position)


def shot_of_tree(player: str, tree: Tree, position: Position, turn: tuple[int, ...] = ()) -> int:
    """The shot of a tree where the answers lead to.

    Parameters
    ----------
    player
        Who asks, for the message.
    tree, position
        The tree, and the game so far.
    turn
        The symmetry under which the tree is played; none by default.

    Raises
    ------
    PlayerError
        If the tree does not shoot as the position says.
    """
    turn = turn or tuple(range(position.rules.board.cells))
    node = tree.root
    for cell, code in position.shots[len(tree.position.shots) :]:
        if node.is_leaf:
            break
        following = dict(node.edges).get(code)
        if cell != turn[node.shot] or following is None:
            name = position.rules.board.name(cell)
            raise PlayerError(
                f"player {player!r} plays trees of its own, which do not shoot {name} here"
            )
        node = following
    if not node.is_leaf:
        return turn[node.shot]
    return min(
        turn[cell] for cell in cells_of(node.occupancy) if not position.shot_mask >> turn[cell] & 1
    )


def _tree_of_file(path: str | Path, position: Position) -> Tree:
    """The tree that ``exact`` plays, from a strategy file."""
    from seabattle.trees.strategy.strategy import Strategy

    strategy = Strategy.open(path)
    if strategy.rules != position.rules:
        raise PlayerError(
            f"strategy file {path} is for {strategy.rules!r}, and the games are {position.rules!r}"
        )
    if set(strategy.position.shots) != set(position.shots):
        raise PlayerError(f"strategy file {path} begins after other shots than the games")
    return strategy.tree()
