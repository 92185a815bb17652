"""The atlas: small games of every fleet, solved.

A row is one board, fleet and answer mode under contact rule ``none``. It gives the least worst
case (objective ``worst``), the least mean (objective ``mean``, as a total over the layouts), and
every first shot of a tree of least mean. The two may need different trees. Each value is proven
and its tree verified from the rules, or the row says ``bounded`` and gives the proven interval of
what a limit left open.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from seabattle.enumerate.errors import TreeError
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import count_layouts
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.solve import solve_problem

ANSWERS = ("hit", "sunk")
SHIPS = (2, 6)
"""Fewest and most ships of the fleets."""

LONGEST = 4
"""Greatest length of a ship."""

BOARDS: Mapping[str, tuple[int, int]] = {
    "3x3": (1, 5000),
    "3x4": (1, 5000),
    "4x4": (200, 5000),
    "4x5": (200, 5000),
    "5x5": (200, 5000),
}
"""Boards of the atlas, each with the fewest and the most layouts of a fleet that is in it."""

ROW_SECONDS = 120.0
"""Time limit of each of the two searches of a row, in CPU seconds."""


@dataclass(frozen=True)
class AtlasGame:
    """A game of the atlas, before it is solved."""

    board: str
    fleet: str
    answers: str
    layouts: int

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a game."""
        return self.board, self.fleet, self.answers


