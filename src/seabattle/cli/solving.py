"""The commands that find strategies: solve, greedy, compare, equilibrium; bound, atlas, graph."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar
from seabattle.enumerate.errors import why_stopped

if TYPE_CHECKING:
    from seabattle.enumerate.picture import Pictures

BYTES_LISTED = 64
"""About what a layout takes that is only listed, to find those that fit a position."""

BYTES_SOLVED = 320
"""About what a layout takes at the most while a game is solved: itself, its occupancy, its nodes in
two trees, and its place in what verifies one of them."""

BYTES_PLAYED = 120
"""About what a layout takes while a greedy rule is played: itself, its row, and its place."""


def fitting_table(
    position: seabattle.Position,
    bar: Bar,
    prior: seabattle.Prior | None = None,
    *,
    each: int = BYTES_SOLVED,
) -> seabattle.DecisionTable:
    """The layouts that fit a position, with their weights; ``each`` takes so many bytes.

    Raises
    ------
    TooLargeError
        If they, and trees that part them, would take more than the limit; before much is done.
    """
    from seabattle.enumerate.counting.counter import fitting_table as fitting

    memory_limit = bar.memory_limit
    counted = memory_limit / (memory_limit + 0.1)  # the share that counts: a little is free
    table = fitting(
        position,
        memory_limit=memory_limit,
        progress=bar.counting("layouts"),
        prior=prior,
        bytes_each=int(counted * (BYTES_LISTED if position.shots else each)),
    )
    needed = counted * each * len(table) / 2**30
    if needed > memory_limit:
        raise seabattle.TooLargeError(
            f"{len(table):,} layouts fit, which need {needed:.3g} GiB; the "
            f"limit is {memory_limit:g} GiB: raise it, or take a smaller board or fleet"
        )
    return table


@shared.command()
@shared.option("--objective", default="mean",
        metavar="mean|worst|mean-worst|worst-mean|pareto|within:K",
        **shared.completing("mean", "worst", "mean-worst", "worst-mean", "pareto", "within:"),
        help="What to minimise: mean misses, misses in the worst case, one and among "
             "those the other, or every pair that no other beats (pareto). within:K "
             "finishes the most layouts with at most K misses.")  # fmt: skip
@shared.salvo_option(
    "Minimise turns of N shots, all chosen before any is answered, on a small board."
)
@shared.option("--values", is_flag=True, help="Also show what every first shot costs.")
@shared.with_position(small=True, prior=True)
@shared.limit_options
@shared.threads_option
@shared.option("--checkpoint", section=shared.OUTPUT, type=shared.NEW_FILE, metavar="FILE",
        help="Keep what is proven in this file while searching, and go on from it.")  # fmt: skip
@shared.tree_option("Save the tree to this file (with pareto: one file for each point).")
@shared.option("--proof", section=shared.OUTPUT, type=shared.NEW_FILE, metavar="FILE",
        help="Write a proof that nothing misses less, with the objectives mean and worst; packed "
             "where the name ends in .xz or .gz.")  # fmt: skip
def solve(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    objective: str,
    salvo: int | None,
    tree_file: Path | None,
    bar: Bar,
    **search: Any,
) -> shared.Answer:
    """Compute the optimal decision tree, proven and verified.

    \b
      seabattle solve --board 4x4 --fleet 3,2,1 --values
      seabattle solve --fleet 3,2,2,1,1,1 --answers sunk --tree tree.json
      seabattle solve --board 5x5 --fleet 3,2,1 --miss C3 --hit A1
    """  # noqa: D301
    from seabattle.solver.proofs.proof_files import require_provable
    from seabattle.solver.search.queries import Limits, read_objective

    goal = read_objective(objective)  # refused before anything is listed
    shared.goes_without("salvo", "objective", "values", "checkpoint", "tree_file", "proof")
    if search["proof"] is not None:
        require_provable(position.rules, goal)
    table = fitting_table(position, bar, prior)
    if salvo is not None:
        turns = seabattle.solve_salvo(table, salvo, limits=Limits.of(**bar.within()))
        return shared.Answer.of(turns, position, weighed=(prior, table))
    solution = seabattle.solve(table, goal, **search, **bar.within(BYTES_SOLVED * len(table)))
    bar.say("writing the tree")
    saved: list[Path] = []
    written = bar.writes(lambda: saved.extend(solution.save(tree_file) if tree_file else []))
    saved += [search["proof"]] if solution.lemmas is not None else []
    answer = shared.Answer.of(
        solution, position, saved=saved, weighed=(prior, table), text=solution.text(),
        status=int(solution.unwritten or not written),
    )  # fmt: skip
    if not solution.stopped_by:
        return answer
    facts = [*answer.facts, *_goes_on(search["checkpoint"])]
    return replace(answer, facts=facts)


def _goes_on(checkpoint: Path | None) -> shared.Facts:
    """How a search that was stopped goes on."""
    command = shared.made_by()["command"]
    if checkpoint is not None and not checkpoint.exists():
        return [("to go on", "nothing was kept; name a --checkpoint that can be written")]
    if checkpoint is None:
        return [("to go on", f"nothing was kept; {command} --checkpoint FILE keeps what is proven")]
    return [("checkpoint", str(checkpoint)), ("to go on", str(command))]


@shared.command()
@shared.option("--rule", type=shared.words("half|hits"), default="hits",
        help="The cell occupied in the number of layouts nearest to half, or in the "
             "most.")  # fmt: skip
@shared.option("--ties", type=shared.words("first|random"), default="first",
        help="First cell in reading order, or a random one.")  # fmt: skip
@shared.option("--reading", type=shared.words("full|positive"), default="full",
        help="Whether a plain hit says that the ship is not complete (answers sunk).")  # fmt: skip
@shared.seed_option("Seed of random ties.")
@shared.with_position(small=True, prior=True)
@shared.limit_options
@shared.tree_option()
def greedy(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    tree_file: Path | None,
    bar: Bar,
    **how: Any,
) -> shared.Answer:
    """Play a greedy rule, or build its tree.

    Without --tree no tree is kept, so that millions of layouts can be played, as long as ties go
    to the first cell and hits are read in full.

    \b
      seabattle greedy --board 8x8 --fleet 4,3,2 --contact sides --answers sunk --announce none
      seabattle greedy --answers sunk --rule half --tree greedy.json
    """  # noqa: D301
    kept = tree_file is not None or how["ties"] == "random" or how["reading"] == "positive"
    each = BYTES_SOLVED if kept else BYTES_PLAYED
    table = fitting_table(position, bar, prior, each=each)
    found = seabattle.play_greedily(table, **how, tree=kept, **bar.within())
    if tree_file is not None and found.tree is not None:
        seabattle.save_tree(found.tree, tree_file)
    return shared.Answer.of(found, position, saved=[tree_file], weighed=(prior, table))


@shared.command()
@shared.with_position(small=True, prior=True, every=True)
@shared.limit_options
@shared.out_option("Write the trees, the pictures and the table to this folder.")
@shared.picture_options("--out", "out", "svg")
def compare(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    modes: list[seabattle.AnswerMode],
    out: Path | None,
    pictures: Pictures,
    bar: Bar,
) -> shared.Answer:
    """Compare greedy play with the proven optimum.

    Both greedy rules and the optimal trees, of least mean and of least worst case, in every answer
    mode; each tree is verified. At the end a sentence to quote; with --out also a picture that
    compares them, comparison.svg.

    \b
      seabattle compare --board 5x5 --fleet 3,2,2,1,1,1 --out results
      seabattle compare --board 4x4 --fleet 3,2,1 --answers sunk
    """  # noqa: D301
    from seabattle.solver.studies.compare import HEAD, Row, table_line
    from seabattle.solver.studies.comparison_files import save_comparison

    table = fitting_table(position, bar, prior)
    answers = shared.ALL if len(modes) > 1 else modes[0].value
    (label, told), *known = shared.game_facts(position)
    told = told.replace(f"answers {position.rules.answers}", f"answers {answers}")
    weighed, prior_facts = shared.prior_told(prior, table)
    facts = [(label, told), *known, ("layouts", f"{len(table):,}"), *prior_facts]
    begins = [shared.facts_text(facts), "", table_line(HEAD)]

    def show(row: Row) -> None:
        bar.print(*begins, table_line(row.cells()))
        begins.clear()  # they are printed once there is a row

    result = seabattle.compare(table, modes, found=show, **bar.within(BYTES_SOLVED * len(table)))
    document = {
        **position.document(), "answers": answers, **result.document(), **weighed,
    }  # fmt: skip
    if out is not None:
        save_comparison(result, document, out, pictures, shared.made_by(), bar.say)
    for note in result.notes:
        bar.tell(note)
    ends = [] if out is None else ["", f"written to {out}"]
    if result.interrupted:
        ends += ["", "stopped by Ctrl-C; what is above is complete"]
    text = "\n".join(["", *result.sentences(), *ends])
    return shared.Answer(document, text=text, interrupted=result.interrupted)


@shared.command()
@shared.option(
    "--gap", type=shared.NUMBER, default=1e-6, metavar="MISSES",
    help="Stop when the value is known to within this.",
)  # fmt: skip
@shared.rules_options()
@shared.limit_options
@shared.out_option("Write the mixes, the pictures and the tables to this folder.")
@shared.picture_options("--out", "out", "svg")
@shared.option("--trees", section=shared.OUTPUT, type=click.IntRange(0), default=3, metavar="N",
        help="With --out: write the N likeliest trees as tree files.")  # fmt: skip
def equilibrium(
    gap: float,
    out: Path | None,
    pictures: Pictures,
    trees: int,
    bar: Bar,
    **game: Any,
) -> shared.Answer:
    """Solve the game against an opponent who knows your plan.

    Finds the random mix of layouts to hide and the random mix of trees to shoot by that neither
    side can improve on, and compares other ways to shoot with it. Ships may touch at corners at
    most, and answers are hit or sunk.
    """  # fmt: skip
    from seabattle.solver.equilibrium.reports import matchups, matchups_table, save_equilibrium

    rules = seabattle.Rules(**game)
    solved = seabattle.equilibrium(rules, gap=gap, **bar.within(progress=bar.say))
    rows = matchups(solved, **bar.within())
    text = f"mean misses of each way to shoot, by how the fleet is hidden:\n{matchups_table(rows)}"
    if out is not None:
        save_equilibrium(
            solved, rows, out, trees=trees, pictures=pictures, made_by=shared.made_by(),
            **bar.within(),
        )  # fmt: skip
        text += f"\n\nwritten to {out}"
    whole = not solved.interrupted and all("best found" not in row["shooter"] for row in rows)
    return shared.Answer.of(
        solved, rules, also={"matchups": rows}, text=text, interrupted=not whole
    )


@shared.command()
@shared.listed("--boards", metavar="3x3,3x4,...",
        help="Only these boards of the atlas. [default: all]")  # fmt: skip
@shared.option("--games", "listed", type=shared.FILE_OR_INPUT, metavar="FILE",
        help="Solve the games of this list instead: a CSV file whose first line names fleet and, "
             "if wanted, board, contact and answers; - for standard input.")  # fmt: skip
@shared.option("--retry-bounded", "again", is_flag=True,
        help="Solve again the games of which a limit left something open: a value, first shots, "
             "the equilibrium, a proof. What is proven stays.")  # fmt: skip
@shared.option("--row-limit", "seconds", section=shared.LIMITS, type=shared.ABOVE_0, default=120.0,
        metavar="SECONDS",
        help="Time limit of each of the two searches of a row.")  # fmt: skip
@shared.option("--equilibrium-limit", "equilibrium_seconds", section=shared.LIMITS,
        type=shared.NUMBER, default=60.0, metavar="SECONDS",
        help="Time limit of the equilibrium of a row; 0 leaves it out.")  # fmt: skip
@shared.option("--proof-limit", "proof_seconds", section=shared.LIMITS,
        type=shared.NUMBER, default=60.0, metavar="SECONDS",
        help="Time limit of finding and checking the proof of a row; 0 leaves it out.")  # fmt: skip
@shared.memory_option("Memory of all searches together; on a cluster, of each of its workers.")
@shared.sharing_options(
    "Processes that solve games at the same time; proven rows are the same with any number.", 1
)
@shared.out_option(
    "Folder of the table; games that it holds already are not solved again.", required=True
)
def atlas(
    boards: str | None,
    listed: str | None,
    out: Path,
    bar: Bar,
    **how: Any,
) -> shared.Answer:
    """Solve every small fleet, or the games of a list.

    Finds for each the least worst case, the least mean and, if time allows, the value of the
    equilibrium: what is missed on average when the hider, too, does as well as possible. That
    nothing misses less is proven, the proof is checked as by 'seabattle check', and kept in the
    folder if it is small.
    Fleets of 2 to 6 ships: boards 3x3 and 3x4 with every fleet of lengths up to 4 that has a
    layout; 4x4, 4x5 and 5x5 with those that have 200 to 5,000 layouts; 5x6 and 6x6 with those of
    200 to 2,000 whose least mean half a minute proves, and some that beginners play; 5x5 with some
    that have a ship of another form than a line. Ships do
    not touch; answers hit and sunk. If it is stopped, the same command goes on where it was. With
    --workers or --scheduler several games are solved at the same time.
    """  # fmt: skip
    from seabattle.enumerate.files import name_of
    from seabattle.solver.studies.atlas import solve_atlas

    shared.goes_without("workers", "scheduler")
    shared.goes_without("boards", "listed")
    games = _listed_games(boards, listed)
    about = "fleets of 2 to 6 ships, contact none, answers hit and sunk"
    if listed is not None:
        about = f"those of {name_of(shared.source_of(listed))}"

    def report(done: int, total: int, game: seabattle.Rules) -> None:
        bar.show(done, total, "rows", str(game))

    rows = solve_atlas(
        games,
        out,
        **how,
        memory_limit=bar.memory_limit,
        about=about,
        made_by=shared.made_by(),
        report=report,
        found=lambda row: bar.print(row.line()),
    )
    bounded = sum(row.status == "bounded" for row in rows)
    whole = len(rows) == len(games)
    goes_on = "" if whole else f"; to go on: {shared.made_by()['command']}"
    facts = [
        ("games", f"{len(rows)} of {len(games)}"),
        ("proven", str(len(rows) - bounded)),
        ("bounded", str(bounded)),
        ("written", f"{out}/index.html, table.csv, table.json{goes_on}"),
    ]
    document = {"rows": [row.document() for row in rows], "complete": whole}
    return shared.Answer(document, facts, status=0 if whole else 130, timed=False)


def _listed_games(boards: str | None, listed: str | None) -> Sequence[seabattle.Rules]:
    """The games of the atlas, of some of its boards, or of a list."""
    from seabattle.enumerate.words import parts_of
    from seabattle.solver.studies.atlas import BOARDS, atlas_games, read_games

    if listed is not None:
        return read_games(shared.source_of(listed))
    names = list(BOARDS) if boards is None else parts_of(boards.strip())
    for name in names:
        if name not in BOARDS:
            raise seabattle.SeabattleError(
                f"--boards {name}: not in the atlas, whose boards are {', '.join(BOARDS)}"
            )
    return atlas_games({name: BOARDS[name] for name in BOARDS if name in names})


@shared.command()
@shared.with_position()
@shared.limit_options
def bound(position: seabattle.Position, bar: Bar) -> shared.Answer:
    """Prove how many misses every strategy needs on average, and which shots must hit.

    A lower bound on the misses still to come, with all layouts equally likely, on boards of full
    size, too, where nobody knows the optimum. Set it beside what a player misses in a tournament.
    In the middle of a game every ship that was hit has to be sunk for it. Fleets on 10x10 take half
    a minute; after a limit, or Ctrl-C, the best bound known by then is told.

    Also the fewest shots of which one must hit a ship, and what a single ship costs at worst. Try:

    \b
      seabattle bound --board 10x10 --fleet 5
      seabattle bound --fleet russian --answers hit
      seabattle bound --board 10x10 --fleet 4,3
      seabattle bound --board 1x13 --fleet 2,2,2 --contact sides --miss A1,I1,M1
    """  # noqa: D301
    steps = itertools.count(1)
    document: dict[str, Any] = {}
    facts: list[tuple[str, str]] = []
    interrupted = False
    try:
        found = seabattle.miss_bound(
            position,
            **bar.within(progress=lambda: bar.show(next(steps), None, "steps")),
        )
        document, facts, interrupted = found.document(), found.facts(), found.interrupted
    except (seabattle.PositionError, seabattle.RulesError) as error:
        facts.append(("note", str(error)))
    except seabattle.LimitReached as error:
        facts.append(("note", f"no bound on the mean: {error}"))

    def must_hit(least: int, most: int) -> None:
        bar.show(next(steps), None, "steps", f"shots that must hit: {least} to {most}")

    try:
        water = seabattle.open_water(position, **bar.within(progress=must_hit))
    except (seabattle.LimitReached, KeyboardInterrupt) as ended:
        if not document:
            raise
        why = why_stopped(ended)
        document["must_hit_stopped_by"] = why
        facts.append(("note", f"the shots that must hit are not known: {why}"))
        interrupted = interrupted or isinstance(ended, KeyboardInterrupt)
    else:
        document, facts = document | water.document(), facts + water.facts()
        interrupted = interrupted or water.interrupted
    return shared.Answer(document, facts, position, interrupted=interrupted)


@shared.command()
@shared.with_position(small=True)
@shared.limit_options
def graph(position: seabattle.Position, bar: Bar) -> shared.Answer:
    """Count the sub-tables that plain dynamic programming visits.

    Vertices are sub-tables, edges are shots with their answers, and orbits are vertices up to
    symmetry. Answers hit only.
    """
    size = seabattle.graph_size(fitting_table(position, bar), **bar.within())
    return shared.Answer.of(size, position)
