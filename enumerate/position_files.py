"""Position files: a game in progress as JSON, versioned, and validated on reading.

The format is plain JSON in UTF-8: ``format`` "seabattle-position", ``version`` 1, the rules
(``board``, ``fleet``, ``contact``, ``answers``, ``announce``), and ``shots``, an array of
``[cell, answer]`` in the order shot, with answers as ``miss``, ``hit``, ``sunk``, ``sunk:3`` or
``hit:3#1``. Only where they apply: ``"ordered": false`` when the order of the shots is not known,
and ``ships``, the sunk ships whose cells are known beyond what the answers say, as ``A1:A4``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.arguments import require_path, require_position
from seabattle.enumerate.deductions import check_answers
from seabattle.enumerate.errors import FileAccessError, PositionError, SeabattleError, quoted
from seabattle.enumerate.files import json_document, read_text, write_text
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

FORMAT = "seabattle-position"
VERSION = 1
KIND = "position file"
RULES = ("board", "fleet", "contact", "answers", "announce")


def shot_fields(position: Position) -> dict[str, Any]:
    """The fields of a file that hold the shots: ``shots``, and the others where they apply.

    >>> shot_fields(Position.in_order(Rules("3x3", "2,1"), "A1 miss, B2 hit"))
    {'shots': [['A1', 'miss'], ['B2', 'hit']]}
    """
    name = position.rules.board.name
    fields: dict[str, Any] = {}
    if not position.ordered:
        fields["ordered"] = False
    if position.ships:
        fields["ships"] = position.ship_names
    fields["shots"] = [[name(cell), answer_text(code)] for cell, code in position.shots]
    return fields


def read_shot_fields(rules: Rules, fields: dict[str, Any], called: str = "shots") -> Position:
    """Position from the fields ``shots``, ``ordered`` and ``ships`` of a file.

    Parameters
    ----------
    rules
        The game.
    fields
        The fields of the file; all others are ignored.
    called
        What messages call the field ``shots``.

    Raises
    ------
    PositionError, or another SeabattleError
        If a field is of the wrong type, or the shots do not belong to this game.
    """
    shots = fields.get("shots")
    if not isinstance(shots, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair)
        for pair in shots
    ):
        raise PositionError(f"the field {called!r} must be an array of [cell, answer]")
    ordered = fields.get("ordered", True)
    if not isinstance(ordered, bool):
        raise PositionError("the field 'ordered' must be true or false")
    ships = fields.get("ships", [])
    if not isinstance(ships, list) or not all(isinstance(ship, str) for ship in ships):
        raise PositionError("the field 'ships' must be an array of ships such as 'A1:A4'")
    return Position.read(
        rules, [(cell, answer) for cell, answer in shots], ordered=ordered, ships=ships
    )


def position_document(position: Position) -> dict[str, Any]:
    """The position as the JSON document of its file."""
    rules = position.rules
    return {
        "format": FORMAT,
        "version": VERSION,
        "board": str(rules.board),
        "fleet": str(rules.fleet),
        "contact": rules.contact.value,
        "answers": rules.answers.value,
        "announce": rules.announce.value,
        **shot_fields(position),
    }


def position_text(position: Position) -> str:
    """The position as the text of its file, one shot per line."""
    document = position_document(position)
    shots = [json.dumps(shot) for shot in document.pop("shots")]
    head = json.dumps(document)[:-1]
    body = "".join(f"\n{shot}," for shot in shots).removesuffix(",")
    return f'{head}, "shots": [{body}\n]}}\n'


def save_position(position: Position, path: str | Path) -> None:
    """Write a position file.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    require_position(position)
    require_path("path", path)
    write_text(path, position_text(position))


def load_position(path: str | Path, *, contradictory: bool = False) -> Position:
    """Read a position file.

    Parameters
    ----------
    path
        The file.
    contradictory
        Whether to read answers, too, that contradict each other in a way that one cell or ship
        shows; ``conflict`` says which.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    PositionError
        If it is not a position file, is of another version, is damaged, or its answers contradict
        each other in a way that one cell or ship shows.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_path("path", path)
    require_flag("contradictory", contradictory)
    text = read_text(path, PositionError(f"{path} is no {KIND}: it is not UTF-8 text"))
    return position_of_text(text, path, contradictory=contradictory)


def position_of_text(
    text: str, called: str | Path = "the text", *, contradictory: bool = False
) -> Position:
    """Position from the text of its file.

    Parameters
    ----------
    text
        The text.
    called
        What messages call it.
    contradictory
        As for ``load_position``.

    Raises
    ------
    PositionError
        As for ``load_position``.

    Examples
    --------
    >>> position = Position.in_order(Rules("3x3", "2,1"), "A1 miss, B2 hit")
    >>> position_of_text(position_text(position)) == position
    True
    """
    document = json_document(text, called, KIND, PositionError, once=True)
    try:
        position = read_document(document)
        if not contradictory:
            check_answers(position)
    except FileAccessError:
        raise
    except SeabattleError as error:
        raise PositionError(f"{called} is no valid {KIND}: {error}") from None
    return position


def read_document(document: Any) -> Position:
    """Position from the JSON document of its file, whose answers may contradict each other.

    Raises
    ------
    PositionError, or another SeabattleError
        If a field is missing, of the wrong kind, unknown, or does not fit the others.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise PositionError(f"its 'format' is not {FORMAT!r}")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise PositionError(
            f"version {quoted(version)} of the format is unknown; this program reads version "
            f"{VERSION}"
        )
    for name in RULES:
        if name not in document:
            raise PositionError(f"the field {name!r} is missing")
        if not isinstance(document[name], str):
            raise PositionError(f"the field {name!r} must be text")
    if "shots" not in document:
        raise PositionError("the field 'shots' is missing")
    # A misspelt "ordered" or "ships" would change what is counted without a word.
    known = {"format", "version", "shots", "ordered", "ships", *RULES}
    for name in document.keys() - known:
        raise PositionError(f"the field {quoted(name)} is unknown")
    return read_shot_fields(Rules(*(document[name] for name in RULES)), document)
