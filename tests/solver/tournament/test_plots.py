"""The plots of a tournament: texts inside and apart, fixed colours, and figures that are right."""

from __future__ import annotations

import itertools
import math
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.text import Text
from numpy.typing import NDArray

from seabattle import Rules, Standings
from seabattle.enumerate.colours import DARK, LIGHT, LINES, LINES_DARK, PRINT, Palette
from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.picture import colours_of
from seabattle.enumerate.position import Position
from seabattle.solver.players.registry import players
from seabattle.solver.tournament.player_styles import player_styles
from seabattle.solver.tournament.plot_frame import moved_apart
from seabattle.solver.tournament.plots import (
    baseline_of,
    binned,
    cumulative,
    differences,
    histogram,
    near_players,
    plots,
    saved_by,
)
from seabattle.solver.tournament.statistics import Score, Spread, Tally

HASBRO = Rules("10x10", "hasbro", "sides", "ship")
SMALL = Rules("5x5", "3,2,2,1,1,1")
ALL = [spec.name for spec in players()]


def standings(
    means: dict[str, float], *, rules: Rules = HASBRO, games: int = 200, layouts: str = "uniform"
) -> Standings:
    """A tournament whose players need about so many shots."""
    chance = np.random.default_rng(1)
    cells, least = rules.board.cells, rules.fleet.cells
    shots = np.array(
        [np.clip(chance.normal(m, m / 9, games).round(), least, cells) for m in means.values()]
    ).astype(np.int32)
    tally = Tally(list(means), cells)
    tally.add(shots)
    return Standings(
        position=Position(rules), layouts=layouts, prior="uniform", seed=1, wanted=games,
        scores=tuple(tally.score(player, least) for player in means),
        duels=tuple(tally.duel(a, b) for a, b in itertools.combinations(means, 2)),
        shots=shots.astype(np.int16),
    )  # fmt: skip


CASES = {
    "one player": standings({"density": 44}),
    "two that coincide": standings({"greedy-map": 43, "map-endgame": 43.01}),
    "all players": standings({name: 40 + 3 * n for n, name in enumerate(ALL)}),
    "all players alike": standings({name: 44 + n / 50 for n, name in enumerate(ALL)}),
    "at the end of the board": standings({"density": 60, "hunt-target": 140, "random": 150}),
    "long names": standings(
        {"greedy-map@a-prior-of-my-own.json": 43, "a player of mine with a name": 44, "bob": 50},
        layouts="prior somewhere/a-prior-of-my-own-with-a-long-name.json",
    ),
    "small board": standings({n: 12 + i for i, n in enumerate(ALL[:9])}, rules=SMALL, games=1428),
    "one game": standings({"density": 44, "random": 90}, games=1),
    "three games": standings({"density": 44, "bob": 50, "random": 90}, games=3),
}


def figures(found: Standings, palette: Palette) -> dict[str, Any]:
    """The figures, drawn once so that texts have places."""
    made = {"histogram": histogram(found, palette), "cumulative": cumulative(found, palette)}
    if found.duels:
        made["differences"] = differences(found, baseline_of(found, None), palette)
    for figure in made.values():
        FigureCanvasAgg(figure).draw()
    return made


def shown_texts(figure: Any) -> list[tuple[str, Any]]:
    """Texts with their boxes; numbers of ticks beyond the ends of an axis are not shown."""
    axes = figure.axes[0]
    beyond = set()
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                beyond.add(tick.label1)
    return [
        (text.get_text(), text.get_window_extent())
        for text in figure.findobj(Text)
        if text.get_text() and text.get_visible() and text not in beyond
    ]


@pytest.mark.parametrize("palette", [LIGHT, PRINT], ids=lambda palette: str(palette.theme))
@pytest.mark.parametrize("name", CASES)
def test_texts_are_inside_and_apart(name: str, palette: Palette) -> None:
    with colours_of(palette):
        made = figures(CASES[name], palette)
    for kind, figure in made.items():
        boxes = shown_texts(figure)
        for player in CASES[name].players if kind != "differences" else ():
            assert any(text.split(" ")[0] == player.split(" ")[0] for text, _ in boxes)
        for text, box in boxes:
            assert 0 <= box.x0 < box.x1 <= figure.bbox.width, f"{kind}: {text} is cut off"
            assert 0 <= box.y0 < box.y1 <= figure.bbox.height, f"{kind}: {text} is cut off"
        for (one, a), (other, b) in itertools.combinations(boxes, 2):
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            up = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert across < 1 or up < 2, f"{kind}: {one!r} and {other!r} overlap"


