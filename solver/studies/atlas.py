"""The atlas: small games of every fleet, solved; or the games of a list.

A row gives of a game the least worst case (objective ``worst``), the least mean (objective
``mean``, as a total over the layouts), and every first shot of a tree of least mean. The two may
need different trees. Each value is proven and its tree verified from the rules, or the row says
``bounded`` and gives the proven interval of what a limit left open.

Beside them stands the value of the game against a hider who knows the plan, where it was found in
time: what is missed on average when neither can improve on it (``solver.equilibrium``). Small games
are solved exactly; of others it is known to within a millionth of a miss. Both come from a
certificate that uses the two mixes alone, so that an interval, too, is proven.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, NamedTuple

from seabattle.enumerate.board import Board
from seabattle.enumerate.compile_notice import seconds_compiling
from seabattle.enumerate.errors import (
    CheckpointError,
    RulesError,
    SeabattleError,
    TooLargeError,
    TreeError,
)
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.parallel import in_parallel
from seabattle.solver.search.checkpoint import LateCheckpoint
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import Problem, as_problem
from seabattle.solver.search.solution import Solution
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.plans import require_plannable

ROW_SECONDS = 120.0
"""Time limit of each of the two searches of a row, in CPU seconds."""

EQUILIBRIUM_SECONDS = 60.0
"""Time limit of the equilibrium of a row, in CPU seconds."""

WIDEST = Fraction(1, 10**6)
"""Greatest width of an interval of a row, in misses."""

OBJECTIVES = "mean", "worst"
"""What the two searches of a row minimise."""

_BUILDING = 0.2  # share of the time limit that the enumeration of the sub-tables may take
_SOUGHT = 8e-7  # width that is sought; with its ends rounded outwards it is at most WIDEST
_GRID = 10**7  # ends of an interval that is not exact are multiples of one over this
_FIELDS = "equilibrium", "equilibrium_misses", "equilibrium_lower_bound"


class _OverError(Exception):
    """The limit has come."""


@dataclass(frozen=True)
class GameValue:
    """A proven interval of the value of a game, in misses; a single number where it is exact.

    >>> GameValue(Fraction(321, 74), Fraction(321, 74)).document()["equilibrium"]
    '321/74'
    >>> GameValue.of(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)).document()
    {'equilibrium': None, 'equilibrium_misses': 0.3333334, 'equilibrium_lower_bound': 0.3333333}
    """

    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, lower: Fraction, upper: Fraction) -> GameValue:
        """From proven bounds: those that differ are rounded outwards to seven digits."""
        if lower == upper:
            return cls(lower, upper)
        return cls(
            Fraction(math.floor(lower * _GRID), _GRID), Fraction(math.ceil(upper * _GRID), _GRID)
        )

    @property
    def is_exact(self) -> bool:
        """Whether the value itself is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        return str(self.lower) if self.is_exact else f"{float(self.lower)} to {float(self.upper)}"

    def document(self) -> dict[str, Any]:
        """The fields of a row."""
        exact = str(self.lower) if self.is_exact else None
        return dict(zip(_FIELDS, (exact, float(self.upper), float(self.lower)), strict=True))


NO_VALUE: dict[str, Any] = dict.fromkeys(_FIELDS)
"""The fields of a row whose value was not found within the limit."""


def _read_value(document: Mapping[str, Any]) -> GameValue | None:
    """The value in the fields of a row; None where they are null."""
    exact, upper, lower = (document.get(name) for name in _FIELDS)
    if exact is upper is None:
        return None
    if exact is not None:
        return GameValue(Fraction(exact), Fraction(exact))
    return GameValue(Fraction(repr(lower)), Fraction(repr(upper)))


def has_equilibrium(rules: Rules) -> bool:
    """Whether games of this kind are solved: answers hit or sunk, ships that share no sides.

    >>> has_equilibrium(Rules("3x4", "2,1")), has_equilibrium(Rules("3x4", "2,1", answers="ship"))
    (True, False)
    """
    try:
        require_plannable(rules)
    except RulesError:
        return False
    return True


