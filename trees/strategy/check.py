"""Checking a strategy file from the rules alone.

No claim of the file is trusted, and nothing of what a search found is used: what it shares with
the search is how answers part layouts and how keys are packed. In this order:

1. every array has the checksum that the manifest states;
2. the layouts are those of the rules, enumerated anew, that fit the file's position; each symmetry
   of the manifest maps them to themselves; the keys increase;
3. of every state the layouts are found anew from its key, which must be closed and the least of
   its orbit; its value must be what its shot costs: the layouts the shot misses and the values of
   what follows, all of it in the file. So the values hold by induction on the number of layouts;
4. in a ``complete`` file no other shot of any state may be better (Bellman's equation), and all
   that follows any shot must be in the file: the values are proven to be least, and every position
   is there. In a ``reachable`` file the values are what its own shots cost; it does not prove that
   no other shots are better;
5. the beginning is in the file and costs what the manifest states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import SeabattleError, StrategyError
from seabattle.enumerate.layouts import DEFAULT_MEMORY_GIB, enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.trees.strategy.keys import FAULTS
from seabattle.trees.strategy.strategy import Strategy, digest_of
from seabattle.trees.tree import transformed_placements

_CHUNK = 2_000

Progress = Callable[[int], None]
"""Called now and then with the number of states checked so far."""


@dataclass(frozen=True)
class StrategyCheck:
    """Result of a check; true when the file is valid.

    Attributes
    ----------
    valid
        Whether nothing is wrong.
    proven
        Whether the values are proven to be least: in a valid, complete file.
    states
        Number of states in the file.
    value
        Misses from the beginning, as recomputed.
    problems
        What is wrong, one line each.
    misses
        The value in words.
    """

    valid: bool
    proven: bool
    states: int
    value: int
    problems: tuple[str, ...]
    misses: str = ""

    def document(self) -> dict[str, Any]:
        """What ``strategy verify --json`` prints, the verdict and its problems apart.

        Fields
        ------
        proven: whether the values are proven to be least
        states: states in the file
        value: misses from the beginning, as recomputed
        """
        return {"proven": self.proven, "states": self.states, "value": self.value}

    def facts(self) -> list[tuple[str, str]]:
        """What was shown of a valid file as labels and texts."""
        if not self.valid:
            return []
        proof = (
            "every position is there and none has a better shot: the values are optimal"
            if self.proven
            else "every value is what its shot costs; whether another is better was not checked"
        )
        return [("states", f"{self.states:,}"), ("misses", self.misses), ("shown", proof)]

    def __bool__(self) -> bool:
        return self.valid


def check(
    strategy: Strategy,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Progress | None = None,
) -> StrategyCheck:
    """Check an open strategy file; see the module's text.

    Parameters
    ----------
    strategy
        The file.
    memory_limit
        GiB for the enumeration of the layouts.
    progress
        Called with the number of states checked so far; may raise an exception to stop.
    """
    value = 0
    try:
        problems = _checksum_problems(strategy) or _layout_problems(strategy, memory_limit)
        if not problems:
            problems = _state_problems(strategy, progress)
        if not problems:
            value = strategy.probe().value
            if value != strategy.value:
                problems = [f"the manifest claims {strategy.value} misses, the file has {value}"]
    except StrategyError as error:
        problems = [str(error)]
    return StrategyCheck(
        valid=not problems,
        proven=not problems and strategy.scope == "complete",
        states=strategy.states,
        value=value,
        problems=tuple(problems),
        misses=strategy.misses_text,
    )


def _checksum_problems(strategy: Strategy) -> list[str]:
    return [
        f"{name} was edited or damaged: its checksum does not fit"
        for name, digest in strategy.digests.items()
        if digest_of(strategy.path / name) != digest
    ]


def _sorted_rows(numbers: NDArray[np.uint16]) -> NDArray[np.uint16]:
    rows = np.sort(numbers, axis=1)
    return rows[np.lexsort(rows.T[::-1])]


def _layout_problems(strategy: Strategy, memory_limit: float) -> list[str]:
    layouts = enumerate_layouts(strategy.rules, memory_limit=memory_limit)
    try:
        keep = fitting(strategy.position, layouts)
    except SeabattleError as error:
        return [str(error)]
    rows = _sorted_rows(layouts.ships[keep == 1])
    if not np.array_equal(_sorted_rows(strategy.numbers), rows):
        return ["its layouts are not those of the rules and its position"]
    table = placement_table(strategy.rules)
    for g, symmetry in zip(strategy.manifest["symmetries"], strategy.symmetries, strict=True):
        moved = transformed_placements(table, symmetry)
        if not np.array_equal(_sorted_rows(moved[rows]), rows):
            return [f"symmetry {g} does not map its layouts to themselves"]
    low, high = strategy.keys
    grows = low[1:] > low[:-1]
    if len(high):
        grows |= (low[1:] == low[:-1]) & (high[1:] > high[:-1])
    return [] if grows.all() else [f"the keys do not increase at state {int(np.argmin(grows)) + 1}"]


def _state_problems(strategy: Strategy, progress: Progress | None) -> list[str]:
    values = strategy.values.astype(np.int64)
    shots = np.ascontiguousarray(strategy.shots)
    every, worst = strategy.scope == "complete", strategy.objective == "worst"
    for first in range(0, strategy.states, _CHUNK):
        last = min(first + _CHUNK, strategy.states)
        fault, state = strategy.positions.check(
            first, last, values, shots, every=every, worst=worst
        )
        if fault:
            return [f"state {state}: {FAULTS[fault]}"]
        if progress is not None:
            progress(last)
    return []
