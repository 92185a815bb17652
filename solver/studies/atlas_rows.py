"""Rows of the atlas: a game, what is proven about it, and how it is solved.

A row gives the least worst case (objective ``worst``), the least mean (objective ``mean``, as a
total over the layouts), and every first shot of a tree of least mean. The two may need different
trees. Each value is proven and its tree verified from the rules, or the row says ``bounded`` and
gives the proven interval of what a limit left open. Beside them stands the value of the game
against a hider who knows the plan, where it was found in time
(``solver.studies.atlas_equilibria``).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import CheckpointError, SeabattleError, TreeError, quoted
from seabattle.enumerate.layouts import MOST_COUNTED
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.late_checkpoint import LateCheckpoint
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.solution import Solution
from seabattle.solver.search.solve import solve_problem
from seabattle.solver.studies.atlas_equilibria import (
    EQUILIBRIUM_SECONDS,
    NO_VALUE,
    GameValue,
    game_value,
    has_equilibrium,
    read_value,
)

ROW_SECONDS = 120.0
"""Time limit of each of the two searches of a row, in CPU seconds."""

CHECK_SECONDS = 0.5
"""Time limit of each of the two searches by which a row of an earlier run is proven again."""

OBJECTIVES = "mean", "worst"
"""What the two searches of a row minimise."""

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


Key = tuple[str, ...]
"""Board, fleet and answer mode of a row, and its contact rule if that is not ``none``."""


def _key(row: AtlasGame | AtlasRow) -> Key:
    contact = () if row.contact == "none" else (row.contact,)
    return row.board, row.fleet, row.answers, *contact


@dataclass(frozen=True)
class AtlasGame:
    """A game of the atlas, before it is solved."""

    board: str
    fleet: str
    answers: str
    layouts: int
    contact: str = "none"

    @property
    def key(self) -> Key:
        """What identifies a game."""
        return _key(self)

    @property
    def rules(self) -> Rules:
        """The rules."""
        return Rules(self.board, self.fleet, self.contact, self.answers)


@dataclass(frozen=True)
class AtlasRow:
    """A game with what is proven about it.

    Attributes
    ----------
    board, fleet, answers, layouts, contact
        The game.
    worst_lower, worst_misses
        Proven interval of the least worst case; both are equal when it is proven.
    total_lower, total_misses
        Proven interval of the least total, equal when it is proven. The mean is the total over
        the layouts.
    best_shots
        Every first shot of a tree of least mean, in reading order; None when the limit came
        before all were found. A cell occupied in every layout is one too: it costs nothing.
    equilibrium
        Value of the game against a hider who knows the plan; None where it is not known.
    tried
        Whether that value was looked for. Rows of earlier versions say nothing of it.
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
    contact: str = "none"
    equilibrium: GameValue | None = None
    tried: bool = False

    @property
    def key(self) -> Key:
        """What identifies a row."""
        return _key(self)

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
        value = self.equilibrium.document() if self.equilibrium else NO_VALUE
        return {
            "board": self.board,
            "fleet": self.fleet,
            "contact": self.contact,
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
            **(value if self.tried else {}),
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
        texts = [_field(document, name, str) for name in ("board", "fleet", "contact", "answers")]
        numbers = [_field(document, name, int) for name in _NUMBERS]
        if not all(0 <= number < MOST_COUNTED for number in numbers) or numbers[0] == 0:
            raise SeabattleError("a number of a row is out of range")
        rules = Rules(*texts)
        shots = document.get("best_first_shots")
        if shots is not None:
            if not isinstance(shots, list) or not all(isinstance(shot, str) for shot in shots):
                raise SeabattleError("'best_first_shots' must be null or an array of cells")
            cells = [rules.board.cell(shot) for shot in shots]
            if not cells or cells != sorted(set(cells)):
                raise SeabattleError("'best_first_shots' must be cells in reading order")
        board, fleet, contact, answers = texts
        layouts, worst_lower, worst, total_lower, total = numbers
        best = None if shots is None else tuple(shots)
        bounds = worst_lower, worst, total_lower, total
        value, tried = read_value(document), "equilibrium" in document
        row = cls(board, fleet, answers, layouts, *bounds, best, contact, value, tried)
        right = row.document()
        if json.dumps(right, sort_keys=True) != json.dumps(dict(document), sort_keys=True):
            wrong = [n for n in {**right, **document} if document.get(n, right) != right.get(n, "")]
            raise SeabattleError(f"its fields contradict each other: {quoted(' '.join(wrong))}")
        if row.contradicts_itself:
            raise SeabattleError("a lower bound is above what was reached")
        if value is not None and not (
            has_equilibrium(rules)
            and Fraction(row.total_lower, row.layouts) <= value.upper
            and value.lower <= row.worst_misses
        ):
            raise SeabattleError("no game of its kind and figures has its equilibrium")
        return row

    def joined(self, earlier: AtlasRow) -> AtlasRow:
        """The row with whatever an earlier one of the same game says beyond it.

        Parameters
        ----------
        earlier
            The other row, which nothing contradicts.
        """
        return replace(
            self,
            worst_lower=max(self.worst_lower, earlier.worst_lower),
            worst_misses=min(self.worst_misses, earlier.worst_misses),
            total_lower=max(self.total_lower, earlier.total_lower),
            total_misses=min(self.total_misses, earlier.total_misses),
            best_shots=self.best_shots or earlier.best_shots,
            equilibrium=self.equilibrium or earlier.equilibrium,
            tried=self.tried or earlier.tried,
        )

    @property
    def contradicts_itself(self) -> bool:
        """Whether a lower bound is above what was reached."""
        return self.worst_lower > self.worst_misses or self.total_lower > self.total_misses

    def disproof(self, *, limits: Limits | None = None, seconds: float = CHECK_SECONDS) -> Disproof:
        """Solve the game again, for a while, and compare.

        A value of the equilibrium is sought anew, too, for as long as each of the searches: the
        row does not hold the mixes that would prove it. It is false where it lies outside the
        interval that is found.

        Parameters
        ----------
        limits, seconds
            As in ``atlas_row``.

        Returns
        -------
        Disproof
            What of the row is false, and whether all of it was proven again.
        """
        game = AtlasGame(self.board, self.fleet, self.answers, self.layouts, self.contact)
        for_value = seconds if self.equilibrium is not None else 0.0
        found = _solved_row(game, limits or Limits(), seconds, for_value)
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
        proven = found.status == "proven"
        claim, value = self.equilibrium, found.equilibrium
        if claim is None or value is None:
            return Disproof("", proven and claim is None)
        if value.upper < claim.lower or claim.upper < value.lower:
            return Disproof(f"its equilibrium is {value}, not {claim}", False)
        within = claim.lower <= value.lower and value.upper <= claim.upper
        return Disproof("", proven and within)


def sort_key(key: Key) -> tuple[Any, ...]:
    """Order of the pages: boards by size, fleets by number of ships and lengths, modes by name."""
    name, fleet, answers, *contact = key
    board = Board.parse(name)
    lengths = [int(length) for length in fleet.split(",")]
    return board.cells, board.rows, contact, len(lengths), [-length for length in lengths], answers


def atlas_row(
    game: AtlasGame,
    *,
    limits: Limits | None = None,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
    unfinished: Path | None = None,
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
    equilibrium_seconds
        Time limit of the value of the equilibrium, in CPU seconds; 0 leaves it out.
    unfinished
        Folder that keeps what a search has proven while it runs, if there is such a folder: a
        search that was stopped or killed goes on from there, with its whole time limit.

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
    return _solved_row(game, limits or Limits(), seconds, equilibrium_seconds, unfinished)


def with_equilibrium(row: AtlasRow, *, limits: Limits | None = None, seconds: float) -> AtlasRow:
    """The row with the value of its equilibrium, if that is found within the time limit.

    Parameters
    ----------
    row
        The row.
    limits
        Memory, and how to stop; after a stop it is the row as it was.
    seconds
        Time limit, in CPU seconds.
    """
    limits = limits or Limits()
    value = game_value(Rules(row.board, row.fleet, row.contact, row.answers), limits=limits,
                       seconds=seconds)  # fmt: skip
    if value is None and limits.stop is not None and limits.stop():
        return row
    return replace(row, equilibrium=value, tried=True)


def _solved_row(
    game: AtlasGame,
    limits: Limits,
    seconds: float,
    equilibrium_seconds: float,
    unfinished: Path | None = None,
) -> AtlasRow | None:
    """As ``atlas_row``."""
    problem = as_problem(game.rules, memory_limit=limits.memory)
    found = []
    stop = limits.stop or (lambda: False)
    files = [checkpoint_file(unfinished, game, objective) for objective in OBJECTIVES]
    for objective, file in zip(OBJECTIVES, files, strict=True):
        until = time.process_time() + seconds
        own = replace(limits, stop=lambda u=until: stop() or time.process_time() > u)  # type: ignore[misc]
        solution = _solution(problem, objective, own, limits, file)
        if solution.interrupted and stop():
            return None
        found.append(solution)
    mean, worst = found
    if mean.layouts != game.layouts:
        raise TreeError(f"{game}: {mean.layouts} layouts were solved")
    # A tree of either search bounds the other value.
    row = AtlasRow(
        board=game.board,
        fleet=game.fleet,
        answers=game.answers,
        layouts=game.layouts,
        worst_lower=worst.lower_bound,
        worst_misses=min(worst.worst_misses, mean.worst_misses),
        total_lower=mean.lower_bound,
        total_misses=min(mean.total_misses, worst.total_misses),
        best_shots=mean.best_shots or None,
        contact=game.contact,
    )
    if equilibrium_seconds > 0:
        row = with_equilibrium(row, limits=limits, seconds=equilibrium_seconds)
        if not row.tried:
            return None
    for file in files:
        if file is not None:
            with suppress(OSError):
                file.unlink()
    return row


def _solution(
    problem: Problem, objective: str, own: Limits, limits: Limits, file: Path | None
) -> Solution:
    """One search of a row, from where it was stopped if that can be gone on from."""
    if file is None:
        return solve_problem(problem, objective, limits=own)  # verifies its tree
    kept = LateCheckpoint(file, problem, limits.stop or (lambda: False))
    try:
        return solve_problem(problem, objective, limits=own, checkpoint=kept)
    except (CheckpointError, LimitReached):  # it is damaged, or does not fit in the memory limit
        file.unlink(missing_ok=True)
        return solve_problem(problem, objective, limits=own, checkpoint=kept)


def checkpoint_file(unfinished: Path | None, game: AtlasGame, objective: str) -> Path | None:
    """Where a search of a row keeps what is proven; None where there is no folder for it.

    >>> print(checkpoint_file(None, AtlasGame("5x5", "2,1", "hit", 636), "mean"))
    None
    """
    if unfinished is None or not unfinished.is_dir():
        return None
    fleet = game.fleet.replace(",", "-")
    return unfinished / f"{game.board} {fleet} {game.contact} {game.answers} {objective}.npz"
