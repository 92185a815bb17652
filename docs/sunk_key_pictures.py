"""The pictures of the page on the key of announced sinkings; see ``make_theory_pictures``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from captioned_boards import (
    TINY,
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
from seabattle.enumerate.picture import Scale


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
