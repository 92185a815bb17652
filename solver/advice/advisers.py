"""Advice for the next shot of a game: the map of the counter, or exact play once little is left.

Two methods. ``greedy-map`` shoots a cell that most of the layouts still possible occupy; it is for
boards of any size and no optimum is claimed. ``optimal`` shoots so that the mean number of misses
still to come is least; it is taken as soon as few enough layouts are left to solve the rest of the
game in a moment. Whoever has another source of advice gives it the one method of ``Adviser``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from seabattle.enumerate.counting.counter import Counter, OccupancyMap
from seabattle.enumerate.errors import (
    PositionError,
    SeabattleError,
    StrategyError,
    TooLargeError,
)
from seabattle.enumerate.game.answers import MISS
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.solver.arguments import require_position, require_rules

if TYPE_CHECKING:
    from seabattle.solver.search.endgame import Endgame
    from seabattle.solver.search.workspace import Snapshot
    from seabattle.trees.strategy.strategy import Strategy, StrategyAnswer

FEW_LAYOUTS = 2_000
"""With more layouts than this, exact play is not tried."""

SECONDS = 2.0
"""How long exact play may be searched for, unless told otherwise."""


class Method(StrEnum):
    """Where advice comes from."""

    GREEDY_MAP = "greedy-map"
    OPTIMAL = "optimal"


@dataclass(frozen=True)
class Advice:
    """What to shoot next.

    Attributes
    ----------
    map
        How many layouts are left, and how many of them occupy each cell.
    method
        ``optimal`` or ``greedy-map``.
    best
        All shots that are best by the method, likeliest first, then in reading order; empty when
        the fleet is sunk.
    total_misses, worst_misses
        With ``optimal``: misses still to come, summed over the layouts left, and at most.
    note
        Why exact play was given up, if it was tried.
    """

    map: OccupancyMap
    method: Method
    best: tuple[int, ...]
    total_misses: int | None = None
    worst_misses: int | None = None
    note: str = ""

    @property
    def position(self) -> Position:
        """What is known."""
        return self.map.position

    @property
    def layouts(self) -> int:
        """Number of layouts left."""
        return self.map.layouts

    @property
    def over(self) -> bool:
        """Whether every ship is sunk."""
        return self.position.hit_mask.bit_count() == self.position.rules.fleet.cells

    @property
    def misses(self) -> int:
        """Misses so far."""
        return sum(code == MISS for _, code in self.position.shots)

    @property
    def mean_misses(self) -> Fraction | None:
        """With ``optimal``: misses still to expect."""
        return None if self.total_misses is None else Fraction(self.total_misses, self.layouts)

    @property
    def ships(self) -> list[str] | None:
        """Every ship by name, when one layout is left."""
        if self.layouts > 1:
            return None
        table = placement_table(self.position.rules)
        return table.names(i for i, there in enumerate(self.map.placements) if there)

    def chance(self, cell: int) -> Fraction:
        """Chance that a cell is occupied."""
        return Fraction(self.map.cells[cell], self.layouts)

    def document(self) -> dict[str, Any]:
        """The advice as JSON: cells by name, numbers exact where they are whole."""
        name = self.position.rules.board.name
        document: dict[str, Any] = {
            "layouts": self.layouts,
            "labelled_layouts": self.map.labelled_layouts,
            "occupancy": [list(row) for row in self.map.occupancy],
            "best": [name(cell) for cell in self.best],
            "chance": float(self.chance(self.best[0])) if self.best else None,
            "method": self.method.value,
        }
        if self.total_misses is not None:
            document["total_misses"] = self.total_misses
            document["mean_misses"] = self.total_misses / self.layouts
            document["worst_misses"] = self.worst_misses
        if self.note:
            document["note"] = self.note
        return document

    def __repr__(self) -> str:
        cells = " ".join(self.position.rules.board.name(cell) for cell in self.best[:12])
        return f"<advice {cells or 'none'}: {self.method.value}, {self.layouts:,} layouts>"


class Adviser(Protocol):
    """A source of advice."""

    def advise(self, position: Position) -> Advice:
        """What to shoot next.

        Raises
        ------
        PositionError
            If no layout fits the position, or it is of another game.
        """
        ...


class CounterAdviser:
    """Advice by counting, and by exact play once few layouts are left.

    Parameters
    ----------
    rules
        The game.
    seconds
        How long exact play may be searched for at each shot; 0 never tries.
    few
        Exact play is tried with at most so many layouts.
    memory_limit
        GiB for the counter.
    report
        Called with a ``Snapshot`` a few times a second while exact play is searched for.

    Examples
    --------
    >>> adviser = CounterAdviser(Rules("4x4", "3,2,1", answers="sunk"))
    >>> advice = adviser.advise(Position.in_order(adviser.rules, "B2 miss"))
    >>> advice.method.value, advice.mean_misses, advice.worst_misses
    ('optimal', Fraction(86, 37), 5)
    """

    def __init__(
        self,
        rules: Rules,
        *,
        seconds: float = SECONDS,
        few: int = FEW_LAYOUTS,
        memory_limit: float = 4.0,
        report: Callable[[Snapshot], None] | None = None,
    ) -> None:
        require_rules(rules)
        for name, value in (("seconds", seconds), ("memory_limit", memory_limit)):
            if not value >= 0:
                raise SeabattleError(f"{name} {value:g}: must be a number, 0 or above")
        self.rules = rules
        self.seconds = seconds
        self.few = few
        self.memory_limit = memory_limit
        self.report = report
        self.counter = Counter(rules, memory_limit=memory_limit)
        self._try_at = few

    def __repr__(self) -> str:
        return f"CounterAdviser({self.rules!r})"

    def advise(self, position: Position) -> Advice:
        """What to shoot next.

        Raises
        ------
        PositionError, FleetError
            If no layout fits the position, or it is of another game.
        """
        return self.advise_from(self.map(position))

    def map(self, position: Position) -> OccupancyMap:
        """How many layouts are left, and how many of them occupy each cell.

        Raises
        ------
        PositionError, FleetError
            If no layout fits the position, or it is of another game.
        """
        require_position(position, self.rules)
        return self.counter.map(position)

    def advise_from(self, found: OccupancyMap) -> Advice:
        """What to shoot next in the position of a map that is counted already.

        Parameters
        ----------
        found
            From ``map``.
        """
        position = found.position
        sure = sum(1 << cell for cell, count in enumerate(found.cells) if count == found.layouts)
        if sure.bit_count() == self.rules.fleet.cells:
            # One occupancy is left: nothing more is missed, whatever the order of the hits.
            due = tuple(cells_of(sure & ~position.hit_mask))
            return Advice(found, Method.OPTIMAL, due, 0, 0)
        if found.layouts > self.few or self.seconds <= 0:
            self._try_at = self.few
            return Advice(found, Method.GREEDY_MAP, tuple(found.best))
        # What was not solved in time is not tried again before half the layouts are gone.
        note = f"exact play is tried again with {self._try_at:,} layouts or fewer"
        if found.layouts <= self._try_at:
            solved = self._solve(position, found.layouts)
            if not isinstance(solved, str):
                best = sorted(solved.best, key=lambda cell: (-found.cells[cell], cell))
                return Advice(
                    found, Method.OPTIMAL, tuple(best), solved.total_misses, solved.worst_misses
                )
            note = solved
        return Advice(found, Method.GREEDY_MAP, tuple(found.best), note=note)

    def _solve(self, position: Position, layouts: int) -> Endgame | str:
        """Exact play from a position on, or why there is none."""
        from seabattle.solver.search.endgame import endgame
        from seabattle.solver.search.workspace import LimitReached, Limits

        limits = Limits(
            deadline=time.monotonic() + self.seconds,
            memory=self.memory_limit / 2,
            report=self.report,
        )
        try:
            return endgame(position, self.counter.layouts(position, most=self.few), limits=limits)
        except TooLargeError as error:
            return f"no exact play: {error}"
        except LimitReached:
            self._try_at = layouts // 2
            return (
                f"exact play was not found within {self.seconds:g} s; it is tried again with "
                f"{self._try_at:,} layouts or fewer"
            )


class StrategyAdviser:
    """Advice from a strategy file; another source where the file does not hold the position.

    Parameters
    ----------
    strategy
        The open file.
    otherwise
        Asked about positions that are not in the file.
    """

    def __init__(self, strategy: Strategy, otherwise: CounterAdviser) -> None:
        self.strategy = strategy
        self.otherwise = otherwise

    def __repr__(self) -> str:
        return f"StrategyAdviser({self.strategy!r})"

    def advise(self, position: Position) -> Advice:
        """What to shoot next.

        Raises
        ------
        PositionError, FleetError
            If no layout fits the position, or it is of another game.
        """
        found = self.otherwise.map(position)
        if position.rules != self.strategy.rules:
            return self._other(found, "the strategy file is of another game")
        try:
            answer = self.strategy.probe(position)
            best = self._best(found, answer)
        except (StrategyError, PositionError) as error:  # or it begins after other shots
            return self._other(found, str(error))
        best.sort(key=lambda cell: (-found.cells[cell], cell))
        return Advice(found, Method.OPTIMAL, tuple(best), answer.total, answer.worst)

    def _best(self, found: OccupancyMap, answer: StrategyAnswer) -> list[int]:
        """All optimal shots where the file can tell them, else the one it names."""
        position = found.position
        if answer.shot < 0 or answer.certain:
            sure = [c for c, count in enumerate(found.cells) if count == found.layouts]
            return [cell for cell in sure if not position.shot_mask >> cell & 1]
        try:
            values = self.strategy.shot_values(position)
        except StrategyError:
            return [answer.shot]
        least = min(values.values())
        return [cell for cell, value in values.items() if value == least]

    def _other(self, found: OccupancyMap, why: str) -> Advice:
        advice = self.otherwise.advise_from(found)
        return replace(advice, note=f"{why}; {advice.note}" if advice.note else why)
