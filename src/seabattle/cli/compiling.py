"""The command that compiles every kernel ahead: compile.

Kernels are compiled when they are first called and kept for this machine, so that the first run of
each command takes some seconds longer. Here the commands are run on tiny games, several at a time,
in processes of their own; what they compile is kept.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
from pathlib import Path

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar

EACH = {
    "SMALL": ["--board 3x3 --fleet 2,1"],
    "MODE": ["hit", "sunk", "ship"],
    "GOAL": ["mean", "worst", "mean-worst", "worst-mean", "pareto", "within:2"],
    "FEW": ["--board 4x4 --fleet 2,1 --games 4 --workers 1"],  # others would be waited for
}
"""What a word of a command line stands for; with several, the line is run with each."""

WORK = """
# search
solve SMALL --objective GOAL --values
solve SMALL --miss B1 --time-limit 100 --checkpoint begun.npz
solve SMALL --checkpoint hit.npz
solve SMALL --checkpoint hit.npz --memory-limit 4
solve --board 6x6 --fleet 6,6,6 --time-limit 1
# long enough for better trees
solve --board 5x5 --fleet 4,2,1 --time-limit 60

solve SMALL --answers sunk --objective GOAL --values
solve SMALL --answers sunk --checkpoint sunk.npz
solve SMALL --answers sunk --checkpoint sunk.npz --time-limit 100
solve --board 6x6 --fleet 6,6,6 --answers sunk --time-limit 1

solve SMALL --answers sunk --contact sides --objective GOAL --values

solve SMALL --answers ship --objective GOAL --values

# sets of misses: it takes longer than a second to search
solve --board 4x6 --fleet 2,1 --answers sunk

solve SMALL --answers MODE --prior weights.csv --objective GOAL --values

# trees
compare SMALL --answers MODE
graph SMALL
greedy SMALL --tree tree.json
verify tree.json
replay tree.json --layout A1:A2,C3

# counting
count --fleet russian
count --fleet hasbro --shots 'A1 hit, A2 sunk:2'
count SMALL --ship 2
count SMALL --contact corners

count --fleet hasbro --prior people --ship 2
hide --fleet hasbro --prior people --seed 1
prior fit SMALL --layouts seen.txt -o fit.json

# advice
advise SMALL --answers MODE --json
advise --board 5x13 --fleet 1 --json
review game-hit.json
review game-sunk.json

# strategy files
strategy build SMALL --answers MODE -o MODE
strategy build SMALL --answers MODE -o MODE-worst --objective worst
strategy build SMALL --answers MODE -o MODE-all --complete
strategy verify MODE-all
strategy probe MODE-all

# equilibria
equilibrium SMALL
equilibrium SMALL --answers sunk

# players
tournament FEW --players random,hunt-target,hunt-target-parity,bob,greedy-map,map-endgame
tournament FEW --board 5x5 --fleet 3,2,2,1,1,1 --games 1 --players lookahead
tournament FEW --answers sunk --players density,diagonal
tournament FEW --answers ship --players over-9000,learning
tournament FEW --players random --layouts sequential --games 10
""".strip().split("\n\n")
"""Command lines in parts, each for a process of its own; what they compile is what others need."""


def command_lines(part: str) -> list[list[str]]:
    r"""The words of the command lines of a part.

    >>> command_lines("# mixes\nequilibrium SMALL --seed 1")
    [['equilibrium', '--board', '3x3', '--fleet', '2,1', '--seed', '1']]
    """
    lines = part.splitlines()
    for word, meanings in EACH.items():
        lines = [
            line.replace(word, meaning)
            for line in lines
            for meaning in (meanings if word in line else [word])
        ]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def run_lines(part: str) -> None:
    """Run the command lines of a part, in a folder of their own; what they print is dropped."""
    from click.testing import CliRunner

    from seabattle.cli.commands import commands
    from seabattle.enumerate import kernels as kernels  # or tiny games would compile nothing

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("weights.csv").write_text("layout,weight\nothers,1\nA1:A2 C3,2\n", encoding="utf-8")
        Path("seen.txt").write_text("A1:A2 C3\nB1:C1 A3\n", encoding="utf-8")
        for answers in ("hit", "sunk"):
            rules = seabattle.Rules("3x3", "2,1", answers=answers)
            begun = seabattle.Position.in_order(rules, "B2 miss, A1 hit")
            seabattle.save_position(begun, f"game-{answers}.json")
        for words in command_lines(part):
            CliRunner().invoke(commands, words, catch_exceptions=False, standalone_mode=False)


def compiled_functions() -> int:
    """How many compiled functions are kept."""
    from seabattle.enumerate.compiler import KERNEL_FOLDER

    return 0 if KERNEL_FOLDER is None else sum(1 for _ in KERNEL_FOLDER.rglob("*.nbc"))


@shared.command("compile")
def compile_ahead(bar: Bar) -> shared.Answer:
    """Compile all kernels ahead, once for this machine.

    Otherwise each command compiles its own when it is first used, which takes 5 to 30 seconds.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from seabattle.enumerate.compiler import KERNEL_FOLDER
    from seabattle.enumerate.kernels import INTERPRETED

    if INTERPRETED:
        raise seabattle.SeabattleError(
            "NUMBA_DISABLE_JIT is set: kernels are interpreted, none is compiled"
        )
    if KERNEL_FOLDER is None:
        raise seabattle.FileAccessError(
            "no folder can keep compiled kernels: let SEABATTLE_CACHE_DIR name one that can be "
            "written"
        )
    before = compiled_functions()
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 4), get_context("spawn")) as workers:
        for done, _ in enumerate(workers.map(run_lines, WORK), start=1):
            bar.show(done, len(WORK), "parts")
    kept = compiled_functions()
    new = kept - before
    facts = [
        ("compiled", f"{new} functions" if new > 0 else "nothing new"),
        ("kept", f"{kept} functions in {KERNEL_FOLDER}"),
    ]
    return shared.Answer(
        {"compiled": max(0, new), "kept": kept, "folder": str(KERNEL_FOLDER)}, facts
    )
