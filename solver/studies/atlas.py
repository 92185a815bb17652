"""The atlas: small games of every fleet, solved; or the games of a list.

A row gives of a game the least worst case (objective ``worst``), the least mean (objective
``mean``, as a total over the layouts), and every first shot of a tree of least mean. The two may
need different trees. Each value is proven and its tree verified from the rules, or the row says
``bounded`` and gives the proven interval of what a limit left open.

Beside them stands the value of the game against a hider who knows the plan, where it was found in
time: what is missed on average when neither can improve on it (``solver.equilibrium``). Small games
are solved exactly; of others it is known to within a millionth of a miss. Both come from a
certificate that uses the two mixes alone, so that an interval, too, is proven.

A list of games is a CSV file with a line for each. The first line names the columns: ``fleet`` and,
in any order, ``board``, ``contact`` and ``answers``. A column that is missing, or a field that is
empty, means what it means where the option of that name is not given: the game of a named fleet,
else 5x5, ``none`` and ``hit``. Empty lines are left out.
"""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from seabattle.enumerate.board import Board
from seabattle.enumerate.compile_notice import seconds_compiling
from seabattle.enumerate.errors import (
    RulesError,
    SeabattleError,
    TooLargeError,
    quoted,
)
from seabattle.enumerate.files import read_text
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.parallel import in_parallel
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import MOST_OPEN_LAYOUTS, as_problem, refuse_large_board
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.plans import require_plannable

ROW_SECONDS = 120.0
"""Time limit of each of the two searches of a row, in CPU seconds."""

EQUILIBRIUM_SECONDS = 60.0
"""Time limit of the equilibrium of a row, in CPU seconds."""

WIDEST = Fraction(1, 10**6)
"""Greatest width of an interval of the value of a game, in misses."""

_SOUGHT = 8e-7  # width that is sought; with its ends rounded outwards it is at most WIDEST
_GRID = 10**7  # ends of an interval that is not exact are multiples of one over this
_FIELDS = "equilibrium", "equilibrium_misses", "equilibrium_lower_bound"


# Games

Key = tuple[str, ...]
"""Board, fleet, answer mode and contact rule of a game."""


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
        return self.board, self.fleet, self.answers, self.contact

    @property
    def rules(self) -> Rules:
        """The rules."""
        return Rules.read(self.board, self.fleet, self.contact, self.answers)

    @property
    def place(self) -> tuple[Any, ...]:
        """Order of the pages: boards by size, fleets by ships and lengths, modes by name."""
        board = Board.parse(self.board)
        lengths = [-int(length) for length in self.fleet.split(",")]
        return (
            board.cells, board.rows, self.contact != "none", self.contact, len(lengths), lengths,
            self.answers,
        )  # fmt: skip


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


def atlas_games(boards: Mapping[str, tuple[int, int]] = BOARDS) -> list[AtlasGame]:
    """The games of the atlas, easiest first: by layouts, then in the order of the pages.

    They are those of 2 to 6 ships with lengths up to 4, answers ``hit`` and ``sunk``.

    >>> [(g.fleet, g.layouts) for g in atlas_games({"2x3": (2, 9)}) if g.answers == "hit"]
    [('2,1', 4), ('1,1', 4)]
    """
    games = []
    for name, (fewest, most) in boards.items():
        board = Board.parse(name)
        fleets = (
            f for ships in range(2, 7) for f in combinations_with_replacement((4, 3, 2, 1), ships)
        )
        for lengths in fleets:
            if lengths[0] > max(board.rows, board.columns) or sum(lengths) > board.cells:
                continue
            rules = Rules(board, lengths)
            fleet = str(rules.fleet)
            wanted = fleet in BEGINNERS.get(name, ())
            if not wanted and fleet in OPEN.get(name, ()):
                continue
            layouts = count_layouts(rules, most=None if wanted else most)
            if wanted or fewest <= layouts <= most:
                games += [AtlasGame(name, fleet, mode, layouts) for mode in ("hit", "sunk")]
    return sorted(games, key=lambda game: (game.layouts, game.place))


