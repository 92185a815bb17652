"""The options that many commands share: the game, what is known, a prior, limits, files.

An option means the same in every command. The name of a fleet stands for a whole game, and answers
that only one answer mode has imply that mode; an option that is given explicitly wins over both.
"""

from __future__ import annotations

import functools
import math
import os
import select
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

import seabattle
from seabattle.cli.command import FOR_A_PROGRAM, GAME, KNOWN, LIMITS, OUTPUT, option, option_name

Decorator = Callable[[Any], Any]
"""What adds options to a command."""

STANDARD_INPUT = "-"
"""The name of standard input where a position file is asked for."""

PATIENCE = 1.0
"""Seconds within which optional input has to begin."""


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, shown by ``--help`` in this order."""

    def decorate(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate


# Types of values.


class _File(click.Path):
    """A file or folder; its name is not empty, as an unset variable would make it."""

    def __init__(self, *, new: bool = False, inside: str = "") -> None:
        super().__init__(path_type=Path)
        self.new, self.inside = new, inside

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from seabattle.enumerate.files import require_place

        if isinstance(value, str) and not value.strip():
            self.fail(f"{value!r} names no file or folder.", param, ctx)
        try:
            if self.new:
                require_place(Path(value, self.inside))
        except seabattle.SeabattleError as error:
            self.fail(f"{error}.", param, ctx)
        return super().convert(value, param, ctx)


FILE = _File()
"""A file or folder to read, or a folder to write."""

NEW_FILE = _File(new=True)
"""A file to write; refused before any work where it cannot be."""

NEW_FOLDER = _File(new=True, inside="table.json")
"""A folder to write to, made with its first file; refused likewise."""


class _Words(click.Choice):  # type: ignore[type-arg, unused-ignore]
    """One of some words, in any case; the help shows them without brackets."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__(list(words), case_sensitive=False)

    def get_metavar(self, param: click.Parameter, ctx: Any = None) -> str:
        return "|".join(map(str, self.choices))


def words(text: str) -> _Words:
    """The type of an option that takes one of some words, joined by ``|``."""
    return _Words(text.split("|"))


