"""Players: what the sources say they do, and the compiled games beside the step-by-step ones."""

from __future__ import annotations

import numpy as np
import pytest
from twins import naive_players

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import FleetError, PlayerError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players import density, independent_ships
from seabattle.solver.players.chance import Chance, draw
from seabattle.solver.players.density import HUNTED
from seabattle.solver.players.player import BLOCK, Player
from seabattle.solver.players.registry import make_player, players
from seabattle.solver.tournament.layout_sources import Sequential

COMPILED = ("random", "hunt-target", "hunt-target-parity", "density", "odds", "diagonal",
            "over-9000", "learning", "bob")  # fmt: skip

GAMES = [
    Rules("5x5", "3,2,2,1,1,1", answers="ship"),
    Rules("6x6", "4,3,3,2", "sides", "sunk"),
    Rules("6x5", "3,3,2,2", "sides", "sunk", "none"),
    Rules("5x5", "3,2,2", "sides", "hit"),
    Rules("9x11", "russian", answers="ship"),
]


def step_by_step(name: str, rules: Rules) -> Player:
    """A player whose games are played shot by shot."""
    made = players()[name]
    choose = {"name": name, "choose": lambda player, *known: made.choose(player, *known)}
    player: Player = type("StepByStep", (made,), choose)(rules)
    return player


def games_of(rules: Rules) -> int:
    return 3 if rules.board.cells > 50 else 12


@pytest.mark.parametrize("rules", GAMES, ids=repr)
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_games_are_the_step_by_step_games(rules: Rules, name: str) -> None:
    if players()[name].why_not(Position(rules)):
        with pytest.raises(PlayerError, match="cannot play"):
            make_player(name, rules)
        return
    number = games_of(rules)
    layouts = Sequential(Position(rules), seed=5).take(0, number)
    shape = (number, rules.board.cells)
    fast, slow = np.full(shape, -1, dtype=np.int16), np.full(shape, -1, dtype=np.int16)
    shots = make_player(name, rules).play_all(layouts, seed=7, first_game=990, record=fast)
    player = step_by_step(name, rules)
    assert np.array_equal(shots, player.play_all(layouts, seed=7, first_game=990, record=slow))
    assert np.array_equal(fast, slow)
    assert all(len(set(row[:n])) == n for row, n in zip(fast.tolist(), shots, strict=True))
    if not players()[name].learns:  # a game depends on seed and number only
        again = make_player(name, rules).play_all(layouts[2:], seed=7, first_game=992)
        assert np.array_equal(again, shots[2:])
    if players()[name].uses_chance:
        other = make_player(name, rules).play_all(layouts, seed=8, first_game=990)
        assert not np.array_equal(other, shots) or number < 5


@pytest.mark.parametrize("name", COMPILED)
def test_games_from_a_position(name: str) -> None:
    """The shots before count as knowledge, not as shots."""
    rules = Rules("5x5", "3,2,1", answers="ship")
    start = Position.read(rules, [("C3", "hit:3#1"), ("A1", "miss"), ("C4", "hit:3#1")])
    layouts = enumerate_layouts(rules)
    fits = np.ascontiguousarray(layouts.ships[fitting(start, layouts) == 1])[::7]
    fast = np.full((len(fits), 25), -1, dtype=np.int16)
    slow = fast.copy()
    shots = make_player(name, rules).play_all(fits, start=start, record=fast)
    player = step_by_step(name, rules)
    assert np.array_equal(shots, player.play_all(fits, start=start, record=slow))
    assert np.array_equal(fast, slow)
    assert fast[:, :3].tolist() == [[12, 0, 17]] * len(fits)
    assert len(fits) > 5
    assert shots.min() >= 4


def told(position: Position) -> list[tuple[int, str]]:
    return [(cell, answer_text(code)) for cell, code in position.shots]


def worth_to(
    player: Player, position: Position, chance: Chance, hits: list[int]
) -> dict[int, float]:
    """What each cell is worth to a player by its twin; ``hits`` are those of earlier games."""
    rules, history = player.rules, told(position)
    rows, columns, contact = rules.board.rows, rules.board.columns, rules.contact.value
    lengths, cells = list(rules.fleet.lengths), rules.board.cells
    if player.name.startswith("hunt-target"):
        order = list(chance.deck(cells))
        if player.name == "hunt-target-parity":
            order.sort(key=lambda cell: sum(divmod(cell, columns)) % 2)
        return {naive_players.hunt_target(rows, columns, history, order): 1.0}
    if player.name in ("density", "odds"):

        def weight(hits: int) -> int:
            return 1 + density.HEAVY * hits if player.name == "density" else density.FACTOR**hits

        return {naive_players.heaviest(rows, columns, lengths, contact, history, weight): 1.0}
    if player.name == "diagonal":
        deck = chance.deck(cells)
        return {naive_players.diagonal(rows, columns, lengths, contact, history, HUNTED, deck): 1.0}
    if player.name == "bob":
        return naive_players.unnamed(rows, columns, lengths, contact, history)
    growth = independent_ships.GROWTH if player.name == "learning" else 0.0
    found = naive_players.independent(rows, columns, rules.fleet.lengths, history, contact)
    for cell in found:
        side = len(rules.board.neighbours(cell)) < 4
        found[cell] *= (independent_ships.SIDE_WEIGHT if side else 1.0) + growth * hits.count(cell)
        found[cell] += independent_ships.NOISE * chance.fraction(len(history) * cells + cell)
    return found


