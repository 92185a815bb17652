"""The commands about files of strategies: verify, replay, render, explore, strategy."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar
from seabattle.cli.solving import fitting_table
from seabattle.enumerate.words import counted

if TYPE_CHECKING:
    from seabattle.enumerate.picture import Pictures
    from seabattle.trees.strategy.check import StrategyCheck


CHECKED_OF_MIXES = "lower_bound", "upper_bound", "trees", "layouts_in_support"
"""What ``verify`` tells of an equilibrium."""


def verdict(
    game: seabattle.Rules | seabattle.Position | None,
    kind: str,
    problems: Sequence[str],
    document: Mapping[str, Any],
    facts: shared.Facts = (),
) -> shared.Answer:
    """Whether everything that a file states is true, with what was found; exit status 1 if not.

    ``game`` is None where the file does not tell it.
    """
    told = [("kind", kind), ("valid", "no" if problems else "yes"), *facts]
    return shared.Answer(
        {"valid": not problems, "kind": kind, **document, "problems": list(problems)},
        [*told, *(("problem", problem) for problem in problems)],
        game,
        status=1 if problems else 0,
        timed=False,
    )


@shared.command()
@click.argument("file", type=shared.FILE_OR_INPUT)
@shared.option("--proof", type=shared.FILE, metavar="FILE",
        help="With a tree: also check that nothing misses less, by a proof that 'solve --proof' "
             "wrote.")  # fmt: skip
@shared.memory_option("Memory for enumerating the layouts anew.")
def verify(file: str, proof: Path | None, bar: Bar) -> shared.Answer:
    """Check what was solved from the rules alone.

    FILE is a tree file, or - for standard input, whose layouts are enumerated anew and whose
    coverage, worst case and total are checked; or a folder: that of a strategy is checked as by
    'strategy verify', and the mixes that 'equilibrium --out' wrote are worked out again. Exit
    status 1 when something is wrong.
    """
    source, path = shared.source_of(file), Path(file)
    is_folder = isinstance(source, Path) and os.path.isdir(source)
    for name, check in (("manifest.json", checked_strategy), ("equilibrium.json", _mixes)):
        if os.path.exists(path / name) if is_folder else path.name == name:
            if proof is not None:
                raise seabattle.SeabattleError("--proof goes with a tree file: leave it out here")
            return check(path if is_folder else path.parent, bar)
    if is_folder:
        raise seabattle.FileAccessError(
            f"{file} is a folder without manifest.json or equilibrium.json: name a tree file, the "
            f"folder of a strategy, or one that 'seabattle equilibrium --out' wrote"
        )
    tree = None
    try:
        tree = seabattle.load_tree(source)
        found = seabattle.verify(tree, memory_limit=bar.memory_limit)
    except seabattle.TreeError as error:
        found = seabattle.Verification(False, (str(error),))
    if tree is None or proof is None:
        position = None if tree is None else tree.position
        return verdict(position, "tree", found.problems, found.document(), found.facts())
    checked = seabattle.check_proof(proof, **_checking(bar))
    problems = [*found.problems, *checked.problems]
    problems += filter(None, [checked.falls_short(tree) if found and checked else ""])
    document = {**found.document(), "proof": checked.document(), "optimal": not problems}
    optimal = "no" if problems else "yes: nothing misses less"
    facts = [*found.facts(), *checked.facts(), ("optimal", optimal)]
    return verdict(tree.position, "tree", problems, document, facts)


def _checking(bar: Bar) -> dict[str, Any]:
    """What checking a proof takes: memory, and who is told how far it is."""
    return {
        "memory_limit": bar.memory_limit,
        "progress": lambda done, of: bar.show(done, of, "lemmas"),
    }


@shared.command()
@click.argument("file", type=shared.FILE_OR_INPUT)
@shared.memory_option("Memory for enumerating the layouts anew.")
def check(file: str, bar: Bar) -> shared.Answer:
    """Check a proof that nothing misses less.

    FILE was written by 'solve --proof'; with - it is read from standard input. Every lemma is
    checked from the rules alone, without anything of the search. Exit status 1 when the proof does
    not hold.

    \b
      seabattle solve --board 4x4 --fleet 3,2,1 --proof proof.txt
      seabattle check proof.txt
      xz -dc proof.txt.xz | seabattle check -
    """  # noqa: D301
    found = seabattle.check_proof(shared.source_of(file), **_checking(bar))
    return verdict(found.position, "proof", found.problems, found.document(), found.facts())


def _mixes(folder: Path, bar: Bar) -> shared.Answer:
    """Recompute what a folder of mixes claims."""
    from seabattle.solver.equilibrium.mix_files import check_mixes

    try:
        solved = seabattle.load_mixes(folder)
        bar.say(f"{len(solved.plans)} trees")
        problems = check_mixes(solved, **bar.within())
    except (seabattle.FileAccessError, seabattle.WorkFailed):
        raise
    except seabattle.SeabattleError as error:
        return verdict(None, "equilibrium", [str(error)], dict.fromkeys(CHECKED_OF_MIXES))
    whole = solved.document()
    found = {name: whole[name] for name in CHECKED_OF_MIXES}
    shown = " claimed" if problems else ", recomputed"
    between = "{lower_bound:.9f} to {upper_bound:.9f}".format(**found) + shown
    facts = [("interval", between), ("trees", str(found["trees"]))]
    return verdict(solved.rules, "equilibrium", problems, found, facts)


def _tree(file: str, letters: str | None) -> seabattle.Tree:
    """The tree of a file, its columns named as the file says or in other letters."""
    tree = seabattle.load_tree(shared.source_of(file))
    return tree if letters is None else tree.lettered(letters)


@shared.command()
@click.argument("file", type=shared.FILE_OR_INPUT)
@shared.option("--layout", required=True, metavar="A1:A3,C1,...",
        help="The hidden layout: each ship by its two ends or its one cell.")  # fmt: skip
@shared.letters_option
def replay(file: str, layout: str, letters: str | None) -> shared.Answer:
    """Play a saved strategy against one hidden layout.

    FILE is a tree file, or - for standard input.
    """  # fmt: skip
    from seabattle.trees.replay import misses_of

    tree = _tree(file, letters)
    shots = seabattle.replay(tree, layout)
    # "shots" are those of the replay; where the tree begins later, "position" tells those
    # before, as in a tree file
    begins = {"position": tree.position.shot_fields()} if tree.position.shots else {}
    told = [{"cell": cell, "answer": answer} for cell, answer in shots]
    document = {
        **tree.rules.document(), **begins, "shots": told, "misses": misses_of(shots),
    }  # fmt: skip
    lines = [f"{number:>3}  {cell:<4} {answer}" for number, (cell, answer) in enumerate(shots, 1)]
    misses = counted(misses_of(shots), "miss")
    text = "\n".join([*lines, f"{counted(len(shots), 'shot')}, {misses}"])
    return shared.Answer(document, shared.game_facts(tree.position), text=text)


@shared.command()
@click.argument("file", type=shared.FILE_OR_INPUT)
@shared.option("--depth", type=click.IntRange(0), metavar="N",
        help="Draw only the first N shots. [default: all]")  # fmt: skip
@shared.option("--path", metavar="misses|LAYOUT",
        help="Draw one path: the one on which every shot misses, or the one of a layout, given as "
             "in A1:A3,C1. [default: the whole tree]")  # fmt: skip
@shared.option("--title", metavar="TEXT", help="Title of the picture.")
@shared.option("--paper", type=click.Choice(["A4", "letter"], case_sensitive=False),
        help="Draw on sheets of paper: the pages of a .pdf, or one numbered file "
             "each.")  # fmt: skip
@shared.letters_option
@shared.output_option(
    "FILE", "Where to write: .svg, .png or .pdf a picture, .dot for Graphviz, .txt text."
)
@shared.picture_options("a picture", None)
def render(
    file: str,
    output: Path,
    depth: int | None,
    path: str | None,
    title: str | None,
    paper: str | None,
    letters: str | None,
    pictures: Pictures,
    bar: Bar,
) -> shared.Answer:
    """Draw a tree file.

    FILE is a tree file, or - for standard input. A large tree is drawn on sheets of paper by
    --paper, in print that can be read; a box that ends a sheet says where it goes on. Try:

    \b
      seabattle render tree.json -o path.png --path misses
      seabattle render tree.json -o tree.pdf --paper A4
      seabattle render tree.json -o tree.pdf --depth 3 --theme print
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.files import write_text
    from seabattle.enumerate.picture import require_picture, save_picture
    from seabattle.trees.drawing.selection import text
    from seabattle.trees.drawing.tree_svg import save_pages

    suffix = output.suffix.lower()
    picture = None if suffix in (".txt", ".dot") else output
    if picture:
        require_picture(picture, "output")
    shared.refuse_without("a picture", picture, "title", "paper", "scale", "theme")
    if path and suffix == ".dot":
        raise seabattle.SeabattleError("--path and a .dot file exclude each other: leave one out")
    tree = _tree(file, letters)
    written = [output]
    if suffix == ".txt":
        write_text(output, text(tree, depth=depth, path=path) + "\n")
    elif suffix == ".dot":
        write_text(output, seabattle.to_dot(tree, depth=depth))
    elif paper:
        theme = pictures.theme if shared.given_options("theme") else "print"
        pages = seabattle.paper_pages(tree, paper, depth=depth, path=path, title=title, theme=theme)
        written = save_pages(
            pages, output, pictures.scale, lambda n: bar.show(n, len(pages), "sheets")
        )
    else:
        drawn = seabattle.svg(tree, depth=depth, path=path, title=title, theme=pictures.theme)
        save_picture(drawn, output, scale=pictures.scale)
    size = sum(each.stat().st_size for each in written)
    names = f"{written[0]} to {written[-1].name}" if len(written) > 1 else str(written[0])
    document = {"saved": [str(each) for each in written], "bytes": size}
    return shared.Answer(document, [("saved", f"{names}, {size / 1e6:.2f} MB")], tree.position)


