"""The game a command is asked about: the options that say it, and the position they make.

The name of a fleet stands for a whole game, and answers that only one answer mode has imply that
mode; an option that is given explicitly wins over both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from seabattle.cli.options import FILE_OR_NAME, Option, option_name, with_options
from seabattle.cli.standard_input import standard_input

if TYPE_CHECKING:
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.rules import AnswerMode, Rules


STANDARD_INPUT = "-"
"""The name of standard input where a position file is asked for."""

_CONTACT = {"none": "nowhere", "corners": "at corners", "sides": "anywhere"}
_ANSWERS = {
    "hit": "hit or miss",
    "sunk": "also that a ship is sunk",
    "ship": "also which ship is hit",
    "all": "each of these in turn",
}

_IMPLIED = {"sunk": "sunk", "sunk_at": "sunk", "named": "ship"}
"""Options of cells that only one answer mode has."""


def known_options(*, implies: bool = True) -> Option:
    """What is known so far.

    Parameters
    ----------
    implies
        Whether the answers decide about ``--answers``: not where a file gives the game.
    """

    def implied(mode: str) -> str:
        return f" Implies --answers {mode}." if implies else ""

    in_order = " A sinking implies --answers sunk, a named hit --answers ship." if implies else ""
    return with_options(
        click.option("--miss", metavar="C1,J8", help="Cells shot and missed."),
        click.option("--hit", metavar="E5", help="Cells shot and hit."),
        click.option("--sunk", metavar="A1:A4,C7",
                     help="Ships sunk, each by its two ends or its one cell." + implied("sunk")),
        click.option("--sunk-at", metavar="C7=3,E1",
                     help="Shots that sank a ship whose cells are not all known, with or without "
                          "its length. Its other hits go in --hit." + implied("sunk")),
        click.option("--named", metavar="E5=3#1",
                     help="Hits that name the ship, here the first of length 3."
                          + implied("ship")),
        click.option("--shots", metavar="'C3 hit, B3 sunk=2'",
                     help="All shots so far in order, instead of --miss to --named. The length of "
                          "a sunk ship may be left out where only one is possible." + in_order),
        click.option("--position", type=FILE_OR_NAME, metavar="FILE",
                     help="Game and shots from a position file, or from standard input with -, "
                          "instead of all options above."),
    )  # fmt: skip


def rules_options(
    contact: str = "none|corners|sides", answers: str = "hit|sunk|ship", usual_answers: str = "hit"
) -> Option:
    """Board, fleet, contact rule and answer mode.

    Parameters
    ----------
    contact, answers
        What the command takes, joined by ``|``.
    usual_answers
        The answer mode that holds when no option says one.
    """
    return with_options(
        click.option("--board", metavar="ROWSxCOLUMNS", help="Size of the board. [default: 5x5]"),
        click.option("--fleet", metavar="LENGTHS|NAME",
                     help="Ship lengths, or a name that stands for a whole game: russian (10x10, "
                          "contact none, answers sunk) or hasbro (10x10, contact sides, answers "
                          "sunk). Other options win over the name. [default: 3,2,2,1,1,1]"),
        click.option("--contact", metavar=contact,
                     help=f"Where ships may touch: {_choices(_CONTACT, contact)}. "
                          f"[default: none]"),
        click.option("--answers", metavar=answers,
                     help=f"What a shot reveals: {_choices(_ANSWERS, answers)}. "
                          f"[default: {usual_answers}]"),
    )  # fmt: skip


def game_options(answers: str = "hit|sunk|ship", usual_answers: str = "hit") -> Option:
    """The whole game, and what is known so far; parameters as in ``rules_options``."""
    return with_options(
        rules_options(answers=answers, usual_answers=usual_answers),
        click.option("--announce", metavar="none|length",
                     help="What a sinking tells with --contact sides: only that a ship is sunk "
                          "(none), or its length too (length). [default: length]"),
        known_options(),
    )  # fmt: skip


def _choices(meanings: Mapping[str, str], choices: str) -> str:
    """What an option's choices mean, as a list in words."""
    *most, last = (f"{meanings[choice]} ({choice})" for choice in choices.split("|"))
    return f"{', '.join(most)} or {last}"


