"""Strategy files: what they hold against slow search, and what they refuse.

Every value is compared with ``naive.Search``, which knows nothing of keys, certain hits or
symmetry; positions are random histories of shots in any order.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus.damage import damaged_arrays, damaged_documents
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import naive_layouts, naive_rows, position_of, spoken

from seabattle.enumerate import errors
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.check import check
from seabattle.trees.strategy.strategy import MANIFEST, Strategy, sealed, write_strategy
from seabattle.trees.verify import verify

GAMES = {
    "hit": Rules("3x4", "3,2,1"),
    "hit square": Rules("3x3", "2,1"),
    "hit corners": Rules("3x3", "2,1,1", "corners"),
    "hit sides": Rules("3x3", "3,2", "sides"),
    "sunk": Rules("3x4", "2,2,1", "none", "sunk"),
    "sunk corners": Rules("3x3", "2,1", "corners", "sunk"),
    "ship": Rules("3x4", "2,2,1", "none", "ship"),
    "ship sides": Rules("3x3", "3,2", "sides", "ship"),
}

Built = Callable[..., Strategy]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Strategy files of the games, each built once."""
    folder = tmp_path_factory.mktemp("strategies")
    known: dict[tuple[str, str, bool], Strategy] = {}

    def build(game: str, objective: str = "mean", complete: bool = True) -> Strategy:
        key = (game, objective, complete)
        if key not in known:
            path = folder / "-".join(map(str, key))
            known[key] = build_strategy(
                GAMES[game], path, objective=objective, complete=complete, made_by="a test"
            )
        return known[key]

    return build


@cache
def search_of(game: str) -> naive.Search:
    """The naive search of a game; what it works out is kept."""
    return naive.Search(naive_layouts(GAMES[game]), *spoken(GAMES[game]))


