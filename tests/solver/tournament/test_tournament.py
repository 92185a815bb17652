"""Tournaments: the same to the game whatever plays them, and resumed as if not interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.clusters import local_cluster

from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import save_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.chance import Chance
from seabattle.solver.players.player import Player, unshot
from seabattle.solver.players.registry import players
from seabattle.solver.tournament.standings import Standings
from seabattle.solver.tournament.tournament import tournament

RULES = Rules("5x5", "3,2,1", "sides", "ship")
PLAYERS = ("random", "hunt-target", "density", "over-9000", "learning")
GAMES = 60


def same(one: Standings, other: Standings) -> bool:
    return np.array_equal(one.shots, other.shots)  # type: ignore[arg-type]


def test_the_number_of_workers_changes_nothing() -> None:
    """1,100 games, so that the player who learns is in the middle of a block at the end."""
    alone = tournament(RULES, PLAYERS, games=1100, seed=5)
    shared = tournament(RULES, PLAYERS, games=1100, seed=5, workers=2, alone=0)
    assert same(alone, shared)
    assert alone.games == shared.games == 1100
    assert not same(alone, tournament(RULES, PLAYERS, games=1100, seed=6))


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
    return next(cell for cell in chance.deck(25) if not position.shot_mask >> cell & 1)


OWN_FILE = """
from seabattle import Player

class FromFile(Player):
    def choose(self, position, chance):
        return min(set(range(25)) - {cell for cell, _ in position.shots})

class Bad(Player):
    def choose(self, position, chance):
        return 6 if len(position.shots) < 2 else None
"""


@pytest.fixture(params=["two processes", "Dask"], scope="module")
def shared_by(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """Options that have a tournament played by other processes."""
    if request.param == "two processes":
        yield {"workers": 2, "alone": 0}
    else:
        with local_cluster(1, processes=True) as address:
            yield {"scheduler": address}


def test_other_processes_change_nothing(
    shared_by: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players of the program, a class, one made in a function, functions, one of a file."""
    (tmp_path / "mine.py").write_text(OWN_FILE)
    monkeypatch.chdir(tmp_path)
    start = 3

    class Within(Player):
        def choose(self, position: Position, chance: Chance) -> int:
            left = unshot(position)
            return left[start % len(left)]

    given = [Backwards, Recalling, Within, dealt, lambda position: unshot(position)[0],
             "mine.py:FromFile", "density", "learning"]  # fmt: skip
    plain = tournament(RULES, given, games=40, seed=5)
    assert plain.players == (
        "Backwards", "Recalling", "Within", "dealt", "lambda", "FromFile", "density", "learning",
    )  # fmt: skip
    assert same(plain, tournament(RULES, given, games=40, seed=5, **shared_by))
    for player, told in (
        (lambda position: None, "player 'lambda' returned None at the first shot: return a cell"),
        ("mine.py:Bad", "player 'Bad' shot B2 a second time"),
    ):
        with pytest.raises(PlayerError, match=told):
            tournament(RULES, ["random", player], games=20, **shared_by)


def test_a_stopped_tournament_is_the_beginning_of_the_whole() -> None:
    played = 0

    def progress(games: int, wanted: int) -> None:
        nonlocal played
        played = games

    stopped = tournament(
        RULES, PLAYERS, games=10**6, seed=5, stop=lambda: played > 200, progress=progress
    )
    assert stopped.interrupted
    assert 200 < played < 10**6
    assert stopped.games * len(PLAYERS) <= played
    assert same(stopped, tournament(RULES, PLAYERS, games=stopped.games, seed=5))
    with pytest.raises(KeyboardInterrupt):
        tournament(RULES, PLAYERS, games=3, stop=lambda: True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"players": ["density", "densty"]}, "'densty' is unknown .did you mean density"),
        ({"players": ["bob", "bob"]}, "called 'bob': name a player once"),
        ({"games": 7, "layouts": "all"}, "play that many, or a multiple"),
    ],
)
def test_bad_requests(options: dict[str, Any], told: str) -> None:
    rules = Rules("3x3", "3,1,1", answers="sunk")
    with pytest.raises(PlayerError, match=told):
        tournament(rules, **{"players": ["random"], **options})