def drawn_colours(found: Standings, palette: Palette) -> dict[str, set[str]]:
    """For each player the colours of its bars, in the order of the rows, and of its curve."""
    with colours_of(palette):
        bars = histogram(found, palette).axes[0].patches
        lines = cumulative(found, palette).axes[0].lines
    rows = sorted(found.scores, key=lambda score: (score.shots.mean, score.player))
    seen: dict[str, set[str]] = {player: set() for player in found.players}
    for score, patch in zip(rows, bars, strict=True):
        seen[score.player].add(to_hex(patch.get_facecolor()))
    for player, line in zip(found.players, lines[::2], strict=True):
        seen[player].add(to_hex(line.get_color()))
    return seen


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: str(palette.theme))
def test_a_player_has_one_colour_in_all_plots(palette: Palette) -> None:
    many = drawn_colours(CASES["all players"], palette)
    few = drawn_colours(CASES["at the end of the board"], palette)
    mine = drawn_colours(CASES["long names"], palette)
    assert all(len(found) == 1 for found in (*many.values(), *few.values(), *mine.values()))
    for player in few:
        assert few[player] == many[player]
    assert mine["greedy-map@a-prior-of-my-own.json"] == many["greedy-map"]
    assert mine["bob"] == many["bob"]
    assert len(set.union(*many.values())) == len(ALL)


@pytest.mark.parametrize("palette", [LIGHT, DARK, PRINT], ids=lambda palette: str(palette.theme))
def test_styles_differ(palette: Palette) -> None:
    """Also those of players with the same name at heart, and of many strangers."""
    names = [
        *ALL,
        "greedy-map@people",
        "greedy-map@mine",
        *(f"p{n}" for n in range(15)),
    ]
    styles = player_styles(names, palette)
    assert len({(s.colour, str(s.stroke), s.marker) for s in styles.values()}) == len(names)
    assert player_styles(["p3"], palette)["p3"] == player_styles(["bob", "p3"], palette)["p3"]


