"""The atlas on disk: its rows as they are solved, and in the end JSON, CSV and a page.

While the atlas is solved, each row is appended to ``rows.jsonl`` as soon as it is there; a run that
was stopped goes on from there. When all rows are there, ``table.csv``, ``table.json`` and
``index.html`` are written and ``rows.jsonl`` is removed, unless it has rows of other boards. Rows
of a finished table are not solved again: the same command writes the files anew. Rows without a
value of the equilibrium are solved again if it was not looked for before, or with another limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.files import GrowingFile, csv_text, read_json, read_text, write_text
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

_STYLE = (
    "@media (max-width: 699px) { table { font-size: .75rem; } th, td { padding: .25rem .17rem; } }"
)


def table_json(rows: Sequence[AtlasRow], maker: Mapping[str, Any]) -> str:
    """The table as JSON: what made it, what the columns say, the rows."""
    head = {"format": FORMAT, "version": 1, "made_by": maker, "columns": COLUMNS}
    body = ",\n".join(json.dumps(row.document()) for row in rows)
    return f'{json.dumps(head)[:-1]}, "rows": [\n{body}\n]}}\n'


def table_csv(rows: Sequence[AtlasRow]) -> str:
    """The table as CSV; first shots are joined by spaces."""
    return csv_text(
        dict.fromkeys(COLUMNS)
        | row.document()
        | {"best_first_shots": " ".join(row.best_shots or ())}
        for row in rows
    )


_ATLAS = (
    "<p>Every fleet of two to six ships with lengths up to 4 on small boards, solved: on 3x3 "
    "and 3x4 all that have a layout, on 4x4, 4x5 and 5x5 those with 200 to 5,000 layouts, on 5x6 "
    "and 6x6 those with 200 to 2,000 whose least mean half a minute proves, and some that "
    "beginners play. Ships do not touch, not even at a corner; all layouts are equally likely.</p>"
)
_LIST = "<p>The games of a list, solved; all layouts are equally likely.</p>"
_COLUMNS = (
    "<ul><li><b>answers</b>: hit (hit or miss), sunk (hit, miss, or sunk, when a shot completes a "
    "ship) or ship (a hit also tells which ship it is).</li>"
    "<li><b>worst</b>: the least worst case. No strategy misses less often on its worst "
    "layout.</li><li><b>mean</b>: the least mean, and <b>total</b>, the same as total misses over "
    "layouts. No strategy misses less on average; it may be another strategy than that of least "
    "worst case.</li><li><b>equilibrium</b>: what is missed on average when the hider, too, does "
    "as well as possible: layouts are drawn so that no strategy misses less, though it be made for "
    "the way they are drawn. It is exact, or known to within a millionth of a miss; a dash where "
    "it is not known.</li><li><b>first shots</b>: every first shot of a strategy of least mean. A "
    "cell that all layouts occupy is among them, for it costs nothing.</li></ul>"
)


def table_page(rows: Sequence[AtlasRow], maker: Mapping[str, Any], *, listed: bool = False) -> str:
    """The table as a page: a table for each board.

    ``listed`` says that these are the games of a list, not those of the atlas.
    """
    boards: dict[tuple[str, str], list[AtlasRow]] = {}
    for row in rows:
        boards.setdefault((row.board, row.contact), []).append(row)
    proven = sum(row.status == "proven" for row in rows)
    parts = [
        _LIST if listed else _ATLAS,
        _COLUMNS,
        f"<p>{counted(len(rows), 'game', separator=',')}, {proven:,} of them proven, every tree "
        f"verified from the rules alone. A search that was stopped after {maker[LIMIT]:g} seconds "
        f"of processor time gives the interval that it proved, as <span "
        f'class="bounded">12–14</span>. The same as <a href="table.csv">CSV</a> and <a '
        f'href="table.json">JSON</a>.</p>',
    ]
    links = []
    for (board, contact), there in boards.items():
        place = board if contact == "none" else f"{board}-{contact}"
        title = board.replace("x", " × ") + ("" if contact == "none" else f", contact {contact}")
        links.append(f'<a href="#{place}">{title}</a>')
        parts.append(f'<h2 id="{place}">{title}</h2>')
        if not listed and board in OPEN:
            parts.append(
                f"<p>Left out, since half a minute leaves their least mean open: "
                f"{'; '.join(OPEN[board])}.</p>"
            )
        parts.append(scrolled(_board_table(there), f"Fleets on {title}"))
    parts.insert(3, f'<nav aria-label="Boards">{" ".join(links)}</nav>')
    made = f"Made by: {maker['command']}, version {maker['version']}"
    title = "Solved games" if listed else "Atlas of solved fleets"
    return page(title, "\n".join(parts), style=_STYLE, made_by=made)


def _board_table(rows: Sequence[AtlasRow]) -> str:
    """A table with a row for each game."""
    heads = "".join(
        f'<th scope="col"{kind}>{name}</th>'
        for kind, names in (
            ("", ("fleet", "answers")),
            (' class="n"', ("layouts", "worst", "mean", "total", "equilibrium")),
            ("", ("first shots",)),
        )
        for name in names
    )
    lines = []
    for row in rows:
        numbers = (
            f"{row.layouts:,}",
            _interval(str(row.worst_lower), str(row.worst_misses)),
            _interval(f"{row.total_lower / row.layouts:.4f}", f"{float(row.mean_misses):.4f}"),
            _interval(f"{row.total_lower:,}", f"{row.total_misses:,}"),
            f"{float(row.equilibrium[1]):.4f}" if row.equilibrium else "–",
        )
        open_shots = '<span class="bounded">open</span>'
        shots = open_shots if row.best_shots is None else " ".join(row.best_shots)
        cells = "".join(f'<td class="n">{number}</td>' for number in numbers)
        lines.append(
            f'<tr><th scope="row">{row.fleet}</th><td>{row.answers}</td>{cells}'
            f"<td>{shots}</td></tr>"
        )
    body = "\n".join(lines)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _interval(low: str, high: str) -> str:
    return high if low == high else f'<span class="bounded">{low}–{high}</span>'


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
            document = read_json(table, "table of an atlas", SeabattleError)
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
