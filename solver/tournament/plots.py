"""The figures of a tournament. Each is a function that draws on matplotlib axes and returns them.

``histogram``    how many shots the games of each player take; players one above the other, each to
                 its own scale, so that one whose games nearly all end alike does not flatten the
                 others
``cumulative``   after how many shots a share of the games is won
``differences``  shots saved against one of the players, the baseline, where curves nearly coincide:
                 with each number of shots s the mean of min(b, s) - min(a, s) over the games, with
                 a and b the shots of the player and of the baseline on the same layout. That is
                 what would be saved if every game ended with the shot s at the latest; at the end
                 it is the difference of the means.

``pictures_of`` draws all three as SVG, each as large as a slide.
"""

from __future__ import annotations

import io
import math
import textwrap
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import rule_words
from seabattle.enumerate.colours import LIGHT, Palette, Theme
from seabattle.enumerate.picture import resized
from seabattle.enumerate.rules import NAMED_GAMES, Fleet
from seabattle.solver.tournament.standings import Standings
from seabattle.solver.tournament.statistics import Duel, Score, student, with_interval

LINES = {
    Theme.LIGHT: (
        "#00021a", "#2356b9", "#a053f9", "#53906d", "#c29a28", "#885681", "#552306", "#90a1b1",
        "#a16622", "#a9a16a", "#3fa2ea", "#813022", "#165860",
    ),
    Theme.DARK: (
        "#a3baef", "#3c7fee", "#c74bad", "#7df991", "#c6b21a", "#ed8198", "#907950", "#d9e1f2",
        "#f6a377", "#f3de56", "#719fca", "#e25471", "#66dace",
    ),
    Theme.PRINT: ("#000000", "#666666", "#000000", "#999999"),
}  # fmt: skip
"""Lines that keep their colour in every plot: eight that are drawn through, and five that are
dashed. Those with the same stroke are told apart by colour-blind readers, too; so are the others, a
little less surely. In print, where colours repeat, strokes and markers tell them apart."""

LINES_DRAWN_THROUGH = 8
"""So many of them are drawn through, the others are dashed."""

USUAL_BASELINE = "greedy-map"
NEAR = 0.05
"""Players are near the baseline if their means differ by no more than this share of its shots."""

SIZE = 10.0, 5.625
"""Of a figure, in inches of 96 pixels: a slide."""
TITLE, TEXT, SMALL = 17.0, 12.0, 10.5
"""Sizes of texts, in points; they can be read from the back of a room."""

_LAYOUTS = {
    "uniform": "every layout equally likely",
    "all": "every layout once",
    "sequential": "ships placed one after another",
    "equilibrium": "ships hidden by the equilibrium's mix",
    "people": "ships hidden as people do",
}


def pictures_of(
    standings: Standings, palette: Palette = LIGHT, *, baseline: str | None = None
) -> dict[str, str]:
    """Every figure of a tournament as an SVG document, by its name.

    Parameters
    ----------
    standings
        What came of it.
    palette
        Colours.
    baseline
        Against whom shots are saved; see ``baseline_of``.

    Raises
    ------
    PlayerError
        If the baseline did not play.
    """
    from matplotlib.figure import Figure

    against = baseline_of(standings, baseline)
    figures = {"histogram": histogram, "cumulative": cumulative}
    if standings.duels:
        figures["differences"] = partial(differences, baseline=against)
    drawn = {}
    with colours_of(palette):
        for name, draw in figures.items():
            figure: Any = Figure(figsize=SIZE, dpi=96)
            figure.set_layout_engine("constrained", w_pad=0.12, h_pad=0.12)
            draw(figure.subplots(), standings, palette=palette)
            drawn[name] = figure_svg(figure)
    return drawn


def baseline_of(standings: Standings, asked: str | None = None) -> str:
    """Who is asked for; else ``greedy-map`` where it played, else who missed least.

    Raises
    ------
    PlayerError
        If who is asked for did not play.
    """
    if asked is not None:
        return standings.score(asked).player
    best = min(standings.scores, key=lambda score: score.misses.mean).player
    return USUAL_BASELINE if USUAL_BASELINE in standings.players else best


# Styles


