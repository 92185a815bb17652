"""The frame of a plot: texts whose sizes are measured, so that nothing is cut off or overlaps.

A figure is 960 by 540 pixels, as wide and high as a slide; its texts can be read from the back of a
room. Above the axes stand a title, the game in words and what was played; below them a remark.
Labels of curves stand in a column to the right of the axes, each beside the end of its curve, moved
apart as far as their heights ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from seabattle.enumerate.colours import Palette
from seabattle.solver.tournament.player_styles import PlayerStyle

WIDTH, HEIGHT, DPI = 960, 540, 96
"""Of a figure, in pixels, and pixels of an inch."""

TITLE, TEXT, SMALL = 17.0, 12.0, 10.5
"""Sizes of texts, in points."""

_MARGIN = 16
_LEADER = 26
"""Pixels between the end of a curve and its label."""


def moved_apart(
    wanted: Sequence[float], heights: Sequence[float], low: float, high: float
) -> list[float]:
    """Middles of labels as near as can be to where they belong, without overlapping.

    Parameters
    ----------
    wanted
        Where the middles belong.
    heights
        Of the labels, with the space between them.
    low, high
        No label reaches beyond, if there is room for all of them.

    Returns
    -------
    list of float
        Where the middles go: the order is that of ``wanted``, and the sum of the squares of the
        ways is the least.

    Examples
    --------
    >>> moved_apart([10, 11, 50], [4, 4, 4], 0, 100)
    [8.5, 12.5, 50.0]
    >>> moved_apart([99, 98], [4, 4], 0, 100)
    [98.0, 94.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    blocks: list[tuple[float, float, list[int]]] = []  # middle, height, labels from below

    def within(middle: float, height: float) -> float:
        return max(low + height / 2, min(high - height / 2, middle))

    for i in order:
        block = (within(wanted[i], heights[i]), heights[i], [i])
        while blocks and blocks[-1][0] + blocks[-1][1] / 2 > block[0] - block[1] / 2:
            height = blocks[-1][1] + block[1]
            labels = [*blocks.pop()[2], *block[2]]
            below, starts = 0.0, []
            for label in labels:  # where the block would begin if this label were in its place
                starts.append(wanted[label] - heights[label] / 2 - below)
                below += heights[label]
            block = (within(sum(starts) / len(starts) + height / 2, height), height, labels)
        blocks.append(block)
    found = [0.0] * len(wanted)
    for middle, height, labels in blocks:
        edge = middle - height / 2
        for label in labels:
            found[label] = edge + heights[label] / 2
            edge += heights[label]
    return found


@dataclass(frozen=True)
class Label:
    """What stands at the end of a curve: its text, and where the curve ends (in data)."""

    text: str
    end: float
    style: PlayerStyle


class Frame:
    """A figure with its texts, and axes between them.

    Parameters
    ----------
    title
        In large letters.
    lines
        Below the title: the game, and what was played; one too long is broken at a semicolon.
    palette
        Colours; the figure is to be made and saved under ``colours_of`` the same.
    remark
        Below the axes.
    across, up
        What the axes show.

    Attributes
    ----------
    figure, axes
        As matplotlib has them.
    """

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        palette: Palette,
        *,
        remark: str = "",
        across: str = "",
        up: str = "",
    ) -> None:
        from matplotlib.figure import Figure

        self.palette = palette
        self.figure: Any = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI)
        top: float = HEIGHT - _MARGIN
        top = self._line(title, _MARGIN, top, TITLE, palette.ink, weight="bold") - 6
        for text in lines:
            for part in self._broken(text, TEXT, ("; ", ", ", " ")):
                top = self._line(part, _MARGIN, top, TEXT, palette.ink_soft) - 3
        bottom: float = _MARGIN
        for part in reversed(self._broken(remark, SMALL, (" ",)) if remark else []):
            bottom += round(self.size(part, SMALL)[1]) + 4
            self._line(part, _MARGIN, bottom - 4, SMALL, palette.ink_soft)
        self.top, self.bottom = top - 12, bottom + 48
        self.left: float = _MARGIN
        self.right: float = WIDTH - _MARGIN
        self.axes: Any = self.figure.add_axes(self._box())
        self.axes.set_xlabel(across, fontsize=TEXT)
        self.axes.set_ylabel(up, fontsize=TEXT)
        self.axes.tick_params(labelsize=TEXT)
        self.axes.grid()
        self.axes.set_axisbelow(True)
        self.axes.spines[["top", "right"]].set_visible(False)

    @cached_property
    def _renderer(self) -> Any:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        canvas: Any = FigureCanvasAgg(self.figure)  # get_renderer has no types
        return canvas.get_renderer()

    def size(self, text: str, points: float, weight: str = "normal") -> tuple[float, float]:
        """Width and height of a text, in pixels."""
        made = self.figure.text(0, 0, text, fontsize=points, weight=weight)
        box = made.get_window_extent(self._renderer)
        made.remove()
        return box.width, box.height

    def _line(
        self, text: str, left: float, top: float, points: float, colour: str, weight: str = "normal"
    ) -> float:
        """Write a line whose top is there; returns its bottom."""
        _, height = self.size(f"{text}Áy", points, weight)
        self.figure.text(
            left / WIDTH, (top - height) / HEIGHT, text, fontsize=points, color=colour,
            weight=weight, va="bottom",
        )  # fmt: skip
        return top - height

    def _broken(self, text: str, points: float, signs: Sequence[str]) -> list[str]:
        """A text in lines that are narrow enough, broken after the first sign that will do."""
        room = WIDTH - 2 * _MARGIN
        if self.size(text, points)[0] <= room:
            return [text]
        for sign in signs:
            ends = [i for i in range(len(text)) if text.startswith(sign, i)]
            for end in reversed(ends):
                before = text[: end + len(sign)].rstrip()
                if end and self.size(before, points)[0] <= room:
                    return [before, *self._broken(text[end + len(sign) :], points, signs)]
        return [text]

    def _box(self) -> tuple[float, float, float, float]:
        return (
            self.left / WIDTH,
            self.bottom / HEIGHT,
            (self.right - self.left) / WIDTH,
            (self.top - self.bottom) / HEIGHT,
        )

    def make_room(self, *, left: float = 0, right: float = 0, top: float = 0) -> None:
        """Leave room beside and above the axes, in pixels."""
        self.left += left
        self.right -= right
        self.top -= top
        self.axes.set_position(self._box())

    def fit_ticks(self) -> None:
        """Leave room for the numbers and the name of the axis that goes up."""
        self.axes.yaxis.get_tightbbox(self._renderer)
        numbers = [tick.label1.get_window_extent(self._renderer) for tick in
                   self.axes.yaxis.get_major_ticks()]  # fmt: skip
        wide = max(box.width for box in numbers)
        self.make_room(left=wide + 34 - (self.left - _MARGIN))

    def label(self, labels: Sequence[Label]) -> None:
        """Write labels at the ends of curves, which all reach the right edge of the axes."""
        self.fit_ticks()
        widths, heights = zip(*(self.size(label.text, TEXT) for label in labels), strict=True)
        self.make_room(right=max(widths) + _LEADER + 22)
        low, high = self.axes.get_ylim()
        scale = (self.top - self.bottom) / (high - low)
        ends = [self.bottom + (label.end - low) * scale for label in labels]
        room = [height + 3 for height in heights]
        top = max(self.top, self.bottom + sum(room))
        for label, end, middle in zip(
            labels, ends, moved_apart(ends, room, self.bottom - 4, top + 4), strict=True
        ):
            self._leader(label.style, end, middle)
            self.figure.text(
                (self.right + _LEADER + 20) / WIDTH, middle / HEIGHT, label.text, fontsize=TEXT,
                color=self.palette.ink, va="center", gid="label",
            )  # fmt: skip

    def _leader(self, style: PlayerStyle, end: float, middle: float) -> None:
        """The line from the end of a curve to its label, with the stroke and marker of both."""
        from matplotlib.lines import Line2D

        across = [self.right + 2, self.right + _LEADER - 8, self.right + _LEADER + 14]
        parts: Any = (
            (across[:2], [end, middle], 0.9, "-"),
            (across[1:], [middle, middle], 2.4, style.stroke),
        )
        for xs, ys, width, stroke in parts:
            self.figure.add_artist(
                Line2D([x / WIDTH for x in xs], [y / HEIGHT for y in ys], color=style.colour,
                       linewidth=width, linestyle=stroke)
            )  # fmt: skip
        self.figure.add_artist(
            Line2D([sum(across[1:]) / 2 / WIDTH], [middle / HEIGHT], color=style.colour,
                   marker=style.marker, markersize=6, linestyle="none")
        )  # fmt: skip
