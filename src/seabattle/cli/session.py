"""A game in progress beside its adviser: what is typed goes in, what is to be shown comes out.

Nothing here reads or writes a terminal, and nothing typed can end in an exception: a line that
cannot be understood is answered in one line, and the game stays as it was. Answers that contradict
each other are kept: the game goes on without advice until they are corrected. Every change, loading
another game included, can be undone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from seabattle.cli.advice_words import heat_map
from seabattle.cli.answer_lines import (
    cells_joined,
    corrected,
    names_no_cell,
    parts_of,
    told_after,
    without_shots,
)
from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.colours import Theme
from seabattle.enumerate.counting.conflict import Conflict, conflict, with_contact
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.enumerate.map import OccupancyMap
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import load_position, save_position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import Advice, Adviser
from seabattle.trees.drawing.heatmap import percent_text
from seabattle.trees.drawing.heatmap_picture import save_heatmap

HELP = """\
C1 miss · C1 hit · C1 sunk   the answer to a shot; case does not matter
miss · hit · sunk            the answer to the shot advised (the first named)
C1 miss, D4 hit              several at once; miss A1:A4 for a row of cells
sunk A1:A4                   a ship sunk, by its two ends
C1 sunk 3                    a sinking with its length, where it is told
C1 hit 3#1                   a hit that names the ship, where it is told
C1                           how likely a ship is there
change C1 hit · remove C6    correct an earlier answer, or take its shot back
undo · redo · undo 3         take back, or give again, one line or several
contact corners              play on under another contact rule
map · best · history         show the map, the best shots, all shots so far
save FILE · load FILE        keep the game, go on with another one
save map.svg                 save a picture of the map: .svg, .png or .pdf
save map.png dark 3          the same, dark (or light, print), 3 times as large
new                          the same game from the start
help · quit"""

PICTURE = re.compile(r"(.*\.(?:svg|png|pdf))((?:\s+\S+)*)", re.IGNORECASE)
"""The name of a picture, and what may follow: its theme and its scale."""

TAKE_MORE = {"undo": "a number", "redo": "a number", "save": "a file", "load": "a file",
             "change": "answers", "remove": "cells", "contact": "a contact rule"}  # fmt: skip
"""Commands that do not stand alone, and what they take."""


class Show(Enum):
    """What to show after the lines of a reply."""

    NOTHING = 0
    MAP = 1
    """The map, then the advice; or what contradicts each other."""
    ADVICE = 2


@dataclass(frozen=True)
class Reply:
    """What comes out of a line: lines to print, what to show after them, whether it is the end."""

    lines: tuple[str, ...] = ()
    show: Show = Show.NOTHING
    end: bool = False


@dataclass(frozen=True)
class State:
    """What is known, with the advice, or with the answers that contradict each other."""

    position: Position
    advice: Advice | None
    conflict: Conflict | None = None


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
    memory_limit
        GiB for finding out which answers contradict each other.

    Raises
    ------
    SeabattleError
        If the game has no layout, or is too large to be counted.

    Examples
    --------
    >>> from seabattle.solver.advice import CounterAdviser
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
        memory_limit: float = 4.0,
    ) -> None:
        self._advisers = advisers
        self._adviser = (position.rules, advisers(position.rules))
        self._memory_limit = memory_limit
        self._states = [self._state(position)]
        self._now = 0
        self.autosave = autosave
        self.save_fault: SeabattleError | None = None
        self.saved = position if position.shots else None
        self._file: Path | None = None
        self._commands: dict[str, Callable[[str], Reply]] = {
            "undo": self._undo,
            "redo": self._redo,
            "change": lambda rest: self._change(corrected(self.position, rest), rest),
            "remove": lambda rest: self._change(without_shots(self.position, rest)),
            "contact": self._contact,
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
    def advice(self) -> Advice | None:
        """What to shoot next; None while answers contradict each other."""
        return self._states[self._now].advice

    @property
    def conflict(self) -> Conflict | None:
        """Answers that cannot stand together, if they do not."""
        return self._states[self._now].conflict

    @property
    def position(self) -> Position:
        """What is known."""
        return self._states[self._now].position

    @property
    def over(self) -> bool:
        """Whether every ship is sunk."""
        return self.advice is not None and self.advice.over

    def tell(self, line: str) -> Reply:
        """Take a line that was typed; never raises for what it says."""
        words = line.split(maxsplit=1)
        if not words:
            return Reply()
        command = self._commands.get(words[0].lower())
        rest = words[1].strip() if len(words) > 1 else ""
        try:
            if command is None:
                return self._answer(line.strip())
            if rest and words[0].lower() not in TAKE_MORE:
                return Reply((f"{words[0].lower()} stands alone; {rest[:40]!r} was not expected",))
            return command(rest)
        except SeabattleError as error:
            return Reply((_one_line(error),))

    def _answer(self, line: str) -> Reply:
        if self.over:
            return Reply(("the game is over: all ships are sunk; undo, new or quit",))
        try:
            cell = self.position.rules.board.cell(cells_joined(line))
        except SeabattleError:
            pass
        else:
            return Reply((self._chance_line(cell),))
        before = len(self.position.shots)
        advised = self.advice.best_cells if self.advice is not None else ()
        reply = self._change(told_after(self.position, line, advised), line)
        made = self.position.shots[before:]
        if made and names_no_cell(line):
            told = f"{self.position.rules.board.name(made[0][0])} {answer_text(made[0][1])}"
            return Reply((f"recorded: {told}", *reply.lines), reply.show)
        return reply

    def _chance_line(self, cell: int) -> str:
        name = self.position.rules.board.name(cell)
        before = dict(self.position.shots).get(cell)
        if before is not None:
            return f"{name} was shot already and answered {answer_text(before)}"
        if self.advice is None:
            return f"{name}: not known while answers contradict each other"
        found = self.advice.map
        if found.share(cell)[0] == 0:
            return f"{name}: no ship can be there"
        line = f"{name}: {percent_text(*found.share(cell))} %"
        if isinstance(found, OccupancyMap):
            line += f", a ship in {found.cells[cell]:,} of {found.layouts:,} layouts"
        return line

    def _state(self, position: Position, told: frozenset[tuple[int, int]] = frozenset()) -> State:
        """The state at a position, whose rules are those of the adviser.

        Raises
        ------
        PositionError
            If no layout fits even if only the shots just told are taken for certain.
        """
        try:
            return State(position, self._adviser[1].advise(position))
        except PositionError:
            found = conflict(position, memory_limit=self._memory_limit)
            if found is None:
                raise
            blamed = {position.shots[number - 1] for number in found.shots}
            if blamed <= told:
                raise
            return State(position, None, found)

    def _change(self, position: Position, line: str = "") -> Reply:
        """Go on from another position; a single answer that contradicts itself is refused."""
        if position == self.position:
            return Reply(("nothing has changed",))
        before, told = self._adviser, frozenset[tuple[int, int]]()
        if position.rules != before[0]:
            self._adviser = (position.rules, self._advisers(position.rules))
        if len(parts_of(line)) == 1:
            told = frozenset(position.shots) - frozenset(self.position.shots)
        try:
            state = self._state(position, told)
        except BaseException:
            self._adviser = before
            raise
        self._states[self._now + 1 :] = [state]
        self._now += 1
        return self._changed()

    def _changed(self) -> Reply:
        if self.autosave is not None:
            try:
                save_position(self.position, self.autosave)
                self.saved, self.save_fault = self.position, None
            except SeabattleError as error:
                self.save_fault = error
                return Reply((_one_line(error),), Show.MAP)
        return Reply(show=Show.MAP)

    def _undo(self, number: str) -> Reply:
        return self._step("undo", number, -1, self._now)

    def _redo(self, number: str) -> Reply:
        return self._step("redo", number, 1, len(self._states) - 1 - self._now)

    def _step(self, word: str, number: str, direction: int, most: int) -> Reply:
        """Go back or forth by a number of changes as typed, one by default."""
        if number and not (number.isascii() and number.isdigit()):
            return Reply(
                (f"{word} stands alone or with a number; {number[:40]!r} was not expected",)
            )
        steps = int(number[:6] or 1)
        if most == 0:
            return Reply((f"nothing to {word}",))
        if not 1 <= steps <= most:
            return Reply((f"{word} {steps}: from 1 to {most} can be given",))
        self._now += direction * steps
        return self._changed()

    def _contact(self, name: str) -> Reply:
        if not name:
            return Reply((f"contact rule {self.position.rules.contact.value}; another one by "
                          f"contact none, contact corners or contact sides",))  # fmt: skip
        return self._change(with_contact(self.position, name))

    def _save(self, name: str) -> Reply:
        picture = PICTURE.fullmatch(name)
        if picture is not None:
            return self._save_picture(_path(picture[1]), picture[2].split())
        path = _path(name) if name else self._file
        if path is None:
            return Reply(("save to which file? Write save game.json",))
        save_position(self.position, path)
        self._file, self.saved, self.save_fault = path, self.position, None
        return Reply((f"saved in {path}",))

    def _save_picture(self, path: Path, words: Sequence[str]) -> Reply:
        """Save the map as a picture; the words after its name are a theme and a scale."""
        if self.advice is None:
            return Reply(("no map is known while answers contradict each other",))
        theme, scale = Theme.LIGHT, None
        for word in words:
            if word.lower() in list(Theme):
                theme = Theme(word.lower())
            elif re.fullmatch(r"[0-9]+(\.[0-9]+)?", word):
                scale = float(word)
            else:
                return Reply((f"{word}: after the file write light, dark or print, and a size "
                              f"such as 2",))  # fmt: skip
        save_heatmap(heat_map(self.advice), path, scale=scale, theme=theme)
        return Reply((f"saved a picture of the map in {path}",))

    def _load(self, name: str) -> Reply:
        if not name:
            return Reply(("load which file? Write load game.json",))
        path = _path(name)
        reply = self._change(load_position(path, contradictory=True))
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
