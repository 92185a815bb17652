"""Make the pictures of the theory pages: ``python docs/make_theory_pictures.py``.

Boards, ships and marks are drawn by the program's own renderer; this file only lays boards out in
rows and writes on them what the pages speak of. Layouts are listed by the program and sorted here,
so that every number in a picture is counted when the picture is made.

Signs beyond those of the program: ``~`` is a cell still to come that must be water, a digit on a
ship how many of its cells are to come, a thick line the frontier, ``?`` a cell that is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from seabattle import DecisionTable, Position, Rules, enumerate_layouts
from seabattle.enumerate.display.boards import GREY, INK, Boards, Scale
from seabattle.enumerate.display.colours import css, text_on, viridis
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.placements import Placement
from seabattle.trees.tree.tree_files import write_text

IMAGES = Path(__file__).resolve().parent / "pages" / "images"
FONTS = "Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
FRONTIER = "#b45309"
TO_COME = "#e9edf1"
GOOD = "#0b6e4f"
WATER = "#1a5a86"
MONOSPACE = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"

WIDE = Scale(cell=30, text=13, label=12, gap=26, rank_gap=0)
SMALL = Scale(cell=14, text=13, label=0, gap=10, rank_gap=0)
MARGIN = 12
LINE = 17
LETTER = 7.1
"""Width of a letter of the captions, about."""


@dataclass(frozen=True)
class Panel:
    """One board and what is written on it and below it."""

    rules: Rules
    ships: Sequence[Placement] = ()
    shots: Sequence[tuple[int, int]] = ()
    fills: dict[int, str] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    dashed: Sequence[int] = ()
    frontier: int | None = None
    caption: Sequence[str] = ()
    faded: bool = False
    scale: Scale = WIDE

    @property
    def rows(self) -> int:
        return self.rules.board.rows

    @property
    def columns(self) -> int:
        return self.rules.board.columns

    @property
    def width(self) -> float:
        text = max((len(line) for line in self.caption), default=0) * LETTER
        return max(self.columns * self.scale.cell + self.scale.gutter, text)

    @property
    def height(self) -> int:
        return self.rows * self.scale.cell + self.scale.gutter + LINE * len(self.caption)

    def inside(self, boards: Boards) -> str:
        """The board from its own corner, drawn by the program's renderer, with what is added."""
        u = self.scale.cell
        parts = [boards.use(f"{boards.prefix}b")]
        for cell, colour in self.fills.items():
            x, y = self._corner(cell)
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{u - 2}" height="{u - 2}" fill="{colour}"/>'
            )
        parts += [boards.ships(self.ships), boards.marks(self.shots)]
        for cell in self.dashed:
            x, y = self._corner(cell)
            parts.append(
                f'<rect x="{x + 4}" y="{y + 4}" width="{u - 8}" height="{u - 8}" rx="6" '
                f'fill="none" stroke="{GOOD}" stroke-width="2.4" stroke-dasharray="4 3"/>'
            )
        for cell, text in self.texts.items():
            x, y = self._corner(cell)
            back = self.fills.get(cell, "#ffffff")
            rgb = (int(back[1:3], 16), int(back[3:5], 16), int(back[5:7], 16))
            size, down = (22, 8) if text == "~" else (15, 5)
            colour = WATER if text == "~" else css(text_on(rgb))
            parts.append(
                f'<text x="{x + u / 2:g}" y="{y + u / 2 + down:g}" font-size="{size}" '
                f'text-anchor="middle" fill="{colour}">{escape(text)}</text>'
            )
        if self.frontier is not None:
            parts.append(self._line(self.frontier))
        return "".join(parts)

    def _corner(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.columns)
        return column * self.scale.cell, row * self.scale.cell

    def _line(self, place: int) -> str:
        """The frontier before the cell at a place of the sweep: a line with one step."""
        u = self.scale.cell
        row, column = divmod(place, self.columns)
        x, y, right = column * u, row * u, self.columns * u
        path = f"M-5 {y + u}H{x}V{y}H{right + 5}" if column else f"M-5 {y}H{right + 5}"
        return f'<path d="{path}" fill="none" stroke="{FRONTIER}" stroke-width="3.4"/>'