_SEEN = {
    "everybody": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
"""Linear RGB as the colour-blind see it (Machado, Oliveira and Fernandes 2009)."""

_TO_LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                    [0.2119034982, 0.6806995451, 0.1073969566],
                    [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
_TO_LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                    [1.9779984951, -2.4285922050, 0.4505937099],
                    [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip


def linear(colour: str) -> NDArray[np.float64]:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def apart(one: str, other: str) -> float:
    """How far two colours are apart in OKLab, for those who see them most alike."""
    least = math.inf
    for seen in _SEEN.values():
        a, b = (
            _TO_LAB @ np.cbrt(_TO_LMS @ np.clip(seen @ linear(colour), 0, 1))
            for colour in (one, other)
        )
        least = min(least, float(np.linalg.norm(a - b)))
    return least


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: str(palette.theme))
def test_colour_blind_readers_tell_players_apart(palette: Palette) -> None:
    """By colour alone where strokes are the same; else by both."""
    assert len(LINES) == len(LINES_DARK) == len(set(LINES)) == len(set(LINES_DARK))
    styles = player_styles(ALL, palette)
    for one, other in itertools.combinations(styles.values(), 2):
        least = 0.1 if str(one.stroke) == str(other.stroke) else 0.055
        assert apart(one.colour, other.colour) >= least
    ground = linear(palette.ground) @ [0.2126, 0.7152, 0.0722]
    for style in styles.values():
        light = linear(style.colour) @ [0.2126, 0.7152, 0.0722]
        assert (max(light, ground) + 0.05) / (min(light, ground) + 0.05) > 2.5


LABELS = st.lists(st.tuples(st.floats(0, 500), st.floats(4, 20)), min_size=1, max_size=14)


@given(LABELS)
def test_labels_are_moved_apart_and_no_further(labels: list[tuple[float, float]]) -> None:
    wanted, heights = zip(*labels, strict=True)
    found = moved_apart(wanted, heights, 0, 500)
    order = sorted(range(len(labels)), key=lambda i: (wanted[i], i))
    for below, above in itertools.pairwise(order):
        room = (heights[below] + heights[above]) / 2
        assert found[above] - found[below] >= room - 1e-6
    for middle, height in zip(found, heights, strict=True):
        assert height / 2 - 1e-6 <= middle <= 500 - height / 2 + 1e-6


def test_labels_that_are_apart_stay() -> None:
    assert moved_apart([100, 20, 60], [10, 10, 10], 0, 120) == [100, 20, 60]
    assert moved_apart([60, 60, 60], [10, 10, 10], 0, 120) == [50, 60, 70]


GAMES = st.lists(st.tuples(st.integers(2, 9), st.integers(2, 9)), min_size=2, max_size=40)


@given(GAMES)
def test_shots_saved_are_those_of_the_games(games: list[tuple[int, int]]) -> None:
    """Game by game: mean and interval of min(a, s) - min(b, s), and at the end of a - b."""
    tally = Tally(["a", "b"], 9)
    tally.add(np.array(games, dtype=np.int32).T)
    duel = tally.duel("a", "b")
    mean, half = saved_by(duel, 9)
    for s in range(10):
        saved = Spread(-9, np.bincount([min(a, s) - min(b, s) + 9 for a, b in games], minlength=19))
        assert mean[s] == pytest.approx(float(saved.mean))
        assert half[s] == pytest.approx(saved.interval[1] - float(saved.mean), abs=1e-12)
    assert mean[9] == pytest.approx(duel.mean)
    assert duel.interval == pytest.approx((mean[9] - half[9], mean[9] + half[9]))
    assert not saved_by(tally.duel("a", "b", exact=True), 9)[1].any()


@given(st.lists(st.integers(0, 30), min_size=1, max_size=50), st.integers(1, 9))
def test_bars_count_every_game(shots: list[int], width: int) -> None:
    score = Score("a", Spread(0, np.bincount(shots, minlength=31)), 0)
    last = max(shots) + 1
    edges, shares = binned(score, last, width)
    assert shares.sum() == pytest.approx(100)
    assert edges[-1] == last
    for low, high, share in zip(edges[:-1], edges[1:], shares, strict=True):
        assert high - low == width
        inside = sum(low < s <= high for s in shots)
        assert share == pytest.approx(100 * inside / len(shots))


def test_a_player_whose_games_end_alike_does_not_flatten_the_others() -> None:
    """Each player's highest bar is as high as any other's."""
    found = CASES["at the end of the board"]
    with colours_of(LIGHT):
        bars = histogram(found, LIGHT).axes[0].patches
    tops = [float(bar.get_data().values.max() - bar.get_data().baseline) for bar in bars]
    assert tops == pytest.approx([tops[0]] * 3)
    assert tops[0] > 0.5
    shares = [binned(score, 100, 1)[1].max() for score in found.scores]
    assert max(shares) > 5 * min(shares)


def test_few_games_are_binned() -> None:
    widths = []
    for games in (20, 200, 1_000_000):
        found = standings({"density": 44}, games=games)
        text = plots(found)["histogram"]
        widths.append("numbers of shots to a bar" in text)
    assert widths == [True, True, False]


def test_near_players_are_compared() -> None:
    means = {"greedy-map": 50.0, "density": 51.0, "random": 90.0}
    assert near_players(standings(means), "greedy-map") == ["density"]
    assert near_players(standings(means), "random") == ["greedy-map", "density"]
    text = " ".join(
        ElementTree.fromstring(plots(standings(means))["differences"]).itertext()
    ).split()
    told = ["Too", "far", "away", "to", "be", "drawn:", "random", "−39"]
    assert text[text.index("Shots") :][:4] == ["Shots", "saved", "against", "greedy-map"]
    assert any(" ".join(text[at : at + 8]).startswith(" ".join(told)) for at in range(len(text)))
    assert baseline_of(standings({"bob": 60, "density": 44}), None) == "density"
    with pytest.raises(PlayerError, match="baseline 'bob' is none of the players"):
        baseline_of(standings(means), "bob")


def test_titles_are_words() -> None:
    text = plots(CASES["all players"])["cumulative"]
    for words in ("Within how many shots the games are won", "Hasbro fleet 5,4,3,3,2",
                  "ships may touch", "answers: miss, or which ship is hit",
                  "200 games each, every layout equally likely"):  # fmt: skip
        assert words in text
