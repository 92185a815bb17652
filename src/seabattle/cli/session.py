"""A game in progress beside its adviser: what is typed goes in, what is to be shown comes out.

Nothing here reads or writes a terminal, and nothing typed can end in an exception: a line that
cannot be understood is answered in one line, and the game stays as it was. Answers that contradict
each other are kept: the game goes on without advice until they are corrected. Every change, loading
another game included, can be undone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from seabattle.cli.typed_answers import (
    CORRECTIONS,
    cells_joined,
    names_no_cell,
    parts_of,
    told_after,
)
from seabattle.enumerate.answers import HIT_SHIP, SUNK_LENGTH, answer_text, is_sunk
from seabattle.enumerate.counting.conflict import Conflict, conflict, with_contact
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.enumerate.map import MOST_NAMED, HeatMap, OccupancyMap, save_heatmap
from seabattle.enumerate.picture import SUFFIXES
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import load_position, save_position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules, choose
from seabattle.enumerate.words import counted, percent_text
from seabattle.solver.advice import Advice, Adviser, Method

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
        self._advisers = lru_cache(maxsize=1)(advisers)
        self._memory_limit = memory_limit
        self._states = [self._state(position)]
        self._now = 0
        self.autosave = autosave
        self.saved: Position | None = None
        self.save_fault: SeabattleError | None = None
        self._file: Path | None = None
        self._commands: dict[str, Callable[[str], Reply]] = {
            "undo": lambda rest: self._step("undo", rest, -1, self._now),
            "redo": lambda rest: self._step("redo", rest, 1, len(self._states) - 1 - self._now),
            "contact": self._contact,
            "save": self._save,
            "load": self._load,
            "map": lambda _: Reply(show=Show.MAP),
            "best": lambda _: Reply(show=Show.ADVICE),
            "history": self._history,
            "new": lambda _: self._change(Position(self.position.rules)),
            **dict.fromkeys(("help", "?"), lambda _: Reply(tuple(HELP.splitlines()))),
            **dict.fromkeys(("quit", "exit", "q"), lambda _: Reply(end=True)),
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
            return Reply((_one_line(error),))

    def _answer(self, line: str) -> Reply:
        if self.over and line.split()[0].lower() not in CORRECTIONS:
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
        """The state at a position.

        Raises
        ------
        PositionError
            If no layout fits even if only the shots just told are taken for certain.
        """
        try:
            return State(position, self._advisers(position.rules).advise(position))
        except PositionError:
            found = conflict(position, memory_limit=self._memory_limit)
            if found is None or {position.shots[number - 1] for number in found.shots} <= told:
                raise
            return State(position, None, found)

    def _change(self, position: Position, line: str = "", *, fitting: bool = False) -> Reply:
        """Go on from another position; a single answer that contradicts itself is refused.

        ``fitting``: so is one whose answers contradict each other.
        """
        if position == self.position:
            return Reply(("nothing has changed",))
        told = frozenset[tuple[int, int]]()
        if len(parts_of(line)) == 1:
            told = frozenset(position.shots) - frozenset(self.position.shots)
        state = self._state(position, told)
        if fitting and state.conflict is not None:
            contact = position.rules.contact.value
            raise PositionError(f"with contact {contact}, too, {state.conflict} contradict each "
                                f"other; nothing has changed")  # fmt: skip
        self._states[self._now + 1 :] = [state]
        self._now += 1
        return self._changed()

    def _changed(self) -> Reply:
        if self.autosave is not None:
            try:
                self.save(self.autosave)
            except SeabattleError as error:
                self.save_fault = error
                return Reply((_one_line(error),), Show.MAP)
        return Reply(show=Show.MAP)

    def save(self, path: Path) -> None:
        """Write the position to a file.

        Raises
        ------
        FileAccessError
            If it cannot be written.
        """
        save_position(self.position, path)
        self.saved, self.save_fault = self.position, None

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
        return self._change(
            with_contact(self.position, choose(Contact, name, "contact rule")), fitting=True
        )

    def _save(self, name: str) -> Reply:
        path = _path(name) if name else self._file
        if path is None:
            return Reply(("save to which file? Write save game.json",))
        if path.suffix.lower() in SUFFIXES:
            if self.advice is None:
                return Reply(("no map is known while answers contradict each other",))
            save_heatmap(heat_map(self.advice), path)
            return Reply((f"saved a picture of the map in {path}",))
        self.save(path)
        self._file = path
        return Reply((f"saved in {path}",))

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


def _path(name: str) -> Path:
    """A file as typed, quotes and ``~`` allowed."""
    return Path(os.path.expanduser(name.strip("'\"")))


def _one_line(error: SeabattleError) -> str:
    """What is wrong, without the list of all answers so far, which the player sees anyway."""
    reason, refused, _ = str(error).partition("no layout of ")
    if not refused:
        return reason
    why = reason.rstrip(": ") or "no layout of the fleet is left that answers so"
    return f"refused: {why}; nothing has changed"


# What there is to say, in words.


def heat_map(advice: Advice) -> HeatMap:
    """The map of an advice, the best shots marked, the score above it."""
    return replace(advice.map, marked=advice.best_cells, title=_score_line(advice))


def _score_line(advice: Advice) -> str:
    """Shots, misses, and the ships sunk where that is known."""
    parts = [counted(len(advice.position.shots), "shot"), counted(advice.misses, "miss")]
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
        return [rules.board.group(position.hit_mask, cell).bit_count() for cell, _ in sunk]
    if any(code < SUNK_LENGTH for _, code in sunk):
        return None
    return [code - SUNK_LENGTH for _, code in sunk]


def _names(advice: Advice, cells: Sequence[int]) -> str:
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


def advice_lines(advice: Advice) -> list[str]:
    """What to shoot and why, in words."""
    if advice.over:
        misses = counted(advice.misses, "miss")
        shots = len(advice.position.shots)
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
        f"{_names(advice, cells)} ({_chance_text(advice, cells[0])})" for cells in groups.values()
    ]
    line = f"Shoot {', or '.join(shown[:4])}"
    if len(shown) > 4:
        line += f", or {sum(map(len, list(groups.values())[4:]))} more"
    lines += [f"{line}.", _method_line(advice), *_beside_lines(advice)]
    if advice.salvo:
        turn = advice.map.salvo(advice.salvo)
        lines.append(f"In a turn of {counted(advice.salvo, 'shot')}: {' '.join(turn.cells)}, "
                     f"{turn.hits:.2f} hits to expect.")  # fmt: skip
    if advice.note:
        lines.append(f"({advice.note})")
    return lines


def _method_line(advice: Advice) -> str:
    if advice.method is not Method.OPTIMAL:
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


def _beside_lines(advice: Advice) -> list[str]:
    """The best cell beside a hit, where the advice is to shoot elsewhere first, and why."""
    best = advice.beside_hits
    if not best or set(best) & set(advice.best_cells):
        return []
    why = (
        "shot first, it costs more misses in the end"
        if advice.method is Method.OPTIMAL
        else "the shot advised is likelier to hit"
    )
    return [f"Best beside a hit: {_names(advice, best)} ({_chance_text(advice, best[0])}); {why}."]


def conflict_lines(conflict: Conflict) -> list[str]:
    """Which answers cannot stand together, and what to type to resolve it."""
    told = [
        f"{cell} {answer} (shot {number})"
        for (cell, answer), number in zip(conflict.answers, conflict.shots, strict=True)
    ]
    told += [f"ship {ship} sunk" for ship in conflict.ships]
    if len(told) == 1:
        lines = [f"This answer cannot be right: {told[0]}."]
    else:
        lines = [f"These answers cannot stand together: {_some(told)}."]
    changes = [f"change {cell} {answer.replace(':', ' ', 1)}" for cell, answer in conflict.changes]
    if changes:
        lines.append(f"One of these makes them fit: {_some(changes)}")
    else:
        lines.append("No single change of one of them makes them fit; change or remove several.")
    cells = [cell for cell, _ in conflict.answers]
    if cells:
        lines.append(
            f"Or take back: {_some([f'remove {cell}' for cell in reversed(cells)])} · undo"
        )
    if conflict.contact_that_fits is not None:
        where = "at corners" if conflict.contact_that_fits is Contact.CORNERS else "anywhere"
        lines.append(f"Or if ships may touch {where}: contact {conflict.contact_that_fits.value}")
    lines.append("What you typed is kept; there is advice again once the answers fit.")
    return lines


def _some(parts: list[str]) -> str:
    more = len(parts) - MOST_NAMED
    shown = " · ".join(parts[:MOST_NAMED])
    return f"{shown} · and {more} more" if more > 0 else shown
