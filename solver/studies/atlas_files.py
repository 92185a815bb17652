"""The atlas on disk: its rows as they are solved, and in the end JSON, CSV and a page.

While the atlas is solved, each row is appended to ``rows.jsonl`` as soon as it is there; a run that
was stopped goes on from there. When all rows are there, ``table.csv``, ``table.json`` and
``index.html`` are written and ``rows.jsonl`` is removed, unless it has rows of other boards. Rows
of a finished table are not solved again: the same command writes the files anew. Rows without a
value of the equilibrium are solved again if it was not looked for before, or with another limit.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.files import GrowingFile, read_json, read_text, write_text
from seabattle.enumerate.words import counted
from seabattle.solver.studies.atlas import OPEN, AtlasGame, AtlasRow, Key
from seabattle.trees.page.frame import page, scrolled

FORMAT = "seabattle-atlas"

COLUMNS = {
    "board": "rows x columns",
    "fleet": "ship lengths",
    "contact": "contact rule: ships touch nowhere (none), at corners (corners) or anywhere (sides)",
    "answers": "answer mode: hit (hit or miss), sunk (hit, miss, or sunk) or ship (which ship)",
    "layouts": "number of layouts, all equally likely",
    "status": "proven, or bounded when the time limit left a value or the first shots open",
    "worst_misses": "least worst case: no tree has fewer misses on its worst layout",
    "worst_lower_bound": "proven lower bound of worst_misses; equal when that is proven",
    "mean": "least mean, as total misses over layouts; another tree may be needed for it",
    "mean_misses": "the same as a decimal",
    "total_misses": "its numerator",
    "total_lower_bound": "proven lower bound of total_misses; equal when that is proven",
    "best_first_shots": "every first shot of a tree of least mean; a cell that all layouts occupy "
    "is one too, for it costs nothing",
    "equilibrium": "mean misses of the best mix of trees against the best mix of layouts, as a "
    "quotient; empty unless it is known exactly",
    "equilibrium_misses": "the same as a decimal, or a proven upper bound; empty where it "
    "is not known",
    "equilibrium_lower_bound": "proven lower bound of equilibrium_misses; equal when it is exact, "
    "else less by a millionth of a miss at most",
}

_STYLE = """
body { max-width: 80rem; }
table { width: 100%; }
thead th { position: sticky; top: 0; background: var(--ground); z-index: 1; }
thead tr + tr th { top: 2.1rem; }
th.group { text-align: center; border-bottom: 1px solid var(--line); height: 1.6rem; }
.first { border-left: 1px solid var(--line); } td.first, th.first { padding-left: 1rem; }
svg.shots { display: block; }
svg.shots .g { fill: none; stroke: var(--grey); stroke-width: .07; opacity: .6; }
svg.shots .b { fill: var(--accent); }
.total { display: inline-block; min-width: 6.5rem; margin-left: .6rem; text-align: left; }
td.value { color: var(--grey); }
@media (max-width: 1249px) { .total { display: none; } }
@media (min-width: 700px) { .wide { overflow: visible; } }
@media (max-width: 699px) {
  table { font-size: .75rem; } .value { display: none; }
  body { padding-left: .75rem; padding-right: .75rem; } th, td { padding: .25rem .17rem; }
  thead th { white-space: normal; }
  td .bounded { white-space: normal; }
  td.first, th.first { padding-left: .3rem; } svg.shots { height: 27px; width: auto; }
  thead th { position: static; } tbody th, thead th:first-child[rowspan] { position: sticky;
    left: 0; background: var(--ground); padding-left: 0; }
}
"""


def table_json(rows: Sequence[AtlasRow], maker: Mapping[str, Any]) -> str:
    """The table as JSON: what made it, what the columns say, the rows."""
    head = {"format": FORMAT, "version": 1, "made_by": maker, "columns": COLUMNS}
    body = ",\n".join(json.dumps(row.document()) for row in rows)
    return f'{json.dumps(head)[:-1]}, "rows": [\n{body}\n]}}\n'


def table_csv(rows: Sequence[AtlasRow]) -> str:
    """The table as CSV; first shots are joined by spaces."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        shots = row.best_shots
        writer.writerow({**row.document(), "best_first_shots": " ".join(shots or ())})
    return stream.getvalue()


_ATLAS = (
    "<p>Every fleet of two to six ships with lengths up to 4 on small boards, solved: on 3x3 "
    "and 3x4 all that have a layout, on 4x4, 4x5 and 5x5 those with 200 to 5,000 layouts, on 5x6 "
    "and 6x6 those with 200 to 2,000 whose least mean half a minute proves, and some that "
    "beginners play. Ships do not touch, not even at a corner; all layouts are equally likely.</p>"
)
_LEFT_OUT = "Left out, since half a minute leaves their least mean open: "
_LIST = "<p>The games of a list, solved; all layouts are equally likely.</p>"
_MODES = "shots are answered hit or miss; or also sunk, when a shot completes a ship."
_EQUILIBRIUM = (
    "<li><b>equilibrium</b>: what is missed on average when the hider, too, does as well as "
    "possible: layouts are drawn so that no strategy misses less, though it be made for the way "
    "they are drawn. It is exact, or known to within a millionth of a miss; a dash where it is not "
    "known. A narrow screen leaves this column out.</li>"
)
_SHIP_MODE = "</li><li><b>ship</b>: a hit also tells which ship it is."


