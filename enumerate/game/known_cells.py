"""What is known of one cell, as people write it: ``C7=3`` for a sinking, ``E5=3#1`` for a hit."""

from __future__ import annotations

import re

from seabattle.enumerate.errors import PositionError, RulesError, quoted, wrong_type
from seabattle.enumerate.game.answers import (
    KERNEL_SUNK_LENGTH,
    SUNK,
    SUNK_LENGTH,
    answer_code,
    kernel_mode,
)
from seabattle.enumerate.game.rules import Announce, Contact, Rules

_LENGTH = re.compile(r"\s*[0-9]{1,3}\s*")


def sunk_code(rules: Rules, length: int) -> int:
    """The answer that announces a sinking."""
    return SUNK_LENGTH + length if kernel_mode(rules) == KERNEL_SUNK_LENGTH else SUNK


def sinking(rules: Rules, text: str) -> tuple[int, int, int]:
    """Cell, answer and length (0 if not given) of ``C7=3`` or ``C7``."""
    if not isinstance(text, str):
        raise wrong_type("sunk_at", "cells as text, such as 'C7=3' or 'C7'", text)
    name, equals, number = text.partition("=")
    if equals and not (name.strip() and _LENGTH.fullmatch(number) and 1 <= int(number) <= 128):
        raise PositionError(
            f"sunk at {quoted(text)}: write the cell and the length, as in C7=3, or C7"
        )
    cell = rules.board.cell(name)
    if not equals:
        return cell, SUNK, 0
    if rules.contact is Contact.SIDES and rules.announce is Announce.NONE:
        raise PositionError(
            f"sunk at {text!r}: with --announce none no length is told; write {name.strip()} alone"
        )
    return cell, sunk_code(rules, int(number)), int(number)


def named_hit(rules: Rules, text: str) -> tuple[int, int]:
    """Cell and answer of ``E5=3#1``."""
    if not isinstance(text, str):
        raise wrong_type("named", "hits as text, such as 'E5=3#1'", text)
    wrong = PositionError(f"named hit {quoted(text)}: write the cell and the ship, as in E5=3#1")
    cell, _, ship = text.partition("=")
    if not cell.strip():
        raise wrong
    try:
        code = answer_code(f"hit:{ship.strip()}")
    except RulesError:
        raise wrong from None
    return rules.board.cell(cell), code
