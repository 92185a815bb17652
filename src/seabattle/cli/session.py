"""A game in progress beside its adviser: what is typed goes in, what is to be shown comes out.

Nothing here reads or writes a terminal, and nothing typed can end in an exception: a line that
cannot be understood is answered in one line, and the game stays as it was. Answers that contradict
each other are kept: the game goes on without advice until they are corrected. Every change, loading
another game included, can be undone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from seabattle.cli.shared import facts_text
from seabattle.cli.typed_answers import parts_of, told_after
from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.board_text import is_board
from seabattle.enumerate.counting.conflict import Conflict, conflict, with_contact
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.enumerate.files import read_text
from seabattle.enumerate.map import save_heatmap
from seabattle.enumerate.picture import SUFFIXES
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import (
    asked_of_text,
    position_of_text,
    save_position,
)
from seabattle.enumerate.rules import Contact, choose
from seabattle.solver.advice import Advice, Adviser

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
new                          the same game from the start
help · quit"""

TAKE_MORE = {"undo", "redo", "save", "load", "contact"}
"""Commands that do not stand alone."""


@dataclass(frozen=True)
class Reply:
    """What comes out of a line.

    Attributes
    ----------
    lines
        To print.
    changed
        Whether the map and the advice are to be shown, or what contradicts each other.
    end
        Whether the game is left.
    """

    lines: tuple[str, ...] = ()
    changed: bool = False
    end: bool = False


State = Advice | Conflict
"""What is known, with what to shoot and why, or with what cannot be and how to mend it."""


