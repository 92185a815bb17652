"""Strategy files: what they hold against slow search, and what they refuse.

Every value is compared with ``naive.Search``, which knows nothing of keys, certain hits or
symmetry; positions are random histories of shots in any order.
"""

from __future__ import annotations

import json
import random
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
from seabattle.enumerate.answers import answer_code
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.strategy.check import check
from seabattle.trees.strategy.folder import MANIFEST, digest_of, sealed, write_strategy
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
@examples(60)
@given(data=st.data())
def test_layouts_are_filtered_as_positions_do(built: Built, game: str, data: st.DataObject) -> None:
    strategy = built(game)
    history = data.draw(histories(game))
    if data.draw(st.booleans()):  # answers that need not go together
        cell = data.draw(st.integers(0, strategy.rules.board.cells - 1))
        told = data.draw(st.sampled_from([answer for _, answer in history] or ["miss"]))
        history = [*(pair for pair in history if pair[0] != cell), (cell, told)]
    shots = data.draw(st.permutations([(cell, answer_code(told)) for cell, told in history]))
    position = Position(strategy.rules, tuple(shots), ordered=data.draw(st.booleans()))

    def filtered(by: Callable[[], np.ndarray]) -> object:
        try:
            return by().tolist()
        except errors.PositionError as error:
            return str(error)

    layouts = enumerate_layouts(strategy.rules)
    expected = filtered(lambda: np.flatnonzero(fitting(position, layouts)))
    assert filtered(lambda: strategy.fitting(position)) == expected


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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("objective", ["mean", "worst"])
@pytest.mark.parametrize("complete", [False, True])
def test_files_are_valid_and_walk_into_valid_trees(
    built: Built, game: str, objective: str, complete: bool
) -> None:
    strategy = built(game, objective, complete)
    seen: list[int] = []
    found = check(strategy, progress=seen.append)
    assert (found.valid, found.proven, found.problems) == (True, complete, ())
    assert found.value == strategy.value
    assert seen[-1] == strategy.states
    tree = strategy.tree()
    assert verify(tree).valid
    misses = tree.total_misses if objective == "mean" else tree.worst_misses
    assert misses == strategy.value


@pytest.mark.parametrize("game", ["hit", "hit corners", "hit sides"])
def test_complete_files_hold_every_sub_table(built: Built, game: str) -> None:
    rules = GAMES[game]
    single = {naive.cells_of(layout) for layout in naive_layouts(rules)}
    orbits = {
        min(tuple(sorted(symmetry[cell] for cell in cells)) for symmetry in rules.board.symmetries)
        for cells in single
    }
    assert built(game).states == graph_size(rules).orbits - len(orbits)


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


def test_positions_outside_the_file_are_refused(built: Built) -> None:
    strategy = built("hit", complete=False)
    rules = GAMES["hit"]
    odd = Position.read(rules, [("A1", "hit"), ("D3", "hit"), ("B2", "miss")])
    with pytest.raises(errors.StrategyError, match=r"does not hold this position.*--complete"):
        strategy.probe(odd)
    with pytest.raises(errors.PositionError, match="another game"):
        strategy.probe(Position(Rules("3x4", "3,2")))
    with pytest.raises(errors.PositionError, match="no layout"):
        built("hit").probe(Position.read(rules, [("A1", "hit"), ("B2", "hit")]))


def test_rules_without_closed_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.StrategyError, match="order of shots matters: save the tree"):
        build_strategy(Rules("3x3", "3,2", "sides", "sunk"), tmp_path / "s")
    with pytest.raises(errors.TooLargeError, match="boards of up to 64 cells"):
        build_strategy(Rules("9x9", "3,2"), tmp_path / "s")
    with pytest.raises(errors.StrategyError, match="hold the objectives mean, worst"):
        build_strategy(GAMES["hit"], tmp_path / "s", objective="pareto")
    table = DecisionTable.build(GAMES["hit"])
    weighted = DecisionTable(table.layouts, None, np.arange(1, len(table) + 1))
    with pytest.raises(errors.StrategyError, match="equally likely"):
        build_strategy(weighted, tmp_path / "s")
    with pytest.raises(errors.WorkFailed):
        build_strategy(Rules("5x5", "3,2,1"), tmp_path / "s", time_limit=0)
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"states": 3}, r"key0\.npy holds uint64 .*, not what the manifest says"),
        ({"layouts": 3}, r"layouts\.npy holds"),
        ({"board": "9x9"}, "up to 40 cells"),
        ({"answers": "hit"}, r"key1\.npy holds"),
        ({"objective": "least"}, "objective, scope or number of layouts is unknown"),
        ({"symmetries": [1, 0]}, "symmetries do not begin with the identity"),
        ({"symmetries": [0, 99]}, "is no valid strategy file"),
        ({"position": [["Z9", "miss"]]}, "is no valid strategy file"),
        ({"files": {"../../x.npy": {"bytes": 1}}}, "names an unknown file"),
        ({"files": {}}, "is no valid strategy file"),
        ({"fleet": 3}, "is no valid strategy file"),
    ],
)
def test_opening_finds_manifests_that_do_not_fit(
    copied: Path, fields: dict[str, object], says: str
) -> None:
    edited(copied, **fields)
    with pytest.raises(errors.SeabattleError, match=says):
        Strategy.open(copied)