@pytest.mark.parametrize("layouts", ["uniform", "sequential"])
def test_large_boards_take_every_player_that_needs_no_map(layouts: str) -> None:
    """Boards that cannot be counted: layouts are drawn, and who needs a map is refused by name."""
    rules = Rules("30x30", "5,4,3,2", answers="ship")
    quick = [name for name, made in players().items() if made.quick]
    assert {"random", "hunt-target", "hunt-target-parity", "density"} < set(quick)
    found = tournament(rules, quick, games=2, layouts=layouts)
    assert all(14 <= score.shots.minimum <= score.shots.maximum <= 900 for score in found.scores)
    for name in ("greedy-map", "map-endgame", "lookahead", "exact", "equilibrium"):
        with pytest.raises(PlayerError, match=f"player '{name}' cannot play 30x30"):
            tournament(rules, ["random", name], games=2, layouts=layouts)


# The journal


@pytest.fixture(scope="module")
def whole() -> Standings:
    """The tournament without interruption."""
    return tournament(RULES, PLAYERS, games=GAMES, seed=5)


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The first line of its journal."""
    file = tmp_path_factory.mktemp("head") / "journal.jsonl"
    tournament(RULES, PLAYERS, games=3, seed=5, journal=file)
    return file.read_text().split("\n")[0]


Parts = list[tuple[int, int, int]]
"""What was finished: a player, and its games from the first to before the second."""


def journal_text(head: str, whole: Standings, parts: Sequence[tuple[int, int, int]]) -> str:
    """The journal of a run in which these games were finished, as the tournament writes it."""
    lines = [head]
    assert whole.shots is not None
    for player, first, stop in parts:
        shots = whole.shots[player, first:stop]
        block = {"player": player, "game": first, "shots": shots.tolist()}
        lines.append(json.dumps(block, separators=(",", ":")))
    return "\n".join([*lines, ""])


def complete_games(file: Path) -> int:
    """How many of the first games all players have played, by a journal."""
    head, *lines = (json.loads(line) for line in file.read_text().splitlines())
    played = {
        (line["player"], line["game"] + n) for line in lines for n in range(len(line["shots"]))
    }
    players = range(len(head["players"].split(", ")))
    return next(g for g in range(GAMES + 1) if any((p, g) not in played for p in players))


def games_played(file: Path) -> int:
    """How many games a journal has, those of all players together."""
    _, *lines = (json.loads(line) for line in file.read_text().splitlines())
    return len(
        {(row["player"], row["game"] + n) for row in lines for n in range(len(row["shots"]))}
    )


@st.composite
def finished(draw: st.DrawFn) -> Parts:
    """What may be finished when a run is killed, in whatever order."""
    parts: Parts = []
    for player in range(len(PLAYERS)):
        ends = sorted(draw(st.lists(st.integers(0, GAMES), max_size=6, unique=True)))
        parts += [(player, *ends[n : n + 2]) for n in range(0, len(ends) - 1, 2)]  # type: ignore[misc]
    return draw(st.permutations(parts))


@settings(max_examples=25, deadline=None)
@given(parts=finished(), cut=st.sampled_from([0, 0, 1, 30]))
def test_resumed_is_as_if_not_interrupted(
    head: str, whole: Standings, parts: Parts, cut: int
) -> None:
    """Killed after any games, in whatever order they were finished, while a line was written."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "journal.jsonl")
        text = journal_text(head, whole, parts)
        file.write_text(text)
        before = games_played(file)
        file.write_text(text + text.split("\n")[-2][:cut])
        told: list[int] = []
        found = tournament(
            RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True,
            progress=lambda played, wanted: told.append(played),
        )  # fmt: skip
        assert told[0] == before
        assert same(found, whole)
        assert complete_games(file) == GAMES
        assert same(tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True),
                    whole)  # fmt: skip


