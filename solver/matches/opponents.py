"""Who can shoot at a person's fleet, and the program's next shot.

A match lasts as long as somebody is patient, so players who would have to think for minutes before
their first shot are left out, with the reason. The next shot is a function of the player's name,
the position of its own shots and the game's random numbers: nothing else is handed to it, and it
can be asked in another process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from seabattle.enumerate.arguments import (
    require_position,
    require_rules,
    require_type,
    require_whole,
)
from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.hiding import (
    draw_layout,
    require_hiding,
    why_not_hidden,
    why_not_mixed,
)
from seabattle.solver.matches.terms import Terms
from seabattle.solver.players.exact_map import LISTED_AT_ONCE
from seabattle.solver.players.player import Player
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.players.random_streams import Chance, draw, player_key
from seabattle.solver.players.registry import make_player, player_spec, players

ALWAYS_SOLVED = 16
"""The optimal tree is waited for on boards of so many cells, whatever the fleet, ..."""
MOST_SOLVED = 1_500
"""... and where there are at most so many layouts, if ships fill a third of the board."""

_READY = 4
"""Players kept ready in a process."""


@dataclass(frozen=True)
class Opponent:
    """What a person is told of a player before a match.

    Attributes
    ----------
    name, summary
        As in the list of players.
    quick
        Whether it shoots at once; others take about a second for a shot, or some seconds before
        the first.
    why_not
        Why it cannot play; an empty text when it can.
    """

    name: str
    summary: str
    quick: bool
    why_not: str = ""

    def __post_init__(self) -> None:
        require_flag("quick", self.quick)


def opponents(rules: Rules) -> list[Opponent]:
    """Every player of the list, with whether it can play a match by these rules.

    Where it is known how people hide, the players that weigh layouts are there a second time, to
    whom layouts are as likely as people choose them: ``greedy-map@people``.

    Examples
    --------
    >>> [who.name for who in opponents(Rules("10x10", "5,4", answers="hit")) if not who.why_not]
    ['random', 'hunt-target', 'hunt-target-parity', 'bob', 'greedy-map', 'map-endgame', 'lookahead']
    """
    require_rules(rules)
    found = []
    for spec in players():
        reason = why_no_match(spec, rules)
        quick = spec.quick or (not reason and spec.name not in _PREPARED and _is_listed(rules))
        found.append(Opponent(spec.name, spec.summary, quick, reason))
        if spec.takes_prior and not reason and not why_not_hidden(rules, "people"):
            told = f"{spec.summary}, weighed by how people hide"
            found.append(Opponent(f"{spec.name}@people", told, False))
    return found


def why_no_match(spec: PlayerSpec, rules: Rules) -> str:
    """Why a player is no opponent for these rules; an empty text when it is one."""
    if spec.learns:
        return "it learns from one game to the next, and a match is one game"
    reason = spec.why_not(rules)
    if not reason and spec.name in _PREPARED:
        return _PREPARED[spec.name](rules)
    return reason


def why_not_solved(rules: Rules) -> str:
    """Why nobody waits for the optimal tree; an empty text when it comes in some seconds.

    Few ships on a large board leave many ways to search: on 4x5 the tree of 3,2,2,1 with answers
    ``sunk`` takes a third of a second, that of 2,1 twelve.
    """
    cells = rules.board.cells
    dense = 3 * rules.fleet.cells >= cells
    if cells <= ALWAYS_SOLVED or (dense and count_layouts(rules, most=MOST_SOLVED) <= MOST_SOLVED):
        return ""
    return (
        f"the optimal tree is found in a moment on at most {ALWAYS_SOLVED} cells, or among at most "
        f"{MOST_SOLVED:,} layouts where ships fill a third of the board"
    )


_PREPARED: dict[str, Callable[[Rules], str]] = {
    "exact": why_not_solved,
    "equilibrium": why_not_mixed,
}
"""Players who solve the game before they shoot, and why nobody waits for them."""


def require_terms(terms: Terms) -> None:
    """Refuse terms that cannot be kept.

    Raises
    ------
    PlayerError
        If there is no such player, which lists those there are, or it cannot play; says why.
    RulesError
        If this game's fleet cannot be hidden so; says why.
    """
    require_type("terms", terms, Terms, "Terms, as in Terms(rules)")
    spec = player_spec(terms.player)
    reason = why_no_match(spec, terms.rules)
    if reason:
        raise PlayerError(f"player {spec.name!r} cannot play {terms.rules}: {reason}")
    require_hiding(terms.rules, terms.hide)


def program_layout(terms: Terms, seed: int) -> list[str]:
    """The names of the program's ships in the match of that seed, hidden as agreed.

    They are drawn from another stream of random numbers than by ``hiding.draw_layout`` with the
    same seed, by which the person may have hidden.
    """
    number = draw(player_key(require_whole("seed", seed, 0), "match fleet"), 0)
    return draw_layout(terms.rules, terms.hide, number).names


def _is_listed(rules: Rules) -> bool:
    """Whether players that know every layout have them all in a list, and shoot at once."""
    return rules.board.cells <= 128 and count_layouts(rules, most=LISTED_AT_ONCE) <= LISTED_AT_ONCE


class _Ready:
    """A player that is ready to shoot; one thread at a time asks it."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.lock = threading.Lock()


@lru_cache(maxsize=_READY)
def _ready(spec: PlayerSpec, rules: Rules) -> _Ready:
    return _Ready(make_player(spec, rules))


def program_shot(player: str, position: Position, chance: Chance) -> int:
    """Number of the cell that a player shoots; made ready once for each process and game.

    Parameters
    ----------
    player
        The name of a player.
    position
        The player's own shots so far, and the answers to them.
    chance
        The game's random numbers.

    Raises
    ------
    PlayerError
        If the player cannot play, or fails; says why.
    PositionError
        If all cells have been shot.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> position = Position(Rules("5x5", "3,2,1", answers="sunk"))
    >>> position.rules.board.name(program_shot("density", position, Chance(1)))
    'C3'
    """
    require_type("player", player, str, "the name of a player")
    require_position(position)
    ready = _ready(player_spec(player), position.rules)
    with ready.lock:
        return ready.player.shoot(position, chance)