def table_page(rows: Sequence[AtlasRow], maker: Mapping[str, Any], *, listed: bool = False) -> str:
    """The table as a page: a table for each board, the answer modes side by side.

    ``listed`` says that these are the games of a list, not those of the atlas.
    """
    boards = list(dict.fromkeys((row.board, row.contact) for row in rows))
    named = any(row.answers == "ship" for row in rows)
    limit = maker["row_limit_seconds"]
    bounded = sum(row.status == "bounded" for row in rows)
    valued = any(row.equilibrium is not None for row in rows)
    stopped = (
        f" A search that was stopped after {limit:g} seconds of processor time gives the interval "
        f'that it proved, <span class="bounded">as 12–14</span>.'
        if bounded
        else ""
    )
    parts = [
        _LIST if listed else _ATLAS,
        f"<ul><li><b>hit</b>, <b>sunk</b>: {_MODES}{_SHIP_MODE if named else ''}</li>"
        "<li><b>worst</b>: the least worst case. No strategy misses "
        "less often on its worst layout.</li><li><b>mean</b>: the least mean, and <b>total</b>, "
        "the same as total misses over layouts. No strategy misses less on average; it may be "
        "another strategy than that of least worst case.</li><li><b>first shots</b>: every first "
        "shot of a strategy of least mean, drawn on the board. A cell that all layouts occupy is "
        f"among them, for it costs nothing.</li>{_EQUILIBRIUM if valued else ''}</ul>",
        f"<p>{counted(len(rows), 'game', separator=',')}, {len(rows) - bounded:,} of them proven, "
        f"every tree verified from the rules alone.{stopped} The same as "
        '<a href="table.csv">CSV</a> and <a href="table.json">JSON</a>.</p>',
        '<nav aria-label="Boards">'
        + " ".join(f'<a href="#{_place(*board)}">{_title(*board)}</a>' for board in boards)
        + "</nav>",
    ]
    for board in boards:
        parts.append(f'<h2 id="{_place(*board)}">{_title(*board)}</h2>')
        if not listed and board[0] in OPEN:
            parts.append(f"<p>{_LEFT_OUT}{'; '.join(OPEN[board[0]])}.</p>")
        there = [row for row in rows if (row.board, row.contact) == board]
        parts.append(_board_table(there, valued))
    made = f"Made by: {maker['command']}, version {maker['version']}"
    title = "Solved games" if listed else "Atlas of solved fleets"
    return page(title, "\n".join(parts), style=_STYLE, made_by=made)


def _spaced(board: str) -> str:
    return board.replace("x", " × ")


def _place(board: str, contact: str) -> str:
    return board if contact == "none" else f"{board}-{contact}"


def _title(board: str, contact: str) -> str:
    return _spaced(board) + ("" if contact == "none" else f", contact {contact}")


def _board_table(rows: Sequence[AtlasRow], valued: bool) -> str:
    """A table; ``valued`` says that it has a column of the equilibrium."""
    fleets: dict[str, dict[str, AtlasRow]] = {}
    for row in rows:
        fleets.setdefault(row.fleet, {})[row.answers] = row
    modes = list(dict.fromkeys(row.answers for row in rows))
    groups = "".join(
        f'<th colspan="{3 + valued}" scope="colgroup" class="group first">{mode}</th>'
        for mode in modes
    )
    heads = (
        '<th scope="col" class="n first">worst</th><th scope="col" class="n">mean'
        '<span class="total">total</span></th>'
        + ('<th scope="col" class="n value">equilibrium</th>' if valued else "")
        + '<th scope="col">first shots</th>'
    )
    body = []
    for fleet, found in fleets.items():
        count = next(iter(found.values())).layouts
        cells = "".join(_cells(found.get(mode), valued) for mode in modes)
        body.append(f'<tr><th scope="row">{fleet}</th><td class="n">{count:,}</td>{cells}</tr>')
    table = (
        f'<table><thead><tr><th rowspan="2" scope="col">fleet</th><th rowspan="2" scope="col" '
        f'class="n">layouts</th>{groups}</tr><tr>{heads * len(modes)}</tr></thead><tbody>\n'
        + "\n".join(body)
        + "\n</tbody></table>"
    )
    return scrolled(table, f"Fleets on {_title(rows[0].board, rows[0].contact)}")


def _interval(low: str, high: str) -> str:
    return high if low == high else f'<span class="bounded">{low}–{high}</span>'


def _cells(row: AtlasRow | None, valued: bool) -> str:
    if row is None:
        value = '<td class="n value">–</td>' if valued else ""
        return f'<td class="n first">–</td><td class="n">–</td>{value}<td>–</td>'
    worst = _interval(str(row.worst_lower), str(row.worst_misses))
    mean = _interval(f"{row.total_lower / row.layouts:.4f}", f"{float(row.mean_misses):.4f}")
    total = _interval(str(row.total_lower), str(row.total_misses))
    return (
        f'<td class="n first">{worst}</td><td class="n">{mean}'
        f'<span class="small total">{total}/{row.layouts}</span></td>'
        f"{_value(row) if valued else ''}<td>{_shots(row)}</td>"
    )