def asked_position(
    *,
    board: str | None = None,
    fleet: str | None = None,
    contact: str | None = None,
    answers: str | None = None,
    announce: str | None = None,
    position: str | None = None,
    contradictory: bool = False,
    **told: str | None,
) -> Position:
    """The position that the options of ``game_options`` say, None where one was not given.

    A position file may hold answers that contradict each other only where ``contradictory`` says
    so.

    Raises
    ------
    SeabattleError
        If an option cannot be read or contradicts another.
    """
    from seabattle.enumerate.errors import PositionError, RulesError
    from seabattle.enumerate.position_files import load_position, position_of_text
    from seabattle.enumerate.rules import Announce, AnswerMode, Rules

    if position == "":
        raise PositionError("--position '': name a position file")
    if position is not None:
        options = {"board": board, "fleet": fleet, "contact": contact, "answers": answers,
                   "announce": announce, **told}  # fmt: skip
        given = [option_name(name) for name, value in options.items() if value is not None]
        if given:
            raise PositionError(
                f"--position {position} gives the game and all its shots: leave out "
                f"{', '.join(given)}"
            )
        if position == STANDARD_INPUT:
            name = "standard input"
            return position_of_text(standard_input(), name, contradictory=contradictory)
        return load_position(position, contradictory=contradictory)
    if answers is None:
        answers = implied_answers(told)
    rules = Rules(board, fleet, contact, answers, announce)
    if rules.announce is Announce.NONE and rules.answers is not AnswerMode.SUNK:
        raise RulesError(
            f"--announce none is about sinkings, which answers {rules.answers.value!r} do not "
            f"announce; it goes with --answers sunk"
        )
    return told_position(rules, told)


def implied_answers(told: Mapping[str, str | None]) -> AnswerMode | None:
    """The only answer mode that has the answers told, None if several have them.

    Raises
    ------
    RulesError
        If some belong to one mode and some to another.

    Examples
    --------
    >>> implied_answers({"hit": "A1", "sunk_at": "C7=3"})
    <AnswerMode.SUNK: 'sunk'>
    >>> implied_answers({"shots": "C3 miss, B3 hit=2#1"})
    <AnswerMode.SHIP: 'ship'>
    """
    from seabattle.enumerate.errors import RulesError, quoted
    from seabattle.enumerate.rules import AnswerMode

    implied: dict[AnswerMode, str] = {}
    for shot in (told.get("shots") or "").split(","):
        answer = shot.split()[-1].lower() if len(shot.split()) == 2 else ""
        if answer.startswith("sunk"):
            implied.setdefault(AnswerMode.SUNK, f"the shot {quoted(shot.strip())}")
        elif answer.startswith(("hit=", "hit:")):
            implied.setdefault(AnswerMode.SHIP, f"the shot {quoted(shot.strip())}")
    if not told.get("shots"):  # which go without the other options
        for name, mode in _IMPLIED.items():
            if _parts(told.get(name)):
                implied.setdefault(AnswerMode(mode), option_name(name))
    if len(implied) > 1:
        raise RulesError(
            f"{implied[AnswerMode.SUNK]} implies --answers sunk, {implied[AnswerMode.SHIP]} "
            f"implies --answers ship: a game has one of them"
        )
    return next(iter(implied), None)


def told_position(rules: Rules, told: Mapping[str, str | None]) -> Position:
    """The position of a game that the options of ``known_options`` say, ``--position`` apart.

    Raises
    ------
    SeabattleError
        If an option cannot be read or contradicts another.
    """
    from seabattle.enumerate.errors import PositionError, SeabattleError
    from seabattle.enumerate.position import Position

    cells = {name: _parts(text) for name, text in told.items() if name != "shots"}
    if not told.get("shots"):
        try:
            return Position.of_cells(rules, **cells)
        except SeabattleError as error:
            raise _naming_option(error, rules, cells) from None
    if any(cells.values()):
        raise PositionError("--shots gives all shots in order: leave out --miss, --hit, --sunk, "
                            "--sunk-at and --named")  # fmt: skip
    from seabattle.cli.answer_codes import lengths_told

    try:
        return Position.in_order(rules, lengths_told(rules, str(told["shots"])))
    except SeabattleError as error:
        raise type(error)(f"--shots: {error}") from None


def _naming_option(
    error: SeabattleError, rules: Rules, cells: Mapping[str, list[str]]
) -> SeabattleError:
    """The error with the option that causes it by itself, if one does."""
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.position import Position

    for name, given in cells.items():
        try:
            Position.of_cells(rules, **{name: given})
        except SeabattleError as alone:
            if str(alone) == str(error):
                return type(error)(f"{option_name(name)}: {error}")
    return error


def _parts(text: str | None) -> list[str]:
    return (text or "").replace(",", " ").split()
