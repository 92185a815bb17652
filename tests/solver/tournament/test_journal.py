"""A tournament that was killed goes on where it was, to the same result; other journals do not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.clusters import local_cluster

from seabattle.enumerate.errors import FileAccessError, PlayerError
from seabattle.enumerate.priors.files import save_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.solver.tournament import pieces
from seabattle.solver.tournament.journal import FORMAT, Journal, journal_line
from seabattle.solver.tournament.pieces import Piece, Pieces, gaps
from seabattle.solver.tournament.result import MOST_ROWS, TournamentResult
from seabattle.solver.tournament.tournament import tournament

Run = Callable[..., tuple[int, str, str]]
RULES = Rules("5x5", "3,2,1", answers="ship")
PLAYERS = ("random", "learning", "density")
GAMES = 60


@pytest.fixture(scope="module")
def whole() -> TournamentResult:
    """The tournament without interruption."""
    return tournament(RULES, PLAYERS, games=GAMES, seed=5)


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The first line of its journal."""
    file = tmp_path_factory.mktemp("head") / "journal.jsonl"
    tournament(RULES, PLAYERS, games=3, seed=5, journal=file)
    return file.read_text().split("\n")[0]


Parts = list[tuple[int, int, tuple[int, ...] | None]]
"""What was finished: games from the first to before the second, of these players or all."""


def write_journal(
    file: Path, head: str, whole: TournamentResult, parts: Sequence[Any], cut: int
) -> None:
    """The journal of a run that was killed: these games were finished, and a line was cut short."""
    assert whole.shots is not None
    file.write_text(f"{head}\n")
    terms = {key: v for key, v in json.loads(head).items() if key not in ("format", "version")}
    kept = Journal(file, terms, cells=25, wanted=GAMES, resume=True)
    for first, stop, *players in parts:
        whose = players[0] if players and players[0] is not None else None
        rows = whole.shots if whose is None else whole.shots[list(whose)]
        kept.add(Piece(first, rows[:, first:stop].astype(np.int32), whose))
    kept.close(keep=True)
    if cut:
        last = file.read_text().split("\n")[-2]
        file.write_text(file.read_text() + last[:cut])


def complete_games(file: Path) -> int:
    """Games in a journal that all players have played."""
    rows: Counter[int] = Counter()
    head, *lines = (json.loads(line) for line in file.read_text().splitlines())
    for line in lines:
        for row in line["shots"]:
            rows.update(range(line["game"], line["game"] + len(row)))
    return sum(number == len(head["players"]) for number in rows.values())


@st.composite
def finished(draw: st.DrawFn) -> Parts:
    """What may be finished when a run is killed, in whatever order."""
    ends = draw(st.lists(st.integers(0, GAMES), min_size=2, max_size=9, unique=True))
    ranges = list(zip(sorted(ends)[::2], sorted(ends)[1::2], strict=False))
    parts: Parts = [(first, stop, None) for first, stop in ranges]
    for game in draw(st.sets(st.integers(0, GAMES - 1), max_size=3)):
        if not any(first <= game < stop for first, stop in ranges):
            some = draw(st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True))
            parts += [(game, game + 1, (player,)) for player in some]
    return draw(st.permutations(parts))


def assert_resumed(head: str, whole: TournamentResult, parts: Parts, cut: int, **how: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "journal.jsonl")
        write_journal(file, head, whole, parts, cut)
        before = complete_games(file) if not cut else None
        first: list[int] = []
        result = tournament(
            RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True,
            progress=lambda played, wanted: first.append(played), **how,
        )  # fmt: skip
        assert before is None or first[0] == before
        assert np.array_equal(result.shots, whole.shots)
        assert np.array_equal(result.tally.together, whole.tally.together)
        assert [s.shots.mean for s in result.scores] == [s.shots.mean for s in whole.scores]
        assert complete_games(file) == GAMES
        again = tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True)
        assert np.array_equal(again.shots, whole.shots)


@settings(max_examples=40, deadline=None)
@given(parts=finished(), cut=st.sampled_from([0, 0, 1, 30]))
def test_resumed_is_as_if_not_interrupted(
    head: str, whole: TournamentResult, parts: Parts, cut: int
) -> None:
    """Killed after any games, in whatever order they were finished."""
    assert_resumed(head, whole, parts, cut)


@settings(max_examples=4, deadline=None)
@given(parts=finished(), cut=st.sampled_from([0, 0, 1, 30]))
def test_with_two_workers(head: str, whole: TournamentResult, parts: Parts, cut: int) -> None:
    assert_resumed(head, whole, parts, cut, workers=2, solo_seconds=0)