@shared.command()
@click.argument("files", nargs=-1, required=True, type=shared.FILE_OR_INPUT)
@shared.option("--name", "names", multiple=True, metavar="NAME",
        help="What to call a strategy; give it once for each file. [default: what "
             "the file says]")  # fmt: skip
@shared.option("--title", default="Sea battle explorer", metavar="TEXT",
        help="Heading.")  # fmt: skip
@shared.memory_option("Memory for enumerating the layouts anew, to verify the strategies.")
@shared.output_option("FILE.html", "Where to write the page.")
def explore(
    files: tuple[str, ...], output: Path, names: tuple[str, ...], title: str, bar: Bar
) -> shared.Answer:
    """Make a page to walk, watch and compare strategies.

    FILES are tree files or strategy files of one board, fleet and contact rule; - is a tree file on
    standard input. The page needs no network: open it in any browser.

    With a complete strategy file (strategy build --complete) any cell can be shot in the page,
    which says what each shot costs.
    """  # fmt: skip
    from seabattle.enumerate.files import write_text
    from seabattle.trees.page.explorer import document_page, explorer_document

    if output.suffix.lower() not in ("", ".html", ".htm"):
        raise seabattle.SeabattleError(f"output {output}: the page is HTML; write a .html file")
    if files.count(shared.STANDARD_INPUT) > 1:
        raise seabattle.SeabattleError("standard input can be read but once: name one file -")
    if names and (len(names) != len(files) or len({*names}) < len(names)):
        raise seabattle.SeabattleError("--name is given once for each file, and no name twice")
    trees, complete = [], []
    for file in files:
        bar.say(f"verifying {Path(file).name}")
        source = shared.source_of(file)
        is_folder = isinstance(source, Path) and os.path.isdir(source)
        opened = seabattle.Strategy.open(file) if is_folder else None
        tree = seabattle.load_tree(source) if opened is None else opened.tree()
        problems = list(seabattle.verify(tree, memory_limit=bar.memory_limit).problems)
        whole = opened if opened is not None and opened.scope == "complete" else None
        if whole is not None:
            problems += _checked(whole, bar).problems
        if problems:
            raise seabattle.TreeError(f"{file}: the strategy is wrong: {problems[0]}")
        trees.append(tree)
        complete.append(whole)
    document = explorer_document(trees, names or None, complete, checked=True)
    page = document_page(document, title)
    write_text(output, page)
    games = dict.fromkeys(fact for tree in trees for fact in shared.game_facts(tree.position))
    costs = [
        ("costs", f"of every shot: {file}, {found['states']:,} states, verified")
        if "states" in (found := strategy["complete"])
        else ("costs", f"left out: with those of {file} the page would be too large")
        for file, strategy in zip(files, document["strategies"], strict=True)
        if "complete" in strategy
    ]
    size = len(page.encode())
    saved = ("saved", f"{output}, {size / 1e6:.2f} MB")
    told = {"strategies": len(files), "saved": str(output), "bytes": size}
    return shared.Answer(told, [*games, *costs, saved])