Row = tuple[str, Sequence["Panel | str"]]
"""A line above the boards, and boards with signs between them."""

SIGN = 46


def picture(title: str, rows: Sequence[Row]) -> str:
    """Rows of boards as one SVG document."""
    kinds = list(
        dict.fromkeys((p.rules, p.scale) for _, row in rows for p in row if isinstance(p, Panel))
    )
    drawn: dict[tuple[Rules, Scale], list[str]] = {kind: [] for kind in kinds}
    prefixes = [f"t{number}" for number in range(len(kinds))]
    made = [Boards(*kind, prefix) for kind, prefix in zip(kinds, prefixes, strict=True)]
    boards = dict(zip(kinds, made, strict=True))
    words: list[str] = []
    y, widest = float(MARGIN), 0.0
    for heading, row in rows:
        if heading:
            words.append(_text(MARGIN, y + 13, heading, "start", bold=True))
            widest = max(widest, MARGIN + len(heading) * (LETTER + 0.4))
            y += LINE + 8
        panels = [item for item in row if isinstance(item, Panel)]
        tallest = max(p.rows * p.scale.cell + p.scale.gutter for p in panels)
        x = float(MARGIN)
        for number, item in enumerate(row):
            if isinstance(item, str):
                middle = y + panels[0].scale.gutter + panels[0].rows * panels[0].scale.cell / 2
                size = 24 if len(item) == 1 else 13
                wide = max(SIGN, len(item) * LETTER + 24)
                at = x + (wide + 6) / 2
                words.append(_text(at, middle + size / 3, item, "middle", size))
                x += wide
                continue
            long = item.columns * item.scale.cell
            gutter = item.scale.gutter
            left = x + gutter + (item.width - gutter - long) / 2
            top = y + gutter
            faded = ' opacity="0.38"' if item.faded else ""
            drawn[item.rules, item.scale].append(
                f'<g transform="translate({left:g} {top:g})"{faded}>'
                f"{item.inside(boards[item.rules, item.scale])}</g>"
            )
            for line, text in enumerate(item.caption):
                at = top + item.rows * item.scale.cell + LINE * (line + 1)
                words.append(_text(left + long / 2, at, text, "middle"))
            x += item.width
            if number + 1 < len(row) and isinstance(row[number + 1], Panel):
                x += item.scale.gap
        widest = max(widest, x)
        lines = max(len(p.caption) for p in panels)
        y += tallest + LINE * lines + 16
    width, height = round(widest + MARGIN), round(y - 16 + MARGIN)
    groups = "\n".join(
        f'<g id="{prefix}">{"".join(drawn[kind])}</g>'
        for prefix, kind in zip(prefixes, kinds, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title" '
        f'font-family="{FONTS}">\n<title id="title">{escape(title)}</title>\n'
        f"<style>\n{chr(10).join(b.style() for b in made)}\n</style>\n"
        f"<defs>\n{chr(10).join(b.defs() for b in made)}\n</defs>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f"{groups}\n{''.join(words)}\n</svg>\n"
    )


def _text(x: float, y: float, text: str, anchor: str, size: int = 13, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    if set(text) <= set("_~123"):  # a profile
        weight, size = f' font-family="{MONOSPACE}"', 14
    colour = GREY if size > 14 else INK
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}"{weight}>{escape(text)}</text>'
    )


# --- what the pages speak of ---------------------------------------------------------------------

TINY = Rules("3x3", "2,1", "none", "sunk")
Layout = list[Placement]


def ships(rules: Rules, *names: str) -> Layout:
    """Placements by their names."""
    return [Placement.parse(name, rules.board) for name in names]


def shots(rules: Rules, *history: tuple[str, str]) -> tuple[tuple[int, int], ...]:
    """Pairs of cell and answer code."""
    return Position.read(rules, history).shots


def all_layouts(rules: Rules) -> list[Layout]:
    """Every layout of a game."""
    found = enumerate_layouts(rules)
    return [found.placements(number) for number in range(len(found))]


def left(rules: Rules, *history: tuple[str, str]) -> list[Layout]:
    """The layouts that fit a history."""
    table = DecisionTable.build(rules).at(Position.read(rules, history))
    return [table.layouts.placements(int(number)) for number in table.index]


