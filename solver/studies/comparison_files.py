"""What a comparison leaves in a folder: tables, trees, and their pictures.

``comparison`` is the picture of them all: how many layouts cost how many misses. It has a panel
for each answer mode and in it bars for each strategy, all on one scale of misses, so that what
greedy play loses is seen at once; and the shape of a slide.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seabattle.enumerate.answers import CONTACT_WORDS, told_words
from seabattle.enumerate.colours import Palette, Theme, palette_of
from seabattle.enumerate.files import csv_text, write_texts
from seabattle.enumerate.picture import (
    MARGIN,
    Pictures,
    document,
    heading,
    id_prefix,
    rect,
    text_line,
    text_width,
    wrapped,
)
from seabattle.solver.studies.compare import Comparison, Row
from seabattle.trees.drawing.tree_svg import svg
from seabattle.trees.files import save_tree
from seabattle.trees.tree import Reading

WIDTH, HEIGHT = 960, 540
"""Pixels: a slide of 16 to 9."""

NAMES = {
    "optimal-mean": ("optimal", "least mean"),
    "optimal-worst": ("optimal", "least worst case"),
    "greedy-hits": ("greedy", "the likeliest cell"),
    "greedy-half": ("greedy", "the cell that halves best"),
}
"""What strategies are called, best first, and what they do."""

_BESIDE = 122  # width of the names of the strategies
_GAP = 30  # between panels
_BELOW = 66  # axis and remark
_TEXT, _SMALL = 13, 11
_LABEL, _COUNT, _FOOT = 18, 14, 16  # above bars what they cost, and how many; below them the mean


def comparison_svg(result: Comparison, *, theme: Theme | str = Theme.LIGHT) -> str:
    """Draw how many layouts cost how many misses, for greedy and for optimal play.

    Hits are read in full. The tree of least worst case has a row where its misses are not those of
    the tree of least mean.

    Parameters
    ----------
    result
        The comparison.
    theme
        ``light``, ``dark``, or ``print``: black on white without large fills.

    Returns
    -------
    str
        An SVG document with a title and a description for screen readers.

    Examples
    --------
    >>> from seabattle import Rules, compare
    >>> comparison_svg(compare(Rules("3x3", "2,1"), ["hit"])).count("mean 2.58, worst 4")
    3
    """
    palette = palette_of(theme)
    panels = _panels(result)
    shown = [name for name in NAMES if any(name in rows for rows in panels.values())]
    rules = result.position.rules
    title = f"Greedy and optimal play · fleet {rules.fleet} on {rules.board}"
    said = [f"{CONTACT_WORDS[rules.contact]}; {result.layouts:,} layouts"]
    if result.position.shots:
        said.append(f"after {result.position.words}")
    head, top = heading(title, ["; ".join(said)], WIDTH - 2 * MARGIN, palette)
    most = max(row.tree.worst_misses for rows in panels.values() for row in rows.values())
    left = MARGIN + _BESIDE
    wide = (WIDTH - MARGIN - left - _GAP * (len(panels) - 1)) / len(panels)
    top += 34
    high = (HEIGHT - _BELOW - top) / len(shown)
    body = list(head)
    for place, name in enumerate(shown):
        who, what = NAMES[name]
        lines = wrapped(what, _TEXT, _BESIDE - 8)
        y = top + (place + 1) * high - _FOOT - 16 * len(lines)
        body.append(text_line(MARGIN, y, who, _TEXT, palette.ink, bold=True))
        body += [
            text_line(MARGIN, y + 16 * n, line, _TEXT, palette.ink_soft)
            for n, line in enumerate(lines, start=1)
        ]
    described = [f"{title}. {said[0]}.", *result.sentences()]
    for number, rows in enumerate(panels.values()):
        panel = _Panel(left + number * (wide + _GAP), top, wide, high, most, palette)
        told = told_words(next(iter(rows.values())).tree.rules)
        body.append(text_line(panel.left, top - 12, told, _TEXT, palette.ink, bold=True))
        largest = max(max(r.tree.distribution.values()) / r.tree.weight for r in rows.values())
        for name, row in rows.items():
            body += panel.bars(shown.index(name), row, largest, _cost(row, rows))
            described.append(f"{told}, {', '.join(NAMES[name])}: {_told(row)}.")
        body += panel.axis(len(shown))
    shares = "layouts" if result.rows[0].tree.weight == result.layouts else "chance"
    costs = [_cost(row, rows) for rows in panels.values() for row in rows.values()]
    above = "; in brackets, how much it is above the optimum" if "(" in "".join(costs) else ""
    remark = f"Bars: {shares} by the number of misses. Triangle: the mean{above}."
    foot = top + len(shown) * high + 8
    body.append(text_line(left - 10, foot, "misses", _TEXT, palette.ink_soft, "end"))
    body.append(text_line(MARGIN, HEIGHT - MARGIN, remark, _SMALL, palette.ink_soft))
    content = rules, result.position, [row.name for row in result.rows], palette.theme.value
    return document(
        id_prefix("c", content),
        WIDTH, HEIGHT, title, "\n".join(body), description="\n".join(described),
        ground=palette.ground,
    )  # fmt: skip


def _panels(result: Comparison) -> dict[str, dict[str, Row]]:
    """What is drawn of each answer mode: rows of the comparison by their strategy."""
    found: dict[str, dict[str, Row]] = {}
    for row in result.rows:
        if row.tree.reading is Reading.FULL:
            found.setdefault(row.tree.rules.answers, {})[row.strategy] = row
    for rows in found.values():
        mean, worst = rows.get("optimal-mean"), rows.get("optimal-worst")
        if mean and worst and mean.tree.distribution == worst.tree.distribution:
            del rows["optimal-worst"]
    return found


def _cost(row: Row, rows: Mapping[str, Row]) -> str:
    """Mean and worst case, and how much more the mean is than the optimum of these rows."""
    best, tree, more = rows.get("optimal-mean"), row.tree, ""
    if best and best.tree.status == "optimal" and tree.total_misses > best.tree.total_misses > 0:
        more = f" (+{100 * (tree.total_misses / best.tree.total_misses - 1):.1f} %)"
    known = "best known: " if tree.status == "bounded" else ""
    return f"{known}mean {float(tree.mean_misses):.2f}{more}, worst {tree.worst_misses}"


def _told(row: Row) -> str:
    """A row in words."""
    tree = row.tree
    told = ", ".join(f"{weight:,} with {n}" for n, weight in sorted(tree.distribution.items()))
    cost = f"mean {float(tree.mean_misses):.4f}, worst {tree.worst_misses}"
    return f"{cost}; of {tree.weight:,} by misses: {told}"


@dataclass(frozen=True)
class _Panel:
    """Where the bars of an answer mode go, in pixels; ``most`` misses are the last on its axis."""

    left: float
    top: float
    wide: float
    high: float
    most: int
    palette: Palette

    @property
    def step(self) -> float:
        """Width of a bar and the space beside it."""
        return self.wide / (self.most + 1)

    def middle(self, misses: float) -> float:
        """Where so many misses are on the axis."""
        return self.left + self.step * (misses + 0.5)

    def bars(self, place: int, row: Row, largest: float, cost: str) -> list[str]:
        """The bars of a strategy; the highest of the panel has the share ``largest``."""
        tree, palette = row.tree, self.palette
        colour = {"greedy-hits": palette.hit, "greedy-half": palette.miss}.get(
            row.strategy, palette.heat
        )
        ground = self.top + (place + 1) * self.high - _FOOT
        room = self.high - _FOOT - _LABEL - _COUNT
        inset = min(6.0, 0.12 * self.step)
        shapes = []
        counts = {misses: f"{weight:,}" for misses, weight in tree.distribution.items() if weight}
        fits = all(text_width(text, _SMALL) <= self.step for text in counts.values())
        for misses in counts:
            tall = max(1.0, room * tree.distribution[misses] / tree.weight / largest)
            fill, edge, line = (colour, "none", 0.0) if palette.filled else ("none", colour, 1.4)
            x = self.left + self.step * misses + inset
            shapes.append(
                rect(round(x, 1), round(ground - tall, 1), round(self.step - 2 * inset, 1),
                     round(tall, 1), fill, edge, line)
            )  # fmt: skip
            if fits:
                shapes.append(
                    text_line(round(self.middle(misses), 1), round(ground - tall - 4, 1),
                              counts[misses], _SMALL, palette.ink_soft, "middle")
                )  # fmt: skip
        mean = self.middle(float(tree.mean_misses))
        shapes += [
            f'<path stroke="{palette.ink_soft}" stroke-width="1" '
            f'd="M{self.left:.1f} {ground:.1f}h{self.wide:.1f}"/>',
            f'<path fill="{palette.ink}" d="M{mean:.1f} {ground + 1:.1f}l5 8h-10z"/>',
        ]
        end, said = round(self.left + self.wide, 1), round(ground - room - _COUNT - 4, 1)
        return [*shapes, text_line(end, said, cost, _TEXT, palette.ink, "end", bold=True)]

    def axis(self, rows: int) -> list[str]:
        """The numbers of misses below the last row, as many as there is room for."""
        every = next(n for n in (1, 2, 5, 10, 20, 50, 100) if n * self.step >= 18 or n == 100)
        y = self.top + rows * self.high + 8
        return [
            text_line(round(self.middle(n), 1), y, str(n), _TEXT, self.palette.ink_soft, "middle")
            for n in range(0, self.most + 1, every)
        ]


SMALL_TREE = 40
"""Trees with at most so many leaves are drawn whole."""


def save_comparison(
    result: Comparison,
    document: Mapping[str, Any],
    folder: Path,
    pictures: Pictures,
    made_by: Mapping[str, Any],
    say: Callable[[str], None] = lambda text: None,
) -> list[Path]:
    """Write a comparison: tables, trees, pictures, and what made them.

    ``comparison`` is the picture of all strategies; each has one of its miss path beside it.

    Parameters
    ----------
    result
        The comparison.
    document
        What the table as JSON holds beside what made it.
    folder, pictures, made_by
        Where, kinds of pictures, and the command.
    say
        Called with what is being written.

    Returns
    -------
    list of Path
        The files.
    """
    texts = {
        "table.csv": csv_text(result.records()),
        "table.json": json.dumps({"made_by": made_by, **document}, indent=2) + "\n",
        "table.txt": "\n".join([result.text(), "", *result.sentences()]) + "\n",
    }
    written = write_texts(folder, texts)
    picture = comparison_svg(result, theme=pictures.theme)
    written += pictures.save(picture, folder / "comparison")
    for row in result.rows:
        say(f"writing {row.name}")
        written.append(folder / f"{row.name}.json")
        save_tree(row.tree, written[-1])
        misses = svg(row.tree, path="misses", theme=pictures.theme)
        written += pictures.save(misses, folder / f"{row.name}-misses")
        if row.tree.leaves <= SMALL_TREE:
            whole = svg(row.tree, theme=pictures.theme)
            written += pictures.save(whole, folder / f"{row.name}-tree")
    return written
