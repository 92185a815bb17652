"""What came of a tournament, as tables, files and plots tell it; and reading it from its files."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import require_path, require_type
from seabattle.enumerate.errors import PlayerError, quoted
from seabattle.enumerate.files import read_json, read_text
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document, read_document
from seabattle.solver.tournament.statistics import LEVELS, Duel, Score, Spread, Tally, wilson

DOCUMENT = "table.json"
GAMES = "games.csv"


@dataclass(frozen=True, repr=False)
class Standings:
    """What came of a tournament.

    Attributes
    ----------
    position
        The game, and what the players knew at the start.
    layouts, prior, seed
        Where the layouts came from, what players that weigh layouts believed, and the seed.
    wanted
        Games asked for.
    scores
        One per player, in the order asked for.
    duels
        One per pair of players.
    shots
        int16 ``(n_players, n_games)``, shots of each game; None where that is not known.
    seconds
        Time of play; None where that is not known.
    made_by
        Command, version and seed that played it, as in its files; None where no file says it.
    """

    position: Position
    layouts: str
    prior: str
    seed: int
    wanted: int
    scores: tuple[Score, ...]
    duels: tuple[Duel, ...]
    shots: NDArray[np.int16] | None = field(default=None, compare=False)
    seconds: float | None = None
    made_by: dict[str, Any] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        means = [f"{s.player} {float(s.misses.mean):.4g}" for s in self.scores]
        return (
            f"<standings of {self.position.rules}: {self.games:,} games, misses {', '.join(means)}>"
        )

    @property
    def games(self) -> int:
        """Games played by each player."""
        return self.scores[0].shots.games

    @property
    def interrupted(self) -> bool:
        """Whether fewer games were played than asked for."""
        return self.games < self.wanted

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in the order asked for."""
        return tuple(score.player for score in self.scores)

    def score(self, player: str) -> Score:
        """One player's games.

        Raises
        ------
        PlayerError
            If nobody of that name played.
        TypeError
            If the name is not text.
        """
        require_type("player", player, str, "the name of a player")
        if player not in self.players:
            raise PlayerError(f"player {quoted(player)} is none of {', '.join(self.players)}")
        return self.scores[self.players.index(player)]

    def duel(self, first: str, second: str) -> Duel:
        """Two players, paired, whichever of them was named first.

        Raises
        ------
        PlayerError, TypeError
            As for ``score``, or if they are the same.
        """
        if self.score(first) is self.score(second):
            raise PlayerError(f"player {quoted(first)} is named twice")
        for duel in self.duels:
            if (duel.first, duel.second) == (first, second):
                return duel
            if (duel.first, duel.second) == (second, first):
                return duel.reversed()
        raise PlayerError(f"there is nothing about {first} against {second}")

    def text(self) -> str:
        """The scores and the pairs as text tables."""
        from seabattle.solver.tournament.tables import tables_text

        return tables_text(self)

    def document(self) -> dict[str, Any]:
        """The standings as a JSON object."""
        game = position_document(self.position)
        del game["format"], game["version"]
        if not self.position.shots:
            del game["shots"]
        return {
            **game,
            "layouts": self.layouts,
            "prior": self.prior,
            "seed": self.seed,
            "games": self.games,
            "games_wanted": self.wanted,
            "status": "stopped" if self.interrupted else "complete",
            "players": [score_document(score) for score in self.scores],
            "pairs": [duel_document(duel) for duel in self.duels],
            "seconds": self.seconds,
        }


def finite(value: float) -> float | None:
    """A number that JSON can hold."""
    return value if abs(value) != float("inf") else None


def _spread_document(spread: Spread) -> dict[str, Any]:
    return {
        "mean": float(spread.mean),
        "interval": [finite(end) for end in spread.interval],
        "deviation": spread.deviation,
        "median": spread.quantile(0.5),
        "quantiles": {f"{level:g}": spread.quantile(level) for level in LEVELS},
        "minimum": spread.minimum,
        "maximum": spread.maximum,
    }


def score_document(score: Score) -> dict[str, Any]:
    """One player's games as a JSON object."""
    return {
        "player": score.player,
        "games": score.shots.games,
        "exact": score.shots.exact,
        "total_misses": score.misses.total,
        "shots": _spread_document(score.shots),
        "misses": _spread_document(score.misses),
        "perfect_games": score.perfect,
        "perfect_share": score.perfect / score.shots.games,
        "perfect_interval": list(wilson(score.perfect, score.shots.games)),
        "distribution": {str(shots): games for shots, games in score.shots.items()},
    }


def duel_document(duel: Duel) -> dict[str, Any]:
    """Two players, paired, as a JSON object; positive means more shots for the first."""
    low, high = duel.interval
    return {
        "first": duel.first,
        "second": duel.second,
        "mean_more_shots": duel.mean,
        "interval": [finite(low), finite(high)],
        "fewer": duel.wins,
        "as_many": duel.games - duel.wins - duel.losses,
        "more": duel.losses,
    }


