"""The command that compiles every kernel ahead: compile.

Kernels are compiled when they are first called and kept for this machine, so that the first run of
each command takes some seconds longer. Here the commands are run on tiny games, several at a time,
in processes of their own; what they compile is kept.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import tempfile
from pathlib import Path

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar

_GAME = "--board 3x3 --fleet 2,1"
_HIT, _SUNK, _SHIP = _MODES = tuple(f"{_GAME} --answers {mode}" for mode in ("hit", "sunk", "ship"))


def _searches(game: str) -> list[str]:
    """One search for each objective."""
    objectives = ("mean", "worst", "mean-worst", "worst-mean", "pareto", "within:2")
    return [f"solve {game} --objective {each} --values" for each in objectives]


def _tournament(mode: str, players: str) -> str:
    """A few games between players, in one process: others would be waited for at the end."""
    game = f"--board 4x4 --fleet 2,1 --answers {mode}"
    return f"tournament {game} --players {players} --games 4 --workers 1"


WORK: dict[str, list[str]] = {
    "search, answers hit": [
        *_searches(_HIT),
        f"solve {_HIT} --miss B1 --time-limit 100 --checkpoint begun.npz",
        *[f"solve {_HIT} --checkpoint hit.npz"] * 2,  # the second goes on from the first
        "solve --board 6x6 --fleet 6,6,6 --time-limit 1",
        "solve --board 5x5 --fleet 4,2,1 --time-limit 60",  # takes long enough for better trees
    ],
    "search, answers sunk": [
        *_searches(_SUNK),
        *[f"solve {_SUNK} --time-limit 100 --checkpoint sunk.npz"] * 2,
        "solve --board 6x6 --fleet 6,6,6 --answers sunk --time-limit 1",
    ],
    "search, answers sunk, ships that touch": _searches(f"{_SUNK} --contact sides"),
    "search, answers ship": _searches(_SHIP),
    "every set of misses": [
        "solve --board 4x6 --fleet 2,1 --answers sunk"  # takes longer than a second to search
    ],
    "search, weighted": [
        line for game in _MODES for line in _searches(f"{game} --prior weights.csv")
    ],
    "trees": [
        *(f"compare {game}" for game in _MODES),
        f"graph {_HIT}",
        f"greedy {_GAME} --tree tree.json",
        "verify tree.json",
        "replay tree.json --layout A1:A2,C3",
    ],
    "counting": [
        "count --fleet russian",
        "count --fleet hasbro --shots 'A1 hit, A2 sunk:2'",
        f"count {_GAME} --ship 2",
        f"count {_GAME} --contact corners",
    ],
    "counting under a prior": [
        "count --fleet hasbro --prior people --ship 2",
        "hide --fleet hasbro --prior people --seed 1",
        f"prior fit {_GAME} --layouts seen.txt -o fit.json",
    ],
    "advice and review": [
        *(f"advise {game} --json" for game in _MODES),
        "advise --board 5x13 --fleet 1 --json",
        "review game-hit.json",
        "review game-sunk.json",
    ],
    "strategy files": [
        line
        for game, name in zip(_MODES, ("hit", "sunk", "ship"), strict=True)
        for line in (
            f"strategy build {game} -o {name}",
            f"strategy build {game} -o {name}-worst --objective worst",
            f"strategy build {game} -o {name}-all --complete",
            f"strategy verify {name}-all",
            f"strategy probe {name}-all",
        )
    ],
    "equilibria": [f"equilibrium {game}" for game in (_HIT, _SUNK)],
    "players": [
        _tournament("hit", "random,hunt-target,hunt-target-parity,bob,greedy-map,map-endgame"),
        "tournament --board 5x5 --fleet 3,2,2,1,1,1 --players lookahead --games 1 --workers 1",
        _tournament("sunk", "density,diagonal"),
        _tournament("ship", "over-9000,learning"),
        f"tournament {_HIT} --players random --layouts sequential --games 10 --workers 1",
    ],
}
"""What is compiled, with the command lines that compile it."""


def _prepare(folder: Path) -> None:
    """Write the files that the command lines read."""
    (folder / "weights.csv").write_text("layout,weight\nothers,1\nA1:A2 C3,2\n", encoding="utf-8")
    (folder / "seen.txt").write_text("A1:A2 C3\nB1:C1 A3\n", encoding="utf-8")
    for answers in ("hit", "sunk"):
        begun = seabattle.Position.in_order(
            seabattle.Rules("3x3", "2,1", answers=answers), "B2 miss, A1 hit"
        )
        seabattle.save_position(begun, folder / f"game-{answers}.json")


def run_lines(title: str) -> str:
    """Run the command lines of a title, in a folder of their own; what they print is dropped."""
    from seabattle.cli.commands import commands
    from seabattle.enumerate import kernels as kernels  # or tiny games would compile nothing

    before = os.getcwd()
    dropped = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        _prepare(Path(folder))
        os.chdir(folder)
        sys.stdin = io.StringIO()
        try:
            with contextlib.redirect_stdout(dropped), contextlib.redirect_stderr(dropped):
                for line in WORK[title]:
                    commands.main(shlex.split(line), standalone_mode=False)
        finally:
            os.chdir(before)
    return title


def compiled_functions() -> int:
    """How many compiled functions are kept."""
    from seabattle.enumerate.compiler import KERNEL_FOLDER

    return 0 if KERNEL_FOLDER is None else sum(1 for _ in KERNEL_FOLDER.rglob("*.nbc"))


@shared.command("compile")
@shared.json_option
def compile_ahead() -> shared.Answer:
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
    with (
        Bar("compile") as bar,
        ProcessPoolExecutor(min(os.cpu_count() or 1, 4), get_context("spawn")) as workers,
    ):
        for done, _ in enumerate(workers.map(run_lines, WORK), start=1):
            bar.count(done, len(WORK), "parts")
    kept = compiled_functions()
    new = kept - before
    facts = [
        ("compiled", f"{new} functions" if new > 0 else "nothing new"),
        ("kept", f"{kept} functions in {KERNEL_FOLDER}"),
    ]
    return shared.Answer(
        {"compiled": max(0, new), "kept": kept, "folder": str(KERNEL_FOLDER)}, facts
    )
