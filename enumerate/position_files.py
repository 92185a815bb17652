"""Position files: a game in progress as JSON, versioned, and validated on reading.

The format is plain JSON in UTF-8: ``format`` "seabattle-position", ``version`` 1, the rules
(``board``, ``fleet``, ``contact``, ``answers``, ``announce``; ``blocked``, cells such as
"C3,D4", only where there are some, and ``letters``, in which cells are named, only where they are
not Latin), and ``shots``, an array of
``[cell, answer]`` in the order shot, with answers as ``miss``, ``hit``, ``sunk``, ``sunk:3`` or
``hit:3#1``. Only where they apply: ``"ordered": false`` when the order of the shots is not known,
and ``ships``, the sunk ships whose cells are known beyond what the answers say, as ``A1:A4``.
``asked``, an object, is how the game was weighed and asked about where it was saved, of which a
position says nothing: ``prior`` (by name or file), ``salvo`` (shots of a turn), ``think``
(seconds), ``within`` (misses to finish with at most; the page's).

A *board as text* stands for a position file too, in the signs and frames that ``board_text`` reads:
``.`` for a cell not shot, ``o`` for a miss, ``x`` for a hit, ``#`` for a cell of a sunk ship, and
others. It says nothing of the fleet and the other rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from seabattle.enumerate.board_text import SUNK, Drawn, Rows, is_board, read_board
from seabattle.enumerate.deductions import check_answers
from seabattle.enumerate.errors import PositionError, SeabattleError
from seabattle.enumerate.files import (
    json_document,
    read_text,
    require_format,
    require_known,
    write_text,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import DOCUMENT_FIELDS, LETTERS, AnswerMode, Rules

FORMAT = "seabattle-position"
VERSION = 1
KIND = "position file"

ASKED = "asked"
"""The field that says how a game is weighed and asked about, where that is kept."""

ASKED_LEAST = {"salvo": 1, "think": 0, "within": 0}
"""Numbers that this field may hold, and the least that each may be; its text is ``prior``."""

_IN_WORDS = re.compile(r"\W*[^\W\d_]{1,2}\d{1,2}\W+[^\W\d_]{3,}")
"""A cell and a word behind it: how a text begins that holds answers and no board."""

SHOT_FIELDS = ("shots", "ordered", "ships")
"""Fields that say what was shot in files and answers."""


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
        isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in shots
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


def position_document(position: Position, asked: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The position, and how it is asked about, as the JSON document of its file."""
    game, shots = position.rules.document(), position.shot_fields()
    how = {ASKED: dict(asked)} if asked else {}
    return {"format": FORMAT, "version": VERSION, **game, **how, **shots}


def position_text(position: Position, asked: Mapping[str, Any] | None = None) -> str:
    """The position as the text of its file, one shot per line."""
    document = position_document(position, asked)
    shots = ",".join(f"\n{json.dumps(shot)}" for shot in document.pop("shots"))
    return f'{json.dumps(document)[:-1]}, "shots": [{shots}\n]}}\n'


def save_position(
    position: Position, path: str | Path, asked: Mapping[str, Any] | None = None
) -> None:
    """Write a position file; ``asked`` says how the game is weighed and asked about.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    """
    write_text(path, position_text(position, asked))


def load_asked(path: str | Path) -> dict[str, Any]:
    """How the game of a position file is weighed and asked about; empty where it does not say.

    Raises
    ------
    FileAccessError, PositionError
        As for ``load_position``, of the field alone.
    """
    return asked_of_text(read_text(path), path)


def asked_of_text(text: str, called: str | Path = "the text") -> dict[str, Any]:
    """How the game in the text of a position file is weighed and asked about; see ``load_asked``.

    >>> asked_of_text(position_text(Position(Rules("3x3", "2,1")), {"salvo": 3}))
    {'salvo': 3}
    """
    document = {} if is_board(text) else json_document(text, called, KIND, PositionError)
    try:
        return read_asked(document) if isinstance(document, dict) else {}
    except PositionError as error:
        raise PositionError(f"{called} is not a valid {KIND}: {error}") from None