@click.group()
def strategy() -> None:
    """Build and probe files of solved strategies.

    A strategy file answers any of its positions at once, without a search.
    """


@shared.command()
@shared.option("--objective", type=shared.words("mean|worst"), default="mean",
        help="What to minimise: mean misses, or misses in the worst case.")  # fmt: skip
@shared.option("--complete", is_flag=True,
        help="Hold every position, not only those that optimal play can meet.")  # fmt: skip
@shared.with_position(small=True)
@shared.limit_options
@shared.output_option(
    "FOLDER", "Where to write; a strategy file that is there is replaced.", type=shared.FILE
)
def build(
    position: seabattle.Position,
    output: Path,
    bar: Bar,
    **how: Any,
) -> shared.Answer:
    """Solve a game and write its strategy file."""  # fmt: skip
    from seabattle.trees.strategy.keys import refuse_rules
    from seabattle.trees.strategy.strategy import refuse_target

    refuse_target(output)
    refuse_rules(position.rules)
    opened = seabattle.build_strategy(
        fitting_table(position, bar),
        output,
        **how,
        **bar.within(),
        made_by="{command} ({version})".format(**shared.made_by()),
    )
    return shared.Answer.of(opened, opened.position, saved=[output])


@shared.command()
@click.argument("file", type=shared.FILE)
def info(file: Path) -> shared.Answer:
    """Say what a strategy file holds."""
    opened = seabattle.Strategy.open(file)
    return shared.Answer.of(opened, opened.position)