def test_on_a_dask_cluster(head: str, whole: TournamentResult) -> None:
    with local_cluster(1) as address:
        assert_resumed(head, whole, [(3, 17, None), (20, 21, (1,))], 0, cluster=address)


def test_a_journal_has_every_game_at_once(tmp_path: Path) -> None:
    """Whatever ends the program after a piece: its games are in the file."""
    file = tmp_path / "journal.jsonl"

    def killed(played: int, wanted: int) -> None:
        assert complete_games(file) == played
        if played >= 20:
            raise SystemError("killed")

    with pytest.raises(SystemError, match="killed"):
        tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, progress=killed)
    result = tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True)
    assert np.array_equal(result.shots, tournament(RULES, PLAYERS, games=GAMES, seed=5).shots)


@pytest.mark.parametrize("workers", [1, 2])
def test_slow_players_play_game_by_game(
    whole: TournamentResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """Where a layout takes all players long, what is finished is a game of one of them."""
    monkeypatch.setattr(pieces, "LONG_SECONDS", 0.0)
    file = tmp_path / "journal.jsonl"
    asked: list[int] = [0]

    def killed(played: int, wanted: int) -> None:
        asked[0] += 1
        assert complete_games(file) == played
        if asked[0] == 12:
            raise SystemError("killed")

    with pytest.raises(SystemError, match="killed"):
        tournament(
            RULES, PLAYERS, games=GAMES, seed=5, journal=file, progress=killed, workers=workers,
            solo_seconds=0,
        )  # fmt: skip
    lines = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert all(len(line["shots"]) == len(line["shots"][0]) == 1 for line in lines)
    assert len(lines) == 11  # the first call comes before the first game
    result = tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True)
    assert np.array_equal(result.shots, whole.shots)


@given(
    st.integers(1, 4), st.integers(1, 30), st.lists(st.floats(0, 40), min_size=1, max_size=200),
    st.integers(0, 200),
)  # fmt: skip
def test_pieces_cover_every_game_once_and_in_order(
    players: int, games: int, seconds: list[float], stop_after: int
) -> None:
    """Whatever they take, and whenever it is stopped, complete games are the first ones."""
    seen: list[tuple[int, int]] = []
    asked = iter(range(10**6))
    handed = Pieces(players, games, lambda: next(asked) >= stop_after)
    for number, (first, stop, whose) in enumerate(handed):
        some = tuple(range(players)) if whose is None else whose
        seen += [(game, player) for game in range(first, stop) for player in some]
        shots = np.zeros((len(some), stop - first), dtype=np.int32)
        handed.took(Piece(first, shots, whose, seconds[number % len(seconds)]))
    assert len(set(seen)) == len(seen)
    complete = [g for g in range(games) if sum(game == g for game, _ in seen) == players]
    assert complete == list(range(len(complete)))
    if stop_after >= games * players:
        assert len(complete) == games


def test_what_was_played_is_paired_whenever_it_is_stopped() -> None:
    """Every player has played the same layouts, the first ones, at any moment."""
    whole = tournament(RULES, PLAYERS, games=200, seed=5)
    assert whole.shots is not None
    for most in (1, 7, 60):
        played: list[int] = [0]
        result = tournament(
            RULES, PLAYERS, games=200, seed=5,
            stop=lambda most=most, played=played: played[-1] >= most,
            progress=lambda done, wanted, played=played: played.append(done),
        )  # fmt: skip
        assert result.shots is not None
        assert result.games >= most
        assert np.array_equal(result.shots, whole.shots[:, : result.games])
        assert [score.shots.games for score in result.scores] == [result.games] * 3


def test_gaps_are_filled_before_it_stops(
    head: str, whole: TournamentResult, tmp_path: Path
) -> None:
    """So that what was played is the first games, as ever."""
    file = tmp_path / "journal.jsonl"
    write_journal(file, head, whole, [(0, 3), (10, 20)], 0)
    result = tournament(
        RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True, stop=lambda: True
    )
    assert result.interrupted
    assert result.games == 20
    assert whole.shots is not None
    assert np.array_equal(result.shots, whole.shots[:, :20])
    assert gaps([(0, 3), (10, 20)], 60) == [(3, 10), (20, 60)]


