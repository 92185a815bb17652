"""Answers as a player types them: ``C1 miss``, ``sunk A1:A4``, ``J 8 hit 3#1``, several at once.

A line has one or more answers joined by commas or semicolons. An answer has the word of one, as
``answers.read_answer`` reads it, with a length or the name of a ship behind it: ``miss``,
``killed``, ``sunk 3``, ``hit 3#1``, ``3#1``. What is left without it are the cells, in any case
and order: cells and ships as the board reads them. What the rules leave no choice about need not
be said: a length, or the name of a ship, that is the only one possible.

A line that begins with ``change`` or ``remove`` corrects answers given before: ``change C1 hit``,
``remove C6``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches

from seabattle.enumerate.answers import (
    ANSWER_WORDS,
    HIT,
    MISS,
    answer_text,
    possible_answers,
    sunk_code,
)
from seabattle.enumerate.deductions import check_answers
from seabattle.enumerate.errors import PositionError, SeabattleError, quoted
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact

_LONG = sorted((word for word in ANSWER_WORDS if len(word) > 1), key=len, reverse=True)
_ANSWER = re.compile(
    rf"(?<!\w)(?:(?P<word>{'|'.join(_LONG)}|[mhs](?![0-9]))[\s:=]*"
    r"(?P<number>[0-9]+(?:\s*#\s*[0-9]+)?)?|(?P<name>[0-9]+\s*#\s*[0-9]+))(?![\w#])",
    re.IGNORECASE,
)
_NUMBER = re.compile("[0-9]+(#[0-9]+)?")


@dataclass(frozen=True)
class Said:
    """One answer as it was typed: its word, the number behind that, and the cells beside it."""

    text: str
    word: str
    number: str
    cells: tuple[str, ...]


def parts_of(line: str) -> list[Said]:
    """The answers of a line, taken apart; the word is empty where there is none.

    A letter alone is an answer only where no word is one, and with a number, which makes it a
    cell, only where nothing else is.

    >>> [(said.word, said.number, said.cells) for said in parts_of("J 8 hit 3#1, a1:a 2 KILLED; s")]
    [('hit', '3#1', ('J8',)), ('sunk', '', ('a1:a2',)), ('sunk', '', ())]
    >>> [(said.word, said.number, said.cells) for said in parts_of("h H 7, C1 s 3")]
    [('hit', '', ('H7',)), ('sunk', '3', ('C1',))]
    >>> [(said.word, said.number, said.cells) for said in parts_of("miss 1A 2B, sunk A2 3, В 1 m")]
    [('miss', '', ('1A', '2B')), ('sunk', '3', ('A2',)), ('miss', '', ('В1',))]
    >>> [(said.word, said.number, said.cells) for said in parts_of("В5 Мимо; убил В7 3; miſſ A1")]
    [('miss', '', ('В5',)), ('sunk', '3', ('В7',)), ('miss', '', ('A1',))]
    """
    parts = []
    for text in filter(str.strip, re.split("[,;]", line)):
        found = min(
            _ANSWER.finditer(text),
            key=lambda each: (len(each["word"] or "3#1") == 1, bool(each["number"])),
            default=None,
        )
        word = number = ""
        rest = text
        if found is not None:
            word = ANSWER_WORDS[(found["word"] or "hit").casefold()]
            number = "".join((found["number"] or found["name"] or "").split())
            rest = f"{text[: found.start()]} {text[found.end() :]}"
        rest = re.sub(r"\s*([:+])\s*", r"\1", rest).strip(" \t:=")
        rest = re.sub(r"(?<![0-9])([^\W\d_])\s+(?=[0-9])", r"\1", rest)
        cells = rest.split()
        if word and not number and len(cells) > 1 and _NUMBER.fullmatch(cells[-1]):
            number = cells.pop()  # behind the cell, as in sunk A2 3
        parts.append(Said(text.strip(), word, number, tuple(cells)))
    return parts


def told_after(position: Position, line: str) -> Position:
    """The position after the answers of a line, which ``change`` and ``remove`` correct.

    Raises
    ------
    SeabattleError
        If the line cannot be understood, or contradicts the rules or what is known. One line.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> start = Position(Rules("5x5", "3,2,1", answers="sunk"))
    >>> after = told_after(start, "hit 1A; c3 MISS, sunk a1:a2")
    >>> [(start.rules.board.name(cell), answer_text(code)) for cell, code in after.shots]
    [('A1', 'hit'), ('C3', 'miss'), ('A2', 'sunk')]
    >>> told_after(after, "change C3 hit") == told_after(start, "A1 hit, C3 hit, A2 sunk")
    True
    """
    word, _, rest = line.strip().partition(" ")
    if word.lower() == "remove":
        names = [name for said in parts_of(rest) for name in said.cells]
        if not names:
            raise PositionError("remove which shot? Write remove C6")
        for name in names:
            position = position.without(name)
        return position
    correcting = word.lower() == "change"
    parts = parts_of(rest if correcting else line)
    if correcting and not parts:
        raise PositionError("change which answer? Write change C1 hit")
    for said in parts:
        position = _told(position, said, correcting)
    return position


def _read(position: Position, said: Said) -> tuple[list[int], list[Placement]]:
    """The cells of an answer, and its ships."""
    board = position.rules.board
    if not said.word:
        for text in said.cells:
            if text.isalpha():
                near = get_close_matches(text.lower()[:20], ANSWER_WORDS, n=1)
                hint = f"did you mean {near[0]}?" if near else "try C1 miss, or help"
                raise PositionError(f"{quoted(text)} is not understood; {hint}")
    ships = [Placement.parse(text, board) for text in said.cells if re.search("[:+]", text)]
    cells = [board.cell(text) for text in said.cells if not re.search("[:+]", text)]
    if not said.word:
        shown = quoted(said.text)[1:-1]
        raise PositionError(f"{shown}: what was the answer? Write {shown} miss, or hit or sunk")
    if not said.cells:
        raise PositionError(f"{quoted(said.text)}: which cell?")
    return cells, ships


def _told(position: Position, said: Said, correcting: bool) -> Position:
    """The position with one more answer, or with another one to shots that were made."""
    board = position.rules.board
    cells, ships = _read(position, said)
    announced = position.rules.answers is AnswerMode.SUNK
    if said.word == "sunk" and announced and ships and not correcting:
        if len(ships) > 1 or len(cells) > 1 or said.number not in ("", str(ships[0].length)):
            raise PositionError(
                f"{quoted(said.text)}: write one ship, with the shot that sank it if that is not "
                f"the last, as in A2 sunk A1:A3"
            )
        return _sunk(position, ships[0], cells)
    cells += [cell for ship in ships for cell in ship.cells]
    if said.word == "sunk" and announced and len(cells) > 1:
        raise PositionError(
            f"{quoted(said.text)}: which shot sank it? Write that cell alone, or the ship's two "
            f"ends as in sunk A1:A4"
        )
    for cell in cells:
        before = dict(position.shots).get(cell)
        if before is not None and not correcting:
            raise PositionError(
                f"{board.name(cell)} was shot already and answered {answer_text(before)}; "
                f"change {board.name(cell)} {said.word} corrects it"
            )
        tell = position.change if correcting else position.shoot
        position = tell(cell, _answer(position, cell, said))
    return position


def _sunk(position: Position, ship: Placement, told: list[int]) -> Position:
    """A ship sunk whose cells are told: those not shot before count as hits.

    ``told`` is the shot that sank it; where it is empty, the last cell not shot before or the one
    whose answer was no plain hit.
    """
    rules, codes = position.rules, dict(position.shots)
    board = rules.board
    opened = [cell for cell in ship.cells if cell not in codes]
    last = told or opened[-1:] or [cell for cell in ship.cells if codes[cell] not in (MISS, HIT)]
    for cell in ship.cells:
        if codes.get(cell) == MISS:
            raise PositionError(f"sunk {ship}: {board.name(cell)} was a miss")
    if len(last) != 1 or last[0] not in ship.cells or codes.get(last[0]) == HIT:
        raise PositionError(f"sunk {ship}: which shot sank it? All known ones were plain hits")
    for cell in sorted(opened, key=last.__contains__):
        position = position.shoot(cell, sunk_code(rules, ship.length) if cell in last else HIT)
    if rules.contact is Contact.SIDES:
        ships = dict.fromkeys((*position.ships, ship.cells))
        return replace(position, ships=tuple(ships))
    position.require_apart(ship)
    return position


def _answer(position: Position, cell: int, said: Said) -> str | int:
    """What was answered to a shot, with the length or the name that is the only one possible."""
    rules, sinks = position.rules, said.word == "sunk"
    whole = re.compile(rf"{said.word}:{said.number or '[0-9]+'}(#[0-9]+)?")
    codes = [code for code in possible_answers(rules) if whole.fullmatch(answer_text(code))]
    if len(codes) < 2:  # nothing is left out
        return codes[0] if codes else f"{said.word} {said.number}".strip()
    left = _possible(position, cell, codes)
    if len(left) == 1:
        return left[0]
    shot = f"{rules.board.name(cell)} {said.word}"
    if sinks and not left:
        raise PositionError(f"{shot}: no ship there has all its other cells hit")
    ways = [answer_text(code).partition(":")[2] for code in left or codes]
    what = "of what length" if sinks else "which ship"
    raise PositionError(f"{shot}: {what}, {' or '.join(ways)}? Write {shot} {ways[0]}")


def _possible(position: Position, cell: int, codes: list[int]) -> list[int]:
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
    return found or ([] if plausible(position) else codes)
