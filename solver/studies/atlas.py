"""The atlas: small games of every fleet, solved.

A row is one board, fleet and answer mode under contact rule ``none``. It gives the least worst
case (objective ``worst``), the least mean (objective ``mean``, as a total over the layouts), and
every first shot of a tree of least mean. The two may need different trees. Each value is proven
and its tree verified from the rules, or the row says ``bounded`` and gives the proven interval of
what a limit left open. Rows of an earlier run are not believed: see ``solve_atlas``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from seabattle.enumerate.errors import SeabattleError, TreeError, quoted
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import MOST_COUNTED, count_layouts
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


CHECK_SECONDS = 0.5
"""Time limit of each of the two searches by which a row of an earlier run is proven again."""

_NUMBERS = (
    "layouts", "worst_lower_bound", "worst_misses", "total_lower_bound", "total_misses",
)  # fmt: skip


def _field(document: Mapping[str, Any], name: str, kind: type) -> Any:
    """A field of a row, of exactly this type."""
    value = document.get(name)
    if type(value) is not kind:
        raise SeabattleError(f"{name!r} must be {'text' if kind is str else 'a whole number'}")
    return value


class Disproof(NamedTuple):
    """What came of proving a row again.

    Attributes
    ----------
    fault
        What of the row is false; an empty text if nothing was found.
    proven
        Whether everything that the row states was proven again.
    """

    fault: str
    proven: bool


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
    def read(cls, document: object) -> AtlasRow:
        """Row from its JSON object.

        Raises
        ------
        SeabattleError
            If a field is missing, unknown, of the wrong type, out of range, or contradicts the
            others. Whether the figures are true is found by ``disproof``.
        """
        if not isinstance(document, Mapping):
            raise SeabattleError("a row must be an object")
        texts = [_field(document, name, str) for name in ("board", "fleet", "answers")]
        numbers = [_field(document, name, int) for name in _NUMBERS]
        if not all(0 <= number < MOST_COUNTED for number in numbers) or numbers[0] == 0:
            raise SeabattleError("a number of a row is out of range")
        rules = Rules(texts[0], texts[1], "none", texts[2])
        shots = document.get("best_first_shots")
        if shots is not None:
            if not isinstance(shots, list) or not all(isinstance(shot, str) for shot in shots):
                raise SeabattleError("'best_first_shots' must be null or an array of cells")
            cells = [rules.board.cell(shot) for shot in shots]
            if not cells or cells != sorted(set(cells)):
                raise SeabattleError("'best_first_shots' must be cells in reading order")
        board, fleet, answers = texts
        layouts, *bounds = numbers
        best = None if shots is None else tuple(shots)
        worst_lower, worst, total_lower, total = bounds
        row = cls(board, fleet, answers, layouts, worst_lower, worst, total_lower, total, best)
        right = row.document()
        if json.dumps(right, sort_keys=True) != json.dumps(dict(document), sort_keys=True):
            wrong = [n for n in {**right, **document} if document.get(n, right) != right.get(n, "")]
            raise SeabattleError(f"its fields contradict each other: {quoted(' '.join(wrong))}")
        if row.worst_lower > row.worst_misses or row.total_lower > row.total_misses:
            raise SeabattleError("a lower bound is above what was reached")
        return row

    def disproof(self, *, limits: Limits | None = None, seconds: float = CHECK_SECONDS) -> Disproof:
        """Solve the game again, for a while, and compare.

        Parameters
        ----------
        limits, seconds
            As in ``atlas_row``.

        Returns
        -------
        Disproof
            What of the row is false, and whether all of it was proven again.
        """
        game = AtlasGame(*self.key, self.layouts)
        found = _solved_row(game, limits or Limits(), seconds)
        if found is None:
            return Disproof("", False)
        for name, low, high, lower, reached in (
            ("worst", found.worst_lower, found.worst_misses, self.worst_lower, self.worst_misses),
            ("total", found.total_lower, found.total_misses, self.total_lower, self.total_misses),
        ):
            if not lower <= high or not low <= reached:
                stated = f"{lower} to {reached}" if lower < reached else f"{reached}"
                shown = f"{low} to {high}" if low < high else f"{high}"
                return Disproof(f"its {name} misses are {shown}, not {stated}", False)
            if low == high and (lower, reached) != (low, high) and self.status == "proven":
                return Disproof(f"its {name} misses are {high}, not {reached}", False)
        if found.best_shots is not None and self.best_shots not in (None, found.best_shots):
            return Disproof(f"its best first shots are {' '.join(found.best_shots)}", False)
        return Disproof("", found.status == "proven")


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
    return _solved_row(game, limits or Limits(), seconds)


def _solved_row(game: AtlasGame, limits: Limits, seconds: float) -> AtlasRow | None:
    """As ``atlas_row``."""
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


Refuse = Callable[[AtlasRow, str], None]
"""Called with a row of an earlier run and what is false in it."""

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
    refuse: Refuse | None = None,
) -> list[AtlasRow]:
    """Solve games one after the other; of those ``done`` already the rows are checked.

    A row of an earlier run is proven again where that takes less than ``CHECK_SECONDS`` for each of
    its searches. One that is not true is solved again. What takes longer is taken over, unless it
    contradicts the interval proven by then.

    Parameters
    ----------
    games
        The games to solve.
    keep
        Called with every new row as soon as it is solved.
    done
        Rows of an earlier run by their key, as ``AtlasRow.read`` makes them; a row for another
        number of layouts is solved again.
    limits, seconds
        As in ``atlas_row``.
    report
        Progress.
    refuse
        Called with every row of an earlier run that is not true, and why.

    Returns
    -------
    list of AtlasRow
        Rows in the order of the pages; fewer than ``games`` after a stop.
    """
    rows: dict[tuple[str, str, str], AtlasRow] = {}
    for game in games:
        before = (done or {}).get(game.key)
        if before is None or before.layouts != game.layouts:
            continue
        if report is not None:
            report(len(rows), len(games), game)
        fault = before.disproof(limits=limits, seconds=min(seconds, CHECK_SECONDS)).fault
        if not fault:
            rows[game.key] = before
        elif refuse is not None:
            refuse(before, fault)
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
