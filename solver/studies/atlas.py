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

While the atlas is solved, each row is appended to ``rows.jsonl`` as soon as it is there; a run that
was stopped goes on from there. When all rows are there, ``table.csv``, ``table.json`` and
``index.html`` are written and ``rows.jsonl`` is removed, unless it has rows of other games. Rows
of a finished table are not solved again: the same command writes the files anew. Rows without a
value of the equilibrium are solved again if it was not looked for before, or with another limit.
"""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from seabattle.enumerate.board import Board
from seabattle.enumerate.compile_notice import seconds_compiling
from seabattle.enumerate.errors import RulesError, SeabattleError, TooLargeError, quoted
from seabattle.enumerate.files import GrowingFile, csv_text, read_json, read_text, write_texts
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.rules import GAME_FIELDS, AnswerMode, Contact, Rules
from seabattle.enumerate.words import counted, interval_text
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.parallel import in_parallel
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import MOST_OPEN_LAYOUTS, as_problem, refuse_large_board
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.page.frame import page, scrolled

# Games

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


def atlas_games(boards: Mapping[str, tuple[int, int]] = BOARDS) -> list[Rules]:
    """The games of the atlas, easiest first: by layouts, then in the order of the pages.

    They are those of 2 to 6 ships with lengths up to 4, answers ``hit`` and ``sunk``.

    >>> [str(game.fleet) for game in atlas_games({"2x3": (2, 9)}) if game.answers == "hit"]
    ['2,1', '1,1']
    """
    games: dict[Rules, int] = {}
    for name, (fewest, most) in boards.items():
        board = Board.parse(name)
        fleets = (
            f for ships in range(2, 7) for f in combinations_with_replacement((4, 3, 2, 1), ships)
        )
        for lengths in fleets:
            if lengths[0] > max(board.rows, board.columns) or sum(lengths) > board.cells:
                continue
            rules = Rules(board, lengths, "none")
            if str(rules.fleet) in OPEN.get(name, ()):
                continue
            wanted = str(rules.fleet) in BEGINNERS.get(name, ())
            layouts = count_layouts(rules, most=None if wanted else most)
            if wanted or fewest <= layouts <= most:
                games |= {rules.answering(mode): layouts for mode in ("hit", "sunk")}
    return sorted(games, key=lambda game: (games[game], _place(game)))


def _place(game: Rules) -> tuple[Any, ...]:
    """Order of the pages: boards by size, fleets by ships and lengths, modes by name."""
    board, lengths = game.board, [-length for length in game.fleet.lengths]
    touching = game.contact is not Contact.NONE
    return (
        board.cells, board.rows, touching, game.contact, len(lengths), lengths, game.answers,
    )  # fmt: skip


GAME = GAME_FIELDS[:4]
"""Fields of a row that say its game, and columns of a list of games."""

MOST_LAYOUTS = 20_000_000
"""No game of a list has more."""


def read_games(path: str | Path, progress: Callable[[int], None] | None = None) -> list[Rules]:
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
    lines: dict[Rules, int] = {}
    layouts: dict[Rules, int] = {}
    reader = csv.reader(text.splitlines(), strict=True)
    written = filter(any, ([field.strip() for field in fields] for fields in reader))
    try:
        columns = [name.lower() for name in next(written, ["fleet"])]
        if sorted({*columns, "fleet"} & set(GAME)) != sorted(columns):
            raise SeabattleError(
                f"the first line names fleet and, as wanted, board, contact and answers, each "
                f"once, not {quoted(','.join(columns))}"
            )
        for fields in written:
            if len(fields) > len(columns):
                raise SeabattleError(
                    f"has {len(fields)} fields for {len(columns)} columns; a fleet of several "
                    f'ships is quoted, as in "3,2"'
                )
            texts = {name: text for name, text in zip(columns, fields, strict=False) if text}
            if "fleet" not in texts:
                raise SeabattleError("no fleet is given")
            game = Rules.read(*map(texts.get, GAME))
            if lines.setdefault(game, reader.line_num) < reader.line_num:
                raise SeabattleError(f"the game of line {lines[game]} again")
            layouts[game] = _count_solvable(game, progress)
    except csv.Error as error:
        raise SeabattleError(f"{named}, line {reader.line_num}: is no CSV: {error}") from None
    except SeabattleError as error:
        raise type(error)(f"{named}, line {reader.line_num}: {error}") from None
    if not layouts:
        raise SeabattleError(f"{named}: has no game; give one a line, after a header")
    return sorted(layouts, key=layouts.__getitem__)


def _count_solvable(game: Rules, progress: Callable[[int], None] | None) -> int:
    """Number of layouts of a game, if it can be solved."""
    refuse_large_board(game)
    open_order = game.answers is AnswerMode.SUNK and game.contact is Contact.SIDES
    most = MOST_OPEN_LAYOUTS if open_order else MOST_LAYOUTS
    layouts = count_layouts(game, most=most, progress=progress)
    if layouts > most:
        raise TooLargeError(f"{game} has more than {most:,} layouts, which is too large to solve")
    if not layouts:
        raise SeabattleError(f"{game} has no layout")
    return layouts


# Rows

Interval = tuple[Fraction, Fraction]
"""Proven bounds of a value, in misses; equal where it is exact."""


@dataclass(frozen=True)
class AtlasRow:
    """A game with what is proven about it.

    Attributes
    ----------
    rules, layouts
        The game, and how many layouts it has.
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
    """

    rules: Rules
    layouts: int
    worst_lower: int
    worst_misses: int
    total_lower: int
    total_misses: int
    best_shots: tuple[str, ...] | None
    equilibrium: Interval | None = None

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
        worst = interval_text(self.worst_lower, self.worst_misses)
        total = interval_text(self.total_lower, self.total_misses)
        return (
            f"{game_text(self.rules)} {self.rules.answers}: {self.layouts:,} layouts, worst "
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
            known exactly
        equilibrium_misses: the same as a number, or an upper bound; null if not found
        equilibrium_lower_bound: what it is proven to be at least
        """
        lower, upper = self.equilibrium or (None, None)
        return {
            **{name: str(getattr(self.rules, name)) for name in GAME},
            "layouts": self.layouts,
            "status": self.status,
            "worst_misses": self.worst_misses,
            "worst_lower_bound": self.worst_lower,
            "mean": f"{self.total_misses}/{self.layouts}",
            "mean_misses": float(self.mean_misses),
            "total_misses": self.total_misses,
            "total_lower_bound": self.total_lower,
            "best_first_shots": None if self.best_shots is None else list(self.best_shots),
            "equilibrium": None if lower is None or lower != upper else str(lower),
            "equilibrium_misses": None if upper is None else float(upper),
            "equilibrium_lower_bound": None if lower is None else float(lower),
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
            rules = Rules.read(*(document[name] for name in GAME))
            shots = document["best_first_shots"]
            value = None
            if document.get("equilibrium_misses") is not None:
                lower, upper = document["equilibrium_lower_bound"], document["equilibrium_misses"]
                exact = document["equilibrium"]
                value = Fraction(exact or repr(lower)), Fraction(exact or repr(upper))
            row = cls(
                rules,
                **{name.removesuffix("_bound"): document[name] for name in _NUMBERS},
                best_shots=None if shots is None else tuple(map(rules.board.name, shots)),
                equilibrium=value,
            )
            # Rows written before have no fields of the equilibrium if none was looked for.
            whole = document if "equilibrium" in document else document | _NO_EQUILIBRIUM
            same = json.dumps(row.document()) == json.dumps(whole)
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
        )