def game_value(rules: Rules, *, limits: Limits, seconds: float) -> GameValue | None:
    """The value of a game, if it is found within the limits.

    Parameters
    ----------
    rules
        The game.
    limits
        Memory, and how to stop.
    seconds
        Time limit, in CPU seconds; what is compiled meanwhile does not count, nor does the
        certificate of mixes that were found in time. A game whose sub-tables alone take more than
        a fifth of it is given up at once: what follows takes at least four times as long.

    Returns
    -------
    GameValue or None
        None at a limit, after a stop, and for games of another kind.

    Examples
    --------
    >>> print(game_value(Rules("4x4", "3,2,1"), limits=Limits(), seconds=60))
    55/16
    """
    if not has_equilibrium(rules):
        return None
    begun = time.process_time() - seconds_compiling()
    enumerated = False

    def progress(text: str) -> None:
        nonlocal enumerated
        enumerated = enumerated or text.startswith("between")

    def stop() -> bool:
        used = time.process_time() - seconds_compiling() - begun
        if used > (seconds if enumerated else seconds * _BUILDING):
            raise _OverError  # else what is open would be certified first
        if limits.stop is not None and limits.stop():
            raise _OverError
        return False

    try:
        solved = equilibrium(
            rules, gap=_SOUGHT, memory_limit=limits.memory, progress=progress, stop=stop
        )
    except (_OverError, LimitReached, TooLargeError):
        return None
    value = GameValue.of(solved.lower_bound, solved.upper_bound)
    return value if value.upper - value.lower <= WIDEST else None


