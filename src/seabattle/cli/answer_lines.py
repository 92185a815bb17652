"""Lines a player types: ``C1 miss``, ``sunk A1:A4``, ``hit`` alone, several at once.

A line has one or more answers joined by commas or semicolons. An answer has cells and one of the
words miss, hit, sunk, in either order and in any case; it may name a range of cells (``A1:A4``),
the length of a ship sunk (``C1 sunk 3``) or the ship hit (``C1 hit 3#1``). An answer without a cell
is that to the shot advised. What the rules leave no choice about need not be said: a length, or the
name of a ship, that is the only one possible. Cells may be written ``J 8`` or ``8J``, too.

Answers given before are corrected in the same words, ``C1 hit``, each to a cell shot already.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from seabattle.cli.answer_codes import Said, answer_said, short, with_answer
from seabattle.enumerate.answers import (
    HIT,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK_LENGTH,
    MISS,
    SUNK,
    SUNK_LENGTH,
    answer_text,
    kernel_mode,
)
from seabattle.enumerate.deductions import hit_group
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Contact

WORDS = {"miss": "miss", "m": "miss", "missed": "miss", "water": "miss",
         "hit": "hit", "h": "hit",
         "sunk": "sunk", "s": "sunk", "sink": "sunk", "sank": "sunk",
         "killed": "sunk", "kill": "sunk"}  # fmt: skip

_APART = re.compile(
    r"(?<![A-Z0-9#])(?:(?P<letters>[A-Z]{1,2})\s+(?P<number>[0-9]+)(?!\s*\#)"
    r"|(?P<first>[0-9]+)(?P<last>[A-Z]{1,2}))(?![A-Z0-9])",
    re.IGNORECASE | re.ASCII,
)

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<range>[A-Z]+[0-9]+\s*:\s*[A-Z]+[0-9]+)
      | (?P<word>(?:MISS|HIT|SUNK)(?![A-Z]))
      | (?P<cell>[A-Z]+[0-9]+)
      | (?P<other>[A-Z]+)
      | (?P<name>[0-9]+\s*\#\s*[0-9]+)
      | (?P<number>[0-9]+)
    )\s*[:=]?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def told_after(position: Position, line: str, advised: Sequence[int]) -> Position:
    """The position after the answers of a line.

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
    for number, part in enumerate(parts_of(line)):
        said = _read(position, part)
        if not said.cells:
            if number:
                raise PositionError(f"{part!r}: which cell? Only the first answer of a line may "
                                    f"leave it out")  # fmt: skip
            if not advised:
                raise PositionError(f"{part!r}: which cell?")
            said = Said(part, said.word, (advised[0],), None, said.number, said.name)
        position = _tell(position, said)
    return position


def names_no_cell(line: str) -> bool:
    """Whether the first answer of a line leaves its cell out.

    >>> names_no_cell("hit, C3 miss"), names_no_cell("sunk A1:A2")
    (True, False)
    """
    return not any(
        token.lastgroup in ("cell", "range")
        for part in parts_of(line)[:1]
        for token in _TOKEN.finditer(part)
    )


def cells_joined(text: str) -> str:
    """The text with cells written ``J8`` that are written ``J 8`` or ``8J``.

    A single letter before a number is no cell where it is the only word for an answer.

    >>> cells_joined("J 8 hit"), cells_joined("miss 8J"), cells_joined("C1 s 3")
    ('J8 hit', 'miss J8', 'C1 s 3')
    """

    def join(found: re.Match[str]) -> str:
        letters = found["letters"] or found["last"]
        rest = text[: found.start()] + " " + text[found.end() :]
        if letters.lower() in WORDS and not any(
            word.lower() in WORDS for word in re.findall("[A-Za-z]+", rest)
        ):
            return found[0]
        return f"{letters}{found['number'] or found['first']}"

    return _APART.sub(join, text)


def parts_of(line: str) -> list[str]:
    """The answers of a line."""
    parts = (part.strip() for part in re.split("[,;]", line))
    return [cells_joined(part) for part in parts if part]


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
            raise PositionError(f"{short(part)}: change one shot at a time, as in change C1 sunk")
        position = position.change(said.cells[0], answer_said(position, said.cells[0], said))
    return position


def without_shots(position: Position, line: str) -> Position:
    """The position without some of its shots, typed after ``remove``.

    Raises
    ------
    SeabattleError
        If a word is no cell, or has not been shot. One line.
    """
    words = re.split(r"[,;\s]+", cells_joined(line).strip(" ,;\t"))
    if words == [""]:
        raise PositionError("remove which shot? Write remove C6")
    for word in words:
        position = position.without(word)
    return position


