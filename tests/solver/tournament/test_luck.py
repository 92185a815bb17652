"""Luck has mean zero whatever is guessed, and what is left of the misses varies less."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.examples import examples

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.errors import PlayerError, SeabattleError
from seabattle.enumerate.layouts import answers_to, enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.registry import make_player
from seabattle.solver.tournament import luck
from seabattle.solver.tournament.files import load_tournament, save_tournament
from seabattle.solver.tournament.layout_sources import layout_source
from seabattle.solver.tournament.luck import Luck, misses_to_come
from seabattle.solver.tournament.standings import Standings
from seabattle.solver.tournament.statistics import Estimate, with_interval
from seabattle.solver.tournament.tournament import tournament

GAMES = [
    Rules("3x4", "3,2", "none", "hit"),
    Rules("3x4", "2,2,1", "corners", "sunk"),
    Rules("3x3", "3,2", "sides", "sunk"),
    Rules("3x3", "2,2", "sides", "sunk", "none"),
    Rules("3x3", "2,2", "sides", "ship"),
]


def all_games(
    rules: Rules, player: str, start: Position | None = None
) -> tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.int64]]:
    """Every layout once: the layouts, the cells shot in each game, and its misses."""
    start = start or Position(rules)
    layouts = enumerate_layouts(rules).ships
    for place, (_, answer) in enumerate(start.shots, start=1):
        shots = [cell for cell, _ in start.shots[:place]]
        layouts = layouts[answers_to(rules, layouts, shots) == answer]
    record = np.empty((len(layouts), rules.board.cells), dtype=np.int16)
    shots_taken = make_player(player, rules).play_all(layouts, start=start, record=record)
    to_hit = rules.fleet.cells - start.hit_mask.bit_count()
    return layouts, record, shots_taken.astype(np.int64) - to_hit


def by_definition(
    rules: Rules, layouts: NDArray[np.uint16], record: NDArray[np.int16]
) -> list[float]:
    """The luck of every game, from the answers of all layouts to every shot."""
    found = []
    for row, cells in enumerate(record.tolist()):
        left, to_hit, luck_of_game = layouts, rules.fleet.cells, 0.0
        own = layouts[row : row + 1]
        shots = [cell for cell in cells if cell >= 0]
        for place in range(1, len(shots) + 1):
            given = answers_to(rules, left, shots[:place])
            (mine,) = answers_to(rules, own, shots[:place])

            def worth(answer: int, given: NDArray[np.int64] = given, to_hit: int = to_hit) -> float:
                number = int((given == answer).sum())
                return (answer == MISS) + misses_to_come(number, to_hit - (answer != MISS))

            luck_of_game += worth(mine) - np.mean([worth(answer) for answer in given.tolist()])
            left, to_hit = left[given == mine], to_hit - (mine != MISS)
        found.append(luck_of_game)
    return found


@pytest.mark.parametrize("rules", GAMES, ids=str)
@pytest.mark.parametrize("player", ["greedy-map", "random"])
def test_luck_is_what_it_is_by_definition(rules: Rules, player: str) -> None:
    layouts, record, _ = all_games(rules, player)
    assert Luck(Position(rules)).of(layouts, record) == pytest.approx(
        by_definition(rules, layouts, record), abs=1e-9
    )


@examples(20)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_it_has_mean_zero_whatever_is_guessed(rules: Rules, seed: int) -> None:
    """Over all layouts the mean of what is left of the misses is the mean of the misses."""
    layouts, record, _ = all_games(rules, "greedy-map")

    def anything(number: int, cells: int) -> float:
        return float(np.random.default_rng([seed, number, cells]).normal(0, 9))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(luck, "misses_to_come", anything)
        found = Luck(Position(rules)).of(layouts, record)
    assert np.ptp(found) > 0
    assert float(found.mean()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_counter_and_the_list_say_the_same(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    layouts, record, _ = all_games(rules, "greedy-map")
    listed = Luck(Position(rules)).of(layouts, record)
    monkeypatch.setattr(luck, "few_layouts", lambda rules: None)
    for most in (0, 5):
        monkeypatch.setattr(luck, "LISTED", most)
        assert Luck(Position(rules)).of(layouts, record) == pytest.approx(listed, abs=1e-9)


def test_from_a_position_on() -> None:
    rules = Rules("4x4", "3,2", answers="sunk")
    start = Position.read(rules, [("B2", "hit"), ("D4", "miss")])
    layouts, record, _ = all_games(rules, "greedy-map", start)
    found = Luck(start).of(layouts, record)
    assert np.ptp(found) > 0
    assert float(found.mean()) == pytest.approx(0, abs=1e-9)


def test_fewer_games_are_needed() -> None:
    """Means, and differences on the same layouts, have less than half the variance."""
    rules = Rules("5x5", "3,2,2", "sides", "sunk")
    ships = enumerate_layouts(rules).ships[::97]
    plain, left = {}, {}
    for player in ("greedy-map", "density", "hunt-target-parity"):
        record = np.empty((len(ships), 25), dtype=np.int16)
        plain[player] = make_player(player, rules).play_all(ships, record=record) - 7.0
        left[player] = plain[player] - Luck(Position(rules)).of(ships, record)
        assert np.var(left[player]) < np.var(plain[player]) / 2
    for first, second in combinations(plain, 2):
        difference = plain[first] - plain[second]
        assert np.var(left[first] - left[second]) < np.var(difference) / 2


# In tournaments

RULES = Rules("4x4", "3,2", "sides", "ship")
PLAYERS = ("greedy-map", "density", "learning")
SEED = 3
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def whole() -> Standings:
    """A tournament that nothing interrupts."""
    return tournament(RULES, PLAYERS, games=40, seed=SEED, luck=True)


def same(one: Standings, other: Standings) -> bool:
    """To the last bit."""
    assert one.luck is not None
    assert other.luck is not None
    figures = [json.dumps({**each.document(), "seconds": 0}) for each in (one, other)]
    return np.array_equal(one.luck, other.luck) and figures[0] == figures[1]


def test_a_tournament_tells_the_luck_of_its_games(whole: Standings) -> None:
    layouts = layout_source("uniform", Position(RULES), SEED).take(0, 40)
    assert whole.luck is not None
    assert whole.shots is not None
    for row, player in enumerate(PLAYERS):
        record = np.empty((40, 16), dtype=np.int16)
        shots = make_player(player, RULES).play_all(layouts, seed=SEED, record=record)
        assert np.array_equal(whole.shots[row], shots)
        assert np.array_equal(whole.luck[row], Luck(Position(RULES)).of(layouts, record))
    for row, score in enumerate(whole.scores):
        estimate = Estimate.of(whole.shots[row], whole.luck[[row]])
        assert score.shots.less_luck == estimate
        assert score.misses.less_luck == estimate.moved(-5)
    more = whole.shots[1] - whole.shots[2]
    assert whole.duel("density", "learning").less_luck == Estimate.of(more, whole.luck[1:])
    plain = tournament(RULES, PLAYERS, games=40, seed=SEED)
    assert np.array_equal(plain.shots, whole.shots)  # type: ignore[arg-type]
    assert plain.luck is None
    assert "less" not in plain.text() + json.dumps(plain.document())


@pytest.mark.parametrize("blocks", ["one at a time", "two workers"])
def test_neither_blocks_nor_workers_change_it(
    whole: Standings, blocks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"workers": 2, "alone": 0}
    if blocks == "one at a time":
        monkeypatch.setattr("seabattle.solver.tournament.tournament.BLOCK_SECONDS", 0.0)
        options = {}
    assert same(tournament(RULES, PLAYERS, games=40, seed=SEED, luck=True, **options), whole)


def test_a_journal_keeps_it(whole: Standings, tmp_path: Path) -> None:
    """Killed after some blocks; and luck that is damaged, or of a tournament that counts none."""
    file = tmp_path / "journal.jsonl"

    def killed(played: int, wanted: int) -> None:
        if played >= 30:
            raise SystemError("killed")

    options: dict[str, Any] = {"games": 40, "seed": SEED, "journal": file}
    with pytest.raises(SystemError, match="killed"):
        tournament(RULES, PLAYERS, luck=True, progress=killed, **options)
    begun = file.read_text()
    with pytest.raises(PlayerError, match="with other luck"):
        tournament(RULES, PLAYERS, resume=True, **options)
    lucks = json.loads(begun.splitlines()[1])["luck"]
    for wrong, told in (
        ("[]", "must have"),
        ('"1.0"', "an array of numbers with a point"),
        ("[true]", "an array of numbers with a point"),
        ("[1e999]", "an array of numbers with a point"),
    ):
        file.write_text(begun.replace(json.dumps(lucks), wrong, 1))
        with pytest.raises(PlayerError, match=rf"line 2: [^\n]*{told}[^\n]*\Z"):
            tournament(RULES, PLAYERS, luck=True, resume=True, **options)
    file.write_text(begun)
    assert same(tournament(RULES, PLAYERS, luck=True, resume=True, **options), whole)
    assert same(tournament(RULES, PLAYERS, luck=True, resume=True, **options), whole)


def test_files_keep_it(whole: Standings, tmp_path: Path) -> None:
    save_tournament(whole, tmp_path, formats=["svg"])
    assert same(load_tournament(tmp_path), whole)
    for name in ("histogram", "cumulative"):
        drawn = (tmp_path / f"{name}.svg").read_text()
        for score in whole.scores:
            assert score.shots.less_luck is not None
            assert with_interval(score.shots.less_luck, 2) in drawn
    saved = whole.duel("greedy-map", "learning").less_luck
    assert saved is not None
    assert (
        f"{'+' if saved.mean > 0 else MINUS}{abs(saved.mean):.2f} ±"
        in (tmp_path / "differences.svg").read_text()
    )
    games = tmp_path / "games.csv"
    text = games.read_text()
    last = text.rstrip().rpartition(",")[2]
    for wrong in ("nan", "9.5", "x", ""):
        games.write_text(text.replace(last, wrong))
        with pytest.raises(PlayerError, match=r"games\.csv[^\n]*\Z"):
            load_tournament(tmp_path)
    games.unlink()
    table = load_tournament(tmp_path)
    assert table.luck is None
    assert table.text() == whole.text()


@pytest.mark.parametrize("wrong", [None, True, 1, "1.0", [], {}, [1.0], [2.0, "3"], {"mean": 1.0}])
@pytest.mark.parametrize("field", ["less_luck", "mean", "interval", "deviation"])
def test_a_damaged_table_is_refused_in_one_line(
    whole: Standings, tmp_path: Path, field: str, wrong: Any
) -> None:
    """Wherever a mean less luck is told."""
    table, text = tmp_path / "table.json", json.dumps({"made_by": {}, **whole.document()})
    table.write_text(text)
    assert load_tournament(tmp_path).less_luck
    for place in (("players", 1, "shots"), ("players", 0, "misses"), ("pairs", 2)):
        document = holder = json.loads(text)
        for step in (*place, *(["less_luck"] if field != "less_luck" else [])):
            holder = holder[step]
        holder[field] = wrong
        table.write_text(json.dumps(document))
        with pytest.raises(PlayerError, match=r"table\.json[^\n]*damaged[^\n]*\Z"):
            load_tournament(tmp_path)


@pytest.mark.parametrize("player", ["greedy-map", "density", "random"])
def test_over_all_layouts_the_mean_is_the_plain_one(player: str) -> None:
    """To rounding; and from a position on."""
    for start in (Position(RULES), Position.read(RULES, [("B2", "hit:3#1"), ("D4", "miss")])):
        (score,) = tournament(start, [player], layouts="all", luck=True).scores
        left = score.shots.less_luck
        assert left is not None
        assert left.exact == (player != "random")
        if left.exact:
            assert left.mean == pytest.approx(float(score.shots.mean), abs=1e-12)
            assert left.interval == (left.mean, left.mean)
            assert left.deviation < score.shots.deviation


def test_the_interval_covers_the_mean() -> None:
    """Of 1000 tournaments of 30 games some 950 do, each with an interval half as wide or less."""
    rules = Rules("4x4", "3,2", answers="sunk")
    layouts, record, misses = all_games(rules, "density")
    luck = Luck(Position(rules)).of(layouts, record)
    generator = np.random.default_rng(1)
    covered, narrower = 0, 0.0
    for _ in range(1000):
        drawn = generator.integers(len(misses), size=30)
        low, high = Estimate.of(misses[drawn], luck[None, drawn]).interval
        covered += low <= misses.mean() <= high
        plain = Estimate.of(misses[drawn].astype(float)).interval
        narrower += (high - low) / (plain[1] - plain[0]) / 1000
    assert 925 <= covered <= 975
    assert narrower < 0.6


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"layouts": "sequential"}, "equally likely, and layouts 'sequential' are not"),
        ({"layouts": "people", "game": Rules("10x10", "hasbro", "sides")}, "'people' are not"),
        ({"layouts": "worst-for density"}, "'worst-for density' are not"),
        ({"layouts": "all", "players": ["learning"]}, "'all': the player 'learning' learns which"),
        ({"game": Rules("30x30", "3,2"), "players": ["random"]}, "luck of 30x30.* cannot be count"),
    ],
)
def test_what_cannot_be_counted_is_refused_before_a_game(
    options: dict[str, Any], told: str
) -> None:
    asked = {"game": RULES, "players": ["random"], **options}
    with pytest.raises(SeabattleError, match=rf"\A[^\n]*{told}[^\n]*\Z"):
        tournament(**asked, luck=True, progress=lambda played, wanted: pytest.fail("it began"))