def read_asked(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the field ``asked`` of a document says; empty without one.

    Raises
    ------
    PositionError
        If it holds what it cannot.
    """
    asked = document.get(ASKED, {})
    if not isinstance(asked, dict):
        raise PositionError(f"the field {ASKED!r} must be an object")
    require_known(asked, ("prior", *ASKED_LEAST), PositionError, of=ASKED)
    for name, value in asked.items():
        kinds = (int, float) if name == "think" else (int,)
        if name == "prior":
            if not isinstance(value, str):
                raise PositionError(f"the field 'prior' of {ASKED} must be a text")
        elif type(value) not in kinds or not ASKED_LEAST[name] <= value <= 1e9:
            whole = "a number" if name == "think" else "a whole number"
            raise PositionError(
                f"the field {name!r} of {ASKED} must be {whole}, {ASKED_LEAST[name]} or above"
            )
    return dict(asked)


def load_position(
    path: str | Path,
    *,
    contradictory: bool = False,
    signs: str | Mapping[Any, str] | None = None,
    **game: Any,
) -> Position:
    """Read a position file.

    Parameters
    ----------
    path
        The file.
    contradictory
        Whether to read answers, too, that contradict each other in a way that one cell or ship
        shows; ``conflict`` says which.
    signs
        Where the file holds a board as text: what its signs mean, as in ``~=unknown,!=miss``.
    game
        Where the file holds a board as text: ``fleet`` and the other rules, as ``Rules`` takes
        them. ``letters`` go with every file: they name the columns from then on.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    PositionError
        If it is not a position file, is of another version, is damaged, or its answers contradict
        each other in a way that one cell or ship shows.
    """
    return position_of_text(read_text(path), path, contradictory=contradictory, signs=signs, **game)


def position_of_text(
    text: str,
    called: str | Path = "the text",
    *,
    contradictory: bool = False,
    signs: str | Mapping[Any, str] | None = None,
    known: Mapping[str, Iterable[str]] | None = None,
    **game: Any,
) -> Position:
    r"""Position from the text of its file.

    Parameters
    ----------
    text
        The text.
    called
        What messages call it.
    contradictory, signs, game
        As for ``load_position``.
    known
        What is known beside a board as text; see ``Position.of_board``.

    Raises
    ------
    PositionError
        As for ``load_position``.

    Examples
    --------
    >>> position = Position.in_order(Rules("3x3", "2,1"), "A1 miss, B2 hit")
    >>> position_of_text(position_text(position)) == position
    True
    >>> position_of_text("o..\n.x.\n...", fleet="2,1") == position
    True
    """
    given = ", ".join(n for n, value in game.items() if value is not None and n != LETTERS)
    letters, drawn = game.get(LETTERS), is_board(text)
    try:
        board = read_board(text, signs) if drawn else None
    except PositionError as error:
        why = "no board: answers in words, A1 miss, B2 hit, are given by --shots"
        why = why if _IN_WORDS.match(text) else f"no board that is read: {error}"
        raise PositionError(f"{called} is no JSON, and {why}") from None
    document = None if drawn else json_document(text, called, KIND, PositionError)
    try:
        position = (
            _whole_game(document, given or ("signs" if signs else ""))
            if board is None
            else position_of_board(board, known=known, **game)
        )
        if letters is not None:
            position = position.lettered(letters)
        if not contradictory:
            check_answers(position)
    except SeabattleError as error:
        raise PositionError(f"{called} is not a valid {KIND}: {error}") from None
    return position


def _whole_game(document: Any, given: str) -> Position:
    """The position of a document, which says the whole game, so that nothing else may be given."""
    position = read_document(document)
    if given:
        raise PositionError(f"it says the whole game: leave out {given}")
    return position


def position_of_board(
    rows: Rows | Drawn,
    signs: str | Mapping[Any, str] | None = None,
    known: Mapping[str, Iterable[str]] | None = None,
    **game: Any,
) -> Position:
    r"""Position of a board as text or as an array; a sunk ship implies answers ``sunk``.

    Parameters
    ----------
    rows, signs, known
        The board, as ``Position.of_board`` takes it.
    game
        ``fleet`` and the other rules, as ``Rules`` takes them; the size is that of the board.

    Raises
    ------
    PositionError
        If it is no board, or sunk cells can be several sets of ships.
    SeabattleError
        If the rules make no game, or the answers contradict each other.

    Examples
    --------
    >>> position = position_of_board("#.o\n#..\n..x", fleet="2,1")
    >>> position.rules.answers.value, position.shots
    ('sunk', ((2, 0), (8, 1), (0, 1), (3, 2)))
    """
    drawn = rows if isinstance(rows, Drawn) else read_board(rows, signs)
    told = {name for name, cells in (known or {}).items() if cells}
    if SUNK in drawn.shown or told & {"sunk", "sunk_at"}:
        game["answers"] = game.get("answers") or AnswerMode.SUNK
    elif "named" in told:
        game["answers"] = game.get("answers") or AnswerMode.SHIP
    if drawn.letters is not None:
        game[LETTERS] = game.get(LETTERS) or drawn.letters
    rules = Rules.read(**{**game, "board": game.get("board") or drawn.size})
    return Position.of_board(rules, drawn, known=known)


def read_document(document: Any) -> Position:
    """Position from the JSON document of its file, whose answers may contradict each other.

    Raises
    ------
    PositionError, or another SeabattleError
        If a field is missing, of the wrong kind, unknown, or does not fit the others.
    """
    require_format(document, FORMAT, VERSION, PositionError)
    if "shots" not in document:
        raise PositionError("the field 'shots' is missing")
    # A misspelt "ordered" or "ships" would change what is counted without a word.
    known = ("format", "version", *SHOT_FIELDS, *DOCUMENT_FIELDS, ASKED)
    require_known(document, known, PositionError)
    read_asked(document)
    return read_shot_fields(Rules.of_document(document), document)
