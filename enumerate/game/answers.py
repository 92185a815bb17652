"""Answers: what a shot reveals, as text and as the small integers the kernels use.

====================  ======================  =====================================
text                  code                    when
====================  ======================  =====================================
``miss``              0                       every mode
``hit``               1                       modes ``hit`` and ``sunk``
``sunk``              2                       mode ``sunk``, length not announced
``sunk:3``            0x100 + length          mode ``sunk``, length announced
``hit:3#1``           0x4000 + 64*length + n  mode ``ship``: ship n of that length
====================  ======================  =====================================

In mode ``ship`` equal ships are numbered in the order in which they are first hit. Under the
contact rules ``none`` and ``corners`` the hit cells show how long a sunk ship is, so the answer
there is plain ``sunk``.
"""

from __future__ import annotations

import re

from seabattle.enumerate.errors import RulesError, quoted, whole_number, wrong_type
from seabattle.enumerate.game.rules import Announce, AnswerMode, Contact, Rules

MISS, HIT, SUNK = 0, 1, 2
SUNK_LENGTH = 0x100
HIT_SHIP = 0x4000

KERNEL_HIT, KERNEL_SUNK, KERNEL_SUNK_LENGTH, KERNEL_SHIP = 0, 1, 2, 3
# Kernels compile these numbers in. The cache of compiled kernels notices a change because this file
# names seabattle.enumerate.compiler, whose digest covers every file that does.

_SHIP = re.compile(r"hit:([0-9]{1,3})#([0-9]{1,2})")
_SUNK = re.compile(r"sunk:([0-9]{1,3})")


def kernel_mode(rules: Rules) -> int:
    """The answer mode as the kernels know it, the announcement included."""
    if rules.answers is AnswerMode.HIT:
        return KERNEL_HIT
    if rules.answers is AnswerMode.SHIP:
        return KERNEL_SHIP
    announced = rules.contact is Contact.SIDES and rules.announce is Announce.LENGTH
    return KERNEL_SUNK_LENGTH if announced else KERNEL_SUNK


def answer_text(code: int) -> str:
    """Text of an answer code.

    Raises
    ------
    RulesError
        If the code does not stand for an answer.

    Examples
    --------
    >>> [answer_text(code) for code in (MISS, HIT, SUNK, SUNK_LENGTH + 3, HIT_SHIP + 64 * 3 + 1)]
    ['miss', 'hit', 'sunk', 'sunk:3', 'hit:3#1']
    """
    code = int(code)
    if code >= 1 << 16:
        raise RulesError(f"answer code {quoted(code)} belongs to no answer")
    if code >= HIT_SHIP:
        length, number = divmod(code - HIT_SHIP, 64)
        return f"hit:{length}#{number}"
    if code >= SUNK_LENGTH:
        return f"sunk:{code - SUNK_LENGTH}"
    if not MISS <= code <= SUNK:
        raise RulesError(f"answer code {code} belongs to no answer")
    return ("miss", "hit", "sunk")[code]


def answer_code(text: str | int) -> int:
    """Code of an answer given as text, or as its code.

    Raises
    ------
    RulesError
        If it is not an answer in any mode.
    TypeError
        If it is neither text nor a whole number.

    Examples
    --------
    >>> all(answer_code(answer_text(c)) == c for c in (0, 1, 2, 0x103, 0x4000 + 64 * 12 + 5))
    True
    """
    if not isinstance(text, str):
        code = whole_number(text)
        if code is None:
            raise wrong_type("answer", "text such as 'miss', or its code", text)
        answer_text(code)
        return code
    plain = {"miss": MISS, "hit": HIT, "sunk": SUNK}
    if text in plain:
        return plain[text]
    if (match := _SUNK.fullmatch(text)) and 1 <= int(match[1]) <= 128:
        return SUNK_LENGTH + int(match[1])
    if (match := _SHIP.fullmatch(text)) and 1 <= int(match[1]) <= 128 and 1 <= int(match[2]) < 64:
        return HIT_SHIP + 64 * int(match[1]) + int(match[2])
    raise RulesError(
        f"answer {quoted(text)}: write miss, hit, sunk, sunk:LENGTH or hit:LENGTH#NUMBER"
    )


def possible_answers(rules: Rules) -> tuple[int, ...]:
    """Codes of all answers that the rules know, misses first."""
    mode = kernel_mode(rules)
    if mode == KERNEL_HIT:
        return (MISS, HIT)
    if mode == KERNEL_SUNK:
        return (MISS, HIT, SUNK)
    if mode == KERNEL_SUNK_LENGTH:
        return (MISS, HIT, *(SUNK_LENGTH + length for length in rules.fleet.counts))
    return (
        MISS,
        *(
            HIT_SHIP + 64 * length + number
            for length, count in rules.fleet.counts.items()
            for number in range(1, count + 1)
        ),
    )


def is_miss(code: int) -> bool:
    """Whether the shot met water."""
    return int(code) == MISS


def is_sunk(code: int) -> bool:
    """Whether the shot was announced to complete a ship."""
    return int(code) == SUNK or SUNK_LENGTH <= int(code) < HIT_SHIP


def answer_symbol(code: int) -> str:
    """Edge label of a picture: ``.`` miss, ``x`` hit, ``X`` sunk, with a length or name if given.

    >>> [answer_symbol(code) for code in (MISS, HIT, SUNK, SUNK_LENGTH + 3, HIT_SHIP + 64 * 3 + 1)]
    ['.', 'x', 'X', 'X3', 'x3#1']
    """
    text = answer_text(code)
    if text == "miss":
        return "."
    kind, _, rest = text.partition(":")
    return ("X" if kind == "sunk" else "x") + rest