class Session:
    """A game in progress.

    Parameters
    ----------
    position
        Where to begin.
    advisers
        Gives the adviser of a game's rules, and of how it is asked about, as keywords.
    memory_limit
        GiB for finding out which answers contradict each other.
    asked
        How the game is weighed and asked about, to be kept in its file; a file that is loaded and
        says it otherwise is asked about as it says.

    Raises
    ------
    SeabattleError
        If the game has no layout, or is too large to be counted.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.advice import CounterAdviser
    >>> session = Session(Position(Rules("3x3", "3,1,1", answers="sunk")), CounterAdviser)
    >>> session.tell("B1 hit").changed
    True
    >>> session.tell("A1 hitt").lines
    ("'hitt' is not understood; did you mean hit?",)
    """

    def __init__(
        self,
        position: Position,
        advisers: Callable[..., Adviser],
        memory_limit: float = 4.0,
        asked: Mapping[str, Any] | None = None,
    ) -> None:
        self._advisers = lru_cache(maxsize=1)(advisers)
        self._memory_limit = memory_limit
        begun = dict(asked or {})
        begin = self._state(position, begun)
        self._states: list[tuple[State, Mapping[str, Any]]] = [(begin, begun)]
        self._now = 0
        self.saved: Position | None = None
        self._file: Path | None = None
        self._commands: dict[str, Callable[[str], Reply]] = {
            "undo": lambda rest: self._step("undo", rest, -1, self._now),
            "redo": lambda rest: self._step("redo", rest, 1, len(self._states) - 1 - self._now),
            "contact": self._contact,
            "save": self._save,
            "load": self._load,
            "map": lambda _: Reply(changed=True),
            "best": lambda _: Reply(tuple(facts_text(self.state.facts()).splitlines())),
            "history": self._history,
            "new": lambda _: self._go(self._state(Position(self.position.rules))),
            **dict.fromkeys(("help", "?"), lambda _: Reply(tuple(HELP.splitlines()))),
            **dict.fromkeys(("quit", "exit", "q"), lambda _: Reply(end=True)),
        }

    @property
    def state(self) -> State:
        """What is known, and what follows."""
        return self._states[self._now][0]

    @property
    def asked(self) -> Mapping[str, Any]:
        """How the game is weighed and asked about."""
        return self._states[self._now][1]

    @property
    def advice(self) -> Advice | None:
        """What follows, unless answers contradict each other."""
        return self.state if isinstance(self.state, Advice) else None

    @property
    def position(self) -> Position:
        """What is known."""
        return self.state.position

    @property
    def over(self) -> bool:
        """Whether every ship is sunk."""
        return self.advice is not None and self.advice.over

    @property
    def unsaved(self) -> bool:
        """Whether there are shots that no file holds."""
        return bool(self.position.shots) and self.position != self.saved

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
            return Reply((str(error),))

    def _answer(self, line: str) -> Reply:
        correcting = line.split()[0].lower() in ("change", "remove")
        if self.over and not correcting:
            return Reply(("the game is over: all ships are sunk; undo, new or quit",))
        board, advice = self.position.rules.board, self.advice
        try:
            return Reply((self._chance_line(board.cell(line)),))
        except SeabattleError:
            pass
        parts = parts_of(line)
        if advice is None or correcting or not parts or not parts[0].word or parts[0].cells:
            return self._go(self._state(told_after(self.position, line)))
        shot = advice.best_cells[0]  # whose answer it is
        reply = self._go(self._state(told_after(self.position, f"{board.name(shot)} {line}")))
        told = answer_text(dict(self.position.shots)[shot])
        return replace(reply, lines=(f"recorded: {board.name(shot)} {told}", *reply.lines))

    def _chance_line(self, cell: int) -> str:
        name = self.position.rules.board.name(cell)
        before = dict(self.position.shots).get(cell)
        if before is not None:
            return f"{name} was shot already and answered {answer_text(before)}"
        if self.advice is None:
            return f"{name}: not known while answers contradict each other"
        found = self.advice.map
        if not found.shares[cell]:
            return f"{name}: no ship can be there"
        line = f"{name}: {found.chance_text(cell)}"
        if found.counts_layouts:
            line += f", a ship in {found.cells[cell]:,} of {found.layouts:,} layouts"
        return line

    def _state(self, position: Position, asked: Mapping[str, Any] | None = None) -> State:
        """The state at a position, asked about as before unless it is said otherwise.

        Raises
        ------
        SeabattleError
            If the game has no layout, or is too large to be counted.
        """
        try:
            how = self.asked if asked is None else asked
            return self._advisers(position.rules, **how).advise(position)
        except PositionError:
            found = conflict(position, memory_limit=self._memory_limit)
            if found is None:
                raise
            return found

    def _go(self, state: State, asked: Mapping[str, Any] | None = None) -> Reply:
        """Go on from another state, asked about as before unless it is said otherwise."""
        how = self.asked if asked is None else asked
        if state.position == self.position and how == self.asked:
            return Reply(("nothing has changed",))
        self._states[self._now + 1 :] = [(state, how)]
        self._now += 1
        return Reply(changed=True)

    def save(self, path: Path) -> None:
        """Write the position to a file.

        Raises
        ------
        FileAccessError
            If it cannot be written.
        """
        save_position(self.position, path, self.asked)
        self.saved = self.position

    def _step(self, word: str, number: str, direction: int, most: int) -> Reply:
        """Go back or forth by a number of changes as typed, one by default."""
        number = number[:6] or "1"
        steps = int(number) if number.isdecimal() else 0
        if most == 0:
            return Reply((f"nothing to {word}",))
        if not 1 <= steps <= most:
            return Reply((f"{word} {number}: from 1 to {most} can be given",))
        self._now += direction * steps
        return Reply(changed=True)

    def _contact(self, name: str) -> Reply:
        if not name:
            return Reply((f"contact rule {self.position.rules.contact.value}; another one by "
                          f"contact none, contact corners or contact sides",))  # fmt: skip
        state = self._state(with_contact(self.position, choose(Contact, name, "contact rule")))
        if isinstance(state, Conflict):
            return Reply((f"contact {name}: {state} contradict each other then, too",))
        return self._go(state)

    def _save(self, name: str) -> Reply:
        path = _path(name) if name else self._file
        if path is None:
            return Reply(("save to which file? Write save game.json",))
        if path.suffix.lower() in SUFFIXES:
            if self.advice is None:
                return Reply(("no map is known while answers contradict each other",))
            save_heatmap(self.advice.shown, path)
            return Reply((f"saved a picture of the map in {path}",))
        self.save(path)
        self._file = path
        return Reply((f"saved in {path}",))

    def _load(self, name: str) -> Reply:
        if not name:
            return Reply(("load which file? Write load game.json",))
        path = _path(name)
        text = read_text(path)
        game: dict[str, Any] = self.position.rules.document() if is_board(text) else {}
        position, before = position_of_text(text, path, contradictory=True, **game), self.asked
        asked = asked_of_text(text, path) or before
        reply = self._go(self._state(position, asked), asked)
        self._file, self.saved = None if is_board(text) else path, self.position
        told = ", ".join(f"{name} {value}" for name, value in asked.items())
        how = "" if asked == before else f"; asked about with {told}"
        return Reply((*reply.lines, f"loaded {path}: {self.position.rules}{how}"), changed=True)

    def _history(self, _: str) -> Reply:
        board = self.position.rules.board
        lines = [
            f"{number:>3}  {board.name(cell):<4} {answer_text(code)}"
            for number, (cell, code) in enumerate(self.position.shots, start=1)
        ]
        if self.position.ships:
            lines.append(f"sunk ships known: {' '.join(self.position.ship_names)}")
        return Reply(tuple(lines) or ("no shot yet",))


def _path(name: str) -> Path:
    """A file as typed, quotes and ``~`` allowed."""
    plain = name.strip("'\"")
    try:
        return Path(os.path.expanduser(plain))
    except ValueError:  # nobody can be called so, nor can a file: who writes it says why
        return Path(plain)