COLUMNS = ("board", "fleet", "contact", "answers")
"""Columns of a list of games."""

MOST_LAYOUTS = 20_000_000
"""No game of a list has more."""


def read_games(path: str | Path, progress: Callable[[int], None] | None = None) -> list[AtlasGame]:
    """The games of a list, easiest first: by layouts, then in the order of the list.

    Parameters
    ----------
    path
        The file.
    progress
        Called while layouts are counted, with the number of those of the game.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    SeabattleError
        If a line is no game, is the game of an earlier line, or is too large to solve; names the
        line.
    """
    named = f"list of games {path}"
    text = read_text(path, SeabattleError(f"{named}: is no UTF-8 text"))
    columns: list[str] = []
    games: list[AtlasGame] = []
    lines: dict[Key, int] = {}
    reader = csv.reader(text.splitlines(), strict=True)
    try:
        for texts in reader:
            fields = [text.strip() for text in texts]
            if not any(fields):
                continue
            if not columns:
                columns = [name.lower() for name in fields]
                if sorted({*columns, "fleet"} & set(COLUMNS)) != sorted(columns):
                    raise SeabattleError(
                        f"the first line names fleet and, as wanted, board, contact and answers, "
                        f"each once, not {quoted(','.join(columns))}"
                    )
                continue
            game = _game_of_line(columns, fields, progress)
            first = lines.setdefault(game.key, reader.line_num)
            if first < reader.line_num:
                raise SeabattleError(f"the game of line {first} again")
            games.append(game)
    except csv.Error as error:
        raise SeabattleError(f"{named}, line {reader.line_num}: is no CSV: {error}") from None
    except SeabattleError as error:
        raise type(error)(f"{named}, line {reader.line_num}: {error}") from None
    if not games:
        raise SeabattleError(f"{named}: has no game; give one a line, after a header")
    return sorted(games, key=lambda game: game.layouts)


def _game_of_line(
    columns: list[str], fields: list[str], progress: Callable[[int], None] | None
) -> AtlasGame:
    """The game of a line of a list, if it can be solved."""
    if len(fields) > len(columns):
        raise SeabattleError(
            f"has {len(fields)} fields for {len(columns)} columns; a fleet of several ships is "
            f'quoted, as in "3,2"'
        )
    texts = dict(zip(columns, fields, strict=False))
    if not texts.get("fleet"):
        raise SeabattleError("no fleet is given")
    rules = Rules.read(*(texts.get(name) or None for name in COLUMNS))
    refuse_large_board(rules)
    open_order = rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES
    most = MOST_OPEN_LAYOUTS if open_order else MOST_LAYOUTS
    layouts = count_layouts(rules, most=most, progress=progress)
    if layouts > most:
        raise TooLargeError(f"{rules} has more than {most:,} layouts, which is too large to solve")
    if not layouts:
        raise SeabattleError(f"{rules} has no layout")
    answers, contact = rules.answers.value, rules.contact.value
    return AtlasGame(str(rules.board), str(rules.fleet), answers, layouts, contact)


# Rows


Interval = tuple[Fraction, Fraction]
"""Proven bounds of a value, in misses; equal where it is exact."""


def _value_document(value: Interval | None) -> dict[str, Any]:
    """The fields of a row that say its value.

    >>> _value_document((Fraction(321, 74), Fraction(321, 74)))["equilibrium"]
    '321/74'
    """
    if value is None:
        return dict.fromkeys(_FIELDS)
    lower, upper = value
    exact = str(lower) if lower == upper else None
    return dict(zip(_FIELDS, (exact, float(upper), float(lower)), strict=True))


