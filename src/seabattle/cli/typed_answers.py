"""Answers as a player types them: ``C1 miss``, ``sunk A1:A4``, ``hit`` alone, several at once.

A line has one or more answers joined by commas or semicolons. An answer has cells, which may be
written ``J 8`` or ``8J`` and may be a range (``A1:A4``), and beside them in either order what was
answered, as ``answers.read_answer`` reads it: ``miss``, ``killed``, ``sunk 3``, ``hit 3#1``. An
answer without a cell is that to the shot advised. What the rules leave no choice about need not be
said: a length, or the name of a ship, that is the only one possible.

A line that begins with ``change`` or ``remove`` corrects answers given before: ``change C1 hit``,
``remove C6``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from seabattle.enumerate.answers import (
    HIT,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK_LENGTH,
    MISS,
    answer_text,
    kernel_mode,
    possible_answers,
    read_answer,
    sunk_code,
)
from seabattle.enumerate.board import LOOK_ALIKE
from seabattle.enumerate.deductions import check_answers
from seabattle.enumerate.errors import PositionError, RulesError, SeabattleError
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Contact, Rules

_APART = re.compile(
    r"(?<![A-Z0-9#])(?:(?P<letters>[A-Z]{1,2})\s+(?P<number>[0-9]+)(?!\s*\#)"
    r"|(?P<first>[0-9]+)(?P<last>[A-Z]{1,2}))(?![A-Z0-9])",
    re.IGNORECASE | re.ASCII,
)
_CELLS = re.compile(
    r"(?<![A-Z0-9#])(?!(?:MISS|HIT|SUNK)[0-9])[A-Z]+[0-9]+(?P<end>\s*:\s*[A-Z]+[0-9]+)?(?![A-Z0-9])",
    re.IGNORECASE | re.ASCII,
)
_LATIN = LOOK_ALIKE | {ord(chr(a).lower()): ord(chr(b).lower()) for a, b in LOOK_ALIKE.items()}
"""Cyrillic letters that look like Latin ones."""

_WORDS = ("miss", "hit", "sunk", "killed", "water")
"""What a word may have been meant as."""


@dataclass(frozen=True)
class Said:
    """One answer as it was typed: cells, the ship sunk, what was answered, the number in that."""

    text: str
    cells: tuple[int, ...]
    ship: Placement | None
    answer: str
    word: str
    number: str


# Lines.


def told_after(position: Position, line: str, advised: Sequence[int] = ()) -> Position:
    """The position after the answers of a line, which ``change`` and ``remove`` correct.

    Parameters
    ----------
    position
        What was known before.
    line
        What was typed.
    advised
        The shots advised, best first: an answer without a cell is that to the first one.

    Raises
    ------
    SeabattleError
        If the line cannot be understood, or contradicts the rules or what is known. One line.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> start = Position(Rules("5x5", "3,2,1", answers="sunk"))
    >>> after = told_after(start, "hit; c3 MISS, sunk a1:a2", [0])
    >>> [(start.rules.board.name(cell), answer_text(code)) for cell, code in after.shots]
    [('A1', 'hit'), ('C3', 'miss'), ('A2', 'sunk')]
    """
    word, _, rest = line.strip().partition(" ")
    if correction := CORRECTIONS.get(word.lower()):
        return correction(position, rest.strip())
    for number, part in enumerate(parts_of(line)):
        said = _read(position, part)
        if not said.cells:
            if number:
                raise PositionError(f"{part!r}: which cell? Only the first answer of a line may "
                                    f"leave it out")  # fmt: skip
            if not advised:
                raise PositionError(f"{part!r}: which cell?")
            said = replace(said, cells=(advised[0],))
        position = _tell(position, said)
    return position


def played(position: Position, lines: Iterable[str]) -> Position:
    """The position after lines of answers.

    Raises
    ------
    PositionError
        If a line cannot be understood; names it. One line.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> start = Position(Rules("5x5", "3,2,1"))
    >>> played(start, ["C1 miss", "", "d4 hit", "change C1 hit"]).shots
    ((2, 1), (18, 1))
    """
    for number, line in enumerate(lines, start=1):
        try:
            position = told_after(position, line)
        except SeabattleError as error:
            raise PositionError(f"line {number} of standard input: {error}") from None
    return position


def corrected(position: Position, line: str) -> Position:
    """The position with other answers to some of its shots.

    Parameters
    ----------
    position
        What was told before; the answers may contradict each other.
    line
        What was typed after ``change``: answers to cells shot already.

    Raises
    ------
    SeabattleError
        If the line cannot be understood, or a cell has not been shot. One line.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> start = Position.in_order(Rules("5x5", "3,2,1", answers="sunk"), "C1 miss, D4 miss")
    >>> corrected(start, "C1 hit") == Position.in_order(start.rules, "C1 hit, D4 miss")
    True
    """
    if not line:
        raise PositionError("change which answer? Write change C1 hit")
    for part in parts_of(line):
        said = _read(position, part)
        if said.ship is not None or len(said.cells) != 1:
            raise PositionError(f"{_short(part)}: change one shot at a time, as in change C1 sunk")
        position = position.change(said.cells[0], _answer(position, said.cells[0], said))
    return position


def without_shots(position: Position, line: str) -> Position:
    """The position without some of its shots, typed after ``remove``.

    Raises
    ------
    SeabattleError
        If a word is no cell, or has not been shot. One line.
    """
    names = re.split(r"[,;\s]+", cells_joined(line).strip(" ,;\t"))
    if names == [""]:
        raise PositionError("remove which shot? Write remove C6")
    for name in names:
        position = position.without(name)
    return position


CORRECTIONS = {"change": corrected, "remove": without_shots}
"""What a line may begin with that corrects earlier answers."""


def names_no_cell(line: str) -> bool:
    """Whether the first answer of a line leaves its cell out.

    >>> names_no_cell("hit, C3 miss"), names_no_cell("sunk A1:A2")
    (True, False)
    """
    return not any(_CELLS.search(part) for part in parts_of(line)[:1])


def cells_joined(text: str) -> str:
    """The text with cells written ``J8`` that are written ``J 8`` or ``8J``, in Latin letters.

    A single letter before a number is no cell where it is the only word for an answer.

    >>> cells_joined("J 8 hit"), cells_joined("miss 8J"), cells_joined("C1 s 3")
    ('J8 hit', 'miss J8', 'C1 s 3')
    """

    def join(found: re.Match[str]) -> str:
        letters = found["letters"] or found["last"]
        rest = text[: found.start()] + " " + text[found.end() :]
        if _is_word(letters) and not any(map(_is_word, re.findall("[A-Za-z]+", rest))):
            return found[0]
        return f"{letters}{found['number'] or found['first']}"

    text = text.translate(_LATIN)
    return _APART.sub(join, text)


def parts_of(line: str) -> list[str]:
    """The answers of a line."""
    parts = (part.strip() for part in re.split("[,;]", line))
    return [cells_joined(part) for part in parts if part]


# One answer.


def _short(text: str) -> str:
    """A typed text as messages show it."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _is_word(text: str) -> bool:
    """Whether a word is that of an answer."""
    try:
        return bool(read_answer(text, Rules("2x2", "1"))) and text.isalpha()
    except RulesError:
        return False


