"""Players whose games are compiled: many layouts in one call of a kernel.

What such a player shoots is said twice, by ``choose`` shot by shot and by its kernel a batch of
games at a time; tests hold the two together.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.game.arguments import require_placements
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.solver.players.placement_tables import play_tables
from seabattle.solver.players.player import Player
from seabattle.solver.players.random_streams import player_key

Batch = tuple[NDArray[np.int64], np.uint64, int, NDArray[np.int32], NDArray[np.int16]]
"""What every kernel takes last: ``prefix, key, first_game, shots, record``."""

_NO_RECORD = np.empty((0, 0), dtype=np.int16)


class BatchPlayer(Player):
    """A player with a kernel that plays a batch of games.

    Attributes
    ----------
    tables
        The game's placements, as the player is told of them.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.tables = play_tables(self.told)

    @abstractmethod
    def play_batch(self, layouts: NDArray[np.uint16], batch: Batch) -> None:
        """Play one game against each layout with the kernel; ``batch`` is modified."""

    def play_all(
        self,
        layouts: NDArray[np.uint16],
        *,
        seed: int = 0,
        first_game: int = 0,
        start: Position | None = None,
        record: NDArray[np.int16] | None = None,
    ) -> NDArray[np.int32]:
        """The same games, compiled. A player that learns begins anew with the first game."""
        require_placements(layouts, self.rules)
        before = () if start is None else start.shots
        shots = np.empty(len(layouts), dtype=np.int32)
        self.play_batch(
            layouts,
            (
                np.array([cell for cell, _ in before], dtype=np.int64),
                np.uint64(player_key(seed, self.name)),
                first_game,
                shots,
                _NO_RECORD if record is None else record,
            ),
        )
        return shots
