"""The commands that study many games, or a game as a whole: compare, atlas, bound, graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import options
from seabattle.cli.command import (
    LIMITS,
    Answer,
    as_json,
    command,
    game_document,
    game_facts,
    made_by,
    option,
    output_folder,
    print_facts,
)
from seabattle.cli.progress import Bar
from seabattle.cli.solving import bytes_of, fitting_table

if TYPE_CHECKING:
    from seabattle.enumerate.picture import Pictures
    from seabattle.solver.studies.atlas import AtlasGame, AtlasRow

ALL = "all"
"""What ``--answers`` calls every answer mode."""


@command()
@options.game_options("hit|sunk|ship|all", usual_answers="all, whatever the fleet")
@options.prior_option
@options.limit_options
@options.out_option("Write the trees, the pictures and the table to this folder.")
@options.picture_options("--out", "out", "svg")
@options.json_option
def compare(
    prior: str,
    out: Path | None,
    pictures: Pictures,
    time_limit: float | None,
    memory_limit: float,
    **game: Any,
) -> Answer:
    """Compare greedy play with the proven optimum.

    Both greedy rules and the optimal trees, of least mean and of least worst case, in every answer
    mode; each tree is verified.

    \b
      seabattle compare --board 5x5 --fleet 3,2,2,1,1,1 --out results
      seabattle compare --board 4x4 --fleet 3,2,1 --answers sunk
    """  # noqa: D301
    position, answers = _compared(game)
    quiet = as_json()
    if options.has_few_layouts(position.rules):
        options.interpret()
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.studies.compare import HEAD, Row, save_comparison, table_line

    refuse_large_board(position.rules, len(position.shots))
    believed = options.asked_prior(prior, position.rules)
    with output_folder(out), Bar("compare") as bar:
        table = fitting_table(position, memory_limit, bar, believed)
        (label, told), *known = game_facts(position)
        told = told.replace(f"answers {position.rules.answers}", f"answers {answers}")
        layouts = ("layouts", f"{len(table):,}")
        begins = [(label, told), *known, layouts, *options.prior_facts(believed, table)]

        def show(row: Row) -> None:
            if quiet:
                return
            with bar.aside():
                if begins:  # only once there is a row
                    print_facts(begins)
                    click.echo(f"\n{table_line(HEAD)}")
                    begins.clear()
                click.echo(table_line(row.cells()))

        result = seabattle.compare(
            table,
            list(seabattle.AnswerMode) if answers == ALL else [seabattle.AnswerMode(answers)],
            found=show,
            **bar.within(time_limit, memory_limit, bytes_of(table)),
        )
        rows = result.document()
        document = {
            **game_document(position), "answers": answers, "layouts": rows.pop("layouts"),
            "weight": rows.pop("weight"), **options.prior_document(believed, table), **rows,
        }  # fmt: skip
        saved: list[Path] = []
        if out is not None:
            saved = save_comparison(result, document, out, pictures, made_by(), bar.say)
    for note in result.notes:
        click.echo(f"seabattle: {note}", err=True)
    text = f"\n{len(saved)} files written to {out}" if saved else ""
    return Answer(document, text=text, status=130 if result.interrupted else 0)


def _compared(game: dict[str, Any]) -> tuple[seabattle.Position, str]:
    """The position, and the answers to compare: one mode, or all where no option says which."""
    answers = game["answers"]
    if answers is None and game["position"] is None:
        answers = options.implied_answers(game) or ALL
    if answers == ALL:
        # sunk is the mode in which all other options of the game have a meaning
        return options.asked_position(**{**game, "answers": "sunk"}), ALL
    position = options.asked_position(**game)
    return position, position.rules.answers.value


@command()
@option("--boards", metavar="3x3,3x4,...",
        help="Only these boards of the atlas. [default: all]")  # fmt: skip
@option("--games", "listed", type=options.FILE, metavar="FILE",
        help="Solve the games of this list instead: a CSV file whose first line names fleet and, "
             "as wanted, board, contact and answers.")  # fmt: skip
@option("--retry-bounded", is_flag=True,
        help="Solve again the rows that the time limit left open; what they prove "
             "stays.")  # fmt: skip
@option("--row-limit", section=LIMITS, type=float, default=120.0,
        metavar="SECONDS", **options.within(0, above=True),
        help="Limit of each of the two searches of a row, in CPU time.")  # fmt: skip
@option("--equilibrium-limit", section=LIMITS, type=float, default=60.0,
        metavar="SECONDS", **options.within(0),
        help="Limit of the equilibrium of a row, in CPU time; 0 leaves it out.")  # fmt: skip
@options.memory_option("Memory of all searches together; on a cluster, of each of its workers.")
@options.sharing_options(
    "Processes that solve games at the same time; proven rows are the same with any "
    "number. [default: 1]"
)
@options.out_option(
    "Folder of the table, and of the rows of a run that was stopped.", required=True
)
@options.json_option
def atlas(
    boards: str | None,
    listed: Path | None,
    retry_bounded: bool,
    row_limit: float,
    equilibrium_limit: float,
    workers: int | None,
    scheduler: str | None,
    memory_limit: float,
    out: Path,
) -> Answer:
    """Solve every small fleet, or the games of a list.

    Of each the least worst case, the least mean and, where it is found in time, the value of
    the equilibrium: what is missed on average when the hider, too, does as well as possible.
    Fleets of 2 to 6 ships: boards 3x3 and 3x4 with every fleet of lengths up to 4 that has a
    layout; 4x4, 4x5 and 5x5 with those that have 200 to 5,000 layouts; 5x6 and 6x6 with those of
    200 to 2,000 whose least mean half a minute proves, and some that beginners play. Ships do
    not touch; answers hit and sunk. Stopped and started again,
    it goes on where it was. With --workers or --scheduler several games are solved at the same
    time.
    """  # fmt: skip
    from seabattle.solver.search.limits import Limits
    from seabattle.solver.studies.atlas import solve_atlas
    from seabattle.solver.studies.atlas_files import Journal, write_atlas

    games, quiet = _listed_games(boards, listed), as_json()
    maker = {**made_by(), "row_limit_seconds": row_limit,
             "equilibrium_limit_seconds": equilibrium_limit}  # fmt: skip
    with output_folder(out), Bar("atlas") as bar, Journal(out, maker) as journal:
        for note in journal.notes:
            click.echo(f"seabattle: {note}", err=True)

        def report(done: int, total: int, game: AtlasGame) -> None:
            contact = "" if game.contact == "none" else f" {game.contact}"
            bar.show(done, total, "rows", f"{game.board} {game.fleet}{contact}, {game.answers}")

        def keep(row: AtlasRow) -> None:
            journal.keep(row)
            if not quiet:
                with bar.aside():
                    click.echo(row.line())

        rows = solve_atlas(
            games,
            keep,
            done=journal.rows,
            again=retry_bounded,
            limits=Limits.of(**bar.within(None, memory_limit)),
            seconds=row_limit,
            equilibrium_seconds=equilibrium_limit,
            report=report,
            folder=out,
            workers=workers or 1,
            scheduler=scheduler,
        )
        bounded = sum(row.status == "bounded" for row in rows)
        whole = len(rows) == len(games)
        if whole:
            write_atlas(out, rows, maker, listed=listed is not None)
            journal.finish(games)
    facts = [
        ("games", _games_text(games) if listed is None else f"those of {listed}"),
        ("rows", f"{len(rows)} of {len(games)}"),
        ("proven", str(len(rows) - bounded)),
        ("bounded", str(bounded)),
        ("written", f"{out}/index.html, table.csv, table.json" if whole else
                    f"{journal.path}; the same command goes on from there"),
    ]  # fmt: skip
    document = {"rows": [row.document() for row in rows], "complete": whole}
    return Answer(document, facts, status=0 if whole else 130, timed=False)


def _listed_games(boards: str | None, listed: Path | None) -> Sequence[AtlasGame]:
    """The games of the atlas, of some of its boards, or of a list."""
    from seabattle.solver.studies.atlas import BOARDS, atlas_games, read_games

    if listed is not None:
        if boards is not None:
            raise seabattle.SeabattleError(
                f"--boards {boards}: the games are those of --games, leave it out"
            )
        with Bar("atlas") as bar:
            return read_games(listed, bar.layouts)
    names = list(BOARDS) if boards is None else [name.strip() for name in boards.split(",")]
    for name in names:
        if name not in BOARDS:
            raise seabattle.SeabattleError(
                f"--boards {name}: not in the atlas, whose boards are {', '.join(BOARDS)}"
            )
    return atlas_games({name: BOARDS[name] for name in BOARDS if name in names})


def _games_text(games: Sequence[AtlasGame]) -> str:
    """What is solved: a row for each board, fleet and answer mode."""
    boards = ", ".join(dict.fromkeys(game.board for game in games))
    return f"{boards}, fleets of 2 to 6 ships, contact none, answers hit and sunk"


@command()
@option("--first-shots", type=int, metavar="N", **options.within(0, 4),
        help="Search all sets of up to N cells for what the first shots can hit: seconds on 10x10 "
             "with 2, minutes with 3; 0 does without. [default: 2]")  # fmt: skip
@options.with_position(known=False)
@options.json_option
def bound(position: seabattle.Position, first_shots: int | None) -> Answer:
    """Prove how many misses every strategy needs on average.

    A lower bound that holds for boards of full size, where nobody knows the optimum, with all
    layouts equally likely. Set it beside what a player misses in a tournament. Of a single ship
    also the misses it costs at worst, and the fewest shots of which one must hit. Try:

    \b
      seabattle bound --board 10x10 --fleet 5
      seabattle bound --fleet russian --answers hit
      seabattle bound --fleet hasbro --first-shots 0
    """  # noqa: D301
    from seabattle.solver.studies.bound import FIRST_SHOTS

    with Bar("bound", at_once=True) as bar:
        steps = 0

        def told() -> None:
            nonlocal steps
            steps += 1
            bar.count(steps, None, "counts and maps")

        searched = FIRST_SHOTS if first_shots is None else first_shots
        found = seabattle.miss_bound(position.rules, first_shots=searched, progress=told)
        alone = len(position.rules.fleet.lengths) == 1
        water = seabattle.open_water(position.rules) if alone else None
    document, facts = found.document(), found.facts()
    if water is not None:
        document, facts = document | water.document(), facts + water.facts()
    return Answer(document, facts, position)


@command()
@options.with_position(small=True, interpreted=options.has_few_layouts)
@options.all_or_nothing
@options.json_option
def graph(position: seabattle.Position, time_limit: float | None, memory_limit: float) -> Answer:
    """Count the sub-tables that plain dynamic programming visits.

    Vertices are sub-tables, edges are shots with their answers, and orbits are vertices up to
    symmetry. Answers hit only.
    """
    with Bar("graph") as bar:
        table = fitting_table(position, memory_limit, bar)
        size = seabattle.graph_size(table, **bar.within(time_limit, memory_limit))
    return Answer(size.document(), size.facts(), position)
