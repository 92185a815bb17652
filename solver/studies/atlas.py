"""The atlas: small games of every fleet, solved; or the games of a list.

``solver.studies.atlas_rows`` says what a row is and how it is proven. Here are the games of the
atlas, and the loop that solves games for their rows: in this process, in several, or on a cluster.
Rows of an earlier run are not believed: see ``solve_atlas``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

from seabattle.enumerate.board import Board
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.limits import Limits
from seabattle.solver.studies.atlas_equilibria import EQUILIBRIUM_SECONDS
from seabattle.solver.studies.atlas_rows import (
    CHECK_SECONDS,
    OBJECTIVES,
    ROW_SECONDS,
    AtlasGame,
    AtlasRow,
    Key,
    atlas_row,
    checkpoint_file,
    sort_key,
    with_equilibrium,
)
from seabattle.solver.tasks import Pool, Reader, shares_of

ANSWERS = ("hit", "sunk")
SHIPS = (2, 6)
"""Fewest and most ships of the fleets."""

LONGEST = 4
"""Greatest length of a ship."""

BOARDS: Mapping[str, tuple[int, int]] = {
    "3x3": (1, 5000),
    "3x4": (1, 5000),
    "4x4": (200, 5000),
    "4x5": (200, 5000),
    "5x5": (200, 5000),
    "5x6": (200, 2000),
    "6x6": (200, 2000),
}
"""Boards of the atlas, each with the fewest and the most layouts of a fleet that is in it."""

OPEN: Mapping[str, tuple[str, ...]] = {
    "5x6": ("4,1", "3,1", "2,2"),
    "6x6": ("4,2", "4,1", "3,1", "2,2", "3,3,3", "4,4,4,1", "4,4,3,3,2", "3,3,3,3,2"),
}
"""Fleets within these bounds that are left out of the atlas: after half a minute of searching
their least mean is still open, for ``hit``, ``sunk`` or both."""

BEGINNERS: Mapping[str, tuple[str, ...]] = {"5x6": ("3,2", "2,1"), "6x6": ("3,2", "2,1", "3,2,1")}
"""Fleets that are in the atlas although their least mean is open or they have more layouts, for
they are what beginners play; their rows give what is proven."""


def fleets(most_ships: int = SHIPS[1], longest: int = LONGEST) -> Iterator[tuple[int, ...]]:
    """Every fleet of 2 to ``most_ships`` ships with lengths up to ``longest``, longest first.

    >>> list(fleets(2, 2))
    [(2, 2), (2, 1), (1, 1)]
    """
    for ships in range(SHIPS[0], most_ships + 1):
        yield from combinations_with_replacement(range(longest, 0, -1), ships)


def atlas_games(boards: Mapping[str, tuple[int, int]] = BOARDS) -> list[AtlasGame]:
    """The games of the atlas, easiest first: by layouts, then in the order of the pages.

    >>> [(g.fleet, g.layouts) for g in atlas_games({"2x3": (2, 9)}) if g.answers == "hit"]
    [('2,1', 4), ('1,1', 4)]
    """
    games = []
    for name, (fewest, most) in boards.items():
        board = Board.parse(name)
        for lengths in fleets():
            if lengths[0] > max(board.rows, board.columns) or sum(lengths) > board.cells:
                continue
            rules = Rules(board, lengths)
            fleet = str(rules.fleet)
            wanted = fleet in BEGINNERS.get(name, ())
            if not wanted and fleet in OPEN.get(name, ()):
                continue
            layouts = count_layouts(rules, most=None if wanted else most)
            if wanted or fewest <= layouts <= most:
                games += [AtlasGame(name, fleet, a, layouts) for a in ANSWERS]
    return sorted(games, key=lambda game: (game.layouts, *sort_key(game.key)))


Refuse = Callable[[AtlasRow, str], None]
"""Called with a row of an earlier run and what is false in it."""

Report = Callable[[int, int, AtlasGame], None]
"""Called before each game with the rows done, the rows in all, and the game."""


class _Settled(NamedTuple):
    """What came of a game: its row, None after a stop; and what is false in its earlier row."""

    game: AtlasGame
    row: AtlasRow | None
    fault: str
    new: bool


@dataclass(frozen=True)
class _Job:
    """What all games have in common, as it is sent to other processes."""

    memory: float
    seconds: float
    equilibrium_seconds: float
    unfinished: Path | None
    again: bool
    reader: Reader


def _settle(
    game: AtlasGame,
    before: AtlasRow | None,
    limits: Limits | None,
    seconds: float,
    equilibrium_seconds: float,
    unfinished: Path | None,
    again: bool,
) -> _Settled:
    """Check the row of an earlier run, if there is one, and solve the game unless it is true.

    A row that is true gets the value of its equilibrium, where that was not looked for before; no
    row then comes of a stop. If asked to, a game whose row is true but leaves something open is
    solved ``again``, and the row keeps what it says beyond that.
    """
    fault = ""
    if before is not None:
        fault = before.disproof(limits=limits, seconds=min(seconds, CHECK_SECONDS)).fault
        if not fault and not (again and before.status == "bounded"):
            if before.tried or equilibrium_seconds == 0:
                return _Settled(game, before, fault, False)
            more = with_equilibrium(before, limits=limits, seconds=equilibrium_seconds)
            return _Settled(game, more if more.tried else None, fault, True)
    row = atlas_row(
        game,
        limits=limits,
        seconds=seconds,
        equilibrium_seconds=equilibrium_seconds,
        unfinished=unfinished,
    )
    if row is not None and before is not None and not fault:
        both = row.joined(before)
        if not both.contradicts_itself:
            return _Settled(game, both, "", True)
        fault = f"its misses are not within {row.total_lower} to {row.total_misses}"
    return _Settled(game, row, fault, True)


def _work(job: _Job, game: AtlasGame, before: AtlasRow | None) -> _Settled:
    """``_settle`` in another process."""
    limits = Limits(memory=job.memory, stop=lambda: job.reader.ended)
    return _settle(
        game, before, limits, job.seconds, job.equilibrium_seconds, job.unfinished, job.again
    )


def solve_atlas(
    games: Sequence[AtlasGame],
    keep: Callable[[AtlasRow], None],
    *,
    done: Mapping[Key, AtlasRow] | None = None,
    again: bool = False,
    limits: Limits | None = None,
    seconds: float = ROW_SECONDS,
    equilibrium_seconds: float = EQUILIBRIUM_SECONDS,
    report: Report | None = None,
    refuse: Refuse | None = None,
    unfinished: Path | None = None,
    workers: int = 1,
    cluster: str | None = None,
    solo_seconds: float = 2.0,
) -> list[AtlasRow]:
    """Solve games one after the other, or several at a time; those ``done`` already are checked.

    A row of an earlier run is proven again where that takes less than ``CHECK_SECONDS`` for each of
    its searches. One that is not true is solved again. What takes longer is taken over, unless it
    contradicts the interval proven by then. The value of the equilibrium is sought anew in the same
    way. Rows in which it was not looked for yet get it; their other figures are not solved again.

    Parameters
    ----------
    games
        The games to solve.
    keep
        Called with every new row as soon as it is solved.
    done
        Rows of an earlier run by their key, as ``AtlasRow.read`` makes them; a row for another
        number of layouts is solved again.
    again
        Whether rows of an earlier run that leave something open are solved again, too. What they
        say beyond the new ones stays.
    limits, seconds, equilibrium_seconds
        As in ``atlas_row``. On this machine all processes share the memory, and fewer are started
        where it would not be enough; on a cluster each worker may take all of it.
    report
        Progress.
    refuse
        Called with every row of an earlier run that is not true, and why.
    unfinished
        Folder for what is proven of rows that are not finished; a run that is stopped or killed
        leaves it behind, and the next one goes on from there. It is used by those workers of a
        cluster that see it under the same name.
    workers
        Processes on this machine. Proven rows are the same with any number.
    cluster
        Address of a Dask scheduler, whose workers are used instead.
    solo_seconds
        Seconds that this process works by itself before it starts others on this machine.

    Returns
    -------
    list of AtlasRow
        Rows in the order of the pages; fewer than ``games`` after a stop.

    Raises
    ------
    SeabattleError
        If no scheduler answers, or a file in ``unfinished`` cannot be written.
    WorkFailed
        If a worker process was killed, or the package that talks to clusters is not installed;
        the rows kept by then can be gone on from.
    """
    rows: dict[Key, AtlasRow] = {}
    limits = limits or Limits()
    stopped = limits.stop or (lambda: False)
    if cluster is None:
        workers, memory = shares_of(limits.memory, workers)
    else:
        memory = limits.memory
    if unfinished is not None:
        unfinished = unfinished.resolve()
        unfinished.mkdir(parents=True, exist_ok=True)

    def take(settled: _Settled) -> None:
        game, row, fault, new = settled
        before = earlier.get(game.key)
        if fault and before is not None:
            del earlier[game.key]
            if refuse is not None:
                refuse(before, fault)
        if row is not None:
            if new:
                keep(row)
            rows[game.key] = row

    def handed_out(game: AtlasGame) -> None:
        if report is not None:
            report(len(rows), len(games), game)

    earlier = {
        game.key: (done or {})[game.key]
        for game in games
        if game.key in (done or {}) and (done or {})[game.key].layouts == game.layouts
    }
    waiting = [game for game in games if game.key in earlier]
    waiting += [game for game in games if game.key not in earlier]
    alone = workers == 1 and cluster is None
    until = float("inf") if alone else time.monotonic() + (solo_seconds if cluster is None else 0)
    while waiting and time.monotonic() < until:
        game = waiting[0]
        handed_out(game)
        here = limits
        before = earlier.get(game.key)
        kept = before is not None and before.tried and not (again and before.status == "bounded")
        if not alone and not kept:
            here = replace(limits, stop=lambda: stopped() or time.monotonic() > until)
        settled = _settle(game, before, here, seconds, equilibrium_seconds, unfinished, again)
        if settled.row is None:
            break
        take(settled)
        del waiting[0]
    if waiting and not alone and not stopped():
        with Pool(workers, cluster) as pool:
            job = _Job(memory, seconds, equilibrium_seconds, unfinished, again, pool.reader)

            def tasks() -> Iterator[tuple[_Job, AtlasGame, AtlasRow | None]]:
                for game in waiting:
                    if stopped():
                        return
                    handed_out(game)
                    yield job, game, earlier.get(game.key)

            def look() -> None:
                if stopped():
                    pool.say(None)

            for settled in pool.run(_work, tasks(), look):
                take(settled)
                handed_out(settled.game)
    if stopped():  # these were not looked at again
        rows = earlier | rows
    if unfinished is not None:
        if len(rows) == len(games):
            for game in games:
                for objective in OBJECTIVES:
                    file = checkpoint_file(unfinished, game, objective)
                    if file is not None:
                        file.unlink(missing_ok=True)
        with suppress(OSError):  # it holds what others have not finished
            unfinished.rmdir()
    return sorted(rows.values(), key=lambda row: sort_key(row.key))
