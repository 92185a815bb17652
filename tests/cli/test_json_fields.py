"""Every field that a command prints with ``--json`` is in the table that says what it means."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from seabattle.cli.commands import commands
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import save_position
from seabattle.enumerate.rules import Rules

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(Path(__file__).resolve().parents[2] / "docs")
    from json_fields import FIELDS, GAME, KNOWN, sentence

Run = Callable[..., tuple[int, str, str]]

SMALL = "--board 3x3 --fleet 3,1,1"
CALLS = f"""
solve {SMALL} --values --tree tree.json
solve {SMALL} --miss B1 --time-limit 100
solve --board 4x5 --fleet 4,2 --objective pareto
solve {SMALL} --prior weights.csv
greedy {SMALL} --prior weights.csv
compare {SMALL} --prior weights.csv
graph {SMALL}
verify tree.json
replay tree.json --layout A1:A3,C1,C3
count {SMALL} --percent --ship 3
count --fleet hasbro --prior people --percent --ship 4
count --board 8x8 --fleet 4,3,2 --no-map
count --position game.json
advise {SMALL}
advise --fleet hasbro --prior people
advise --position game.json
review game.json
equilibrium {SMALL} --out mixes
render tree.json -o tree.svg
explore tree.json -o page.html
verify mixes
hide {SMALL}
hide --fleet hasbro --prior people --seed 1
strategy build {SMALL} -o strategy
strategy info strategy
strategy verify strategy
verify strategy
strategy probe strategy --shots "B1 miss"
tournament {SMALL} --answers ship --players random,bob --games 20
players {SMALL}
atlas --boards 3x3 --out atlas
bound {SMALL}
prior fit {SMALL} --layouts seen.txt -o fit.json
prior show --fleet hasbro people
""".strip().splitlines()

BY_VALUE = ("distribution", "quantiles")
"""Fields whose names inside are numbers, or that have a form of their own."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the calls read, in which they leave their own."""
    made = tmp_path_factory.mktemp("json")
    position = Position.of_cells(Rules("3x3", "3,1,1", answers="sunk"), sunk=["A1:A3"])
    save_position(position, made / "game.json")
    (made / "seen.txt").write_text("A1:A3 C1 C3\nA1:C1 A3 C3\n")
    (made / "weights.csv").write_text("layout,weight\nA1:A3 C1 C3,2\nA1:C1 A3 C3,1\n")
    return made


def fields(value: Any, before: str = "") -> Iterator[str]:
    """Names of the fields within an answer."""
    if isinstance(value, list):
        for each in value:
            yield from fields(each, before)
    elif isinstance(value, dict) and before.rpartition(".")[2] not in BY_VALUE:
        for name, inner in value.items():
            path = f"{before}.{name}" if before else name
            yield path
            yield from fields(inner, path)


def leaves(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by its words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def name_of(call: str) -> str:
    """The words of a command at the beginning of a call."""
    return max((name for name in FIELDS if f"{call} ".startswith(f"{name} ")), key=len)


def test_every_command_with_json_is_in_the_table_and_called() -> None:
    with_json = {
        name
        for name, command in leaves(commands)
        if any(p.name == "as_json" for p in command.params)
    }
    called = {name_of(call) for call in CALLS}
    assert with_json == FIELDS.keys() == called | {"compile"}, "compile takes minutes"


@pytest.mark.parametrize("call", CALLS)
def test_every_field_is_explained(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.chdir(folder)
    status, out, err = run(*shlex.split(call), "--json")
    assert (status, err) == (0, "")
    found = list(fields(json.loads(out)))
    assert len(found) > 3
    known = {**GAME, **KNOWN, **FIELDS[name_of(call)]}
    assert set(found) <= known.keys()


def test_meanings_are_sentences() -> None:
    for meanings in (GAME, KNOWN, *FIELDS.values()):
        for name, meaning in meanings.items():
            assert sentence(meaning).endswith("."), name
            assert not meaning.endswith((".", " ")), name
            assert "  " not in meaning, name
