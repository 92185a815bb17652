"""Answers as a player types them: ``C1 miss``, ``sunk A1:A4``, ``hit`` alone, several at once.

A line has one or more answers joined by commas or semicolons. An answer has cells and one of the
words miss, hit, sunk, in either order and in any case; it may name a range of cells (``A1:A4``),
the length of a ship sunk (``C1 sunk 3``) or the ship hit (``C1 hit 3#1``). An answer without a cell
is that to the shot advised. What the rules leave no choice about need not be said: a length, or the
name of a ship, that is the only one possible. Cells may be written ``J 8`` or ``8J``, too.

Answers given before are corrected in the same words, ``C1 hit``, each to a cell shot already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK_LENGTH,
    MISS,
    SUNK,
    SUNK_LENGTH,
    answer_text,
    kernel_mode,
    possible_answers,
)
from seabattle.enumerate.deductions import check_answers, hit_group
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.enumerate.placements import Placement
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Contact, Rules

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


@dataclass(frozen=True)
class Said:
    """One answer as it was typed: its word, its cells, and what it says of the ship."""

    text: str
    word: str
    cells: tuple[int, ...]
    ship: Placement | None = None
    length: int | None = None
    name: str = ""


# Lines.


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
            said = replace(said, cells=(advised[0],))
        position = _tell(position, said)
    return position


def played(position: Position, lines: Iterable[str]) -> Position:
    """The position after lines of answers, of which ``change`` and ``remove`` correct earlier ones.

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
        word, _, rest = line.strip().partition(" ")
        try:
            if word.lower() == "change":
                position = corrected(position, rest)
            elif word.lower() == "remove":
                position = without_shots(position, rest)
            else:
                position = told_after(position, line, ())
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
        position = position.change(said.cells[0], _code(position, said.cells[0], said))
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


def lengths_told(rules: Rules, history: str) -> str:
    """A history as ``Position.in_order`` reads it, with the lengths of sinkings where one fits.

    Parameters
    ----------
    rules
        The game.
    history
        Shots in order; a sinking whose length is announced may be without it.

    Raises
    ------
    SeabattleError
        If a shot before such a sinking cannot be read, or its length is not clear. One line.

    Examples
    --------
    >>> lengths_told(Rules(fleet="hasbro"), "E5 hit, E6 sunk")
    'E5 hit, E6 sunk=2'
    """
    if kernel_mode(rules) != KERNEL_SUNK_LENGTH:
        return history
    parts: list[str] = []
    for part in history.split(","):
        words = part.split()
        if len(words) == 2 and words[1].lower() == "sunk":
            before = Position.in_order(rules, ",".join(parts)) if parts else Position(rules)
            cell = rules.board.cell(words[0])
            said = Said(part.strip(), "sunk", (cell,))
            part = f"{part.rstrip()}={_length(before, cell, said, joint='=') - SUNK_LENGTH}"
        parts.append(part)
    return ",".join(parts)


# One answer: what it says.


