"""Open strategy files: a best shot and the misses to come for any position they hold.

``trees.strategy.keys`` defines the format. Opening maps the arrays and takes under a
millisecond; a probe filters the layouts by what is known, computes the position's key and finds it
by bisection, in some 50 microseconds. ``write_strategy`` writes such a file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import CORE_HIT, CORE_SHIP, MISS, SUNK, answer_text
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.errors import (
    FileAccessError,
    PositionError,
    SeabattleError,
    StrategyError,
    TooLargeError,
    quoted,
)
from seabattle.enumerate.files import read_json, require_format, require_known, require_place
from seabattle.enumerate.layouts import answers_to, fitting
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position, require_position
from seabattle.enumerate.rules import DOCUMENT_FIELDS, AnswerMode, Rules
from seabattle.enumerate.words import mean_text
from seabattle.trees.strategy.keys import (
    OBJECTIVES,
    ONE_WORD_CELLS,
    SCOPES,
    Positions,
    SortedKeys,
    refuse_rules,
)
from seabattle.trees.tree import Tree, tree_arrays
from seabattle.trees.verify import verify

MOST_WALKED = 200_000
"""Largest number of layouts for which a strategy is expanded into a tree."""


class Misses:
    """What a position costs by a file: the total over the layouts, or the worst case."""

    objective: str
    value: int
    layouts: int

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

    def misses(self) -> dict[str, Any]:
        """As the fields of documents: null is what a file of its objective does not know."""
        mean = None if self.mean is None else float(self.mean)
        return {"total_misses": self.total, "mean_misses": mean, "worst_misses": self.worst}

    @property
    def misses_text(self) -> str:
        """In words."""
        if self.objective == "worst":
            return f"worst {self.value}"
        return mean_text(self.value, self.layouts)


class Strategy(Misses):
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
        self.rules = Rules.of_document(manifest)
        refuse_rules(self.rules)
        self.position = Position.read(self.rules, [(c, a) for c, a in manifest["position"]])
        self.objective = str(manifest["objective"])
        self.scope = str(manifest["scope"])
        self.states = int(manifest["states"])
        self.layouts = int(manifest["layouts"])
        self.value = int(manifest["value"])
        self.digests = {name: str(entry["sha256"]) for name, entry in manifest["files"].items()}
        every = self.rules.board.symmetries
        self.symmetries = tuple(every[g] for g in manifest["symmetries"])
        arrays.setdefault("key1", np.empty(0, dtype="<u8"))
        self.keys = SortedKeys(arrays["key0"], arrays["key1"])
        self.values: NDArray[Any] = arrays["values"]
        self.shots: NDArray[np.uint8] = arrays["shots"]
        self.numbers: NDArray[np.uint16] = arrays["layouts"]
        if self.objective not in OBJECTIVES or self.scope not in SCOPES or self.layouts < 1:
            raise StrategyError(
                f"{path}: the manifest's objective, scope or number of layouts is unknown"
            )
        if self.symmetries[:1] != (tuple(range(self.rules.board.cells)),):
            raise StrategyError(f"{path}: the manifest's symmetries do not begin with the identity")
        self._check_shapes(arrays)

    def __repr__(self) -> str:
        return (
            f"<strategy file of {self.states} positions ({self.scope}), objective "
            f"{self.objective}: {self.rules}>"
        )

    @property
    def bytes(self) -> int:
        """Size of the files."""
        names = (MANIFEST, *self.manifest["files"])
        return sum((self.path / name).stat().st_size for name in names)

    def document(self) -> dict[str, Any]:
        """What ``strategy info --json`` prints after the game.

        Fields
        ------
        objective: what the file is best at: mean or worst
        scope: the positions it holds: reachable (what optimal play can meet) or complete
        position: what was shot before the strategy begins
        states: positions held, one of each kind that symmetries leave
        layouts: layouts at its beginning
        total_misses: misses over all layouts; null in a file for the worst case
        mean_misses: the same divided by the layouts; null in a file for the worst case
        worst_misses: the most misses for any layout; null in a file for the mean
        symmetries: symmetries used
        bytes: size of its files
        made_by: the command and version that made it
        """
        return {
            "objective": self.objective,
            "scope": self.scope,
            "position": self.manifest["position"],
            "states": self.states,
            "layouts": self.layouts,
            **self.misses(),
            "symmetries": len(self.symmetries),
            "bytes": self.bytes,
            "made_by": self.manifest.get("made_by", ""),
        }

    def facts(self) -> list[tuple[str, str]]:
        """What the file holds as labels and texts, the game apart."""
        scope = {"complete": "every position", "reachable": "what optimal play can meet"}
        size = f"{self.states:,} states, {self.bytes / 1e6:.2f} MB"
        return [
            ("layouts", f"{self.layouts:,}"),
            ("objective", self.objective),
            ("misses", self.misses_text),
            ("holds", f"{scope[self.scope]}: {size}"),
        ]

    def _repr_html_(self) -> str:
        known = [("known", self.position.words)] if self.position.shots else []
        game = [("game", str(self.rules)), *known]
        return html_table((), [*game, *self.facts(), ("folder", str(self.path))], left=(0, 1))

    @classmethod
    def open(cls, path: str | Path) -> Strategy:
        """Open a strategy file; its arrays are mapped, not read.

        Raises
        ------
        FileAccessError
            If it cannot be read.
        StrategyError
            If it is not a strategy file, is of another version, or was cut short. Arrays that were
            edited are found by ``trees.strategy.check.check``.
        """
        path = Path(path)
        manifest = read_manifest(path)
        try:
            return cls(path, manifest, map_arrays(path, manifest["files"]))
        except (StrategyError, FileAccessError):
            raise
        except (SeabattleError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise StrategyError(f"{path} is not a valid strategy file: {error}") from None

    def _check_shapes(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Reject arrays that do not fit the manifest: look-ups do not check their bounds."""
        two = self.rules.answers is AnswerMode.SHIP or self.rules.board.cells > ONE_WORD_CELLS
        for name, kinds, *shape in (
            ("key0", "<u8", self.states),
            ("key1", "<u8", self.states * two),
            ("values", "|u1 <u2 <u4 <u8", self.states),
            ("shots", "|u1", self.states),
            ("layouts", "<u2", self.layouts, len(self.rules.fleet.lengths)),
        ):
            array = arrays[name]
            if array.dtype.str not in kinds.split() or list(array.shape) != shape:
                raise StrategyError(
                    f"{self.path}: {name}.npy holds {array.dtype} {array.shape}, not what the "
                    f"manifest says"
                )

    @cached_property
    def positions(self) -> Positions:
        """The layouts and keys in the core, put there on first use."""
        if int(self.numbers.max()) >= len(placement_table(self.rules)):
            raise StrategyError(f"{self.path}: layouts.npy names a placement that does not exist")
        return Positions(self.rules, self.numbers, self.symmetries, self.keys)

    def fitting(self, position: Position | None) -> NDArray[np.int64]:
        """Numbers of the layouts that fit a position: int64, in increasing order.

        Raises
        ------
        PositionError
            If no layout fits, or if the position is of another game or does not go on from the
            one that the file begins with.
        """
        if position is None:
            position = self.position
        require_position(position, self.rules)
        given = {cell: code == MISS for cell, code in position.shots}
        missing = [s for s in self.position.shots if given.get(s[0]) is not (s[1] == MISS)]
        if missing:
            name = self.rules.board.name
            shots = ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in missing)
            raise PositionError(f"the strategy file begins after {shots}: give these shots too")
        ids = self._quickly(position)
        if ids is None or not len(ids):  # ``fitting`` names the contradiction
            return np.flatnonzero(fitting(position, self.numbers)).astype(np.int64)
        return ids

    def _quickly(self, position: Position) -> NDArray[np.int64] | None:
        """As ``layouts.fitting``, in microseconds; None where the full check is needed.

        In mode ``hit`` answers only say which cells are occupied. In mode ``sunk``, where ships
        share no side, each group of hit cells is a ship or a part of one: if it was answered sunk,
        no cell beside it is occupied, otherwise some cell is.
        """
        a = self.positions
        if a.mode == CORE_SHIP or position.ships:
            return None
        hit, missed = position.hit_mask, position.shot_mask & ~position.hit_mask
        # Of the cells shot, exactly the hits are occupied.
        ids = np.flatnonzero(a.rows & np.uint64(hit | missed) == np.uint64(hit)).astype(np.int64)
        if a.mode == CORE_HIT:
            return ids
        left = hit
        while left:
            group = self.rules.group(hit, (left & -left).bit_length() - 1)
            left &= ~group
            around = reduce(or_, (self.rules.beside[cell] for cell in cells_of(group))) & ~group
            answers = [code for cell, code in position.shots if group >> cell & 1]
            if SUNK in answers[:-1]:
                return None  # the last hit of a ship sinks it
            alone = a.rows[ids] & np.uint64(around) == 0
            ids = ids[alone == (SUNK in answers)]
        return ids

    def _held(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[int], int]:
        """Where the file holds a position, and the misses that are still to come there.

        Parameters
        ----------
        ids
            int64 ``(n,)``: numbers of the layouts that fit it, as ``fitting``.

        Returns
        -------
        places, values, symmetry
            Rows of the file, one for each closed part of the position; the misses to come in each;
            and the number of the symmetry by which the first is held.

        Raises
        ------
        StrategyError
            If the file does not hold a part.
        """
        places, symmetries = self.positions.look_up(ids.astype(np.int32))
        if (places < 0).any():
            how = "" if self.scope == "complete" else (
                "; it holds what optimal play can meet: build one of every position with --complete"
            )  # fmt: skip
            raise StrategyError(f"{self.path} does not hold this position{how}")
        return places, self.values[places].tolist(), int(symmetries[0]) if len(places) else 0

    def _look_up(self, ids: NDArray[np.int64], shot_mask: int) -> StrategyAnswer:
        """The answer for the layouts that are left, and the cells shot."""
        a, name = self.positions, self.rules.board.name
        masks = a.rows[ids]
        certain, occupied = map(int, (np.bitwise_and.reduce(masks), np.bitwise_or.reduce(masks)))
        if certain == occupied:
            return StrategyAnswer(None, None, False, len(ids), 0, self.objective)
        places, below, symmetry = self._held(ids)
        value = sum(below) if self.objective == "mean" else max(below, default=0)
        due = 0 if a.mode == CORE_HIT else certain & ~shot_mask
        if due:
            shot = next(cells_of(due))
        else:
            image = int(self.shots[places[0]])
            if image >= self.rules.board.cells:
                raise StrategyError(f"{self.path}: shots.npy names a cell that does not exist")
            shot = int(a.back[symmetry, image])
            # A walk along shots that tell nothing would never end.
            if shot_mask >> shot & 1 or not occupied >> shot & 1 or certain >> shot & 1:
                raise StrategyError(
                    f"{self.path}: shots.npy names {name(shot)}, where the answer is known; "
                    f"verify the file"
                )
        return StrategyAnswer(name(shot), shot, due > 0, len(ids), value, self.objective)

    def probe(self, position: Position | None = None) -> StrategyAnswer:
        """A best shot in a position, and the misses that optimal play still costs.

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
        return self._look_up(self.fitting(position), (position or self.position).shot_mask)

    def shot_values(self, position: Position | None = None) -> dict[str, int]:
        """Misses of every sensible shot, by its name, with optimal play after it; best shots first.

        Cells that every possible layout occupies, or none does, are left out. Raises as ``probe``,
        and ``StrategyError`` if the file does not hold all that follows.
        """
        name = self.rules.board.name
        return {name(cell): value for cell, value in self.cell_values(position).items()}

    def cell_values(self, position: Position | None = None) -> dict[int, int]:
        """As ``shot_values``, by the numbers of the cells."""
        ids = self.fitting(position)
        masks = self.positions.rows[ids]
        certain, occupied = np.bitwise_and.reduce(masks), np.bitwise_or.reduce(masks)
        found = {}
        for cell in cells_of(int(occupied & ~certain)):
            hit = masks >> np.uint64(cell) & np.uint64(1) == 1
            value = 0
            for part, missed in ((ids[~hit], 1), (ids[hit], 0)):
                _, below, _ = self._held(part)
                if self.objective == "mean":
                    value += missed * len(part) + sum(below)
                else:
                    value = max([value, missed, *(missed + each for each in below)])
            found[cell] = value
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def best_cells(self, position: Position | None = None) -> tuple[int, ...] | None:
        """Numbers of all best shots; None where the file does not hold all that follows."""
        try:
            values = self.cell_values(position)
        except StrategyError:
            return None
        return tuple(cell for cell, value in values.items() if value == min(values.values()))

    def tree(self) -> Tree:
        """The strategy as a decision tree, expanded by the rules of the game and verified.

        Raises
        ------
        TooLargeError
            If it begins with more than 200,000 layouts.
        StrategyError
            If the file lacks a position that it leads to, or its tree is not valid.
        """
        if self.layouts > MOST_WALKED:
            raise TooLargeError(
                f"{self.path} begins with {self.layouts:,} layouts: up to {MOST_WALKED:,} are "
                f"walked into a tree"
            )
        numbers = self.numbers.astype(np.uint16)
        nodes: list[tuple[int, list[tuple[int, int]], list[list[int]]]] = []

        def grow(ids: NDArray[np.int64], shots: list[int]) -> int:
            """Add the node at which these layouts are left, and all below it: its number."""
            node, edges = len(nodes), list[tuple[int, int]]()
            shot = self._look_up(ids, mask_of(shots)).best_cell
            if shot is None:
                nodes.append((-1, [], numbers[np.sort(ids)].tolist()))
                return node
            nodes.append((shot, edges, []))
            answers = answers_to(self.rules, numbers[ids], [*shots, shot])
            for answer in sorted(set(answers.tolist())):
                edges.append((answer, grow(ids[answers == answer], [*shots, shot])))
            return node

        grow(np.arange(self.layouts, dtype=np.int64), [cell for cell, _ in self.position.shots])
        arrays = tree_arrays(nodes, len(self.rules.fleet.lengths))
        tree = Tree.counted(self.position, self.objective, "optimal", arrays)
        found = verify(tree)
        if not found:
            raise StrategyError(f"{self.path}: its tree is not valid: {found.problems[0]}")
        return tree


# ------------------------------------------------------------------------------------------------
# What a strategy file says of a position.


@dataclass(frozen=True)
class StrategyAnswer(Misses):
    """Result of looking a position up in a strategy file.

    Attributes
    ----------
    best_shot, best_cell
        Name and number of a cell to shoot; None when one occupancy is left.
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

    best_shot: str | None
    best_cell: int | None
    certain: bool
    layouts: int
    value: int
    objective: str

    def document(self) -> dict[str, Any]:
        """What ``strategy probe --json`` prints after the game, the best shots apart.

        Fields
        ------
        layouts: layouts that fit
        certain_hit: whether the shot named hits in all of them
        total_misses: misses over all layouts; null in a file for the worst case
        mean_misses: the same divided by the layouts; null in a file for the worst case
        worst_misses: the most misses for any layout; null in a file for the mean
        """
        return {"layouts": self.layouts, "certain_hit": self.certain, **self.misses()}