@dataclass(frozen=True)
class PlayerStyle:
    """Colour as ``#rrggbb``; stroke and marker as matplotlib takes them."""

    colour: str
    stroke: Any
    marker: str


_PLACES = (
    "exact", "greedy-map", "lookahead", "density", "diagonal", "bob", "hunt-target", "random",
    "map-endgame", "hunt-target-parity", "over-9000", "learning", "equilibrium",
)  # fmt: skip
"""The player of each of the ``LINES``."""

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "d", "*")
_STROKES: tuple[Any, ...] = ((0, (1.2, 1.4)), (0, (6, 1.5, 1.2, 1.5)))
"""Of a player of the program with a prior of its own, and of any other player."""


def player_styles(players: Sequence[str], palette: Palette = LIGHT) -> dict[str, PlayerStyle]:
    """How the players of a tournament are drawn, in every figure alike.

    A player of the program has its own style. The same player with a prior of its own
    (``greedy-map@people``) has the same colour, dotted. Any other player has a style that follows
    from its name, unless another one of the tournament has the same.

    Examples
    --------
    >>> one = player_styles(["density", "mine"])
    >>> other = player_styles(["mine", "bob", "density"])
    >>> one["density"] == other["density"], one["mine"] == other["mine"]
    (True, True)
    """
    taken: dict[str, tuple[int, int]] = {}
    for player in sorted(players, key=lambda name: name.partition("@")[0] not in _PLACES):
        known, at, _ = player.partition("@")
        first = _PLACES.index(known) if known in _PLACES else zlib.crc32(player.encode())
        kind = bool(at) if known in _PLACES else 2
        near = [((first + n) % len(_PLACES), k) for k in (kind, 2, 1) for n in range(len(_PLACES))]
        taken[player] = next((each for each in near if each not in taken.values()), near[0])
    return {player: _style(*style, palette) for player, style in taken.items()}


def _style(number: int, kind: int, palette: Palette) -> PlayerStyle:
    colours = LINES[palette.theme]
    usual = "-" if number < LINES_DRAWN_THROUGH else (0, (5, 1.6))
    stroke = (usual, *_STROKES)[kind]
    return PlayerStyle(colours[number % len(colours)], stroke, _MARKERS[number])


# Words


def fleet_words(fleet: Fleet) -> str:
    """A fleet by its name, if it has one, and its lengths.

    >>> fleet_words(Fleet.parse("hasbro")), fleet_words(Fleet.parse("3,2"))
    ('Hasbro fleet 5,4,3,3,2', 'fleet 3,2')
    """
    names = [name for name in NAMED_GAMES if Fleet.parse(name) == fleet]
    return f"{names[0].title()} fleet {fleet}" if names else f"fleet {fleet}"


def layouts_words(layouts: str) -> str:
    """Where layouts come from.

    >>> layouts_words("all"), layouts_words("worst-for density"), layouts_words("mine.txt")
    ('every layout once', 'the layouts worst for density', 'layouts of mine.txt')
    """
    if layouts.startswith("worst-for "):
        return f"the layouts worst for {layouts.removeprefix('worst-for ')}"
    if layouts.startswith("prior "):
        return f"ships hidden by {Path(layouts.removeprefix('prior ').strip()).name}"
    return _LAYOUTS.get(layouts, f"layouts of {Path(layouts).name}")


def _luck_words(standings: Standings) -> str:
    """What the numbers beside the curves leave out."""
    return " Means in numbers: less luck." if standings.less_luck else ""


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _wrapped(text: str, points: float, width: float) -> list[str]:
    """Lines that are no wider than so many inches, by the usual width of a letter."""
    return textwrap.wrap(text, int(72 * width / (0.55 * points)))


def _lines(standings: Standings) -> list[str]:
    """The game, and what was played."""
    rules = standings.position.rules
    told = "" if standings.prior == "uniform" else f"; players believe the prior {standings.prior}"
    shots = len(standings.position.shots)
    known = f"; from a position after {shots} shots" if shots else ""
    return [
        f"{rules.board}, {fleet_words(rules.fleet)}; {rule_words(rules)}",
        f"{standings.games:,} games each, {layouts_words(standings.layouts)}{told}{known}",
    ]


