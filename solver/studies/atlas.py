"""The atlas: small games of every fleet, solved; or the games of a list.

A row gives of a game the least worst case (objective ``worst``), the least mean (objective
``mean``, as a total over the layouts), and every first shot of a tree of least mean. The two may
need different trees. Each value is proven and its tree verified from the rules, or the row says
``bounded`` and gives the proven interval of what a limit left open.

Beside them stands the value of the game against a hider who knows the plan, where it was found in
time: what is missed on average when neither can improve on it (``solver.equilibrium``). Small games
are solved exactly; of others it is known to within a millionth of a miss. Both come from a
certificate that uses the two mixes alone, so that an interval, too, is proven.

That no tree has a lesser mean is proven once more by a proof, which is written and then checked
from the rules alone (``trees.proof``) where that can be done in time. Small ones are kept; of all,
the row says how many lemmas were checked.

A list of games is a CSV file with a line for each. The first line names the columns: ``fleet`` and,
in any order, ``board``, ``contact``, ``answers``, ``announce`` and ``blocked``. A column that is
missing, or a field that is empty, means what it means where the option of that name is not given:
the game of a named fleet, else 5x5, ``none`` and ``hit``. Empty lines are left out.

A folder has the rows as ``table.json``, ``table.csv`` and a page, ``index.html``, and the proofs
that are kept in ``proofs``. A game whose row is in ``table.json`` is not solved again, unless rows
that leave something open are asked for again; what they prove already stays, and what is found has
to agree with it. While games are solved, ``table.json`` is written anew every few seconds, so that
a run that was stopped goes on from there.
"""

from __future__ import annotations

import csv
import json
import math
import re
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from importlib.metadata import version
from itertools import chain, combinations_with_replacement, groupby, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import (
    RulesError,
    SeabattleError,
    TooLargeError,
    WorkFailed,
    quoted,
)
from seabattle.enumerate.files import (
    Source,
    csv_text,
    name_of,
    read_json,
    read_text,
    require_format,
    require_known,
    require_place,
    require_same,
    write_bytes,
    write_text,
    write_texts,
)
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.priors.prior import read_number
from seabattle.enumerate.rules import GAME_FIELDS, Announce, AnswerMode, Contact, Fleet, Rules
from seabattle.enumerate.words import counted, interval_text
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.parallel import in_parallel
from seabattle.solver.proofs.proof_files import provable, write_proof
from seabattle.solver.search.problem import (
    MEMORY_GIB,
    MOST_OPEN_LAYOUTS,
    as_problem,
    refuse_large_board,
)
from seabattle.solver.search.queries import LimitReached, Limits, Objective
from seabattle.solver.search.solve import Solution, SolveRun
from seabattle.trees.page.frame import page, scrolled
from seabattle.trees.proof import check_proof

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
    "6x6": ("4,2", "4,1", "3,1", "2,2", "3,3,3,3,2"),
}
"""Fleets within these bounds that are left out of the atlas: after half a minute of searching
their least mean is still open, for ``hit``, ``sunk`` or both. That of 3,2 and 2,1 is open, too, but
they are what beginners play; their rows give what is proven."""

BEGINNERS = Rules("6x6", "3,2,1")
"""The game that is in the atlas although it has more layouts, for the same reason."""

FORMED: Mapping[str, tuple[int, int]] = {"5x5": (200, 2000)}
"""The same of fleets with a ship that is no line: one of ``FORMS`` with one of ``BESIDE``."""

FORMS = ("xx/x.", "2x2", "xxx/x..", "xxx/.x.", "xx./.xx")
"""Every form of three or four cells joined by sides that is no line."""

BESIDE = ("2", "3,2")
"""Lines beside a form."""


