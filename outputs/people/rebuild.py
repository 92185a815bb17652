"""What the prior ``people`` is worth: ``python outputs/people/rebuild.py``.

``against-people`` and ``against-uniform`` hold the tournaments, each written by one command;
``people.svg`` and ``uniform.svg`` the two maps of an empty board; ``logged-games.json`` and
``logged-games.svg`` what the published games say of the program that played in them, beside the
players here.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from seabattle.enumerate.colours import LIGHT
from seabattle.solver.tournament.plots import (
    SIZE,
    PlayerStyle,
    colours_of,
    figure_svg,
    headed,
    label_ends,
    player_styles,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MOVES = ROOT / "enumerate" / "priors" / "people" / "moves.csv"
SKY_BLUE, VERMILION = "#56b4e9", "#d55e00"
"""Two colours that colour-blind readers tell apart, too."""
CELLS = 100
FIRST, LAST = 5, 90
"""Percentages of the games between which curves are drawn: beyond, single games make them."""

PLAYERS = "greedy-map,greedy-map@people,density"
COMMANDS = [
    f"tournament --board 10x10 --fleet hasbro --players {PLAYERS} --layouts {layouts}"
    f" --games {games} --seed 1 --out outputs/people/against-{layouts}"
    for layouts, games in (("people", 3000), ("uniform", 1000))
] + [
    "count --board 10x10 --fleet hasbro --prior people --map outputs/people/people.svg",
    "count --board 10x10 --fleet hasbro --map outputs/people/uniform.svg",
]

MODES = {
    "1": "shoots at random",
    "2": "by the probability of a uniform prior",
    "3": "the same, weighted by where earlier people had placed ships",
}


def survival(
    finished: Mapping[int, int], broken_off: Mapping[int, int], *, late: bool
) -> list[float]:
    """The product-limit estimate of the share of games that take more than m moves.

    Moves are known of the winner only. A game that the opponent won was broken off: this side
    would have needed more moves than it had made. Taking the two boards of a game as independent,
    the share of games that end at move m is estimated among those still going on then (Kaplan and
    Meier, [Kaplan1958]).

    Parameters
    ----------
    finished
        Number of games that this side won, by its moves.
    broken_off
        Number of games that the opponent won, by the opponent's moves.
    late
        Whether this side had then made as many moves as the opponent, or one less: who begins is
        not recorded.

    Returns
    -------
    list of float
        The share for m = 0 to ``CELLS``; their sum is the mean number of moves, if the last is 0.

    Examples
    --------
    >>> sum(survival({2: 1, 4: 1}, {}, late=True))
    3.0
    >>> sum(survival({2: 1, 4: 1}, {3: 2}, late=True))
    3.5
    """
    left = sum(finished.values()) + sum(broken_off.values())
    share, shares = 1.0, [1.0]
    for move in range(1, CELLS + 1):
        if not late:
            left -= broken_off.get(move, 0)
        if left:
            share *= 1 - finished.get(move, 0) / left
        left -= finished.get(move, 0) + (broken_off.get(move, 0) if late else 0)
        shares.append(share)
    return shares


def wins(lines: Iterable[Mapping[str, str]]) -> dict[tuple[str, str], Counter[int]]:
    """Games without autoplay by the program's mode and whether it won: their number by moves."""
    won: dict[tuple[str, str], Counter[int]] = {}
    for line in lines:
        if line["autoplay"] == "0":
            side = won.setdefault((line["ai_mode_id"], line["ai_win"]), Counter())
            side[int(line["moves"])] += int(line["games"])
    return won


def logged_games(lines: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """For each mode of the program, without autoplay: mean moves of the program and of people."""
    won = wins(lines)
    rows = []
    for mode, meaning in MODES.items():
        program, person = won[mode, "1"], won[mode, "0"]
        row: dict[str, Any] = {"ai_mode_id": int(mode), "program": meaning}
        for name, own, other in (("program", program, person), ("people", person, program)):
            row[f"{name}_won"] = sum(own.values())
            row[f"{name}_moves_when_won"] = sum(m * n for m, n in own.items()) / sum(own.values())
            means = sorted(sum(survival(own, other, late=late)) for late in (False, True))
            row[f"{name}_moves"] = means
            row[f"{name}_median"] = [
                next(
                    move
                    for move, share in enumerate(survival(own, other, late=late))
                    if share <= 0.5
                )
                for late in (False, True)
            ]
        rows.append(row)
    return rows


def comparison(lines: Sequence[Mapping[str, str]], played: Sequence[Mapping[str, str]]) -> Any:
    """Figure of the moves within which games are won: the published program, and players here.

    Parameters
    ----------
    lines
        Of ``moves.csv``.
    played
        Of ``against-people/distribution.csv``: shots, and the games of each player.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, dpi=96, layout="constrained")
    axes = headed(
        figure.subplots(),
        "Moves saved against greedy-map on fleets of people",
        [
            "10x10, Hasbro fleet 5,4,3,3,2; ships may touch",
            "Published games against a program, and players here against ships hidden as people do",
        ],
        LIGHT,
        remark="Above 0: that share of the games is won within fewer moves. "
        "Bands: who began is not recorded.",
        across="% of the games",
        up="moves saved",
    )
    moves = np.arange(CELLS + 1)
    drawn = np.linspace(FIRST, LAST, 200)

    def within(shares: Sequence[float]) -> Any:
        """The moves within which so many per cent of the games are won."""
        return np.interp(drawn, shares, moves)

    own = {}
    for player in [name for name in played[0] if name != "shots"]:
        games = {int(line["shots"]): int(line[player]) for line in played}
        counts = [100 * games.get(move, 0) for move in moves]
        own[player] = within(np.cumsum(counts) / sum(games.values()))
    labels = []
    for mode, colour, name in (
        ("2", SKY_BLUE, "program, uniform"),
        ("3", VERMILION, "program, by earlier people"),
    ):
        sides = wins(lines)
        band = [
            own["greedy-map"]
            - within([100 * (1 - share) for share in survival(*wins_of, late=late)])
            for wins_of in [(sides[mode, "1"], sides[mode, "0"])]
            for late in (False, True)
        ]
        axes.fill_between(drawn, *band, color=colour, alpha=0.35, linewidth=0.8)
        labels.append((name, float(np.mean(band, axis=0)[-1]), PlayerStyle(colour, "-", "")))
    for player, style in player_styles(list(own), LIGHT).items():
        saved = own["greedy-map"] - own[player]
        axes.plot(drawn, saved, color=style.colour, linestyle=style.stroke, linewidth=2.4)
        labels.append((player, float(saved[-1]), style))
    axes.set_xlim(FIRST, LAST)
    label_ends(axes, labels)
    return figure


def main() -> None:
    """Run every command from the repository's root, and estimate from the logged games."""
    for command in COMMANDS:
        print("$ seabattle", command, flush=True)
        subprocess.run([sys.executable, "-m", "seabattle", *command.split()], cwd=ROOT, check=True)
    lines, played = (
        list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        for path in (MOVES, HERE / "against-people" / "distribution.csv")
    )
    rows = logged_games(lines)
    with colours_of(LIGHT):
        picture = figure_svg(comparison(lines, played))
    (HERE / "logged-games.svg").write_text(picture, encoding="utf-8")
    record = {
        "command": "python outputs/people/rebuild.py",
        "version": version("seabattle"),
        "source": "https://github.com/cliambrown/battleship-data, commit 3cb5352 (MIT)",
        "modes": rows,
    }
    (HERE / "logged-games.json").write_text(f"{json.dumps(record, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
