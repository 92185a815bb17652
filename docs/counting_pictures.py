"""The pictures of the page on counting layouts; see ``make_theory_pictures``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from captioned_boards import (
    SMALL,
    TINY,
    TO_COME,
    Layout,
    Panel,
    Row,
    all_layouts,
    layouts_in_words,
    left,
    occupied,
    picture,
    ships,
    shots,
)

from seabattle import Rules
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.colours import LIGHT, css
from seabattle.enumerate.placements import Placement


def cut(layout: Layout, rules: Rules, place: int) -> tuple[Layout, dict[int, str]]:
    """The ships of a layout that begin before a place of the sweep, and the profile there.

    The profile by cell: for each column its next cell, if that must be water or goes on with a
    ship, with the number of cells still to come.
    """
    board = rules.board
    top = [ship for ship in layout if ship.cells[0] < place]
    halo = 0
    for ship in top:
        halo |= ship.halo(rules.contact)
    profile = {}
    for column in range(board.columns):
        row = place // board.columns + (column < place % board.columns)
        cell = row * board.columns + column
        if row == board.rows:
            continue
        for ship in top:
            if ship.mask >> cell & 1:
                profile[cell] = str(sum(c >= cell for c in ship.cells))
        if cell not in profile and halo >> cell & 1:
            profile[cell] = "~"
    return top, profile


def state(layout: Layout, rules: Rules, place: int, caption: Sequence[str]) -> Panel:
    """What has been swept of a layout, and what the cells to come need to know."""
    top, profile = cut(layout, rules, place)
    come = dict.fromkeys(range(place, rules.board.cells), TO_COME)
    return Panel(
        rules,
        ships=top,
        fills=come,
        texts=profile,
        frontier=place,
        caption=caption,
    )


def lengths(layout: Iterable[Placement]) -> tuple[int, ...]:
    return tuple(sorted(ship.length for ship in layout))


def by_state(rules: Rules, place: int) -> dict[tuple[str, tuple[int, ...]], list[Layout]]:
    """Layouts by their state before a place at the beginning of a row: profile, ships used."""
    found: dict[tuple[str, tuple[int, ...]], list[Layout]] = {}
    for layout in all_layouts(rules):
        top, profile = cut(layout, rules, place)
        row = range(place, place + rules.board.columns)
        signs = "".join(profile.get(cell, "_") for cell in row)
        found.setdefault((signs, lengths(top)), []).append(layout)
    return found


def counting_cut() -> str:
    rules = Rules("5x5", "3,2,1,1", "none", "sunk")
    tops = [ships(rules, cell, "E2:E3") for cell in ("A1", "B1", "C1")]
    bottom = ships(rules, "B3", "A5:C5")
    through = by_state(rules, 10)["___~1", (1, 2)]
    uppers = {tuple(p.cells for p in cut(layout, rules, 10)[0]) for layout in through}
    panels: list[Panel | str] = [
        state(top, rules, 10, (f"{number} of {len(uppers)} upper parts",))
        for number, top in enumerate(tops, 1)
    ]
    whole = Panel(
        rules, ships=[*ships(rules, "E2:E3"), *bottom],
        fills=dict.fromkeys(range(10, 25), TO_COME), frontier=10,
        texts=dict.fromkeys((0, 1, 2), "?"),
        caption=(f"1 of {len(through) // len(uppers)} ways to go on",),
    )  # fmt: skip
    return picture(
        "Three upper parts of a board leave the same profile, and one lower part completes each",
        [("", [*panels, "\N{RIGHTWARDS ARROW}", whole])],
    )


def counting_states() -> str:
    found = by_state(TINY, 3)
    panels: list[Panel | str] = []
    total = 0
    for (signs, used), layouts in sorted(found.items()):
        tops = {tuple(p.cells for p in cut(layout, TINY, 3)[0]) for layout in layouts}
        rest = [n for n in (1, 2) if n not in used]
        say = " and ".join(map(str, rest)) or "none"
        product = f"{len(tops)} \N{MULTIPLICATION SIGN} {len(layouts) // len(tops)}"
        total += len(layouts)
        caption = (signs, f"left: {say}", f"{product} = {len(layouts)}")
        panels.append(state(layouts[0], TINY, 3, caption))
    nowhere = f"1 {chr(215)} 0 = 0"  # water everywhere, and a ship of 1 left
    panels.append(state(ships(TINY, "B1:B2"), TINY, 3, ("~1~", "left: 1", nowhere)))
    half = (len(panels) + 1) // 2
    assert total == 24
    return picture(
        "The states after the first row of 3x3 with ships 2 and 1, and the layouts through each",
        [("", panels[:half]), ("", panels[half:])],
    )


def first_step(layout: Layout, place: int = 0) -> str:
    """What begins at a cell, A1 if none is given."""
    for ship in layout:
        if ship.cells[0] == place:
            if ship.length == 1:
                return "1"
            return "right" if ship.cells[1] == place + 1 else "down"
    return "water"


STEPS = {
    "water": ("water", 1),
    "1": ("the ship of 1", 2),
    "down": ("the ship of 2, down", 2),
    "right": ("the ship of 2, right", 3),
}
"""Steps from the empty profile on A1: in words, and the place of the sweep after each."""


def counting_steps() -> str:
    layouts = all_layouts(TINY)
    panels: list[Panel | str] = []
    for step, (words, place) in STEPS.items():
        these = [layout for layout in layouts if first_step(layout) == step]
        begun = [ship for ship in these[0] if ship.cells[0] == 0]
        panels.append(state(begun, TINY, place, (words, f"{len(these)} layouts")))
    return picture("The four steps on the first cell, and the layouts that go on from each",
                   [("", panels)])  # fmt: skip


def rank_order(layout: Layout) -> tuple[int, ...]:
    """The steps that begin ships, by cell, in the order in which the page tries them."""
    order = list(STEPS)
    begun = {ship.cells[0]: first_step([ship], ship.cells[0]) for ship in layout}
    return tuple(order.index(begun.get(cell, "water")) for cell in range(9))


def counting_ranks() -> str:
    layouts = sorted(all_layouts(TINY), key=rank_order)
    rows: list[Row] = []
    number = 0
    for step, (words, _) in STEPS.items():
        these = [layout for layout in layouts if first_step(layout) == step]
        boards = [Panel(TINY, ships=layout, scale=SMALL) for layout in these]
        last = number + len(these) - 1
        rows.append((f"{words}: ranks {number} to {last}", boards))
        number += len(these)
    return picture("The 24 layouts of 3x3 with ships 2 and 1, by what they do on A1", rows)


def counting_map() -> str:
    layouts = all_layouts(TINY)
    counts = [sum(occupied(layout) >> cell & 1 for layout in layouts) for cell in range(9)]
    parts: list[Panel | str] = []
    for name, sign in (("A1", "+"), ("A1:B1", "+"), ("A1:A2", "=")):
        ship = Placement.parse(name, TINY.board)
        through = sum(ship in layout for layout in layouts)
        parts += [Panel(TINY, ships=[ship], caption=(f"{through} layouts",)), sign]
    fills = {cell: css(LIGHT.scale(count / max(counts))) for cell, count in enumerate(counts)}
    whole = Panel(TINY, fills=fills, texts={c: str(n) for c, n in enumerate(counts)},
                  caption=(f"A1: {counts[0]} of {len(layouts)}",))  # fmt: skip
    return picture("The occupancy of A1 as a sum over placements, and that of all cells",
                   [("", [*parts, whole])])  # fmt: skip


def counting_known() -> str:
    sides = Rules("3x3", "3,2", "sides", "sunk", announce="none")
    hit, sunk = [("A1", "hit")], [("A1", "sunk")]
    late = [("C3", "hit"), ("A3", "hit"), ("B3", "sunk")]
    halo = Placement.parse("A1", TINY.board).halo(TINY.contact)

    def ways(rules: Rules, names: Sequence[str], history: Sequence[tuple[str, str]]) -> list[Panel]:
        made = []
        for name in names:
            ship = Placement.parse(name, rules.board)
            count = sum(ship in layout for layout in left(rules, *history))
            made.append(Panel(rules, ships=[ship], shots=shots(rules, *history),
                              caption=(f"{name}: {layouts_in_words(count)}",)))  # fmt: skip
        return made

    fixed = Panel(TINY, ships=ships(TINY, "A1"), shots=shots(TINY, *sunk),
                  texts=dict.fromkeys(cells_of(halo), "~"),
                  caption=(f"{len(left(TINY, *sunk))} layouts",))  # fmt: skip
    return picture(
        "What answers say of the placements over a shot",
        [
            ("A1 hit: a ship over A1 with a cell not hit", ways(TINY, ("A1:B1", "A1:A2"), hit)),
            ("A1 sunk: the ship on A1 alone, and water around it", [fixed]),
            ("Ships may touch; C3 hit, A3 hit, B3 sunk: a ship over B3 hit all over by then",
             ways(sides, ("A3:B3", "B3:C3", "A3:C3"), late)),
        ],
    )  # fmt: skip
