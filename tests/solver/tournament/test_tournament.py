"""Tournaments: the same to the game whatever plays them, from Python and from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.clusters import local_cluster

from seabattle.cli.progress import Bar
from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver import tasks
from seabattle.solver.players import registry
from seabattle.solver.players.player import Player, unshot
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.players.random_streams import Chance
from seabattle.solver.players.registry import register
from seabattle.solver.tournament.result import TournamentResult
from seabattle.solver.tournament.tournament import tournament

Run = Callable[..., tuple[int, str, str]]
RULES = Rules("6x6", "4,3,2", "sides", "ship")
PLAYERS = ("random", "hunt-target", "density", "over-9000", "learning")


def same(one: TournamentResult, other: TournamentResult) -> bool:
    return np.array_equal(one.tally.counts, other.tally.counts) and np.array_equal(
        one.tally.together, other.tally.together
    )


def test_the_number_of_workers_changes_nothing() -> None:
    """1,700 games, so that the player who learns is in the middle of a block at the end."""
    alone = tournament(RULES, PLAYERS, games=1700, seed=5)
    shared = tournament(RULES, PLAYERS, games=1700, seed=5, workers=2, solo_seconds=0)
    assert same(alone, shared)
    assert alone.games == shared.games == 1700
    assert not same(alone, tournament(RULES, PLAYERS, games=1700, seed=6))


def test_a_dask_cluster_changes_nothing() -> None:
    alone = tournament(RULES, PLAYERS, games=300, seed=5)
    with local_cluster(1) as address:
        there = tournament(RULES, PLAYERS, games=300, seed=5, cluster=address)
    assert same(alone, there)


class Backwards(Player):
    """Shoots from the last cell to the first."""

    def choose(self, position: Position, chance: Chance) -> int:
        return unshot(position)[-1]


class Recalling(Player):
    """Shoots where it hit in earlier games of the block."""

    learns = True

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.begin_block()

    def begin_block(self) -> None:
        self.hits = [0] * self.rules.board.cells

    def finish(self, position: Position) -> None:
        for cell, code in position.shots:
            self.hits[cell] += code != 0

    def choose(self, position: Position, chance: Chance) -> str:
        cell = max(unshot(position), key=lambda cell: (self.hits[cell], cell))
        return self.rules.board.name(cell)


def dealt(position: Position, chance: Chance) -> int:
    """Shoots in random order."""
    return next(cell for cell in chance.deck(36) if not position.shot_mask >> cell & 1)


OWN_FILE = """
from seabattle import Player

class FromFile(Player):
    def choose(self, position, chance):
        return min(set(range(36)) - {cell for cell, _ in position.shots})

class Bad(Player):
    def choose(self, position, chance):
        return 7 if len(position.shots) < 2 else None
"""


@pytest.fixture(params=["one process", "two processes", "Dask"], scope="module")
def shared_by(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """Options that have a tournament played by other processes."""
    if request.param == "one process":
        yield {}
    elif request.param == "two processes":
        yield {"workers": 2, "solo_seconds": 0}
    else:
        with local_cluster(2, processes=True) as address:
            yield {"cluster": address}


def test_own_players_survive_other_processes(
    shared_by: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class, one made in a function, functions, a file, a registered spec: the same games."""
    monkeypatch.setattr(registry, "_PLAYERS", dict(registry._PLAYERS))
    (tmp_path / "mine.py").write_text(OWN_FILE)
    monkeypatch.chdir(tmp_path)
    start = 3

    class Within(Player):
        def choose(self, position: Position, chance: Chance) -> int:
            left = unshot(position)
            return left[start % len(left)]

    monkeypatch.setitem(sys.modules, "only_here", SimpleNamespace(There=Within))  # type: ignore[misc]
    register(PlayerSpec("there", "is not in a file", AnswerMode.HIT, "only_here:There"))
    given = [Backwards, Recalling, Within, dealt, lambda position: unshot(position)[0],
             "mine.py:FromFile", "there", "density", "learning"]  # fmt: skip
    plain = tournament(RULES, given, games=40, seed=5)
    there = tournament(RULES, given, games=40, seed=5, **shared_by)
    assert there.players == (
        "Backwards", "Recalling", "Within", "dealt", "lambda", "FromFile", "there", "density",
        "learning",
    )  # fmt: skip
    assert same(plain, there)