def _read_value(document: Mapping[str, Any]) -> Interval | None:
    """The value from the fields of a row."""
    exact, upper, lower = (document.get(name) for name in _FIELDS)
    if upper is None:
        return None
    if exact is not None:
        return Fraction(exact), Fraction(exact)
    return Fraction(repr(lower)), Fraction(repr(upper))


@dataclass(frozen=True, kw_only=True)
class AtlasRow(AtlasGame):
    """A game with what is proven about it.

    Attributes
    ----------
    worst_lower, worst_misses
        Proven interval of the least worst case; both are equal when it is proven.
    total_lower, total_misses
        Proven interval of the least total, equal when it is proven. The mean is the total over
        the layouts.
    best_shots
        Every first shot of a tree of least mean, in reading order; None when the limit came
        before all were found. A cell occupied in every layout is one too: it costs nothing.
    equilibrium
        Proven interval of the value of the game against a hider who knows the plan; None where it
        is not known.
    tried
        Whether that value was looked for.
    """

    worst_lower: int
    worst_misses: int
    total_lower: int
    total_misses: int
    best_shots: tuple[str, ...] | None
    equilibrium: Interval | None = None
    tried: bool = False

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
        ends = (self.worst_lower, self.worst_misses), (self.total_lower, self.total_misses)
        worst, total = (str(high) if low == high else f"{low} to {high}" for low, high in ends)
        contact = "" if self.contact == "none" else f" {self.contact}"
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
            **(_value_document(self.equilibrium) if self.tried else {}),
        }

    @classmethod
    def read(cls, document: Any) -> AtlasRow:
        """Row from its JSON object.

        Raises
        ------
        SeabattleError
            If it is not what ``document`` writes of a row.
        """
        try:
            shots = document["best_first_shots"]
            row = cls(
                **{name: document[name] for name in (*COLUMNS, "layouts")},
                worst_lower=document["worst_lower_bound"],
                worst_misses=document["worst_misses"],
                total_lower=document["total_lower_bound"],
                total_misses=document["total_misses"],
                best_shots=None if shots is None else tuple(shots),
                equilibrium=_read_value(document),
                tried="equilibrium" in document,
            )
            for shot in row.best_shots or ():
                row.rules.board.cell(shot)
            same = row.rules and json.dumps(row.document()) == json.dumps(document)
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            same = False
        if not same:
            raise SeabattleError(
                "the fields of a row are missing, unknown or contradict each other"
            )
        return row

    def joined(self, earlier: AtlasRow) -> AtlasRow:
        """The row with whatever an earlier one of the same game says beyond it."""
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


# Solving


