"""What objects show in a notebook: small boards, and tables.

A notebook asks an object for ``_repr_svg_`` or ``_repr_html_``; those methods call the functions
here. Tables carry their few styles with each element, so that they look alike in every front end
and need no style sheet; they follow the page's own colours, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from seabattle.enumerate.display.boards import LARGE, Boards, sunk_mask
from seabattle.enumerate.display.colours import css
from seabattle.enumerate.display.palette import LIGHT
from seabattle.enumerate.display.percent import percent_text
from seabattle.enumerate.display.svg import document, id_prefix
from seabattle.enumerate.game.answers import is_miss
from seabattle.enumerate.game.board import Board, column_name
from seabattle.enumerate.game.placements import Placement
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Contact, Rules

MARGIN = 6
ROWS_SHOWN = 10
"""Number of rows shown of a long table."""

BOARDS_SHOWN = 12
"""Number of boards shown of many layouts."""


def board_svg(
    rules: Rules | Board,
    *,
    title: str,
    ships: Sequence[Placement] = (),
    shots: Sequence[tuple[int, int]] = (),
) -> str:
    """One board with ships and shots as an SVG document.

    Parameters
    ----------
    rules
        The game, or a board alone.
    title
        What is drawn, for screen readers.
    ships
        Placements to draw.
    shots
        Pairs (cell, answer code) to draw.

    Returns
    -------
    str
        The document; its ids are its own, so that many can be on one page.
    """
    if isinstance(rules, Board):
        rules = Rules(rules, sorted({ship.length for ship in ships}) or [1], Contact.SIDES)
    prefix = id_prefix("b", (rules, title, [ship.cells for ship in ships], list(shots)), size=5)
    boards = Boards(rules, LARGE, prefix)
    left = MARGIN + boards.scale.gutter + 6 * (rules.board.rows > 9)
    top = MARGIN + boards.scale.gutter
    body = (
        f'<g transform="translate({left} {top})">{boards.use(prefix + "b")}'
        f"{boards.ships(ships)}{boards.marks(shots)}</g>"
    )
    shapes = f"<defs>\n{boards.defs()}\n</defs>"
    width, height = left + boards.width + MARGIN, top + boards.height + MARGIN
    return document(prefix, width, height, title, body, definitions=shapes)


def figures(pictures: Iterable[tuple[str, str]], note: str = "") -> str:
    """Pictures side by side as HTML, each with a line below it, and a note after them."""
    style = "display:inline-block;margin:4px 8px 4px 0;text-align:center;vertical-align:top"
    parts = [
        f'<div style="{style}">{picture}<div style="font-size:11px">{escape(line)}</div></div>'
        for picture, line in pictures
    ]
    after = f'<p style="margin:4px 0;font-size:12px">{escape(note)}</p>' if note else ""
    return f"<div>{''.join(parts)}{after}</div>"


def map_html(
    board: Board,
    counts: Sequence[int],
    total: int,
    *,
    shots: Mapping[int, str],
    best: Sequence[int],
    caption: str,
) -> str:
    """A heat map as an HTML table: percentages on their colours, shots as signs, best cells framed.

    Parameters
    ----------
    board, counts, total
        Layouts that occupy each cell, in reading order, out of all.
    shots
        Sign of every cell shot.
    best
        Cells to frame.
    caption
        Line above the table.
    """
    left = [counts[cell] for cell in range(board.cells) if cell not in shots]
    low, high = min(left, default=0), max(left, default=0)
    rows = []
    for row in range(board.rows):
        cells = [f'<th style="padding:2px 6px;text-align:right">{row + 1}</th>']
        for cell in range(row * board.columns, (row + 1) * board.columns):
            if cell in shots:
                back, text = f"{LIGHT.shot};color:{LIGHT.ink}", shots[cell]
            else:
                ground = LIGHT.scaled(counts[cell], low, high)
                back = f"{css(ground)};color:{LIGHT.number_on(ground)}"
                text = percent_text(counts[cell], total)
            frame = f";outline:3px solid {LIGHT.target};outline-offset:-3px" if cell in best else ""
            cells.append(
                f'<td style="background:{back};padding:5px 7px;text-align:center{frame}">'
                f"{escape(text)}</td>"
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    heads = "".join(
        f'<th style="padding:2px;text-align:center">{column_name(c)}</th>'
        for c in range(board.columns)
    )
    return (
        f'<div style="overflow-x:auto"><p style="margin:4px 0;font-size:12px">{escape(caption)}</p>'
        f'<table style="border-collapse:collapse;font-size:12px;font-variant-numeric:tabular-nums">'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def position_map_html(
    position: Position, counts: Sequence[int], total: int, best: Sequence[int], caption: str
) -> str:
    """A heat map of a game in progress as an HTML table; parameters as in ``map_html``."""
    sunk = sunk_mask(position.rules, position.shots)
    shots = {
        cell: "X" if sunk >> cell & 1 else "." if is_miss(code) else "x"
        for cell, code in position.shots
    }
    board = position.rules.board
    return map_html(board, counts, total, shots=shots, best=best, caption=caption)


def html_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    note: str = "",
    left: Sequence[int] = (0,),
    foot: Sequence[str] | None = None,
) -> str:
    """A table as HTML; texts are escaped.

    Parameters
    ----------
    head
        Heads of the columns, empty for none.
    rows
        Texts of the cells, row by row.
    caption, note
        Lines above and below.
    left
        Columns aligned to the left; the others are aligned to the right.
    foot
        A last row, set off by a line.
    """

    def line(texts: Sequence[str], tag: str, more: str = "") -> str:
        cells = []
        for column, text in enumerate(texts):
            side = "left" if column in left else "right"
            style = f"text-align:{side};padding:2px 6px;white-space:nowrap{more}"
            cells.append(f'<{tag} style="{style}">{escape(text)}</{tag}>')
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    ends = line(foot, "th", ";border-top:1px solid currentColor") if foot is not None else ""
    heads = f"<thead>{line(head, 'th')}</thead>" if head else ""
    top = (
        '<caption style="text-align:left;padding:2px 6px;white-space:nowrap">'
        f"{escape(caption)}</caption>"
        if caption
        else ""
    )
    after = f'<p style="margin:4px 6px;font-size:12px">{escape(note)}</p>' if note else ""
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;font-size:12px">'
        f"{top}{heads}<tbody>{body}{ends}</tbody></table>{after}</div>"
    )