def _read(position: Position, text: str) -> Said:
    """Take an answer apart."""
    board = position.rules.board
    named = list(_CELLS.finditer(text))
    cells = [board.cell(found[0]) for found in named if not found["end"]]
    ships = [Placement.parse("".join(f[0].upper().split()), board) for f in named if f["end"]]
    answer = " ".join(_CELLS.sub(" ", text).split()).strip(" :=")
    answer = f"hit {answer}" if re.fullmatch(r"[0-9]+ ?# ?[0-9]+", answer) else answer
    if not answer:
        shown = text if len(text) <= 40 else "A1"
        raise PositionError(f"{shown}: what was the answer? Write {shown} miss, or hit or sunk")
    parts = re.fullmatch(r"([A-Z]+)[\s:=]*([0-9]*)([\s#0-9]*)", answer, re.IGNORECASE | re.ASCII)
    if parts is None or not _is_word(parts[1]):
        near = get_close_matches(answer.lower()[:20], _WORDS, n=1)
        hint = f"did you mean {near[0]}?" if near else "try C1 miss, or help"
        raise PositionError(f"{_short(answer)} is not understood; {hint}")
    word = answer_text(read_answer(parts[1], position.rules)[0])
    if len(ships) > 1:
        raise PositionError(f"{_short(text)}: one ship at a time, joined by commas")
    ship = ships[0] if ships and word == "sunk" else None
    if ships and ship is None:
        cells += ships[0].cells
    if ship is not None:
        if len(cells) > 1 or not set(cells) <= set(ship.cells):
            raise PositionError(
                f"{_short(text)}: the shot must be one cell of the ship sunk, {ship}"
            )
        if parts[2] not in ("", str(ship.length)):
            raise PositionError(f"{_short(text)}: the ship {ship} has length {ship.length}")
        cells = cells or [_last_cell(position, ship)]
    elif word == "sunk" and len(cells) > 1:
        raise PositionError(
            f"{_short(text)}: which shot sank it? Write that cell alone, or the ship's two ends "
            f"as in sunk A1:A4"
        )
    return Said(text, tuple(cells), ship, answer, word, "".join(f"{parts[2]}{parts[3]}".split()))


