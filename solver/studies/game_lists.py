"""Lists of games: a CSV file with a line for each game.

The first line names the columns: ``fleet`` and, in any order, ``board``, ``contact`` and
``answers``. A column that is missing, or a field that is empty, means what it means where the
option of that name is not given: the game of a named fleet, else 5x5, ``none`` and ``hit``. Empty
lines are left out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path

from seabattle.enumerate.errors import SeabattleError, TooLargeError, quoted
from seabattle.enumerate.files import read_text
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.search.problem import MOST_OPEN_LAYOUTS, refuse_large_board
from seabattle.solver.studies.atlas import AtlasGame

COLUMNS = ("board", "fleet", "contact", "answers")

MOST_LAYOUTS = 20_000_000
"""No game of a list has more."""

MOST_CHARACTERS = 10_000_000


def read_games(path: str | Path, progress: Callable[[int], None] | None = None) -> list[AtlasGame]:
    """The games of a list, easiest first: by layouts, then in the order of the list.

    Parameters
    ----------
    path
        The file.
    progress
        Called while layouts are counted, with the number of those of the game.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    SeabattleError
        If a line is no game, is the game of an earlier line, or is too large to solve; names the
        line.
    """
    unreadable = SeabattleError(f"list of games {path}: is no UTF-8 text")
    text = read_text(path, unreadable, encoding="utf-8-sig", most=MOST_CHARACTERS)
    games: list[AtlasGame] = []
    seen: dict[Rules, int] = {}
    for line, fields in _lines(text, path):
        try:
            game = _game(fields, progress)
        except SeabattleError as error:
            raise type(error)(f"list of games {path}, line {line}: {error}") from None
        first = seen.setdefault(game.rules, line)
        if first != line:
            raise SeabattleError(
                f"list of games {path}, line {line}: the game of line {first} again"
            )
        games.append(game)
    if not games:
        raise SeabattleError(f"list of games {path}: has no game; give one a line, after a header")
    return sorted(games, key=lambda game: game.layouts)


def _lines(text: str, path: str | Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The fields of each line that is not empty, with its number."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    head: list[str] = []
    try:
        for fields in reader:
            named = [field.strip() for field in fields]
            if not any(named):
                continue
            if not head:
                head = [name.lower() for name in named]
                wrong = [name for name in head if name not in COLUMNS]
                if wrong or len(set(head)) < len(head) or "fleet" not in head:
                    what = f"{quoted(wrong[0])} is no column" if wrong else "a header is needed"
                    raise SeabattleError(
                        f"list of games {path}, line {reader.line_num}: {what}; the first line "
                        f"names fleet and, as wanted, board, contact and answers, each once"
                    )
                continue
            if len(named) > len(head):
                raise SeabattleError(
                    f"list of games {path}, line {reader.line_num}: has {len(named)} fields for "
                    f'{len(head)} columns; a fleet of several ships is quoted, as in "3,2"'
                )
            yield reader.line_num, dict(zip(head, named, strict=False))
    except csv.Error as error:
        raise SeabattleError(
            f"list of games {path}, line {reader.line_num}: is no CSV: {error}"
        ) from None


def _game(fields: dict[str, str], progress: Callable[[int], None] | None) -> AtlasGame:
    """The game of a line."""
    if not fields.get("fleet"):
        raise SeabattleError("no fleet is given")
    rules = Rules.read(*(fields.get(name) or None for name in COLUMNS))
    refuse_large_board(rules)
    most = MOST_LAYOUTS
    if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES:
        most = MOST_OPEN_LAYOUTS
    layouts = count_layouts(rules, most=most, progress=progress)
    if layouts > most:
        raise TooLargeError(f"{rules} has more than {most:,} layouts, which is too large to solve")
    if not layouts:
        raise SeabattleError(f"{rules} has no layout")
    answers, contact = rules.answers.value, rules.contact.value
    return AtlasGame(str(rules.board), str(rules.fleet), answers, layouts, contact)