def within(least: float, most: float = math.inf, *, above: bool = False) -> dict[str, Any]:
    """An option's callback that refuses numbers out of range; ``above`` refuses the least, too."""

    def check(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        right = value is None or (least < value if above else least <= value)
        if not right or (value is not None and not value <= most) or value == math.inf:
            wanted = f"{least:,} or more" if most == math.inf else f"{least:,} to {most:,}"
            wanted = f"a number above {least:g}" if above else wanted
            raise click.BadParameter(f"{value}: must be {wanted}.", context, parameter)
        return value

    return {"callback": check}


def completing(*names: str) -> dict[str, Any]:
    """An option's values for completion by the shell, where others are allowed, too."""

    def complete(context: Any, parameter: Any, begun: str) -> list[CompletionItem]:
        files = [CompletionItem(begun, type="file")] if "FILE" in names else []
        return [CompletionItem(n) for n in names if n.startswith(begun) and n != "FILE"] + files

    return {"shell_complete": complete}


# The game, and what is known of it.

_CONTACT = {"none": "nowhere", "corners": "at corners", "sides": "anywhere"}
_ANSWERS = {
    "hit": "hit or miss",
    "sunk": "also that a ship is sunk",
    "ship": "also which ship is hit",
    "all": "each of these in turn",
}
_IMPLIED = {"sunk": "sunk", "sunk_at": "sunk", "named": "ship"}
"""Options of cells that only one answer mode has."""


GAME_NAMES = ("board", "fleet", "contact", "answers", "announce", "blocked")
KNOWN_NAMES = ("miss", "hit", "sunk", "sunk_at", "named", "shots", "position")
"""Parameters of the options below."""


def rules_options(
    contact: str = "none|corners|sides", answers: str = "hit|sunk|ship", usual_answers: str = "hit"
) -> Decorator:
    """Board, fleet, contact rule and answer mode.

    Parameters
    ----------
    contact, answers
        What the command takes, joined by ``|``.
    usual_answers
        The answer mode that holds when no option says one.
    """
    return together(
        option("--board", section=GAME, metavar="ROWSxCOLUMNS",
               help="Size of the board. [default: 5x5]"),
        option("--fleet", section=GAME, metavar="LENGTHS|NAME", **completing("russian", "hasbro"),
               help="Ship lengths, or a name that stands for a whole game: russian (10x10, contact "
                    "none, answers sunk) or hasbro (10x10, contact sides, answers sunk). Other "
                    "options win over the name. [default: 3,2,2,1,1,1]"),
        option("--contact", section=GAME, type=words(contact),
               help=f"Where ships may touch: {_meanings(_CONTACT, contact)}. [default: none]"),
        option("--answers", section=GAME, type=words(answers),
               help=f"What a shot reveals: {_meanings(_ANSWERS, answers)}. "
                    f"[default: {usual_answers}]"),
        option("--blocked", section=GAME, metavar="C3,D4",
               help="Cells on which no ship can lie."),
    )  # fmt: skip


def _meanings(meanings: Mapping[str, str], choices: str) -> str:
    *most, last = (f"{meanings[choice]} ({choice})" for choice in choices.split("|"))
    return f"{', '.join(most)} or {last}"


def known_options(*, implies: bool = True) -> Decorator:
    """What is known so far; ``implies``: the answers decide about ``--answers``."""

    def implied(mode: str) -> str:
        return f" Implies --answers {mode}." if implies else ""

    in_order = " A sinking implies --answers sunk, a named hit --answers ship." if implies else ""
    known = functools.partial(option, section=KNOWN)
    return together(
        known("--miss", metavar="C1,J8", help="Cells shot and missed."),
        known("--hit", metavar="E5", help="Cells shot and hit."),
        known("--sunk", metavar="A1:A4,C7",
              help="Ships sunk, each by its two ends or its one cell." + implied("sunk")),
        known("--sunk-at", metavar="C7=3,E1",
              help="Shots that sank a ship whose cells are not all known, with or without its "
                   "length. Its other hits go in --hit." + implied("sunk")),
        known("--named", metavar="E5=3#1",
              help="Hits that name the ship, here the first of length 3." + implied("ship")),
        known("--shots", metavar="'C3 hit, B3 sunk=2'",
              help="All shots so far in order, instead of --miss to --named. The length of a sunk "
                   "ship may be left out where only one is possible." + in_order),
        known("--position", metavar="FILE", **completing("FILE"),
              help="Game and shots from a position file, or from standard input with -, instead "
                   "of all options above; or a board as text, a line for each row (. not shot, "
                   "o missed, x hit, # sunk), beside the options of the game."),
    )  # fmt: skip


def game_options(answers: str = "hit|sunk|ship", usual_answers: str = "hit") -> Decorator:
    """The whole game, and what is known so far; parameters as in ``rules_options``."""
    return together(
        rules_options(answers=answers, usual_answers=usual_answers),
        option("--announce", section=GAME, type=words("none|length"),
               help="What a sinking tells with --contact sides: only that a ship is sunk (none), "
                    "or its length too (length). [default: length]"),
        known_options(),
    )  # fmt: skip


def with_position(
    *,
    known: bool = True,
    small: bool = False,
    prior: bool = False,
    interpreted: Callable[[seabattle.Rules], bool] | None = None,
) -> Decorator:
    """The prologue of a command that takes a game: it gets ``position``, and ``prior`` if asked.

    Parameters
    ----------
    known
        Whether the game may be in progress.
    small
        Whether boards are refused that exact search cannot hold.
    prior
        Whether the command takes ``--prior``: it gets the prior, None if it is uniform.
    interpreted
        Says of which games the kernels are run as they stand, see ``interpret``.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def begin(**given: Any) -> Any:
            asked = {name: given.pop(name) for name in (*GAME_NAMES, *KNOWN_NAMES) if name in given}
            position = asked_position(**asked)
            if interpreted is not None:
                weighed = given.get("prior", "uniform") != "uniform"  # may list all layouts
                if (has_few_layouts if weighed else interpreted)(position.rules):
                    interpret()
            if small:
                from seabattle.solver.search.problem import refuse_large_board

                if not prior or given["prior"] == "uniform":  # others may list few layouts
                    refuse_large_board(position.rules, len(position.shots))
            if prior:
                given["prior"] = asked_prior(given["prior"], position.rules)
            return function(position=position, **given)

        options = game_options() if known else rules_options()
        return together(options, *([prior_option] if prior else []))(begin)  # type: ignore[no-any-return]

    return decorate


def has_few_layouts(rules: seabattle.Rules) -> bool:
    """Whether a game is searched sooner than compiled kernels are loaded, which takes a second.

    >>> from seabattle.enumerate.rules import Rules
    >>> [has_few_layouts(Rules(*game)) for game in (("3x3", "3,1,1"), ("4x4", "3,2,1"))]
    [True, False]
    """
    rows, columns = rules.board.rows, rules.board.columns
    layouts = 1
    for length, ships in rules.fleet.counts.items():
        lines = rows * max(0, columns - length + 1) + columns * max(0, rows - length + 1)
        layouts *= math.comb(lines if length > 1 else rows * columns, ships)
    return layouts * rows * columns <= 2000


def has_few_cells(rules: seabattle.Rules) -> bool:
    """Whether the layouts of a game are counted sooner than compiled kernels are loaded."""
    return rules.board.cells <= 25 and rules.fleet.all_lines


def interpret() -> None:
    """Have the kernels of this process run as they stand, if none is loaded yet.

    So a tiny game is answered at once also where nothing has been compiled before.
    """
    context = click.get_current_context(silent=True)
    answers_others_later = context is not None and context.obj is FOR_A_PROGRAM
    if "seabattle.enumerate.kernels" not in sys.modules and not answers_others_later:
        import numpy as np

        os.environ["NUMBA_DISABLE_JIT"] = "1"
        np.seterr(over="ignore")  # hashes wrap around, as they do when they are compiled


def asked_position(
    *, position: str | None = None, contradictory: bool = False, **given: str | None
) -> seabattle.Position:
    """The position that the options of ``game_options`` say, None where one was not given.

    Answers may contradict each other only where ``contradictory`` says so.

    Raises
    ------
    SeabattleError
        If an option cannot be read or contradicts another.
    """
    from seabattle.enumerate.position_files import is_board, position_file, position_of_text

    game = {name: given.pop(name, None) for name in GAME_NAMES}
    if position is not None:
        piped = position == STANDARD_INPUT
        text = standard_input() if piped else position_file(position)
        drawn = is_board(text)
        others = given if drawn else {**game, **given}
        beside = [option_name(name) for name, value in others.items() if value is not None]
        if beside:
            raise seabattle.PositionError(
                f"--position {position} gives {'' if drawn else 'the game and '}all its shots: "
                f"leave out {', '.join(beside)}"
            )
        called = "standard input" if piped else position
        return position_of_text(
            text, called, contradictory=contradictory, **(game if drawn else {})
        )
    rules = seabattle.Rules.read(**{**game, "answers": game["answers"] or implied_answers(given)})
    if rules.announce is seabattle.Announce.NONE and rules.answers is not seabattle.AnswerMode.SUNK:
        raise seabattle.RulesError(
            f"--announce none is about sinkings, which answers {rules.answers.value!r} do not "
            f"announce; it goes with --answers sunk"
        )
    return told_position(rules, given)


def implied_answers(told: Mapping[str, str | None]) -> seabattle.AnswerMode | None:
    """The answer mode that the answers told belong to, None if they belong to several.

    Examples
    --------
    >>> implied_answers({"hit": "A1", "sunk_at": "C7=3"})
    <AnswerMode.SUNK: 'sunk'>
    >>> implied_answers({"shots": "C3 miss, B3 hit=2#1"})
    <AnswerMode.SHIP: 'ship'>
    """
    if told.get("shots"):  # which go without the other options
        text = str(told["shots"]).lower()
        implied = {"#": seabattle.AnswerMode.SHIP, "sunk": seabattle.AnswerMode.SUNK}
        return next((mode for word, mode in implied.items() if word in text), None)
    modes = (
        seabattle.AnswerMode(mode) for name, mode in _IMPLIED.items() if _parts(told.get(name))
    )
    return next(modes, None)


def told_position(rules: seabattle.Rules, told: Mapping[str, str | None]) -> seabattle.Position:
    """The position of a game that the options of ``known_options`` say, ``--position`` apart.

    Raises
    ------
    SeabattleError
        If an option cannot be read or contradicts another.
    """
    cells = {name: _parts(text) for name, text in told.items() if name != "shots"}
    if not told.get("shots"):
        return seabattle.Position.of_cells(rules, **cells)
    if any(cells.values()):
        raise seabattle.PositionError(
            "--shots gives all shots in order: leave out --miss, --hit, --sunk, --sunk-at "
            "and --named"
        )
    from seabattle.cli.typed_answers import told_after

    try:
        return told_after(seabattle.Position(rules), str(told["shots"]))
    except seabattle.SeabattleError as error:
        raise type(error)(f"--shots: {error}") from None


def _parts(text: str | None) -> list[str]:
    return (text or "").replace(",", " ").split()


def standard_input() -> str:
    """What is on standard input up to its end; nothing where it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    return sys.stdin.read()


def piped_lines() -> list[str]:
    """Lines on standard input; none from a terminal, or where nothing comes for a moment.

    A program may leave the pipe to a command open without ever writing to it; waiting for its end
    would take for ever.
    """
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return []
    try:
        begins = bool(select.select([sys.stdin], [], [], PATIENCE)[0])
    except (OSError, ValueError, TypeError):  # no file that can be asked, so it does not block
        begins = True
    return standard_input().splitlines() if begins else []


# What is believed, limits, and files.

prior_option = option(
    "--prior", section=KNOWN, default="uniform", metavar="uniform|people|FILE",
    **completing("uniform", "people", "FILE"),
    help="How likely each layout is before the first shot: all equally likely (uniform), as people "
    "hide on 10x10 with the fleet hasbro (people), or as a file says. The file is JSON, or CSV "
    "whose first line tells what it holds: layout,weight; placement,weight; cells,product; "
    "cells,sum; or games.",
)  # fmt: skip


def asked_prior(text: str, rules: seabattle.Rules) -> seabattle.Prior | None:
    """The prior that ``--prior`` names, for the game; None when all layouts are equally likely.

    Raises
    ------
    SeabattleError
        If its file cannot be read or is wrong, or it is of another game.
    """
    if not text.strip():
        raise seabattle.WeightsError(
            f"--prior {text!r}: write uniform, people or the name of a file"
        )
    return seabattle.load_prior(text, rules)


def prior_facts(
    prior: seabattle.Prior | None, table: seabattle.DecisionTable
) -> list[tuple[str, str]]:
    """The prior of a table as a label and a text; nothing if it is uniform."""
    if prior is None:
        return []
    rounding = (
        f": weights rounded to whole numbers, total variation {float(table.rounding):.2g}"
        if table.rounding
        else ""
    )
    return [("prior", f"{prior.name}{rounding}")]


def prior_document(prior: seabattle.Prior | None, table: seabattle.DecisionTable) -> dict[str, Any]:
    """What a document says about the prior of a table: nothing if it is uniform."""
    if prior is None:
        return {}
    return {"prior": prior.name, "prior_rounding": float(table.rounding)}


def memory_option(what: str, usual: float = 4.0) -> Decorator:
    """``--memory-limit GIB``; ``what`` says what takes the memory."""
    return option(
        "--memory-limit", section=LIMITS, type=float, default=usual,
        metavar="GIB", **within(1e-12, 1e9),
        help=f"{what} The program itself takes up to 0.4 GiB besides.",
    )  # fmt: skip


def _limits(at_the_limit: str) -> Decorator:
    return together(
        option("--time-limit", section=LIMITS, type=float, metavar="SECONDS",
               **within(0, above=True), help=f"{at_the_limit} [default: no limit]"),
        memory_option("Memory for the layouts, the search and the trees together."),
    )  # fmt: skip


limit_options = _limits("Stop after this time, with what is proven by then.")
"""Limits of commands that tell what they have when they are stopped."""

all_or_nothing = _limits(
    "Give up after this time: then there is no answer, and the exit status is 1."
)
"""Limits of commands of which nothing can be told before the end."""

threads_option = option(
    "--threads", section=LIMITS, type=int, metavar="N", **within(1, 256),
    help="Search on so many cores at once. The misses proven are the same with any number; after "
    "the first moments the keys and sub-tables counted, and which of several best trees is found, "
    "are the same in every run only with 1. [default: all cores]",
)  # fmt: skip


def sharing_options(workers: str) -> Decorator:
    """``--workers W`` and ``--scheduler ADDRESS`` of lists of games and tournaments."""
    return together(
        option("--workers", section=LIMITS, type=int, metavar="W", **within(1, 10_000),
               help=workers),
        option("--scheduler", section=LIMITS, metavar="ADDRESS",
               help="Work on the Dask cluster of this scheduler, as in tcp://host:8786."),
    )  # fmt: skip


def seed_option(help: str, usual: int | None = 0) -> Decorator:
    """``--seed N``, from which all chance follows."""
    return option("--seed", type=int, default=usual, metavar="N",
                  **within(0), help=help)  # fmt: skip


def salvo_option(help: str) -> Decorator:
    """``--salvo N``, the shots of a turn, which are all chosen before any is answered."""
    return option("--salvo", type=int, metavar="N", **within(1, 100), help=help)


json_option = option(
    "--json", "as_json", section=OUTPUT, is_flag=True,
    help="Print one JSON object and nothing else.",
)  # fmt: skip


def tree_option(help: str = "Save the tree to this file.") -> Decorator:
    """``--tree FILE``, which saves the tree that was found."""
    return option("--tree", "tree_file", section=OUTPUT, type=NEW_FILE, metavar="FILE", help=help)


def out_option(help: str, *, required: bool = False) -> Decorator:
    """``--out DIR``, the folder that results are written to."""
    return option(
        "--out", section=OUTPUT, type=NEW_FOLDER, required=required, metavar="DIR", help=help
    )


def output_option(
    metavar: str, help: str, *, required: bool = True, type: Any = NEW_FILE
) -> Decorator:
    """``-o FILE``, the one file (or folder) that the command writes."""
    return option(
        "-o", "--output", section=OUTPUT, type=type, required=required, metavar=metavar, help=help
    )


def picture_options(of: str, value: str | None, formats: str | None = None) -> Decorator:
    """How pictures are written: the command gets them as ``pictures``, see ``Pictures``.

    Parameters
    ----------
    of
        The option that asks for pictures, for the help.
    value
        Its parameter, without which options of pictures are refused; None if pictures come anyway.
    formats
        Kinds of picture that ``--formats`` has by default; None where the file says its kind.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def begin(scale: float | None, theme: str, formats: str = "", **given: Any) -> Any:
            from seabattle.enumerate.picture import Pictures, require_kinds, require_scale

            asked = given if value is None else given[value]
            refuse_without(of, asked, "formats", "scale", "theme")
            require_scale(scale)
            kinds = tuple(dict.fromkeys(part.strip().lower() for part in formats.split(",")))
            if formats:
                require_kinds(kinds, "--formats", check=asked is not None)
            return function(pictures=Pictures(kinds, scale, theme), **given)

        kinds = option("--formats", section=OUTPUT, default=formats, metavar="svg,png,pdf",
                       help=f"With {of}: kinds of its pictures.")  # fmt: skip
        scale = option(
            "--scale", section=OUTPUT, type=float, metavar="X",
            help=f"With {of}: size of the picture, times its own. [default: 1; 2 for .png]",
        )  # fmt: skip
        theme = option("--theme", section=OUTPUT, type=words("light|dark|print"), default="light",
                       help="Colours: print is black on white, without large fills.")  # fmt: skip
        return together(*([kinds] if formats else []), scale, theme)(begin)  # type: ignore[no-any-return]

    return decorate


def refuse_without(needed: str, value: object, *names: str) -> None:
    """Refuse options that mean nothing without another one.

    Raises
    ------
    SeabattleError
        If one of them was given, and the other was not.
    """
    from seabattle.cli.command import given_options

    given = given_options(*names) if value is None else []
    if given:
        raise seabattle.SeabattleError(
            f"{given[0]} goes with {needed}, which is not given: leave it out"
        )


def one_of(options: Sequence[tuple[str, object]]) -> None:
    """Refuse two options that exclude each other.

    Raises
    ------
    SeabattleError
        If more than one is on.
    """
    on = [name for name, value in options if value]
    if len(on) > 1:
        raise seabattle.SeabattleError(f"{on[0]} goes without {on[1]}: leave one of them out")