@shared.command()
@click.argument("file", type=shared.FILE)
@shared.letters_option
@shared.known_options
def probe(file: Path, position: str | None, letters: str | None, **told: Any) -> shared.Answer:
    """Look up where to shoot, and how many misses are still to come.

    The game is that of the file.
    """
    opened = seabattle.Strategy.open(file)
    rules = opened.rules if letters is None else opened.rules.lettered(letters)
    asked = shared.asked_position(position=position, rules=rules, **told)
    here = asked if asked.shots else opened.position.lettered(rules.letters)
    found = opened.probe(here)
    alone = found.certain or opened.scope != "complete"
    best = None if alone else opened.best_cells(here)
    cells = sorted(best) if best else [cell for cell in [found.best_cell] if cell is not None]
    names = list(map(rules.board.name, cells))
    kind = "certain hit" if found.certain else "best shots" if len(names) > 1 else "best shot"
    document = {"best_shots": names, "every_best_shot": best is not None, **found.document()}
    facts = [
        ("layouts", f"{found.layouts:,}"),
        ("to come", found.misses_text),
        (kind, " ".join(names) or "none: the layout is known"),
    ]
    return shared.Answer(document, facts, here)


@click.argument("file", type=shared.FILE)
@shared.memory_option("Memory for enumerating the layouts anew.")
def checked_strategy(file: Path, bar: Bar) -> shared.Answer:
    """Check a strategy file from the rules alone.

    Checksums, layouts, keys, values and shots are all worked out anew. Where the file holds every
    position (built with --complete), its values are then proven to be optimal.
    """
    from seabattle.trees.strategy.check import StrategyCheck

    opened = None
    try:
        opened = seabattle.Strategy.open(file)
        found = _checked(opened, bar)
    except seabattle.StrategyError as error:
        found = StrategyCheck(False, False, 0, 0, (str(error),))
    position = None if opened is None else opened.position
    return verdict(position, "strategy", found.problems, found.document(), found.facts())


def _checked(opened: seabattle.Strategy, bar: Bar) -> StrategyCheck:
    """What is wrong with a strategy file, with the progress shown."""
    from seabattle.trees.strategy.check import check

    return check(opened, memory_limit=bar.memory_limit, progress=bar.counting("states"))


for _each in (build, info, probe, shared.command("verify")(checked_strategy)):
    strategy.add_command(_each)
