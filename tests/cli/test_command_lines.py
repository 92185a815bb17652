"""Every command by its lines: what it answers as JSON and in words, and what it refuses.

``answers.json`` holds what release 0.2.0 answered, without times and counts of work, which may
change; each line must still answer all of it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from seabattle.cli.commands import commands
from seabattle.trees.files import load_tree
from seabattle.trees.verify import verify

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(Path(__file__).resolve().parents[2] / "docs")
    from json_fields import FIELDS, GAME, KNOWN

Run = Callable[..., tuple[int, str, str]]

ANSWERS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "answers.json").read_text(encoding="utf-8")
)

MADE = """
solve --board 3x3 --fleet 3,1,1 --tree tree.json
greedy --board 4x4 --fleet 3,2,1 --rule hits --tree greedy.json
equilibrium --board 3x3 --fleet 2,1 --out eq
strategy build --board 4x4 --fleet 2,1 -o strat
strategy build --board 4x4 --fleet 2,1 --complete -o strat2
prior fit --board 4x4 --fleet 2,1 --cells cells.csv -o prior.json
solve --board 3x3 --fleet 3,1,1 --proof proof.txt
""".strip().splitlines()
"""What makes the files that other lines read."""

ALSO = """
graph --board 3x3 --fleet 3,1,1 --json
graph --board 3x3 --fleet 3,1,1
hide --from eq --seed 2 -o layout.svg --json
hide --from eq --seed 2 -o layout.svg
hide --board 3x3 --fleet 2,1 --json
players --board 3x3 --fleet 2,1 --json
players --board 3x3 --fleet 2,1
tournament --board 3x3 --fleet 2,1 --answers ship --players random,bob --games 20 --workers 1 --json
tournament --board 3x3 --fleet 2,1 --answers ship --players random,bob --games 20 --workers 1
tournament --board 3x3 --fleet 2,1 --players random,bob --games 5 --workers 1 --luck --json
tournament --board 3x3 --fleet 2,1 --players exact,greedy-map --games 3 --workers 1 --out games
prior fit --board 4x4 --fleet 2,1 --layouts seen.txt --weights classes -o seen.csv --json
compare --board 3x3 --fleet 3,1,1 --out compared --formats svg
compare --board 3x3 --fleet 3,1,1 --prior weights.csv --json
greedy --board 3x3 --fleet 3,1,1 --prior weights.csv --json
solve --board 3x3 --fleet 3,1,1 --miss B1 --time-limit 100 --prior weights.csv --json
count --fleet hasbro --prior people --percent --ship 4 --json
count --position game.json --json
advise --fleet hasbro --prior people --json
hide --fleet hasbro --prior people --seed 1 --json
atlas --games list.csv --out atlas --equilibrium-limit 5 --json
atlas --games list.csv --out atlas --equilibrium-limit 5
render tree.json -o tree.svg --depth 1
render tree.json -o tree.txt
render tree.json -o tree.dot
explore strat2 -o page.html
solve --board 4x4 --fleet 3,2,1 --checkpoint kept.npz
count --board 3x3 --fleet 2,1 --map map.svg
count --board 5x5 --fleet 3,2 --miss-path
review game.json --json
review game.json
render tree.json -o tree.svg --json
explore tree.json -o page.html --json
strategy build --board 3x3 --fleet 3,1,1 -o strategy --json
equilibrium --board 3x3 --fleet 3,1,1 --out mixes --json
solve --board 3x3 --fleet 3,1,1 --objective within:1 --values --json
solve --board 3x3 --fleet 2 --salvo 3 --json
bound --board 4x4 --fleet 3 --json
bound --board 3x4 --fleet 2,1 --answers sunk --miss A1 --hit B2
bound --board 3x4 --fleet 2,1 --miss А1 --letters russian --json
layouts full.txt --fleet 2,2 --contact sides
layouts full.txt --fleet 2,2 --contact sides --json
count --fleet 2 --position board.txt --signs !=miss,*=hit --letters russian --json
advise --board 3x3 --fleet 3,1,1 --salvo 2 --json
count --board 3x3 --fleet 3,1,1 --salvo 2 --json
solve --board 3x3 --fleet 3,1,1 --proof other.txt.gz --json
check proof.txt
check proof.txt --json
verify tree.json --proof proof.txt
verify tree.json --proof proof.txt --json
""".strip().splitlines()
"""Lines whose answers depend on chance or on the machine."""

COUNTED = [words for words in ALSO if "--json" in words]

BY_VALUE = ("distribution", "quantiles")
"""Fields whose names inside are numbers, or that have a form of their own."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that the lines read, in which they leave their own."""
    made = tmp_path_factory.mktemp("lines")
    rows = ["0.2,0.15,0.2,0.2", "0.2,0.1,0.15,0.25", "0.2,0.15,0.2,0.2", "0.2,0.2,0.2,0.2"]
    files = {
        "cells.csv": "\n".join(rows),
        "seen.txt": "A1:A2,C3\nB2:C2,D4\nA1:B1,C3\n",
        "list.csv": 'fleet,board,answers\n"2,1",3x3,hit\n"2,1",3x3,sunk\n',
        "weights.csv": "layout,weight\nA1:A3 C1 C3,2\nA1:C1 A3 C3,1\n",
        "notes.txt": "Dear diary\n",
        "full.txt": "  1 2 3\nA # # .\nB # # .\n",
        "board.txt": "~~!\n~*~\n~~~\n",
        "game.json": json.dumps({
            "format": "seabattle-position", "version": 1, "board": "4x4", "fleet": "3,2,1",
            "contact": "none", "answers": "sunk", "announce": "length",
            "shots": [["A1", "miss"], ["C3", "hit"], ["C2", "miss"]],
        }),
    }  # fmt: skip
    for name, text in files.items():
        (made / name).write_text(text)
    return made


