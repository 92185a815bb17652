"""How players are drawn: each keeps its colour, stroke and marker in every plot."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seabattle.enumerate.colours import (
    LINES,
    LINES_DARK,
    LINES_DRAWN_THROUGH,
    SERIES_PRINT,
    Palette,
    Theme,
)

_PLACES = (
    "exact", "greedy-map", "lookahead", "density", "diagonal", "bob", "hunt-target", "random",
    "map-endgame", "hunt-target-parity", "over-9000", "learning", "equilibrium",
)  # fmt: skip
"""The player of each of the colours ``LINES``."""

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "d", "*")

_THROUGH: Any = "-"
_DASHED: Any = (0, (5, 1.6))
_DOTTED: Any = (0, (1.2, 1.4))
_DASH_DOT: Any = (0, (6, 1.5, 1.2, 1.5))


@dataclass(frozen=True)
class PlayerStyle:
    """Colour as ``#rrggbb``; stroke and marker as matplotlib takes them."""

    colour: str
    stroke: Any
    marker: str


def player_styles(players: Sequence[str], palette: Palette) -> dict[str, PlayerStyle]:
    """How the players of a tournament are drawn.

    A player of the program has its own style. The same player with a prior of its own
    (``greedy-map@people``) has the same colour, dotted. Any other player has a style that follows
    from its name, unless another one of the tournament has the same.

    Parameters
    ----------
    players
        Their names.
    palette
        The colours of the plot.

    Examples
    --------
    >>> from seabattle.enumerate.colours import LIGHT
    >>> one = player_styles(["density", "mine"], LIGHT)
    >>> other = player_styles(["mine", "bob", "density"], LIGHT)
    >>> one["density"] == other["density"], one["mine"] == other["mine"]
    (True, True)
    """
    taken: set[tuple[int, int]] = set()
    places: dict[str, tuple[int, int]] = {}
    strangers = []
    for player in players:
        known, at, _ = player.partition("@")
        place = (_PLACES.index(known), 1 if at else 0) if known in _PLACES else None
        if place is None or place in taken:
            strangers.append(player)
            continue
        places[player] = place
        taken.add(place)
    for player in strangers:
        first = zlib.crc32(player.encode()) % len(LINES)
        free = [
            (n % len(LINES), stroke)
            for stroke in (2, 1, 0)
            for n in range(first, first + len(LINES))
        ]
        place = next((each for each in free if each not in taken), (first, 2))
        places[player] = place
        taken.add(place)
    return {player: _style(*places[player], palette) for player in players}


def _style(number: int, kind: int, palette: Palette) -> PlayerStyle:
    usual = _THROUGH if number < LINES_DRAWN_THROUGH else _DASHED
    stroke = (usual, _DOTTED, _DASH_DOT)[kind]
    colour = (LINES_DARK if palette.theme is Theme.DARK else LINES)[number]
    if palette.theme is Theme.PRINT:
        colour = SERIES_PRINT[number % len(SERIES_PRINT)]
    return PlayerStyle(colour, stroke, _MARKERS[number])