_NUMBERS = ("layouts", "worst_lower_bound", "worst_misses", "total_lower_bound", "total_misses")
"""Fields of a row that are attributes, whose names do not say that they are bounds."""

_NO_EQUILIBRIUM = dict.fromkeys(
    ("equilibrium", "equilibrium_misses", "equilibrium_lower_bound"), None
)


def game_text(game: Rules) -> str:
    """Board, fleet, and the contact rule where ships may touch.

    >>> game_text(Rules("4x4", "3,2", "sides"))
    '4x4 3,2 sides'
    """
    contact = "" if game.contact is Contact.NONE else f" {game.contact}"
    return f"{game.board} {game.fleet}{contact}"


# Solving

ROW_SECONDS = 120.0
"""Time limit of each of the two searches of a row, in CPU seconds."""

EQUILIBRIUM_SECONDS = 60.0
"""Time limit of the equilibrium of a row, in CPU seconds."""

WIDEST = Fraction(1, 10**6)
"""Greatest width of an interval of the value of a game, in misses."""

_SOUGHT = 8e-7  # width that is sought; with its ends rounded outwards it is at most WIDEST
_GRID = 10**7  # ends of an interval that is not exact are multiples of one over this


def atlas_row(
    game: Rules,
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
        The same of the value of the equilibrium; 0 leaves it out. What is compiled meanwhile does
        not count, nor does the certificate of mixes that were found in time.

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
    >>> atlas_row(Rules("3x3", "3,1,1")).document()["mean"]
    '6/4'
    """
    limits = limits or Limits()
    problem = as_problem(game, memory_limit=limits.memory)
    solved = []
    for objective in ("mean", "worst"):  # verifies its tree
        within = replace(limits, stop=_stop(limits, seconds))
        solved.append(solve_problem(problem, objective, limits=within))
        if limits.over() and solved[-1].status != "optimal":
            return None
    mean, worst = solved
    value = game_value(game, limits, equilibrium_seconds) if equilibrium_seconds > 0 else None
    whole = value is not None or not equilibrium_seconds
    if limits.over() and not (whole and mean.status == worst.status == "optimal"):
        return None
    # A tree of either search bounds the other value.
    return AtlasRow(
        game,
        len(problem.table),
        worst_lower=worst.lower_bound,
        worst_misses=min(worst.worst_misses, mean.worst_misses),
        total_lower=mean.lower_bound,
        total_misses=min(mean.total_misses, worst.total_misses),
        best_shots=mean.best_shots or None,
        equilibrium=value,
    )


def _stop(
    limits: Limits, seconds: float, apart: Callable[[], float] = lambda: 0.0
) -> Callable[[], bool]:
    """Tells whether so many CPU seconds but those ``apart`` have passed, or the limits say so."""
    begun = time.process_time() - apart()
    return lambda: limits.over() or time.process_time() - apart() - begun > seconds


def game_value(game: Rules, limits: Limits, seconds: float) -> Interval | None:
    """The value of a game, if it is found within the limits.

    Parameters
    ----------
    game
        The game.
    limits
        Memory, and how to stop.
    seconds
        Time limit, as in ``atlas_row``.

    Returns
    -------
    pair of Fraction, or None
        Proven bounds; those that differ are rounded outwards to seven digits. None at a limit,
        after a stop, and for games of another kind: those with answers ``ship`` or ships that
        share sides.

    Examples
    --------
    >>> game_value(Rules("4x4", "3,2,1"), Limits(), seconds=60)
    (Fraction(55, 16), Fraction(55, 16))
    """
    over = _stop(limits, seconds, seconds_compiling)

    def stop() -> bool:
        if over():
            raise LimitReached("the time limit")  # else what is open would be certified first
        return False

    try:
        solved = equilibrium(game, gap=_SOUGHT, memory_limit=limits.memory, stop=stop)
    except (RulesError, LimitReached, TooLargeError):
        return None
    if solved.is_exact:
        return solved.lower_bound, solved.upper_bound
    lower = Fraction(math.floor(solved.lower_bound * _GRID), _GRID)
    upper = Fraction(math.ceil(solved.upper_bound * _GRID), _GRID)
    return (lower, upper) if upper - lower <= WIDEST else None


LEAST_GIB = 0.8
"""Memory that a process takes at least."""


def solve_atlas(
    games: Sequence[Rules],
    keep: Callable[[AtlasRow], None],
    *,
    done: Mapping[Rules, AtlasRow] | None = None,
    again: bool = False,
    limits: Limits | None = None,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
    report: Callable[[int, int, Rules], None] = lambda done, total, game: None,
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
        Rows of an earlier run by their game.
    again
        Whether rows of an earlier run that leave something open are solved again, too. What they
        say beyond the new ones stays.
    limits, seconds, equilibrium_seconds
        As in ``atlas_row``. On this machine all processes share the memory, and fewer are started
        where it would not be enough; on a cluster each worker may take all of it.
    report
        Called before and after each game with the rows done, the rows in all, and the game.
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
    memory = limits.memory
    if scheduler is None:
        workers = max(1, min(workers, int(memory / LEAST_GIB)))
        memory /= workers
    earlier = done or {}
    rows = {game: earlier[game] for game in games if game in earlier}
    left = [g for g in games if g not in rows or (again and rows[g].status == "bounded")]
    number = len(games) - len(left)
    with _stop_file(folder, limits.over) as ended:

        def tasks() -> Iterator[tuple[Any, ...]]:
            for game in left:
                if limits.over():
                    return
                report(number, len(games), game)
                yield game, Limits(memory=memory, stop=ended.exists), seconds, equilibrium_seconds

        solved = in_parallel(atlas_row, tasks(), workers=workers, scheduler=scheduler)
        with closing(solved):
            for row in filter(None, solved):
                game = row.rules
                rows[game] = row.joined(rows[game]) if game in rows else row
                keep(rows[game])
                number += 1
                report(number, len(games), game)
    return sorted(rows.values(), key=lambda row: _place(row.rules))


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


# Files

FORMAT = "seabattle-atlas"

COLUMNS = {
    "board": "rows x columns",
    "fleet": "ship lengths",
    "contact": "contact rule: ships touch nowhere (none), at corners (corners) or anywhere (sides)",
    "answers": "answer mode: hit (hit or miss), sunk (hit, miss, or sunk) or ship (which ship)",
    "layouts": "number of layouts, all equally likely",
    "status": "proven, or bounded when the time limit left a value or the first shots open",
    "worst_misses": "least worst case: no tree has fewer misses on its worst layout",
    "worst_lower_bound": "proven lower bound of worst_misses; equal when that is proven",
    "mean": "least mean, as total misses over layouts; another tree may be needed for it",
    "mean_misses": "the same as a decimal",
    "total_misses": "its numerator",
    "total_lower_bound": "proven lower bound of total_misses; equal when that is proven",
    "best_first_shots": "every first shot of a tree of least mean; a cell that all layouts occupy "
    "is one too, for it costs nothing",
    "equilibrium": "equilibrium_misses as a quotient; empty unless it is known exactly",
    "equilibrium_misses": "mean misses of the best mix of trees against the best mix of layouts: "
    "what is missed when the hider, too, does as well as possible; or a proven upper bound; empty "
    "where it is not known",
    "equilibrium_lower_bound": "proven lower bound of equilibrium_misses; equal when it is exact, "
    "else less by a millionth of a miss at most",
}

LIMIT, TRIED = "row_limit_seconds", "equilibrium_limit_seconds"
"""Fields of what made an atlas: its limits."""


def table_json(rows: Sequence[AtlasRow], maker: Mapping[str, Any]) -> str:
    """The table as JSON: what made it, what the columns say, the rows."""
    head = {"format": FORMAT, "version": 1, "made_by": maker, "columns": COLUMNS}
    body = ",\n".join(json.dumps(row.document()) for row in rows)
    return f'{json.dumps(head)[:-1]}, "rows": [\n{body}\n]}}\n'


def table_csv(rows: Sequence[AtlasRow]) -> str:
    """The table as CSV; first shots are joined by spaces."""
    return csv_text(
        row.document() | {"best_first_shots": " ".join(row.best_shots or ())} for row in rows
    )


_ATLAS = (
    "<p>Every fleet of two to six ships with lengths up to 4 on small boards, solved: on 3x3 "
    "and 3x4 all that have a layout, on 4x4, 4x5 and 5x5 those with 200 to 5,000 layouts, on 5x6 "
    "and 6x6 those with 200 to 2,000 whose least mean half a minute proves, and some that "
    "beginners play. Ships do not touch, not even at a corner; all layouts are equally likely.</p>"
)
_LIST = "<p>The games of a list, solved; all layouts are equally likely.</p>"
_BOUNDED = '<span class="bounded">{}–{}</span>'
_HEADS = ("fleet", "answers", "layouts", "worst", "mean", "total", "equilibrium", "first shots")
_MEANINGS = {
    "answers": "answers",
    "worst": "worst_misses",
    "mean and total": "mean",
    "equilibrium": "equilibrium_misses",
    "first shots": "best_first_shots",
}
"""Columns of the page, and those of the table that say what they are."""
_STYLE = """
th:nth-child(n+3):nth-child(-n+7), td:nth-child(n+3):nth-child(-n+7) { text-align: right; }
@media (max-width: 699px) { table { font-size: .75rem; } th, td { padding: .25rem .17rem; } }
"""


def table_page(rows: Sequence[AtlasRow], maker: Mapping[str, Any], *, listed: bool = False) -> str:
    """The table as a page: a table for each board.

    ``listed`` says that these are the games of a list, not those of the atlas.
    """
    proven = sum(row.status == "proven" for row in rows)
    heads = "".join(f'<th scope="col">{name}</th>' for name in _HEADS)
    links, tables = [], []
    for (board, contact), there in groupby(rows, lambda row: (row.rules.board, row.rules.contact)):
        touching = contact is not Contact.NONE
        place = f"{board}-{contact}" if touching else str(board)
        title = f"{board.rows} × {board.columns}" + (f", contact {contact}" if touching else "")
        links.append(f'<a href="#{place}">{title}</a>')
        tables.append(f'<h2 id="{place}">{title}</h2>')
        if not listed and str(board) in OPEN:
            tables.append(
                f"<p>Left out, since half a minute leaves their least mean open: "
                f"{'; '.join(OPEN[str(board)])}.</p>"
            )
        lines = "\n".join(map(_page_line, there))
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>\n{lines}\n</tbody></table>"
        tables.append(scrolled(table, f"Fleets on {title}"))
    told = (f"<li><b>{name}</b>: {COLUMNS[column]}.</li>" for name, column in _MEANINGS.items())
    parts = [
        _LIST if listed else _ATLAS,
        f"<ul>{''.join(told)}</ul>",
        f"<p>{counted(len(rows), 'game', separator=',')}, {proven:,} of them proven, every tree "
        f"verified from the rules alone. A search that was stopped after {maker[LIMIT]:g} seconds "
        f"of processor time gives the interval that it proved, as {_BOUNDED.format(12, 14)}. "
        f'The same as <a href="table.csv">CSV</a> and <a href="table.json">JSON</a>.</p>',
        f'<nav aria-label="Boards">{" ".join(links)}</nav>',
        *tables,
    ]
    made = f"Made by: {maker['command']}, version {maker['version']}"
    title = "Solved games" if listed else "Atlas of solved fleets"
    return page(title, "\n".join(parts), style=_STYLE, made_by=made)


def _page_line(row: AtlasRow) -> str:
    """The row of a game in the table of its board."""
    lower, mean = (f"{total / row.layouts:.4f}" for total in (row.total_lower, row.total_misses))
    cells = (
        row.rules.answers,
        f"{row.layouts:,}",
        interval_text(row.worst_lower, row.worst_misses, _BOUNDED),
        interval_text(lower, mean, _BOUNDED),
        interval_text(f"{row.total_lower:,}", f"{row.total_misses:,}", _BOUNDED),
        f"{float(row.equilibrium[1]):.4f}" if row.equilibrium else "–",
        '<span class="bounded">open</span>' if row.best_shots is None else " ".join(row.best_shots),
    )
    line = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{row.rules.fleet}</th>{line}</tr>'


class Journal:
    """The rows solved so far, one JSON object a line after a line that says what made them.

    Rows of the finished table beside it are among them. Rows of another version of the program are
    not gone on from; a last line that was cut short is dropped. What is proven holds whatever the
    time limits were; a game of which another limit left something open is solved again.

    Parameters
    ----------
    folder
        That of the atlas.
    maker
        What makes it: ``version`` and the limits.

    Attributes
    ----------
    rows
        Rows of earlier runs; they are believed.
    notes
        What could not be read of the rows of a run that was stopped, and is solved again.

    Raises
    ------
    SeabattleError
        If the table in the folder is none, or is damaged: it is not replaced.
    """

    def __init__(self, folder: Path, maker: Mapping[str, Any]) -> None:
        self.path = folder / "rows.jsonl"
        self.notes: list[str] = []
        self.rows: dict[Rules, AtlasRow] = {}
        self._maker = maker
        table = folder / "table.json"
        if table.exists():
            document = read_json(table, "table of an atlas", SeabattleError)
            try:
                self._believe(document, document["rows"])
            except (KeyError, TypeError, AttributeError, SeabattleError) as error:
                raise SeabattleError(
                    f"{table} is no table of an atlas, or was edited or damaged: "
                    f"{error or 'no text'}; remove it, or name another folder"
                ) from None
        not_text = SeabattleError(f"{self.path} is no UTF-8 text")
        lines = map(json.loads, GrowingFile.there(self.path, not_text))
        try:
            head: Any = next(lines, {})
            for line in lines:
                self._believe(head, [line])
        except (ValueError, TypeError, AttributeError, RecursionError):
            self.notes.append(f"{self.path}: rows after a damaged line are solved again")

    def _believe(self, head: Mapping[str, Any], rows: Sequence[Any]) -> None:
        """Take in the rows below a head that are gone on from."""
        maker = head.get("made_by", {})
        read = [AtlasRow.read(row) for row in rows]
        if head.get("format") == FORMAT and maker.get("version") == self._maker["version"]:
            same, as_long = (maker.get(name) == self._maker[name] for name in (LIMIT, TRIED))
            self.rows |= {
                row.rules: row
                for row in read
                if (same or row.status == "proven")
                and (as_long or row.equilibrium is not None or not self._maker[TRIED])
            }

    def __enter__(self) -> Journal:
        lines = [json.dumps(row.document()) for row in self.rows.values()]
        self._file = GrowingFile(self.path, {"format": FORMAT, "made_by": self._maker}, lines)
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.__exit__()

    def keep(self, row: AtlasRow) -> None:
        """Append a row at once."""
        self._file.add(row.document())

    def finish(self, rows: Sequence[AtlasRow], *, listed: bool) -> None:
        """Write the finished table: JSON, CSV and a page; ``listed`` as in ``table_page``.

        The rows are in its files then, and the journal goes unless it has those of others.
        """
        texts = {
            "table.json": table_json(rows, self._maker),
            "table.csv": table_csv(rows),
            "index.html": table_page(rows, self._maker, listed=listed),
        }
        write_texts(self.path.parent, texts)
        if self.rows.keys() <= {row.rules for row in rows}:
            self._file.remove()