@pytest.fixture
def line(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], tuple[int, str, str]]:
    """Run a line in the folder; what it reads is made before."""
    monkeypatch.chdir(folder)

    def call(words: str) -> tuple[int, str, str]:
        for made in MADE:
            name = made.split()[-1]
            if made != words and name in words.split() and not Path(name).exists():
                assert run(*shlex.split(made))[0] == 0
        return run(*shlex.split(words))

    return call


def holds(found: Any, known: Any, where: str = "") -> None:
    """That an answer has all that is known; more may be told than before."""
    if isinstance(known, dict):
        for name, value in known.items():
            assert name in found, f"{where}.{name}"
            holds(found[name], value, f"{where}.{name}")
    elif isinstance(known, list):
        assert len(found) == len(known), where
        for each, value in zip(found, known, strict=True):
            holds(each, value, where)
    elif isinstance(known, float):
        assert found == pytest.approx(known, rel=1e-6, abs=1e-9), where
    else:
        assert found == known, where


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


def explained(words: str, found: Any) -> bool:
    """Whether the reference says what each field of an answer means."""
    command = max((name for name in FIELDS if f"{words} ".startswith(f"{name} ")), key=len)
    unknown = set(fields(found)) - {*GAME, *KNOWN, *FIELDS[command]}
    assert not unknown, words
    return len(found) > 1


