"""Priors of layouts that are weighed one by one: those of a table, or those seen in games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError, is_iterable, quoted, whole_number, wrong_type
from seabattle.enumerate.game.arguments import require_rules, require_type, require_whole
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import WholeWeights
from seabattle.enumerate.priors.base import Prior, game_text
from seabattle.enumerate.priors.layout_lists import LayoutReader, first_impossible, layout_keys
from seabattle.enumerate.priors.whole_numbers import machine_integers, whole_weights


@dataclass(frozen=True, eq=False, repr=False)
class TablePrior(Prior):
    """Layouts are weighed one by one.

    Attributes
    ----------
    weights
        The weight of each listed layout. The keys are its placement numbers in increasing order.
    others
        The weight of every other layout.

    Raises
    ------
    WeightsError
        If a weight is negative, all are 0, or what is listed is no layout of the game.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> prior = TablePrior.of_games(Rules("3x3", "3,1,1"), ["A1:A3 C1 C3"] * 2, smoothing=1)
    >>> prior
    <prior: 1 layout listed, every other weighs 1; 3x3, fleet 3,1,1, contact none>
    """

    weights: Mapping[tuple[int, ...], int]
    others: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_type("weights", self.weights, Mapping, "a mapping from layouts to whole numbers")
        object.__setattr__(self, "others", require_whole("others", self.others))
        given: dict[tuple[int, ...], int] = {}
        for layout, weight in self.weights.items():
            ships, number = _ships(self.rules, layout), whole_number(weight)
            if number is None:
                raise wrong_type("weights", "whole numbers from 0 on", weight)
            given[ships] = number
        object.__setattr__(self, "weights", given)
        if min(self.others, *given.values(), 0) < 0:
            raise WeightsError("weights: one is negative; weights start at 0")
        if not self.others and not any(given.values()):
            raise WeightsError("weights: all are zero; at least one layout must be possible")
        listed = list(given)
        wrong = first_impossible(self.rules, listed)
        if wrong is not None:
            raise WeightsError(
                f"weights: placements {listed[wrong]} are no layout of {game_text(self.rules)}"
            )

    @classmethod
    def of_games(
        cls,
        rules: Rules,
        layouts: Iterable[str | Sequence[str]],
        *,
        smoothing: int = 0,
        name: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> TablePrior:
        """The prior of layouts seen in earlier games: each weighs how often it was seen.

        Parameters
        ----------
        rules
            The game.
        layouts
            The layouts seen, each as its ships: ``A1:A3 C1 C3`` or a list of these names.
        smoothing
            Added to the count of every layout of the game. With 0, layouts never seen are
            impossible.
        name, facts
            See ``Prior``.

        Raises
        ------
        WeightsError
            If one is no layout of the game, or none is given and ``smoothing`` is 0.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        require_rules(rules)
        if isinstance(layouts, str) or not is_iterable(layouts):
            raise wrong_type("layouts", "a list of layouts such as 'A1:A3 C1 C3'", layouts)
        added = require_whole("smoothing", smoothing)
        if added < 0:
            raise WeightsError(f"smoothing {added}: a whole number from 0 on is needed")
        reader = LayoutReader(rules)
        for number, layout in enumerate(layouts, start=1):
            if not is_iterable(layout):
                raise wrong_type("layouts", "layouts such as 'A1:A3 C1 C3'", layout)
            names = layout if isinstance(layout, str) else " ".join(map(str, layout))
            reader.add(f"layout {number}", names)
        counts = Counter(reader.layouts())
        weights = {ships: count + added for ships, count in counts.items()}
        return cls(rules, weights, added, name=name, facts={} if facts is None else facts)

    @cached_property
    def _values(self) -> list[int]:
        """The weights of the layouts listed, in the order of ``_keys``, and of every other."""
        return [*(self.weights[ships] for ships in sorted(self.weights)), self.others]

    @cached_property
    def _keys(self) -> NDArray[np.bytes_]:
        """The layouts listed, in increasing order."""
        ships = len(self.rules.fleet.lengths)
        return layout_keys(np.array(sorted(self.weights), dtype=np.int64).reshape(-1, ships))

    def _places(self, ships: NDArray[np.uint16]) -> NDArray[np.int64]:
        """For each layout, the index of its weight in ``_values``."""
        keys, wanted = self._keys, layout_keys(ships)
        place: NDArray[np.int64] = np.searchsorted(keys, wanted)
        there = np.flatnonzero(place < len(keys))
        place[there[keys[place[there]] != wanted[there]]] = len(keys)
        return place

    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        logs = np.array([log(value) if value else -np.inf for value in self._values])
        found: NDArray[np.float64] = logs[self._places(layouts.ships)]
        return found

    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        most = max(self._values)
        table = machine_integers(self._values, most, self.called)

        def weigh(part: slice) -> NDArray[np.int64]:
            found: NDArray[np.int64] = table[self._places(layouts.ships[part])]
            return found

        cells = self.rules.board.cells
        return whole_weights(weigh, len(layouts), cells, self.called, most=most, as_written=True)

    @property
    def _weights(self) -> tuple[object, ...]:
        return frozenset(self.weights.items()), self.others

    @property
    def _kind(self) -> str:
        count = len(self.weights)
        return f"{count:,} layout{'s'[: count != 1]} listed, every other weighs {self.others:,}"


def _ships(rules: Rules, layout: object) -> tuple[int, ...]:
    """Placement numbers of a listed layout, in increasing order."""
    if not isinstance(layout, tuple):
        raise wrong_type("weights", "layouts as tuples of placement numbers", layout)
    numbers = [whole_number(number) for number in layout]
    ships = tuple(number for number in numbers if number is not None)
    if len(ships) != len(numbers):
        raise wrong_type("weights", "layouts as tuples of placement numbers", layout)
    if len(ships) != len(rules.fleet.lengths) or list(ships) != sorted(ships):
        raise WeightsError(
            f"weights: {quoted(layout)} is no layout; give one placement number for each of the "
            f"{len(rules.fleet.lengths)} ships, in increasing order"
        )
    return ships