@pytest.mark.parametrize(
    ("contact", "announce", "fleet"),
    [
        ("none", "length", "3,3,2,1"),
        ("corners", "length", "3,3,2,1"),
        ("sides", "length", "4,3,3,2"),
        ("sides", "none", "3,3,2,2,1"),
    ],
)
@pytest.mark.parametrize("name", COMPILED[1:])
def test_every_shot_is_one_of_its_twin(name: str, contact: str, announce: str, fleet: str) -> None:
    """Whole games with favoured sides, random numbers, doubtful sinkings and what was learnt."""
    needs = players()[name].needs
    assert needs is not None
    rules = Rules("5x6", fleet, contact, needs.value, announce)
    player = make_player(name, rules)
    hits: list[int] = []
    for number, ships in enumerate(Sequential(Position(rules), seed=2).take(0, 5).tolist()):
        chance = Chance.of(seed=3, player=name, game=number)
        whole = player.play(ships, chance, Position(rules)).shots
        for n, (cell, _) in enumerate(whole):
            worth = worth_to(player, Position(rules, whole[:n]), chance, hits)
            assert worth[cell] == pytest.approx(max(worth.values()), abs=1e-12)
        hits += [cell for cell, code in whole if code]


def test_random_orders_are_fair() -> None:
    """Every cell comes first about equally often."""
    firsts = np.bincount([Chance(draw(1, i)).deck(9)[0] for i in range(9000)], minlength=9)
    assert ((firsts - 1000) ** 2 / 1000).sum() < 26.1  # chi square, 8 degrees, 0.1 %


# What the sources show


def test_the_walkthrough_of_hunting() -> None:
    """Turns 3 to 12: the first hit's neighbours N, S, E, W come before those of the hit to N."""
    rules = Rules("10x10", "hasbro", answers="hit")
    player = make_player("hunt-target", rules)
    position = Position.read(rules, [("A1", "miss"), ("J1", "miss"), ("E5", "hit")])
    seen = []
    for answer in ("hit", "hit", "miss", "miss", "hit", "miss", "miss", "miss", "hit"):
        cell = rules.board.name(player.shoot(position))
        seen.append(cell)
        position = Position.read(
            rules, [(rules.board.name(c), answer_text(a)) for c, a in position.shots]
            + [(cell, answer)],
        )  # fmt: skip
    assert seen == ["E4", "E6", "F5", "D5", "E3", "F4", "D4", "E7", "F6"]


def test_the_walkthrough_of_density() -> None:
    """Seven shots: a miss, two hits side by side, misses right, below and above, a hit left."""
    rules = Rules("10x10", "hasbro", answers="sunk")
    player = make_player("density", rules)
    position = Position(rules)
    seen = []
    for answer in ("miss", "hit", "hit", "miss", "miss", "miss", "sunk:3"):
        cell = player.shoot(position)
        seen.append(rules.board.name(cell))
        position = Position.read(
            rules,
            [(rules.board.name(c), answer_text(a)) for c, a in position.shots]
            + [(seen[-1], answer)],
        )
    assert seen == ["E5", "F6", "G6", "H6", "F7", "G5", "E6"]
    board = rules.board  # the sunk ship attracts no more shots
    beside = board.side_masks[board.cell("E6")] | board.side_masks[board.cell("G6")]
    assert not beside >> player.shoot(position) & 1


def test_odds_need_a_third_of_a_shot_less_than_density() -> None:
    """Hasbro's fleet, the same 4,000 layouts: 0.35 shots; 0.08 is the standard error."""
    rules = Rules("10x10", "hasbro", "sides", "sunk")
    layouts = Counter(rules).sample(4000, seed=1)
    density, odds = (make_player(name, rules).play_all(layouts) for name in ("density", "odds"))
    assert 0.1 < (density - odds).mean() < 0.6