@pytest.mark.parametrize("words", ANSWERS)
def test_answers_are_those_of_the_release_before(line: Callable[..., Any], words: str) -> None:
    status, out, err = line(f"{words} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    holds(found, ANSWERS[words])
    assert tuple(found)[:5] == tuple(GAME)
    assert explained(words, found)


@pytest.mark.parametrize(
    "words", [*MADE, *(words for words in ALSO if "--json" not in words), *list(ANSWERS)[::3]]
)
def test_people_are_told_the_game_first(line: Callable[..., Any], words: str) -> None:
    status, out, err = line(words)
    assert status == 0
    assert "Traceback" not in err
    begins = "Usage:" if "--help" in words else r"(game +)?\d+x\d+|\S.*\n(.*\n)?games |shot|\w\d+ "
    assert re.match(begins, out), out
    if "--tree" in words:
        assert verify(load_tree(words.split()[-1]))


@pytest.mark.parametrize("words", COUNTED)
def test_every_field_is_explained(line: Callable[..., Any], words: str) -> None:
    status, out, err = line(words)
    assert (status, err) == (0, "")
    assert explained(words, json.loads(out))


REFUSED = """
count --board 0x3 --fleet 2,1
count --board 5 --fleet 2,1
count --board 999x999
count --fleet 2,x
count --fleet ''
count --fleet=-2,1
count --fleet german
count --board 10x10 --fleet '1x4 2x3 3x2 4x1'
count --blocked A1:B2
count --board 3x3 --fleet 4
count --board 3x3 --fleet 3,3,3
count --miss Z9
count --miss A1 --hit a1
count --hit A1,B2,C3,D4
count --bogus
count --contact foo
count --answers ''
count --announce none
count --answers hit --sunk A1
count --answers sunk --named A1=3#1
count --sunk A1 --named B2=3#1
count --sunk-at A1=3 --named B2=3#1
count --named A1=3#1 --hit B2
count --contact sides --announce none --sunk-at C3=2
count --shots 'A1 sunk, B2 hit=3#1'
count --shots 'A1 wet'
count --shots A1
count --shots 'A1 hit' --miss B1
count --position nowhere.json
count --position nowhere.json --fleet tiny
count --position notes.txt
count --position ''
count --map notes.txt
count --position game.json --map game.json
count --prior nowhere.csv
count --prior ''
count --prior people
solve --objective median
solve --fleet russian
solve --board 8x8 --fleet hasbro --memory-limit 1
solve --time-limit 0
solve --time-limit soon
solve --memory-limit nan
solve --threads 0
solve --tree ''
solve --tree .
solve --board 3x3 --fleet 2,1 --tree new --checkpoint new
solve --position game.json --tree game.json
solve --weights w.csv
solve --workers 2
greedy --rule best
greedy --seed x
greedy --reading positive
graph --answers sunk
graph --board 12x12 --fleet 2
compare --hit A1
compare --formats png
compare --board 3x3 --fleet 2,1 --out x --formats gif
compare --board 3x3 --fleet 2,1 --out /dev/null/x
verify
verify nowhere.json
verify .
verify tree.json --proof nowhere.txt
verify tree.json --proof notes.txt
verify eq --proof notes.txt
check
check nowhere.txt
check .
check notes.txt
check tree.json
solve --board 3x3 --fleet 2,1 --proof .
solve --board 3x3 --fleet 2,1 --proof p.txt --objective pareto
solve --board 3x3 --fleet 2,1 --proof p.txt --salvo 2
solve --board 3x3 --fleet 2,1 --contact sides --answers sunk --proof p.txt
replay tree.json --layout A1:B1,A3,C3
replay tree.json --layout A1:C1,A1,C3
replay tree.json --layout A9:C9,A3,C3
replay nowhere.json --layout A1
render tree.json -o tree.gif
render tree.json -o tree.json
render tree.json -o t.txt --theme dark
render tree.json -o t.dot --path misses
render tree.json -o t.png --scale 0
render tree.json -o t.png --theme sepia
render notes.txt -o t.svg
explore tree.json -o notes.txt
explore tree.json -o page.html --name a --name b
equilibrium --gap 0
equilibrium --answers ship
equilibrium --contact sides
equilibrium --fleet russian
hide --from nowhere
hide --from eq --fleet 2
hide --theme dark
hide -o layout.bmp
hide --seed -1
tournament --players nobody
tournament --games 0
tournament --players random --layouts sequential --luck
atlas --boards 9x9 --out x
atlas --boards 3x3 --games list.csv --out x
bound --fleet 9
bound --board 3x3 --fleet 2 --sunk A1:A2
layouts notes.txt --fleet 2
layouts full.txt --fleet 2,2 --board 3x3
layouts full.txt --fleet 2,2 --signs #=hitt
count --fleet 2,1 --position board.txt
count --fleet 2,1 --position board.txt --signs !=near
count --fleet 2 --signs !=miss
count --fleet russian --miss В5
count --position game.json --signs !=miss
prior show nowhere.json
prior show uniform
prior fit --board 4x4 --fleet 2,1 -o p.json
prior fit --board 4x4 --fleet 2,1 --cells cells.csv --layouts seen.txt -o p.json
strategy build --board 3x3 --fleet 2,1 -o notes.txt
strategy info nowhere
advise --board 3x3 --fleet 3,1,1 --think -1
advise --board 3x3 --fleet 3,1,1 --autosave x.json --json
advise --board 3x3 --fleet 3,1,1 --strategy nowhere
advise --board 3x3 --fleet 3,1,1 --miss A1,A3,C1 --json
review notes.txt
review game.json --think -1
review game.json --prior people
sink
""".strip().splitlines()


@pytest.mark.parametrize("words", REFUSED)
def test_bad_input_is_refused_in_one_line(
    line: Callable[..., Any], folder: Path, words: str
) -> None:
    line("verify tree.json eq" if "eq" in words.split() else "verify tree.json")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    status, out, err = line(words)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("seabattle: ")
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before


def leaves(group: click.Group, *before: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, *before, name)
        else:
            yield (*before, name), command


def test_every_command_has_help_in_sections_and_lines_above(run: Run) -> None:
    called = [*ANSWERS, *COUNTED]
    for words, command in leaves(commands):
        status, out, err = run(*words, "--help")
        assert (status, err) == (0, "")
        assert f"seabattle {' '.join(words)} " in out.splitlines()[0]
        assert max(map(len, out.splitlines())) <= 100
        if any(each.name == "as_json" for each in command.params):
            assert any(f"{call} ".startswith(f"{' '.join(words)} ") for call in called), words
            assert " ".join(words) in FIELDS
    assert run()[0] in (0, 2)  # releases of click differ


def test_help_needs_no_numpy(run: Run) -> None:
    import subprocess
    import sys

    code = (
        "import sys; sys.argv = ['seabattle', '--help']\n"
        "from seabattle.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as stop: assert not stop.code\n"
        "assert not {'numpy', 'scipy', 'tqdm'} & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "compare" in done.stdout


NAMED = {
    "--fleet russian": ("10x10", "4,3,3,2,2,2,1,1,1,1", "none", "sunk"),
    "--fleet Hasbro --contact none": ("10x10", "5,4,3,3,2", "none", "sunk"),
    "--board 8x8 --fleet hasbro": ("8x8", "5,4,3,3,2", "sides", "sunk"),
    "--fleet hasbro --named A1=5#1": ("10x10", "5,4,3,3,2", "sides", "ship"),
    "--fleet 5,4,3,3,2 --board 10x10": ("10x10", "5,4,3,3,2", "none", "hit"),
    "--sunk A1:A2": ("5x5", "3,2,2,1,1,1", "none", "sunk"),
    "--shots 'A1 hit=3#1'": ("5x5", "3,2,2,1,1,1", "none", "ship"),
    "": ("5x5", "3,2,2,1,1,1", "none", "hit"),
}


@pytest.mark.parametrize("options", NAMED)
def test_a_named_fleet_brings_its_game_and_answers_imply_theirs(run: Run, options: str) -> None:
    status, out, err = run("players", *shlex.split(options), "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert tuple(found[field] for field in tuple(GAME)[:4]) == NAMED[options]