def atlas_row(
    game: AtlasGame,
    *,
    limits: Limits | None = None,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
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
    stop = limits.stop or (lambda: False)
    problem = as_problem(game.rules, memory_limit=limits.memory)
    found = []
    for objective in ("mean", "worst"):
        until = time.process_time() + seconds
        own = replace(limits, stop=lambda u=until: stop() or time.process_time() > u)  # type: ignore[misc]
        found.append(solve_problem(problem, objective, limits=own))  # verifies its tree
        if found[-1].interrupted and stop():
            return None
    mean, worst = found
    value = None
    if equilibrium_seconds > 0:
        value = game_value(game.rules, limits=limits, seconds=equilibrium_seconds)
        if value is None and stop():
            return None
    # A tree of either search bounds the other value.
    return AtlasRow(
        **asdict(game),
        worst_lower=worst.lower_bound,
        worst_misses=min(worst.worst_misses, mean.worst_misses),
        total_lower=mean.lower_bound,
        total_misses=min(mean.total_misses, worst.total_misses),
        best_shots=mean.best_shots or None,
        equilibrium=value,
        tried=equilibrium_seconds > 0,
    )


def game_value(rules: Rules, *, limits: Limits, seconds: float) -> Interval | None:
    """The value of a game, if it is found within the limits.

    Parameters
    ----------
    rules
        The game.
    limits
        Memory, and how to stop.
    seconds
        Time limit, in CPU seconds; what is compiled meanwhile does not count, nor does the
        certificate of mixes that were found in time.

    Returns
    -------
    pair of Fraction, or None
        Proven bounds; those that differ are rounded outwards to seven digits. None at a limit,
        after a stop, and for games of another kind: those with answers ``ship`` or ships that
        share sides.

    Examples
    --------
    >>> game_value(Rules("4x4", "3,2,1"), limits=Limits(), seconds=60)
    (Fraction(55, 16), Fraction(55, 16))
    """
    begun = time.process_time() - seconds_compiling()

    def stop() -> bool:
        over = time.process_time() - seconds_compiling() - begun > seconds
        if over or (limits.stop is not None and limits.stop()):
            raise LimitReached("the time limit")  # else what is open would be certified first
        return False

    try:
        require_plannable(rules)
        solved = equilibrium(rules, gap=_SOUGHT, memory_limit=limits.memory, stop=stop)
    except (RulesError, LimitReached, TooLargeError):
        return None
    lower, upper = solved.lower_bound, solved.upper_bound
    if not solved.is_exact:
        lower, upper = (
            Fraction(math.floor(lower * _GRID), _GRID), Fraction(math.ceil(upper * _GRID), _GRID),
        )  # fmt: skip
    return (lower, upper) if upper - lower <= WIDEST else None


LEAST_GIB = 0.8
"""Memory that a process takes at least."""

Report = Callable[[int, int, AtlasGame], None]
"""Called before each game with the rows done, the rows in all, and the game."""


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
    folder: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> list[AtlasRow]:
    """Solve games one after the other, or several at a time, but for those ``done`` already.

    Parameters
    ----------
    games
        The games to solve.
    keep
        Called with every new row as soon as it is solved.
    done
        Rows of an earlier run by their key; a row for another number of layouts is solved again.
    again
        Whether rows of an earlier run that leave something open are solved again, too. What they
        say beyond the new ones stays.
    limits, seconds, equilibrium_seconds
        As in ``atlas_row``. On this machine all processes share the memory, and fewer are started
        where it would not be enough; on a cluster each worker may take all of it.
    report
        Progress.
    folder
        Folder in which a file tells the processes that they are stopped. Workers of a cluster that
        do not see it under the same name finish their rows.
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
        If no scheduler answers.
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
    earlier = done or {}
    rows = {
        game.key: earlier[game.key]
        for game in games
        if game.key in earlier and earlier[game.key].layouts == game.layouts
    }
    left = [g for g in games if g.key not in rows or (again and rows[g.key].status == "bounded")]
    number = len(games) - len(left)
    with _stop_file(folder, stopped) as ended:

        def tasks() -> Iterator[tuple[Any, ...]]:
            for game in left:
                if stopped():
                    return
                report(number, len(games), game)
                yield game, memory, ended, seconds, equilibrium_seconds

        with closing(in_parallel(_solved, tasks(), workers=workers, scheduler=scheduler)) as solved:
            for game, row in solved:
                if row is not None:
                    row = row.joined(rows[game.key]) if game.key in rows else row
                    rows[game.key] = row
                    keep(row)
                    number += 1
                report(number, len(games), game)
    return sorted(rows.values(), key=lambda row: row.place)


def _solved(
    game: AtlasGame, memory: float, ended: Path, seconds: float, equilibrium_seconds: float
) -> tuple[AtlasGame, AtlasRow | None]:
    """A game and its row, as they come from another process; None after a stop."""
    limits = Limits(memory=memory, stop=ended.exists)
    row = atlas_row(game, limits=limits, seconds=seconds, equilibrium_seconds=equilibrium_seconds)
    return game, row


@contextmanager
def _stop_file(folder: Path | None, stopped: Callable[[], bool]) -> Iterator[Path]:
    """A file that appears when the run is stopped, for processes that work at a row for minutes."""
    with TemporaryDirectory(dir=folder and folder.resolve(), prefix=".run-") as place:
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
