"""The command that solves every small fleet, and the files it writes.

While it runs, each row is appended to ``rows.jsonl`` as soon as it is solved; a run that was
stopped goes on from there. When all rows are there, ``table.csv``, ``table.json`` and
``index.html`` are written and ``rows.jsonl`` is removed, unless it has rows of other boards. Rows
of a finished table are not solved again: the same command writes the files anew.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.options import Bar, check_limits, json_option
from seabattle.cli.printing import print_json, print_lines

if TYPE_CHECKING:
    from seabattle.solver.studies.atlas import AtlasRow

ROWS = "rows.jsonl"
FORMAT = "seabattle-atlas"

COLUMNS = {
    "board": "rows x columns",
    "fleet": "ship lengths",
    "contact": "contact rule: no two ships touch, not even at a corner",
    "answers": "answer mode: hit (hit or miss) or sunk (hit, miss, or sunk)",
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
}

_STYLE = """
table { width: 100%; }
thead th { position: sticky; top: 0; background: var(--ground); z-index: 1; }
thead tr + tr th { top: 2.1rem; }
th.group { text-align: center; border-bottom: 1px solid var(--line); height: 1.6rem; }
.first { border-left: 1px solid var(--line); } td.first, th.first { padding-left: 1rem; }
svg.shots { display: block; }
svg.shots .g { fill: none; stroke: var(--grey); stroke-width: .07; opacity: .6; }
svg.shots .b { fill: var(--accent); }
.total { display: inline-block; min-width: 6.5rem; margin-left: .6rem; text-align: left; }
@media (min-width: 700px) { .wide { overflow: visible; } }
@media (max-width: 699px) {
  table { font-size: .75rem; } .total { display: none; }
  body { padding-left: .75rem; padding-right: .75rem; } th, td { padding: .25rem .17rem; }
  thead th { white-space: normal; }
  td .bounded { white-space: normal; }
  td.first, th.first { padding-left: .3rem; } svg.shots { height: 27px; width: auto; }
  thead th { position: static; } tbody th, thead th:first-child[rowspan] { position: sticky;
    left: 0; background: var(--ground); padding-left: 0; }
}
"""


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder of the table; rows of a run that was stopped are there too.",
)
@click.option(
    "--boards",
    default=None,
    metavar="3x3,3x4,...",
    help="Only these boards of the atlas. [default: all]",
)
@click.option(
    "--row-limit",
    type=float,
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of each of the two searches of a row, in processor time.",
)
@click.option(
    "--memory-limit",
    type=float,
    default=4.0,
    show_default=True,
    metavar="GIB",
    help="Memory for a search.",
)
@click.option(
    "--retry-bounded",
    is_flag=True,
    help="Solve the rows again that the time limit left open; the others stay as they are.",
)
@json_option
def atlas(
    out: Path,
    boards: str | None,
    row_limit: float,
    memory_limit: float,
    retry_bounded: bool,
    as_json: bool,
) -> int:
    """Solve every small fleet: least worst case, least mean.

    Fleets of 2 to 6 ships: boards 3x3 and 3x4 with every fleet of lengths up to 4 that has a
    layout; 4x4, 4x5 and 5x5 with those that have 200 to 5,000 layouts. Ships do not touch; answers
    hit and sunk. Stopped and started again, it goes on where it was.
    """
    from seabattle.cli.reports import made_by, output_folder
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.solver.studies.atlas import BOARDS, Game, atlas_games, solve_atlas
    from seabattle.trees.tree.tree_files import write_text

    check_limits(None, memory_limit)
    if not 0 < row_limit < float("inf"):
        raise SeabattleError(f"--row-limit {row_limit:g}: must be a number above 0")
    names = list(BOARDS) if boards is None else [name.strip() for name in boards.split(",")]
    for name in names:
        if name not in BOARDS:
            raise SeabattleError(
                f"--boards {name}: not in the atlas, whose boards are {', '.join(BOARDS)}"
            )
    games = atlas_games({name: BOARDS[name] for name in BOARDS if name in names})
    with output_folder(out), Bar("atlas") as bar, Journal(out / ROWS, row_limit) as journal:
        known = journal.rows
        if retry_bounded:
            known = {key: row for key, row in known.items() if row.status == "proven"}

        def report(done: int, total: int, game: Game) -> None:
            bar.say(f"{done} of {total} rows; {game.board} {game.fleet}, {game.answers}")

        limits = bar.limits(None, memory_limit)
        rows = solve_atlas(
            games, journal.keep, done=known, limits=limits, seconds=row_limit, report=report
        )
    bounded = sum(row.status == "bounded" for row in rows)
    whole = len(rows) == len(games)
    if whole:
        maker = {**made_by(), "row_limit_seconds": row_limit}
        write_text(out / "table.json", table_json(rows, maker))
        write_text(out / "table.csv", table_csv(rows))
        write_text(out / "index.html", table_page(rows, maker))
        if journal.rows.keys() <= {game.key for game in games}:
            journal.remove()
    if as_json:
        print_json({"rows": [row.document() for row in rows], "complete": whole})
    else:
        print_lines(
            [
                ("rows", f"{len(rows)} of {len(games)}"),
                ("proven", str(len(rows) - bounded)),
                ("bounded", str(bounded)),
                ("written", f"{out}/index.html, table.csv, table.json" if whole else
                            f"{out / ROWS}; the same command goes on from there"),
            ]
        )  # fmt: skip
    return 0 if whole else 130


class Journal:
    """The rows solved so far, one JSON object a line after a line that says what made them.

    Rows of the finished table beside it are among them. Rows of another version of the program or
    of another time limit are not gone on from; a last line that was cut short is dropped.
    """

    def __init__(self, path: Path, row_limit: float) -> None:
        self.path = path
        self.head = {
            "format": FORMAT,
            "program": version("seabattle"),
            "row_limit_seconds": row_limit,
        }
        self.rows = self._finished() | self._read()

    def _finished(self) -> dict[tuple[str, str, str], AtlasRow]:
        from seabattle.solver.studies.atlas import AtlasRow

        try:
            document = json.loads(self.path.with_name("table.json").read_text(encoding="utf-8"))
            maker = document["made_by"]
            made = (document["format"], maker["version"], maker["row_limit_seconds"])
            if made != tuple(self.head.values()):
                return {}
            rows = [AtlasRow.read(row) for row in document["rows"]]
        except (FileNotFoundError, KeyError, TypeError, ValueError):
            return {}
        return {row.key: row for row in rows}

    def _read(self) -> dict[tuple[str, str, str], AtlasRow]:
        from seabattle.solver.studies.atlas import AtlasRow

        found: dict[tuple[str, str, str], AtlasRow] = {}
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")[:-1]
            if not lines or json.loads(lines[0]) != self.head:
                return {}
            for line in lines[1:]:
                row = AtlasRow.read(json.loads(line))
                found[row.key] = row
        except FileNotFoundError:
            pass
        except (KeyError, TypeError, ValueError):
            click.echo(f"seabattle: {self.path}: rows after a damaged line are solved again",
                       err=True)  # fmt: skip
        return found

    def __enter__(self) -> Journal:
        from seabattle.trees.tree.tree_files import write_text

        lines = [json.dumps(self.head), *(json.dumps(r.document()) for r in self.rows.values())]
        write_text(self.path, "\n".join(lines) + "\n")
        self._stream = self.path.open("a", encoding="utf-8")
        return self

    def __exit__(self, *exception: object) -> None:
        self._stream.close()

    def keep(self, row: AtlasRow) -> None:
        """Append a row at once."""
        self._stream.write(json.dumps(row.document()) + "\n")
        self._stream.flush()

    def remove(self) -> None:
        """The table is complete: the rows are in its files."""
        self.path.unlink()


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
        shots = row.best_first_shots
        writer.writerow({**row.document(), "best_first_shots": " ".join(shots or ())})
    return stream.getvalue()


def table_page(rows: Sequence[AtlasRow], maker: Mapping[str, Any]) -> str:
    """The table as a page: a table for each board, both answer modes side by side."""
    from seabattle.enumerate.display.wording import counted
    from seabattle.trees.page.frame import page

    boards = list(dict.fromkeys(row.board for row in rows))
    limit = maker["row_limit_seconds"]
    bounded = sum(row.status == "bounded" for row in rows)
    stopped = (
        f" A search that was stopped after {limit:g} seconds of processor time gives the interval "
        f'that it proved, <span class="bounded">as 12–14</span>.'
        if bounded
        else ""
    )
    parts = [
        "<p>Every fleet of two to six ships with lengths up to 4 on small boards, solved: on 3x3 "
        "and 3x4 all that have a layout, on larger boards those with 200 to 5,000 layouts. Ships "
        "do not touch, not even at a corner; all layouts are equally likely.</p>",
        "<ul><li><b>hit</b>, <b>sunk</b>: shots are answered hit or miss; or also sunk, when a "
        "shot completes a ship.</li><li><b>worst</b>: the least worst case. No strategy misses "
        "less often on its worst layout.</li><li><b>mean</b>: the least mean, and <b>total</b>, "
        "the same as total misses over layouts. No strategy misses less on average; it may be "
        "another strategy than that of least worst case.</li><li><b>first shots</b>: every first "
        "shot of a strategy of least mean, drawn on the board. A cell that all layouts occupy is "
        "among them, for it costs nothing.</li></ul>",
        f"<p>{counted(len(rows), 'game', separator=',')}, {len(rows) - bounded:,} of them proven, "
        f"every tree verified from the rules alone.{stopped} The same as "
        '<a href="table.csv">CSV</a> and <a href="table.json">JSON</a>.</p>',
        '<nav aria-label="Boards">'
        + " ".join(f'<a href="#{board}">{_spaced(board)}</a>' for board in boards)
        + "</nav>",
    ]
    for board in boards:
        parts.append(f'<h2 id="{board}">{_spaced(board)}</h2>')
        parts.append(_board_table([row for row in rows if row.board == board]))
    made = f"Made by: {maker['command']}, version {maker['version']}"
    return page("Atlas of solved fleets", "\n".join(parts), style=_STYLE, made_by=made)


def _spaced(board: str) -> str:
    return board.replace("x", " × ")


def _board_table(rows: Sequence[AtlasRow]) -> str:
    from seabattle.trees.page.frame import scrolled

    fleets: dict[str, dict[str, AtlasRow]] = {}
    for row in rows:
        fleets.setdefault(row.fleet, {})[row.answers] = row
    modes = list(dict.fromkeys(row.answers for row in rows))
    groups = "".join(
        f'<th colspan="3" scope="colgroup" class="group first">{mode}</th>' for mode in modes
    )
    heads = (
        '<th scope="col" class="n first">worst</th><th scope="col" class="n">mean'
        '<span class="total">total</span></th><th scope="col">first shots</th>'
    )
    body = []
    for fleet, found in fleets.items():
        count = next(iter(found.values())).layouts
        cells = "".join(_cells(found.get(mode)) for mode in modes)
        body.append(f'<tr><th scope="row">{fleet}</th><td class="n">{count:,}</td>{cells}</tr>')
    table = (
        f'<table><thead><tr><th rowspan="2" scope="col">fleet</th><th rowspan="2" scope="col" '
        f'class="n">layouts</th>{groups}</tr><tr>{heads * len(modes)}</tr></thead><tbody>\n'
        + "\n".join(body)
        + "\n</tbody></table>"
    )
    return scrolled(table, f"Fleets on {_spaced(rows[0].board)}")


def _interval(low: str, high: str) -> str:
    return high if low == high else f'<span class="bounded">{low}–{high}</span>'


def _cells(row: AtlasRow | None) -> str:
    if row is None:
        return '<td class="n first">–</td><td class="n">–</td><td>–</td>'
    worst = _interval(str(row.worst_lower), str(row.worst_misses))
    mean = _interval(f"{row.total_lower / row.layouts:.4f}", f"{float(row.mean_misses):.4f}")
    total = _interval(str(row.total_lower), str(row.total_misses))
    return (
        f'<td class="n first">{worst}</td><td class="n">{mean}'
        f'<span class="small total">{total}/{row.layouts}</span></td><td>{_shots(row)}</td>'
    )


def _shots(row: AtlasRow) -> str:
    """The first shots as a small board that names them."""
    from seabattle.enumerate.game.board import Board

    if row.best_first_shots is None:
        return '<span class="bounded">open</span>'
    board = Board.parse(row.board)
    r, c = board.rows, board.columns
    grid = "".join(f"M0 {y}h{c}" for y in range(r + 1)) + "".join(
        f"M{x} 0v{r}" for x in range(c + 1)
    )
    marked = "".join(
        f"M{cell % c}.1 {cell // c}.1h.8v.8h-.8z" for cell in map(board.cell, row.best_first_shots)
    )
    told = escape(" ".join(row.best_first_shots))
    return (
        f'<svg class="shots" role="img" aria-label="{told}" width="{8 * c + 2}" '
        f'height="{8 * r + 2}" viewBox="-.1 -.1 {c + 0.2:g} {r + 0.2:g}"><title>{told}</title>'
        f'<path class="b" d="{marked}"/><path class="g" d="{grid}"/></svg>'
    )