def test_more_games_than_before(head: str, whole: TournamentResult, tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    tournament(RULES, PLAYERS, games=25, seed=5, journal=file)
    longer = tournament(RULES, PLAYERS, games=GAMES, seed=5, journal=file, resume=True)
    assert np.array_equal(longer.shots, whole.shots)
    with pytest.raises(PlayerError, match="holds 60 games already: ask for so many or more, not 9"):
        tournament(RULES, PLAYERS, games=9, seed=5, journal=file, resume=True)


def test_games_are_not_lost_by_starting_anew(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    tournament(RULES, PLAYERS, games=25, seed=5, journal=file)
    before = file.read_bytes()
    with pytest.raises(PlayerError, match=r"stopped: add --resume .* or remove the file"):
        tournament(RULES, PLAYERS, games=25, seed=6, journal=file)
    assert file.read_bytes() == before


def test_many_games_are_counted_only() -> None:
    few = tournament(Rules("3x3", "2,1"), ["random"], games=50)
    assert few.shots is not None
    assert few.shots.shape == (1, 50)
    stopped = tournament(
        Rules("3x3", "2,1"),
        ["random"],
        games=MOST_ROWS + 1,
        stop=iter([False, True, True]).__next__,
    )
    assert stopped.shots is None


PLAYER = """
def first(position):
    return len(position.shots){end}
"""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seed": 6}, "there, seed is 5, not 6"),
        ({"players": ("random", "density")},
         "there, players is random,learning,density, not random,density"),
        ({"game": Rules("5x5", "3,2,2", answers="ship")}, "there, fleet is 3,2,1, not 3,2,2"),
        ({"game": Rules("5x5", "3,2,1", "sides", "ship"), "seed": 7},
         "there, contact is none, not sides; seed is 5, not 7"),
        ({"layouts": "sequential"}, "there, layouts is uniform, not sequential"),
    ],
)  # fmt: skip
def test_what_must_agree_is_named(
    head: str, whole: TournamentResult, tmp_path: Path, options: dict[str, Any], told: str
) -> None:
    file = tmp_path / "journal.jsonl"
    write_journal(file, head, whole, [(0, 3)], 0)
    before = file.read_bytes()
    asked: dict[str, Any] = {"game": RULES, "players": PLAYERS, "seed": 5, **options}
    with pytest.raises(PlayerError, match="is of another tournament") as refused:
        tournament(**asked, games=GAMES, journal=file, resume=True)
    assert told in str(refused.value)
    assert file.read_bytes() == before


def test_what_options_name_must_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of layouts, a prior, or a player's code that was changed meanwhile."""
    monkeypatch.chdir(tmp_path)
    rules = Rules("3x3", "2,1")
    Path("mine.py").write_text(PLAYER.format(end=""))
    Path("mine.txt").write_text("A1:A2 C1\n")

    def weigh(weight: int) -> None:
        save_prior(ProductPrior.of_cells(rules, [weight, *[1] * 8]), "mine.json")

    weigh(2)

    def play(players: str, layouts: str = "uniform") -> None:
        tournament(rules, [players], games=5, layouts=layouts, journal="journal.jsonl", resume=True)

    for options, change, told in (
        (("mine.py:first",), lambda: Path("mine.py").write_text(PLAYER.format(end=" + 0")),
         "a player's code or prior has changed"),
        (("greedy-map@mine.json",), lambda: weigh(3), "a player's code or prior has changed"),
        (("random", "mine.txt"), lambda: Path("mine.txt").write_text("A1:A2 C3\n"),
         "the layouts have changed"),
    ):  # fmt: skip
        play(*options)
        play(*options)
        change()
        with pytest.raises(PlayerError, match=told):
            play(*options)
        Path("journal.jsonl").unlink()


def two_players(line: str, players: list[int]) -> list[str]:
    """A line with the games of single players, each rightly checked."""
    found = json.loads(line)
    if "shots" not in found:
        return ["{}"]
    made = []
    for player in players or [None]:
        whose = None if player is None else (player,)
        rows = np.array(found["shots"][:1], dtype=np.int32)[:, :1]
        text = journal_line(Piece(found["game"], rows, whose))
        made.append(text if players else text.replace('"shots"', '"players":[],"shots"'))
    return made