def damage(path: Path, name: str, change: Callable[[np.ndarray], None]) -> None:
    """Change an array in its place, and make the checksums fit."""
    array = np.load(path / f"{name}.npy")
    change(array)
    np.save(path / f"{name}.npy", array)
    data = (path / f"{name}.npy").read_bytes()
    files = json.loads((path / MANIFEST).read_text())["files"]
    files[f"{name}.npy"] = {"bytes": len(data), "sha256": digest_of(data)}
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


@pytest.mark.parametrize("game", ["hit", "ship"])
def test_checking_finds_a_state_given_twice(built: Built, copied: Path, game: str) -> None:
    """With keys of one word and of two."""
    strategy = built(game)
    arrays = {
        "key0": strategy.keys.low, "key1": strategy.keys.high, "values": strategy.values,
        "shots": strategy.shots,
    }  # fmt: skip
    twice = {name: np.append(array, array[-1:]) for name, array in arrays.items() if len(array)}
    manifest = strategy.manifest | {"states": strategy.states + 1}
    fields = {name: value for name, value in manifest.items() if name not in RESERVED}
    write_strategy(copied, fields, twice | {"layouts": np.array(strategy.numbers)})
    found = check(Strategy.open(copied))
    assert found.problems == (f"the keys do not increase at state {strategy.states}",)


