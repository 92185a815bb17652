"""Laws of the referee: players, tournaments and trees are answered as it answers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from laws.games import Game, law, rules_drawn

from seabattle import (
    Position,
    Referee,
    enumerate_layouts,
    greedy_tree,
    make_player,
    players,
    replay,
    tournament,
)
from seabattle.solver.players.chance import Chance
from seabattle.solver.tournament.layout_sources import Drawn

PLAYED = [name for name, made in players().items() if made.quick and not made.learns]
PLAYED += ["greedy-map", "lookahead"]
GAMES = 3


@law(12)
@given(rules_drawn())
def test_players_and_tournaments_play_what_a_referee_answers(game: Game) -> None:
    """Asked shot by shot at its position, a player plays the game that it plays by itself."""
    rules = game.rules
    able = [name for name in PLAYED if not players()[name].why_not(Position(rules))]
    ships = Drawn(Position(rules), 1).take(0, GAMES)
    shots = tournament(rules, able, games=GAMES, seed=1).shots
    for name, counted in zip(able, shots, strict=True):
        player = make_player(name, rules)
        record = np.full((GAMES, rules.board.cells), -1, dtype=np.int16)
        assert player.play_all(ships, seed=1, record=record).tolist() == counted.tolist()
        for number in range(GAMES):
            referee = Referee(rules, ships[number])
            chance = Chance.of(seed=1, player=name, game=number)
            while not referee.over:
                referee.shoot(player.shoot(referee.position, chance))
            cells = [cell for cell, _ in referee.position.shots]
            assert cells == record[number][record[number] >= 0].tolist()


@law(40)
@given(rules_drawn())
def test_a_replay_is_answered_as_a_referee_answers(game: Game) -> None:
    rules = game.rules
    tree = greedy_tree(rules)
    for row in enumerate_layouts(rules).ships[::7]:
        referee = Referee(rules, row)
        for cell, answer in replay(tree, referee.ships):
            assert referee.shoot(cell) == answer
        assert referee.over
