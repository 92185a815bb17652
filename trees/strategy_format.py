"""The format of strategy files: solved positions in sorted arrays on disk.

A strategy file is a folder. It says, for every position it holds, a best shot and the misses that
optimal play still costs. Positions are kept by *closed keys*, one for each symmetry orbit.

A position leaves a set of layouts S possible. Let H be the cells all of them occupy and M the
cells none does. A cell of H not shot yet is a *certain hit*: it costs nothing, and (answers
``sunk`` and ``ship``) shooting it first never hurts, so a key stands for a position in which every
certain hit has been shot. Which layouts belong to it:

* answers ``hit``: those that contain H and avoid M;
* answers ``sunk`` where ships share no side: of those, the ones that occupy a cell beside every
  group of H that has a cell beside it outside M (such a group was told not sunk);
* answers ``ship``: those whose ships cover H as the key names them.

Under contact rule ``sides`` with answers ``sunk`` there is no such key, and no strategy file.

========================  ================  ====================================================
file                      dtype, shape      meaning
========================  ================  ====================================================
``manifest.json``         –                 what the file is about, and the checksums of all else
``key0.npy``              uint64 (n,)       boards of up to 40 cells: each cell as a digit to the
                                            base 3 (0 unknown, 1 in H, 2 in M), A1 the lowest;
                                            larger boards: the mask of H
``key1.npy``              uint64 (n,)       answers ``ship``: the ships in the cells of H, a digit
                                            each to the base n_ships, the first cell the highest
                                            (ships are numbered by their place in the fleet, equal
                                            ones in the order they are met); larger boards: the
                                            mask of M; else the file is absent
``values.npy``            unsigned (n,)     misses still to come: total, or in the worst case
``shots.npy``             uint8 (n,)        a best shot
``layouts.npy``           uint16            placement numbers of the layouts
                          (n_layouts,
                          n_ships)
========================  ================  ====================================================

Keys increase; of the images of a position under the symmetries of the game the least key is kept,
and the shot is the image's. One occupancy left is no position of the file: nothing more is missed.

The manifest has ``format`` "seabattle-strategy", ``version`` 1, the rules, ``objective``
(``mean`` or ``worst``), ``scope`` (``reachable``: what optimal play can meet; ``complete``: every
position), ``position`` (shots before the strategy begins), ``symmetries`` (numbers of the board's
symmetries that keep the layouts), ``states``, ``layouts``, ``value`` (misses from the start),
``files`` (bytes and SHA-256 of each array), and ``sha256`` of the manifest without this field.
Opening checks version, manifest and sizes; ``strategy_check.check`` reads everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import KERNEL_SHIP, kernel_mode
from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import FileAccessError, StrategyError, TooLargeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules

FORMAT = "seabattle-strategy"
VERSION = 1
MANIFEST = "manifest.json"
OBJECTIVES = ("mean", "worst")
SCOPES = ("reachable", "complete")
MOST_CELLS = 64
ONE_WORD_CELLS = 40


def refuse_rules(rules: Rules) -> None:
    """Say no to a game whose positions have no closed key.

    Raises
    ------
    StrategyError
        For answers ``sunk`` under contact rule ``sides``.
    TooLargeError
        For boards of more than 64 cells, or 40 with answers ``ship``.
    """
    if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES:
        raise StrategyError(
            "strategy files cannot hold answers 'sunk' under contact rule 'sides', where the "
            "order of shots matters: save the tree instead (solve --tree FILE)"
        )
    most = ONE_WORD_CELLS if rules.answers is AnswerMode.SHIP else MOST_CELLS
    if rules.board.cells > most:
        raise TooLargeError(
            f"board {rules.board}: strategy files with answers {rules.answers.value!r} hold boards "
            f"of up to {most} cells, this one has {rules.board.cells}"
        )


@dataclass(frozen=True)
class KeyArrays:
    """What the kernels make keys of; see ``_strategy_kernels``."""

    rows: NDArray[np.uint64]
    ships: NDArray[np.uint64]
    lengths: NDArray[np.int64]
    sides: NDArray[np.uint64]
    mode: int
    full: np.uint64
    wide: bool
    shares: NDArray[np.uint64]
    moves: NDArray[np.int64]
    back: NDArray[np.int64]

    @classmethod
    def of(
        cls, rules: Rules, layouts: NDArray[np.uint16], symmetries: tuple[tuple[int, ...], ...]
    ) -> KeyArrays:
        """Arrays of a game, its layouts as placement numbers, and the symmetries in use."""
        board = rules.board
        ships = np.ascontiguousarray(placement_table(rules).masks[layouts, 0])
        sides = np.zeros(64, dtype=np.uint64)
        sides[: board.cells] = board.side_masks
        wide = board.cells > ONE_WORD_CELLS
        moves = np.full((len(symmetries), 64), -1, dtype=np.int64)
        back = np.full((len(symmetries), 64), -1, dtype=np.int64)
        for g, symmetry in enumerate(symmetries):
            moves[g, : board.cells] = symmetry
            back[g, list(symmetry)] = np.arange(board.cells)
        return cls(
            rows=np.bitwise_or.reduce(ships, axis=1),
            ships=ships,
            lengths=np.array(rules.fleet.lengths, dtype=np.int64),
            sides=sides,
            mode=kernel_mode(rules),
            full=np.uint64(board.full_mask),
            wide=wide,
            shares=key_shares(board, symmetries, wide=wide),
            moves=moves,
            back=back,
        )

    @property
    def words(self) -> int:
        """Words of a key."""
        return 2 if self.wide or self.mode == KERNEL_SHIP else 1


def key_shares(
    board: Board, symmetries: tuple[tuple[int, ...], ...], *, wide: bool
) -> NDArray[np.uint64]:
    """Each byte's share of key word 0 under each symmetry: uint64 ``(n_symmetries, bytes, 256)``.

    The share of a byte of H is the sum over its cells of 3^image, or with wide keys the mask of
    the images; that of a byte of M is twice the sum, or the mask of key word 1.
    """
    shares = np.zeros((len(symmetries), (board.cells + 7) // 8, 256), dtype=np.uint64)
    for g, symmetry in enumerate(symmetries):
        for cell, image in enumerate(symmetry):
            holds = np.arange(256) >> (cell % 8) & 1 == 1
            shares[g, cell // 8, holds] += np.uint64(1 << image if wide else 3**image)
    return shares


def digest_of(data: bytes) -> str:
    """SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def sealed(manifest: Mapping[str, Any]) -> str:
    """Checksum of a manifest without its own field."""
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return digest_of(json.dumps(rest, sort_keys=True, ensure_ascii=True).encode())


