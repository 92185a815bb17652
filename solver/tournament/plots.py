"""The plots of a tournament, for a slide.

``histogram``    how many shots the games of each player take; players one above the other, each to
                 its own scale, so that one whose games nearly all end alike does not flatten the
                 others
``cumulative``   after how many shots a share of the games is won
``differences``  shots saved against one of the players, the baseline, where curves nearly coincide:
                 with each number of shots s the mean of min(b, s) - min(a, s) over the games, with
                 a and b the shots of the player and of the baseline on the same layout. That is
                 what would be saved if every game ended with the shot s at the latest; at the end
                 it is the difference of the means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import rule_words
from seabattle.enumerate.colours import LIGHT, Palette
from seabattle.enumerate.errors import PlayerError, quoted
from seabattle.enumerate.picture import colours_of, figure_svg
from seabattle.enumerate.rules import NAMED_FLEETS, Fleet
from seabattle.solver.tournament.player_styles import player_styles
from seabattle.solver.tournament.plot_frame import HEIGHT, TEXT, WIDTH, Frame, Label
from seabattle.solver.tournament.standings import Standings
from seabattle.solver.tournament.statistics import Duel, Score, student

USUAL_BASELINE = "greedy-map"
NEAR = 0.05
"""Players are near the baseline if their means differ by no more than this share of its shots."""

_LAYOUTS = {
    "uniform": "every layout equally likely",
    "all": "every layout once",
    "sequential": "ships placed one after another",
    "equilibrium": "ships hidden by the equilibrium's mix",
    "people": "ships hidden as people do",
}


def plots(
    standings: Standings, palette: Palette = LIGHT, *, baseline: str | None = None
) -> dict[str, str]:
    """Every plot of a tournament as an SVG document, by its name.

    Parameters
    ----------
    standings
        What came of it.
    palette
        Colours.
    baseline
        Against whom shots are saved; by default ``greedy-map`` where it played, else the player
        with the fewest misses.

    Raises
    ------
    PlayerError
        If the baseline did not play.
    """
    against = baseline_of(standings, baseline)
    with colours_of(palette):
        drawn = {
            "histogram": histogram(standings, palette),
            "cumulative": cumulative(standings, palette),
        }
        if standings.duels:
            drawn["differences"] = differences(standings, against, palette)
        return {name: figure_svg(figure) for name, figure in drawn.items()}


def baseline_of(standings: Standings, asked: str | None) -> str:
    """The player against whom shots are saved; see ``plots``."""
    players = standings.players
    if asked is None:
        best = min(standings.scores, key=lambda score: score.misses.mean).player
        return USUAL_BASELINE if USUAL_BASELINE in players else best
    if asked not in players:
        raise PlayerError(f"baseline {quoted(asked)} is none of the players {', '.join(players)}")
    return asked


# Words


def fleet_words(fleet: Fleet) -> str:
    """A fleet by its name, if it has one, and its lengths.

    >>> fleet_words(Fleet.parse("hasbro")), fleet_words(Fleet.parse("3,2"))
    ('Hasbro fleet 5,4,3,3,2', 'fleet 3,2')
    """
    names = [name for name, lengths in NAMED_FLEETS.items() if Fleet(lengths) == fleet]
    return f"{names[0].title()} fleet {fleet}" if names else f"fleet {fleet}"


def layouts_words(layouts: str) -> str:
    """Where layouts come from.

    >>> layouts_words("all"), layouts_words("worst-for density"), layouts_words("mine.txt")
    ('every layout once', 'the layouts worst for density', 'layouts of mine.txt')
    """
    if layouts.startswith("worst-for"):
        return f"the layouts worst for {layouts.removeprefix('worst-for').strip(' :')}"
    if layouts.startswith("prior "):
        return f"ships hidden by {Path(layouts.removeprefix('prior ').strip()).name}"
    return _LAYOUTS.get(layouts, f"layouts of {Path(layouts).name}")


def _lines(standings: Standings) -> list[str]:
    """The game, and what was played."""
    rules = standings.position.rules
    told = "" if standings.prior == "uniform" else f"; players believe the prior {standings.prior}"
    known = f"; from a position after {len(standings.position.shots)} shots"
    return [
        f"{rules.board}, {fleet_words(rules.fleet)}; {rule_words(rules)}",
        f"{standings.games:,} games each, {layouts_words(standings.layouts)}{told}"
        f"{known if standings.position.shots else ''}",
    ]


def _mean_words(score: Score) -> str:
    low, high = score.shots.interval
    mean = float(score.shots.mean)
    if score.shots.exact:
        return f"{mean:.2f}"
    half = (high - low) / 2
    return f"{mean:.2f} ± {half:.2f}" if half < 100 else f"{mean:.2f}"


# Histogram


def bin_width(scores: Sequence[Score]) -> int:
    """Shots that one bar counts, so that chance does not make the shape (Freedman, Diaconis).

    Twice the range of the middle half of the games over the cube root of their number, for the
    middle one of the players; 1 at least.
    """
    ranges = sorted(s.shots.quantile(0.75) - s.shots.quantile(0.25) for s in scores)
    middle: float = ranges[len(ranges) // 2]
    return max(1, round(2 * middle / math.cbrt(scores[0].shots.games)))


def binned(score: Score, last: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Edges of bars that end with a number of shots, and the percentage of games in each.

    Returns
    -------
    int64 ``(n + 1,)``
        A bar counts the shots beyond its first edge up to its second.
    float64 ``(n,)``
        They sum to 100.
    """
    first = score.shots.minimum
    number = -(-(last + 1 - first) // width)
    edges = last - width * np.arange(number, -1, -1)
    counts = score.shots.counts
    reached = np.concatenate([[0], np.cumsum(counts)])  # reached[s + 1] games take s shots or fewer
    ends = np.clip(edges + 1, 0, len(counts))
    return edges, 100 * np.diff(reached[ends]) / score.shots.games


def histogram(standings: Standings, palette: Palette) -> Any:
    """Figure of the numbers of shots of each player, one above the other, best on top."""
    scores = sorted(standings.scores, key=lambda score: (score.shots.mean, score.player))
    width = bin_width(scores)
    of_width = "" if width == 1 else f", {width} numbers of shots to a bar"
    frame = Frame(
        "How many shots a game takes",
        _lines(standings),
        palette,
        remark=f"Height: share of the games{of_width}, each player to its own scale. Line: mean. "
        f"Peak: highest bar.",
        across="shots",
    )
    styles = player_styles(standings.players, palette)
    last = max(score.shots.maximum for score in scores)
    first = min(score.shots.minimum for score in scores)
    axes = frame.axes
    rows = len(scores)
    points = min(TEXT, 0.62 * (frame.top - frame.bottom) / rows)
    bars = [binned(score, last, width) for score in scores]
    columns = [
        ["mean", *(_mean_words(score) for score in scores)],
        ["peak", *(f"{shares.max():.0f} %" for _, shares in bars)],
    ]
    wide = [max(frame.size(text, points)[0] for text in column) for column in columns]
    frame.make_room(
        left=max(frame.size(score.player, points)[0] for score in scores) + 12,
        right=sum(wide) + 28,
        top=14,
    )
    left, right = first - width - 0.5, last + 0.9
    axes.set_xlim(left, right)
    axes.set_ylim(0, rows)
    for row, (score, (edges, shares)) in enumerate(zip(scores, bars, strict=True)):
        ground = rows - 1 - row
        axes.stairs(
            ground + 0.78 * shares / shares.max(), edges + 0.5, baseline=ground,
            fill=palette.filled, color=styles[score.player].colour,
            linewidth=0 if palette.filled else 1.4,
        )  # fmt: skip
        axes.plot([left, right], [ground, ground], color=palette.ink_soft, linewidth=0.8)
        for colour, line in ((palette.ground, 3.6), (palette.ink, 1.4)):
            axes.plot([score.shots.mean] * 2, [ground, ground + 0.9], color=colour, linewidth=line,
                      solid_capstyle="butt")  # fmt: skip
        _write(frame, frame.left - 10, ground + 0.4, score.player, points, ha="right", va="center")
    for at, column in ((frame.right + 10, columns[0]), (frame.right + 28 + wide[0], columns[1])):
        soft = palette.ink_soft
        _write(frame, at, rows, column[0], points, ha="left", va="bottom", color=soft)
        for row, text in enumerate(column[1:]):
            _write(frame, at, rows - row - 0.6, text, points, ha="left", va="center")
    axes.set_yticks([])
    axes.grid(axis="y", visible=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return frame.figure


def _write(frame: Frame, across: float, row: float, text: str, points: float, **how: Any) -> None:
    """Write a text beside a row of the histogram, so many pixels from the left."""
    low, high = frame.axes.get_ylim()
    up = frame.bottom + (row - low) / (high - low) * (frame.top - frame.bottom)
    place = across / WIDTH, up / HEIGHT
    frame.figure.text(*place, text, fontsize=points, **{"color": frame.palette.ink, **how})


# Cumulative


def cumulative(standings: Standings, palette: Palette) -> Any:
    """Figure of the number of shots within which each share of the games is won."""
    frame = Frame(
        "Within how many shots the games are won",
        _lines(standings),
        palette,
        remark="The lower a curve, the better the player. Labels: the mean of the shots.",
        across="% of the games",
        up="shots",
    )
    axes = frame.axes
    styles = player_styles(standings.players, palette)
    last = max(score.shots.maximum for score in standings.scores)
    first = min(score.shots.minimum for score in standings.scores)
    labels = []
    for score in standings.scores:
        style = styles[score.player]
        shares = 100 * np.cumsum(score.shots.counts) / score.shots.games
        drawn = slice(max(0, score.shots.minimum - 1), score.shots.maximum + 1)
        at = np.arange(len(shares))[drawn]
        axes.plot(shares[drawn], at, color=style.colour, linestyle=style.stroke, linewidth=2.4)
        marks = [20, 50, 80]
        axes.plot(marks, np.interp(marks, shares[drawn], at), color=style.colour,
                  marker=style.marker, markersize=6, linestyle="none")  # fmt: skip
        text = f"{score.player} {_mean_words(score)}"
        labels.append(Label(text, score.shots.maximum, style))
    axes.set_xlim(0, 100)
    axes.set_ylim(first - 1, last + 0.02 * (last - first))
    axes.yaxis.get_major_locator().set_params(integer=True)
    frame.label(labels)
    return frame.figure


# Differences


def saved_by(duel: Duel, most: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shots that the second of two players saves against the first, as the game goes on.

    Parameters
    ----------
    duel
        Two players, whose games are known.
    most
        The largest number of shots.

    Returns
    -------
    float64 ``(most + 1,)``
        For each number of shots s the mean of min(a, s) - min(b, s) over the games, with a shots
        of the first and b of the second player.
    float64 ``(most + 1,)``
        Half of its 95 % interval; 0 where every layout was played.
    """
    assert duel.together is not None
    firsts, seconds = np.nonzero(duel.together)
    games = duel.together[firsts, seconds].astype(float)
    number = games.sum()
    by = np.arange(most + 1)[:, None]
    saved = np.minimum(firsts, by) - np.minimum(seconds, by)
    mean = saved @ games / number
    if duel.exact or number < 2:
        return mean, np.zeros(most + 1)
    squares = ((saved - mean[:, None]) ** 2) @ games
    return mean, student(int(number) - 1) * np.sqrt(squares / (number - 1) / number)


def _mean_saved(one: Score, other: Score, most: int) -> NDArray[np.float64]:
    """The mean of ``saved_by``, for which the games of each player by itself suffice."""
    by = np.arange(most + 1)[:, None]
    shots = np.arange(len(one.shots.counts))
    reached = np.minimum(shots, by)
    found: NDArray[np.float64] = reached @ (one.shots.counts - other.shots.counts) / one.shots.games
    return found


def near_players(standings: Standings, baseline: str) -> list[str]:
    """The players whose means are near that of the baseline; all if none is."""
    mean = float(standings.score(baseline).shots.mean)
    others = [score for score in standings.scores if score.player != baseline]
    near = [s.player for s in others if abs(float(s.shots.mean) - mean) <= NEAR * mean]
    return near or [score.player for score in others]


def differences(standings: Standings, baseline: str, palette: Palette) -> Any:
    """Figure of the shots saved against the baseline by the players that are near it."""
    near = near_players(standings, baseline)
    base = standings.score(baseline)
    duels = {player: standings.duel(baseline, player) for player in near}
    far = [p for p in standings.players if p not in near and p != baseline]
    remark = _band_words(list(duels.values()))
    if far:
        away = ", ".join(
            p + _minus(f" {float(base.shots.mean - standings.score(p).shots.mean):+.1f}")
            for p in far
        )
        remark += f" Too far away to be drawn: {away}."
    frame = Frame(
        f"Shots saved against {baseline}",
        _lines(standings),
        palette,
        remark=remark,
        across="shots of the game so far",
        up="shots saved",
    )
    axes = frame.axes
    styles = player_styles(standings.players, palette)
    drawn = [base, *(standings.score(player) for player in near)]
    last = max(score.shots.maximum for score in drawn)
    first = min(score.shots.minimum for score in drawn) - 1
    at = np.arange(first, last + 1)
    axes.set_xlim(first, last)
    labels = []
    for player, duel in duels.items():
        style = styles[player]
        if duel.together is None:
            mean, half = _mean_saved(base, standings.score(player), last), None
        else:
            mean, half = saved_by(duel, last)
        axes.plot(at, mean[first:], color=style.colour, linestyle=style.stroke, linewidth=2.4)
        if half is not None and half.any():
            edges = {"color": style.colour, "linewidth": 0}
            if not palette.filled:
                edges = {"facecolor": "none", "edgecolor": style.colour, "linewidth": 0.8,
                         "linestyle": style.stroke}  # fmt: skip
            axes.fill_between(at, (mean - half)[first:], (mean + half)[first:],
                              alpha=0.16 if palette.filled else 1, **edges)  # fmt: skip
        marks = np.unique(np.linspace(first, last, 6)[1:-1].round().astype(int))
        axes.plot(marks, mean[marks], color=style.colour, marker=style.marker, markersize=6,
                  linestyle="none")  # fmt: skip
        labels.append(Label(f"{player} {_saved_words(duel)}", float(mean[last]), style))
    axes.axhline(0, color=palette.ink, linewidth=1.2)
    labels.append(Label(f"{baseline} 0", 0.0, styles[baseline]))
    axes.margins(y=0.08)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.set_major_formatter(_signed)
    frame.label(labels)
    return frame.figure


def _band_words(duels: Sequence[Duel]) -> str:
    told = "Above 0: fewer shots than the baseline if every game ended there."
    if all(duel.exact for duel in duels):
        return f"{told} Every layout was played: the figures are exact."
    if any(duel.together is not None for duel in duels):
        return f"{told} Bands and ±: 95 % intervals, game by game on the same layouts."
    return f"{told} ±: 95 % intervals, game by game on the same layouts."


def _saved_words(duel: Duel) -> str:
    """The mean saved by the second player, with its interval, to the figures that matter."""
    low, high = duel.interval
    half = (high - low) / 2
    if duel.exact or half > 1e9:
        return _minus(f"{duel.mean:+.3f}")
    places = 3 if half < 0.01 else 2
    return _minus(f"{duel.mean:+.{places}f} ± {half:.{places}f}")


def _signed(value: float, place: object = None) -> str:
    """A tick of the axis of differences."""
    return "0" if abs(value) < 1e-12 else _minus(f"{value:+.6g}")


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")
