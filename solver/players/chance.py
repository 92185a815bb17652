"""Chance that can be replayed: every random number is a function of seed, player, game and index.

The generator is splitmix64 [Steele2014]: number ``i`` of a stream mixes ``seed + (i + 1) * gamma``,
so any number can be had without those before it. A game's seed is number ``game`` of its player's
stream, hence no game depends on which games were played before it, where, or by how many workers.
"""

from __future__ import annotations

import hashlib

from seabattle.enumerate.errors import SeabattleError, quoted

_WORD = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_FRACTIONS = 1 << 20


def draw(seed: int, index: int) -> int:
    """Number ``index`` (from 0) of the stream ``seed``: 64 random bits.

    >>> [hex(draw(1234567, i)) for i in range(2)]
    ['0x599ed017fb08fc85', '0x2c73f08458540fa5']
    """
    x = (seed + (index + 1) * _GAMMA) & _WORD
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _WORD
    return x ^ x >> 31


def player_key(seed: int, name: str) -> int:
    """Key of a player's stream in a tournament with this seed."""
    digest = hashlib.sha256(f"{seed} {name}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little")


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

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= _WORD:
            raise SeabattleError(f"seed {quoted(seed)}: must be from 0 to 2**64 - 1")
        self.seed = seed
        self._decks: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return f"Chance({self.seed})"

    @classmethod
    def of(cls, *, seed: int, player: str, game: int) -> Chance:
        """Numbers of a player in the game of that number."""
        return cls(draw(player_key(seed, player), game))

    def deck(self, cells: int) -> tuple[int, ...]:
        """The cells in random order, each order equally likely; the same at every call."""
        if cells not in self._decks:
            self._decks[cells] = self._shuffled(cells)
        return self._decks[cells]

    def _shuffled(self, cells: int) -> tuple[int, ...]:
        """Fisher and Yates; D. Lemire, Fast random integer generation in an interval, 2019."""
        deck = list(range(cells))
        index = 0
        for i in range(cells - 1, 0, -1):
            size = i + 1
            least = ((1 << 32) - size) % size
            while True:
                product = (draw(self.seed, index) >> 32) * size
                index += 1
                if product & 0xFFFFFFFF >= least:
                    break
            j = product >> 32
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)

    def fraction(self, index: int) -> float:
        """A number from 0 to 1, exclusive; apart from the numbers that order the deck."""
        return float((draw(self.seed, _FRACTIONS + index) >> 11) * 2.0**-53)