def load_tournament(folder: str | Path) -> Standings:
    """What came of a tournament, from the folder that it was saved to.

    ``save_tournament`` draws the plots anew from it, without playing again.

    Parameters
    ----------
    folder
        What ``seabattle tournament --out`` or ``TournamentResult.save`` wrote: ``table.json`` and,
        where it is there, ``games.csv``. Without the games there are no bands in the plot of
        differences.

    Raises
    ------
    FileAccessError
        If a file cannot be read.
    PlayerError
        If one is damaged, or they are not of the same tournament.
    TypeError
        If ``folder`` is not text or a path.
    """
    require_path("folder", folder)
    path = Path(folder) / DOCUMENT
    document = read_json(path, "table of a tournament", PlayerError, once=True)
    try:
        position = read_document(
            {"format": "seabattle-position", "version": 1, "shots": [], **_game(document)}
        )
        to_hit = position.rules.fleet.cells - position.hit_mask.bit_count()
        cells = position.rules.board.cells
        scores = tuple(_read_score(each, to_hit, cells) for each in document["players"])
        if len({score.shots.games for score in scores}) != 1:
            raise KeyError
        shots = _read_games(Path(folder) / GAMES, scores)
        duels = tuple(_read_duel(each, scores) for each in document["pairs"])
        if shots is not None:
            duels = _duels_of(shots, scores, cells)
        return Standings(
            position=position,
            layouts=str(document["layouts"]),
            prior=str(document.get("prior", "uniform")),
            seed=_whole(document["seed"]),
            wanted=_whole(document["games_wanted"], scores[0].shots.games),
            scores=scores,
            duels=duels,
            shots=shots,
            made_by=dict(document["made_by"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        if isinstance(error, PlayerError):
            raise
        raise PlayerError(f"{path} is no table of a tournament, or is damaged") from None


def _game(document: dict[str, Any]) -> dict[str, Any]:
    names = ("board", "fleet", "contact", "answers", "announce", "shots", "ordered", "ships")
    return {name: document[name] for name in names if name in document}


def _read_score(found: dict[str, Any], to_hit: int, cells: int) -> Score:
    counts = np.zeros(cells + 1, dtype=np.int64)
    for shots, games in found["distribution"].items():
        counts[int(shots)] = _whole(games)
    score = Score(str(found["player"]), Spread(0, counts, found["exact"] is True), to_hit)
    if score.misses.minimum < 0 or score.shots.games != found["games"]:
        raise KeyError
    return score


def _whole(value: object, least: int = 0) -> int:
    if type(value) is not int or value < least:
        raise KeyError
    return value


def _read_duel(found: dict[str, Any], scores: Sequence[Score]) -> Duel:
    names = [score.player for score in scores]
    first, second = (scores[names.index(found[name])] for name in ("first", "second"))
    low, high = found["interval"]
    mean = float(first.shots.mean - second.shots.mean)
    wins, losses = _whole(found["fewer"]), _whole(found["more"])
    if found["mean_more_shots"] != mean or wins + losses > first.shots.games:
        raise KeyError
    return Duel(
        first.player,
        second.player,
        games=first.shots.games,
        mean=mean,
        interval=(
            float("-inf") if low is None else float(low),
            float("inf") if high is None else float(high),
        ),
        wins=wins,
        losses=losses,
        exact=first.shots.exact and second.shots.exact,
    )


def _read_games(path: Path, scores: Sequence[Score]) -> NDArray[np.int16] | None:
    """Shots of each game; None where there is no such file."""
    if not path.exists():
        return None
    fault = PlayerError(f"{path} does not have the games of {DOCUMENT} beside it: remove it")
    names = {score.player: row for row, score in enumerate(scores)}
    shots = np.zeros((len(scores), scores[0].shots.games), dtype=np.int16)
    try:
        for row in csv.DictReader(read_text(path, fault).splitlines()):
            shots[names[row["player"]], int(row["game"]) - 1] = int(row["shots"])
    except (KeyError, ValueError, TypeError, IndexError, csv.Error):
        raise fault from None
    for score, taken in zip(scores, shots, strict=True):
        if taken.min() < 0 or not np.array_equal(
            np.bincount(taken, minlength=len(score.shots.counts)), score.shots.counts
        ):
            raise fault
    return shots


def _duels_of(shots: NDArray[np.int16], scores: Sequence[Score], cells: int) -> tuple[Duel, ...]:
    tally = Tally([score.player for score in scores], cells)
    tally.add(shots.astype(np.int32))
    return tuple(
        tally.duel(a.player, b.player, exact=a.shots.exact and b.shots.exact)
        for a, b in itertools.combinations(scores, 2)
    )