def atlas_games(boards: Mapping[str, tuple[int, int]] = BOARDS) -> list[Rules]:
    """The games of the atlas, easiest first: by layouts, then in the order of the pages.

    They are those of 2 to 6 ships with lengths up to 4, on 5x5 those with a form, too; answers
    ``hit`` and ``sunk``.

    >>> [str(game.fleet) for game in atlas_games({"2x3": (2, 9)}) if game.answers == "hit"]
    ['2,1', '1,1']
    """
    lines = [
        ",".join(map(str, lengths))
        for ships in range(2, 7)
        for lengths in combinations_with_replacement((4, 3, 2, 1), ships)
    ]
    formed = [",".join(ships) for ships in product(FORMS, BESIDE)]
    here = ((name, lines, bounds) for name, bounds in boards.items())
    also = ((name, formed, FORMED[name]) for name in boards if name in FORMED)
    games: dict[Rules, int] = {}
    for name, fleets, (fewest, most) in chain(here, also):
        board = Board.parse(name)
        for fleet in map(Fleet.parse, fleets):
            if max(fleet.lengths) > max(board.rows, board.columns) or fleet.cells > board.cells:
                continue
            rules = Rules(board, str(fleet), "none")
            if str(fleet) in OPEN.get(name, ()):
                continue
            layouts = count_layouts(rules, most=None if rules == BEGINNERS else most)
            if rules == BEGINNERS or fewest <= layouts <= most:
                games |= {rules.answering(mode): layouts for mode in ("hit", "sunk")}
    return sorted(games, key=lambda game: (games[game], _place(game)))


def _place(game: Rules) -> tuple[Any, ...]:
    """Order of the pages: boards by size, fleets by ships and lengths, modes by name."""
    board, lengths = game.board, [-length for length in game.fleet.lengths]
    contact = list(Contact).index(game.contact)
    table = board.cells, board.rows, contact, game.blocked, game.announce
    return *table, len(lengths), lengths, str(game.fleet), game.answers


MOST_LAYOUTS = 20_000_000
"""No game of a list has more."""


def read_games(source: Source) -> list[Rules]:
    """The games of a list, easiest first: by layouts, then in the order of the list.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    SeabattleError
        If a line is not a game, or one that is too large to solve; names the line.
    """
    named = f"list of games {name_of(source)}"
    text = read_text(source)
    layouts: dict[Rules, int] = {}
    reader = csv.DictReader(text.splitlines(), restval="", strict=True)
    try:
        columns = [name.strip().lower() for name in reader.fieldnames or ["fleet"]]
        if sorted({*columns, "fleet"} & set(GAME_FIELDS)) != sorted(columns):
            raise SeabattleError(
                f"the first line names fleet and, if wanted, board, contact, answers, announce and "
                f"blocked, each once, not {quoted(','.join(columns))}"
            )
        reader.fieldnames = columns
        for fields in reader:
            if None in fields:
                raise SeabattleError(
                    "has more fields than the first line; a fleet of several ships is quoted, as "
                    'in "3,2"'
                )
            texts = {name: text.strip() for name, text in fields.items()}
            if not any(texts.values()):
                continue
            if not texts["fleet"]:
                raise SeabattleError("no fleet is given")
            game = Rules.read(**{name: text or None for name, text in texts.items()})
            layouts[game] = _count_solvable(game)
    except csv.Error as error:
        raise SeabattleError(f"{named}, line {reader.line_num}: is not CSV: {error}") from None
    except SeabattleError as error:
        raise type(error)(f"{named}, line {reader.line_num}: {error}") from None
    if not layouts:
        raise SeabattleError(f"{named}: has no game; give one a line, after a header")
    return sorted(layouts, key=layouts.__getitem__)