def _value(row: AtlasRow) -> str:
    """The equilibrium to four digits; what is known of it shows under the pointer."""
    value = row.equilibrium
    if value is None:
        return '<td class="n value">–</td>'
    known = f"exactly {value}" if value.is_exact else f"from {value}"
    return f'<td class="n value" title="{known}">{float(value.upper):.4f}</td>'


def _shots(row: AtlasRow) -> str:
    """The first shots as a small board that names them."""
    if row.best_shots is None:
        return '<span class="bounded">open</span>'
    board = Board.parse(row.board)
    r, c = board.rows, board.columns
    grid = "".join(f"M0 {y}h{c}" for y in range(r + 1)) + "".join(
        f"M{x} 0v{r}" for x in range(c + 1)
    )
    marked = "".join(
        f"M{cell % c}.1 {cell // c}.1h.8v.8h-.8z" for cell in map(board.cell, row.best_shots)
    )
    told = escape(" ".join(row.best_shots))
    return (
        f'<svg class="shots" role="img" aria-label="{told}" width="{8 * c + 2}" '
        f'height="{8 * r + 2}" viewBox="-.1 -.1 {c + 0.2:g} {r + 0.2:g}"><title>{told}</title>'
        f'<path class="b" d="{marked}"/><path class="g" d="{grid}"/></svg>'
    )


LIMIT, TRIED = "row_limit_seconds", "equilibrium_limit_seconds"
"""Fields of what made an atlas: its limits."""


def write_atlas(
    folder: Path, rows: Sequence[AtlasRow], maker: Mapping[str, Any], *, listed: bool
) -> None:
    """Write the finished table: JSON, CSV and a page."""
    write_text(folder / "table.json", table_json(rows, maker))
    write_text(folder / "table.csv", table_csv(rows))
    write_text(folder / "index.html", table_page(rows, maker, listed=listed))


class Journal:
    """The rows solved so far, one JSON object a line after a line that says what made them.

    Rows of the finished table beside it are among them. Rows of another version of the program are
    not gone on from; a last line that was cut short is dropped. What is proven holds whatever the
    time limits were; a game of which another limit left something open is solved again.

    Parameters
    ----------
    folder
        That of the atlas.
    maker
        What makes it: ``version`` and the limits.

    Attributes
    ----------
    rows
        Rows of earlier runs; they are believed.
    notes
        What could not be read of the rows of a run that was stopped, and is solved again.

    Raises
    ------
    SeabattleError
        If the table in the folder is none, or is damaged: it is not replaced.
    """

    def __init__(self, folder: Path, maker: Mapping[str, Any]) -> None:
        self.path = folder / "rows.jsonl"
        self.notes: list[str] = []
        limits = {name: maker[name] for name in (LIMIT, TRIED)}
        self._head = {"format": FORMAT, "program": maker["version"], **limits}
        self.rows: dict[Key, AtlasRow] = {}
        table = folder / "table.json"
        if table.exists():
            document = read_json(table, "table of an atlas", SeabattleError, once=True)
            try:
                made_by = {**document["made_by"], "format": document["format"]}
                self._believe({**made_by, "program": made_by["version"]}, document["rows"])
            except (KeyError, TypeError, SeabattleError) as error:
                raise SeabattleError(
                    f"{table} is no table of an atlas, or was edited or damaged: "
                    f"{error or 'no text'}; remove it, or name another folder"
                ) from None
        if self.path.exists():
            text = read_text(self.path, SeabattleError(f"{self.path} is no UTF-8 text"))
            try:
                head, *lines = text.split("\n")[:-1] or ["{}"]
                for line in lines:
                    self._believe(json.loads(head), [json.loads(line)])
            except (ValueError, TypeError, AttributeError):
                self.notes.append(f"{self.path}: rows after a damaged line are solved again")

    def _believe(self, head: Mapping[str, Any], rows: Sequence[Any]) -> None:
        """Take in the rows below a head that are gone on from."""
        read = [AtlasRow.read(row) for row in rows]
        if any(head.get(name) != self._head[name] for name in ("format", "program")):
            return
        same, as_long = (head.get(name) == self._head[name] for name in (LIMIT, TRIED))
        self.rows |= {
            row.key: row
            for row in read
            if (same or row.status == "proven")
            and (as_long or row.equilibrium is not None or not self._head[TRIED])
        }

    def __enter__(self) -> Journal:
        lines = [json.dumps(self._head), *(json.dumps(r.document()) for r in self.rows.values())]
        self._file = GrowingFile(self.path, lines)
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def keep(self, row: AtlasRow) -> None:
        """Append a row at once."""
        self._file.add(json.dumps(row.document()))

    def finish(self, games: Sequence[AtlasGame]) -> None:
        """The table is complete: the rows are in its files, unless there are those of others."""
        if self.rows.keys() <= {game.key for game in games}:
            self._file.remove()
