"""Environments: Gymnasium's own checker, many games beside single ones, and what they hide."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections import Counter as Tally
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from seabattle import LayoutError, Position, Rules, SeabattleError, enumerate_layouts
from seabattle.enumerate.answers import possible_answers
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.gym import BattleshipEnv, BattleshipVectorEnv, planes

GAMES = [
    {"board": "5x5", "fleet": "3,2,2,1,1,1"},
    {"board": "5x5", "fleet": "3,2,1", "answers": "sunk"},
    {"board": "4x5", "fleet": "3,2,2", "contact": "sides", "answers": "sunk"},
    {"board": "4x5", "fleet": "3,2,2", "contact": "sides", "answers": "sunk", "announce": "none"},
    {"board": "4x4", "fleet": "2,2,1", "contact": "corners", "answers": "ship"},
    {"board": "4x5", "fleet": "2x2,xx/x.,1", "answers": "sunk"},
    {"board": "3x4", "fleet": "2,1", "answers": "sunk", "blocked": "A1,C3"},
]


@pytest.mark.parametrize("game", [*GAMES, {"fleet": "hasbro"}], ids=str)
def test_gymnasium_finds_nothing_to_say(game: dict[str, str]) -> None:
    """The checker raises at what is wrong, and warns of what is unusual."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check_env(gymnasium.make("Battleship-v0", **game).unwrapped)
    assert [str(warning.message) for warning in said] == []


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_many_games_are_played_as_single_ones(game: dict[str, str]) -> None:
    """Over several episodes, with shots that are none; the single ones are a referee's."""
    rng = np.random.default_rng(1)
    envs = gymnasium.make_vec("Battleship-v0", num_envs=9, **game)
    assert isinstance(envs, BattleshipVectorEnv)
    single = [BattleshipEnv(**game) for _ in range(9)]

    def begin(number: int) -> tuple[Any, Any]:
        return single[number].reset(options={"ships": envs.ships[number]})

    shown, info = envs.reset(seed=4)
    for number in range(9):
        assert np.array_equal(shown[number], begin(number)[0])
    over, episodes, cut = np.zeros(9, dtype=bool), 0, 0
    for step in range(150):
        actions = rng.integers(0, envs.rules.board.cells, 9)
        if step % 50 < 30:  # otherwise most shots are none, and games are truncated
            masks = envs.action_masks()
            assert np.array_equal(masks, info["action_mask"])
            actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        shown, rewards, terminated, truncated, info = envs.step(actions)
        for number in range(9):
            if over[number]:
                found = (*begin(number), 0.0, False, False)
            else:
                seen, reward, ended, late, told = single[number].step(actions[number])
                found = (seen, told, reward, ended, late)
            assert np.array_equal(shown[number], found[0])
            assert np.array_equal(info["action_mask"][number], found[1]["action_mask"])
            assert info["misses"][number] == found[1]["misses"]
            assert (rewards[number], terminated[number], truncated[number]) == found[2:]
        over = terminated | truncated
        episodes, cut = episodes + over.sum(), cut + truncated.sum()
    assert episodes - cut > 9
    assert cut > 0


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_planes_show_each_answer(game: dict[str, str]) -> None:
    env = BattleshipEnv(**game)
    env.reset(seed=3)
    rng = np.random.default_rng(2)
    while not env.referee.over:
        shown = env.step(rng.choice(np.flatnonzero(env.action_masks())))[0]
        position = env.referee.position
        assert np.array_equal(shown, planes(position))
        told, codes = dict(position.shots), possible_answers(env.rules)
        for cell in range(env.rules.board.cells):
            column = [told.get(cell) == code for code in codes]
            open_cell = cell not in told and cell not in env.rules.blocked
            assert shown.reshape(len(codes) + 1, -1)[:, cell].tolist() == [*column, open_cell]


def test_an_episode_returns_its_misses_with_a_minus() -> None:
    inner = gymnasium.make_vec("Battleship-v0", num_envs=50, board="4x4", fleet="3,2,1")
    envs = RecordEpisodeStatistics(inner)
    _, info = envs.reset(seed=8)
    rng, ended = np.random.default_rng(3), 0
    for _ in range(40):
        mask = info["action_mask"]
        actions = (mask * rng.random(mask.shape)).argmax(axis=1)
        _, _, over, truncated, info = envs.step(actions)
        assert not truncated.any()
        if over.any():
            assert np.array_equal(info["episode"]["r"][over], -info["misses"][over])
            ended += over.sum()
    assert ended > 50
    listed = DictInfoToList(gymnasium.make_vec("Battleship-v0", num_envs=3))
    assert [each["misses"] for each in listed.reset(seed=1)[1]] == [0, 0, 0]


