"""Checkpoints: what a search has proven, kept on disk while it runs.

The table holds everything a search has proven, and each entry is valid by itself. So a checkpoint
is the list of the entries, and a search that loads it continues where the other stopped. The file
is a zip of plain arrays (numpy's ``.npz``, never pickled): ``head``, a JSON text that identifies
the problem the entries belong to, and ``entries``, uint64 ``(n_entries, words)``, with a SHA-256
digest of both. It is written whole or not at all.

A digest can be made to fit anything. But a shot that is read is only taken where it tells something
(``growing``), and the tree that comes of it is verified: it misses as often as the entries say.
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
from seabattle.solver.search.problem import Problem

FORMAT = "seabattle-checkpoint"
VERSION = 2
SECONDS_BETWEEN = 30.0


def problem_digest(problem: Problem, *, goal: str = "") -> str:
    """Digest of all that the entries depend on: rules, rows, weights, goal."""
    digest = hashlib.sha256(f"{problem.rules.lettered('latin')!r} orbits=True{goal}".encode())
    for array in (problem.rows, problem.table.index, problem.weights):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def digest_of(entries: NDArray[np.uint64]) -> str:
    """Digest of the entries themselves."""
    return hashlib.sha256(np.ascontiguousarray(entries).data).hexdigest()


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
        try:
            write_whole(self.path, lambda stream: np.savez(stream, head=about, entries=entries))
        finally:
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
        if head.keys() != {"format", "version", "about", "problem", "entries"}:
            raise self.refused("has other fields than a checkpoint")
        if head["problem"] != self.digest:
            about = elided(" ".join(str(head["about"]).split()))
            raise CheckpointError(f"checkpoint {self.path} belongs to another problem ({about})")
        if entries.shape[1:] != (words,) or digest_of(entries) != head["entries"]:
            raise self.refused("is damaged: its digest does not fit")
        return entries

    def refused(self, why: str) -> CheckpointError:
        """The error where the file cannot be used."""
        return CheckpointError(f"checkpoint {self.path} {why}; remove it to start anew")

    def untrue(self) -> CheckpointError:
        """The error where the file says what cannot be true."""
        return self.refused("holds what is not true of this game")
