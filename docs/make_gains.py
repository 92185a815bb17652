"""What the shots of players gain with Hasbro's fleet: ``python docs/make_gains.py`` measures it.

Two players differ by what the shots of the one gain for the other, added up over the one's games
[Kakade2002]. Wherever they shoot apart, both shots are tried in the same layouts, drawn
anew, and the *other* plays all of these games to their end. Of the luck of a game nothing is left
but which positions it comes to, so that ten games tell what takes thousands by their results. The
other is ``odds``, which plays a whole game in ten microseconds.

It takes an hour of processor time. ``python docs/make_gains.py 20000 0 5`` measures games 0 to 4 of
the player ``rollout`` that draws 20,000 layouts, and keeps nothing.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

from figures import Figures, Rows

GAMES = {"greedy-map": 40, "lookahead": 25, "1250": 6, "5000": 10, "20000": 30, "80000": 14}
"""Games of each player; a number is ``rollout`` that draws so many layouts."""
FRESH = 10_000
"""Layouts in which two shots are tried; all that are left where there are no more."""
LEFT = (8, 6, 4, 0)
"""Gains are told apart by the layouts left before the shot: at least 10 to the power of these."""
DIGITS = 20
"""Of a number of layouts, at most."""
SEED = 1


def made(name: str) -> Any:
    """The player of a name, or ``rollout`` that draws a number of layouts."""
    from seabattle import Rules, make_player
    from seabattle.solver.players.rollout import Rollout

    rules = Rules("10x10", "hasbro", "sides", "sunk")
    if not name.isdigit():
        return make_player(name, rules)
    player = Rollout(rules)
    player.layouts = int(name)
    return player


def played(player: Any, hidden: Any, rng: Any) -> dict[str, Any]:
    """A game: by the digits of the number of layouts left, the misses that the shots gain."""
    from seabattle import Chance, Counter, Position
    from seabattle.solver.players.density import Odds
    from seabattle.trees.replay import HiddenGame

    rules, chance = player.rules, Chance(0)
    counter, odds = Counter(rules), Odds(rules)
    game, position = HiddenGame(rules, tuple(hidden)), Position(rules)
    gains, misses, shots, seconds = [0.0] * DIGITS, 0, 0, 0.0
    while game.left():
        begun = process_time()
        cell = player.choose(position, chance)
        seconds += process_time() - begun
        other = odds.choose(position, chance)
        if cell != other:
            here = counter.at(position)
            left = here.count()
            ships = here.layouts(most=FRESH) if left <= FRESH else here.sample(FRESH, rng)
            mine, others = (odds.shots_after(position, each, ships) for each in (cell, other))
            gains[len(str(left)) - 1] += float((others - mine).mean())
        answer = game.shoot(cell)
        shots, misses = shots + 1, misses + (answer == 0)
        position = Position(rules, (*position.shots, (cell, answer)))
    return {"gains": gains, "misses": misses, "shots": shots, "seconds": seconds}


def games(name: str, first: int, stop: int) -> Rows:
    """Some games of a player; the layout of a game follows from its number."""
    import numpy as np

    from seabattle import Counter

    player, rows = made(name), []
    for number in range(first, stop):
        rng = np.random.default_rng([SEED, number])
        rows.append(played(player, Counter(player.rules).sample(1, rng)[0].tolist(), rng))
        print(json.dumps(rows[-1]), flush=True)
    return rows


def row_of(name: str, rows: Rows, of_map: Rows) -> dict[str, Any]:
    """What the games of a player come to, and beside games of ``greedy-map`` on the same layouts.

    Gains a game, and half of the 95 % intervals.
    """
    import numpy as np

    from seabattle.solver.tournament.statistics import Estimate

    ends = zip(LEFT, (DIGITS, *LEFT), strict=False)
    parts = np.array([[sum(row["gains"][low:high]) for row in rows] for low, high in ends])
    map_gains = np.array([sum(row["gains"]) for row in of_map[: len(rows)]])
    gain, more = (
        Estimate.of(gains) for gains in (parts.sum(axis=0), parts.sum(axis=0) - map_gains)
    )
    return {
        "player": name,
        "games": len(rows),
        "seconds": round(sum(r["seconds"] for r in rows) / sum(r["shots"] for r in rows), 3),
        "gains": parts.mean(axis=1).round(3).tolist(),
        "gain": round(gain.mean, 3),
        "error": round(gain.interval[1] - gain.mean, 3),
        "more": round(more.mean, 3),
        "more_error": round(more.interval[1] - more.mean, 3),
    }


def table(rows: Rows) -> str:
    """The rows as the page shows them.

    >>> row = {"player": "5000", "games": 7, "seconds": 0.5, "gains": [0.1, 0.0, -0.1, 0.25]}
    >>> row |= {"gain": 0.25, "error": 0.1, "more": 0.4, "more_error": 0.1}
    >>> print(table([row]).splitlines()[-1])
    | `rollout`, 5,000 | 7 | 0.50 | +0.10 | +0.00 | -0.10 | +0.25 | +0.25 ± 0.10 | +0.40 ± 0.10 |
    """
    parts = ["from 10^8", "10^6 to 10^8", "10^4 to 10^6", "below 10^4"]
    heads = ["player", "games", "seconds a shot", *parts, "together", "beside `greedy-map`"]
    lines = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for row in rows:
        name = row["player"]
        called = f"`rollout`, {int(name):,}" if name.isdigit() else f"`{name}`"
        gains = " | ".join(f"{gain:+.2f}" for gain in row["gains"])
        whole = f"{row['gain']:+.2f} ± {row['error']:.2f}"
        more = f"{row['more']:+.2f} ± {row['more_error']:.2f}" if row["more_error"] else ""
        lines.append(
            f"| {called} | {row['games']} | {row['seconds']:.2f} | {gains} | {whole} | {more} |"
        )
    return "\n".join(lines) + "\n"


FIGURES = Figures("gains", table)

if __name__ == "__main__":
    if sys.argv[1:]:
        games(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    else:
        measured = {name: games(name, 0, number) for name, number in GAMES.items()}
        of_map = measured["greedy-map"]
        FIGURES.keep([row_of(name, rows, of_map) for name, rows in measured.items()])
