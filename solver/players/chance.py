"""Chance that can be replayed: every random number is a function of seed, player, game and index.

The generator is splitmix64 [Steele2014]: number ``i`` of a stream mixes ``seed + (i + 1) * gamma``,
so any number can be had without those before it. A game's seed is number ``game`` of its player's
stream, hence no game depends on which games were played before it, where, or by how many workers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from seabattle.enumerate.errors import within
from seabattle.enumerate.kernels import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX = np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)
FRACTIONS = 1 << 20


@kernel
def draw_word(seed, index):
    """Number ``index`` of a random stream (splitmix64).

    seed : uint64; index : int64. Returns uint64
    """
    x = seed + (np.uint64(index) + np.uint64(1)) * GAMMA
    x = (x ^ (x >> np.uint64(30))) * FIRST_MIX
    x = (x ^ (x >> np.uint64(27))) * SECOND_MIX
    return x ^ (x >> np.uint64(31))


@kernel
def fill_deck(seed, deck):
    """Put the cells in random order, each order equally likely (Fisher and Yates; Lemire 2019).

    seed : uint64, the game's seed
    deck : int16 (cells,), modified
    """
    cells = deck.shape[0]
    for i in range(cells):
        deck[i] = i
    index = 0
    for i in range(cells - 1, 0, -1):
        size = np.uint64(i + 1)
        product = (draw_word(seed, index) >> np.uint64(32)) * size
        index += 1
        if (product & LOW_HALF) < size:
            least = (np.uint64(1 << 32) - size) % size
            while (product & LOW_HALF) < least:
                product = (draw_word(seed, index) >> np.uint64(32)) * size
                index += 1
        j = np.int64(product >> np.uint64(32))
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def fraction(seed, index):
    """A random number from 0 to 1, exclusive, in steps of 2^-53.

    seed : uint64, the game's seed; index : int64. Returns float64
    """
    return np.float64(draw_word(seed, FRACTIONS + index) >> np.uint64(11)) * 2.0**-53


def draw(seed: int, index: int) -> int:
    """Number ``index`` (from 0) of the stream ``seed``: 64 random bits.

    >>> [hex(draw(1234567, i)) for i in range(2)]
    ['0x599ed017fb08fc85', '0x2c73f08458540fa5']
    """
    return int(draw_word(np.uint64(seed), index))


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
        fill_deck(np.uint64(self.seed), deck)
        return tuple(deck.tolist())

    def fraction(self, index: int) -> float:
        """A number from 0 to 1, exclusive; apart from the numbers that order the deck."""
        return float(fraction(np.uint64(self.seed), index))
