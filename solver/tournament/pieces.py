"""Pieces of a tournament: which games are played together, by which players, in which order.

A piece takes about a second, as far as whole games allow: quick players play thousands of games in
one. Where one layout takes all players longer than ``LONG_SECONDS``, each of them plays it in a
piece of its own; so they do with the first one, of which nothing is known. Pieces follow each other
layout by layout: at any moment all players have played the same layouts, but for the one or few
that are being played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.players.player import BLOCK

PIECE_SECONDS = 1.0
"""How long a piece should take; its size is adjusted to the time that earlier pieces took."""

LONG_SECONDS = 10.0
"""Where all players together take longer for one layout, a piece is the game of one player."""

Handed = tuple[int, int, tuple[int, ...] | None]
"""First game of a piece, the one after the last, and the numbers of the players; None for all."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Games as they were played.

    Attributes
    ----------
    first
        Number of the first game.
    shots
        int32 ``(n_players, n_games)``, shots of each game.
    players
        Numbers of the players whose games these are; None for all of them.
    seconds
        What that took.
    """

    first: int
    shots: NDArray[np.int32]
    players: tuple[int, ...] | None = None
    seconds: float = 0.0

    @property
    def stop(self) -> int:
        """Number of the game after the last."""
        return self.first + int(self.shots.shape[1])


class Assembly:
    """Games of single players, kept until all players have played them.

    Parameters
    ----------
    players
        Number of players.

    Attributes
    ----------
    waiting
        Games that are not complete: their pieces, by the number of the game.
    """

    def __init__(self, players: int) -> None:
        self._players = players
        self.waiting: dict[int, list[Piece]] = {}

    def add(self, piece: Piece) -> Piece | None:
        """Add a piece; returns games of all players if they are complete now, else None.

        Raises
        ------
        ValueError
            If a player has played the game already.
        """
        if piece.players is None:
            return piece
        parts = [*self.waiting.get(piece.first, []), piece]
        rows = [
            (n, row)
            for part in parts
            for n, row in zip(part.players or (), part.shots, strict=True)
        ]
        if len({n for n, _ in rows}) != len(rows):
            raise ValueError(piece.first)
        if len(rows) < self._players:
            self.waiting[piece.first] = parts
            return None
        self.waiting.pop(piece.first, None)
        shots = np.array([row for _, row in sorted(rows, key=lambda each: each[0])])
        return Piece(piece.first, shots, None, sum(part.seconds for part in parts))


def gaps(played: Iterable[tuple[int, int]], games: int) -> list[tuple[int, int]]:
    """Ranges of game numbers that are missing from ranges that do not overlap.

    >>> gaps([(5, 7), (0, 3)], 9), gaps([(0, 9)], 9)
    ([(3, 5), (7, 9)], [])
    """
    found, after = [], 0
    for first, stop in [*sorted(played), (games, games)]:
        if after < first:
            found.append((after, first))
        after = stop
    return found


class Pieces:
    """What is handed out to be played, in order.

    Games that were played before are left out. Those between them are played whatever ``stop``
    says, so that what was played is always the first games.

    Parameters
    ----------
    players
        Number of players.
    games
        Number of games.
    stop
        Asked before a piece is handed out; when it says yes, no more are.
    played
        Pieces that were played before.
    """

    def __init__(
        self, players: int, games: int, stop: Callable[[], bool], played: Sequence[Piece] = ()
    ) -> None:
        whole = [(piece.first, piece.stop) for piece in played if piece.players is None]
        self._left = gaps(whole, games)
        self._must = max((stop for _, stop in whole), default=0)
        self._stop = stop
        self._players = players
        self._known: dict[int, set[int]] = {}
        for piece in played:
            if piece.players is not None:
                self._known.setdefault(piece.first, set()).update(piece.players)
        self._size = 1
        self._assembly = Assembly(players)
        self._long = players > 1

    def __iter__(self) -> Iterator[Handed]:
        for first, end in self._left:
            game = first
            while game < end:
                known = self._known.get(game, set())
                if known or self._long:
                    for player in range(self._players):
                        if player in known:
                            continue
                        if self._stops(game):
                            return
                        yield game, game + 1, (player,)
                    game += 1
                    continue
                if self._stops(game):
                    return
                begun = game
                parted = (other for other in self._known if other > begun)
                game = min(end, begun + self._size, *parted)
                yield begun, game, None

    def _stops(self, game: int) -> bool:
        return game >= self._must and self._stop()

    def took(self, piece: Piece) -> None:
        """A piece was played."""
        if piece.players is not None and piece.first in self._known:
            return  # its other games were played in another run
        whole = self._assembly.add(piece)
        if whole is None:
            return
        games = whole.stop - whole.first
        fitting = int(games * PIECE_SECONDS / max(whole.seconds, 1e-9))
        self._size = max(1, min(fitting, 4 * self._size, 100 * BLOCK))
        self._long = self._players > 1 and whole.seconds > LONG_SECONDS * games
