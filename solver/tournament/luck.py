"""Luck in games: what chance alone added to the misses, so that fewer games tell players apart.

What a shot is answered is random, and the chances are known: of the layouts that still fit, so many
give each answer. Let V be any guess at the misses still to come. A shot's *luck* is

    what it missed (0 or 1) + V after its answer - the mean of the same over all answers

and has mean zero in every position, whatever is shot and whatever V is. So the luck of a game, the
sum over its shots, has mean zero, and misses less any part of luck have the mean of the misses: a
control variate, as poker is measured [Burch2018]. The better the guess, the less they vary.

The guess has no fitted number in it. By hits and misses alone at most C(m + h, h) layouts are told
apart with at most m misses, where h cells are still to be hit [near-the-best.md, *Words*]. V is the
m, a fraction, for which that is the number of layouts left.
"""

from __future__ import annotations

from functools import lru_cache
from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import MISS, possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.layouts import Layouts, answers_to, fitting
from seabattle.enumerate.memory import usual_limit
from seabattle.enumerate.position import Position
from seabattle.solver.players.exact_map import REMEMBERED, few_layouts, known
from seabattle.trees.replay import HiddenGame

LISTED = 10_000
"""Layouts are listed once at most this many are left."""


@lru_cache(maxsize=1 << 16)
def misses_to_come(layouts: int, cells: int) -> float:
    """A guess at the misses to come: the m with C(m + h, h) layouts, h cells still to be hit.

    Examples
    --------
    >>> misses_to_come(10, 2), misses_to_come(1, 2), misses_to_come(5, 0)  # C(3 + 2, 2) = 10
    (3.0, 0.0, 0.0)
    """
    if cells == 0:
        return 0.0
    wanted = log(layouts)
    low, high = 0.0, 1.0

    def told_apart(misses: float) -> float:
        return lgamma(misses + cells + 1) - lgamma(misses + 1) - lgamma(cells + 1)

    while told_apart(high) < wanted:
        high *= 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if told_apart(middle) < wanted else (low, middle)
    return round(high, 9)


class Luck:
    """The luck of games against layouts that are all equally likely.

    Parameters
    ----------
    start
        Position that the games start from.

    Raises
    ------
    TooLargeError
        If there are too many layouts to count.

    Examples
    --------
    Every layout is played once, so that luck adds up to nothing:

    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.players.registry import make_player
    >>> rules = Rules("3x3", "2,1", answers="sunk")
    >>> layouts = enumerate_layouts(rules).ships
    >>> record = np.empty((len(layouts), 9), dtype=np.int16)
    >>> misses = make_player("greedy-map", rules).play_all(layouts, record=record) - 3
    >>> luck = Luck(Position(rules)).of(layouts, record)
    >>> round(abs(float(luck.sum())), 9), np.var(misses - luck) < np.var(misses) / 2
    (0.0, np.True_)
    """

    def __init__(self, start: Position) -> None:
        self.start = start
        self._counts: dict[object, dict[int, int]] = {}
        self._counter = Counter(start, memory_limit=usual_limit())
        self._root = few_layouts(start.rules)
        if self._root is not None:
            self._root = _those_left(start, self._root)
        elif self._counter.too_large is not None:
            raise self._counter.too_large

    def of(self, ships: NDArray[np.uint16], record: NDArray[np.int16]) -> NDArray[np.float64]:
        """The luck of games, in misses: above 0 where chance cost some.

        Parameters
        ----------
        ships
            uint16 ``(games, ships)``: placement numbers of the hidden layouts.
        record
            int16 ``(games, cells)``: the cells shot in each game, in order, those of the start
            first, -1 behind the last; as ``Player.play_all`` records them.

        Returns
        -------
        float64 ``(games,)``
        """
        games = zip(ships.tolist(), record.tolist(), strict=True)
        return np.array([self._of_game(tuple(layout), cells) for layout, cells in games])

    def _of_game(self, layout: tuple[int, ...], cells: list[int]) -> float:
        rules = self.start.rules
        game, position, left, luck = HiddenGame(rules, layout), self.start, self._root, 0.0
        for cell, _ in self.start.shots:
            game.shoot(cell)
        to_hit = rules.fleet.cells - position.hit_mask.bit_count()
        for cell in cells[len(position.shots) :]:
            if cell < 0:
                break
            if left is None and self._few(position):
                left = Layouts(rules, self._counter.at(position).layouts(most=LISTED))
            elif left is not None:
                left = _those_left(position, left)
            counts = self._answers(position, cell, left)
            worth = {
                answer: (answer == MISS) + misses_to_come(number, to_hit - (answer != MISS))
                for answer, number in counts.items()
            }
            mean = sum(number * worth[a] for a, number in counts.items()) / sum(counts.values())
            answer = game.shoot(cell)
            luck += worth[answer] - mean
            to_hit -= answer != MISS
            position = Position(rules, (*position.shots, (cell, answer)))
        return luck

    def _few(self, position: Position) -> bool:
        """Whether the layouts left can be listed, which a shot before has counted."""
        if position == self.start:
            return False
        before = Position(position.rules, position.shots[:-1])
        cell, answer = position.shots[-1]
        return self._answers(before, cell, None)[answer] <= LISTED

    def _answers(self, position: Position, cell: int, left: Layouts | None) -> dict[int, int]:
        """How many of the layouts left give each answer to a shot; those that none gives left
        out.
        """
        if left is not None:
            shots = [*(shot for shot, _ in position.shots), cell]
            answers, numbers = np.unique(
                answers_to(position.rules, left.ships, shots), return_counts=True
            )
            return dict(zip(answers.tolist(), numbers.tolist(), strict=True))
        key = known(position), cell
        if key not in self._counts:
            if len(self._counts) >= REMEMBERED:
                self._counts.clear()
            found = {
                answer: self._number(position, cell, answer)
                for answer in possible_answers(position.rules)
            }
            self._counts[key] = {answer: number for answer, number in found.items() if number}
        return self._counts[key]

    def _number(self, position: Position, cell: int, answer: int) -> int:
        """How many layouts are left after an answer."""
        try:
            after = Position(position.rules, (*position.shots, (cell, answer)))
            return self._counter.count_under(constrain(after))
        except PositionError:
            return 0


def _those_left(position: Position, layouts: Layouts) -> Layouts:
    """The layouts that fit a position."""
    return Layouts(position.rules, layouts.ships[fitting(position, layouts) == 1])