def headed(
    axes: Any,
    title: str,
    lines: Sequence[str],
    palette: Palette = LIGHT,
    *,
    remark: str = "",
    across: str = "",
    up: str = "",
    width: float = SIZE[0] - 2,
) -> Any:
    """Write a title and lines above axes, their names beside them, and a remark below.

    Lines and remark are no wider than ``width``, in inches.
    """
    wrapped = [part for line in lines for part in _wrapped(line, TEXT, width)]
    axes.set_title(title, loc="left", fontsize=TITLE, weight="bold",
                   pad=1.35 * TEXT * len(wrapped) + 24)  # fmt: skip
    soft = {"xycoords": "axes fraction", "textcoords": "offset points", "color": palette.ink_soft}
    axes.annotate("\n".join(wrapped), (0, 1), (0, 18), fontsize=TEXT, va="bottom", **soft)
    below = "\n".join(_wrapped(remark, SMALL, width))
    axes.annotate(below, (0, 0), (0, -46), fontsize=SMALL, va="top", **soft)
    axes.set_xlabel(across, fontsize=TEXT)
    axes.set_ylabel(up, fontsize=TEXT)
    axes.tick_params(labelsize=TEXT)
    axes.grid(visible=True)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def label_ends(axes: Any, labels: Sequence[tuple[str, float, PlayerStyle]]) -> None:
    """Write texts beside the ends of curves, which reach the right edge of the axes.

    They are given with the heights of the ends, and moved apart as far as their own heights ask.
    """
    low, high = axes.get_ylim()
    height = 1.35 * TEXT / (72 * 0.66 * axes.figure.get_figheight())
    labels = sorted(labels, key=lambda label: label[1])
    ends = (np.array([end for _, end, _ in labels]) - low) / (high - low)
    apart = height * np.arange(len(labels))
    most = max(1.02, len(labels) * height) - apart[-1]
    places = np.clip(np.maximum.accumulate(ends - apart), -0.02, most) + apart
    for (text, _, style), end, place in zip(labels, ends, places, strict=True):
        axes.plot([1, 1.03, 1.06], [end, place, place], transform=axes.transAxes,
                  color=style.colour, linewidth=1, clip_on=False)  # fmt: skip
        axes.plot([1.045], [place], transform=axes.transAxes, color=style.colour,
                  marker=style.marker, markersize=6, clip_on=False)  # fmt: skip
        axes.text(1.07, place, text, transform=axes.transAxes, fontsize=TEXT, va="center")


def curve(axes: Any, style: PlayerStyle, x: Any, y: Any, marks: Any) -> None:
    """Draw a player's curve, with its marker at some places."""
    axes.plot(x, y, color=style.colour, linestyle=style.stroke, linewidth=2.4)
    axes.plot(marks, np.interp(marks, x, y), color=style.colour, marker=style.marker,
              markersize=6, linestyle="none")  # fmt: skip


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


