"""Players whose rules are compiled: many games in one call of a kernel.

What such a player shoots is written once, in its kernels (see ``_game_kernels``): ``choose`` has
them recall the answers of a position, ``play_batch`` has them play.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import kernel_mode
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players._game_kernels import Batch, Hidden, hidden_layout
from seabattle.solver.players.placement_tables import play_tables
from seabattle.solver.players.player import Player, require_games
from seabattle.solver.players.random_streams import Chance, player_key

_NO_RECORD = np.empty((0, 0), dtype=np.int16)

Answers = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The cells shot and the answer codes, in order: two arrays int64 ``(k,)``."""


def answers_of(position: Position) -> Answers:
    """The shots of a position as the kernels take them."""
    table = np.array(position.shots, dtype=np.int64).reshape(-1, 2)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])


class BatchPlayer(Player):
    """A player whose rules are kernels.

    Attributes
    ----------
    tables
        The game's placements, as the player is told of them.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.tables = play_tables(self.told)

    @abstractmethod
    def recall(self, position: Position, seed: np.uint64) -> Any:
        """The kernels' state of a game after the answers of a position; ``seed`` is the game's."""

    @abstractmethod
    def choose_from(self, state: Any, seed: np.uint64) -> int:
        """Cell to shoot in such a state."""

    @abstractmethod
    def play_batch(self, hidden: Hidden, batch: Batch) -> None:
        """Play a batch of games; both are modified."""

    def choose(self, position: Position, chance: Chance) -> int:
        """The cell that the kernels choose."""
        seed = np.uint64(chance.seed)
        return int(self.choose_from(self.recall(position, seed), seed))

    def play_all(
        self,
        ships: NDArray[np.uint16],
        *,
        seed: int = 0,
        first_game: int = 0,
        start: Position | None = None,
        record: NDArray[np.int16] | None = None,
    ) -> NDArray[np.int32]:
        """The same games, compiled. A player that learns begins anew with the first game."""
        if type(self).choose is not BatchPlayer.choose:  # a player derived from a compiled one
            return super().play_all(
                ships, seed=seed, first_game=first_game, start=start, record=record
            )
        require_games(self.rules, ships, seed, first_game, start, record)
        prefix = np.empty(0, dtype=np.int64) if start is None else answers_of(start)[0]
        shots = np.empty(len(ships), dtype=np.int32)
        batch = Batch(
            ships,
            kernel_mode(self.told),
            prefix,
            np.uint64(player_key(seed, self.name)),
            first_game,
            shots,
            _NO_RECORD if record is None else record,
        )
        self.play_batch(hidden_layout(self.tables.arrays), batch)
        return shots