def write_strategy(
    path: str | Path, manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a strategy file whole or not at all; one that is there already is replaced.

    Parameters
    ----------
    path
        The folder.
    manifest
        Everything but ``format``, ``version``, ``files`` and ``sha256``.
    arrays
        The arrays by name, ``key0`` and so on.

    Raises
    ------
    FileAccessError
        If it cannot be written, or the path holds something that is no strategy file.
    """
    path = Path(path)
    if path.exists() and not (path / MANIFEST).is_file():
        raise FileAccessError(f"cannot write {path}: it exists and is no strategy file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
        try:
            files: dict[str, Any] = {}
            for name, array in arrays.items():
                file = new / f"{name}.npy"
                with file.open("wb") as stream:
                    np.save(stream, np.ascontiguousarray(array), allow_pickle=False)
                    stream.flush()
                    os.fsync(stream.fileno())
                data = file.read_bytes()
                files[file.name] = {"bytes": len(data), "sha256": digest_of(data)}
            whole = {"format": FORMAT, "version": VERSION, **manifest, "files": files}
            whole["sha256"] = sealed(whole)
            (new / MANIFEST).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
            mask = os.umask(0)
            os.umask(mask)
            new.chmod(0o777 & ~mask)
            _replace(path, new)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    except OSError as error:
        raise FileAccessError(f"cannot write {path}: {error.strerror or error}") from None


def _replace(path: Path, new: Path) -> None:
    """Put a folder in the place of another, or leave that one where it is."""
    if not path.exists():
        new.rename(path)
        return
    aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        path.rename(aside / path.name)
        try:
            new.rename(path)
        except BaseException:
            (aside / path.name).rename(path)
            raise
    finally:
        shutil.rmtree(aside)


def read_manifest(path: Path) -> dict[str, Any]:
    """Manifest of a strategy file; raises as ``Strategy.open``."""
    file = path / MANIFEST
    if not file.is_file():
        raise StrategyError(f"{path} is no strategy file: it has no {MANIFEST}")
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileAccessError(f"cannot read {file}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise StrategyError(f"{file} is no JSON, or was cut short") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StrategyError(f"{path} is no strategy file: its 'format' is not {FORMAT!r}")
    if type(manifest.get("version")) is not int or manifest["version"] != VERSION:
        raise StrategyError(
            f"{path}: version {manifest.get('version')!r} of the strategy format is unknown; this "
            f"program reads version {VERSION}"
        )
    if manifest.get("sha256") != sealed(manifest):
        raise StrategyError(f"{file} was edited or damaged: its checksum does not fit")
    return manifest
