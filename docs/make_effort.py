"""What looking ahead gains for its effort: ``python docs/make_effort.py`` measures it again.

The player is ``lookahead`` without its optimal endgame, on boards whose layouts can all be played:
it follows every layout at once, so that its misses are exact. It plays on in at most so many
layouts; where more are left it shoots as ``greedy-map`` does (*listed*), or it plays on in so many
that are drawn at random (*drawn*).
"""

from __future__ import annotations

import json

from figures import Figures, Rows

GAMES = (("5x5", "4,3,2"),)
MOST = (0, 100, 1_000, 10_000)
"""Layouts that are played on at most."""
SEED = 1


def misses(board: str, fleet: str, most: int, drawn: bool) -> tuple[int, int]:
    """The layouts of a game, and the misses of a player over all of them."""
    import numpy as np

    from seabattle import Chance, Layouts, Position, Rules, enumerate_layouts
    from seabattle.enumerate.layouts import answers_to
    from seabattle.solver.players.exact_map import GreedyMap
    from seabattle.solver.players.lookahead import Lookahead

    class Measured(Lookahead):
        """Plays on in at most ``most`` layouts."""

        def _best_listed(self, position: Position, layouts: Layouts) -> int:
            ships = layouts.ships
            if len(ships) > most and drawn:
                rng = np.random.default_rng([SEED, *np.ravel(position.shots).astype(int)])
                ships = rng.choice(ships, most, replace=False, shuffle=False)
            cell = self._look_ahead(position, ships) if len(ships) <= most else -1
            return cell if cell >= 0 else GreedyMap._best_listed(self, position, layouts)

    rules = Rules(board, fleet, contact="sides", answers="sunk")
    player, chance, found = Measured(rules), Chance(0), 0
    layouts = enumerate_layouts(rules).ships
    stack = [(Position(rules), layouts)]
    while stack:
        position, left = stack.pop()
        if len(left) == 1 or position.hit_mask.bit_count() == rules.fleet.cells:
            continue
        cell = player.choose(position, chance)
        given = answers_to(rules, left, [*(shot for shot, _ in position.shots), cell])
        found += int((given == 0).sum())
        for answer in np.unique(given).tolist():
            after = Position(rules, (*position.shots, (cell, answer)))
            stack.append((after, left[given == answer]))
    return len(layouts), found


def measured(board: str, fleet: str) -> Rows:
    """A row for each number of layouts that is less than all, and one for all."""
    rows: Rows = []
    for most in MOST:
        layouts, listed = misses(board, fleet, most, drawn=False)
        drawn = misses(board, fleet, most, drawn=True)[1] if 0 < most < layouts else listed
        row = {"board": board, "fleet": fleet, "layouts": layouts, "most": min(most, layouts)}
        rows.append({**row, "listed": listed, "drawn": drawn})
        print(json.dumps(rows[-1]), flush=True)
        if most >= layouts:
            break
    return rows


def table(rows: Rows) -> str:
    """The rows as the page shows them.

    >>> row = {"board": "5x5", "fleet": "3,2", "layouts": 10, "most": 4, "listed": 50, "drawn": 45}
    >>> print(table([row]).splitlines()[-1])
    | 5x5 3,2 | 10 | 4 | 5.000 | 4.500 |
    """
    heads = ["game", "layouts", "played on in at most", "listed", "drawn"]
    lines = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for row in rows:
        means = [f"{row[name] / row['layouts']:.3f}" for name in ("listed", "drawn")]
        game = f"{row['board']} {row['fleet']}"
        lines.append(f"| {game} | {row['layouts']:,} | {row['most']:,} | {' | '.join(means)} |")
    return "\n".join(lines) + "\n"


FIGURES = Figures("effort", table)

if __name__ == "__main__":
    FIGURES.keep([row for game in GAMES for row in measured(*game)])
