"""Answers: what a shot reveals, as text and as the small integers that the core uses.

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

People write the same in more ways, ``C7=3`` for a sinking or ``E5=3#1`` for a hit: there is one
grammar, and one way to say a game and its answers in words that need no manual.
"""

from __future__ import annotations

import re

from seabattle.enumerate.errors import RulesError, quoted
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Fleet, Rules

MISS, HIT, SUNK = 0, 1, 2
_PLAIN = ("miss", "hit", "sunk")
SUNK_LENGTH = 0x100
HIT_SHIP = 0x4000

CORE_HIT, CORE_SUNK, CORE_SUNK_LENGTH, CORE_SHIP = 0, 1, 2, 3


def core_mode(rules: Rules) -> int:
    """The answer mode as the core knows it, the announcement included."""
    if rules.answers is AnswerMode.HIT:
        return CORE_HIT
    if rules.answers is AnswerMode.SHIP:
        return CORE_SHIP
    announced = rules.contact is Contact.SIDES and rules.announce is Announce.LENGTH
    return CORE_SUNK_LENGTH if announced else CORE_SUNK


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
    if MISS <= code <= SUNK:
        return _PLAIN[code]
    if SUNK_LENGTH <= code < HIT_SHIP:
        return f"sunk:{code - SUNK_LENGTH}"
    if HIT_SHIP <= code < 1 << 16:
        length, number = divmod(code - HIT_SHIP, 64)
        return f"hit:{length}#{number}"
    raise RulesError(f"answer code {quoted(code)} belongs to no answer")


ANSWER_WORDS = {
    "miss": "miss", "m": "miss", "missed": "miss", "water": "miss", "hit": "hit", "h": "hit",
    "sunk": "sunk", "s": "sunk", "sink": "sunk", "sank": "sunk", "killed": "sunk", "kill": "sunk",
    "мимо": "miss", "попал": "hit", "ранил": "hit", "ранен": "hit",
    "убил": "sunk", "убит": "sunk", "потопил": "sunk",
}  # fmt: skip
"""What people write for an answer, in English and in Russian."""

_WRITTEN = re.compile(
    r"\s*([^\W\d_]+)(?:\s*[:=]\s*|\s+|(?=[0-9]))?(?:([0-9]{1,3})(?:\s*#\s*([0-9]{1,2}))?)?\s*"
)


def answer_code(text: str | int) -> int:
    """Code of an answer as people and programs write it, or given as its code.

    A word is one of ``ANSWER_WORDS`` in any case; a length or a name follows a colon, ``=`` or a
    blank.

    Raises
    ------
    RulesError
        If it is not an answer in any mode.

    Examples
    --------
    >>> all(answer_code(answer_text(c)) == c for c in (0, 1, 2, 0x103, 0x4000 + 64 * 12 + 5))
    True
    >>> answer_text(answer_code("killed 3")), answer_text(answer_code("HIT=3#1"))
    ('sunk:3', 'hit:3#1')
    """
    if not isinstance(text, str):
        answer_text(text)
        return int(text)
    found = _WRITTEN.fullmatch(text)
    word, length, number = found.groups() if found else ("", None, None)
    match ANSWER_WORDS.get(word.casefold()), int(length or -1), int(number or -1):
        case str(plain), -1, -1:
            return _PLAIN.index(plain)
        case "sunk", told, -1 if 1 <= told <= 128:
            return SUNK_LENGTH + told
        case "hit", told, name if 1 <= told <= 128 and 1 <= name < 64:
            return HIT_SHIP + 64 * told + name
    raise RulesError(
        f"answer {quoted(text)}: write miss, hit, sunk, sunk:LENGTH or hit:LENGTH#NUMBER"
    )


def read_answer(text: str | int, rules: Rules) -> tuple[int, int]:
    """The code of an answer by the rules, and the length of a ship sunk that it tells.

    Where the hits show the length, it may be told all the same; the code is then that of ``sunk``.

    Returns
    -------
    code, length
        The length is 0 where none is told beyond the code.

    Raises
    ------
    RulesError
        As for ``answer_code``.

    Examples
    --------
    >>> hidden, open_sea = Rules("5x5", "3,2", answers="sunk"), Rules(fleet="hasbro")
    >>> read_answer("Sunk 3", hidden), read_answer("killed", hidden), read_answer("MISS", hidden)
    ((2, 3), (2, 0), (0, 0))
    >>> read_answer("sunk=3", open_sea)
    (259, 0)
    """
    code = answer_code(text)
    shown = isinstance(text, str) and SUNK_LENGTH <= code < HIT_SHIP
    if shown and core_mode(rules) == CORE_SUNK and rules.contact is not Contact.SIDES:
        return SUNK, code - SUNK_LENGTH
    return code, 0