def layouts_in_words(count: int) -> str:
    return f"{count} layout" if count == 1 else f"{count} layouts"


def occupied(layout: Layout) -> int:
    """Mask of a layout's cells."""
    return sum(placement.mask for placement in layout)


def key(rules: Rules, history: Sequence[tuple[str, str]], caption: Sequence[str]) -> Panel:
    """The key of what is left: occupied in all, in none, or unknown."""
    masks = [occupied(layout) for layout in left(rules, *history)]
    every = some = masks[0]
    for mask in masks:
        every, some = every & mask, some | mask
    texts = {}
    for cell in range(rules.board.cells):
        texts[cell] = "H" if every >> cell & 1 else "?" if some >> cell & 1 else "M"
    colours = {"H": "#f6d9a8", "M": "#cfe3f3", "?": "#ffffff"}
    return Panel(
        rules, fills={c: colours[t] for c, t in texts.items()}, texts=texts, caption=caption
    )


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
    fills = {cell: css(viridis(count / max(counts))) for cell, count in enumerate(counts)}
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


def key_question() -> str:
    rows: list[Row] = []
    for answer in ("hit", "sunk"):
        history = [("A1", answer)]
        count = len(left(TINY, *history))
        said = Panel(TINY, shots=shots(TINY, *history), caption=(f"A1 {answer}",))
        rows.append(("", [said, "\N{RIGHTWARDS ARROW}",
                          key(TINY, history, (f"{count} layouts left",))]))  # fmt: skip
    joined: list[Panel | str] = [*rows[0][1], "   or   ", *rows[1][1]]
    return picture("The same shot with two answers, and the cells occupied in all layouts left "
                   "(H) or in none (M)", [("", joined)])  # fmt: skip


def key_groups() -> str:
    def board(contact: str, words: str, *names: str) -> Panel:
        rules = Rules("4x4", "3,3", contact, "hit")
        return Panel(rules, ships=ships(rules, *names),
                     shots=shots(rules, ("B2", "hit"), ("C2", "hit")),
                     caption=(f"contact {contact}", words))  # fmt: skip

    return picture(
        "Hit cells side by side lie in one ship, unless ships may touch by their sides",
        [("", [board("none", "one ship", "B2:D2"), board("corners", "one ship", "A2:C2", "D3:D4"),
               board("sides", "perhaps two ships", "B1:B3", "C2:C4")])],
    )  # fmt: skip


def key_order() -> str:
    rules = Rules("3x3", "3,1,1", "none", "sunk")
    steps = {"c": ("B1", "miss"), "d": ("A1", "sunk")}
    begin = Panel(rules, texts={0: "d", 1: "c"}, dashed=(0,), caption=("d is certain",))

    def after(*order: str) -> Panel:
        history = [steps[name] for name in order]
        cell, answer = history[-1]
        texts = {0: "d"} if order == ("c",) else {1: "c"} if order == ("d",) else {}
        return Panel(
            rules,
            shots=shots(rules, *history),
            texts=texts,
            dashed=(0,) if order == ("c",) else (),
            caption=(f"{cell} {answer}",),
        )

    arrow = "\N{RIGHTWARDS ARROW}"
    return picture(
        "Two strategies, one of which shoots the certain hit first, know the same in the end",
        [
            ("The first shoots c, and d when it likes",
             [begin, arrow, after("c"), arrow, after("c", "d")]),
            ("The second shoots d at once, then goes on like the first",
             [begin, arrow, after("d"), arrow, after("d", "c")]),
        ],
    )  # fmt: skip


def key_last() -> str:
    rules = Rules("3x3", "3,1,1", "none", "sunk")
    arrow = "\N{RIGHTWARDS ARROW}"
    rows: list[Row] = []
    for order in ("A1 B1 C1", "C1 A1 B1"):
        cells = order.split()
        row: list[Panel | str] = []
        for n in range(1, 4):
            history = [(cell, "sunk" if i == 2 else "hit") for i, cell in enumerate(cells[:n])]
            row += [Panel(rules, shots=shots(rules, *history),
                          caption=(f"{cells[n - 1]} {history[-1][1]}",)), arrow]  # fmt: skip
        rows.append(("", row[:-1]))
    return picture("Whichever cell of a ship is shot last is answered sunk", rows)


