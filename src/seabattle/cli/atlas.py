"""The command that solves every small fleet, and goes on where it was stopped: atlas.

While it runs, each row is appended to ``rows.jsonl`` as soon as it is solved; a run that was
stopped goes on from there, and what it had proven of rows that took longer than half a minute is
in the folder ``unfinished``. When all rows are there, ``table.csv``, ``table.json`` and
``index.html`` are written and ``rows.jsonl`` is removed, unless it has rows of other boards. Rows
of a finished table are not solved again: the same command writes the files anew. But rows are not
believed: each is proven again as far as half a second for each of its searches goes, and one that
is not true is solved anew (``solver.studies.atlas``). Rows without a value of the equilibrium
get one if it was not looked for before, or with another time limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.atlas_reports import FORMAT, table_csv, table_json, table_page
from seabattle.cli.limits import check_limits, memory_option
from seabattle.cli.options import PATH, json_option, out_option
from seabattle.cli.printing import print_json, print_lines
from seabattle.cli.progress import Bar
from seabattle.cli.sharing import refuse_both, require_workers, sharing_options
from seabattle.enumerate.errors import FileAccessError

if TYPE_CHECKING:
    from seabattle.solver.studies.atlas import AtlasGame, AtlasRow, Key

ROWS = "rows.jsonl"
"""Name of the file of the rows solved so far."""

UNFINISHED = "unfinished"
"""Name of the folder of what is proven of rows that are not finished."""

_LIMIT = "row_limit_seconds"
_TRIED = "equilibrium_limit_seconds"


@click.command()
@out_option("Folder of the table, and of the rows of a run that was stopped.", required=True)
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
    help="Limit of each of the two searches of a row, in CPU time.",
)
@click.option(
    "--equilibrium-limit",
    type=float,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Limit of the equilibrium of a row, in CPU time; 0 leaves it out.",
)
@click.option(
    "--games",
    "listed",
    type=PATH,
    default=None,
    metavar="FILE",
    help="Solve the games of this list instead: a CSV file whose first line names fleet and, as "
    "wanted, board, contact and answers.",
)
@sharing_options(
    "Processes that solve games at the same time; proven rows are the same with any number. "
    "[default: 1]",
    "Solve on the Dask cluster of this scheduler,",
)
@memory_option("Memory of all searches together; on a cluster, of each of its workers.")
@click.option(
    "--retry-bounded",
    is_flag=True,
    help="Solve again the rows that the time limit left open; what they prove stays.",
)
@json_option
def atlas(
    out: Path,
    boards: str | None,
    row_limit: float,
    equilibrium_limit: float,
    listed: Path | None,
    workers: int | None,
    scheduler: str | None,
    memory_limit: float,
    retry_bounded: bool,
    as_json: bool,
) -> int:
    """Solve every small fleet, or the games of a list.

    Of each the least worst case, the least mean and, where it is found in time, the value of
    the equilibrium: what is missed on average when the hider, too, does as well as possible.
    Fleets of 2 to 6 ships: boards 3x3 and 3x4 with every fleet of lengths up to 4 that has a
    layout; 4x4, 4x5 and 5x5 with those that have 200 to 5,000 layouts; 5x6 and 6x6 with those of
    200 to 2,000 whose least mean half a minute proves, and some that beginners play. Ships do
    not touch; answers hit and sunk. Stopped and started again,
    it goes on where it was: rows that are proven again quickly are, and of the others the
    search of half a second contradicts nothing. With --workers or --scheduler several games are
    solved at the same time.
    """
    from seabattle.cli.output_files import made_by, output_folder
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.files import write_text
    from seabattle.solver.search.limits import Limits
    from seabattle.solver.studies.atlas import BOARDS, atlas_games, read_games, solve_atlas

    check_limits(None, memory_limit)
    if not 0 < row_limit < float("inf"):
        raise SeabattleError(f"--row-limit {row_limit:g}: must be a number above 0")
    if not 0 <= equilibrium_limit < float("inf"):
        raise SeabattleError(
            f"--equilibrium-limit {equilibrium_limit:g}: must be a number, 0 or above"
        )
    require_workers(workers)
    refuse_both(workers, scheduler)
    if listed is not None and boards is not None:
        raise SeabattleError(f"--boards {boards}: the games are those of --games, leave it out")
    names = list(BOARDS) if boards is None else [name.strip() for name in boards.split(",")]
    for name in names:
        if name not in BOARDS:
            raise SeabattleError(
                f"--boards {name}: not in the atlas, whose boards are {', '.join(BOARDS)}"
            )
    untrue: list[str] = []
    if listed is None:
        games = atlas_games({name: BOARDS[name] for name in BOARDS if name in names})
    else:
        with Bar("atlas") as bar:
            games = read_games(listed, bar.layouts)
    journal = Journal(out / ROWS, row_limit, equilibrium_limit)
    with output_folder(out), Bar("atlas") as bar, journal:

        def report(done: int, total: int, game: AtlasGame) -> None:
            contact = "" if game.contact == "none" else f" {game.contact}"
            bar.say(f"{done} of {total} rows; {game.board} {game.fleet}{contact}, {game.answers}")

        def refuse(row: AtlasRow, fault: str) -> None:
            untrue.append(" ".join(row.key))
            if len(untrue) == 1:
                told = (
                    f"{out}: the row {untrue[0]} is not true, {fault}; such rows are solved again"
                )
                click.echo(f"seabattle: {told}", err=True)

        limits = Limits.of(**bar.within(None, memory_limit))
        rows = solve_atlas(
            games,
            journal.keep,
            done=journal.rows,
            again=retry_bounded,
            limits=limits,
            seconds=row_limit,
            equilibrium_seconds=equilibrium_limit,
            report=report,
            refuse=refuse,
            unfinished=out / UNFINISHED,
            workers=workers or 1,
            cluster=scheduler,
        )
        bounded = sum(row.status == "bounded" for row in rows)
        # After a stop earlier rows are there whose equilibrium was not looked for yet.
        done = sum(row.tried or equilibrium_limit == 0 for row in rows)
        whole = done == len(games)
        if whole:
            maker = {
                **made_by(),
                _LIMIT: row_limit,
                _TRIED: equilibrium_limit,
            }
            write_text(out / "table.json", table_json(rows, maker))
            write_text(out / "table.csv", table_csv(rows))
            write_text(out / "index.html", table_page(rows, maker, listed=listed is not None))
            if journal.rows.keys() <= {game.key for game in games}:
                journal.remove()
    if as_json:
        print_json({"rows": [row.document() for row in rows], "complete": whole})
    else:
        print_lines(
            [
                ("games", _games_line(games) if listed is None else f"those of {listed}"),
                ("rows", f"{done} of {len(games)}"),
                ("proven", str(len(rows) - bounded)),
                ("bounded", str(bounded)),
                ("written", f"{out}/index.html, table.csv, table.json" if whole else
                            f"{out / ROWS}; the same command goes on from there"),
            ]
        )  # fmt: skip
    return 0 if whole else 130


def _games_line(games: Sequence[AtlasGame]) -> str:
    """What is solved: a row for each board, fleet and answer mode."""
    boards = ", ".join(dict.fromkeys(game.board for game in games))
    return f"{boards}, fleets of 2 to 6 ships, contact none, answers hit and sunk"


class Journal:
    """The rows solved so far, one JSON object a line after a line that says what made them.

    Rows of the finished table beside it are among them. Rows of another version of the program are
    not gone on from; a last line that was cut short is dropped. What is proven holds whatever the
    time limits were; what another limit left open, a row or its equilibrium, is worked at again.
    """

    def __init__(self, path: Path, row_limit: float, equilibrium_limit: float = 60.0) -> None:
        self.path = path
        self.head = {
            "format": FORMAT,
            "program": version("seabattle"),
            _LIMIT: row_limit,
            _TRIED: equilibrium_limit,
        }
        self.rows = self._finished() | self._read()

    def _finished(self) -> dict[Key, AtlasRow]:
        from seabattle.enumerate.errors import SeabattleError
        from seabattle.enumerate.files import read_json
        from seabattle.solver.studies.atlas import AtlasRow

        path = self.path.with_name("table.json")
        if not path.exists():
            return {}
        try:
            document = read_json(path, "table of an atlas", SeabattleError, once=True)
            maker = document["made_by"]
            head = {
                "format": document["format"],
                "program": maker["version"],
                _LIMIT: maker[_LIMIT],
                **({_TRIED: maker[_TRIED]} if _TRIED in maker else {}),
            }
            if not self._goes_on(head):
                return {}
            rows = [AtlasRow.read(row) for row in document["rows"]]
        except FileAccessError:
            raise
        except (KeyError, TypeError, SeabattleError):
            click.echo(f"seabattle: {path} is damaged: its rows are solved again", err=True)
            return {}
        return self._kept({row.key: row for row in rows}, head)

    def _goes_on(self, head: object) -> bool:
        """Whether rows below this head are gone on from; versions before had one limit."""
        limits = {name: self.head[name] for name in (_LIMIT, _TRIED)}
        return isinstance(head, dict) and _LIMIT in head and {**head, **limits} == self.head

    def _kept(self, rows: dict[Key, AtlasRow], head: Mapping[str, object]) -> dict[Key, AtlasRow]:
        """The rows below this head that are gone on from."""
        if head.get(_LIMIT) != self.head[_LIMIT]:
            rows = {key: row for key, row in rows.items() if row.status == "proven"}
        if head.get(_TRIED) == self.head[_TRIED]:
            return rows
        return {
            key: row if row.equilibrium is not None else replace(row, tried=False)
            for key, row in rows.items()
        }

    def _read(self) -> dict[Key, AtlasRow]:
        from seabattle.enumerate.errors import SeabattleError
        from seabattle.enumerate.files import json_document, read_text
        from seabattle.solver.studies.atlas import AtlasRow

        found: dict[Key, AtlasRow] = {}
        head: Mapping[str, object] = {}
        if not self.path.exists():
            return found
        try:
            text = read_text(self.path, SeabattleError("no UTF-8 text"))
            lines = text.split("\n")[:-1]
            kind = "file of rows"
            documents = (
                json_document(line, self.path, kind, SeabattleError, once=True) for line in lines
            )
            head = next(documents, {})
            if not self._goes_on(head):
                return {}
            for document in documents:
                row = AtlasRow.read(document)
                found[row.key] = row
        except FileAccessError:
            raise
        except SeabattleError:
            click.echo(f"seabattle: {self.path}: rows after a damaged line are solved again",
                       err=True)  # fmt: skip
        return self._kept(found, head)

    def __enter__(self) -> Journal:
        from seabattle.enumerate.files import GrowingFile

        lines = [json.dumps(self.head), *(json.dumps(r.document()) for r in self.rows.values())]
        self._file = GrowingFile(self.path, lines)
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def keep(self, row: AtlasRow) -> None:
        """Append a row at once."""
        self._file.add(json.dumps(row.document()))

    def remove(self) -> None:
        """The table is complete: the rows are in its files."""
        self._file.remove()
