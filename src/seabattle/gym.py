"""Environments for programs that learn, as Gymnasium has them: ``pip install seabattle[gym]``.

Importing this module registers ``Battleship-v0``, one game, and with ``gymnasium.make_vec`` any
number of games that are stepped together.

**Actions** are cells by number, in reading order.

**Observations** are planes of the board, float32 ``(answers + 1, rows, columns)``, of 0 and 1. One
plane for each answer that the rules know, in the order of ``possible_answers``, has the cells that
were answered so, and the last one those that may be shot. So with answers ``hit`` the planes are
*miss*, *hit* and *open*; with ``sunk`` there is one more for the shots that sank a ship, or one for
each length where the length is told; with ``ship`` there is one for each ship.

**Rewards** are -1 for a miss and 0 for a hit: what an episode returns is its misses, the measure of
this package, with a minus. The cells of the fleet are shot in every game, so shots are misses and
those. An action that is no shot, as the cell was shot before or is blocked, costs as a miss and
changes nothing.

**Episodes** end when the fleet is sunk. One that has taken as many steps as the board has cells
that can be shot, and is not won, is truncated: only one with actions that are no shots is.

``info`` has ``action_mask``, int8 ``(cells,)``, 1 where a cell may be shot, and ``misses``, those
so far. The method ``action_masks`` returns the mask as bool, under the name that algorithms which
mask actions ask for.

>>> import gymnasium
>>> env = gymnasium.make("Battleship-v0", board="4x4", fleet="3,2,1", answers="sunk")
>>> observation, info = env.reset(seed=5)
>>> observation.shape, int(info["action_mask"].sum())
((4, 4, 4), 16)
>>> total = 0
>>> for cell in range(16):
...     observation, reward, over, truncated, info = env.step(cell)
...     total += reward
...     if over:
...         break
>>> total, info["misses"]
(-10.0, 10)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    MISS,
    is_sunk,
    possible_answers,
    sunk_code,
)
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import LayoutError, SeabattleError, within
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.referee import Referee

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "seabattle.gym needs gymnasium: pip install 'seabattle[gym]'", name=error.name
    ) from error

DRAWN_TOGETHER = 1000
"""Fleets are drawn so many at a time: most of the work is the same for one."""

Planes = NDArray[np.float32]


def planes(position: Position) -> Planes:
    """What an environment shows of a position, so that what was trained can play anywhere.

    Parameters
    ----------
    position
        The shots so far.

    Returns
    -------
    float32 ``(answers + 1, rows, columns)``
        See the module's text.

    Examples
    --------
    >>> position = Position.in_order(Rules("1x4", "2"), "A1 miss, C1 hit")
    >>> planes(position).astype(int).tolist()
    [[[1, 0, 0, 0]], [[0, 0, 1, 0]], [[0, 1, 0, 1]]]
    """
    board, codes = position.rules.board, possible_answers(position.rules)
    found = np.zeros((len(codes) + 1, board.cells), dtype=np.float32)
    for cell, code in position.shots:
        found[codes.index(code), cell] = 1
    found[-1, list(cells_of(position.rules.open_mask & ~position.shot_mask))] = 1
    return found.reshape(-1, board.rows, board.columns)


def _space_of(rules: Rules) -> spaces.Space[Any]:
    """The space of the planes."""
    shape = (len(possible_answers(rules)) + 1, rules.board.rows, rules.board.columns)
    return spaces.Box(0, 1, shape, dtype=np.float32)


class _Fleets:
    """Fleets to hide, drawn exactly by a prior, or all layouts equally likely."""

    def __init__(self, rules: Rules, prior: Prior | str | Path | None) -> None:
        self._counter = Counter(rules, prior=require_prior(prior, rules))
        self.forget()

    def forget(self) -> None:
        """Draw anew, by the generator that is given next."""
        self._left = np.empty((0, len(self._counter.rules.fleet.lengths)), dtype=np.uint16)

    def take(self, number: int, generator: np.random.Generator) -> NDArray[np.uint16]:
        """Placement numbers of the next fleets: uint16 ``(number, ships)``."""
        missing = number - len(self._left)
        if missing > 0:
            drawn = self._counter.sample(max(missing, DRAWN_TOGETHER), generator)
            self._left = np.concatenate([self._left, drawn])
        taken, self._left = self._left[:number], self._left[number:]
        return taken


class BattleshipEnv(gymnasium.Env[Planes, np.int64]):
    """One game; the module's text says what is observed, done and rewarded.

    Parameters
    ----------
    prior
        By which fleets are drawn: a prior, its name or its file; by default every layout is equally
        likely.
    render_mode
        ``ansi``, for a board as text, or None.
    game
        ``board``, ``fleet``, ``contact``, ``answers``, ``announce`` and ``blocked``, as ``Rules``
        takes them; ``fleet="hasbro"`` is a whole game.

    Attributes
    ----------
    rules
        The game.
    referee
        What hides the fleet of this episode; ``referee.position`` is what every function of this
        package takes.

    Raises
    ------
    SeabattleError
        If the rules or the prior are none.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012
    referee: Referee

    def __init__(
        self,
        *,
        prior: Prior | str | Path | None = None,
        render_mode: str | None = None,
        **game: Any,
    ) -> None:
        self.rules = Rules(**game)
        self.render_mode = render_mode
        self.observation_space = _space_of(self.rules)
        self.action_space = spaces.Discrete(self.rules.board.cells)
        self._fleets = _Fleets(self.rules, prior)
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Hide a fleet: the one drawn next, or ``options["ships"]``, as ``Referee`` takes it."""
        super().reset(seed=seed)
        if seed is not None:
            self._fleets.forget()
        ships = (options or {}).get("ships")
        if ships is None:
            ships = self._fleets.take(1, self.np_random)[0]
        self.referee, self._steps = Referee(self.rules, ships), 0
        return planes(self.referee.position), self._info()

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Shoot a cell, by number; see the module's text."""
        if not self.action_space.contains(action):
            most = self.rules.board.cells - 1
            raise SeabattleError(f"action {action}: must be a whole number from 0 to {most}")
        cell = int(action)
        if self.referee.over:
            raise SeabattleError("the fleet is sunk: call reset")
        is_hit = bool(self.action_masks()[cell]) and self.referee.shoot(cell) != "miss"
        self._steps += 1
        over = self.referee.over
        truncated = not over and self._steps >= self.rules.open_mask.bit_count()
        position = self.referee.position
        return planes(position), 0.0 if is_hit else -1.0, over, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which cells may be shot: bool ``(cells,)``."""
        left = self.rules.open_mask & ~self.referee.position.shot_mask
        found = np.zeros(self.rules.board.cells, dtype=np.bool_)
        found[list(cells_of(left))] = True
        return found

    def _info(self) -> dict[str, Any]:
        mask = self.action_masks().astype(np.int8)
        return {"action_mask": mask, "misses": self.referee.misses}

    def render(self) -> str | None:
        """With ``ansi`` the board as text: ``o`` a miss, ``x`` a hit, ``#`` one that sank."""
        if self.render_mode != "ansi":
            return None
        signs = ["."] * self.rules.board.cells
        for cell, code in self.referee.position.shots:
            signs[cell] = "o" if code == MISS else "#" if is_sunk(code) else "x"
        columns = self.rules.board.columns
        return "\n".join(
            "".join(signs[row : row + columns]) for row in range(0, len(signs), columns)
        )


