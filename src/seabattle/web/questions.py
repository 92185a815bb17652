"""What a request may ask: a position, with options beside it; everything else is refused.

A position is written as in a position file (``seabattle.enumerate.position_files``). What the
command line may leave out may be left out here: a named fleet stands for its whole game, and
answers that only one answer mode has imply that mode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from typing import Any

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.deductions import check_answers
from seabattle.enumerate.errors import PositionError, RulesError, SeabattleError, quoted
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import FORMAT, RULES, VERSION, read_shot_fields
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules
from seabattle.web.refusals import Refused
from seabattle.web.settings import Settings


class Kind(StrEnum):
    """What is asked for."""

    COUNT = "count"
    ADVISE = "advise"
    SOLVE = "solve"
    REVIEW = "review"
    POSITION = "position"
    PICTURE = "picture"
    CONFLICT = "conflict"


@dataclass(frozen=True)
class Question:
    """One question about a position.

    Attributes
    ----------
    kind
        What is asked for.
    position
        What is known; its answers may contradict each other.
    options
        Every option of this kind of question and its value, by name.
    """

    kind: Kind
    position: Position
    options: tuple[tuple[str, Any], ...] = ()

    def option(self, name: str) -> Any:
        """The value of an option."""
        return dict(self.options)[name]


Reader = Callable[[str, Any, Settings], Any]
"""Checks the value of an option, given its name, and returns it."""


def _one_of(*choices: str) -> Reader:
    def read(name: str, value: Any, settings: Settings) -> str:
        if value not in choices or not isinstance(value, str):
            raise Refused(f"option {name!r}: {quoted(value)} is none of {', '.join(choices)}")
        return value

    return read


def _flag(name: str, value: Any, settings: Settings) -> bool:
    if not isinstance(value, bool):
        raise Refused(f"option {name!r}: {quoted(value)} must be true or false")
    return value


def _length(name: str, value: Any, settings: Settings) -> int:
    if type(value) is not int or not 1 <= value <= 128:
        raise Refused(f"option {name!r}: {quoted(value)} must be the length of a ship")
    return value


def _number(name: str, value: Any, least: float, most: float, *, above: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(f"option {name!r}: {quoted(value)} must be a number")
    if not (isinstance(value, int) or isfinite(value)) or not least <= value <= most:
        raise Refused(f"option {name!r}: {quoted(value)} must be from {least:g} to {most:g}")
    if above and value == least:
        raise Refused(f"option {name!r}: {quoted(value)} must be above {least:g}")
    return float(value)


def _think(name: str, value: Any, settings: Settings) -> float:
    return _number(name, value, 0, settings.seconds / 2)


def _seconds(name: str, value: Any, settings: Settings) -> float:
    return _number(name, value, 0, settings.seconds, above=True)


def _gibibytes(name: str, value: Any, settings: Settings) -> float:
    return _number(name, value, 0, settings.memory, above=True)


_PRIOR = _one_of("uniform", "people")
OPTIONS: dict[Kind, dict[str, tuple[Reader, Any]]] = {
    Kind.COUNT: {
        "prior": (_PRIOR, "uniform"),
        "ship": (_length, None),
        "percent": (_flag, False),
        "no_map": (_flag, False),
    },
    Kind.ADVISE: {"prior": (_PRIOR, "uniform"), "think": (_think, 2.0)},
    Kind.SOLVE: {
        "objective": (_one_of("mean", "worst", "mean-worst", "worst-mean", "pareto"), "mean"),
        "values": (_flag, False),
        "prior": (_PRIOR, "uniform"),
        "time_limit": (_seconds, 20.0),
        "memory_limit": (_gibibytes, None),
    },
    Kind.REVIEW: {"prior": (_PRIOR, "uniform"), "think": (_think, 10.0)},
    Kind.POSITION: {},
    Kind.PICTURE: {
        "prior": (_PRIOR, "uniform"),
        "ship": (_length, None),
        "theme": (_one_of("light", "dark", "print"), "light"),
    },
    Kind.CONFLICT: {},
}
"""The options of every kind of question: how each is read, and its default."""


def read_question(kind: Kind, body: Any, settings: Settings) -> Question:
    """The question that a request asks.

    Parameters
    ----------
    kind
        What is asked for.
    body
        The JSON document of the request.
    settings
        What a question may ask for at most.

    Raises
    ------
    SeabattleError
        If it cannot be understood; names what is wrong.

    Examples
    --------
    >>> asked = {"fleet": "russian", "shots": [["C4", "hit"]], "options": {"percent": True}}
    >>> question = read_question(Kind.COUNT, asked, Settings())
    >>> question.position.rules.board, question.option("percent"), question.option("prior")
    (Board(rows=10, columns=10), True, 'uniform')
    """
    if not isinstance(body, dict):
        raise Refused('the request must be a JSON object, as in {"fleet": "russian"}')
    fields = dict(body)
    options = read_options(kind, fields.pop("options", {}), settings)
    position = read_position(fields, settings)
    return Question(kind, position, tuple(sorted(options.items())))


def read_options(kind: Kind, given: Any, settings: Settings) -> dict[str, Any]:
    """The options of a question, with their defaults.

    Raises
    ------
    Refused
        If one is unknown or wrong.
    """
    if not isinstance(given, dict):
        raise Refused('the field \'options\' must be an object, as in {"prior": "people"}')
    known = OPTIONS[kind]
    for name in given:
        if name not in known:
            right = f"the options are {', '.join(known)}" if known else "there are none"
            raise Refused(f"option {quoted(name)} is unknown; {right}")
    options = {
        name: read(name, given[name], settings) if name in given else usual
        for name, (read, usual) in known.items()
    }
    if options.get("no_map") and (options["percent"] or options["ship"] is not None):
        other = "percent" if options["percent"] else "ship"
        raise Refused(f"option 'no_map' gives no map: leave out {other!r}")
    if kind is Kind.SOLVE and options["memory_limit"] is None:
        options["memory_limit"] = settings.memory
    return options


def read_position(fields: Mapping[str, Any], settings: Settings) -> Position:
    """The position of a request, whose answers may contradict each other.

    Raises
    ------
    SeabattleError
        If it cannot be understood, or is larger than the settings allow; names what is wrong.
    """
    known = {"format", "version", "shots", "ordered", "ships", *RULES}
    for name in fields:
        if name not in known:
            raise Refused(f"the field {quoted(name)} is unknown")
    if fields.get("format", FORMAT) != FORMAT:
        raise Refused(f"the field 'format' is not {FORMAT!r}")
    version = fields.get("version", VERSION)
    if type(version) is not int or version != VERSION:
        raise Refused(f"version {quoted(version)} is unknown; this service reads version {VERSION}")
    game = {**fields, "shots": fields.get("shots", [])}
    position = read_shot_fields(read_rules(game, settings), game)
    if len(position.ships) > len(position.rules.fleet.lengths):
        raise PositionError("the field 'ships' has more ships than the fleet")
    return position


def read_rules(fields: Mapping[str, Any], settings: Settings) -> Rules:
    """The game of a request; what is left out is as on the command line.

    Raises
    ------
    SeabattleError
        If it cannot be understood, or its board is larger than the settings allow.
    """
    for name in RULES:
        if name in fields and not isinstance(fields[name], str):
            raise Refused(f"the field {name!r} must be text")
    answers = fields.get("answers")
    if answers is None:
        answers = _implied(fields.get("shots"))
    rules = Rules(
        fields.get("board"), fields.get("fleet"), fields.get("contact"), answers,
        fields.get("announce"),
    )  # fmt: skip
    if rules.board.cells > settings.cells:
        raise Refused(
            f"board {rules.board}: it has {rules.board.cells:,} cells, and a question may have at "
            f"most {settings.cells:,}",
            413,
        )
    if rules.announce is Announce.NONE and rules.answers is not AnswerMode.SUNK:
        raise RulesError(
            f"announce 'none' is about sinkings, which answers {rules.answers.value!r} do not "
            f"announce"
        )
    return rules


def _implied(shots: Any) -> str | None:
    """The answer mode that the first answer of its own kind belongs to, None without any."""
    for shot in shots if isinstance(shots, list) else ():
        answer = shot[-1] if isinstance(shot, list) and shot else None
        if isinstance(answer, str):
            text = answer.strip().lower()
            if text.startswith("sunk"):
                return AnswerMode.SUNK
            if text.startswith("hit:"):
                return AnswerMode.SHIP
    return None


def canonical(question: Question) -> Question:
    """The same question with its shots in an order that depends on what they say alone.

    Questions that have one answer become equal. The order is kept where it matters: that of all
    shots of a review, that of the hits in mode ``sunk`` under contact rule ``sides``, and where
    answers contradict each other in a way that one cell or ship shows.

    >>> rules = Rules("5x5", "3,2,1", answers="sunk")
    >>> told = Position.in_order(rules, "C3 miss, B1 hit, A5 miss, A1 hit, C1 sunk")
    >>> [shot[0] for shot in canonical(Question(Kind.COUNT, told)).position.shots]
    [12, 20, 0, 1, 2]
    """
    position = question.position
    if question.kind in (Kind.REVIEW, Kind.CONFLICT, Kind.POSITION):
        return question
    try:
        check_answers(position)
    except SeabattleError:
        return question
    rules = position.rules
    misses = sorted(shot for shot in position.shots if shot[1] == MISS)
    hits = [shot for shot in position.shots if shot[1] != MISS]
    if rules.contact is not Contact.SIDES or rules.answers is not AnswerMode.SUNK:
        # Hits before the sinking that completes their ship, and equal ships by their numbers.
        hits.sort(key=lambda shot: (shot[1], shot[0]))
    shots = (*misses, *hits)
    ships = tuple(sorted(position.ships))
    return replace(question, position=replace(position, shots=shots, ships=ships))