def histogram(axes: Any, standings: Standings, palette: Palette = LIGHT) -> Any:
    """Draw the numbers of shots of each player, one above the other, best on top."""
    scores = sorted(standings.scores, key=lambda score: (score.shots.mean, score.player))
    width = bin_width(scores)
    of_width = "" if width == 1 else f", {width} numbers of shots to a bar"
    remark = (
        f"Height: share of the games{of_width}, each player to its own scale. Line: mean. "
        f"Peak: highest bar.{_luck_words(standings)}"
    )
    styles = player_styles(standings.players, palette)
    rows = len(scores)
    last = max(score.shots.maximum for score in scores)
    left = min(score.shots.minimum for score in scores) - width - 0.5
    beside = axes.get_yaxis_transform()
    points = min(TEXT, 200 / rows)
    beginning = 0.62 * points * max(len(score.player) for score in scores) / 72
    headed(axes, "How many shots a game takes", _lines(standings), palette, remark=remark,
           across="shots", width=SIZE[0] - 0.5 - beginning)  # fmt: skip
    axes.text(1.02, rows, "mean, peak", transform=beside, fontsize=points, va="bottom",
              color=palette.ink_soft)  # fmt: skip
    for row, score in enumerate(scores):
        edges, shares = binned(score, last, width)
        ground = rows - 1 - row
        axes.stairs(
            ground + 0.78 * shares / shares.max(), edges + 0.5, baseline=ground,
            fill=palette.filled, color=styles[score.player].colour,
            linewidth=0 if palette.filled else 1.4,
        )  # fmt: skip
        axes.plot([left, last + 0.9], [ground, ground], color=palette.ink_soft, linewidth=0.8)
        for colour, line in ((palette.ground, 3.6), (palette.ink, 1.4)):
            axes.plot([score.shots.mean] * 2, [ground, ground + 0.9], color=colour, linewidth=line,
                      solid_capstyle="butt")  # fmt: skip
        mean = with_interval(score.shots.less_luck or score.shots, 2)
        told = f"{mean}, {shares.max():.0f} %"
        axes.text(1.02, ground + 0.4, told, transform=beside, fontsize=points, va="center")
    axes.set_xlim(left, last + 0.9)
    axes.set_ylim(0, rows)
    axes.set_yticks([rows - row - 0.6 for row in range(rows)], [score.player for score in scores])
    axes.tick_params(axis="y", length=0, labelsize=points)
    axes.grid(axis="y", visible=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return axes


# Curves


def cumulative(axes: Any, standings: Standings, palette: Palette = LIGHT) -> Any:
    """Draw the number of shots within which each share of the games is won."""
    left = ", less luck" if standings.less_luck else ""
    remark = f"The lower a curve, the better the player. Labels: the mean of the shots{left}."
    headed(axes, "Within how many shots the games are won", _lines(standings), palette,
           remark=remark, across="% of the games", up="shots")  # fmt: skip
    styles = player_styles(standings.players, palette)
    labels = []
    for score in standings.scores:
        style = styles[score.player]
        shares = 100 * np.cumsum(score.shots.counts) / score.shots.games
        drawn = slice(max(0, score.shots.minimum - 1), score.shots.maximum + 1)
        at = np.arange(len(shares))[drawn]
        curve(axes, style, shares[drawn], at, [20, 50, 80])
        told = f"{score.player} {with_interval(score.shots.less_luck or score.shots, 2)}"
        labels.append((told, float(score.shots.maximum), style))
    first = min(score.shots.minimum for score in standings.scores)
    last = max(score.shots.maximum for score in standings.scores)
    axes.set_xlim(0, 100)
    axes.set_ylim(first - 1, last + 0.02 * (last - first))
    axes.yaxis.get_major_locator().set_params(integer=True)
    label_ends(axes, labels)
    return axes


def saved_by(one: Score, other: Score, most: int) -> NDArray[np.float64]:
    """Shots that the second of two players saves against the first, as the game goes on.

    Returns
    -------
    float64 ``(most + 1,)``
        For each number of shots s the mean of min(a, s) - min(b, s) over the games on the same
        layouts, with a and b the shots of the two.
    """
    reached = np.minimum(np.arange(len(one.shots.counts)), np.arange(most + 1)[:, None])
    found: NDArray[np.float64] = reached @ (one.shots.counts - other.shots.counts) / one.shots.games
    return found


def saved_band(
    first: NDArray[np.int16], second: NDArray[np.int16], most: int
) -> NDArray[np.float64]:
    """Half of the 95 % interval of what ``saved_by`` returns.

    Parameters
    ----------
    first, second
        int16 ``(n_games,)``: shots a and b of each game.
    most
        The largest number of shots.
    """
    pairs, games = np.unique(np.stack([first, second]), axis=1, return_counts=True)
    by = np.arange(most + 1)[:, None]
    saved = np.minimum(pairs[0], by) - np.minimum(pairs[1], by)
    number = int(games.sum())
    squares = ((saved - (saved @ games / number)[:, None]) ** 2) @ games
    half: NDArray[np.float64] = student(number - 1) * np.sqrt(squares / (number - 1) / number)
    return half


def near_players(standings: Standings, baseline: str) -> list[str]:
    """The players whose means are near that of the baseline; all if none is."""
    mean = float(standings.score(baseline).shots.mean)
    others = [score for score in standings.scores if score.player != baseline]
    near = [s.player for s in others if abs(float(s.shots.mean) - mean) <= NEAR * mean]
    return near or [score.player for score in others]


def differences(
    axes: Any, standings: Standings, palette: Palette = LIGHT, *, baseline: str | None = None
) -> Any:
    """Draw the shots saved against the baseline by the players that are near it."""
    baseline = baseline_of(standings, baseline)
    near = near_players(standings, baseline)
    base = standings.score(baseline)
    duels = {player: standings.duel(baseline, player) for player in near}
    remark = _band_words(list(duels.values()), games=standings.shots is not None)
    remark += _luck_words(standings)
    far = [
        f"{p}{_minus(f' {float(base.shots.mean - standings.score(p).shots.mean):+.1f}')}"
        for p in standings.players
        if p not in near and p != baseline
    ]
    if far:
        remark += f" Too far away to be drawn: {', '.join(far)}."
    headed(axes, f"Shots saved against {baseline}", _lines(standings), palette, remark=remark,
           across="shots of the game so far", up="shots saved")  # fmt: skip
    styles = player_styles(standings.players, palette)
    drawn = [base, *(standings.score(player) for player in near)]
    last = max(score.shots.maximum for score in drawn)
    first = min(score.shots.minimum for score in drawn) - 1
    at = np.arange(first, last + 1)
    axes.set_xlim(first, last)
    labels = [(f"{baseline} 0", 0.0, styles[baseline])]
    for player, duel in duels.items():
        style = styles[player]
        mean = saved_by(base, standings.score(player), last)
        marks = np.unique(np.linspace(first, last, 6)[1:-1].round().astype(int))
        curve(axes, style, at, mean[first:], marks)
        if standings.shots is not None and not duel.exact and duel.games > 1:
            shots = dict(zip(standings.players, standings.shots, strict=True))
            half = saved_band(shots[baseline], shots[player], last)
            look = {"alpha": 0.16, "color": style.colour, "linewidth": 0}
            if not palette.filled:
                look = {"facecolor": "none", "edgecolor": style.colour, "linewidth": 0.8,
                        "linestyle": style.stroke}  # fmt: skip
            axes.fill_between(at, (mean - half)[first:], (mean + half)[first:], **look)
        labels.append((f"{player} {_saved_words(duel)}", float(mean[last]), style))
    axes.axhline(0, color=palette.ink, linewidth=1.2)
    axes.margins(y=0.08)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.set_major_formatter(
        lambda value, _: "0" if abs(value) < 1e-12 else _minus(f"{value:+.6g}")
    )
    label_ends(axes, labels)
    return axes


def _band_words(duels: Sequence[Duel], *, games: bool) -> str:
    told = "Above 0: fewer shots than the baseline if every game ended there."
    if all(duel.exact for duel in duels):
        return f"{told} Every layout was played: the figures are exact."
    bands = "Bands and ±" if games else "±"
    return f"{told} {bands}: 95 % intervals, game by game on the same layouts."


def _saved_words(duel: Duel) -> str:
    """The mean saved by the second player, with its interval, to the figures that matter."""
    found = duel.less_luck or duel
    low, high = found.interval
    return _minus(with_interval(found, 2 if 0.02 <= high - low < math.inf else 3, "+"))


@contextmanager
def colours_of(palette: Palette) -> Iterator[None]:
    """Draw figures in the colours of a theme, without touching the caller's settings."""
    from matplotlib import rc_context

    soft = palette.ink_soft
    settings: Any = {
        "figure.facecolor": palette.ground, "savefig.facecolor": palette.ground,
        "axes.facecolor": palette.ground, "axes.edgecolor": soft, "axes.labelcolor": palette.ink,
        "axes.titlecolor": palette.ink, "text.color": palette.ink, "xtick.color": soft,
        "ytick.color": soft, "grid.color": palette.line, "grid.linewidth": 0.6,
        "svg.hashsalt": "seabattle", "svg.fonttype": "none", "font.family": "DejaVu Sans",
    }  # fmt: skip
    with rc_context(settings):
        yield


def figure_svg(figure: Any) -> str:
    """A figure as an SVG document; the same figure gives the same text.

    matplotlib writes sizes in points; pictures of this program have pixels.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    stream = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)  # print_svg has no types
    canvas.print_svg(stream, metadata={"Date": None})
    return resized(stream.getvalue().replace('pt"', '"', 2), 4 / 3)