def _read(position: Position, text: str) -> Said:
    """Take an answer apart."""
    board = position.rules.board
    words: list[str] = []
    cells: list[int] = []
    ship: Placement | None = None
    numbers: list[str] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PositionError(f"{short(text)} is not understood; try C1 miss, or help")
        at = token.end()
        found = str(token[str(token.lastgroup)])
        if token.lastgroup in ("word", "other"):
            words.append(_word(found))
        elif token.lastgroup == "cell":
            cells.append(board.cell(found))
        elif token.lastgroup == "range":
            if ship is not None:
                raise PositionError(f"{short(text)}: one ship at a time, joined by commas")
            ship = Placement.parse(found.upper(), board)
        else:
            numbers.append(re.sub(r"\s", "", found))
    names = [number for number in numbers if "#" in number]
    lengths = [number for number in numbers if "#" not in number]
    if not words and names:
        words = ["hit"]
    if not words:
        shown = text if len(text) <= 40 else "A1"
        raise PositionError(f"{shown}: what was the answer? Write {shown} miss, or hit or sunk")
    if len(words) > 1 or len(names) > 1 or len(lengths) > 1 or (names and lengths):
        raise PositionError(f"{short(text)}: one answer at a time, joined by commas")
    number = int(lengths[0][:6]) if lengths else None
    if ship is not None and words[0] != "sunk":
        cells += ship.cells
        ship = None
    if ship is not None:
        if any(cell not in ship.cells for cell in cells) or len(cells) > 1:
            raise PositionError(
                f"{short(text)}: the shot must be one cell of the ship sunk, {ship}"
            )
        if number not in (None, ship.length):
            raise PositionError(f"{short(text)}: the ship {ship} has length {ship.length}")
        if not cells:
            cells = [_last_cell(position, ship)]
    elif words[0] == "sunk" and len(cells) > 1:
        raise PositionError(
            f"{short(text)}: which shot sank it? Write that cell alone, or the ship's two ends "
            f"as in sunk A1:A4"
        )
    return Said(text, words[0], tuple(cells), ship, number, names[0] if names else "")


def _word(text: str) -> str:
    """Which of the three answers a word means."""
    word = WORDS.get(text.lower())
    if word is None:
        near = get_close_matches(text.lower()[:20], WORDS, n=1)
        raise PositionError(
            f"{short(text)} is not understood; " + (f"did you mean {near[0]}?" if near else
            "try C1 miss, or help")
        )  # fmt: skip
    return word


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
    rules = position.rules
    if said.ship is not None and kernel_mode(rules) not in (KERNEL_HIT, KERNEL_SHIP):
        return _tell_ship(position, said, said.ship)
    for cell in said.cells:
        before = dict(position.shots).get(cell)
        if before is not None:
            raise PositionError(
                f"{rules.board.name(cell)} was shot already and answered {answer_text(before)}; "
                f"undo takes answers back, change {rules.board.name(cell)} {said.word} corrects it"
            )
        position = with_answer(position, cell, answer_said(position, cell, said))
    return position


def _tell_ship(position: Position, said: Said, ship: Placement) -> Position:
    """A ship sunk whose cells are told: those not hit before count as hits."""
    rules = position.rules
    board = rules.board
    codes = dict(position.shots)
    last = said.cells[0]
    for cell in ship.cells:
        if codes.get(cell) == MISS:
            raise PositionError(f"sunk {ship}: {board.name(cell)} was a miss")
        if cell != last and cell not in codes:
            position = with_answer(position, cell, HIT)
    if last not in codes:
        told = kernel_mode(rules) == KERNEL_SUNK_LENGTH
        position = with_answer(position, last, SUNK_LENGTH + ship.length if told else SUNK)
    elif codes[last] == HIT:
        raise PositionError(f"sunk {ship}: {board.name(last)} was answered hit, not sunk")
    if rules.contact is Contact.SIDES:
        if ship.cells in position.ships:
            raise PositionError(f"sunk {ship}: that is known")
        return Position(rules, position.shots, position.ordered, (*position.ships, ship.cells))
    if position.shots == tuple(codes.items()):
        raise PositionError(f"sunk {ship}: that is known")
    beside = hit_group(board, position.hit_mask, last) & ~ship.mask
    if beside:
        raise PositionError(
            f"sunk {ship}: the hit {board.names(beside)[0]} beside it would belong to it, as "
            f"ships do not touch"
        )
    return position