def transformed_key(strategy: Strategy) -> int:
    """The greatest image of a key of one word that is not the image of itself everywhere."""
    for key in map(int, strategy.keys.low):
        digits = [key // 3**cell % 3 for cell in range(strategy.rules.board.cells)]
        images = [
            sum(digit * 3 ** symmetry[cell] for cell, digit in enumerate(digits))
            for symmetry in strategy.symmetries
        ]
        assert min(images) == key
        if max(images) > key:
            return max(images)
    raise AssertionError("every key is symmetric")


def test_damaged_contents_lead_no_lookup_astray(copied: Path) -> None:
    """Numbers out of range are refused before they are used, checked or not."""
    original = {name: (copied / f"{name}.npy").read_bytes() for name in ("layouts", "shots")}
    damage(copied, "layouts", add(0, 10_000))
    with pytest.raises(errors.StrategyError, match="names a placement that does not exist"):
        Strategy.open(copied).probe()
    (copied / "layouts.npy").write_bytes(original["layouts"])
    damage(copied, "layouts", lambda array: None)
    damage(copied, "shots", lambda array: array.fill(200))
    with pytest.raises(errors.StrategyError, match="names a cell that does not exist"):
        Strategy.open(copied).probe()


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


@pytest.mark.parametrize(
    ("digits", "says"),
    [
        ("0000 0000 0000", "state 0: its key is not closed, or is of one occupancy"),
        ("1111 0000 0000", "state 0: no layout belongs to its key"),
        ("1110 0000 0000", "state 0: its key is not closed, or is of one occupancy"),
        ("2000 0000 0000", "state 0: its key is not closed, or is of one occupancy"),
        ("0000 0000 2220", "state 0: no layout belongs to its key"),
    ],
)
def test_checking_finds_keys_of_nothing(built: Built, copied: Path, digits: str, says: str) -> None:
    """Files of one state, whose key is a board in base 3: 1 occupied, 2 water."""
    strategy = built("hit")
    cells = digits.replace(" ", "")
    arrays = {
        "key0": np.array([sum(int(d) * 3**i for i, d in enumerate(cells))], dtype=np.uint64),
        "values": np.array([1], dtype=np.uint8),
        "shots": np.array([0], dtype=np.uint8),
        "layouts": np.array(strategy.numbers),
    }
    manifest = strategy.manifest | {"states": 1, "scope": "reachable", "value": 1}
    write_strategy(copied, {k: v for k, v in manifest.items() if k not in RESERVED}, arrays)
    assert check(Strategy.open(copied)).problems == (says,)


def test_checking_finds_keys_that_are_not_the_least(built: Built, copied: Path) -> None:
    strategy = built("hit square")
    arrays = {
        "key0": np.array([transformed_key(strategy)], dtype=np.uint64),
        "values": np.array(strategy.values[-1:]),
        "shots": np.array(strategy.shots[-1:]),
        "layouts": np.array(strategy.numbers),
    }
    manifest = strategy.manifest | {"states": 1, "scope": "reachable"}
    write_strategy(copied, {k: v for k, v in manifest.items() if k not in RESERVED}, arrays)
    problems = check(Strategy.open(copied)).problems
    assert problems == ("state 0: its key is not the least of its orbit",)


def test_symmetries_that_move_the_layouts_are_found(tmp_path: Path) -> None:
    rules = Rules("3x4", "3,2,1")
    start = Position.read(rules, [("A1", "miss")])
    table = DecisionTable.build(rules).at(start)
    strategy = build_strategy(table, tmp_path / "s")
    assert strategy.manifest["symmetries"] == [0]
    edited(tmp_path / "s", symmetries=[0, 1])
    problems = check(Strategy.open(tmp_path / "s")).problems
    assert problems == ("symmetry 1 does not map its layouts to themselves",)


def test_writing_is_whole_or_not_at_all(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s"
    build_strategy(GAMES["hit"], path)
    before = Strategy.open(path).value
    build_strategy(GAMES["hit"], path, objective="worst")  # replaces the first
    assert Strategy.open(path).objective == "worst"
    assert [file.name for file in tmp_path.iterdir()] == ["s"]
    assert before != Strategy.open(path).value

    def fails(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", fails)
    with pytest.raises(errors.FileAccessError, match=r"cannot write .*: No space left"):
        build_strategy(GAMES["hit"], path)
    monkeypatch.undo()
    assert Strategy.open(path).objective == "worst"
    assert [file.name for file in tmp_path.iterdir()] == ["s"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("years of work")
    with pytest.raises(errors.FileAccessError, match="exists and is no strategy file"):
        build_strategy(GAMES["hit"], tmp_path / "other")
    assert (tmp_path / "other" / "thesis.txt").exists()


def test_nothing_is_pickled(copied: Path) -> None:
    np.save(copied / "values.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    data = (copied / "values.npy").read_bytes()
    files = json.loads((copied / MANIFEST).read_text())["files"]
    files["values.npy"] = {"bytes": len(data), "sha256": ""}
    edited(copied, files=files)
    with pytest.raises(errors.StrategyError, match="is no valid strategy file"):
        Strategy.open(copied)


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


def test_command_walks_strategy_files_into_the_explorer(built: Built, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = CliRunner().invoke(
        commands,
        ["explore", str(built("sunk").path), "-o", str(page)],
        standalone_mode=False,
        catch_exceptions=False,
    )
    assert done.return_value in (0, None)
    assert '"name":"Optimal on average"' in page.read_text()


@pytest.mark.parametrize(("mode", "total"), [("hit", 6444), ("sunk", 2490)])
def test_the_5x5_file_answers_all_that_optimal_play_meets(
    tmp_path: Path, mode: str, total: int
) -> None:
    rules = Rules("5x5", "3,2,2,1,1,1", answers=mode)
    strategy = build_strategy(rules, tmp_path / "s")
    assert strategy.value == total
    assert check(strategy).valid
    tree = strategy.tree()
    assert verify(tree).valid
    assert (tree.total_misses, tree.layouts) == (total, 1428)
    # Every node of the tree is a position; the file knows it, and shoots what the tree shoots.
    stack = [(tree.root, Position(rules))]
    met = 0
    while stack:
        node, position = stack.pop()
        found = strategy.probe(position)
        assert found.best_cell == (None if node.is_leaf else node.shot)
        met += 1
        for told, child in {} if node.is_leaf else node.children.items():
            shots = (*position.shots, (node.shot, answer_code(told)))
            stack.append((child, Position(rules, shots)))
    assert met == len(tree)


@pytest.mark.slow
def test_the_complete_5x5_file_answers_any_position(tmp_path: Path) -> None:
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    strategy = build_strategy(rules, tmp_path / "s", complete=True)
    table = DecisionTable.build(rules)
    layouts = naive_rows(rules)
    chance = random.Random(7)
    for number in range(300):
        layout = chance.choice(layouts)
        cells = chance.sample(range(25), chance.randrange(25))
        told = [naive.answer(layout, cells[:i], c, *spoken(rules)) for i, c in enumerate(cells)]
        position = position_of(rules, list(zip(cells, told, strict=True)))
        found = strategy.probe(position)
        assert found.layouts == int(fitting(position, table.layouts).sum())
        if number % 30 == 0:
            assert found.total == solve(table.at(position)).total_misses


@pytest.mark.slow
def test_the_complete_file_of_the_5x5_fleet(tmp_path: Path) -> None:
    strategy = build_strategy(Rules("5x5", "3,2,2,1,1,1"), tmp_path / "s", complete=True)
    assert (strategy.states, strategy.value) == (1_278_984, 6444)
    found = check(strategy)
    assert (found.valid, found.proven) == (True, True)