def test_bad_players_are_named_wherever_they_play(
    shared_by: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(OWN_FILE)
    monkeypatch.chdir(tmp_path)

    def twice(position: Position) -> int:
        return 7

    def raising(position: Position) -> int:
        raise ZeroDivisionError("of mine")

    class Unmakeable(Backwards):
        def __init__(self, rules: Rules) -> None:
            raise OSError("no room")

    named = [
        (twice, r'player .twice. shot B2 a second time after --shots "B2 (miss|hit=\d#1)"'),
        (raising, "player 'raising' failed at the first shot: ZeroDivisionError: of mine"),
        (lambda position: None, "player 'lambda' returned None at the first shot: return a cell"),
        (lambda position: 0.5, "player 'lambda' returned 0.5 at the first shot"),
        (lambda position: "Z9", "player 'lambda' returned 'Z9' at the first shot"),
        ("mine.py:Bad", "player 'Bad' shot B2 a second time"),
        (Unmakeable, "player 'Unmakeable' cannot be made for .*: OSError: no room"),
    ]
    # elsewhere one of each kind: by where it shoots, by what it returns, before it plays
    for player, told in named[::3] if shared_by else named:
        with pytest.raises(PlayerError, match=told):
            tournament(RULES, ["random", player], games=20, **shared_by)


def test_players_meet_the_same_layouts() -> None:
    """A player against itself under another name would tie; here, pairs beat single intervals."""
    result = tournament(RULES, ["random", "density"], games=400)
    paired = result.duels[0].more_shots
    assert paired.mean == result.scores[0].shots.mean - result.scores[1].shots.mean
    assert [score.player for score in result.scores] == ["random", "density"]


def test_a_stopped_tournament_is_the_beginning_of_the_whole() -> None:
    played = 0

    def progress(games: int, wanted: int) -> None:
        nonlocal played
        played = games

    stopped = tournament(
        RULES, PLAYERS, games=10**6, seed=5, stop=lambda: played > 200, progress=progress
    )
    assert stopped.interrupted
    assert 200 < stopped.games == played < 10**6
    assert same(stopped, tournament(RULES, PLAYERS, games=stopped.games, seed=5))


def test_from_a_position_only_later_shots_count() -> None:
    rules = Rules("5x5", "3,2,1", answers="sunk")
    start = Position.of_cells(rules, miss=["A1"], sunk=["C3:C4"])
    result = tournament(start, ["density", "random"], layouts="all")
    assert result.to_hit == 4
    assert result.complete
    assert result.scores[0].shots.minimum >= 4
    assert result.scores[0].shots.maximum <= 22
    assert result.scores[0].shots.exact
    assert not result.scores[1].shots.exact


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"players": ["density", "densty"]},
            "'densty' is unknown .did you mean density",
        ),
        ({"players": ["bob", "bob"]}, "'bob' is named twice"),
        ({"players": []}, "at least one player"),
        ({"games": 0}, "games 0: play at least 1"),
        ({"games": -3}, "games -3"),
        ({"workers": 0}, "workers 0"),
        ({"games": 7, "layouts": "all"}, "play so many, or a multiple"),
        ({"players": [str]}, "class str is no player: derive it from seabattle.Player"),
        ({"players": ["mine.py"]}, "name the class or function in the file, as in mine.py:Center"),
        ({"layouts": ""}, "layouts '': name uniform"),
        ({"layouts": "worst-for"}, "name a player, as in 'worst-for density'"),
        (
            {"strategy": "some"},
            "strategy some: none of the players random reads a strategy file; those that do: exact",
        ),
    ],
)
def test_bad_requests(options: dict[str, Any], told: str) -> None:
    rules = Rules("3x3", "3,1,1", answers="sunk")
    with pytest.raises(PlayerError, match=told):
        tournament(rules, **{"players": ["random"], **options})


