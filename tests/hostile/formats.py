"""Every file format of the program as the sweep of damaged files needs it.

A format says how its files are made, how they are damaged, which command checks what they state,
which other commands read them, and who judges, independently, whether what was accepted is true.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from hostile.damage import damaged_arrays, damaged_documents, damaged_tables
from hostile.true_files import (
    document_of,
    faults_of_atlas,
    faults_of_chances,
    faults_of_count,
    faults_of_equilibrium,
    faults_of_tree,
)

import seabattle as sb

Damage = tuple[str, Callable[[Path], object]]
"""What is damaged, and how: a function of the folder."""


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes
    ----------
    make
        Writes whole files to a folder.
    damages
        Ways to damage them.
    check
        Arguments of the command that checks what they state; exit status 0 is acceptance.
    faults
        What is false in files that were accepted: given the folder, and what the command said.
    readers
        Arguments of other commands that read them, which have to end.
    """

    name: str
    make: Callable[[Path], object]
    damages: Callable[[Path, random.Random], Iterator[Damage]]
    check: Callable[[Path], list[str]]
    faults: Callable[[Path, str], list[str]]
    readers: Callable[[Path], list[list[str]]] = field(default=lambda folder: [])


def _put(name: str, text: str | bytes) -> Callable[[Path], object]:
    """Replaces a file."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    return lambda folder: (folder / name).write_bytes(text)


def _json_damages(*names: str) -> Callable[[Path, random.Random], Iterator[Damage]]:
    def damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
        for name in names:
            for how, text in damaged_documents(json.loads((folder / name).read_text()), chance):
                yield f"{name}: {how}", _put(name, text)

    return damages


def _table_damages(*names: str) -> Callable[[Path, random.Random], Iterator[Damage]]:
    def damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
        for name in names:
            for how, text in damaged_tables((folder / name).read_text(), chance):
                yield f"{name}: {how}", _put(name, text)

    return damages


# ------------------------------------------------------------------------------------------ trees

TREE = sb.Rules("3x3", "2,1", answers="sunk")


def _make_tree(folder: Path) -> None:
    sb.save_tree(sb.solve(TREE).tree, folder / "tree.json")


def _make_later_tree(folder: Path) -> None:
    rules = sb.Rules("2x4", "2,1", answers="hit")
    weights = np.arange(1, len(sb.DecisionTable.build(rules)) + 1)
    table = sb.DecisionTable.build(sb.Position(rules).shoot("A1", "miss"), prior=weights)
    sb.save_tree(sb.solve(table, "worst").tree, folder / "tree.json")


def _tree_readers(folder: Path) -> list[list[str]]:
    file = str(folder / "tree.json")
    return [
        ["replay", file, "--layout", "A1:A2,C3"],
        ["render", file, "-o", str(folder / "tree.svg")],
        ["explore", file, "-o", str(folder / "tree.html")],
    ]


def _tree(name: str, make: Callable[[Path], object]) -> Format:
    return Format(
        name,
        make,
        _json_damages("tree.json"),
        lambda folder: ["verify", str(folder / "tree.json"), "--json"],
        lambda folder, told: faults_of_tree(folder / "tree.json"),
        _tree_readers,
    )


# ------------------------------------------------------------------------------------- strategies


def _sealed(manifest: dict[str, object]) -> str:
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True)
    return json.dumps({**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()})


def _seal(folder: Path) -> None:
    """Make every checksum of a strategy file right again, as far as its files can be read."""
    file = folder / "strategy" / "manifest.json"
    try:
        manifest = json.loads(file.read_text())
        for name, entry in manifest["files"].items():
            content = (folder / "strategy" / name).read_bytes()
            entry["bytes"], entry["sha256"] = len(content), hashlib.sha256(content).hexdigest()
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError):
        pass
    else:
        file.write_text(_sealed(manifest))
        return
    try:
        manifest = json.loads(file.read_text())
        if isinstance(manifest, dict):
            file.write_text(_sealed(manifest))
    except (ValueError, OSError, RecursionError):
        pass


def _strategy_damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
    manifest = folder / "strategy" / "manifest.json"
    for how, text in damaged_documents(json.loads(manifest.read_text()), chance):
        put = _put("strategy/manifest.json", text)
        if not how.startswith("files"):
            yield f"manifest: {how}, sealed", lambda f, put=put: (put(f), _seal(f))  # type: ignore[misc]
        yield f"manifest: {how}", put
    for array in sorted((folder / "strategy").glob("*.npy")):
        name = f"strategy/{array.name}"
        for how, content in damaged_arrays(np.load(array), chance):
            put = _put(name, content)
            yield f"{array.name}: {how}, sealed", lambda f, put=put: (put(f), _seal(f))  # type: ignore[misc]
            if how.startswith("one more"):
                yield f"{array.name}: {how}", put
        yield f"{array.name}: gone", lambda f, name=name: (f / name).unlink()  # type: ignore[misc]


def _strategy_faults(folder: Path, told: str) -> list[str]:
    """The strategy as a tree, and its value, judged by the twins."""
    strategy = sb.Strategy.open(folder / "strategy")
    sb.save_tree(strategy.tree(), folder / "of-strategy.json")
    faults = faults_of_tree(folder / "of-strategy.json")
    tree = document_of(folder / "of-strategy.json")
    stated = document_of(folder / "strategy" / "manifest.json")
    reached = tree["total_misses"] if stated["objective"] == "mean" else tree["worst_misses"]
    if stated["value"] != reached or json.loads(told)["value"] != reached:
        faults.append(f"the value is {reached}")
    return faults


def _strategy_readers(folder: Path) -> list[list[str]]:
    file = str(folder / "strategy")
    game = ["--board", "3x3", "--fleet", "2,1", "--answers", "sunk"]
    return [
        ["strategy", "info", file],
        ["strategy", "probe", file],
        ["explore", file, "-o", str(folder / "s.html")],
        ["advise", *game, "--strategy", file],
        ["tournament", *game, "--players", "strategy,random", "--strategy", file, "--games", "20"],
    ]


def _strategy(objective: str, *, complete: bool) -> Format:
    return Format(
        f"{'complete ' if complete else ''}strategy, {objective}",
        lambda folder: sb.build_strategy(
            TREE, folder / "strategy", objective=objective, complete=complete
        ),
        _strategy_damages,
        lambda folder: ["strategy", "verify", str(folder / "strategy"), "--json"],
        _strategy_faults,
        _strategy_readers,
    )


# -------------------------------------------------------------------------------------- equilibria

_EQUILIBRIUM: dict[str, bytes] = {}


def _make_equilibrium(folder: Path) -> None:
    from click.testing import CliRunner

    from seabattle.cli.commands import commands

    if not _EQUILIBRIUM:
        asked = ["equilibrium", "--board", "3x3", "--fleet", "2,1", "--out", str(folder / "mixes")]
        done = CliRunner().invoke(commands, asked, standalone_mode=False)
        assert done.exception is None, done
        for path in (folder / "mixes").rglob("*"):
            if path.is_file():
                _EQUILIBRIUM[str(path.relative_to(folder))] = path.read_bytes()
    for name, content in _EQUILIBRIUM.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _equilibrium_damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
    named = ["mixes/equilibrium.json", "mixes/summary.json", "mixes/trees/001.json"]
    yield from _json_damages(*named)(folder, chance)
    tables = ["mixes/hiding.csv", "mixes/hiding-weights.csv", "mixes/matchups.csv"]
    yield from _table_damages(*tables)(folder, chance)
    for name in (*named, *tables):
        yield f"{name}: gone", lambda f, name=name: (f / name).unlink()  # type: ignore[misc]


# --------------------------------------------------------------------------------------- the atlas

_ATLAS: dict[str, str] = {}


def _make_atlas(folder: Path) -> None:
    from click.testing import CliRunner

    from seabattle.cli.commands import commands

    (folder / "atlas").mkdir()
    if not _ATLAS:
        asked = ["atlas", "--boards", "3x3", "--out", str(folder / "atlas")]
        done = CliRunner().invoke(commands, asked, standalone_mode=False)
        assert done.exception is None, done
        _ATLAS["table.json"] = (folder / "atlas" / "table.json").read_text()
    for path in (folder / "atlas").iterdir():
        path.unlink()
    (folder / "atlas" / "table.json").write_text(_ATLAS["table.json"])


def _make_journal(folder: Path) -> None:
    _make_atlas(folder)
    document = json.loads(_ATLAS["table.json"])
    head = {"format": "seabattle-atlas", "program": document["made_by"]["version"],
            "row_limit_seconds": 120.0}  # fmt: skip
    lines = [json.dumps(head), *map(json.dumps, document["rows"][:8])]
    (folder / "atlas" / "table.json").unlink()
    (folder / "atlas" / "rows.jsonl").write_text("\n".join(lines) + "\n")


def _journal_damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
    name = "atlas/rows.jsonl"
    lines = (folder / name).read_text().splitlines()
    for number in (0, 1, 5):
        for how, text in damaged_documents(json.loads(lines[number]), chance):
            told = [*lines[:number], text.replace("\n", " "), *lines[number + 1 :]]
            yield f"line {number + 1}: {how}", _put(name, "\n".join(told) + "\n")
    yield "doubled", _put(name, "\n".join([*lines, lines[3]]) + "\n")


def _atlas(name: str, make: Callable[[Path], object], damages: object) -> Format:
    return Format(
        name,
        make,
        damages,  # type: ignore[arg-type]
        lambda folder: ["atlas", "--boards", "3x3", "--out", str(folder / "atlas"), "--json"],
        lambda folder, told: faults_of_atlas(folder / "atlas" / "table.json"),
    )


# ---------------------------------------------------------------------------- positions and priors


def _make_position(folder: Path) -> None:
    position = sb.Position.in_order(TREE, "B2 miss, A1 hit")
    sb.save_position(position, folder / "game.json")


def _told(judge: Callable[[Path], list[str]], name: str) -> Callable[[Path, str], list[str]]:
    def faults(folder: Path, told: str) -> list[str]:
        (folder / "told.json").write_text(told)
        return judge(folder / name)

    return faults


def _make_sides(folder: Path) -> None:
    rules = sb.Rules("3x3", "3,2", "sides", "sunk")
    position = sb.Position.in_order(rules, "C3 hit, A3 hit, B3 sunk:3")
    sb.save_position(position, folder / "game.json")


def _position(name: str, make: Callable[[Path], object]) -> Format:
    return Format(
        name,
        make,
        _json_damages("game.json"),
        lambda folder: ["count", "--position", str(folder / "game.json"), "--json"],
        _told(faults_of_count, "game.json"),
        lambda folder: [
            ["advise", "--position", str(folder / "game.json")],
            ["review", str(folder / "game.json")],
            ["solve", "--position", str(folder / "game.json")],
        ],
    )


GAME = sb.Rules("3x3", "2,1")


def _make_prior(kind: str, suffix: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        weights = [1, 2, 3, 1, 5, 1, 2, 2, 1]
        if kind == "layouts":
            made: sb.Prior = sb.TablePrior.of_games(
                GAME, ["A1:B1 C3", "A1:B1 C3", "A3:B3 C1"], smoothing=1
            )
        elif kind == "sum":
            from fractions import Fraction

            made = sb.SumPrior(GAME, tuple(Fraction(w, 2) for w in weights))
        else:
            made = sb.ProductPrior.of_cells(
                GAME, weights, forced=["A1"] if suffix == "json" else []
            )
        if kind == "games":
            document = {
                "format": "seabattle-prior", "version": 1, "board": "3x3", "fleet": "2,1",
                "contact": "none", "kind": "games", "smoothing": 1, "source": "made up",
                "games": ["A1:B1 C3", "A1:B1 C3", "A3:B3 C1"],
            }  # fmt: skip
            (folder / "prior.json").write_text(json.dumps(document))
        else:
            sb.save_prior(made, folder / f"prior.{suffix}")

    return make


def _prior(kind: str, suffix: str) -> Format:
    file = f"prior.{suffix}"
    game = ["--board", "3x3", "--fleet", "2,1"]
    return Format(
        f"prior of {kind} ({suffix})",
        _make_prior(kind, suffix),
        (_json_damages if suffix == "json" else _table_damages)(file),
        lambda folder: ["count", *game, "--prior", str(folder / file), "--json"],
        _told(faults_of_chances, file),
        lambda folder: [
            ["prior", "show", str(folder / file)],
            ["solve", *game, "--prior", str(folder / file)],
        ],
    )


# ------------------------------------------------------------------------------------- checkpoints

_CHECKPOINT: dict[str, bytes] = {}


def _make_checkpoint(folder: Path) -> None:
    file = folder / "saved.npz"
    if not _CHECKPOINT:
        asked = sb.Rules("4x4", "2,1,1")
        sb.solve(asked, checkpoint=file, time_limit=1.0)
        assert file.exists()
        _CHECKPOINT["saved"] = file.read_bytes()
    file.write_bytes(_CHECKPOINT["saved"])


def _archive(folder: Path, head: str | bytes, entries: bytes, **options: int) -> None:
    with zipfile.ZipFile(folder / "saved.npz", "w", **options) as archive:  # type: ignore[arg-type]
        stream = io.BytesIO()
        if isinstance(head, str):
            np.save(stream, np.array(head))
            head = stream.getvalue()
        archive.writestr("head.npy", head)
        archive.writestr("entries.npy", entries)


def _checkpoint_damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
    with np.load(folder / "saved.npz") as archive:
        head, entries = json.loads(str(archive["head"])), archive["entries"]
    stream = io.BytesIO()
    np.save(stream, entries)
    whole = stream.getvalue()
    for how, text in damaged_documents(head, chance):
        if "\0" in text:
            continue
        yield f"head: {how}", lambda f, text=text: _archive(f, text, whole)  # type: ignore[misc]
    for how, content in damaged_arrays(entries, chance):
        told = dict(head)
        try:
            array = np.load(io.BytesIO(content))
            told["entries"] = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
        except Exception:  # numpy raises various errors
            pass
        yield (
            f"entries: {how}, sealed",
            lambda f, c=content, t=told: _archive(f, json.dumps(t), c),  # type: ignore[misc]
        )
        yield f"entries: {how}", lambda f, c=content: _archive(f, json.dumps(head), c)  # type: ignore[misc]
    content = (folder / "saved.npz").read_bytes()
    for at in (10, len(content) // 3, len(content) // 2, len(content) - 30):
        broken = content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :]
        yield f"byte {at}", _put("saved.npz", broken)
        yield f"cut at {at}", _put("saved.npz", content[:at])


def _checkpoint_faults(folder: Path, told: str) -> list[str]:
    found = json.loads(told)
    if not _BEST:
        _BEST.append(sb.solve(sb.Rules("4x4", "2,1,1")).total_misses)
    return [] if found["total_misses"] == _BEST[0] else [f"least are {_BEST[0]} misses"]


_BEST: list[int] = []

CHECKPOINT = Format(
    "checkpoint",
    _make_checkpoint,
    _checkpoint_damages,
    lambda folder: ["solve", "--board", "4x4", "--fleet", "2,1,1", "--json", "--checkpoint",
                    str(folder / "saved.npz")],
    _checkpoint_faults,
)  # fmt: skip

FORMATS = [
    _tree("tree", _make_tree),
    _tree("tree of a later position, weighted", _make_later_tree),
    _strategy("mean", complete=False),
    _strategy("worst", complete=True),
    Format(
        "equilibrium",
        _make_equilibrium,
        _equilibrium_damages,
        lambda folder: ["equilibrium", "--check", str(folder / "mixes"), "--json"],
        lambda folder, told: faults_of_equilibrium(folder / "mixes"),
        lambda folder: [["hide", "--from", str(folder / "mixes")]],
    ),
    _atlas("atlas", _make_atlas, _json_damages("atlas/table.json")),
    _atlas("atlas, rows of a run that was stopped", _make_journal, _journal_damages),
    _position("position", _make_position),
    _position("position, ships that touch", _make_sides),
    _prior("layouts", "json"),
    _prior("products", "json"),
    _prior("sum", "json"),
    _prior("games", "json"),
    _prior("layouts", "csv"),
    CHECKPOINT,
]