def _short(text: str) -> str:
    """A typed text as messages show it."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _read(position: Position, text: str) -> Said:
    """Take an answer apart."""
    board = position.rules.board
    found: dict[str, list[str]] = {}
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PositionError(f"{_short(text)} is not understood; try C1 miss, or help")
        at = token.end()
        group = str(token.lastgroup).replace("other", "word")
        found.setdefault(group, []).append(re.sub(r"\s", "", str(token[str(token.lastgroup)])))
    names, lengths = found.get("name", []), found.get("number", [])
    words = [_word(word) for word in found.get("word", [])] or (["hit"] if names else [])
    cells = [board.cell(cell) for cell in found.get("cell", [])]
    ships = [Placement.parse(ship.upper(), board) for ship in found.get("range", [])]
    if not words:
        shown = text if len(text) <= 40 else "A1"
        raise PositionError(f"{shown}: what was the answer? Write {shown} miss, or hit or sunk")
    if len(ships) > 1:
        raise PositionError(f"{_short(text)}: one ship at a time, joined by commas")
    if len(words) > 1 or len(names) + len(lengths) > 1:
        raise PositionError(f"{_short(text)}: one answer at a time, joined by commas")
    length = int(lengths[0][:6]) if lengths else None
    ship = ships[0] if ships else None
    if ship is not None and words[0] != "sunk":
        cells += ship.cells
        ship = None
    if ship is not None:
        if any(cell not in ship.cells for cell in cells) or len(cells) > 1:
            raise PositionError(
                f"{_short(text)}: the shot must be one cell of the ship sunk, {ship}"
            )
        if length not in (None, ship.length):
            raise PositionError(f"{_short(text)}: the ship {ship} has length {ship.length}")
        cells = cells or [_last_cell(position, ship)]
    elif words[0] == "sunk" and len(cells) > 1:
        raise PositionError(
            f"{_short(text)}: which shot sank it? Write that cell alone, or the ship's two ends "
            f"as in sunk A1:A4"
        )
    return Said(text, words[0], tuple(cells), ship, length, names[0] if names else "")


def _word(text: str) -> str:
    """Which of the three answers a word means."""
    word = WORDS.get(text.lower())
    if word is None:
        near = get_close_matches(text.lower()[:20], WORDS, n=1)
        hint = f"did you mean {near[0]}?" if near else "try C1 miss, or help"
        raise PositionError(f"{_short(text)} is not understood; {hint}")
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


# One answer: what it means under the rules.


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
        position = _with_answer(position, cell, _code(position, cell, said))
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
            position = _with_answer(position, cell, HIT)
    if last not in codes:
        told = kernel_mode(rules) == KERNEL_SUNK_LENGTH
        position = _with_answer(position, last, SUNK_LENGTH + ship.length if told else SUNK)
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


def _with_answer(position: Position, cell: int, code: int) -> Position:
    """The position with an answer: to one more shot, or another one to a shot made already."""
    if position.shot_mask >> cell & 1:
        return position.change(cell, code)
    return Position(
        position.rules, (*position.shots, (cell, code)), position.ordered, position.ships
    )


def _code(position: Position, cell: int, said: Said) -> int:
    """Code of the answer to a shot, as far as needed from what is possible."""
    rules = position.rules
    mode = kernel_mode(rules)
    name = rules.board.name(cell)
    if said.word == "miss":
        if said.length is not None or said.name:
            raise PositionError(f"{_short(said.text)}: a miss has no length")
        return MISS
    if said.word == "sunk" and mode in (KERNEL_HIT, KERNEL_SHIP):
        right = "hit" if mode == KERNEL_HIT else "hit with the ship, as in hit 3#1"
        raise PositionError(
            f"{_short(said.text)}: with answers {rules.answers.value} no sinking is announced; "
            f"write {right}"
        )
    if mode == KERNEL_SHIP:
        return _ship(position, cell, said)
    if said.name or (said.word == "hit" and said.length is not None):
        raise PositionError(
            f"{_short(said.text)}: with answers {rules.answers.value} a hit names no ship; "
            f"write {name} {said.word}"
        )
    if said.word == "hit":
        return HIT
    if mode == KERNEL_SUNK_LENGTH:
        return _length(position, cell, said)
    if said.length is not None:
        if rules.contact is Contact.SIDES:
            raise PositionError(
                f"{_short(said.text)}: with announcement none no length is told; write {name} sunk"
            )
        length = hit_group(rules.board, position.hit_mask | 1 << cell, cell).bit_count()
        if length != said.length:
            raise PositionError(
                f"{_short(said.text)}: with {name} the hits there make a ship of length {length}"
            )
    return SUNK


def _possible(position: Position, cell: int, codes: Sequence[int]) -> list[int]:
    """Those answers that no cell and no ship shows to be impossible; all if nothing fits anyway."""

    def plausible(candidate: Position) -> bool:
        try:
            check_answers(candidate)
        except SeabattleError:
            return False
        return True

    found = [code for code in codes if plausible(_with_answer(position, cell, code))]
    return found or ([] if plausible(position) else list(codes))


def _length(position: Position, cell: int, said: Said, *, joint: str = " ") -> int:
    """A sinking with its length; it may be left out when only one is possible."""
    fleet = position.rules.fleet
    if said.length is not None:
        if said.length not in fleet.counts:
            raise PositionError(
                f"{_short(said.text)}: the fleet {fleet} has no ship of length {said.length}"
            )
        return SUNK_LENGTH + said.length
    codes = [code for code in possible_answers(position.rules) if code >= SUNK_LENGTH]
    left = _possible(position, cell, codes)
    if len(left) == 1:
        return left[0]
    name = position.rules.board.name(cell)
    if not left:
        raise PositionError(f"{name} sunk: no ship there has all its other cells hit")
    lengths = " or ".join(str(code - SUNK_LENGTH) for code in left)
    raise PositionError(
        f"{name} sunk: of what length, {lengths}? Write {name} sunk{joint}{left[0] - SUNK_LENGTH}"
    )


def _ship(position: Position, cell: int, said: Said) -> int:
    """A hit that names the ship; number or name may be left out when only one is possible."""
    fleet = position.rules.fleet
    codes = [code for code in possible_answers(position.rules) if code != MISS]
    if said.name:
        length, number = (int(text[:6]) for text in said.name.split("#"))
        code = HIT_SHIP + 64 * length + number
        if code not in codes:
            raise PositionError(f"{_short(said.text)}: the fleet {fleet} has no ship {said.name}")
        return code
    if said.length is not None:
        codes = [code for code in codes if (code - HIT_SHIP) // 64 == said.length]
    left = _possible(position, cell, codes)
    if position.rules.contact is not Contact.SIDES:
        told = dict(position.shots)
        beside = {told.get(near, MISS) for near in position.rules.board.neighbours(cell)} - {MISS}
        left = [code for code in left if beside <= {code}]
    if len(left) == 1:
        return left[0]
    name = position.rules.board.name(cell)
    names = [answer_text(code).removeprefix("hit:") for code in left or codes]
    if not names:
        raise PositionError(
            f"{_short(said.text)}: the fleet {fleet} has no ship of length {said.length}"
        )
    raise PositionError(
        f"{name} hit: which ship, {' or '.join(names)}? Write {name} hit {names[0]}"
    )