def test_a_journal_has_every_game_at_once(whole: Standings, tmp_path: Path) -> None:
    """Whatever ends the program after a block: its games are in the file."""
    file = tmp_path / "journal.jsonl"

    def killed(played: int, wanted: int) -> None:
        assert not played or games_played(file) == played
        if played >= 100:
            raise SystemError("killed")

    with pytest.raises(SystemError, match="killed"):
        tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, progress=killed)
    assert same(tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True), whole)
    with pytest.raises(PlayerError, match="60 games already: ask for that many or more, not 30"):
        tournament(RULES, PLAYERS, games=30, seed=5, journal=file, resume=True)
    with pytest.raises(PlayerError, match="add --resume"):
        tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file)


def test_a_journal_of_other_games_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other options, and what was changed beside it: a player's code, a prior, a file."""
    monkeypatch.chdir(tmp_path)
    rules = Rules("3x3", "2,1")
    Path("mine.txt").write_text("A1:A2 C1\n")

    def code(text: str) -> None:
        Path("mine.py").write_text(f"def first(p):\n    return len(p.shots){text}\n")

    def weigh(weight: int) -> None:
        save_prior(ProductPrior.of_cells(rules, [weight, *[1] * 8]), "mine.json")

    def play(player: str, layouts: str = "uniform", seed: int = 0) -> None:
        tournament(
            rules, [player], games=5, layouts=layouts, seed=seed, journal="journal", resume=True
        )

    code("")
    weigh(2)
    for options, change, again, told in (
        (("random",), lambda: None, ("random", "uniform", 1), "with other seed"),
        (("random",), lambda: None, ("bob",), "with other players"),
        (("mine.py:first",), lambda: code(" + 0"), ("mine.py:first",), "players' code and priors"),
        (("greedy-map@mine.json",), lambda: weigh(3), ("greedy-map@mine.json",), "code and priors"),
        (("random", "mine.txt"), lambda: Path("mine.txt").write_text("A1:A2 C3\n"),
         ("random", "mine.txt"), "layouts as drawn"),
    ):  # fmt: skip
        play(*options)
        play(*options)
        change()
        with pytest.raises(PlayerError, match=told):
            play(*again)
        Path("journal").unlink()


DAMAGES: dict[str, Callable[[str, str, str], str]] = {
    "another file": lambda head, one, two: "Dear diary\n",
    "no number": lambda head, one, two: f"{head}\n{one.replace('[', '[x', 1)}\n{two}\n",
    "no shots": lambda head, one, two: f"{head}\n{one.split('[')[0]}[]}}\n",
    "a player too many": lambda head, one, two: head + "\n" + one.replace('player":0', 'player":9')
    + "\n",
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_and_foreign_journals(
    head: str, whole: Standings, tmp_path: Path, damage: str
) -> None:
    """One line that names the file, which stays as it is."""
    file = tmp_path / "journal.jsonl"
    lines = journal_text(head, whole, [(0, 3, 9), (1, 0, 4)]).split("\n")
    text = DAMAGES[damage](*lines[:3]).encode()
    file.write_bytes(text)
    with pytest.raises(PlayerError, match=rf"{file}.*remove it[^\n]*\Z"):
        tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True)
    assert file.read_bytes() == text


@pytest.mark.parametrize(
    ("block", "says"),
    [
        ('{"player": 0, "game": 0, "shots": [92]}', "shots of a game: 92: must be a whole number"),
        ('{"player": 0, "game": 0, "shots": [32767]}', "shots of a game: 32767"),
        ('{"player": 0, "game": 0, "shots": [7, 2]}', "shots of a game: 2: .* from 3 to 9"),
        ('{"player": 0, "game": 0, "shots": [4.9]}', "shots of a game: 4.9"),
        ('{"player": 0, "game": 0, "shots": [true]}', "shots of a game: True"),
        ('{"player": 0, "game": 0, "shots": "nine"}', "'shots' must be an array"),
        ('{"player": -1, "game": 0, "shots": [5]}', "player -1: must be"),
        ('{"player": 0, "game": -2, "shots": [5]}', "game -2: must be"),
        ('{"player": 0, "game": 0, "shot": [5]}', "'shot' is unknown; did you mean 'shots'"),
        ("[0, 0, 5]", "it must be an object"),
        ('{"player": 0', "is not JSON, or was cut short"),
    ],
)
def test_a_number_that_no_game_has_is_refused_by_its_line(
    tmp_path: Path, block: str, says: str
) -> None:
    rules, file = Rules("3x3", "2,1"), tmp_path / "journal.jsonl"
    tournament(rules, ["random"], games=5, journal=file)
    text = file.read_text() + block + "\n"
    file.write_text(text)
    number = text.count("\n")
    with pytest.raises(PlayerError, match=rf"{file}, line {number}: [^\n]*{says}[^\n]*\Z"):
        tournament(rules, ["random"], games=5, journal=file, resume=True)