def test_a_player_that_declares_it_reads_the_strategy_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its name; players that do not are prepared as ever."""
    given: list[object] = []

    class Reader(Player):
        name = "reader"
        needs = AnswerMode.HIT

        def __init__(self, rules: Rules, prepared: object) -> None:
            super().__init__(rules)
            given.append(prepared)

        def choose(self, position: Position, chance: Chance) -> int:
            return unshot(position)[0]

    monkeypatch.setattr(registry, "_PLAYERS", dict(registry._PLAYERS))
    monkeypatch.setitem(sys.modules, "reading", SimpleNamespace(Reader=Reader))  # type: ignore[misc]
    register(
        PlayerSpec("reader", "reads", AnswerMode.HIT, "reading:Reader", chance=False,
             prepare=lambda rules, position, stop: "worked out",
             read_strategy=lambda path, position: f"{path} from {position.shots}")
    )  # fmt: skip
    rules = Rules("3x3", "3,1,1")
    plain = tournament(rules, ["reader", "random"], layouts="all")
    assert given == ["worked out"]
    shown = tournament(rules, ["reader", "random"], layouts="all", strategy="a file")
    assert given == ["worked out", "a file from ()"]
    assert same(plain, shown)


# The command line


def test_sequential_layouts_are_told_from_uniform_ones(run: Run, tmp_path: Path) -> None:
    game = ("layouts", "--board", "3x4", "--fleet", "3,1,1", "--games", "20000")
    status, out, err = run(*game, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["layouts"] == len(enumerate_layouts(Rules("3x4", "3,1,1")))
    assert sum(map(sum, found["occupancy"])) == 5 * found["layouts"]
    assert sum(map(sum, found["sequential_occupancy"])) == 5 * 20000
    most = max(abs(share) for row in found["more_or_fewer"] for share in row)
    assert most > 10 * found["largest_standard_error"]
    status, out, _ = run(*game, "--out", str(tmp_path / "made"))
    assert status == 0
    assert "4 files written" in out
    assert "placed ship after ship than by uniform ones" in out
    assert (tmp_path / "made" / "occupancy.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(tmp_path / "made" / "occupancy.svg").getroot() is not None


def test_layouts_takes_no_shots(run: Run) -> None:
    status, told, _ = run("layouts", "--help")
    assert status == 0
    for option in ("--miss", "--hit", "--sunk", "--named", "--shots", "--position", "--announce"):
        assert option not in told


GAME = ("tournament", "--board", "5x5", "--fleet", "3,2,1", "--answers", "sunk", "--workers", "1")


def test_json_has_every_key(run: Run) -> None:
    status, out, err = run(*GAME, "--players", "random,density", "--games", "50", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["answers"] == "sunk"
    assert (found["games"], found["games_wanted"], found["status"]) == (50, 50, "complete")
    for player in found["players"]:
        shots, misses = player["shots"], player["misses"]
        assert shots["mean"] == pytest.approx(misses["mean"] + 6)
        assert shots["interval"][0] < shots["mean"] < shots["interval"][1]
        assert shots["minimum"] <= shots["median"] <= shots["maximum"]
        assert list(shots["quantiles"]) == ["0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"]
        assert sum(player["distribution"].values()) == 50
        assert player["perfect_share"] == player["perfect_games"] / 50
        low, high = player["perfect_interval"]
        assert 0 <= low <= player["perfect_share"] <= high < 1
    (pair,) = found["pairs"]
    assert pair["fewer"] + pair["as_many"] + pair["more"] == 50
    assert pair["mean_more_shots"] > 5


def test_own_players_on_the_command_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file, a module in the current folder, and a name; a second process changes nothing."""
    (tmp_path / "mine.py").write_text(OWN_FILE)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "lasting.py").write_text("def last(p):\n    return 35 - len(p.shots)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(tournament.__kwdefaults__, "solo_seconds", 0.0)  # type: ignore[misc]
    results = []
    for workers in ("1", "2"):
        status, out, err = run(
            "tournament", "--board", "6x6", "--fleet", "4,3,2", "--games", "30", "--json",
            "--players", "greedy-map,mine.py:FromFile,own.lasting:last", "--workers", workers,
        )  # fmt: skip
        assert (status, err) == (0, "")
        results.append({key: v for key, v in json.loads(out).items() if key != "seconds"})
    assert results[0] == results[1]
    names = [player["player"] for player in results[0]["players"]]
    assert names == ["greedy-map", "FromFile", "last"]
    for name in ("own", "own.lasting"):
        monkeypatch.delitem(sys.modules, name)


def test_files_are_reproducible(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = [*GAME, "--players", "random,density,bob", "--games", "60", "--seed", "4", "--out"]
    status, out, err = run(*arguments, "one")
    assert (status, err) == (0, "")
    assert "12 files written to one" in out
    run(*arguments[:-1], "--out", "two")
    names = sorted(path.name for path in Path("one").iterdir())
    assert names == [
        "cumulative.png", "cumulative.svg", "differences.png", "differences.svg",
        "distribution.csv", "games.csv", "histogram.png", "histogram.svg", "pairs.csv",
        "table.csv", "table.json", "table.txt",
    ]  # fmt: skip
    for name in names:
        one, two = Path("one", name).read_bytes(), Path("two", name).read_bytes()
        assert one.replace(b"--out one", b"--out two") == two, name
    table = json.loads(Path("one", "table.json").read_text())
    assert table["made_by"]["seed"] == 4
    assert table["made_by"]["command"].startswith("seabattle tournament --board 5x5")
    assert table["made_by"]["version"]
    assert Path("one", "histogram.png").read_bytes().startswith(b"\x89PNG")


def test_table_of_all_layouts(run: Run) -> None:
    status, out, _ = run(*GAME, "--layouts", "all", "--players", "density,diagonal")
    assert status == 0
    assert out.splitlines()[:3] == [
        "game     5x5, fleet 3,2,1, contact none, answers sunk", "layouts  all", "games    3,944",
    ]  # fmt: skip
    density = next(line for line in out.splitlines() if line.startswith("density"))
    assert "±" not in density  # exact: every layout, no chance
    diagonal = next(line for line in out.splitlines() if line.startswith("diagonal "))
    assert "±" in diagonal


def test_players_by_default_and_their_list(run: Run) -> None:
    status, out, _ = run(*GAME, "--answers", "hit", "--games", "5", "--json")
    assert status == 0
    played = [player["player"] for player in json.loads(out)["players"]]
    assert {"random", "bob"} <= set(played)
    assert "density" not in played
    status, out, _ = run("players", "--board", "5x5", "--fleet", "3,2,1", "--answers", "hit")
    assert status == 0
    assert "not here: it must be told when a ship is sunk, and answers are 'hit'" in out
    status, out, _ = run("players", "--json")
    assert {row["player"] for row in json.loads(out)["players"]} > {"random", "learning"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--players", "randm"), "player 'randm' is unknown (did you mean random?); the players"),
        (("--players", "nowhere.py:Mine"), "player file nowhere.py: No such file or directory"),
        (("--players", "json:Mine"), "player 'json:Mine': json has no Mine"),
        (("--players", "json:JSONDecoder"), "class JSONDecoder is no player: derive it from"),
        (("--players", "no.where:Mine"), "player 'no.where:Mine': there is no module no"),
        (("--players", "operator:index"), "player 'index' failed at the first shot: TypeError"),
        (("--players", "learning"), "must be told which ship is hit, and answers are 'sunk'"),
        (("--games", "0"), "games 0: play at least 1"),
        (("--games", "-5"), "games -5: play at least 1"),
        (("--workers", "0"), "--workers 0"),
        (("--layouts", "nowhere"), "layouts 'nowhere': neither uniform"),
        (("--layouts", "worst-for bob", "--players", "nobody"), "'nobody' is unknown"),
        (("--layouts", "worst-for diagonal"), "plays by chance"),
        (("--fleet", "9,2"), "longer than the board"),
        (("--board", "17x17"), "up to 256 cells"),
        (("--scheduler", "tcp://127.0.0.1:9", "--games", "5"), "no Dask scheduler answers at"),
        (("--miss", "Z9"), "off the board"),
        (("--players", "density,bob", "--strategy", "sunk5"), "none of the players density, bob"),
        (("--strategy", ""), "'' names no file or folder"),
        (("--layouts", "worst-for"), "name a player, as in 'worst-for density'"),
        (("--layouts", ""), "layouts '': name uniform"),
        (("--out", ""), "'' names no file or folder"),
        (("--baseline", "random"), "--baseline is of a plot of --out, which is not given"),
        (
            ("--players", "random,density", "--baseline", "bob", "--out", "nowhere"),
            "--baseline bob: is none of the players random, density",
        ),
    ],
)
def test_bad_input(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    if "--scheduler" in arguments:
        pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
        monkeypatch.setattr(tasks, "ANSWER_SECONDS", 0.2)
    status, out, err = run(*GAME, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("seabattle: ")
    assert told in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("layouts", "--games", "0"), "0: must be 1 or more"),
        (("layouts", "--seed", "-1"), "-1: must be 0 or more"),
        (("layouts", "--miss", "A1"), "No such option"),
        (("layouts", "--board", "3x3", "--fleet", "3,3,3"), "there is no layout"),
        (("layouts", "--board", "17x17"), "at most 16 is supported"),
        (("layouts", "--contact", "odd"), "the contact rules are none, corners, sides"),
        (("players", "--answers", "maybe"), "the answer modes are hit, sunk, ship"),
        (("players", "--position", ""), "--position '': name a position file"),
        (("players", "--position", "nowhere"), "cannot read nowhere"),
        (("players", "--fleet", "9"), "longer than the board"),
        (("players", "--shots", "A1 hit, A1 miss"), "A1 is given twice"),
        (("tournament", "--players", "exact", "--board", "10x10"), "out of reach on 100 cells"),
        (("tournament", "--players", "nobody"), "player 'nobody' is unknown"),
        (("tournament", "--players", "exact", "--strategy", "."), "is no strategy file"),
        (("compare", "--board", "3x3", "--fleet", "3,3,3"), "there is no layout"),
    ],
)
def test_bad_input_leaves_nothing_behind(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    out_option = () if arguments[0] == "players" else ("--out", str(tmp_path / "new" / "deep"))
    status, out, err = run(*arguments, *out_option)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert told in err
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_the_placing_of_layouts(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def press(bar: Bar, text: str) -> None:
        if text.startswith("placed 10,000"):
            bar._interrupt(signal.SIGINT, None)

    monkeypatch.setattr(Bar, "say", press)
    arguments = ("layouts", "--games", str(10**12), "--out", str(tmp_path / "new"))
    status, out, err = run(*arguments)
    assert (status, out, err.strip()) == (130, "", "seabattle: stopped by Ctrl-C")
    assert list(tmp_path.iterdir()) == []


def test_bad_layouts_name_the_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("A1:A3 C1:C2 E1\nA1:A3 B1:B2 E1\n")
    status, _, err = run(*GAME, "--layouts", str(file))
    assert status == 2
    assert "mine.txt, line 2: layout A1:A3 B1:B2 E1: A1:A3 and B1:B2 touch" in err


def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, _, err = run(*GAME, "--out", str(tmp_path / "file" / "under"))
    assert status == 2
    assert "cannot write the output folder" in err


def deaf_to_ctrl_c() -> dict[int, tuple[int, bool]]:
    """Every process: the one that started it, and whether it ignores Ctrl-C or keeps it back."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in path.read_text().splitlines())
        except OSError:  # it has ended
            continue
        signals = int(fields["SigIgn"], 16) | int(fields["SigBlk"], 16)
        found[int(fields["Pid"])] = int(fields["PPid"]), bool(signals >> (signal.SIGINT - 1) & 1)
    return found


def workers_started(process: int, fewest: int) -> bool:
    """Whether a process has so many children, who leave Ctrl-C to it."""
    children = [deaf for parent, deaf in deaf_to_ctrl_c().values() if parent == process]
    return len(children) >= fewest and all(children)


@pytest.mark.slow  # waits for workers to start
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("fewest", [1, 3], ids=["workers begin", "workers play"])
def test_ctrl_c_keeps_what_was_played(tmp_path: Path, fewest: int) -> None:
    """The signal reaches the workers too, as at a terminal; they leave it to the first process."""
    command = [sys.executable, "-m", "seabattle", "tournament", "--board", "8x8", "--fleet",
               "4,3,3,2", "--answers", "sunk", "--players", "random,density", "--games",
               "1000000000", "--layouts", "sequential", "--json", "--workers", "2", "--out",
               "kept"]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"}, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            while not workers_started(process.pid, fewest):  # joblib's tracker is one more
                assert process.poll() is None
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130, err
    found = json.loads(out)
    assert found["status"] == "stopped"
    assert 0 < found["games"] < found["games_wanted"] == 10**9
    assert f"stopped by Ctrl-C after {found['games']:,} of 1,000,000,000 games" in err
    assert "; the same command with --resume goes on" in err
    lines = (tmp_path / "kept" / "journal.jsonl").read_text().splitlines()
    rows = [row for line in lines[1:] for row in json.loads(line)["shots"]]
    assert sum(map(len, rows)) // 2 == found["games"]
    assert json.loads((tmp_path / "kept" / "table.json").read_text())["games"] == found["games"]