# Rows

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
        return Rules.read(self.board, self.fleet, self.contact, self.answers)


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

    def line(self) -> str:
        """The row as a line of text, as it is printed when it is solved."""

        def between(low: int, high: int) -> str:
            return str(high) if low == high else f"{low} to {high}"

        contact = "" if self.contact == "none" else f" {self.contact}"
        worst, total = (
            between(self.worst_lower, self.worst_misses),
            between(self.total_lower, self.total_misses),
        )
        return (
            f"{self.board} {self.fleet}{contact} {self.answers}: {self.layouts:,} layouts, worst "
            f"{worst}, total {total}, {self.status}"
        )

    def document(self) -> dict[str, Any]:
        """The row as a JSON object.

        Fields
        ------
        board, fleet, contact, answers: the game
        layouts: layouts of the game
        status: proven, or bounded where a limit left an interval
        worst_misses: the least worst case
        worst_lower_bound: what it is proven to be at least
        mean: the least mean as a quotient
        mean_misses: the same as a number
        total_misses: misses over all layouts
        total_lower_bound: what they are proven to be at least
        best_first_shots: every first shot of a tree of least mean; null if not known
        equilibrium: value when the hider, too, does as well as possible, as a quotient; null unless
            known exactly; all three are absent if none was looked for
        equilibrium_misses: the same as a number, or an upper bound; null if not found
        equilibrium_lower_bound: what it is proven to be at least
        """
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
            If it is not what ``document`` writes of a row.
        """
        try:
            found: dict[str, Any] = dict(document)  # type: ignore[call-overload]
            rules = Rules.read(*(found[name] for name in ("board", "fleet", "contact", "answers")))
            board, shots = rules.board, found["best_first_shots"]
            row = cls(
                board=found["board"],
                fleet=found["fleet"],
                answers=found["answers"],
                layouts=found["layouts"],
                worst_lower=found["worst_lower_bound"],
                worst_misses=found["worst_misses"],
                total_lower=found["total_lower_bound"],
                total_misses=found["total_misses"],
                best_shots=None
                if shots is None
                else tuple(map(board.name, map(board.cell, shots))),
                contact=found["contact"],
                equilibrium=_read_value(found),
                tried="equilibrium" in found,
            )
            same = json.dumps(row.document(), sort_keys=True) == json.dumps(found, sort_keys=True)
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            same = False
        if not same or row.contradicts_itself:
            raise SeabattleError(
                "the fields of a row are missing, unknown or contradict each other"
            )
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
    limits = limits or Limits()
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
    value = game_value(Rules.read(row.board, row.fleet, row.contact, row.answers), limits=limits,
                       seconds=seconds)  # fmt: skip
    if value is None and limits.stop is not None and limits.stop():
        return row
    return replace(row, equilibrium=value, tried=True)


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


# Games

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
    "5x6": (200, 2000),
    "6x6": (200, 2000),
}
"""Boards of the atlas, each with the fewest and the most layouts of a fleet that is in it."""

OPEN: Mapping[str, tuple[str, ...]] = {
    "5x6": ("4,1", "3,1", "2,2"),
    "6x6": ("4,2", "4,1", "3,1", "2,2", "3,3,3", "4,4,4,1", "4,4,3,3,2", "3,3,3,3,2"),
}
"""Fleets within these bounds that are left out of the atlas: after half a minute of searching
their least mean is still open, for ``hit``, ``sunk`` or both."""

BEGINNERS: Mapping[str, tuple[str, ...]] = {"5x6": ("3,2", "2,1"), "6x6": ("3,2", "2,1", "3,2,1")}
"""Fleets that are in the atlas although their least mean is open or they have more layouts, for
they are what beginners play; their rows give what is proven."""


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
            fleet = str(rules.fleet)
            wanted = fleet in BEGINNERS.get(name, ())
            if not wanted and fleet in OPEN.get(name, ()):
                continue
            layouts = count_layouts(rules, most=None if wanted else most)
            if wanted or fewest <= layouts <= most:
                games += [AtlasGame(name, fleet, a, layouts) for a in ANSWERS]
    return sorted(games, key=lambda game: (game.layouts, *sort_key(game.key)))


LEAST_GIB = 0.8
"""Memory that a process takes at least."""

Report = Callable[[int, int, AtlasGame], None]
"""Called before each game with the rows done, the rows in all, and the game."""


class _Settled(NamedTuple):
    """What came of a game: its row, None after a stop; and whether it is new."""

    game: AtlasGame
    row: AtlasRow | None
    new: bool


@dataclass(frozen=True)
class _Job:
    """What all games have in common, as it is sent to other processes."""

    memory: float
    seconds: float
    equilibrium_seconds: float
    unfinished: Path | None
    again: bool
    ended: Path  # a file that is there once the run is stopped

    @property
    def limits(self) -> Limits:
        """Memory, and how to stop."""
        return Limits(memory=self.memory, stop=self.ended.exists)


def _settle(job: _Job, game: AtlasGame, before: AtlasRow | None) -> _Settled:
    """Solve a game, unless an earlier run did.

    An earlier row gets the value of its equilibrium, where that was not looked for before; no row
    then comes of a stop. If asked to, a game whose row leaves something open is solved ``again``,
    and the row keeps what the earlier one says beyond that.
    """
    if before is not None and not (job.again and before.status == "bounded"):
        if before.tried or job.equilibrium_seconds == 0:
            return _Settled(game, before, False)
        more = with_equilibrium(before, limits=job.limits, seconds=job.equilibrium_seconds)
        return _Settled(game, more if more.tried else None, True)
    row = atlas_row(
        game, limits=job.limits, seconds=job.seconds, equilibrium_seconds=job.equilibrium_seconds,
        unfinished=job.unfinished,
    )  # fmt: skip
    if row is not None and before is not None:
        both = row.joined(before)
        row = row if both.contradicts_itself else both  # what is found now is proven
    return _Settled(game, row, True)


@contextmanager
def _ended(folder: Path | None, stopped: Callable[[], bool]) -> Iterator[Path]:
    """A file that appears when the run is stopped, for processes that work at a row for minutes."""
    with TemporaryDirectory(dir=folder, prefix=".run-") as place:
        file, over = Path(place) / "stopped", Event()

        def watch() -> None:
            while not over.wait(0.1):
                if stopped():
                    file.touch()
                    return

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield file
        finally:
            over.set()
            watcher.join()


def solve_atlas(
    games: Sequence[AtlasGame],
    keep: Callable[[AtlasRow], None],
    *,
    done: Mapping[Key, AtlasRow] | None = None,
    again: bool = False,
    limits: Limits | None = None,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
    report: Report = lambda done, total, game: None,
    unfinished: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> list[AtlasRow]:
    """Solve games one after the other, or several at a time, but for those ``done`` already.

    Rows of an earlier run in which the value of the equilibrium was not looked for yet get it;
    their other figures are not solved again.

    Parameters
    ----------
    games
        The games to solve.
    keep
        Called with every new row as soon as it is solved.
    done
        Rows of an earlier run by their key, as ``AtlasRow.read`` makes them; a row for another
        number of layouts is solved again.
    again
        Whether rows of an earlier run that leave something open are solved again, too. What they
        say beyond the new ones stays.
    limits, seconds, equilibrium_seconds
        As in ``atlas_row``. On this machine all processes share the memory, and fewer are started
        where it would not be enough; on a cluster each worker may take all of it.
    report
        Progress.
    unfinished
        Folder for what is proven of rows that are not finished; a run that is stopped or killed
        leaves it behind, and the next one goes on from there. It is used by those workers of a
        cluster that see it under the same name.
    workers
        Processes on this machine. Proven rows are the same with any number.
    scheduler
        Address of a Dask scheduler, whose workers are used instead.

    Returns
    -------
    list of AtlasRow
        Rows in the order of the pages; fewer than ``games`` after a stop.

    Raises
    ------
    SeabattleError
        If no scheduler answers, or a file in ``unfinished`` cannot be written.
    WorkFailed
        If a worker process was killed, or the package that talks to clusters is not installed;
        the rows kept by then can be gone on from.
    """
    limits = limits or Limits()
    stopped = limits.stop or (lambda: False)
    memory = limits.memory
    if scheduler is None:
        workers = max(1, min(workers, int(memory / LEAST_GIB)))
        memory /= workers
    if unfinished is not None:
        unfinished = unfinished.resolve()
        unfinished.mkdir(parents=True, exist_ok=True)
    known = done or {}
    earlier = {
        game.key: known[game.key]
        for game in games
        if game.key in known and known[game.key].layouts == game.layouts
    }
    rows: dict[Key, AtlasRow] = {}
    with _ended(unfinished, stopped) as ended:
        job = _Job(memory, seconds, equilibrium_seconds, unfinished, again, ended)

        def tasks() -> Iterator[tuple[_Job, AtlasGame, AtlasRow | None]]:
            for game in sorted(games, key=lambda game: game.key not in earlier):
                if stopped():
                    return
                report(len(rows), len(games), game)
                yield job, game, earlier.get(game.key)

        with closing(
            in_parallel(_settle, tasks(), workers=workers, scheduler=scheduler)
        ) as settled:
            for game, row, new in settled:
                if row is not None:
                    if new:
                        keep(row)
                    rows[game.key] = row
                report(len(rows), len(games), game)
    if stopped():  # these were not looked at again
        rows = earlier | rows
    if unfinished is not None:
        _clear(unfinished, games if len(rows) == len(games) else ())
    return sorted(rows.values(), key=lambda row: sort_key(row.key))


def _clear(unfinished: Path, games: Sequence[AtlasGame]) -> None:
    """Remove what was proven on the way to finished games, and the folder if it is empty then."""
    for game in games:
        for objective in OBJECTIVES:
            file = checkpoint_file(unfinished, game, objective)
            if file is not None:
                file.unlink(missing_ok=True)
    with suppress(OSError):  # it holds what others have not finished
        unfinished.rmdir()