def _last_cell(position: Position, ship: Placement) -> int:
    """The cell of a ship whose shot sank it: the one not hit before, else the one announced."""
    open_cells = [cell for cell in ship.cells if not position.shot_mask >> cell & 1]
    if open_cells:
        return open_cells[-1]
    codes = dict(position.shots)
    announced = [cell for cell in ship.cells if codes[cell] not in (MISS, HIT)]
    if len(announced) != 1:
        raise PositionError(f"sunk {ship}: all its cells are shot, and no shot there was the last")
    return announced[0]


def _tell(position: Position, said: Said) -> Position:
    """The position with one more answer."""
    board = position.rules.board
    if said.ship is not None and kernel_mode(position.rules) not in (KERNEL_HIT, KERNEL_SHIP):
        return _tell_ship(position, said.ship, said.cells[0])
    for cell in said.cells:
        before = dict(position.shots).get(cell)
        if before is not None:
            raise PositionError(
                f"{board.name(cell)} was shot already and answered {answer_text(before)}; "
                f"change {board.name(cell)} {said.word} corrects it"
            )
        position = position.shoot(cell, _answer(position, cell, said))
    return position


def _tell_ship(position: Position, ship: Placement, last: int) -> Position:
    """A ship sunk whose cells are told: those not hit before count as hits."""
    rules = position.rules
    board = rules.board
    codes = dict(position.shots)
    for cell in ship.cells:
        if codes.get(cell) == MISS:
            raise PositionError(f"sunk {ship}: {board.name(cell)} was a miss")
        if cell != last and cell not in codes:
            position = position.shoot(cell, HIT)
    if last not in codes:
        position = position.shoot(last, sunk_code(rules, ship.length))
    elif codes[last] == HIT:
        raise PositionError(f"sunk {ship}: {board.name(last)} was answered hit, not sunk")
    if rules.contact is Contact.SIDES:
        if ship.cells in position.ships:
            raise PositionError(f"sunk {ship}: that is known")
        return Position(rules, position.shots, position.ordered, (*position.ships, ship.cells))
    if position.shots == tuple(codes.items()):
        raise PositionError(f"sunk {ship}: that is known")
    beside = board.group(position.hit_mask, last) & ~ship.mask
    if beside:
        raise PositionError(
            f"sunk {ship}: the hit {board.names(beside)[0]} beside it would belong to it, as "
            f"ships do not touch"
        )
    return position


def _answer(position: Position, cell: int, said: Said) -> str | int:
    """What was answered to a shot, with the length or the name that is the only one possible."""
    rules = position.rules
    sinks, names = said.word == "sunk", "#" in said.number
    told = {KERNEL_SUNK_LENGTH: bool(said.number) or not sinks, KERNEL_SHIP: names or sinks}
    if said.word == "miss" or told.get(kernel_mode(rules), True):
        return said.answer
    begins = f"{said.word}:{said.number}{'#' if said.number else ''}"
    codes = [code for code in possible_answers(rules) if answer_text(code).startswith(begins)]
    if not codes:
        raise PositionError(
            f"{_short(said.text)}: the fleet {rules.fleet} has no ship of length {said.number}"
        )
    left = _possible(position, cell, codes)
    if not sinks and rules.contact is not Contact.SIDES:
        hits = {code for near, code in position.shots if near in rules.board.neighbours(cell)}
        left = [code for code in left if hits <= {MISS, code}]
    if len(left) == 1:
        return left[0]
    shot = f"{rules.board.name(cell)} {said.word}"
    if sinks and not left:
        raise PositionError(f"{shot}: no ship there has all its other cells hit")
    ways = [answer_text(code).partition(":")[2] for code in left or codes]
    what = "of what length" if sinks else "which ship"
    raise PositionError(f"{shot}: {what}, {' or '.join(ways)}? Write {shot} {ways[0]}")


def _possible(position: Position, cell: int, codes: Sequence[int]) -> list[int]:
    """Those answers that no cell and no ship shows to be impossible; all if nothing fits anyway."""

    def plausible(candidate: Position) -> bool:
        try:
            check_answers(candidate)
        except SeabattleError:
            return False
        return True

    shot = position.shot_mask >> cell & 1
    told = position.change if shot else position.shoot
    found = [code for code in codes if plausible(told(cell, code))]
    return found or ([] if plausible(position) else list(codes))