def test_lines_that_say_other_shots_of_a_game_are_refused(tmp_path: Path) -> None:
    rules, file = Rules("3x3", "2,1"), tmp_path / "journal.jsonl"
    played = tournament(rules, ["random"], games=1, journal=file).shots
    assert played is not None
    other = 3 if played[0, 0] > 3 else 4
    with file.open("a") as stream:
        stream.write(f'{{"player": 0, "game": 0, "shots": [{other}]}}\n')
    with pytest.raises(PlayerError, match="line 3: an earlier line says other shots"):
        tournament(rules, ["random"], games=1, journal=file, resume=True)


# The command


SLOW = """
import time

def slow(position, chance):
    if not position.shots:
        time.sleep(0.01)
    return next(c for c in chance.deck(25) if not position.shot_mask >> c & 1)
"""


@pytest.mark.slow  # five programs start, three of them with workers
def test_stopped_or_killed_and_resumed_the_files_are_the_same(tmp_path: Path) -> None:
    """A process that is stopped by Ctrl-C, then killed in earnest, with its workers at play."""
    (tmp_path / "mine.py").write_text(SLOW)
    (tmp_path / "numpy.py").write_text("raise SystemExit('a file of the current folder')")
    words = [sys.executable, "-P", "-m", "seabattle", "tournament", "--board", "5x5", "--fleet",
             "3,2,1", "--players", "mine.py:slow,random,bob", "--games", "600", "--seed", "3",
             "--workers", "2", "--formats", "svg", "--out", "tour"]  # fmt: skip
    journal = tmp_path / "tour" / "journal.jsonl"
    for how, lines in ((signal.SIGINT, 8), (signal.SIGKILL, 16)):
        end = ["--resume"] if how is signal.SIGKILL else []
        with subprocess.Popen(
            [*words, *end],
            cwd=tmp_path,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            while not journal.exists() or journal.read_text().count("\n") < lines:
                assert process.poll() is None
                time.sleep(0.01)
            os.killpg(process.pid, how)  # to the workers, too, as a terminal does
            out, err = process.communicate(timeout=120)
        assert process.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL), err
        if how is signal.SIGINT:
            assert re.search(r"stopped by Ctrl-C after \d+ of 600 games", out)
            assert out.rstrip().splitlines()[-1].startswith("to go on: ")
            assert out.rstrip().splitlines()[-1].endswith(" --resume")
    for end in ([], ["--resume"]):
        found = subprocess.run(
            [*words, *end], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        if not end:
            assert (found.returncode, found.stderr.count("\n")) == (2, 1)
            assert "add --resume" in found.stderr
    assert (found.returncode, found.stderr) == (0, "")
    assert not journal.exists()
    resumed_files = {file.name: file.read_bytes() for file in journal.parent.iterdir()}
    for file in journal.parent.iterdir():
        file.unlink()
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert {file.name: file.read_bytes() for file in journal.parent.iterdir()} == resumed_files


def test_a_stop_that_is_asked_once_ends_it_where_nothing_is_played() -> None:
    said = iter([True])
    with pytest.raises(KeyboardInterrupt):
        tournament(Rules("4x4", "2,1"), ["random"], games=5, stop=lambda: next(said, False))
