"""The game as every JSON answer begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.rules import Rules


def game_document(game: Rules | Position) -> dict[str, Any]:
    """The game as every JSON answer begins with: the fields of a position file.

    ``board``, ``fleet``, ``contact``, ``answers``, ``announce``; and of a game in progress
    ``shots``, with ``ordered`` and ``ships`` where they apply.

    >>> from seabattle.enumerate.rules import Rules
    >>> list(game_document(Rules("3x3", "2,1")))
    ['board', 'fleet', 'contact', 'answers', 'announce']
    """
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.position_files import position_document

    position = game if isinstance(game, Position) else Position(game)
    document = position_document(position)
    del document["format"], document["version"]
    if not position.shots:
        del document["shots"]
    return document


def answer_document(game: Rules | Position | None, found: Mapping[str, Any]) -> dict[str, Any]:
    """One JSON answer: the game (None where it is not known), then what was found."""
    begins = {} if game is None else game_document(game)
    return {**begins, **found}
