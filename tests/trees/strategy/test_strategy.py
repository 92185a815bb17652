"""Strategy files: what they hold against slow search, and what they refuse.

Every value is compared with ``naive.Search``, which knows nothing of keys, certain hits or
symmetry; positions are random histories of shots in any order.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import naive_layouts, naive_rows, position_of, spoken

from seabattle.cli.commands import commands
from seabattle.enumerate import errors
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.check import check
from seabattle.trees.strategy.folder import MANIFEST, sealed, write_strategy
from seabattle.trees.strategy.strategy import Strategy
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


SEARCHES: dict[str, naive.Search] = {}


def slow_search(game: str) -> naive.Search:
    """The naive search of a game; what it works out is kept."""
    if game not in SEARCHES:
        mode, announce, contact = spoken(GAMES[game])
        SEARCHES[game] = naive.Search(naive_layouts(GAMES[game]), mode, announce, contact)
    return SEARCHES[game]


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


def expected(game: str, history: list[tuple[int, str]]) -> tuple[int, int, int]:
    """Layouts left, least total and least worst case of a position, by slow search."""
    rules = GAMES[game]
    possible = frozenset(naive.fitting(naive_layouts(rules), history, *spoken(rules)))
    front = slow_search(game).front(possible, frozenset(cell for cell, _ in history))
    return len(possible), min(total for _, total in front), min(worst for worst, _ in front)


@pytest.mark.parametrize("game", GAMES)
@examples(60)
@given(data=st.data())
def test_complete_files_know_every_position(built: Built, game: str, data: st.DataObject) -> None:
    history = data.draw(histories(game))
    rules = GAMES[game]
    position = position_of(rules, history)
    layouts, total, worst = expected(game, history)
    mean = built(game).probe(position)
    assert (mean.layouts, mean.total, mean.worst) == (layouts, total, None)
    assert mean.mean * layouts == total
    least = built(game, "worst").probe(position)
    assert (least.layouts, least.total, least.worst) == (layouts, None, worst)
    assert least.mean is None
    possible = frozenset(naive.fitting(naive_layouts(rules), history, *spoken(rules)))
    shot = frozenset(cell for cell, _ in history)
    search = slow_search(game)
    assert mean.best_shot == (None if mean.best_cell is None else rules.board.name(mean.best_cell))
    if mean.best_cell is None:
        assert len({naive.cells_of(layout) for layout in possible}) == 1
        return
    # The shots are as good as the values promise.
    assert min(t for _, t in search.after(possible, shot, mean.best_cell)) == total
    assert min(w for w, _ in search.after(possible, shot, least.best_cell)) == worst
    everywhere = all(mean.best_cell in naive.cells_of(layout) for layout in possible)
    assert mean.certain is everywhere
    for found, number in ((built(game), 1), (built(game, "worst"), 0)):
        values = found.cell_values(position)
        assert list(found.shot_values(position).items()) == [
            (rules.board.name(cell), value) for cell, value in values.items()
        ]
        for cell, value in values.items():
            assert value == min(point[number] for point in search.after(possible, shot, cell))


@pytest.mark.parametrize("game", GAMES)
def test_reachable_files_follow_the_optimal_tree(built: Built, game: str) -> None:
    reachable, complete = built(game, complete=False), built(game)
    assert reachable.states < complete.states
    assert reachable.value == complete.value == solve(GAMES[game]).total_misses
    tree = reachable.tree()
    assert verify(tree).valid
    assert (tree.total_misses, tree.status) == (reachable.value, "optimal")
    stack = [(tree.root, ())]
    while stack:
        node, shots = stack.pop()
        answer = reachable.probe(Position(GAMES[game], shots))
        assert answer.best_cell == (None if node.is_leaf else node.shot)
        assert answer.total == complete.probe(Position(GAMES[game], shots)).total
        stack += [(child, (*shots, (node.shot, code))) for code, child in node.edges]


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


def edited(path: Path, **fields: object) -> None:
    """Change fields of a manifest and make its checksum fit."""
    manifest = json.loads((path / MANIFEST).read_text()) | fields
    manifest["sha256"] = sealed(manifest)
    (path / MANIFEST).write_text(json.dumps(manifest))


def test_opening_finds_foreign_and_truncated_files(copied: Path, tmp_path: Path) -> None:
    def refused(says: str) -> None:
        with pytest.raises(errors.SeabattleError, match=says) as raised:
            Strategy.open(copied)
        assert "copy" in str(raised.value)
        assert "\n" not in str(raised.value)

    for name in ("key0", "key1", "values", "shots", "layouts"):
        file = copied / f"{name}.npy"
        data = file.read_bytes()
        file.write_bytes(data[:-1])
        refused(rf"{name}\.npy has [\d,]+ bytes and should have [\d,]+: it was cut short or edited")
        file.unlink()
        refused("cannot read")
        file.write_bytes(data)
    manifest = (copied / MANIFEST).read_text()
    for text, says in (
        (manifest[: len(manifest) // 2], "is no JSON, or was cut short"),
        ("[]", "is no strategy file: its 'format'"),
        (manifest.replace('"version": 1', '"version": 2'), "version 2 of the strategy format"),
        (manifest.replace('"version": 1', '"version": true'), "version True of the strategy"),
        (manifest.replace('"layouts": ', '"layouts": 1'), "manifest.json was edited or damaged"),
    ):
        assert text != manifest
        (copied / MANIFEST).write_text(text)
        refused(says)
    (copied / MANIFEST).unlink()
    refused("is no strategy file: it has no manifest.json")
    with pytest.raises(errors.FileAccessError, match=r"cannot read .*nowhere: No such file"):
        Strategy.open(tmp_path / "nowhere")


def damage(path: Path, name: str, change: Callable[[np.ndarray], None]) -> None:
    """Change an array in its place, and make the checksums fit."""
    array = np.load(path / f"{name}.npy")
    change(array)
    np.save(path / f"{name}.npy", array)
    data = (path / f"{name}.npy").read_bytes()
    files = json.loads((path / MANIFEST).read_text())["files"]
    files[f"{name}.npy"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    edited(path, files=files)


def test_checking_finds_edited_bytes(copied: Path) -> None:
    for name in ("key0", "key1", "values", "shots", "layouts"):
        file = copied / f"{name}.npy"
        data = file.read_bytes()
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        found = check(Strategy.open(copied))
        assert not found
        assert found.problems == (f"{name}.npy was edited or damaged: its checksum does not fit",)
        file.write_bytes(data)
    assert check(Strategy.open(copied))


def add(place: int, by: int) -> Callable[[np.ndarray], None]:
    """A change of one number."""

    def change(array: np.ndarray) -> None:
        array[place] += by

    return change


def swap(array: np.ndarray) -> None:
    array[[0, 1]] = array[[1, 0]]


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("values", add(-1, 1), r"state \d+: (its value is not what its shot costs|another shot)"),
        ("values", add(0, 1), r"state 0: its value is not what its shot costs"),
        ("key0", add(-1, 1), r"state \d+: "),
        ("key1", add(-1, 1), r"state \d+: "),
        ("key0", swap, "the keys do not increase at state"),
        ("layouts", swap, ""),
        ("layouts", add(0, 1), "its layouts are not those of the rules"),
        ("layouts", add(0, 10_000), "its layouts are not those of the rules"),
        ("shots", add(0, 100), "state 0: its shot is no cell"),
    ],
)
def test_checking_finds_false_contents(
    copied: Path, name: str, change: Callable[[np.ndarray], None], says: str
) -> None:
    damage(copied, name, change)
    found = check(Strategy.open(copied))
    if says:
        assert not found
        assert re.match(says, found.problems[0])
    else:
        assert found  # the order of the layouts means nothing


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


# ------------------------------------------------------------------------------- command line


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(
        commands, ["strategy", *map(str, arguments)], standalone_mode=False
    )  # fmt: skip
    if isinstance(done.exception, errors.SeabattleError):
        return 2, str(done.exception)
    assert done.exception is None, done.exception
    return (done.return_value or 0), done.output


def test_commands_build_tell_probe_and_verify(tmp_path: Path) -> None:
    path = tmp_path / "s"
    game = ["--board", "4x4", "--fleet", "3,2,1"]
    status, told = run("build", *game, "--complete", "-o", path, "--json")
    assert status == 0
    document = json.loads(told)
    assert (document["total_misses"], document["states"]) == (605, 5404)
    assert json.loads(run("info", path, "--json")[1])["scope"] == "complete"
    assert "every position: 5,404 states" in run("info", path)[1]
    answer = json.loads(run("probe", path, "--json")[1])
    assert answer["best_shots"] == ["A1", "D1", "A4", "D4"]
    assert (answer["total_misses"], answer["layouts"]) == (605, 176)
    assert answer["every_best_shot"] is True
    known = ["--miss", "B2,A1", "--hit", "D4"]
    rules = Rules("4x4", "3,2,1")
    position = Position.of_cells(rules, miss=["B2", "A1"], hit=["D4"])
    solution = solve(position)
    answer = json.loads(run("probe", path, *known, "--json")[1])
    assert answer["total_misses"] == solution.total_misses
    assert set(answer["best_shots"]) <= set(solution.best_shots)
    assert "best shot" in run("probe", path, *known)[1]
    ordered = ["--shots", "B2 miss, A1 miss, D4 hit"]
    assert json.loads(run("probe", path, *ordered, "--json")[1]) == answer
    status, told = run("verify", path, "--json")
    assert (status, json.loads(told)["valid"], json.loads(told)["proven"]) == (0, True, True)
    assert run("probe", path, "--miss", "Z9")[0] == 2
    assert run("probe", path, "--hit", "A1,B2")[0] == 2
    (path / "shots.npy").write_bytes(b"")
    status, told = run("verify", path, "--json")
    assert (status, json.loads(told)["valid"]) == (1, False)
    status, told = run("info", path)
    assert (status, "was cut short or edited" in told) == (2, True)