def test_fleets_are_drawn_alike_by_seed_or_by_a_prior() -> None:
    rules = Rules("3x3", "2,1", answers="sunk")
    games = len(enumerate_layouts(rules)) * 100
    envs = BattleshipVectorEnv(games, board="3x3", fleet="2,1", answers="sunk")
    envs.reset(seed=6)
    first = envs.ships.copy()
    drawn = Tally(map(tuple, first.tolist()))
    assert len(drawn) == games // 100
    assert all(60 < times < 145 for times in drawn.values())  # 100 each, four deviations
    envs.reset()
    assert not np.array_equal(envs.ships, first)
    envs.reset(seed=6)
    assert np.array_equal(envs.ships, first)
    single = BattleshipEnv(board="3x3", fleet="2,1", answers="sunk")
    hidden = []
    for seed in (6, None, 6):
        single.reset(seed=seed)
        hidden.append(single.referee.ships)
    assert hidden[0] == hidden[2] == placement_table(rules).names(first[0])
    prior = ProductPrior.of_cells(Rules("1x4", "2"), [0, 0, 1, 1])
    believed = BattleshipVectorEnv(20, prior=prior, board="1x4", fleet="2")
    believed.reset(seed=1)
    assert len(np.unique(believed.ships)) == 1


def test_the_board_as_text() -> None:
    game = {"board": "3x3", "fleet": "2,1", "answers": "sunk"}
    env = gymnasium.make("Battleship-v0", render_mode="ansi", **game)
    env.reset(options={"ships": "A1:B1,A3"})
    for cell in (0, 1, 8):
        env.step(np.int64(cell))
    assert env.render() == "x#.\n...\n..o"
    assert BattleshipEnv(**game).render() is None


def test_what_is_none_is_refused() -> None:
    with pytest.raises(SeabattleError, match="num_envs 0: must be 1 or above"):
        BattleshipVectorEnv(0, board="1x3", fleet="1")
    env = BattleshipEnv(board="1x3", fleet="1,1")
    envs = BattleshipVectorEnv(2, board="1x3", fleet="1,1")
    env.reset(seed=1)
    envs.reset(seed=1)
    for action in (np.int64(3), 1.5):
        with pytest.raises(SeabattleError, match=f"action {action}: must be a whole number from 0"):
            env.step(action)  # type: ignore[arg-type]
    with pytest.raises(SeabattleError, match="give 2 cells from 0 to 2"):
        envs.step(np.array([0, 3]))
    with pytest.raises(LayoutError, match="are no 2 layouts"):
        envs.reset(options={"ships": [[0, 1], [0, 2]]})
    with pytest.raises(LayoutError, match="no layout"):
        env.reset(options={"ships": [0, 1]})
    env.reset(options={"ships": [0, 2]})
    env.step(np.int64(0))
    env.step(np.int64(2))
    with pytest.raises(SeabattleError, match="call reset"):
        env.step(np.int64(1))
    with pytest.raises(SeabattleError, match="fleet"):
        BattleshipEnv(fleet="9")


def test_planes_of_a_position_that_is_no_episode() -> None:
    rules = Rules("2x2", "2", answers="sunk", blocked="B2")
    shown = planes(Position.in_order(rules, "A1 hit, B1 miss"))
    assert shown.astype(int).tolist() == [
        [[0, 1], [0, 0]], [[1, 0], [0, 0]], [[0, 0], [0, 0]], [[0, 0], [1, 0]],
    ]  # fmt: skip


def test_it_is_imported_when_it_is_asked_for() -> None:
    told = "import sys, seabattle, seabattle.solver.referee; print('gymnasium' in sys.modules)"
    without = "import sys; sys.modules['gymnasium'] = None; import seabattle.gym"
    done = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        for code in (told, without)
    ]
    assert done[0].stdout == "False\n"
    assert done[1].stderr.splitlines()[-1] == (
        "ModuleNotFoundError: seabattle.gym needs gymnasium: pip install 'seabattle[gym]'"
    )
