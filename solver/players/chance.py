"""Chance that can be replayed: every random number is a function of seed, player, game and index.

The generator is splitmix64 [Steele2014]: number ``i`` of a stream mixes ``seed + (i + 1) * gamma``,
so any number can be had without those before it. A game's seed is number ``game`` of its player's
stream, hence no game depends on which games were played before it, where, or by how many workers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.enumerate.errors import within


def draw(seed: int, index: int) -> int:
    """Number ``index`` (from 0) of the stream ``seed``: 64 random bits.

    >>> [hex(draw(1234567, i)) for i in range(2)]
    ['0x599ed017fb08fc85', '0x2c73f08458540fa5']
    """
    return draws(seed, index, index + 1)[0]


def draws(seed: int, first: int, stop: int) -> list[int]:
    """Numbers ``first`` to ``stop - 1`` of the stream ``seed``."""
    words: NDArray[np.uint64] = np.empty(max(0, stop - first), dtype=np.uint64)
    core().draw_words(seed, first, words)
    found: list[int] = words.tolist()
    return found


def player_key(seed: int, name: str) -> int:
    """Key of a player's stream in a tournament with this seed."""
    digest = hashlib.sha256(f"{seed} {name}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little")


@dataclass(frozen=True)
class Chance:
    """The random numbers of one player in one game.

    Parameters
    ----------
    seed
        The game's seed, 64 bits.

    Raises
    ------
    SeabattleError
        If the seed is not from 0 to 2**64 - 1.

    Examples
    --------
    >>> Chance.of(seed=1, player="random", game=0).deck(6)
    (2, 3, 1, 0, 4, 5)
    """

    seed: int

    def __post_init__(self) -> None:
        within("seed", self.seed, 0, (1 << 64) - 1)

    @classmethod
    def of(cls, *, seed: int, player: str, game: int) -> Chance:
        """Numbers of a player in the game of that number."""
        return cls(draw(player_key(seed, player), game))

    def deck(self, cells: int) -> tuple[int, ...]:
        """The cells in random order, each order equally likely; the same at every call."""
        deck = np.empty(cells, dtype=np.int16)
        core().shuffle(self.seed, deck)
        return tuple(deck.tolist())

    def fraction(self, index: int) -> float:
        """A number from 0 to 1, exclusive; apart from the numbers that order the deck."""
        return float(core().draw_fraction(self.seed, index))