# ------------------------------------------------------------------------------------------------
# Strategy files on disk: a folder of arrays and a manifest, whole or not there.
#
# The files are written beside their folder and put in place by ``os.replace``, the manifest last.
# Only strategy files and empty folders are ever written to.
#
# Files may come from untrusted sources. Arrays are mapped as plain ``.npy`` files, never unpickled.


FORMAT = "seabattle-strategy"
VERSION = 1
MANIFEST = "manifest.json"
FIELDS = (
    "format", "version", *DOCUMENT_FIELDS, "objective", "scope", "position", "symmetries", "states",
    "layouts", "value", "made_by", "files", "sha256",
)  # fmt: skip
"""Fields of the manifest."""

_FILES = frozenset(f"{name}.npy" for name in ("key0", "key1", "values", "shots", "layouts"))


def digest_of(file: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sealed(manifest: Mapping[str, Any]) -> str:
    """Checksum of a manifest without its own field."""
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def read_manifest(path: Path) -> dict[str, Any]:
    """Manifest of a strategy file, with its checksum checked; raises as ``Strategy.open``."""
    file = path / MANIFEST
    if path.is_dir() and not file.is_file():
        raise StrategyError(f"{path} is not a strategy file: it has no {MANIFEST}")
    manifest: dict[str, Any] = read_json(file, "manifest of a strategy file", StrategyError)
    try:
        require_format(manifest, FORMAT, VERSION, StrategyError)
    except StrategyError as error:
        raise StrategyError(f"{path} cannot be read as a strategy file: {error}") from None
    if manifest.get("sha256") != sealed(manifest):
        raise StrategyError(f"{file} was edited or damaged: its checksum does not fit")
    try:
        require_known(manifest, FIELDS, StrategyError)
        for name, entry in dict(manifest.get("files") or {}).items():
            require_known(dict(entry), ("bytes", "sha256"), StrategyError, of=name)
    except (StrategyError, TypeError, ValueError) as error:
        raise StrategyError(f"{path} cannot be read as a strategy file: {error}") from None
    return manifest


def map_arrays(path: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a strategy file by name, memory-mapped; raises as ``Strategy.open``.

    Types and shapes are not checked.
    """
    arrays = {}
    for name in names:
        if name not in _FILES:
            raise StrategyError(f"{path}: the manifest names an unknown file {quoted(name)}")
        try:
            mapped = np.lib.format.open_memmap(path / name, mode="r")
        except OSError as error:
            raise FileAccessError(f"cannot read {path / name}: {error.strerror or error}") from None
        except Exception:  # numpy raises various errors for a damaged header
            raise StrategyError(f"{path} is not a valid strategy file: {name} is damaged") from None
        arrays[name.removesuffix(".npy")] = np.asarray(mapped)
    return arrays


def refuse_target(path: str | Path) -> None:
    """Reject a path to which no strategy file can be written, before one is computed.

    Raises
    ------
    FileAccessError
        If the path is neither free, nor an empty folder, nor a strategy file and nothing else, or
        nothing can be written there.
    """
    path = Path(path)
    if os.path.exists(path) and not _is_ours(path):
        raise FileAccessError(f"cannot write {path}: it exists and is not a strategy file")
    require_place(path / MANIFEST)


def _is_ours(path: Path) -> bool:
    """Whether a path is an empty folder, or a strategy file and nothing else."""
    try:
        names = {each.name for each in path.iterdir()}
        found = json.loads((path / MANIFEST).read_text("utf-8")) if names else {"format": FORMAT}
    except (OSError, ValueError, RecursionError):
        return False
    ours = isinstance(found, dict) and found.get("format") == FORMAT
    return ours and names <= _FILES | {MANIFEST}


def write_strategy(
    path: str | Path, manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a strategy file; one that is there is replaced once the new one is whole.

    Parameters
    ----------
    path
        The folder; if it is a link, its target.
    manifest
        Everything but ``format``, ``version``, ``files`` and ``sha256``.
    arrays
        The arrays by name, ``key0`` and so on.

    Raises
    ------
    FileAccessError
        If it cannot be written, or the path exists and is not a strategy file.
    """
    refuse_target(path)
    place = Path(path).resolve()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as beside:
            new = Path(beside)
            files = {}
            for name, array in arrays.items():
                file = new / f"{name}.npy"
                np.save(file, array, allow_pickle=False)
                files[file.name] = {"bytes": file.stat().st_size, "sha256": digest_of(file)}
            whole = {"format": FORMAT, "version": VERSION, **manifest, "files": files}
            whole["sha256"] = sealed(whole)
            (new / MANIFEST).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
            place.mkdir(exist_ok=True)
            for name in (MANIFEST, *(_FILES - files.keys())):  # without it nothing is read
                (place / name).unlink(missing_ok=True)
            for name in (*files, MANIFEST):
                os.replace(new / name, place / name)
    except OSError as error:
        raise FileAccessError(f"cannot write {path}: {error.strerror or error}") from None
