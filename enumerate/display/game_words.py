"""A game and its answers in words that a reader needs no manual for."""

from __future__ import annotations

from seabattle.enumerate.game.answers import HIT_SHIP, SUNK_LENGTH, answer_text
from seabattle.enumerate.game.fleet import Fleet
from seabattle.enumerate.game.rules import Announce, AnswerMode, Contact, Rules

_CONTACT = {
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


def contact_words(contact: Contact | str) -> str:
    """A contact rule in words.

    >>> contact_words("none")
    'ships do not touch'
    """
    return _CONTACT[Contact(contact)]


def rule_words(rules: Rules) -> str:
    """How ships may lie and what a shooter is told, in words.

    >>> rule_words(Rules("5x5", "3,2,2,1,1,1"))
    'ships do not touch; answers: hit or miss'
    >>> rule_words(Rules("10x10", "hasbro", "sides", "sunk"))
    'ships may touch; answers: hit, miss or sunk, with the length of the ship'
    """
    told = _ANSWERS[rules.answers]
    if (
        rules.contact is Contact.SIDES
        and rules.answers is AnswerMode.SUNK
        and rules.announce is Announce.LENGTH
    ):
        told += ", with the length of the ship"
    return f"{_CONTACT[rules.contact]}; answers: {told}"


def game_words(rules: Rules) -> str:
    """The fleet and the rules in words.

    >>> game_words(Rules("5x5", "3,2,2,1,1,1"))
    'fleet 3,2,2,1,1,1; ships do not touch; answers: hit or miss'
    """
    return f"fleet {rules.fleet}; {rule_words(rules)}"


def answer_words(code: int, fleet: Fleet) -> str:
    """An answer in words; a ship that is named is called by its length.

    >>> from seabattle.enumerate.game.answers import answer_code
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
