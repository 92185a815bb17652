"""Checkpoints: what a search has proven, kept on disk while it runs.

The table holds everything a search has proven, and each entry is valid by itself. So a checkpoint
is the list of the entries, and a search that loads it continues where the other stopped. The file
is a zip of plain arrays (numpy's ``.npz``, never pickled): ``head``, a JSON text that identifies
the problem the entries belong to, and ``entries``, uint64 ``(n_entries, words)``, with a SHA-256
digest of both. It is written whole or not at all.

A digest can be made to fit anything. So entries are also checked for what can be true of the game
(``possible_entries``): a shot off the board would have a kernel write where it must not, which ends
the process.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import CheckpointError, FileAccessError, elided
from seabattle.enumerate.files import write_whole
from seabattle.solver.search import table as t
from seabattle.solver.search import work as w
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import INFEASIBLE

FORMAT = "seabattle-checkpoint"
VERSION = 2
SECONDS_BETWEEN = 30.0


def problem_digest(problem: Problem, *, goal: str = "") -> str:
    """Digest of all that the entries depend on: rules, rows, weights, goal."""
    digest = hashlib.sha256(f"{problem.rules!r} orbits=True{goal}".encode())
    for array in (problem.rows, problem.table.index, problem.weights):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def digest_of(entries: NDArray[np.uint64]) -> str:
    """Digest of the entries themselves."""
    return hashlib.sha256(np.ascontiguousarray(entries).data).hexdigest()


def _plain(about: object) -> str:
    """What a file says of itself, on one line."""
    return elided(" ".join(str(about).split()))


def possible_entries(
    entries: NDArray[np.uint64], problem: Problem, *, limited: bool = True
) -> NDArray[np.bool_]:
    """Which entries of a table can be true: kernels read no other without harm.

    An exact entry names a shot that a tree can begin with: a cell in question. Then growing a tree
    always comes to smaller sub-tables. Whether the misses are right is not looked at: a tree that
    misses as often as is claimed is grown and verified in the end.

    Parameters
    ----------
    entries
        uint64 ``(n_entries, words)``, the table of a search of the problem.
    problem
        The problem.
    limited
        Whether a tree keeps its miss limit, as it need not where what is lost counts.

    Returns
    -------
    NDArray
        bool ``(n_entries,)``.
    """
    packed = entries[:, t.PACKED]
    misses, exact = packed >> t.MISSES_AT, (packed >> t.EXACT_AT & np.uint64(1)).astype(bool)
    shot, worst, limit = (
        (packed >> at & t.SEVEN_BITS).astype(np.int64)
        for at in (t.SHOT_AT, t.WORST_AT, np.uint64(0))
    )
    possible = (packed < t.CLAIMED) & (misses <= INFEASIBLE) & (worst <= problem.cells)
    keeps = (worst <= limit) | (not limited)
    possible &= np.where(exact, keeps, (worst == 0) & (shot == t.NO_SHOT))
    if problem.mode == w.OPEN_SUNK:
        hit, rows = entries[:, t.KEY], entries[:, t.KEY + 1 :]
        columns = rows_by_cell(problem)
        possible &= (hit & ~np.uint64(problem.full) == 0) & ~(rows & ~columns[-1]).any(axis=1)
        in_question = np.zeros(len(entries), dtype=bool)
        for one in range(problem.cells):
            own = exact & (shot == one)
            occupied = (rows[own] & columns[one]).any(axis=1)
            in_question[own] = occupied & (hit[own] >> np.uint64(one) & np.uint64(1) == 0)
        return possible & (~exact | in_question)
    on_board = shot < problem.cells
    cell = np.where(on_board, shot, 0).astype(np.uint64)
    if problem.two_words:
        certain, water = entries[:, t.KEY], entries[:, t.KEY + 1]
        full = np.uint64(problem.full)
        possible &= (certain & water == 0) & ((certain | water) & ~full == 0)
        settled = certain | water == full
        in_question = (certain | water) >> cell & np.uint64(1) == 0
    else:
        powers = np.array([3**c for c in range(problem.cells)], dtype=np.uint64)
        possible &= entries[:, t.KEY] <= np.uint64(3**problem.cells - 1)
        in_question = entries[:, t.KEY] // powers[cell] % np.uint64(3) == 0
        settled = np.zeros(len(entries), dtype=bool)
        for one in np.flatnonzero(exact & ~on_board).tolist():
            digits = entries[one, t.KEY] // powers % np.uint64(3)
            settled[one] = (digits > 0).all()
    possible &= ~exact | np.where(on_board, in_question, settled & (shot == t.NO_SHOT))
    return possible


def rows_by_cell(problem: Problem) -> NDArray[np.uint64]:
    """The rows that occupy each cell, and in the end all rows, in bits: ``(cells + 1, words)``."""
    n = len(problem)
    bits = np.zeros((problem.cells + 1, -(-n // 64) * 64), dtype=bool)
    for cell in range(problem.cells):
        bits[cell, :n] = problem.rows >> np.uint64(cell) & np.uint64(1)
    bits[-1, :n] = True
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


class Checkpoint:
    """One checkpoint file of one problem.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    problem, goal
        What the entries belong to; ``goal`` is a word where they are not of misses (``within``).
    """

    def __init__(self, path: Path, problem: Problem, *, goal: str = "") -> None:
        self.path = path
        self.problem = problem
        self.limited = not goal
        self.about = str(problem.rules)
        self.digest = problem_digest(problem, goal=goal)
        self.saved_at = time.monotonic()
        self.pause = SECONDS_BETWEEN

    def due(self) -> bool:
        """Whether it is time to save again; rarely enough that saving costs little."""
        return time.monotonic() - self.saved_at > self.pause

    def save(self, entries: NDArray[np.uint64]) -> None:
        """Write the entries.

        Raises
        ------
        FileAccessError
            If the file cannot be written.
        """
        started = time.monotonic()
        head = {
            "format": FORMAT,
            "version": VERSION,
            "about": self.about,
            "problem": self.digest,
            "entries": digest_of(entries),
        }
        about = np.array(json.dumps(head))
        write_whole(self.path, lambda stream: np.savez(stream, head=about, entries=entries))
        self.saved_at = time.monotonic()
        self.pause = min(60.0, max(SECONDS_BETWEEN, 10 * (self.saved_at - started)))

    def load(self, words: int) -> NDArray[np.uint64] | None:
        """The entries, or None when there is no file yet.

        Raises
        ------
        FileAccessError
            If the file cannot be read.
        CheckpointError
            If it is damaged, not a checkpoint, or of another problem.
        """
        try:
            with self.path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                head, entries = json.loads(str(archive["head"])), archive["entries"]
            entries = np.ascontiguousarray(entries, dtype=np.uint64)
            kind = head["format"], head["version"]
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever the reader makes of a damaged file
            if isinstance(error, OSError) and error.errno is not None:
                raise FileAccessError(
                    f"cannot read the checkpoint {self.path}: {error.strerror}"
                ) from None
            raise self.refused("is damaged or no checkpoint") from None
        if kind != (FORMAT, VERSION):
            raise self.refused("is of another version")
        if head.get("problem") != self.digest:
            raise CheckpointError(
                f"checkpoint {self.path} belongs to another problem ({_plain(head.get('about'))})"
            )
        if entries.shape[1:] != (words,) or digest_of(entries) != head.get("entries"):
            raise self.refused("is damaged: its digest does not fit")
        if not possible_entries(entries, self.problem, limited=self.limited).all():
            raise self.untrue()
        return entries

    def refused(self, why: str) -> CheckpointError:
        """The error where the file cannot be used."""
        return CheckpointError(f"checkpoint {self.path} {why}; remove it to start anew")

    def untrue(self) -> CheckpointError:
        """The error where the file says what cannot be true."""
        return self.refused("holds what is not true of this game")