@st.composite
def histories(draw: st.DrawFn, game: str) -> list[tuple[int, str]]:
    """Shots at some layout of a game, in any order, with its answers."""
    rules = GAMES[game]
    layout = draw(st.sampled_from(naive_rows(rules)))
    cells = draw(st.permutations(range(rules.board.cells)))
    count = draw(st.integers(0, rules.board.cells - 1))
    return [
        (cell, naive.answer(layout, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells[:count])
    ]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
@examples(25)
@given(data=st.data())
def test_complete_files_know_every_position(built: Built, game: str, data: st.DataObject) -> None:
    """Shots in any order, wasted ones and certain hits among them; beside the naive search."""
    rules = GAMES[game]
    history = data.draw(histories(game))
    position = position_of(rules, history)
    possible = frozenset(naive.fitting(naive_layouts(rules), history, *spoken(rules)))
    shot = frozenset(cell for cell, _ in history)
    front = search_of(game).front(possible, shot)
    for objective, least in (
        ("mean", min(total for _, total in front)),
        ("worst", min(worst for worst, _ in front)),
    ):
        strategy = built(game, objective)
        found = strategy.probe(position)
        assert (found.layouts, found.value) == (len(possible), least)
        if found.best_cell is None:
            assert len({naive.cells_of(layout) for layout in possible}) == 1
            continue
        number = 1 if objective == "mean" else 0
        for cell, value in {**strategy.cell_values(position), found.best_cell: least}.items():
            points = search_of(game).after(possible, shot, cell)
            assert value == min(point[number] for point in points)


def key_of(possible: frozenset[naive.Layout], strategy: Strategy) -> tuple[int, ...]:
    """The key of a closed position, as the text of ``trees.strategy.keys`` defines it."""
    occupied = [naive.cells_of(layout) for layout in possible]
    certain = frozenset.intersection(*occupied)
    water = set(range(strategy.rules.board.cells)).difference(*occupied)
    layout = min(possible, key=str)  # any of them

    def names(symmetry: tuple[int, ...]) -> int:
        """The ship in each cell of H, in the order of the images."""
        word, met = 0, list[frozenset[int]]()
        for cell in sorted(certain, key=lambda cell: symmetry[cell]):
            (ship,) = (ship for ship in layout if cell in ship)
            met += [ship] * (ship not in met)
            alike = [other for other in met if len(other) == len(ship)]
            longer = sum(len(other) > len(ship) for other in layout)
            word = word * len(layout) + longer + alike.index(ship)
        return word

    def image(symmetry: tuple[int, ...]) -> tuple[int, ...]:
        board = sum(3 ** symmetry[c] for c in certain) + 2 * sum(3 ** symmetry[c] for c in water)
        return (board, names(symmetry)) if len(strategy.keys.high) else (board,)

    return min(map(image, strategy.symmetries))


@pytest.mark.parametrize("game", GAMES)
@examples(25)
@given(data=st.data())
def test_keys_are_those_that_the_format_defines(
    built: Built, game: str, data: st.DataObject
) -> None:
    """Positions are closed by shots at certain hits, where those tell something."""
    rules, strategy = GAMES[game], built(game)
    history = data.draw(histories(game))
    while True:
        possible = frozenset(naive.fitting(naive_layouts(rules), history, *spoken(rules)))
        occupied = [naive.cells_of(layout) for layout in possible]
        shot = [cell for cell, _ in history]
        due = sorted(frozenset.intersection(*occupied).difference(shot))
        if not due or rules.answers is AnswerMode.HIT:
            break
        layout = data.draw(st.sampled_from(sorted(possible, key=str)))
        history = [*history, (due[0], naive.answer(layout, shot, due[0], *spoken(rules)))]
    if len(set(occupied)) == 1:
        return
    keys = zip(*(word.tolist() for word in strategy.keys if len(word)), strict=True)
    place = list(keys).index(key_of(possible, strategy))
    assert strategy.values[place] == strategy.probe(position_of(rules, history)).value


@pytest.mark.parametrize("mode", ["hit", "sunk", "ship"])
def test_a_file_can_begin_at_a_position(tmp_path: Path, mode: str) -> None:
    rules = Rules("4x4", "3,2,1", answers=mode)
    told = {"hit": "hit", "sunk": "sunk", "ship": "hit:1#1"}[mode]
    shots = [("B2", "miss"), ("D1", told), ("A1", "miss")]
    start = Position.read(rules, shots[:2])
    table = DecisionTable.build(rules).at(start)
    strategy = build_strategy(table, tmp_path / "s", complete=True)
    assert check(strategy).valid
    assert verify(strategy.tree()).valid
    further = Position.read(rules, shots)
    least = solve(further).total_misses
    assert strategy.probe(further).total == least
    assert strategy.probe().total == strategy.probe(start).total == strategy.value
    with pytest.raises(errors.PositionError, match="begins after B2 miss, D1"):
        strategy.probe(Position(rules))


def test_large_boards_have_keys_of_two_words(tmp_path: Path) -> None:
    rules = Rules("1x45", "44")
    strategy = build_strategy(rules, tmp_path / "s", complete=True)
    assert (strategy.states, strategy.value) == (1, 1)
    assert len(strategy.keys.high) == 1
    assert check(strategy).valid
    rules = Rules("5x9", "9,8")
    strategy = build_strategy(rules, tmp_path / "s")
    assert strategy.value == solve(rules).total_misses
    assert check(strategy).valid


# ---------------------------------------------------------------------- damaged and foreign files


@pytest.fixture
def copied(built: Built, tmp_path: Path) -> Path:
    """A copy of a strategy file, to be damaged."""
    shutil.copytree(built("ship").path, tmp_path / "copy")
    return tmp_path / "copy"


def put(path: Path, name: str, data: bytes) -> None:
    """Write the bytes of an array, with the checksums they should have."""
    (path / f"{name}.npy").write_bytes(data)
    manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    digest = hashlib.sha256(data).hexdigest()
    manifest["files"][f"{name}.npy"] = {"bytes": len(data), "sha256": digest}
    seal(path, manifest)


def seal(path: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest with the checksum it should have."""
    (path / MANIFEST).write_text(json.dumps(manifest | {"sha256": sealed(manifest)}))


def is_refused(path: Path, true: Strategy, how: str) -> bool:
    """Whether a file is refused, in one line; one that is accepted tells the truth."""
    told = ""
    try:
        found = Strategy.open(path)
        problems = check(found).problems
        if not problems:
            assert found.value == true.value, how
            assert found.cell_values(true.position) == true.cell_values(true.position), how
    except errors.SeabattleError as error:
        told, problems = str(error), (str(error),)
        assert path.name in told, how
    assert not any(len(line.splitlines()) > 1 for line in problems), how
    return bool(problems)


ARRAYS = ("key0", "key1", "values", "shots", "layouts")


def test_damaged_arrays_are_refused(built: Built, copied: Path) -> None:
    """Whatever is done to them, with checksums made to fit; and a byte that is not."""
    chance, true = random.Random(3), built("ship")
    for name in ARRAYS:
        file = copied / f"{name}.npy"
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        (problem,) = check(Strategy.open(copied)).problems
        assert problem == f"{name}.npy was edited or damaged: its checksum does not fit"
        file.unlink()
        assert is_refused(copied, true, "missing")
        refused, tried = 0, 0
        for how, data in damaged_arrays(np.load(true.path / f"{name}.npy"), chance):
            put(copied, name, data)
            tried += 1
            refused += is_refused(copied, true, f"{name}: {how}")
        assert refused > tried - 12, name
        put(copied, name, whole)
    assert not is_refused(copied, true, "whole again")


def test_damaged_manifests_are_refused(built: Built, copied: Path) -> None:
    true = built("ship")
    sound = json.loads((copied / MANIFEST).read_text(encoding="utf-8"))
    cases = list(damaged_documents(sound, random.Random(4)))
    refused = 0
    for how, text in cases[::8]:
        (copied / MANIFEST).write_bytes(text.encode("utf-8", "surrogatepass"))
        assert (
            is_refused(copied, true, how)
            or json.loads(text.removeprefix("\ufeff"))["sha256"] == sound["sha256"]
        )
        try:
            seal(copied, json.loads(text.removeprefix("\ufeff")))
        except (ValueError, TypeError, RecursionError):
            continue
        refused += is_refused(copied, true, how)
    assert refused > len(cases) // 16


RESERVED = ("format", "version", "files", "sha256")
"""Fields of a manifest that writing fills in."""


def test_checking_finds_worse_shots_missing_states_and_false_totals(
    built: Built, copied: Path
) -> None:
    strategy = built("ship")
    root = Position(strategy.rules)
    worse = [cell for cell, value in strategy.cell_values(root).items() if value > strategy.value]
    arrays = {
        name: np.array(array)
        for name, array in (
            ("key0", strategy.keys.low), ("key1", strategy.keys.high), ("values", strategy.values),
            ("shots", strategy.shots), ("layouts", strategy.numbers),
        )
    }  # fmt: skip
    manifest = {name: value for name, value in strategy.manifest.items() if name not in RESERVED}
    place = int(np.argmax(arrays["values"]))
    assert arrays["values"][place] == strategy.value

    def found(arrays: dict[str, np.ndarray], **fields: object) -> str:
        write_strategy(copied, manifest | fields, arrays)
        return " ".join(check(Strategy.open(copied)).problems)

    assert found(arrays) == ""
    assert found(arrays, value=strategy.value + 1) == (
        f"the manifest claims {strategy.value + 1} misses, the file has {strategy.value}"
    )
    # A worse shot with its own true value is consistent, but not optimal.
    value = strategy.cell_values(root)[worse[-1]]
    shots, values = arrays["shots"].copy(), arrays["values"].copy()
    shots[place], values[place] = worse[-1], value
    wrong = arrays | {"shots": shots, "values": values}
    assert found(wrong, value=value) == f"state {place}: another shot costs less"
    assert found(wrong, value=value, scope="reachable") == ""
    other = (place + 1) % strategy.states
    fewer = {
        name: array if name == "layouts" else np.delete(array, other)
        for name, array in arrays.items()
    }
    assert "what follows a shot is not in the file" in found(fewer, states=strategy.states - 1)
    last = {
        name: array if name == "layouts" else array[array.size :] for name, array in arrays.items()
    }
    assert "does not hold this position" in found(last, states=0)


def test_nothing_but_strategy_files_and_empty_folders_is_replaced(tmp_path: Path) -> None:
    # A folder of something else may hold a manifest.json, too.
    web = tmp_path / "web"
    web.mkdir()
    (web / MANIFEST).write_text('{"name": "an app"}')
    with pytest.raises(errors.FileAccessError, match="exists and is not a strategy file"):
        build_strategy(GAMES["sunk"], web)
    ours = tmp_path / "ours"
    build_strategy(GAMES["sunk"], ours)
    (ours / "notes.txt").write_text("years of work")
    with pytest.raises(errors.FileAccessError, match="exists and is not a strategy file"):
        build_strategy(GAMES["sunk"], ours)
    assert (ours / "notes.txt").read_text() == "years of work"
    (ours / "notes.txt").unlink()
    build_strategy(GAMES["sunk"], ours, objective="worst")
    assert Strategy.open(ours).objective == "worst"
    empty = tmp_path / "empty"
    empty.mkdir()
    place = empty.stat().st_ino
    build_strategy(GAMES["sunk"], empty)
    assert Strategy.open(empty).objective == "mean"
    assert empty.stat().st_ino == place  # somebody may be there
    (tmp_path / "file").write_text("text")
    with pytest.raises(errors.FileAccessError, match="exists and is not a strategy file"):
        build_strategy(GAMES["sunk"], tmp_path / "file")
    with pytest.raises(errors.FileAccessError, match=r"cannot write .*file.s"):
        build_strategy(GAMES["sunk"], tmp_path / "file" / "s")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "ours", "web"]
    assert [path.name for path in web.iterdir()] == [MANIFEST]
