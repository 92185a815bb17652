"""Advice from a strategy file, which knows what the rest of the game costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seabattle.enumerate.arguments import require_type
from seabattle.enumerate.errors import PositionError, StrategyError
from seabattle.enumerate.map import ChanceMap, OccupancyMap
from seabattle.enumerate.position import Position
from seabattle.solver.advice.advisers import Advice, CounterAdviser, Method

if TYPE_CHECKING:
    from seabattle.trees.strategy.strategy import Strategy
    from seabattle.trees.strategy.strategy_answer import StrategyAnswer


class StrategyAdviser:
    """Advice from a strategy file; another source where the file does not hold the position.

    Parameters
    ----------
    strategy
        The open file.
    otherwise
        Consulted about positions that are not in the file.
    """

    def __init__(self, strategy: Strategy, otherwise: CounterAdviser) -> None:
        from seabattle.trees.strategy.strategy import Strategy

        require_type("strategy", strategy, Strategy, "a Strategy, as in Strategy.open(path)")
        require_type(
            "otherwise", otherwise, CounterAdviser, "a CounterAdviser, as in CounterAdviser(rules)"
        )
        if otherwise.prior is not None:
            raise StrategyError(
                "a strategy file plays against equally likely layouts: give no prior with it"
            )
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

    def _best(self, found: OccupancyMap | ChanceMap, answer: StrategyAnswer) -> list[int]:
        """All optimal shots where the file determines them, else the one it names."""
        position = found.position
        if answer.best_cell is None or answer.certain:
            return [cell for cell in found.certain_cells if not position.shot_mask >> cell & 1]
        try:
            values = self.strategy.cell_values(position)
        except StrategyError:
            return [answer.best_cell]
        least = min(values.values())
        return [cell for cell, value in values.items() if value == least]

    def _other(self, found: OccupancyMap | ChanceMap, why: str) -> Advice:
        advice = self.otherwise.advise_from(found)
        return replace(advice, note=f"{why}; {advice.note}" if advice.note else why)