class BattleshipVectorEnv(VectorEnv[Planes, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, stepped in numpy; each as ``BattleshipEnv`` plays it.

    A game that is over begins anew with the next step, whose action and reward are nothing
    (``AutoresetMode.NEXT_STEP``, Gymnasium's default). ``info`` has ``action_mask``, int8 ``(games,
    cells)``, and ``misses``, int64 ``(games,)``.

    Parameters
    ----------
    num_envs
        Number of games.
    prior, game
        As for ``BattleshipEnv``.

    Attributes
    ----------
    rules
        The game.
    ships
        What is hidden: uint16 ``(games, ships)``, placement numbers.

    Examples
    --------
    >>> import gymnasium
    >>> envs = gymnasium.make_vec("Battleship-v0", num_envs=1000, board="5x5", fleet="3,2")
    >>> observations, info = envs.reset(seed=1)
    >>> observations, rewards, over, truncated, info = envs.step(np.full(1000, 12))
    >>> observations.shape, int((rewards == 0).sum()), int(observations[:, 1, 2, 2].sum())
    ((1000, 3, 5, 5), 175, 175)
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012
    ships: NDArray[np.uint16]

    def __init__(
        self, num_envs: int = 1, *, prior: Prior | str | Path | None = None, **game: Any
    ) -> None:
        self.num_envs, self.rules = within("num_envs", num_envs, 1), Rules(**game)
        self.single_observation_space = _space_of(self.rules)
        self.single_action_space = spaces.Discrete(self.rules.board.cells)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._fleets = _Fleets(self.rules, prior)
        table, codes = placement_table(self.rules), possible_answers(self.rules)
        self._covers = table.covering.T.astype(bool)  # (placements, cells)
        self._lengths = np.array(table.lengths)
        self._open = np.zeros(self.rules.board.cells, dtype=np.float32)
        self._open[list(cells_of(self.rules.open_mask))] = 1
        # The planes of an answer, by the length of the ship that is hit.
        self._plane = np.zeros((3, int(self._lengths.max()) + 1), dtype=np.int64)
        for length in self.rules.fleet.counts:
            named = self.rules.answers is AnswerMode.SHIP
            sunk = HIT if self.rules.answers is AnswerMode.HIT else sunk_code(self.rules, length)
            hits = [HIT_SHIP + 64 * length + 1] * 2 if named else [HIT, sunk]
            self._plane[1:, length] = [codes.index(code) for code in hits]
        rows, ships = num_envs, len(self.rules.fleet.lengths)
        self.ships = np.zeros((rows, ships), dtype=np.uint16)
        self._owner = np.zeros((rows, len(self._open)), dtype=np.int64)  # -1 is water
        self._left = np.zeros((rows, ships), dtype=np.int64)  # cells of each ship not hit yet
        self._name = np.zeros((rows, ships), dtype=np.int64)  # -1 until it is hit
        self._shown = np.zeros((rows, len(codes) + 1, len(self._open)), dtype=np.float32)
        self._misses, self._steps = (np.zeros(rows, dtype=np.int64) for _ in range(2))
        self._ended = np.zeros(rows, dtype=bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Hide a fleet in every game: those drawn next, or ``options["ships"]``.

        ``ships`` are placement numbers, ``(games, ships)``, as ``Counter.sample`` and the layouts
        of a tournament have them: so that others play the same games.

        Raises
        ------
        LayoutError
            If these are no layouts of the game, or of another number of games.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._fleets.forget()
        given = (options or {}).get("ships")
        if given is None:
            given = self._fleets.take(self.num_envs, self.np_random)
        ships = np.sort(np.asarray(given), axis=-1)
        is_layout = placement_table(self.rules).is_layout
        if ships.shape != self.ships.shape or not all(map(is_layout, ships.tolist())):
            raise LayoutError(f"ships: these are no {self.num_envs} layouts of {self.rules}")
        self._hide(np.arange(self.num_envs), ships)
        return self._seen()

    def _hide(self, games: NDArray[np.int64], ships: NDArray[np.uint16]) -> None:
        """Begin some games anew."""
        self.ships[games] = ships
        self._left[games], self._name[games] = self._lengths[ships], -1
        owner = np.full((len(games), len(self._open)), -1)
        for ship, numbers in enumerate(ships.T):
            owner[self._covers[numbers]] = ship
        self._owner[games] = owner
        self._shown[games] = 0
        self._shown[games, -1] = self._open
        self._misses[games] = self._steps[games] = 0
        self._ended[games] = False

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Planes, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Shoot a cell in every game; those that were over begin anew."""
        actions = np.asarray(actions)
        if not self.action_space.contains(actions):
            raise SeabattleError(
                f"actions: give {self.num_envs} cells from 0 to {self.rules.board.cells - 1}"
            )
        anew, playing = np.flatnonzero(self._ended), ~self._ended
        rewards = np.where(playing, -1.0, 0.0)
        is_shot = playing & (self._shown[np.arange(self.num_envs), -1, actions] > 0)
        games = np.flatnonzero(is_shot)
        cells = actions[games]
        owners = self._owner[games, cells]
        misses, hits = owners < 0, owners >= 0
        self._shown[games, -1, cells] = 0
        self._shown[games[misses], MISS, cells[misses]] = 1
        self._misses[games[misses]] += 1
        rewards[games[hits]] = 0
        self._hit(games[hits], cells[hits], owners[hits])
        self._steps += playing
        over = playing & ~self._left.any(axis=1)
        truncated = playing & ~over & (self._steps >= self._open.sum())
        if len(anew):
            self._hide(anew, self._fleets.take(len(anew), self.np_random))
        self._ended = over | truncated
        observations, info = self._seen()
        return observations, rewards, over, truncated, info

    def _hit(
        self, games: NDArray[np.int64], cells: NDArray[np.int64], owners: NDArray[np.int64]
    ) -> None:
        """Answer shots that hit, one in each of these games."""
        self._left[games, owners] -= 1
        lengths = self._lengths[self.ships[games, owners]]
        sunk = self._left[games, owners] == 0
        plane = self._plane[1 + sunk, lengths]
        if self.rules.answers is AnswerMode.SHIP:  # equal ships are numbered as they are first hit
            alike = self._lengths[self.ships[games]] == lengths[:, None]
            met = (alike & (self._name[games] >= 0)).sum(axis=1)
            known = self._name[games, owners]
            self._name[games, owners] = np.where(known >= 0, known, met)
            plane = plane + self._name[games, owners]
        self._shown[games, plane, cells] = 1

    def action_masks(self) -> NDArray[np.bool_]:
        """Which cells may be shot: bool ``(games, cells)``."""
        return self._shown[:, -1] > 0

    def _seen(self) -> tuple[Planes, dict[str, Any]]:
        """Observations and info of all games."""
        info = {"action_mask": self.action_masks().astype(np.int8), "misses": self._misses.copy()}
        return self._shown.copy().reshape(self.observation_space.shape or ()), info


gymnasium.register(
    "Battleship-v0",
    entry_point="seabattle.gym:BattleshipEnv",
    vector_entry_point="seabattle.gym:BattleshipVectorEnv",
)