@dataclass(frozen=True)
class AtlasRow:
    """A game with what is proven about it.

    Attributes
    ----------
    board, fleet, answers, layouts
        The game; the contact rule is ``none``.
    worst_lower, worst_misses
        Proven interval of the least worst case; both are equal when it is proven.
    total_lower, total_misses
        Proven interval of the least total, equal when it is proven. The mean is the total over
        the layouts.
    best_shots
        Every first shot of a tree of least mean, in reading order; None when the limit came
        before all were found. A cell occupied in every layout is one too: it costs nothing.
    """

    board: str
    fleet: str
    answers: str
    layouts: int
    worst_lower: int
    worst_misses: int
    total_lower: int
    total_misses: int
    best_shots: tuple[str, ...] | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a row."""
        return self.board, self.fleet, self.answers

    @property
    def status(self) -> str:
        """``proven``, or ``bounded`` when a limit left something open."""
        exact = self.worst_lower == self.worst_misses and self.total_lower == self.total_misses
        return "proven" if exact and self.best_shots is not None else "bounded"

    @property
    def mean_misses(self) -> Fraction:
        """Mean of the best tree found."""
        return Fraction(self.total_misses, self.layouts)

    def document(self) -> dict[str, Any]:
        """The row as a JSON object."""
        shots = self.best_shots
        return {
            "board": self.board,
            "fleet": self.fleet,
            "contact": "none",
            "answers": self.answers,
            "layouts": self.layouts,
            "status": self.status,
            "worst_misses": self.worst_misses,
            "worst_lower_bound": self.worst_lower,
            "mean": f"{self.total_misses}/{self.layouts}",
            "mean_misses": float(self.mean_misses),
            "total_misses": self.total_misses,
            "total_lower_bound": self.total_lower,
            "best_first_shots": None if shots is None else list(shots),
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> AtlasRow:
        """Row from its JSON object; raises KeyError or TypeError if it is malformed."""
        shots = document["best_first_shots"]
        return cls(
            board=str(document["board"]),
            fleet=str(document["fleet"]),
            answers=str(document["answers"]),
            layouts=int(document["layouts"]),
            worst_lower=int(document["worst_lower_bound"]),
            worst_misses=int(document["worst_misses"]),
            total_lower=int(document["total_lower_bound"]),
            total_misses=int(document["total_misses"]),
            best_shots=None if shots is None else tuple(map(str, shots)),
        )


def fleets(most_ships: int = SHIPS[1], longest: int = LONGEST) -> Iterator[tuple[int, ...]]:
    """Every fleet of 2 to ``most_ships`` ships with lengths up to ``longest``, longest first.

    >>> list(fleets(2, 2))
    [(2, 2), (2, 1), (1, 1)]
    """
    for ships in range(SHIPS[0], most_ships + 1):
        yield from combinations_with_replacement(range(longest, 0, -1), ships)


def atlas_games(boards: Mapping[str, tuple[int, int]] = BOARDS) -> list[AtlasGame]:
    """The games of the atlas, easiest first: by layouts, then in the order of the pages.

    >>> [(g.fleet, g.layouts) for g in atlas_games({"2x3": (2, 9)}) if g.answers == "hit"]
    [('2,1', 4), ('1,1', 4)]
    """
    games = []
    for name, (fewest, most) in boards.items():
        board = Board.parse(name)
        for lengths in fleets():
            if lengths[0] > max(board.rows, board.columns) or sum(lengths) > board.cells:
                continue
            rules = Rules(board, lengths)
            layouts = count_layouts(rules, most=most)
            if fewest <= layouts <= most:
                games += [AtlasGame(name, str(rules.fleet), a, layouts) for a in ANSWERS]
    return sorted(games, key=lambda game: (game.layouts, *sort_key(game.key)))


def sort_key(key: tuple[str, str, str]) -> tuple[Any, ...]:
    """Order of the pages: boards by size, fleets by number of ships and lengths, modes by name."""
    name, fleet, answers = key
    board = Board.parse(name)
    lengths = [int(length) for length in fleet.split(",")]
    return board.cells, board.rows, len(lengths), [-length for length in lengths], answers


def atlas_row(
    game: AtlasGame, *, limits: Limits | None = None, seconds: float = ROW_SECONDS
) -> AtlasRow | None:
    """Solve a game for its row.

    Parameters
    ----------
    game
        The game.
    limits
        Memory, reports and how to stop.
    seconds
        Time limit of each of the two searches, in CPU seconds: what is proven should not depend
        on what else the machine does.

    Returns
    -------
    AtlasRow or None
        None after a stop from outside (Ctrl-C).

    Raises
    ------
    TreeError
        If a tree fails its verification.

    Examples
    --------
    >>> atlas_row(AtlasGame("3x3", "3,1,1", "hit", 4)).document()["mean"]
    '6/4'
    """
    limits = limits or Limits()
    problem = as_problem(Rules(game.board, game.fleet, "none", game.answers))
    found = []
    stop = limits.stop or (lambda: False)
    for objective in ("mean", "worst"):
        until = time.process_time() + seconds
        solution = solve_problem(  # verifies its tree
            problem,
            objective,
            limits=replace(limits, stop=lambda u=until: stop() or time.process_time() > u),  # type: ignore[misc]
        )
        if solution.interrupted and stop():
            return None
        found.append(solution)
    mean, worst = found
    if mean.layouts != game.layouts:
        raise TreeError(f"{game}: {mean.layouts} layouts were solved")
    # A tree of either search bounds the other value.
    return AtlasRow(
        board=game.board,
        fleet=game.fleet,
        answers=game.answers,
        layouts=game.layouts,
        worst_lower=worst.lower_bound,
        worst_misses=min(worst.worst_misses, mean.worst_misses),
        total_lower=mean.lower_bound,
        total_misses=min(mean.total_misses, worst.total_misses),
        best_shots=mean.best_shots or None,
    )


Report = Callable[[int, int, AtlasGame], None]
"""Called before each game with the rows done, the rows in all, and the game."""


def solve_atlas(
    games: Sequence[AtlasGame],
    keep: Callable[[AtlasRow], None],
    *,
    done: Mapping[tuple[str, str, str], AtlasRow] | None = None,
    limits: Limits | None = None,
    seconds: float = ROW_SECONDS,
    report: Report | None = None,
) -> list[AtlasRow]:
    """Solve games one after the other; those ``done`` already are not solved again.

    Parameters
    ----------
    games
        The games to solve.
    keep
        Called with every new row as soon as it is solved.
    done
        Rows of an earlier run by their key; a row for another number of layouts is solved again.
    limits, seconds
        As in ``atlas_row``.
    report
        Progress.

    Returns
    -------
    list of AtlasRow
        Rows in the order of the pages; fewer than ``games`` after a stop.
    """
    rows: dict[tuple[str, str, str], AtlasRow] = {}
    for game in games:
        before = (done or {}).get(game.key)
        if before is not None and before.layouts == game.layouts:
            rows[game.key] = before
    for game in games:
        if game.key in rows:
            continue
        if report is not None:
            report(len(rows), len(games), game)
        row = atlas_row(game, limits=limits, seconds=seconds)
        if row is None:
            break
        keep(row)
        rows[game.key] = row
    return sorted(rows.values(), key=lambda row: sort_key(row.key))
