"""Print every figure of the four works this project set out from beside ours.

``python outputs/reproduce.py`` takes half a minute; with ``--quick`` it leaves out what takes more
than a second. A row says what is counted, what was published, what is found here, and whether both
are the same to the digits published; below it stands why they differ. The exit status is 1 if a
figure is not as this file expects it.

The works are those of ``docs/pages/bibliography.md``; longer figures come from ``tests/known``.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import comb
from pathlib import Path
from typing import Any

from seabattle import Counter, Position, Rules, graph_size, play_greedily, solve, tournament

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = Rules("3x3", "3,1,1")
SMALL = Rules("5x5", "3,2,2,1,1,1")
RUSSIAN = Rules(fleet="russian")
HASBRO = Rules(fleet="hasbro")
SEEDS = range(20)
GAMES = 20_000


@dataclass(frozen=True)
class Figure:
    """A published figure and how it is found here.

    Attributes
    ----------
    what
        What is counted, with the rule, ties and reading where they matter.
    published
        As it was published; empty where the work says nothing.
    find
        Finds it, in the same form.
    why
        Why it differs, or what is worth knowing; a figure that is the same needs nothing.
    differs
        Whether another figure than the published one is expected.
    slow
        Whether it takes more than about a second.
    """

    what: str
    published: str
    find: Callable[[], str]
    why: str = ""
    differs: bool = False
    slow: bool = False


def known(name: str) -> Any:
    """The first answer of a file of ``tests/known``."""
    text = (ROOT / "tests" / "known" / f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)["answers"][0]


def worst_and_mean(misses: int, mean: Fraction, digits: int = 2) -> str:
    """A worst case and a mean, as ``7 / 4.51``."""
    return f"{misses} / {float(mean):.{digits}f}"


def least(game: Rules, digits: int = 2) -> str:
    """The proven optimum: the least worst case, and the least mean."""
    mean, worst = solve(game, threads=1), solve(game, "worst", threads=1)
    assert mean.status == worst.status == "optimal"
    return worst_and_mean(worst.worst_misses, mean.mean_misses, digits)


def greedy(rule: str, answers: str = "hit", digits: int = 2, **how: Any) -> str:
    """What a greedy rule costs on 5x5."""
    play = play_greedily(SMALL.answering(answers), rule, **how)
    return worst_and_mean(play.worst_misses, play.mean_misses, digits)


def greedy_range(rule: str, answers: str = "hit", **how: Any) -> str:
    """The same with ties broken at random, over all of ``SEEDS``."""
    game = SMALL.answering(answers)
    plays = [play_greedily(game, rule, ties="random", seed=seed, **how) for seed in SEEDS]
    worst = sorted({play.worst_misses for play in plays})
    means = [float(play.mean_misses) for play in plays]
    return f"{' to '.join(map(str, worst))} / {min(means):.3f} to {max(means):.3f}"


def printed_map(after: str) -> str:
    """How many cells of a printed map agree to the digit; it is in units of 10^9 layouts."""
    entry = known("published_maps")
    position = Position.of_cells(RUSSIAN, miss=["C1"] if after == "after_C1" else [])
    rows = [[count // 10**9 for count in row] for row in Counter(position).map().rows]
    if after == "after_C1":  # printed from the bottom row up
        rows.reverse()
    pairs = zip(chain(*rows), chain(*entry[after]), strict=True)
    return f"{sum(ours == theirs for ours, theirs in pairs)} cells"


def miss_path() -> str:
    """How many shots of the printed path are among the likeliest cells when they are made."""
    position, likeliest = Position(RUSSIAN), 0
    for shot in known("greedy_miss_path")["shots"]:
        likeliest += shot in Counter(position).map().best_shots
        position = position.shoot(shot, "miss")
    return f"{likeliest} shots"


def left_before_shot_24() -> str:
    """Layouts that avoid the first 23 shots of the path."""
    shots = known("greedy_miss_path")["shots"][:23]
    return f"{Counter(Position.of_cells(RUSSIAN, miss=shots)).count() / 1e9:.0f} * 10^9"


def left_by_diagonals() -> str:
    """Layouts that avoid all but one cell, E4, of the 24 on every fourth diagonal."""
    board = RUSSIAN.board
    places = [divmod(cell, board.columns) for cell in range(board.cells)]
    diagonals = [board.name(c) for c, (row, column) in enumerate(places) if (row + column) % 4 == 3]
    missed = [name for name in diagonals if name != "E4"]
    return f"{Counter(Position.of_cells(RUSSIAN, miss=missed)).count() / 1e9:.0f} * 10^9"


def row_classes() -> str:
    """Classes of fillings of the upper rows, by the published definition."""
    sys.path.insert(0, str(ROOT / "tests"))
    from twins.row_classes import row_classes as count_classes

    return f"{count_classes(10, 10, (4, 3, 3, 2, 2, 2, 1, 1, 1, 1))[-1]:,}"


def random_within(shots: int) -> Fraction:
    """Chance that shots in random order have hit the 17 cells of the fleet, in closed form."""
    return Fraction(comb(shots, 17), comb(100, 17))


def random_median() -> str:
    """The fewest shots within which random play finishes half of its games."""
    return str(next(shots for shots in range(17, 101) if random_within(shots) >= Fraction(1, 2)))


def median_and_mean(player: str) -> str:
    """Median of the shots of ``GAMES`` games with layouts drawn uniformly, and their mean."""
    (score,) = tournament(HASBRO, [player], games=GAMES, seed=1).scores
    half, counts = 0, score.shots.counts
    median = next(n for n, games in enumerate(counts) if (half := half + games) * 2 >= GAMES)
    return f"{median + score.shots.least}, mean {float(score.shots.mean):.1f}"


def one_ship() -> str:
    """The ways that a ship of 3 can lie in the printed example, and two chances."""
    blocked = "D1,A2,B2,C2,D2,C3,B4,D5"  # misses, and hits on other ships
    found = Counter(Rules("5x5", "3", blocked=blocked)).map()
    return f"{found.layouts}: {found.chance('A1')}, {found.chance('E3')}"


TIES = "the work does not say how ties are broken"
FIGURES = {
    "Recognition2013, sea battle as a recognition task": [
        Figure("3x3 3,1,1: layouts", "4", lambda: str(Counter(EXAMPLE).count())),
        Figure("its optimum: worst / mean", "3 / 1.5", lambda: least(EXAMPLE, 1)),
        Figure("5x5 3,2,2,1,1,1: layouts", "1,428", lambda: f"{Counter(SMALL).count():,}"),
        Figure("its graph: vertices", "10,191,257",
               lambda: f"{graph_size(SMALL).vertices:,}", slow=True),
        Figure("its graph: edges", "214,464,800",
               lambda: f"{graph_size(SMALL).edges:,}", slow=True),
        Figure("optimal: worst / mean", "7 / 4.51", lambda: least(SMALL)),
        Figure("half, ties to the first cell", "11 / 5.46", lambda: greedy("half", digits=3),
               TIES, differs=True),
        Figure("half, ties at random, seed 6", "11 / 5.46",
               lambda: greedy("half", ties="random", seed=6)),
        Figure("half, ties at random, 20 seeds", "11 / 5.46",
               lambda: greedy_range("half"), "the published pair is among these", differs=True),
        Figure("hits, ties to the first cell", "8 / 4.595", lambda: greedy("hits", digits=3)),
        Figure("sunk: hits, positive, ties to the first", "4 / 2.04",
               lambda: greedy("hits", "sunk", 3, reading="positive"), TIES, differs=True),
        Figure("sunk: hits, positive, random, seed 1", "4 / 2.04",
               lambda: greedy("hits", "sunk", ties="random", seed=1, reading="positive")),
        Figure("sunk: hits, positive, random, 20 seeds", "4 / 2.04",
               lambda: greedy_range("hits", "sunk", reading="positive"),
               "the published pair is among these", differs=True),
        Figure("sunk: hits, full, ties to the first", "4 / 2.04",
               lambda: greedy("hits", "sunk", 3),
               "a hit also says that the ship is not sunk yet", differs=True),
        Figure("sunk: optimal", "", lambda: least(SMALL.answering("sunk"), 3),
               "called out of reach there", differs=True),
    ],
    "Mrrl2013, counting the layouts": [
        Figure("10x10 russian: layouts", "1,855,545,978,831,780",
               lambda: f"{Counter(RUSSIAN).count():,}"),
        Figure("classes of rows", "1,053,612", row_classes, slow=True),
        Figure("map of the empty board", "100 cells", lambda: printed_map("empty")),
        Figure("map after a miss at C1", "100 cells", lambda: printed_map("after_C1"),
               "printed upside down"),
        Figure("likeliest cells, all missed", "35 shots", miss_path, slow=True),
        Figure("layouts left before shot 24", "240 * 10^9", left_before_shot_24),
        Figure("the same, on diagonals", "260 * 10^9", left_by_diagonals,
               "E4 left; 185 to 361, by the cell that is left"),
    ],
    "Berry2011, probability density (fleet hasbro)": [
        Figure("random: games to one perfect game", "6,650,134,872,937,201,800",
               lambda: f"{comb(100, 17):,}"),
        Figure("random: median shots", "96 or 97", random_median, "both are given", differs=True),
        Figure("random: all 100 shots", "17 %",
               lambda: f"{float(1 - random_within(99)):.0%}".replace("%", " %")),
        Figure("random: more than 78 shots", "99 %",
               lambda: f"{float(1 - random_within(78)):.0%}".replace("%", " %")),
        Figure("hunting with parity: median shots", "64",
               lambda: median_and_mean("hunt-target-parity"),
               "the order of targets is not told in full", differs=True, slow=True),
        Figure("density: median shots", "42", lambda: median_and_mean("density"),
               "the weight of a hit is not told", differs=True, slow=True),
    ],
    "Chronicles2010, Over 9000": [
        Figure("a ship of 3: ways; chances of A1, E3", "7: 1/7, 3/7", one_ship),
    ],
}  # fmt: skip
"""Every figure, by the work that gives it."""


def rows(figures: list[Figure], *, quick: bool = False) -> Iterator[tuple[str, str, str, str]]:
    """What is counted, as published, as found here, and whether that is the same.

    Raises
    ------
    SystemExit
        If a figure is the published one where another is expected, or the other way round.
    """
    for figure in figures:
        if not (quick and figure.slow):
            here = figure.find()
            if (here != figure.published) != figure.differs:
                raise SystemExit(f"{figure.what}: {here}, published {figure.published}")
            yield figure.what, figure.published or "-", here, "" if figure.differs else "same"


def report(*, quick: bool = False) -> Iterator[str]:
    """The lines of the table, work by work; what there is to say of a row stands below it."""
    yield f"{'':38} {'published':>25} {'here':>27}"
    for work, figures in FIGURES.items():
        why = {figure.what: figure.why for figure in figures}
        yield from ("", work, "")
        for what, published, here, same in rows(figures, quick=quick):
            yield f"{what:38} {published:>25} {here:>27} {same}".rstrip()
            if why[what]:
                yield f"    ({why[what]})"


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever reads may have seen enough
    parser = argparse.ArgumentParser(description="print every published figure beside ours")
    parser.add_argument(
        "--quick", action="store_true", help="leave out what takes more than a second"
    )
    for line in report(quick=parser.parse_args().quick):
        print(line, flush=True)
