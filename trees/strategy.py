"""Strategy files: solved positions in sorted arrays on disk, opened at once and probed by position.

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
``layouts.npy``           uint16 (n_layouts, n_ships)  placement numbers of the layouts
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
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import (
    KERNEL_HIT,
    KERNEL_SHIP,
    MISS,
    SUNK,
    answer_text,
    kernel_mode,
)
from seabattle.enumerate.board import Board, cells_of
from seabattle.enumerate.errors import (
    FileAccessError,
    PositionError,
    SeabattleError,
    StrategyError,
    TooLargeError,
)
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.trees.tree import Reading, Tree, tree_arrays

FORMAT = "seabattle-strategy"
VERSION = 1
MANIFEST = "manifest.json"
OBJECTIVES = ("mean", "worst")
SCOPES = ("reachable", "complete")
MOST_CELLS = 64
ONE_WORD_CELLS = 40
MOST_WALKED = 200_000
"""Most layouts of a strategy that is walked into a tree."""


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
class StrategyAnswer:
    """What a strategy file says of a position.

    Attributes
    ----------
    shot
        Cell to shoot; -1 when one occupancy is left.
    certain
        Whether that shot is a certain hit.
    layouts
        Number of layouts still possible.
    value
        Least misses still to come: total over the layouts with objective ``mean``, else the
        least worst case.
    objective
        ``mean`` or ``worst``.
    """

    shot: int
    certain: bool
    layouts: int
    value: int
    objective: str

    @property
    def total(self) -> int | None:
        """Least total misses, if the file holds totals."""
        return self.value if self.objective == "mean" else None

    @property
    def worst(self) -> int | None:
        """Least worst case, if the file holds worst cases."""
        return self.value if self.objective == "worst" else None

    @property
    def mean(self) -> Fraction | None:
        """Least total over the layouts, if the file holds totals."""
        return Fraction(self.value, self.layouts) if self.objective == "mean" else None


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


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sealed(manifest: Mapping[str, Any]) -> str:
    """Checksum of a manifest without its own field."""
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return _digest(json.dumps(rest, sort_keys=True, ensure_ascii=True).encode())


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
                files[file.name] = {"bytes": len(data), "sha256": _digest(data)}
            whole = {"format": FORMAT, "version": VERSION, **manifest, "files": files}
            whole["sha256"] = _sealed(whole)
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


def _read_manifest(path: Path) -> dict[str, Any]:
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
    if manifest.get("sha256") != _sealed(manifest):
        raise StrategyError(f"{file} was edited or damaged: its checksum does not fit")
    return manifest


class Strategy:
    """A strategy file that is open.

    Attributes
    ----------
    path
        The folder.
    rules, position
        The game, and the shots before the strategy begins.
    objective, scope
        ``mean`` or ``worst``; ``reachable`` or ``complete``.
    states, layouts
        Positions in the file, layouts at its beginning.
    value
        Misses from the beginning: the total, or the worst case.
    """

    def __init__(self, path: Path, manifest: dict[str, Any], arrays: dict[str, NDArray[Any]]):
        self.path = path
        self.manifest = manifest
        self.rules = Rules(
            manifest["board"], manifest["fleet"], manifest["contact"], manifest["answers"],
            manifest["announce"],
        )  # fmt: skip
        refuse_rules(self.rules)
        self.position = Position.read(self.rules, [(c, a) for c, a in manifest["position"]])
        self.objective = str(manifest["objective"])
        self.scope = str(manifest["scope"])
        self.states = int(manifest["states"])
        self.layouts = int(manifest["layouts"])
        self.value = int(manifest["value"])
        every = self.rules.board.symmetries
        self.symmetries = tuple(every[g] for g in manifest["symmetries"])
        self.low: NDArray[np.uint64] = arrays["key0"]
        self.high: NDArray[np.uint64] = arrays.get("key1", np.empty(0, dtype=np.uint64))
        self.values: NDArray[Any] = arrays["values"]
        self.shots: NDArray[np.uint8] = arrays["shots"]
        self.numbers: NDArray[np.uint16] = arrays["layouts"]
        self._check_shapes()

    def __repr__(self) -> str:
        return (
            f"<strategy file of {self.states} positions ({self.scope}), objective "
            f"{self.objective}: {self.rules}>"
        )

    @classmethod
    def open(cls, path: str | Path) -> Strategy:
        """Open a strategy file; its arrays are mapped, not read.

        Raises
        ------
        FileAccessError
            If it cannot be read.
        StrategyError
            If it is no strategy file, is of another version, was cut short or edited. Arrays
            edited without a change of size are found by ``strategy_check.check``.
        """
        path = Path(path)
        manifest = _read_manifest(path)
        try:
            arrays = {}
            for name, said in manifest["files"].items():
                if name not in ("key0.npy", "key1.npy", "values.npy", "shots.npy", "layouts.npy"):
                    raise StrategyError(f"{path}: the manifest names an unknown file {name!r}")
                size = (path / name).stat().st_size
                if size != said["bytes"]:
                    raise StrategyError(
                        f"{path / name} has {size:,} bytes and should have {said['bytes']:,}: it "
                        f"was cut short or edited"
                    )
                mapped = np.load(path / name, mmap_mode="r", allow_pickle=False)
                arrays[name.removesuffix(".npy")] = np.asarray(mapped)
            return cls(path, manifest, arrays)
        except StrategyError:
            raise
        except OSError as error:
            raise FileAccessError(
                f"cannot read {path}: {error.strerror or error}"
                f"{f': {error.filename}' if error.filename else ''}"
            ) from None
        except (SeabattleError, KeyError, ValueError, TypeError, IndexError) as error:
            raise StrategyError(f"{path} is no valid strategy file: {error}") from None

    def _check_shapes(self) -> None:
        """Refuse arrays that do not fit the manifest: nothing else would keep lookups in range."""
        ships = len(self.rules.fleet.lengths)
        two = self.rules.answers is AnswerMode.SHIP or self.rules.board.cells > ONE_WORD_CELLS
        expected = {
            "key0": (self.low, "u8", (self.states,)),
            "key1": (self.high, "u8", (self.states if two else 0,)),
            "values": (self.values, "u", (self.states,)),
            "shots": (self.shots, "u1", (self.states,)),
            "layouts": (self.numbers, "u2", (self.layouts, ships)),
        }
        for name, (array, kind, shape) in expected.items():
            if not array.dtype.str[1:].startswith(kind) or array.shape != shape:
                raise StrategyError(
                    f"{name}.npy holds {array.dtype} {array.shape}, not what the manifest says"
                )
        if self.objective not in OBJECTIVES or self.scope not in SCOPES or self.layouts < 1:
            raise StrategyError("the manifest's objective, scope or number of layouts is unknown")
        if self.symmetries[:1] != (tuple(range(self.rules.board.cells)),):
            raise StrategyError("the manifest's symmetries do not begin with the identity")

    @cached_property
    def arrays(self) -> KeyArrays:
        """The game as the kernels take it, made when first used."""
        if int(self.numbers.max()) >= len(placement_table(self.rules)):
            raise StrategyError(f"{self.path}: layouts.npy names a placement that does not exist")
        return KeyArrays.of(self.rules, self.numbers, self.symmetries)

    @cached_property
    def _layouts(self) -> Layouts:
        masks = np.ascontiguousarray(self.arrays.rows[:, None])
        return Layouts(self.rules, masks, np.ascontiguousarray(self.numbers))

    @cached_property
    def _scratch(self) -> tuple[NDArray[np.int64], ...]:
        return tuple(np.empty(self.layouts + 1, dtype=np.int64) for _ in range(3))

    def _possible(self, position: Position | None) -> NDArray[np.int64]:
        """Numbers of the layouts that fit a position, which must go on from the file's own."""
        if position is None:
            position = self.position
        if position.rules != self.rules:
            raise PositionError(
                f"the position is of another game ({position.rules}) than the strategy file "
                f"({self.rules})"
            )
        given = {cell: code == MISS for cell, code in position.shots}
        missing = [s for s in self.position.shots if given.get(s[0]) is not (s[1] == MISS)]
        if missing:
            name = self.rules.board.name
            told = ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in missing)
            raise PositionError(f"the strategy file begins after {told}: give these shots too")
        ids = self._quickly(position)
        if ids is None or not len(ids):  # says what is wrong when no layout fits
            return np.flatnonzero(position.fitting(self._layouts)).astype(np.int64)
        return ids

    def _quickly(self, position: Position) -> NDArray[np.int64] | None:
        """As ``Position.fitting``, in microseconds; None where that has to look closer.

        Answers ``hit`` only say which cells are occupied. With ``sunk``, where ships share no
        side, each group of hit cells is a ship or a part of one: told sunk, nothing beside it is
        occupied, else something is.
        """
        a = self.arrays
        if a.mode == KERNEL_SHIP or position.ships:
            return None
        hit, missed = position.hit_mask, position.shot_mask & ~position.hit_mask
        # Of the cells shot, the hits are occupied and no others.
        ids = np.flatnonzero(a.rows & np.uint64(hit | missed) == np.uint64(hit)).astype(np.int64)
        if a.mode == KERNEL_HIT:
            return ids
        sides = self.rules.board.side_masks
        left = hit
        while left:
            group, edge, around = 0, left & -left, 0
            while edge:
                group |= edge
                for cell in cells_of(edge):
                    around |= sides[cell]
                edge = around & hit & ~group
            left &= ~group
            told = [code for cell, code in position.shots if group >> cell & 1]
            if SUNK in told[:-1]:
                return None  # the last hit of a ship sinks it
            alone = a.rows[ids] & np.uint64(around & ~group) == 0
            ids = ids[alone == (SUNK in told)]
        return ids

    def _locate(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places and symmetries of a position's closed parts; ``ids`` change places."""
        from seabattle.trees import _strategy_kernels as kernels

        a = self.arrays
        ends, places, turned = self._scratch
        parts = kernels.locate(
            ids, 0, len(ids), a.rows, a.ships, a.lengths, a.sides, a.mode, a.full, a.wide,
            a.shares, a.moves, a.back, self.low, self.high, ends, places, turned,
        )  # fmt: skip
        return places[:parts], turned[:parts]

    def _absent(self) -> StrategyError:
        how = "" if self.scope == "complete" else (
            "; it holds what optimal play can meet: build one of every position with --complete"
        )  # fmt: skip
        return StrategyError(f"{self.path} does not hold this position{how}")

    def _look_up(self, ids: NDArray[np.int64], shot_mask: int) -> tuple[int, bool, int]:
        """Shot, whether it is a certain hit, and value of a position."""
        a = self.arrays
        masks = a.rows[ids]
        certain = int(np.bitwise_and.reduce(masks))
        if certain == int(np.bitwise_or.reduce(masks)):
            return -1, False, 0
        places, turned = self._locate(ids)
        if (places < 0).any():
            raise self._absent()
        below = [int(self.values[place]) for place in places]
        value = sum(below) if self.objective == "mean" else max(below, default=0)
        pending = certain & ~shot_mask
        if a.mode != KERNEL_HIT and pending:
            return next(cells_of(pending)), True, value
        image = int(self.shots[places[0]])
        shot = int(a.back[turned[0], image]) if image < self.rules.board.cells else -1
        if shot < 0:
            raise StrategyError(f"{self.path}: shots.npy names a cell that does not exist")
        return shot, False, value

    def probe(self, position: Position | None = None) -> StrategyAnswer:
        """What to shoot in a position, and what optimal play still costs.

        Parameters
        ----------
        position
            Shots and answers so far, those of the file's own position among them; by default
            just those.

        Raises
        ------
        PositionError
            If no layout fits, or the position is of another game.
        StrategyError
            If the file does not hold the position.
        """
        ids = self._possible(position)
        count = len(ids)
        shot_mask = (position or self.position).shot_mask
        shot, certain, value = self._look_up(ids, shot_mask)
        return StrategyAnswer(shot, certain, count, value, self.objective)

    def shot_values(self, position: Position | None = None) -> dict[int, int]:
        """Misses of every shot worth thinking about, optimal play after it; best shots first.

        Cells that every layout left occupies, or none does, are left out. Raises as ``probe``,
        and ``StrategyError`` when the file does not hold all that follows.
        """
        ids = self._possible(position)
        masks = self.arrays.rows[ids]
        certain, occupied = np.bitwise_and.reduce(masks), np.bitwise_or.reduce(masks)
        found = {}
        for cell in cells_of(int(occupied & ~certain)):
            hit = masks >> np.uint64(cell) & np.uint64(1) == 1
            value = 0
            for part, missed in ((ids[~hit], 1), (ids[hit], 0)):
                places, _ = self._locate(part.copy())
                if (places < 0).any():
                    raise self._absent()
                below = [int(self.values[place]) for place in places]
                if self.objective == "mean":
                    value += missed * len(part) + sum(below)
                else:
                    value = max([value, missed, *(missed + each for each in below)])
            found[cell] = value
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def tree(self) -> Tree:
        """The strategy as a decision tree, walked by the rules of the game.

        Raises
        ------
        TooLargeError
            If it begins with more than 200,000 layouts.
        StrategyError
            If the file lacks a position that the walk meets.
        """
        from seabattle.trees import _strategy_kernels as kernels

        if self.layouts > MOST_WALKED:
            raise TooLargeError(
                f"{self.path} begins with {self.layouts:,} layouts: up to {MOST_WALKED:,} are "
                f"walked into a tree"
            )
        a = self.arrays
        nodes: list[tuple[int, list[tuple[int, int]], list[int]]] = []
        total = worst = 0
        history = [cell for cell, _ in self.position.shots]
        stack = [(np.arange(self.layouts, dtype=np.int64), history, 0, -1, 0)]
        while stack:
            ids, shots, misses, parent, code = stack.pop()
            if parent >= 0:
                nodes[parent][1].append((code, len(nodes)))
            shot, _, _ = self._look_up(ids, self.rules.board.mask(shots))
            if shot < 0:
                nodes.append((-1, [], sorted(ids.tolist())))
                total += misses * len(ids)
                worst = max(worst, misses)
                continue
            node = len(nodes)
            nodes.append((shot, [], []))
            told = np.empty(len(ids), dtype=np.int64)
            before = np.array(shots, dtype=np.int64)
            kernels.tell(ids, a.ships, a.lengths, before, shot, a.mode, told)
            for answer in sorted({int(code) for code in told}, reverse=True):  # misses come first
                part = ids[told == answer]
                stack.append((part, [*shots, shot], misses + (answer == MISS), node, answer))
        numbers = self.numbers.tolist()
        arrays = tree_arrays(
            [(s, sorted(e), [numbers[i] for i in ids]) for s, e, ids in nodes], len(a.lengths)
        )
        return Tree(
            rules=self.rules,
            weights=np.empty(0, dtype=np.int64),
            reading=Reading.FULL,
            objective=self.objective,
            status="optimal",
            total_misses=total,
            worst_misses=worst,
            position=self.position,
            **arrays,
        )
