"""Every option of every command with values that nobody should give.

Each command is run in this process on a tiny game, with one option replaced by a value that is
empty, huge, of another kind, or simply wrong. Whatever the value, the command ends by itself, with
one of its exit statuses, and what it has to say against its input is one line that names the input.

A seeded choice of the values is tried for each option; all of them with ``SEABATTLE_HOSTILE=all``.
"""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from hostile.alarms import alarm

from seabattle.cli.commands import commands

Run = Callable[..., tuple[int, str, str]]

GAME = ["--board", "3x3", "--fleet", "3,1,1"]
SECONDS = 20
"""More than any of these commands needs; one that needs more is taken to hang."""

CHOSEN = 10
"""Values tried for an option, of all there are."""

NUMBERS = [
    "", " ", "x", "nan", "inf", "-inf", "-1", "0", "1e300", "1e-320", "1e9999999999", "0x10", "1_0",
    "9" * 30, "-" + "9" * 30, "9" * 5000, "1.5", "١", "½", "--", "1\n2",
]  # fmt: skip
TEXTS = [
    "", " ", ",", ",,,", "=", ":", "#", "\u202e", "\U0001f6a2", "A" * 5000, "A1," * 2000, "nul",
    "A0", "Z99", "A1:Z99", "-1", "1e9", "0x0", "999999999x999999999", "3" * 400, "1," * 3000,
    "none none", "../..", "/", "%s%n{0}", "'", '"', "\\", "a\tb", "A1=0", "A1=3#0", "A1 hit hit",
    "x=1;y=2", "١x١",
]  # fmt: skip
PATHS = ["", " ", "no/such/file", ".", "/", "/dev/null", "x" * 300, "folder", "loop", "text.txt"]


def leaves(
    group: click.Group, before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command by its words."""
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from leaves(command, (*before, name))
        else:
            yield (*before, name), command


LEAVES = [(words, command) for words, command in leaves(commands) if words[-1] != "play"]
"""Every command but the one that opens a browser."""


def base(words: tuple[str, ...], command: Any, files: Path) -> list[str]:
    """Arguments with which the command works quickly."""
    tree, game, strategy = files / "tree.json", files / "game.json", files / "strategy"
    names = {option for each in command.params for option in each.opts}
    given = GAME if "--board" in names else []
    return {
        ("tournament",): [*given, "--games", "5", "--players", "random"],
        ("layouts",): [*given, "--games", "5"],
        ("atlas",): ["--out", str(files / "atlas"), "--row-limit", "1"],
        ("book",): ["--board", "7x7", "--fleet", "4,3,2,1", "--rare", "2"],
        ("verify",): [str(tree)],
        ("review",): [str(game)],
        ("replay",): [str(tree), "--layout", "A1:A3,C1,C3"],
        ("render",): [str(tree), "-o", str(files / "t.svg")],
        ("explore",): [str(tree), "-o", str(files / "t.html")],
        ("strategy", "info"): [str(strategy)],
        ("strategy", "verify"): [str(strategy)],
        ("strategy", "probe"): [str(strategy)],
        ("strategy", "build"): [*given, "-o", str(files / "built")],
        ("prior", "fit"): [
            *given, "--layouts", str(files / "seen.txt"), "-o", str(files / "fitted.json"),
        ],
        ("prior", "show"): [*given, str(files / "weights.csv")],
    }.get(words, given)  # fmt: skip


def values_for(option: Any) -> list[str]:
    """What an option is tried with."""
    kind = option.type.name
    if kind in ("integer", "float"):
        return NUMBERS
    if kind in ("path", "file", "directory"):
        return PATHS
    return TEXTS + PATHS[2:]


CASES = [
    (words, option)
    for words, command in LEAVES
    for option in command.params
    if isinstance(option, click.Option)
    and not option.is_flag
    and words != ("atlas",)  # each run solves the whole table
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.position_files import save_position
    from seabattle.enumerate.rules import Rules
    from seabattle.solver.search.solve import solve
    from seabattle.solver.studies.building import build_strategy
    from seabattle.trees.files import save_tree

    folder = tmp_path_factory.mktemp("files")
    rules = Rules("3x3", "3,1,1")
    save_tree(solve(rules).tree, folder / "tree.json")
    save_position(Position.in_order(rules, "B1 miss, A1 hit"), folder / "game.json")
    build_strategy(rules, folder / "strategy")
    (folder / "seen.txt").write_text("A1:A3 C1 C3\nA1:C1 A3 C3\n")
    (folder / "weights.csv").write_text("layout,weight\nA1:A3 C1 C3,2\nA1:C1 A3 C3,1\n")
    return folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "text.txt").write_text("Dear diary\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path


def judge(run: Run, arguments: list[str], option: str = "", value: str = "") -> None:
    """Run a command and see that it ends as commands end, and names what it refuses."""
    with alarm(SECONDS):
        status, _, told = run(*arguments)
    shown = [each[:60] for each in arguments]
    assert status in (0, 1, 2, 130), shown
    assert "Traceback" not in told, shown
    if status == 2:
        lines = [line for line in told.splitlines() if "no equilibrium:" not in line]
        assert len(lines) == 1, (shown, told)
        assert len(told) < 800, shown
        if option:
            named = (option, option.lstrip("-").replace("-", "_"), value.strip()[:15])
            named += (repr(value)[:12], repr(value)[1:12].strip("'"))
            assert any(name and name in told for name in named), (shown, told)


@pytest.mark.parametrize(
    ("words", "option"), CASES, ids=[f"{'-'.join(w)}{o.opts[-1]}" for w, o in CASES]
)
def test_no_value_ends_in_a_traceback_or_never(
    run: Run, files: Path, place: Path, words: tuple[str, ...], option: Any
) -> None:
    command = dict(LEAVES)[words]
    name = option.opts[-1]
    values = list(values_for(option))
    if os.environ.get("SEABATTLE_HOSTILE") != "all" and len(values) > CHOSEN:
        values = random.Random(f"{words} {name}").sample(values, CHOSEN)
    for value in values:
        arguments = [*words, *base(words, command, files)]
        if name in arguments:
            at = arguments.index(name)
            del arguments[at : at + 2]
        whole = f"{name}={value}" if name.startswith("--") else f"{name}{value}"
        judge(run, [*arguments, whole], name, value)
    assert (place / "text.txt").read_text() == "Dear diary\n"


@pytest.mark.parametrize("words", [words for words, _ in LEAVES], ids="-".join)
def test_no_argument_ends_in_a_traceback(run: Run, place: Path, words: tuple[str, ...]) -> None:
    for value in [*PATHS[1:], "--no-such-option", "--help"]:
        judge(run, [*words, value])
    if words[-1] in ("info", "probe", "verify", "fit", "show", "replay", "render", "explore"):
        judge(run, [*words])  # the others would play or solve the game of the examples
    assert (place / "text.txt").read_text() == "Dear diary\n"