def test_the_seven_placements_of_over_9000() -> None:
    """The example grid: ship 3 has 7 placements, 1 over the corner, 3 over the right middle."""
    rules = Rules("5x5", "5,3,3,3,2", "sides", "ship")
    grid = ["xxx0x", "4440x", "xx0xx", "x5xxx", "xxx0x"]
    misses = [f"{'ABCDE'[c]}{r + 1}" for r in range(5) for c in range(5) if grid[r][c] == "0"]
    shots = [(cell, "miss") for cell in misses]
    shots += [(cell, "hit:3#1") for cell in ("A2", "B2", "C2")] + [("B4", "hit:5#1")]
    player = make_player("over-9000", rules)
    assert isinstance(player, independent_ships.Over9000)
    scores, _ = player.after(Position.read(rules, shots), Chance(0))
    unhit = scores[player.tables.lengths.tolist().index(3)]
    assert unhit.sum() == 3 * 7
    assert unhit[rules.board.cell("E3")] == 3
    assert unhit[rules.board.cell("A1")] == 1


def test_learning_beats_a_habit() -> None:
    """Against five layouts over and over it gets better; in the next block it begins anew."""
    rules = Rules("8x8", "4,3,3,2", "sides", "ship")
    few = Sequential(Position(rules), seed=1).take(0, 5)
    layouts = np.concatenate([few] * (2 * BLOCK // 5))
    learnt = make_player("learning", rules).play_all(layouts)
    plain = make_player("over-9000", rules).play_all(layouts)
    assert learnt[200:BLOCK].mean() < plain[200:BLOCK].mean() - 3
    assert learnt[BLOCK : BLOCK + 20].mean() > learnt[BLOCK - 20 : BLOCK].mean() + 2


def test_diagonals_cannot_be_avoided() -> None:
    """While all shots miss, 24 cells of every fourth diagonal of 10x10 find the ship of four."""
    rules = Rules("10x10", "russian", answers="sunk")
    player = make_player("diagonal", rules)
    position = Position(rules)
    cells = []
    for _ in range(24):
        cells.append(player.shoot(position, Chance(4)))
        position = Position(rules, (*position.shots, (cells[-1], 0)))
        if len(cells) == 23:
            assert _room_for(rules, position, 4)
    assert len({sum(divmod(cell, 10)) % 4 for cell in cells}) == 1
    assert not _room_for(rules, position, 4)


def _room_for(rules: Rules, position: Position, length: int) -> bool:
    from seabattle.enumerate.placements import placements_of

    return any(not ship.mask & position.shot_mask for ship in placements_of(rules, length))


def test_a_doubtful_sinking_concludes_nothing_false() -> None:
    """B1 C1 A2 A3 hit, then A1 sinks a 3: it may lie A1:C1 or A1:A3, A1 alone is certain."""
    rules = Rules("6x6", "3,3,3", "sides", "sunk")
    hits = ["B1", "C1", "A2", "A3"]
    shots = [(cell, "hit") for cell in hits] + [("A1", "sunk:3")]
    player = make_player("density", rules)
    assert isinstance(player, density.Density)

    def scores_after(*more: tuple[str, str]) -> list[int]:
        scores, _ = player.after(Position.read(rules, [*shots, *more]), Chance(0))
        found: list[int] = scores[0].tolist()
        return found

    scores = scores_after()
    assert scores[rules.board.cell("D1")] > 0  # B1:D1 may be another ship
    assert scores[rules.board.cell("A4")] > 0
    sure = scores_after(("B2", "miss"), ("D1", "sunk:3"))
    # B1:D1 is that ship, so A1:A3 was the other: nothing runs on from them.
    assert sure[rules.board.cell("E1")] == 1  # E1:E3
    assert sure[rules.board.cell("A4")] == 2  # A4:C4 and A4:A6


# Knowledge


@pytest.mark.parametrize("name", ["random", "hunt-target", "bob", "density", "odds", "diagonal"])
def test_a_player_sees_no_more_than_it_needs(name: str) -> None:
    """The same games whatever the answers reveal beyond its needs."""
    needs = players()[name].needs or AnswerMode.HIT
    rules = Rules("6x6", "3,3,2", "sides")
    layouts = Sequential(Position(rules), seed=3).take(0, 10)
    results = [
        make_player(name, rules.answering(mode)).play_all(layouts, seed=1).tolist()
        for mode in ("hit", "sunk", "ship")[("hit", "sunk", "ship").index(needs.value) :]
    ]
    assert all(result == results[0] for result in results)
    for mode in ("hit", "sunk", "ship")[: ("hit", "sunk", "ship").index(needs.value)]:
        assert "must be told" in players()[name].why_not(Position(rules.answering(mode)))


def test_every_player_of_the_list_plays() -> None:
    rules = Rules("3x3", "2,1", answers="ship")
    start = Position(rules)
    for name, made in players().items():
        assert (made.name, bool(made.summary)) == (name, True)
        if not made.why_not(start):
            player = make_player(name, rules)
            assert player.needs == (made.needs or rules.answers)
            assert 0 <= player.shoot(start) < 9
            assert name in repr(player)


def test_a_fleet_that_fits_nowhere_is_named() -> None:
    with pytest.raises(FleetError, match="fleet 2 does not fit"):
        make_player("density", Rules("1x3", "2", answers="sunk", blocked="B1"))
