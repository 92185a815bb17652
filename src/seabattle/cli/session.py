"""A game in progress beside its adviser: what is typed goes in, what is to be shown comes out.

Nothing here reads or writes a terminal, and nothing typed can end in an exception: a line that
cannot be understood or contradicts what is known is answered in one line, and the game stays as it
was. Every change, loading another game included, can be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from seabattle.cli.answer_lines import told_after
from seabattle.enumerate.counting.occupancy_map import OccupancyMap
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.game.answers import HIT_SHIP, SUNK_LENGTH, answer_text, is_sunk
from seabattle.enumerate.game.deductions import hit_group
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.position_files import load_position, save_position
from seabattle.enumerate.game.rules import AnswerMode, Contact, Rules
from seabattle.solver.advice.advisers import Advice, Adviser, Method
from seabattle.trees.drawing.heatmap import HeatMap, percent_text

MOST_NAMED = 12
"""Best cells that are named one by one."""

HELP = """\
C1 miss · C1 hit · C1 sunk   the answer to a shot; case does not matter
miss · hit · sunk            the answer to the shot advised (the first named)
C1 miss, D4 hit              several at once; miss A1:A4 for a row of cells
sunk A1:A4                   a ship sunk, by its two ends
C1 sunk 3                    a sinking with its length, where it is told
C1 hit 3#1                   a hit that names the ship, where it is told
C1                           how likely a ship is there
undo · redo                  take back, or give again
map · best · history         show the map, the best shots, all shots so far
save FILE · load FILE        keep the game, go on with another one
new                          the same game from the start
help · quit"""


class Show(Enum):
    """What to show after the lines of a reply."""

    NOTHING = 0
    MAP = 1
    """The map, then the advice."""
    ADVICE = 2


@dataclass(frozen=True)
class Reply:
    """What comes out of a line: lines to print, what to show after them, whether it is the end."""

    lines: tuple[str, ...] = ()
    show: Show = Show.NOTHING
    end: bool = False


class Session:
    """A game in progress.

    Parameters
    ----------
    position
        Where to begin.
    advisers
        Gives the adviser of a game's rules.
    autosave
        File that the position is saved to after every change.

    Raises
    ------
    SeabattleError
        If no layout fits the position, or the game is too large to be counted.

    Examples
    --------
    >>> from seabattle.solver.advice.advisers import CounterAdviser
    >>> session = Session(Position(Rules("3x3", "3,1,1", answers="sunk")), CounterAdviser)
    >>> session.tell("B1 hit").show
    <Show.MAP: 1>
    >>> session.tell("A1 hitt").lines
    ("'hitt' is not understood; did you mean hit?",)
    """

    def __init__(
        self,
        position: Position,
        advisers: Callable[[Rules], Adviser],
        *,
        autosave: Path | None = None,
    ) -> None:
        self._advisers = advisers
        self._adviser = (position.rules, advisers(position.rules))
        self._states = [self._adviser[1].advise(position)]
        self._now = 0
        self.autosave = autosave
        self.saved = position if position.shots else None
        self._file: Path | None = None
        self._commands: dict[str, Callable[[str], Reply]] = {
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
            "load": self._load,
            "map": lambda _: Reply(show=Show.MAP),
            "best": lambda _: Reply(show=Show.ADVICE),
            "history": self._history,
            "new": lambda _: self._change(Position(self.position.rules)),
            "help": lambda _: Reply(tuple(HELP.splitlines())),
            "?": lambda _: Reply(tuple(HELP.splitlines())),
            "quit": lambda _: Reply(end=True),
            "exit": lambda _: Reply(end=True),
            "q": lambda _: Reply(end=True),
        }

    @property
    def advice(self) -> Advice:
        """What to shoot next."""
        return self._states[self._now]

    @property
    def position(self) -> Position:
        """What is known."""
        return self.advice.position

    def tell(self, line: str) -> Reply:
        """Take a line that was typed; never raises for what it says."""
        words = line.split(maxsplit=1)
        if not words:
            return Reply()
        command = self._commands.get(words[0].lower())
        rest = words[1].strip() if len(words) > 1 else ""
        takes_file = words[0].lower() in ("save", "load")
        try:
            if command is None:
                return self._answer(line.strip())
            if rest and not takes_file:
                return Reply((f"{words[0].lower()} stands alone; {rest[:40]!r} was not expected",))
            return command(rest)
        except SeabattleError as error:
            return Reply((_one_line(error),))

    def _answer(self, line: str) -> Reply:
        if self.advice.over:
            return Reply(("the game is over: all ships are sunk; undo, new or quit",))
        try:
            cell = self.position.rules.board.cell(line)
        except SeabattleError:
            return self._change(told_after(self.position, line, self.advice.best_cells))
        return Reply((self._chance_line(cell),))

    def _chance_line(self, cell: int) -> str:
        name = self.position.rules.board.name(cell)
        before = dict(self.position.shots).get(cell)
        if before is not None:
            return f"{name} was shot already and answered {answer_text(before)}"
        found = self.advice.map
        if found.share(cell)[0] == 0:
            return f"{name}: no ship can be there"
        line = f"{name}: {percent_text(*found.share(cell))} %"
        if isinstance(found, OccupancyMap):
            line += f", a ship in {found.cells[cell]:,} of {found.layouts:,} layouts"
        return line

    def _change(self, position: Position) -> Reply:
        """Go on from another position, if a layout fits it."""
        if position == self.position:
            return Reply(("nothing has changed",))
        adviser = self._adviser
        if position.rules != adviser[0]:
            adviser = (position.rules, self._advisers(position.rules))
        advice = adviser[1].advise(position)
        self._adviser = adviser
        self._states[self._now + 1 :] = [advice]
        self._now += 1
        return self._changed()

    def _changed(self) -> Reply:
        if self.autosave is not None:
            try:
                save_position(self.position, self.autosave)
                self.saved = self.position
            except SeabattleError as error:
                return Reply((_one_line(error),), Show.MAP)
        return Reply(show=Show.MAP)

    def _undo(self, _: str) -> Reply:
        if self._now == 0:
            return Reply(("nothing to undo",))
        self._now -= 1
        return self._changed()

    def _redo(self, _: str) -> Reply:
        if self._now + 1 == len(self._states):
            return Reply(("nothing to redo",))
        self._now += 1
        return self._changed()

    def _save(self, name: str) -> Reply:
        path = _path(name) if name else self._file
        if path is None:
            return Reply(("save to which file? Write save game.json",))
        save_position(self.position, path)
        self._file, self.saved = path, self.position
        return Reply((f"saved in {path}",))

    def _load(self, name: str) -> Reply:
        if not name:
            return Reply(("load which file? Write load game.json",))
        path = _path(name)
        reply = self._change(load_position(path))
        self._file, self.saved = path, self.position
        return Reply((*reply.lines, f"loaded {path}: {self.position.rules}"), Show.MAP)

    def _history(self, _: str) -> Reply:
        board = self.position.rules.board
        lines = [
            f"{number:>3}  {board.name(cell):<4} {answer_text(code)}"
            for number, (cell, code) in enumerate(self.position.shots, start=1)
        ]
        if self.position.ships:
            lines.append(f"sunk ships known: {' '.join(self.position.ship_names)}")
        return Reply(tuple(lines) or ("no shot yet",))

    @property
    def unsaved(self) -> bool:
        """Whether there are shots that no file holds."""
        return bool(self.position.shots) and self.position != self.saved


def _path(name: str) -> Path:
    """A file as typed, quotes and ``~`` allowed."""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        name = name[1:-1]
    try:
        return Path(name).expanduser()
    except RuntimeError:  # no such user
        return Path(name)


def _one_line(error: SeabattleError) -> str:
    """What is wrong, without the list of all answers so far, which the player sees anyway."""
    reason, refused, _ = str(error).partition("no layout of ")
    if not refused:
        return reason
    why = reason.rstrip(": ") or "no layout of the fleet is left that answers so"
    return f"refused: {why}; nothing has changed"


def _names(advice: Advice, cells: tuple[int, ...]) -> str:
    """Cells as a list in words."""
    names = [advice.position.rules.board.name(cell) for cell in cells[:MOST_NAMED]]
    more = len(cells) - len(names)
    if more:
        return f"{', '.join(names)} or {more} more"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _chance_text(advice: Advice, cell: int) -> str:
    """How likely a cell is occupied, in words."""
    part, whole = advice.map.share(cell)
    return "certain" if part == whole else f"{percent_text(part, whole)} %"


def score_line(advice: Advice) -> str:
    """Shots, misses, and the ships sunk where that is known."""
    shots = len(advice.position.shots)
    parts = [
        f"{shots} shot{'s' if shots != 1 else ''}",
        f"{advice.misses} miss{'es' if advice.misses != 1 else ''}",
    ]
    sunk = _sunk_lengths(advice.position)
    if sunk is not None:
        left = list(advice.position.rules.fleet.lengths)
        for length in sunk:
            left.remove(length)
        if sunk:
            parts.append(f"sunk {' '.join(map(str, sorted(sunk, reverse=True)))}")
        if left:
            parts.append(f"afloat {' '.join(map(str, left))}")
    return " · ".join(parts)


def _sunk_lengths(position: Position) -> list[int] | None:
    """Lengths of the ships sunk; None where the answers do not tell."""
    rules = position.rules
    if rules.answers is AnswerMode.HIT:
        return None
    if rules.answers is AnswerMode.SHIP:
        codes = [code for _, code in position.shots if code >= HIT_SHIP]
        lengths = [((code - HIT_SHIP) // 64, codes.count(code)) for code in set(codes)]
        return [length for length, hits in lengths if hits == length]
    sunk = [(cell, code) for cell, code in position.shots if is_sunk(code)]
    if rules.contact is not Contact.SIDES:
        return [hit_group(rules.board, position.hit_mask, cell).bit_count() for cell, _ in sunk]
    if any(code < SUNK_LENGTH for _, code in sunk):
        return None
    return [code - SUNK_LENGTH for _, code in sunk]


def advice_lines(advice: Advice) -> list[str]:
    """What to shoot and why, in words."""
    if advice.over:
        shots = len(advice.position.shots)
        misses = f"{advice.misses} miss{'es' if advice.misses != 1 else ''}"
        return [f"All ships are sunk: the game is over after {shots} shots with {misses}."]
    lines = []
    if advice.ships is not None:
        lines.append(f"One layout is left, the ships are at {' '.join(advice.ships)}.")
    groups: dict[Any, list[int]] = {}
    for cell in advice.best_cells:
        exact = isinstance(advice.map, OccupancyMap)
        alike = advice.map.share(cell) if exact else _chance_text(advice, cell)
        groups.setdefault(alike, []).append(cell)
    shown = [
        f"{_names(advice, tuple(cells))} ({_chance_text(advice, cells[0])})"
        for cells in groups.values()
    ]
    line = f"Shoot {', or '.join(shown[:4])}"
    if len(shown) > 4:
        line += f", or {sum(map(len, list(groups.values())[4:]))} more"
    lines.append(f"{line}.")
    lines.append(_method_line(advice))
    if advice.note:
        lines.append(f"({advice.note})")
    return lines


def _method_line(advice: Advice) -> str:
    if advice.method is Method.GREEDY_MAP:
        sure = set(advice.best_cells) <= set(advice.map.certain_cells)
        return "A certain hit." if sure else "Greedy: the likeliest cell."
    mean, worst = advice.mean_misses, advice.worst_misses
    if 0 in (mean, worst):
        return "Nothing more will be missed."
    told = []
    if mean is not None:
        exact = f" ({mean})" if mean.denominator > 1 else ""
        told.append(f"mean {float(mean):.2f}{exact}")
    if worst is not None:
        told.append(f"worst {worst}")
    return (
        f"Optimal: {advice.layouts:,} layouts are left, misses still to expect: {', '.join(told)}."
    )


def heat_map(advice: Advice) -> HeatMap:
    """The map of an advice, the best shots marked, the score above it."""
    return HeatMap.of(advice.map, best_cells=advice.best_cells, title=score_line(advice))
