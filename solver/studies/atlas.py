"""The equilibrium of a game for its row of the atlas: its value, or a narrow interval of it.

The value is what is missed on average when the hider knows the shooter's plan, the shooter the
hider's, and neither can improve on it (``solver.equilibrium.double_oracle``). Small games are
solved exactly; of others the value is known to within a millionth of a miss. Both come from a
certificate that uses the two mixes alone, so that an interval, too, is proven.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
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
    quoted,
)
from seabattle.enumerate.files import read_text
from seabattle.enumerate.layouts import MOST_COUNTED, count_layouts
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.parallel import in_parallel
from seabattle.solver.search.checkpoint import LateCheckpoint
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.solver.search.problem import (
    MOST_OPEN_LAYOUTS,
    Problem,
    as_problem,
    refuse_large_board,
)
from seabattle.solver.search.solution import Solution
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.plans import require_plannable

EQUILIBRIUM_SECONDS = 60.0
"""Time limit of the equilibrium of a row, in CPU seconds."""

WIDEST = Fraction(1, 10**6)
"""Greatest width of an interval of a row, in misses."""

_BUILDING = 0.2  # share of the time limit that the enumeration of the sub-tables may take
_SOUGHT = 8e-7  # width that is sought; with its ends rounded outwards it is at most WIDEST
_GRID = 10**7  # ends of an interval that is not exact are multiples of one over this
_MOST_MISSES = 4096  # more than a board has cells
_EXACT = re.compile(r"[0-9]{1,400}(/[0-9]{1,400})?")
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


def read_value(document: Mapping[str, Any]) -> GameValue | None:
    """The value in the fields of a row; None where they are null.

    Whether the decimals are those of the fraction is left to whoever writes the fields again and
    compares.

    Raises
    ------
    SeabattleError
        If a field is of the wrong type, or the interval is out of range or too wide.
    """
    exact, upper, lower = (document.get(name) for name in _FIELDS)
    if exact is upper is lower is None:
        return None
    if exact is not None:
        if not isinstance(exact, str) or not _EXACT.fullmatch(exact):
            raise SeabattleError("'equilibrium' must be null or a quotient such as '321/74'")
        above, _, below = exact.partition("/")
        if int(below or 1) == 0:
            raise SeabattleError("'equilibrium' divides by 0")
        value = Fraction(int(above), int(below or 1))
        bounds = value, value
    else:
        for name, number in (("equilibrium_misses", upper), ("equilibrium_lower_bound", lower)):
            if type(number) is not float or not 0 <= number < _MOST_MISSES:
                raise SeabattleError(f"{name!r} must be null or a number of misses with a point")
        bounds = Fraction(repr(lower)), Fraction(repr(upper))
    if not bounds[0] <= bounds[1] < _MOST_MISSES or bounds[1] - bounds[0] > WIDEST:
        raise SeabattleError("the interval of the equilibrium is empty, too wide or out of range")
    return GameValue(*bounds)


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


# ------------------------------------------------------------------------------------------------
# Rows of the atlas: a game, what is proven about it, and how it is solved.
#
# A row gives the least worst case (objective ``worst``), the least mean (objective ``mean``, as a
# total over the layouts), and every first shot of a tree of least mean. The two may need different
# trees. Each value is proven and its tree verified from the rules, or the row says ``bounded`` and
# gives the proven interval of what a limit left open. Beside them stands the value of the game
# against a hider who knows the plan, where it was found in time
# (``solver.studies.atlas``).


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
    value = game_value(Rules.read(row.board, row.fleet, row.contact, row.answers), limits=limits,
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


# ------------------------------------------------------------------------------------------------
# Lists of games: a CSV file with a line for each game.
#
# The first line names the columns: ``fleet`` and, in any order, ``board``, ``contact`` and
# ``answers``. A column that is missing, or a field that is empty, means what it means where the
# option of that name is not given: the game of a named fleet, else 5x5, ``none`` and ``hit``. Empty
# lines are left out.


COLUMNS = ("board", "fleet", "contact", "answers")

MOST_LAYOUTS = 20_000_000
"""No game of a list has more."""

MOST_CHARACTERS = 10_000_000


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
    unreadable = SeabattleError(f"list of games {path}: is no UTF-8 text")
    text = read_text(path, unreadable, encoding="utf-8-sig", most=MOST_CHARACTERS)
    games: list[AtlasGame] = []
    seen: dict[Rules, int] = {}
    for line, fields in _lines(text, path):
        try:
            game = _game(fields, progress)
        except SeabattleError as error:
            raise type(error)(f"list of games {path}, line {line}: {error}") from None
        first = seen.setdefault(game.rules, line)
        if first != line:
            raise SeabattleError(
                f"list of games {path}, line {line}: the game of line {first} again"
            )
        games.append(game)
    if not games:
        raise SeabattleError(f"list of games {path}: has no game; give one a line, after a header")
    return sorted(games, key=lambda game: game.layouts)


def _lines(text: str, path: str | Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The fields of each line that is not empty, with its number."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    head: list[str] = []
    try:
        for fields in reader:
            named = [field.strip() for field in fields]
            if not any(named):
                continue
            if not head:
                head = [name.lower() for name in named]
                wrong = [name for name in head if name not in COLUMNS]
                if wrong or len(set(head)) < len(head) or "fleet" not in head:
                    what = f"{quoted(wrong[0])} is no column" if wrong else "a header is needed"
                    raise SeabattleError(
                        f"list of games {path}, line {reader.line_num}: {what}; the first line "
                        f"names fleet and, as wanted, board, contact and answers, each once"
                    )
                continue
            if len(named) > len(head):
                raise SeabattleError(
                    f"list of games {path}, line {reader.line_num}: has {len(named)} fields for "
                    f'{len(head)} columns; a fleet of several ships is quoted, as in "3,2"'
                )
            yield reader.line_num, dict(zip(head, named, strict=False))
    except csv.Error as error:
        raise SeabattleError(
            f"list of games {path}, line {reader.line_num}: is no CSV: {error}"
        ) from None


def _game(fields: dict[str, str], progress: Callable[[int], None] | None) -> AtlasGame:
    """The game of a line."""
    if not fields.get("fleet"):
        raise SeabattleError("no fleet is given")
    rules = Rules.read(*(fields.get(name) or None for name in COLUMNS))
    refuse_large_board(rules)
    most = MOST_LAYOUTS
    if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES:
        most = MOST_OPEN_LAYOUTS
    layouts = count_layouts(rules, most=most, progress=progress)
    if layouts > most:
        raise TooLargeError(f"{rules} has more than {most:,} layouts, which is too large to solve")
    if not layouts:
        raise SeabattleError(f"{rules} has no layout")
    answers, contact = rules.answers.value, rules.contact.value
    return AtlasGame(str(rules.board), str(rules.fleet), answers, layouts, contact)


# ------------------------------------------------------------------------------------------------
# The atlas: small games of every fleet, solved; or the games of a list.
#
# ``solver.studies.atlas`` says what a row is and how it is proven. Here are the games of the
# atlas, and the loop that solves games for their rows: in this process, in several, or on a
# cluster.
# Rows of an earlier run are not believed: see ``solve_atlas``.


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

Refuse = Callable[[AtlasRow, str], None]
"""Called with a row of an earlier run and what is false in it."""

Report = Callable[[int, int, AtlasGame], None]
"""Called before each game with the rows done, the rows in all, and the game."""


class _Settled(NamedTuple):
    """What came of a game: its row, None after a stop; and what is false in its earlier row."""

    game: AtlasGame
    row: AtlasRow | None
    fault: str
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
    """Check the row of an earlier run, if there is one, and solve the game unless it is true.

    A row that is true gets the value of its equilibrium, where that was not looked for before; no
    row then comes of a stop. If asked to, a game whose row is true but leaves something open is
    solved ``again``, and the row keeps what it says beyond that.
    """
    limits, fault = job.limits, ""
    if before is not None:
        fault = before.disproof(limits=limits, seconds=min(job.seconds, CHECK_SECONDS)).fault
        if not fault and not (job.again and before.status == "bounded"):
            if before.tried or job.equilibrium_seconds == 0:
                return _Settled(game, before, fault, False)
            more = with_equilibrium(before, limits=limits, seconds=job.equilibrium_seconds)
            return _Settled(game, more if more.tried else None, fault, True)
    row = atlas_row(
        game, limits=limits, seconds=job.seconds, equilibrium_seconds=job.equilibrium_seconds,
        unfinished=job.unfinished,
    )  # fmt: skip
    if row is not None and before is not None and not fault:
        both = row.joined(before)
        if not both.contradicts_itself:
            return _Settled(game, both, "", True)
        fault = f"its misses are not within {row.total_lower} to {row.total_misses}"
    return _Settled(game, row, fault, True)


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
    refuse: Refuse = lambda row, fault: None,
    unfinished: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> list[AtlasRow]:
    """Solve games one after the other, or several at a time; those ``done`` already are checked.

    A row of an earlier run is proven again where that takes less than ``CHECK_SECONDS`` for each of
    its searches. One that is not true is solved again. What takes longer is taken over, unless it
    contradicts the interval proven by then. The value of the equilibrium is sought anew in the same
    way. Rows in which it was not looked for yet get it; their other figures are not solved again.

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
    refuse
        Called with every row of an earlier run that is not true, and why.
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
            for game, row, fault, new in settled:
                if fault:
                    refuse(earlier.pop(game.key), fault)
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