def _count_solvable(game: Rules) -> int:
    """Number of layouts of a game, if it can be solved."""
    refuse_large_board(game)
    most = MOST_OPEN_LAYOUTS if game.order_matters else MOST_LAYOUTS
    layouts = count_layouts(game, most=most)
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
    lemmas
        How many lemmas the proof has that no total is less, if one was checked; else None.
    """

    rules: Rules
    layouts: int
    worst_lower: int
    worst_misses: int
    total_lower: int
    total_misses: int
    best_shots: tuple[str, ...] | None
    equilibrium: Interval | None = None
    lemmas: int | None = None

    @property
    def status(self) -> str:
        """``proven``, or ``bounded`` when a limit left something open."""
        exact = self.worst_lower == self.worst_misses and self.total_lower == self.total_misses
        return "proven" if exact and self.best_shots is not None else "bounded"

    @property
    def lacks_something(self) -> bool:
        """Whether more time may find what is open: a value, first shots, equilibrium, a proof."""
        game = self.rules
        mixed = game.answers is not AnswerMode.SHIP and game.contact is not Contact.SIDES
        lacks_mixes = mixed and self.equilibrium is None
        lacks_proof = provable(game) and self.lemmas is None
        return self.status == "bounded" or lacks_mixes or lacks_proof

    @property
    def mean_misses(self) -> Fraction:
        """Mean of the best tree found."""
        return Fraction(self.total_misses, self.layouts)

    def joined(self, known: AtlasRow) -> AtlasRow:
        """The row with what was proven of the game before.

        Raises
        ------
        WorkFailed
            If one contradicts the other.
        """
        shots = {self.best_shots, known.best_shots} - {None}
        row = replace(
            self,
            worst_lower=max(self.worst_lower, known.worst_lower),
            worst_misses=min(self.worst_misses, known.worst_misses),
            total_lower=max(self.total_lower, known.total_lower),
            total_misses=min(self.total_misses, known.total_misses),
            best_shots=self.best_shots or known.best_shots,
            equilibrium=self.equilibrium or known.equilibrium,
            lemmas=known.lemmas if self.lemmas is None else self.lemmas,
        )
        crossed = row.worst_lower > row.worst_misses or row.total_lower > row.total_misses
        if crossed or len(shots) > 1:
            raise WorkFailed(f"{self.line()}; what was proven before is another: {known.line()}")
        return row

    def line(self) -> str:
        """The row as a line of text, as it is printed when it is solved."""
        worst = interval_text(self.worst_lower, self.worst_misses)
        total = interval_text(self.total_lower, self.total_misses)
        layouts = counted(self.layouts, "layout")
        return f"{self.rules}: {layouts}, worst {worst}, total {total}, {self.status}"

    def document(self) -> dict[str, Any]:
        """The row as a JSON object, whose fields ``COLUMNS`` explains."""
        lower, upper = self.equilibrium or (None, None)
        return {
            **dict.fromkeys(GAME_FIELDS, ""),
            **self.rules.document(),
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
            "proof_lemmas": self.lemmas,
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> AtlasRow:
        """Row from its JSON object.

        Raises
        ------
        SeabattleError
            If it is not what ``document`` writes of a row.
        """
        require_known(document, COLUMNS, SeabattleError)
        rules = Rules.of_document(document)
        shots = document.get("best_first_shots")
        if shots is not None:
            if not isinstance(shots, list) or not all(isinstance(cell, str) for cell in shots):
                raise SeabattleError("the field 'best_first_shots' must be an array of cells")
            shots = tuple(rules.board.names(rules.board.mask(shots)))
        lemmas = document.get("proof_lemmas")
        if lemmas is not None and (type(lemmas) is not int or lemmas < 0):
            raise SeabattleError("the field 'proof_lemmas' must be a whole number or null")
        bounds = document.get("equilibrium_lower_bound"), document.get("equilibrium_misses")
        try:
            exact = document["equilibrium"]
            row = cls(
                rules,
                document["layouts"],
                document["worst_lower_bound"],
                document["worst_misses"],
                document["total_lower_bound"],
                document["total_misses"],
                shots,
                None if None in bounds else _interval(*(exact or repr(end) for end in bounds)),
                lemmas,
            )
            right = row.document()
        except KeyError as missing:
            raise SeabattleError(f"the field {missing} is missing") from None
        except (TypeError, ValueError, AttributeError, ArithmeticError):
            raise SeabattleError("a field has a value of another kind") from None
        require_same(document, right, SeabattleError)
        return row


def _interval(lower: str, upper: str) -> Interval:
    """Bounds from their texts."""
    return read_number(lower), read_number(upper)


# Solving

ROW_SECONDS = 120.0
"""Time limit of each of the two searches of a row."""

EQUILIBRIUM_SECONDS = 60.0
"""Time limit of the equilibrium of a row."""

WIDEST = Fraction(1, 10**6)
"""Greatest width of an interval of the value of a game, in misses."""

_GRID = 10**7  # ends of an interval that is not exact are multiples of one over this


PROOF_SECONDS = 60.0
"""Time limit of the proof of a row: to find its lemmas, and to check them."""

KEPT_BYTES = 100_000
"""Larger proofs are not kept."""


def atlas_row(
    game: Rules,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
    proof_seconds: float = PROOF_SECONDS,
    memory_limit: float = MEMORY_GIB,
) -> AtlasRow:
    """Solve a game for its row.

    Parameters
    ----------
    game
        The game.
    seconds
        Time limit of each of the two searches.
    equilibrium_seconds
        The same of the value of the equilibrium; 0 leaves it out.
    proof_seconds
        The same of the proof; 0 leaves it out.
    memory_limit
        GiB that a search may take.

    Raises
    ------
    TreeError
        If a tree fails its verification.
    WorkFailed
        If a proof does not hold.
    KeyboardInterrupt
        After Ctrl-C.

    Examples
    --------
    >>> row = atlas_row(Rules("3x3", "2,1"))
    >>> row.document()["mean"], row.lemmas
    ('62/24', 2)
    """
    return solved_row(game, seconds, equilibrium_seconds, proof_seconds, memory_limit)[0]


def solved_row(
    game: Rules,
    seconds: float,
    equilibrium_seconds: float,
    proof_seconds: float,
    memory_limit: float,
    known: AtlasRow | None = None,
) -> tuple[AtlasRow, bytes]:
    """The row of a game, with what was known of it before; and its proof, if it is to be kept."""
    game = game.lettered("latin")  # games of an atlas are named in one way
    problem = as_problem(game, memory_limit=memory_limit)

    def searched(objective: Objective) -> tuple[SolveRun, Solution]:
        run = SolveRun(problem, objective, None, Limits.of(seconds, memory_limit), None)
        solution = run.solve(values=False)
        if solution.interrupted:
            raise KeyboardInterrupt(solution.stopped_by)
        return run, solution

    run, mean = searched(Objective.MEAN)
    lemmas, proof = None, b""
    if proof_seconds and mean.status == "optimal" and provable(game):
        limits = Limits.of(proof_seconds, memory_limit)
        lemmas, proof = checked_proof(run, mean.lower_bound, limits)
    del run  # each search may take all the memory
    _, worst = searched(Objective.WORST)
    value = None
    if known is None or known.equilibrium is None:
        value = game_value(game, equilibrium_seconds, memory_limit)
    # A tree of either search bounds the other value.
    row = AtlasRow(
        game,
        len(problem.table),
        worst_lower=worst.lower_bound,
        worst_misses=min(worst.worst_misses, mean.worst_misses),
        total_lower=mean.lower_bound,
        total_misses=min(mean.total_misses, worst.total_misses),
        best_shots=mean.best_shots or None,
        equilibrium=value,
        lemmas=lemmas,
    )
    kept = proof if len(proof) <= KEPT_BYTES else b""
    return row if known is None else row.joined(known), kept


def checked_proof(run: SolveRun, claim: int, limits: Limits) -> tuple[int | None, bytes]:
    """Prove what a search has found, and check the proof.

    Returns
    -------
    lemmas, content
        How many lemmas it has, or None if a limit was reached first; and the file, packed.

    Raises
    ------
    WorkFailed
        If the proof does not hold.
    """
    run.search.limits = limits

    def keep_limit(done: int, of: int) -> None:
        if limits.seconds_left() < 0:
            raise LimitReached("the time limit was reached")

    with TemporaryDirectory(prefix="seabattle-") as folder:
        path = Path(folder) / "proof.txt.xz"
        try:
            write_proof(run.search, run.known.goal, claim, path)
            found = check_proof(path, memory_limit=limits.memory, progress=keep_limit)
        except LimitReached:
            return None, b""
        if not found:
            raise WorkFailed(f"{run.problem.rules}: the proof does not hold: {found.problems[0]}")
        return found.lemmas, path.read_bytes()


def proof_name(game: Rules) -> str:
    """The file of a proof that is kept, named by all that makes the game.

    >>> proof_name(Rules("4x4", "2x2,xx/x.", "corners", "sunk", "none", "B2,C3"))
    '4x4-2x2,xx_x.-corners-sunk-none-B2,C3.txt.xz'
    >>> proof_name(Rules("5x5", "3,2"))
    '5x5-3,2-hit.txt.xz'
    """
    usual = {"contact": Contact.NONE, "announce": Announce.LENGTH}
    told = game.document()
    parts = [told[name] for name in GAME_FIELDS if name in told and told[name] != usual.get(name)]
    return "-".join(parts).replace("/", "_") + ".txt.xz"


def game_value(game: Rules, seconds: float, memory_limit: float = MEMORY_GIB) -> Interval | None:
    """The value of a game against a hider who knows the plan, if it is found within the limits.

    Returns
    -------
    pair of Fraction, or None
        Proven bounds; those that differ are rounded outwards to seven digits. None at a limit, and
        for games of another kind: those with answers ``ship`` or ships that share sides.

    Examples
    --------
    >>> game_value(Rules("4x4", "3,2,1"), seconds=60)
    (Fraction(55, 16), Fraction(55, 16))
    """
    if not seconds:
        return None
    gap = float(WIDEST - Fraction(2, _GRID))
    try:
        solved = equilibrium(game, gap=gap, time_limit=seconds, memory_limit=memory_limit)
    except (RulesError, LimitReached, TooLargeError):
        return None
    if solved.interrupted:
        raise KeyboardInterrupt(solved.stopped_by)
    if solved.is_exact:
        return solved.lower_bound, solved.upper_bound
    lower = Fraction(math.floor(solved.lower_bound * _GRID), _GRID)
    upper = Fraction(math.ceil(solved.upper_bound * _GRID), _GRID)
    return (lower, upper) if upper - lower <= WIDEST else None


LEAST_GIB = 0.8
"""Memory that a process takes at least."""

SAVED_EVERY = 2.0
"""Seconds between two tables that are written while games are solved, at least."""


def solve_atlas(
    games: Sequence[Rules],
    folder: str | Path,
    *,
    again: bool = False,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
    proof_seconds: float = PROOF_SECONDS,
    memory_limit: float = MEMORY_GIB,
    workers: int = 1,
    scheduler: str | None = None,
    about: str = "those of a list",
    made_by: dict[str, Any] | None = None,
    report: Callable[[int, int, Rules], None] = lambda done, total, game: None,
    found: Callable[[AtlasRow], None] = lambda row: None,
) -> list[AtlasRow]:
    """Solve games, but for those whose rows a folder has, and write all rows to the folder.

    Parameters
    ----------
    games
        The games to solve.
    folder
        Where the table is, or will be.
    again
        Whether games whose rows leave something open are solved again.
    seconds, equilibrium_seconds, proof_seconds
        As in ``atlas_row``.
    memory_limit
        GiB: on this machine of all processes, of which fewer are started where it would not be
        enough; on a cluster, of each worker.
    workers
        Processes on this machine. Proven rows are the same with any number.
    scheduler
        Address of a Dask scheduler, whose workers are used instead.
    about
        Which games these are, for the page.
    made_by
        Command and version, as the files name them; by default this function.
    report
        Called with the rows done, the rows in all, and the game that is handed out.
    found
        Called with each new row as soon as it is solved.

    Returns
    -------
    list of AtlasRow
        Rows of the games in the order of the pages; fewer than ``games`` after Ctrl-C.

    Raises
    ------
    SeabattleError
        If the folder has a table that is none, or is damaged; or no scheduler answers.
    FileAccessError
        If the table cannot be read or written.
    WorkFailed
        If a worker process was killed, the package that talks to clusters is not installed, or a
        row is another than before; the rows solved by then are in the folder.
    """
    table = Path(folder) / "table.json"
    require_place(table)
    rows = read_table(table) if table.exists() else {}
    left = [g for g in games if g not in rows or (again and rows[g].lacks_something)]
    if scheduler is None:
        workers = max(1, min(workers, int(memory_limit / LEAST_GIB)))
        memory_limit /= workers
    limits = {
        LIMIT: seconds,
        "equilibrium_limit_seconds": equilibrium_seconds,
        "proof_limit_seconds": proof_seconds,
    }
    maker = (made_by or {"command": "solve_atlas", "version": version("seabattle")}) | limits

    def tasks() -> Iterator[tuple[Any, ...]]:
        for game in left:
            report(done, len(games), game)
            known = rows.get(game)
            yield game, seconds, equilibrium_seconds, proof_seconds, memory_limit, known

    done = len(games) - len(left)
    saved = time.monotonic()
    try:
        solved = in_parallel(solved_row, tasks(), workers=workers, scheduler=scheduler)
        with closing(solved):
            for row, proof in solved:
                rows[row.rules] = row
                if proof:
                    write_bytes(table.parent / PROOFS / proof_name(row.rules), proof)
                done += 1
                found(row)
                if time.monotonic() - saved >= SAVED_EVERY:
                    write_text(table, table_json(rows.values(), maker))
                    saved = time.monotonic()
    except KeyboardInterrupt:
        pass
    finally:
        ordered = [rows[game] for game in sorted(rows, key=_place)]
        texts = {
            table.name: table_json(ordered, maker),
            "table.csv": table_csv(ordered),
            "index.html": table_page(ordered, maker, about, kept_proofs(table.parent)),
        }
        if rows:
            write_texts(table.parent, texts)
    return [rows[game] for game in sorted({*games} & rows.keys(), key=_place)]


# Files

FORMAT, VERSION = "seabattle-atlas", 2  # rows of version 1 did not say their whole game

COLUMNS = {  # of the files
    "board": "rows x columns",
    "fleet": "ship lengths; of other forms than lines a rectangle or a drawing by rows",
    "contact": "contact rule: ships touch nowhere (none), at corners (corners) or anywhere (sides)",
    "answers": "answer mode: hit (hit or miss), sunk (hit, miss, or sunk) or ship (which ship)",
    "announce": "whether a sinking tells the ship's length, where ships may touch: length or none",
    "blocked": "cells on which no ship can lie; empty where there are none",
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
    "proof_lemmas": "lemmas of a proof that the total cannot be less, which was checked from the "
    "rules alone; empty where none was checked in time",
}

PROOFS = "proofs"
"""Folder of the proofs that are kept."""

LIMIT = "row_limit_seconds"
"""Field of what made an atlas: the limit of a search."""


def read_table(path: Path) -> dict[Rules, AtlasRow]:
    """Rows of a table by their game.

    Raises
    ------
    FileAccessError
        If it cannot be read.
    SeabattleError
        If it is not a table of an atlas, or is damaged.
    """
    document = read_json(path, "table of an atlas", SeabattleError)
    try:
        require_format(document, FORMAT, VERSION, SeabattleError)
        require_known(document, (*_head({}), "rows"), SeabattleError)
        return _rows_read(document.get("rows"))
    except SeabattleError as error:
        raise SeabattleError(
            f"{path} is not a table of an atlas, or was edited or damaged: {error}; remove it, or "
            f"name another folder"
        ) from None


def _rows_read(documents: Any) -> dict[Rules, AtlasRow]:
    """Rows of the array of a table by their game."""
    if not isinstance(documents, list):
        raise SeabattleError("the field 'rows' must be an array")
    rows: dict[Rules, AtlasRow] = {}
    for number, document in enumerate(documents, start=1):
        try:
            if not isinstance(document, dict):
                raise SeabattleError("it must be an object")
            row = AtlasRow.read(document)
            if row.rules in rows:
                raise SeabattleError(f"{row.rules} has a row already")
        except SeabattleError as error:
            raise SeabattleError(f"row {number}: {error}") from None
        rows[row.rules] = row
    return rows


def _head(maker: Mapping[str, Any]) -> dict[str, Any]:
    """What made a table, and what its columns say."""
    return {"format": FORMAT, "version": VERSION, "made_by": maker, "columns": COLUMNS}


def table_json(rows: Iterable[AtlasRow], maker: Mapping[str, Any]) -> str:
    """The table as JSON: what made it, what the columns say, the rows."""
    body = ",\n".join(json.dumps(row.document()) for row in rows)
    return f'{json.dumps(_head(maker))[:-1]}, "rows": [\n{body}\n]}}\n'


def records(rows: Iterable[AtlasRow]) -> list[dict[str, Any]]:
    """The rows as pandas and polars take them, with ``COLUMNS``; first shots joined by spaces.

    Examples
    --------
    >>> (row,) = records([atlas_row(Rules("3x3", "3,1,1"))])
    >>> row["fleet"], row["layouts"], row["worst_misses"], row["mean_misses"]
    ('3,1,1', 4, 3, 1.5)
    """
    return [row.document() | {"best_first_shots": " ".join(row.best_shots or ())} for row in rows]


def table_csv(rows: Sequence[AtlasRow]) -> str:
    """The table as CSV."""
    return csv_text(records(rows))


_BOUNDED = '<span class="bounded">{}–{}</span>'
_HEADS = (
    "fleet", "answers", "layouts", "worst", "mean", "total", "equilibrium", "proof", "first shots",
)  # fmt: skip
_MEANINGS = {
    "answers": "what a shot reveals: hit or miss (hit), also that a ship is sunk (sunk), or also "
    "which ship is hit (ship)",
    "worst": "the fewest misses that a tree can have in its worst case",
    "mean, total": "the fewest misses that a tree can have on average, and those of all layouts "
    "together; it may be another tree than that of the worst case",
    "equilibrium": "the mean misses where the hider knows how you shoot and does as well as "
    "possible, too; – where it is not known",
    "proof": "lemmas of a proof that the total cannot be less, which was checked from the rules "
    "alone; – where none was checked in time",
    "first shots": "every first shot of a tree of least mean; a cell that all layouts occupy is "
    "one too, for it costs nothing",
}
"""What the heads of the page say."""
_STYLE = """
th:last-child, td:last-child { white-space: normal; min-width: 8rem; }
@media (min-width: 700px) {
  th:nth-child(n+3):nth-child(-n+8), td:nth-child(n+3):nth-child(-n+8) { text-align: right; }
}
@media (max-width: 699px) {
  table, tbody { display: block; } thead { display: none; }
  tbody tr { display: grid; grid-template-columns: 1.6fr repeat(3, 1fr); gap: .3rem .6rem;
    padding: .6rem 0; }
  tbody th, tbody td { padding: 0; white-space: normal; overflow-wrap: anywhere; }
  tbody th { font-weight: bold; }
  tbody td::before { content: attr(data-name); display: block; color: var(--grey);
    font-size: .7rem; line-height: 1.2; }
  tbody td:last-child { grid-column: 1 / -1; }
}
"""
"""On a phone a row is a block of four columns with names of their own, first shots below."""


def kept_proofs(folder: Path) -> list[str]:
    """Names of the proofs that a folder of an atlas keeps."""
    return sorted(file.name for file in (folder / PROOFS).glob("*.txt.xz"))


def table_page(
    rows: Sequence[AtlasRow], maker: Mapping[str, Any], about: str, kept: Container[str] = ()
) -> str:
    """The table as a page: a table for each board.

    ``about`` says which games these are, and ``kept`` are names of proofs, which are linked.
    """
    proven = sum(row.status == "proven" for row in rows)
    checked = sum(row.lemmas is not None for row in rows)
    mixed = sum(row.equilibrium is not None for row in rows)
    heads = "".join(f'<th scope="col">{name}</th>' for name in _HEADS)
    links, tables = [], []
    for title, there in groupby(rows, lambda row: _title(row.rules)):
        place = re.sub("[^A-Za-z0-9]+", "-", title.replace(" × ", "x").replace("contact ", ""))
        links.append(f'<a href="#{place}">{title}</a>')
        tables.append(f'<h2 id="{place}">{title}</h2>')
        lines = "\n".join(_page_line(row, kept) for row in there)
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>\n{lines}\n</tbody></table>"
        tables.append(scrolled(table, f"Fleets on {title}"))
    told = (f"<li><b>{name}</b>: {meaning}.</li>" for name, meaning in _MEANINGS.items())
    parts = [
        f"<p>Games: {escape(about)}.</p>",
        f"<ul>{''.join(told)}</ul>",
        f"<p>{counted(len(rows), 'game')}, {proven:,} of them proven, {checked:,} by a proof that "
        f"was checked, {mixed:,} with the value of the equilibrium; all layouts "
        f"are equally likely, and every tree is verified from the rules alone. A search that was "
        f"stopped after {maker[LIMIT]:g} seconds gives the interval that it proved, as "
        f"{_BOUNDED.format(12, 14)}. "
        f'The same as <a href="table.csv">CSV</a> and <a href="table.json">JSON</a>.</p>',
        f'<nav aria-label="Boards">{" ".join(links)}</nav>',
        *tables,
    ]
    made = f"Made by: {maker['command']}, version {maker['version']}"
    return page("Solved games", "\n".join(parts), style=_STYLE, made_by=made)


def _title(game: Rules) -> str:
    """What the games of a table of the page have in common.

    >>> _title(Rules("3x4", "2,1", "sides", "sunk", "none", "B2")), _title(Rules("3x4", "2,1"))
    ('3 × 4, contact sides, announce none, no ship on B2', '3 × 4')
    """
    board, closed = game.board, " ".join(map(game.board.name, game.blocked))
    parts = [
        f"{board.rows} × {board.columns}",
        "" if game.contact is Contact.NONE else f"contact {game.contact}",
        "announce none" if game.announce is Announce.NONE else "",
        f"no ship on {closed}" if closed else "",
    ]
    return ", ".join(filter(None, parts))


def _page_line(row: AtlasRow, kept: Container[str]) -> str:
    """The row of a game in the table of its board."""
    proof, name = "–" if row.lemmas is None else f"{row.lemmas:,}", proof_name(row.rules)
    if row.lemmas is not None and name in kept:
        proof = f'<a href="{PROOFS}/{name}">{proof}</a>'
    lower, mean = (f"{total / row.layouts:.4f}" for total in (row.total_lower, row.total_misses))
    cells = (
        row.rules.answers,
        f"{row.layouts:,}",
        interval_text(row.worst_lower, row.worst_misses, _BOUNDED),
        interval_text(lower, mean, _BOUNDED),
        interval_text(f"{row.total_lower:,}", f"{row.total_misses:,}", _BOUNDED),
        f"{float(row.equilibrium[1]):.4f}" if row.equilibrium else "–",
        proof,
        '<span class="bounded">open</span>' if row.best_shots is None else " ".join(row.best_shots),
    )
    named = zip(_HEADS[1:], cells, strict=True)
    line = "".join(f'<td data-name="{name}">{cell}</td>' for name, cell in named)
    return f'<tr><th scope="row">{row.rules.fleet}</th>{line}</tr>'