def key_rebuild() -> str:
    history = [("A1", "hit")]
    inside = [occupied(layout) for layout in left(TINY, *history)]
    every, none = inside[0], 0x1FF
    for mask in inside:
        every, none = every & mask, none & ~mask
    fitting = [x for x in all_layouts(TINY) if not every & ~occupied(x) and not none & occupied(x)]
    beside = sum(1 << cell for cell in (1, 3))
    good = [x for x in fitting if occupied(x) & beside]
    bad = [x for x in fitting if not occupied(x) & beside]
    assert sorted(map(occupied, good)) == sorted(inside)

    def small(layouts: list[Layout], *, faded: bool = False) -> list[Panel]:
        scale = Scale(cell=22, text=13, label=0, gap=14, rank_gap=0)
        return [Panel(TINY, ships=layout, faded=faded, scale=scale) for layout in layouts]

    said = key(TINY, history, ())
    open_cells = Panel(TINY, fills=said.fills, texts=said.texts, dashed=(1, 3))
    return picture(
        "From the key back to the layouts: those that occupy an open neighbour of the group",
        [
            ("The key after A1 hit. Beside the group A1, two cells are not in M", [open_cells]),
            (f"Contain H, avoid M, and occupy one of them: the {len(good)} layouts left",
             small(good)),
            (f"Contain H and avoid M, but the group would be sunk: the other {len(bad)}",
             small(bad, faded=True)),
        ],
    )  # fmt: skip


SIDES = Rules("3x3", "3,2", "sides", "sunk", announce="none")
EARLY = (("C3", "hit"), ("B3", "sunk"), ("A3", "hit"))
LATE = (("C3", "hit"), ("A3", "hit"), ("B3", "sunk"))


def key_sides() -> str:
    arrow = "\N{RIGHTWARDS ARROW}"
    rows: list[Row] = []
    for history in (EARLY, LATE):
        row: list[Panel | str] = []
        for n in range(1, 4):
            cell, answer = history[n - 1]
            row += [Panel(SIDES, shots=shots(SIDES, *history[:n]),
                          caption=(f"{cell} {answer}",)), arrow]  # fmt: skip
        count = len(left(SIDES, *history))
        rows.append(("", [*row[:-1], layouts_in_words(count)]))
    return picture("The same three hits in two orders where ships may touch by their sides", rows)


def key_sides_left() -> str:
    scale = Scale(cell=22, text=13, label=0, gap=14, rank_gap=0)

    def boards(history: Sequence[tuple[str, str]], keep: Callable[[Layout], bool]) -> list[Panel]:
        these = [layout for layout in left(SIDES, *history) if keep(layout)]
        return [Panel(SIDES, ships=layout, scale=scale) for layout in these]

    def whole_row(layout: Layout) -> bool:
        return any(str(ship) == "A3:C3" for ship in layout)

    return picture(
        "The layouts left by each order",
        [
            ("C3 hit, B3 sunk, A3 hit", boards(EARLY, lambda _: True)),
            ("C3 hit, A3 hit, B3 sunk: the ship of 2 was sunk ...",
             boards(LATE, lambda layout: not whole_row(layout))),
            ("... or the ship of 3", boards(LATE, whole_row)),
        ],
    )  # fmt: skip


def pictures() -> dict[str, str]:
    """Every picture by its file's name."""
    return {
        "counting-cut.svg": counting_cut(),
        "counting-known.svg": counting_known(),
        "counting-map.svg": counting_map(),
        "counting-ranks.svg": counting_ranks(),
        "counting-states.svg": counting_states(),
        "counting-steps.svg": counting_steps(),
        "key-groups.svg": key_groups(),
        "key-last.svg": key_last(),
        "key-order.svg": key_order(),
        "key-question.svg": key_question(),
        "key-rebuild.svg": key_rebuild(),
        "key-sides-left.svg": key_sides_left(),
        "key-sides.svg": key_sides(),
    }


if __name__ == "__main__":
    for name, drawing in pictures().items():
        write_text(IMAGES / name, drawing)
        print(name, f"{len(drawing) / 1000:.0f} kB")
