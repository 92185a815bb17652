"""Make the pictures of the documentation: ``python docs/make_pictures.py``.

Every picture is drawn by the program from a game solved on the spot; nothing is edited by hand.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from seabattle import (
    Counter,
    DecisionTable,
    HeatMap,
    Position,
    Rules,
    enumerate_layouts,
    heatmap_svg,
    load_prior,
    solve,
    svg,
)
from seabattle.enumerate.files import write_text
from seabattle.trees.drawing.tree_svg import paper_pages

IMAGES = Path(__file__).resolve().parent / "pages" / "images"
EXAMPLE = Rules("3x3", "3,1,1")


def occupancy(position: Position, title: str) -> str:
    """Heat map of the layouts that fit a position."""
    left = DecisionTable.build(position)
    return heatmap_svg(HeatMap(position, len(left), left.column_counts().tolist(), title=title))


def pictures() -> dict[str, str]:
    """Every picture by its file's name."""
    layouts = enumerate_layouts(EXAMPLE)
    made = {f"layout-{number + 1}.svg": layouts.picture(number) for number in range(len(layouts))}
    start, missed = Position(EXAMPLE), Position.read(EXAMPLE, [("B1", "miss")])
    made["map-start.svg"] = occupancy(start, "Before the first shot")
    made["map-missed.svg"] = occupancy(missed, "After a miss at B1")
    made["tree-hit.svg"] = svg(solve(EXAMPLE, threads=1).tree)
    made["tree-sunk.svg"] = svg(solve(EXAMPLE.answering("sunk"), threads=1).tree)
    made["tree-sheet.svg"] = paper_pages(solve(Rules("4x4", "3,2,1"), threads=1).tree)[0]
    front = solve(Rules("4x5", "4,2"), "pareto", threads=1).front
    for tree, name in zip(front, ("worst", "mean"), strict=True):
        made[f"front-{name}.svg"] = svg(tree, path="misses")
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    middle = Position.of_cells(rules, miss=["C3", "D4"], sunk=["A1:A2"])
    made["map-5x5.svg"] = occupancy(middle, "5x5 after two misses and a sinking")
    russian = Rules("10x10", "russian", answers="sunk")
    game = Position.of_cells(russian, miss=["C1", "E5"], hit=["H7"], sunk=["A8:A10"])
    found = Counter(game).map()
    title = "10x10 after two misses, a hit and a sinking"
    made["map-10x10.svg"] = heatmap_svg(replace(found, title=title))
    hasbro = Counter(Rules(fleet="hasbro"))
    uniform, people = hasbro.map(), hasbro.under(load_prior("people")).map()
    title = "If all layouts were equally likely"
    made["map-uniform.svg"] = heatmap_svg(replace(uniform, title=title))
    made["map-people.svg"] = heatmap_svg(replace(people, title="As people hide"))
    made["path-5x5.svg"] = svg(solve(rules, threads=1).tree, path="misses")
    return made


if __name__ == "__main__":
    for name, picture in pictures().items():
        write_text(IMAGES / name, picture)
        print(name, f"{len(picture) / 1000:.0f} kB")
