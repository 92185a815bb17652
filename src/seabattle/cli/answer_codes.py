"""What a typed answer is under the rules, as far as needed from what is possible.

Where a sinking is announced with its length, or a hit with its ship, a player need not say what the
rules leave no choice about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Said:
    """One answer as it was typed."""

    text: str
    word: str
    cells: tuple[int, ...]
    ship: Placement | None
    number: int | None
    name: str
    joint: str = " "
    """What stands between an answer and its length in messages."""


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
            said = Said(part.strip(), "sunk", (cell,), None, None, "", "=")
            part = f"{part.rstrip()}={_length(before, cell, said) - SUNK_LENGTH}"
        parts.append(part)
    return ",".join(parts)


def short(text: str) -> str:
    """A typed text as messages show it."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def answer_said(position: Position, cell: int, said: Said) -> int:
    """Code of the answer to a shot, as far as needed from what is possible."""
    rules = position.rules
    mode = kernel_mode(rules)
    name = rules.board.name(cell)
    if said.word == "miss":
        if said.number is not None or said.name:
            raise PositionError(f"{short(said.text)}: a miss has no length")
        return MISS
    if said.word == "sunk" and mode in (KERNEL_HIT, KERNEL_SHIP):
        right = "hit" if mode == KERNEL_HIT else "hit with the ship, as in hit 3#1"
        raise PositionError(
            f"{short(said.text)}: with answers {rules.answers.value} no sinking is announced; "
            f"write {right}"
        )
    if mode == KERNEL_SHIP:
        return _named(position, cell, said)
    if said.name or (said.word == "hit" and said.number is not None):
        raise PositionError(
            f"{short(said.text)}: with answers {rules.answers.value} a hit names no ship; "
            f"write {name} {said.word}"
        )
    if said.word == "hit":
        return HIT
    if mode == KERNEL_SUNK_LENGTH:
        return _length(position, cell, said)
    if said.number is not None:
        if rules.contact is Contact.SIDES:
            raise PositionError(
                f"{short(said.text)}: with announcement none no length is told; write {name} sunk"
            )
        length = hit_group(rules.board, position.hit_mask | 1 << cell, cell).bit_count()
        if length != said.number:
            raise PositionError(
                f"{short(said.text)}: with {name} the hits there make a ship of length {length}"
            )
    return SUNK


def with_answer(position: Position, cell: int, code: int) -> Position:
    """The position with an answer: to one more shot, or another one to a shot made already."""
    if position.shot_mask >> cell & 1:
        return position.change(cell, code)
    return Position(
        position.rules, (*position.shots, (cell, code)), position.ordered, position.ships
    )


def _possible(position: Position, cell: int, codes: Sequence[int]) -> list[int]:
    """Those answers that no cell and no ship shows to be impossible; all if nothing fits anyway."""
    found = []
    for code in codes:
        try:
            check_answers(with_answer(position, cell, code))
        except SeabattleError:
            continue
        found.append(code)
    return found or ([] if _plausible(position) else list(codes))


def _plausible(position: Position) -> bool:
    """Whether no cell and no ship shows that the answers contradict each other."""
    try:
        check_answers(position)
    except SeabattleError:
        return False
    return True


def _length(position: Position, cell: int, said: Said) -> int:
    """A sinking with its length; it may be left out when only one is possible."""
    fleet = position.rules.fleet
    if said.number is not None:
        if said.number not in fleet.counts:
            raise PositionError(
                f"{short(said.text)}: the fleet {fleet} has no ship of length {said.number}"
            )
        return SUNK_LENGTH + said.number
    codes = [code for code in possible_answers(position.rules) if code >= SUNK_LENGTH]
    left = _possible(position, cell, codes)
    if len(left) == 1:
        return left[0]
    name = position.rules.board.name(cell)
    if not left:
        raise PositionError(f"{name} sunk: no ship there has all its other cells hit")
    lengths = " or ".join(str(code - SUNK_LENGTH) for code in left)
    raise PositionError(f"{name} sunk: of what length, {lengths}? Write {name} sunk{said.joint}"
                        f"{left[0] - SUNK_LENGTH}")  # fmt: skip


def _named(position: Position, cell: int, said: Said) -> int:
    """A hit that names the ship; number or name may be left out when only one is possible."""
    codes = [code for code in possible_answers(position.rules) if code != MISS]
    if said.name:
        length, number = (int(text[:6]) for text in said.name.split("#"))
        codes = [HIT_SHIP + 64 * length + number]
        if codes[0] not in possible_answers(position.rules):
            raise PositionError(
                f"{short(said.text)}: the fleet {position.rules.fleet} has no ship {said.name}"
            )
        return codes[0]
    if said.number is not None:
        codes = [code for code in codes if (code - HIT_SHIP) // 64 == said.number]
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
            f"{short(said.text)}: the fleet {position.rules.fleet} has no ship of length "
            f"{said.number}"
        )
    raise PositionError(
        f"{name} hit: which ship, {' or '.join(names)}? Write {name} hit {names[0]}"
    )
