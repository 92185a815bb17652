"""Every file format of the program as the sweep of damaged files needs it.

A format says how its files are made, how they are damaged, which command checks what they state,
which other commands read them, and who judges, independently, whether what was accepted is true.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from hostile.checkpoint_format import CHECKPOINT
from hostile.damage import damaged_arrays, damaged_documents, damaged_tables
from hostile.file_format import Damage, Format, put
from hostile.true_files import (
    document_of,
    faults_of_atlas,
    faults_of_chances,
    faults_of_count,
    faults_of_equilibrium,
    faults_of_tree,
)

import seabattle as sb


def _json_damages(*names: str) -> Callable[[Path, random.Random], Iterator[Damage]]:
    def damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
        for name in names:
            for how, text in damaged_documents(json.loads((folder / name).read_text()), chance):
                yield f"{name}: {how}", put(name, text)

    return damages


def _table_damages(*names: str) -> Callable[[Path, random.Random], Iterator[Damage]]:
    def damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
        for name in names:
            for how, text in damaged_tables((folder / name).read_text(), chance):
                yield f"{name}: {how}", put(name, text)

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
        chosen=12,
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


def _and_sealed(damage: Callable[[Path], object]) -> Callable[[Path], object]:
    """A damage whose checksums are made right again."""
    return lambda folder: (damage(folder), _seal(folder))


def _strategy_damages(folder: Path, chance: random.Random) -> Iterator[Damage]:
    manifest = folder / "strategy" / "manifest.json"
    for how, text in damaged_documents(json.loads(manifest.read_text()), chance):
        damage = put("strategy/manifest.json", text)
        if not how.startswith("files"):
            yield f"manifest: {how}, sealed", _and_sealed(damage)
        yield f"manifest: {how}", damage
    for array in sorted((folder / "strategy").glob("*.npy")):
        name = f"strategy/{array.name}"
        for how, content in damaged_arrays(np.load(array), chance):
            damage = put(name, content)
            yield f"{array.name}: {how}, sealed", _and_sealed(damage)
            if how.startswith("one more"):
                yield f"{array.name}: {how}", damage
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
        chosen=40 if complete else 12,
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
    yield from _json_damages("mixes/equilibrium.json")(folder, chance)
    yield from _table_damages("mixes/hiding-weights.csv")(folder, chance)
    for name in ("mixes/equilibrium.json", "mixes/hiding-weights.csv"):
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
            yield f"line {number + 1}: {how}", put(name, "\n".join(told) + "\n")
    yield "doubled", put(name, "\n".join([*lines, lines[3]]) + "\n")


def _atlas(name: str, make: Callable[[Path], object], damages: object) -> Format:
    return Format(
        name,
        make,
        damages,  # type: ignore[arg-type]
        lambda folder: ["atlas", "--boards", "3x3", "--out", str(folder / "atlas"), "--json"],
        lambda folder, told: faults_of_atlas(folder / "atlas" / "table.json"),
        chosen=4,  # each solves the table again
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
        chosen=25,
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