def damages(text: str) -> dict[str, str]:
    """Journals that are damaged or are none."""
    head, one, two, *_ = text.split("\n")
    return {
        "another file": "Dear diary\n",
        "another format": '{"format": "seabattle-tree", "version": 1}\n',
        "a number changed": "\n".join([head, one.replace("[[", "[[1", 1), two, ""]),
        "a line cut short": "\n".join([head, one[:40], two, ""]),
        "no object": "\n".join([head, "7", two, ""]),
        "a player is missing": "\n".join(
            [head, json.dumps({**json.loads(one), "shots": [[9]]}), ""]
        ),
        "text for numbers": "\n".join([head, one.replace("[[", '[["x",', 1), two, ""]),
        "a game twice": "\n".join([head, one, two, two, ""]),
        "a game before the first": "\n".join([head, one.replace('"game":0', '"game":-1'), ""]),
        "a player twice": "\n".join([head, one, *two_players(two, [0, 0]), ""]),
        "a player too many": "\n".join([head, one, *two_players(two, [3]), ""]),
        "no player": "\n".join([head, one, *two_players(two, []), ""]),
        "a player again": "\n".join([head, one, two, *two_players(two, [1]), ""]),
        "a huge number": "\n".join([head, one.replace("[[", f"[[{10**30},", 1), two, ""]),
        "no text": "\n".join([head, one, "\udcff", ""]),
    }


@pytest.mark.parametrize("damage", damages("{}\n{}\n{}\n"))
def test_damaged_and_foreign_journals(
    head: str, whole: TournamentResult, tmp_path: Path, run: Run, damage: str
) -> None:
    """One line that names the file, which stays as it is."""
    file = tmp_path / "tour" / "journal.jsonl"
    file.parent.mkdir()
    write_journal(file, head, whole, [(0, 3), (3, 9)], 0)
    text = damages(file.read_text())[damage]
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    status, out, err = run(
        "tournament", "--board", "5x5", "--fleet", "3,2,1", "--answers", "ship", "--players",
        ",".join(PLAYERS), "--games", str(GAMES), "--seed", "5", "--resume", "--workers", "1",
        "--out", str(file.parent),
    )  # fmt: skip
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert str(file) in err
    assert "remove it" in err
    assert file.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileAccessError, match="cannot write"):
        tournament(RULES, PLAYERS, games=3, journal=tmp_path / "file" / "journal.jsonl")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileAccessError, match="cannot read"):
        tournament(RULES, PLAYERS, games=3, journal=tmp_path / "folder")


def test_resume_needs_a_folder(run: Run) -> None:
    status, out, err = run("tournament", "--resume", "--games", "3")
    assert (status, out) == (2, "")
    assert err == "seabattle: --resume goes on in the folder of --out, which is not given\n"


def test_a_journal_of_no_games_is_not_left(tmp_path: Path) -> None:
    tournament(RULES, PLAYERS, games=3, journal=tmp_path / "journal.jsonl", stop=lambda: True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "journal.jsonl").write_text("")
    tournament(RULES, PLAYERS, games=3, journal=tmp_path / "journal.jsonl")
    assert json.loads((tmp_path / "journal.jsonl").read_text().split("\n")[0])["format"] == FORMAT


SLOW = """
import time

def slow(position, chance):
    if not position.shots:
        time.sleep(0.01)
    return next(c for c in chance.deck(25) if not position.shot_mask >> c & 1)
"""


@pytest.mark.slow  # four programs start, two of them with workers
def test_killed_and_resumed_the_files_are_the_same(tmp_path: Path) -> None:
    """A process that is killed in earnest, with its workers at play."""
    (tmp_path / "mine.py").write_text(SLOW)
    words = [sys.executable, "-m", "seabattle", "tournament", "--board", "5x5", "--fleet", "3,2,1",
             "--players", "mine.py:slow,random,bob", "--games", "300", "--seed", "3", "--workers",
             "2", "--formats", "svg", "--out", "tour"]  # fmt: skip
    journal = tmp_path / "tour" / "journal.jsonl"
    with subprocess.Popen(words, cwd=tmp_path, start_new_session=True) as process:
        while not journal.exists() or journal.read_text().count("\n") < 8:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    assert journal.exists()
    for end in ([], ["--resume"]):
        found = subprocess.run(
            [*words, *end], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        if not end:
            assert found.returncode == 2
            assert found.stderr.count("\n") == 1
            assert "add --resume" in found.stderr
    assert (found.returncode, found.stderr) == (0, "")
    assert not journal.exists()
    resumed_files = {file.name: file.read_bytes() for file in journal.parent.iterdir()}
    for file in journal.parent.iterdir():
        file.unlink()
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert {file.name: file.read_bytes() for file in journal.parent.iterdir()} == resumed_files