def possible_answers(rules: Rules) -> tuple[int, ...]:
    """Codes of all answers that the rules know, misses first."""
    mode = core_mode(rules)
    if mode == CORE_HIT:
        return (MISS, HIT)
    if mode == CORE_SUNK:
        return (MISS, HIT, SUNK)
    if mode == CORE_SUNK_LENGTH:
        return (MISS, HIT, *(SUNK_LENGTH + length for length in rules.fleet.counts))
    named = (
        HIT_SHIP + 64 * length + number
        for length, count in rules.fleet.counts.items()
        for number in range(1, count + 1)
    )
    return (MISS, *named)


def is_sunk(code: int) -> bool:
    """Whether the shot was announced to complete a ship."""
    return int(code) == SUNK or SUNK_LENGTH <= int(code) < HIT_SHIP


def answer_symbol(code: int) -> str:
    """Edge label of a picture: ``.`` miss, ``x`` hit, ``X`` sunk, with a length or name if given.

    >>> [answer_symbol(code) for code in (MISS, HIT, SUNK, SUNK_LENGTH + 3, HIT_SHIP + 64 * 3 + 1)]
    ['.', 'x', 'X', 'X3', 'x3#1']
    """
    kind, _, rest = answer_text(code).partition(":")
    return {"miss": ".", "hit": "x", "sunk": "X"}[kind] + rest


def sunk_code(rules: Rules, length: int) -> int:
    """The answer that announces a sinking."""
    return SUNK_LENGTH + length if core_mode(rules) == CORE_SUNK_LENGTH else SUNK


CONTACT_WORDS = {
    Contact.NONE: "ships do not touch",
    Contact.CORNERS: "ships touch at corners at most",
    Contact.SIDES: "ships may touch",
}
_ANSWERS = {
    AnswerMode.HIT: "hit or miss",
    AnswerMode.SUNK: "hit, miss or sunk",
    AnswerMode.SHIP: "miss, or which ship is hit",
}
_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}


def told_words(rules: Rules) -> str:
    """What a shooter is told, in words."""
    told = _ANSWERS[rules.answers]
    length = core_mode(rules) == CORE_SUNK_LENGTH
    return f"{told}, with the length of the ship" if length else told


def rule_words(rules: Rules) -> str:
    """How ships may lie and what a shooter is told, in words.

    >>> rule_words(Rules("5x5", "3,2,2,1,1,1"))
    'ships do not touch; answers: hit or miss'
    >>> rule_words(Rules("10x10", "hasbro", "sides", "sunk"))
    'ships may touch; answers: hit, miss or sunk, with the length of the ship'
    """
    return f"{CONTACT_WORDS[rules.contact]}; answers: {told_words(rules)}"


def game_words(rules: Rules) -> str:
    """The fleet and the rules in words.

    >>> game_words(Rules("5x5", "3,2,2,1,1,1"))
    'fleet 3,2,2,1,1,1; ships do not touch; answers: hit or miss'
    """
    closed = ", ".join(map(rules.board.name, rules.blocked))
    return f"fleet {rules.fleet}; {rule_words(rules)}{f'; no ship on {closed}' if closed else ''}"


def answer_words(code: int, fleet: Fleet) -> str:
    """An answer in words; a ship that is named is called by its length.

    >>> from seabattle.enumerate.answers import answer_code
    >>> fleet = Fleet([3, 2, 2])
    >>> answer_words(answer_code("hit:3#1"), fleet), answer_words(answer_code("sunk:2"), fleet)
    ('hit, the ship of length 3', 'sunk, a ship of length 2')
    >>> answer_words(answer_code("hit:2#2"), fleet)
    'hit, the second ship of length 2 to be hit'
    """
    if code >= HIT_SHIP:
        length, number = divmod(code - HIT_SHIP, 64)
        if fleet.counts[length] == 1:
            return f"hit, the ship of length {length}"
        return f"hit, the {_ordinal(number)} ship of length {length} to be hit"
    if code >= SUNK_LENGTH:
        return f"sunk, a ship of length {code - SUNK_LENGTH}"
    return answer_text(code)


def _ordinal(number: int) -> str:
    """Where something comes in a row.

    >>> [_ordinal(number) for number in (2, 7, 12, 21)]
    ['second', '7th', '12th', '21st']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return _ORDINALS.get(number, f"{number}{'th' if number % 100 in (11, 12, 13) else ending}")
