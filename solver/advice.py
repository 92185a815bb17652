"""Advice for the next shot of a game: the map of the counter, or exact play once little is left.

Two methods. ``greedy-map`` shoots a likeliest cell, which most of the layouts still possible
occupy, or most of their weight under a prior; it is for boards of any size and claims no optimum.
``optimal`` shoots so that the mean number of misses still to come is least; it is taken as soon as
few enough layouts are left to solve the rest of the game in a moment. ``advise`` combines both.
Where a board is too large to be counted, ``estimated-map`` shoots the likeliest cell of a map that
is estimated from layouts drawn. In place of a likeliest cell the shot of any ``player`` can be
asked for. Implement ``Adviser`` to add a source.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from seabattle.enumerate.answers import HIT, MISS, SUNK
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import sunk_lengths
from seabattle.enumerate.errors import (
    FleetError,
    PlayerError,
    PositionError,
    StrategyError,
    TooLargeError,
    within,
)
from seabattle.enumerate.map import MOST_NAMED, HeatMap
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import Game
from seabattle.enumerate.words import counted
from seabattle.solver.search.queries import LimitReached, Limits, Snapshot

if TYPE_CHECKING:
    from seabattle.solver.players.player import Player
    from seabattle.solver.players.registry import PlayerLike
    from seabattle.trees.strategy.strategy import Strategy


FEW_LAYOUTS = 2_000
"""With more layouts than this, exact play is not tried."""

SECONDS = 2.0
"""Default of the seconds for which exact play is searched."""


class Method(StrEnum):
    """Where advice comes from."""

    GREEDY_MAP = "greedy-map"
    OPTIMAL = "optimal"
    ESTIMATED_MAP = "estimated-map"
    PLAYER = "player"


@dataclass(frozen=True)
class Advice:
    """What to shoot next.

    Attributes
    ----------
    map
        How many layouts are left, and how likely each cell is occupied; estimated where they
        cannot be counted.
    method
        ``optimal``, ``greedy-map``, ``estimated-map`` or ``player``.
    best_cells
        Numbers of all shots that are best by the method, likeliest first, then in reading order;
        with ``player`` the one that it shoots; empty when the fleet is sunk.
    total_misses, worst_misses
        With ``optimal``: misses still to come, summed over the layouts left, each times its
        weight, and at most.
    note
        Why exact play was given up, if it was tried.
    weight
        With ``optimal``: sum of the layouts' weights; 0 stands for their number.
    salvo
        Shots of a turn, for games in which they are chosen together; 0 where turns have one.
    player
        With ``player``: its name.
    """

    map: HeatMap
    method: Method
    best_cells: tuple[int, ...]
    total_misses: int | None = None
    worst_misses: int | None = None
    note: str = ""
    weight: int = 0
    salvo: int = 0
    player: str = ""

    @property
    def position(self) -> Position:
        """What is known."""
        return self.map.position

    @property
    def best_shots(self) -> tuple[str, ...]:
        """The best shots by name."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    @property
    def layouts(self) -> int:
        """Number of layouts left."""
        return self.map.layouts

    @property
    def over(self) -> bool:
        """Whether every ship is sunk."""
        return self.position.hit_mask.bit_count() == self.position.rules.fleet.cells

    @property
    def misses(self) -> int:
        """Misses so far."""
        return sum(code == MISS for _, code in self.position.shots)

    @property
    def score(self) -> str:
        """Shots, misses, and the ships sunk where that is known."""
        position, rules = self.position, self.position.rules
        parts = [counted(len(position.shots), "shot"), counted(self.misses, "miss")]
        unknown = rules.contact is Contact.SIDES and any(code == SUNK for _, code in position.shots)
        if rules.answers is not AnswerMode.HIT and not unknown:
            sunk = Bag(sunk_lengths(position))
            left = Bag(rules.fleet.lengths) - sunk
            for word, lengths in (("sunk", sunk), ("afloat", left)):
                if lengths:
                    told = sorted(lengths.elements(), reverse=True)
                    parts.append(f"{word} {' '.join(map(str, told))}")
        return " · ".join(parts)

    @property
    def shown(self) -> HeatMap:
        """The map, the best shots marked, the score above it."""
        return replace(self.map, marked=self.best_cells, title=self.score)

    @property
    def mean_misses(self) -> Fraction | None:
        """With ``optimal``: misses still to expect."""
        weight = self.weight or self.layouts
        return None if self.total_misses is None else Fraction(self.total_misses, weight)

    @property
    def ships(self) -> list[str] | None:
        """Every ship by name, when one layout is left."""
        if self.layouts != 1 or self.map.estimate is not None:
            return None
        table = placement_table(self.position.rules)
        return table.names(i for i, there in enumerate(self.map.placements) if there)

    def chance(self, cell: str | int) -> Fraction | float:
        """Probability that a cell, given by name or number, is occupied; exact without a prior."""
        return self.map.chance(cell)

    def solved(
        self, best: Iterable[int], total: int | None, worst: int | None, weight: int
    ) -> Advice:
        """The same where the rest of the game is solved: the best shots and what they cost."""
        cells = tuple(sorted(best, key=lambda cell: (-self.map.cells[cell], cell)))
        return replace(
            self, method=Method.OPTIMAL, best_cells=cells, total_misses=total, worst_misses=worst,
            weight=weight,
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """The advice as JSON: cells by name, numbers exact where they are whole.

        Fields
        ------
        layouts: layouts that fit, exactly unless estimated; may exceed 2^53
        labelled_layouts: the same with identical ships told apart
        best: every best shot, likeliest first
        chance: the chance that the first of them hits; null when the game is over
        method: greedy-map; optimal where the rest of the game was solved; estimated-map where the
            board is too large to be counted; player where one was asked
        player: with the method player: its name
        total_misses: with the method optimal: misses still to come, over all layouts left
        mean_misses: with the method optimal: misses still to come, on average
        worst_misses: with the method optimal: misses still to come, at worst
        note: what else there is to say
        """
        document: dict[str, Any] = {
            **self.map.document(),
            "best": list(self.best_shots),
            "chance": float(self.chance(self.best_cells[0])) if self.best_cells else None,
            "method": self.method.value,
        }
        if self.player:
            document["player"] = self.player
        if self.total_misses is not None:
            document["total_misses"] = self.total_misses
            document["mean_misses"] = float(self.mean_misses or 0)
            document["worst_misses"] = self.worst_misses
        if self.note:
            document["note"] = self.note
        if self.salvo:
            document |= self.map.salvo(self.salvo).document()
        return document

    @property
    def beside_hits(self) -> tuple[int, ...]:
        """The likeliest cells beside a hit of a ship not known to be sunk, by number.

        Where many would shoot next, though another cell may be better; empty without such a hit.
        """
        position = self.position
        sides = position.rules.beside
        around = 0
        for cell, sign in self.map.signs.items():
            around |= sides[cell] if sign == HIT else 0
        open_cells = list(cells_of(around & ~position.shot_mask))
        most = max((self.map.cells[cell] for cell in open_cells), default=0)
        return tuple(cell for cell in open_cells if most and self.map.cells[cell] == most)

    def facts(self) -> list[tuple[str, str]]:
        """The advice as labels and texts, the game and the map apart."""
        if self.over:
            shots, misses = len(self.position.shots), counted(self.misses, "miss")
            return [("shoot", f"nothing more: the game is over after {shots} shots with {misses}")]
        facts = [("shoot", self._named(self.best_cells))]
        if self.beside_hits and not set(self.beside_hits) & set(self.best_cells):
            why = {
                Method.OPTIMAL: "shot first, it costs more misses in the end",
                Method.PLAYER: "the player shoots elsewhere",
            }.get(self.method, "the shot advised is likelier to hit")
            facts.append(("beside a hit", f"{self._named(self.beside_hits)}: {why}"))
        if self.ships is not None:
            facts.append(("ships", " ".join(self.ships)))
        if self.mean_misses is not None:
            mean = f"mean {float(self.mean_misses):.4f} ({self.mean_misses})"
            facts.append(("misses to come", f"{mean}, worst {self.worst_misses}"))
        facts.append(("method", f"{self.method} {self.player}".strip()))
        if self.note:
            facts.append(("note", self.note))
        if self.salvo:
            facts += self.map.salvo(self.salvo).facts()
        return facts

    def _named(self, cells: Sequence[int]) -> str:
        """Cells with their chances, those that are equally likely together."""
        alike: dict[str, list[str]] = {}
        for cell in cells[:MOST_NAMED]:
            name = self.position.rules.board.name(cell)
            alike.setdefault(self.map.chance_text(cell), []).append(name)
        named = ", ".join(f"{' '.join(names)} ({chance})" for chance, names in alike.items())
        more = len(cells) - MOST_NAMED
        return f"{named} and {more} more" if more > 0 else named

    def __repr__(self) -> str:
        cells = " ".join(self.best_shots[:12]) or "none"
        left = f", {self.layouts:,} layouts" if self.layouts and not self.map.estimate else ""
        return f"<advice {cells}: {self.player or self.method}{left}>"

    def _repr_html_(self) -> str:
        return html_table((), self.facts(), left=(0, 1)) + self.map._repr_svg_()


class Adviser(Protocol):
    """A source of advice."""

    def advise(self, position: Position) -> Advice:
        """What to shoot next.

        Raises
        ------
        PositionError
            If no layout fits the position, or it is of another game.
        """
        ...


class CounterAdviser:
    """Advice by counting, and by exact play once few layouts are left.

    Parameters
    ----------
    game
        Rules, or a position or decision table of the game.
    prior
        How likely the layouts are: a prior, its name or its file; all equally by default.
    time_limit
        Seconds that exact play may be searched for at each shot; 0 never tries.
    memory_limit
        GiB for the counter.
    progress
        Called with a ``Snapshot`` a few times a second while exact play is searched for.
    early
        Called with the advice of the map before exact play is searched for, which may take
        ``time_limit``; it stands if that finds nothing.
    salvo
        Shots of a turn, where they are chosen together.
    player
        Whose shot is advised where the optimal one is not known, in place of a likeliest cell: as
        for ``make_player``.

    Raises
    ------
    PlayerError
        If there is no such player, or it cannot play the game; or a prior is given beside it, which
        is to be named with the player (``greedy-map@people``).
    TooLargeError
        If the counter needs more memory.
    WeightsError, FileAccessError
        If the prior is of another game, or its file cannot be read.

    Examples
    --------
    >>> adviser = CounterAdviser(Rules("4x4", "3,2,1", answers="sunk"))
    >>> advice = adviser.advise(Position.in_order(adviser.rules, "B2 miss"))
    >>> advice.method.value, advice.mean_misses, advice.worst_misses
    ('optimal', Fraction(86, 37), 5)
    """

    def __init__(
        self,
        game: Game,
        *,
        prior: Prior | str | Path | None = None,
        time_limit: float = SECONDS,
        memory_limit: float = 4.0,
        progress: Callable[[Snapshot], None] | None = None,
        early: Callable[[Advice], None] = lambda advice: None,
        salvo: int = 0,
        player: PlayerLike | None = None,
    ) -> None:
        self.counter = Counter(game, prior=prior, memory_limit=memory_limit)
        self.time_limit = within("time_limit", time_limit, 0)
        self.progress = progress
        self.early = early
        self.salvo = salvo
        self._try_at = FEW_LAYOUTS
        self._player = None if player is None else self._made(player)

    def _made(self, player: PlayerLike) -> Player:
        """The player that is asked."""
        from seabattle.solver.players.registry import make_player

        made = make_player(player, self.counter.position)
        if self.counter.prior is not None:
            raise PlayerError(
                f"player {made.name!r} is not told of a prior beside it: leave one of the two out, "
                f"or name both together, as in greedy-map@people"
            )
        return made

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.counter.rules

    def __repr__(self) -> str:
        return f"CounterAdviser({self.rules!r})"

    def advise(self, position: Position) -> Advice:
        """What to shoot next.

        Raises
        ------
        PositionError, FleetError
            If no layout fits the position, or it is of another game.
        """
        return self.advise_from(self.map(position))

    def map(self, position: Position) -> HeatMap:
        """How many layouts are left, and how likely each cell is occupied.

        Raises
        ------
        PositionError, FleetError
            If no layout fits the position, or it is of another game.
        WeightsError
            If the prior rules out all that fit.
        """
        return self.counter.at(position).map_or_estimate()

    def advise_from(self, found: HeatMap) -> Advice:
        """What to shoot next in the position of a map that ``map`` returned."""
        by_map = Advice(found, Method.GREEDY_MAP, found.best_cells, salvo=self.salvo)
        if found.estimate is not None:
            drawn = f"estimated from {found.estimate.samples:,} layouts drawn"
            likeliest = sorted(found.best_cells, key=lambda cell: -found.cells[cell])
            return self._played(replace(
                by_map, method=Method.ESTIMATED_MAP, best_cells=tuple(likeliest),
                note=f"{drawn}; exactly: {found.not_counted}",
            ))  # fmt: skip
        # Chances cannot tell 1 from what is close to it.
        sure = found.certain_cells if found.counts_layouts else ()
        if len(sure) == self.rules.fleet.cells:
            # One occupancy is left: nothing more is missed, whatever the order of the hits.
            due = (cell for cell in sure if not found.position.hit_mask >> cell & 1)
            return by_map.solved(due, 0, 0, found.layouts)
        left = self._left(found)
        if left > FEW_LAYOUTS or self.time_limit <= 0:
            self._try_at = FEW_LAYOUTS
            return self._played(by_map)
        why = "exact play "
        if left <= self._try_at:
            self.early(by_map)
            try:
                return self._exact(by_map)
            except (TooLargeError, FleetError) as error:
                return self._played(replace(by_map, note=f"no exact play: {error}"))
            except LimitReached:
                # It is not tried again before half the layouts are gone.
                self._try_at = left // 2
                why += f"was not found within {self.time_limit:g} s; it "
        why += f"is tried again with {self._try_at:,} layouts or fewer"
        return self._played(replace(by_map, note=why))

    def _played(self, by_map: Advice) -> Advice:
        """The shot of the player, if one is asked."""
        if self._player is None or by_map.over:
            return by_map
        cell = self._player.shoot(by_map.position)
        return replace(by_map, method=Method.PLAYER, best_cells=(cell,), player=self._player.name)

    def _left(self, found: HeatMap) -> int:
        """Number of layouts that weigh more than 0, or a number above ``FEW_LAYOUTS``."""
        prior = self.counter.prior
        if prior is None or not prior.rules_out:
            return found.layouts
        try:
            return len(self.counter.at(found.position).likely(most=FEW_LAYOUTS))
        except TooLargeError:
            return FEW_LAYOUTS + 1

    def _exact(self, by_map: Advice) -> Advice:
        """Advice by exact play."""
        from seabattle.solver.endgame import search_of

        counter = self.counter.at(by_map.position)
        limits = Limits.of(self.time_limit, counter.memory_limit / 2, self.progress)
        best = search_of(counter, FEW_LAYOUTS, limits).solve()
        return by_map.solved(best.best_cells, best.total_misses, best.worst_misses, best.weight)


def advise(
    game: Game,
    *,
    prior: Prior | str | Path | None = None,
    time_limit: float = SECONDS,
    memory_limit: float = 4.0,
    progress: Callable[[Snapshot], None] | None = None,
    player: PlayerLike | None = None,
) -> Advice:
    """What to shoot next in a game, on a board of any size.

    For many positions of one game keep a ``CounterAdviser``, which builds its tables once.

    Parameters
    ----------
    game
        Rules, a position, or a decision table without weights.
    prior
        How likely the layouts are: a prior, its name or its file; all equally by default.
    time_limit
        Seconds that exact play may be searched for; 0 never tries.
    memory_limit
        GiB for the counter.
    progress
        Called with a ``Snapshot`` a few times a second while exact play is searched for.
    player
        Whose shot is advised where the optimal one is not known, as for ``make_player``; by default
        it is a likeliest cell. ``rollout`` misses less with Hasbro's fleet, and takes a second.

    Raises
    ------
    PositionError, FleetError
        If no layout fits the position.
    PlayerError
        If there is no such player, it cannot play the game, or a prior is given beside it.
    TooLargeError
        If the counter needs more memory.
    WeightsError
        If the table has weights.

    Examples
    --------
    >>> position = Position(Rules("4x4", "3,2,1", answers="sunk")).shoot("B2", "miss")
    >>> advise(position)
    <advice D1 A4: optimal, 148 layouts>
    >>> advise(position, time_limit=0, player="odds")
    <advice C3: odds, 148 layouts>
    """
    adviser = CounterAdviser(
        game, prior=prior, time_limit=time_limit, memory_limit=memory_limit, progress=progress,
        player=player,
    )  # fmt: skip
    return adviser.advise(adviser.counter.position)


# ------------------------------------------------------------------------------------------------
# Advice from a strategy file, which knows what the rest of the game costs.


class StrategyAdviser:
    """Advice from a strategy file; another source where the file does not hold the position.

    Parameters
    ----------
    strategy
        The open file.
    otherwise
        Consulted about positions that are not in the file.
    """

    def __init__(self, strategy: Strategy, otherwise: CounterAdviser) -> None:
        if otherwise.counter.prior is not None:
            raise StrategyError(
                "a strategy file plays against equally likely layouts: give no prior with it"
            )
        self.strategy = strategy
        self.otherwise = otherwise

    def __repr__(self) -> str:
        return f"StrategyAdviser({self.strategy!r})"

    def advise(self, position: Position) -> Advice:
        """What to shoot next.

        Raises
        ------
        PositionError, FleetError
            If no layout fits the position, or it is of another game.
        """
        found = self.otherwise.map(position)
        try:
            if position.rules != self.strategy.rules:
                raise StrategyError("the strategy file is of another game")
            answer = self.strategy.probe(position)
            if answer.best_cell is None or answer.certain:
                sure = found.certain_cells
                best = tuple(cell for cell in sure if not position.shot_mask >> cell & 1)
            else:
                best = self.strategy.best_cells(position) or (answer.best_cell,)
        except (StrategyError, PositionError) as error:  # or it begins after other shots
            advice = self.otherwise.advise_from(found)
            return replace(advice, note=f"{error}; {advice.note}" if advice.note else str(error))
        by_map = Advice(found, Method.GREEDY_MAP, found.best_cells, salvo=self.otherwise.salvo)
        return by_map.solved(best, answer.total, answer.worst, answer.layouts)
