"""Damaged and false files: each is read as what is true, or refused in one line.

``corpus.make`` has made the trees and the positions once. What is accepted is judged by the naive
twin from the document itself. Checkpoints are damaged here, since they hold the table of the
search that reads them; a file that once ended the process is kept.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus.damage import damaged_arrays, damaged_documents
from corpus.make import JOURNAL
from twins import naive

from seabattle import (
    CheckpointError,
    Counter,
    Rules,
    SeabattleError,
    load_position,
    load_tree,
    solve,
    tournament,
    verify,
)

FOLDER = Path(__file__).parent
CHECKPOINTS = 25
"""Damaged checkpoints: each is a solve."""


def cases(name: str) -> list[list[str]]:
    """What was done, and the text."""
    found: list[list[str]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert len(found) > 200
    return found


def check_line(error: SeabattleError, done: str) -> None:
    """An error is told in one line of a reasonable length."""
    line = str(error)
    assert 0 < len(line) < 1500, done
    assert len(line.splitlines()) == 1, done


def game_of(document: dict[str, Any]) -> tuple[list[naive.Layout], tuple[str, str, str], int]:
    """Layouts of the game of a document, how shots are answered, and columns, by the twin."""
    rows, columns = map(int, document["board"].lower().split("x"))
    fleet = list(map(int, document["fleet"].split(",")))
    found = naive.layouts(rows, columns, fleet, document["contact"])
    return list(found), (document["answers"], document["announce"], document["contact"]), columns


def number(cell: str, columns: int) -> int:
    """Number of a cell given by name."""
    return (int(cell[1:]) - 1) * columns + "ABCDEFGH".index(cell[0].upper())


def ship(name: str, columns: int) -> frozenset[int]:
    """Cells of a ship given by its ends."""
    first, _, last = name.partition(":")
    one, other = number(first, columns), number(last or first, columns)
    step = 1 if one // columns == other // columns else columns
    return frozenset(range(one, other + 1, step))


def misses_of(document: dict[str, Any]) -> list[int]:
    """Misses of every layout that fits, played through the nodes by the twin."""
    layouts, spoken, columns = game_of(document)
    before = [(number(cell, columns), told) for cell, told in document.get("position", [])]
    found = []
    for layout in naive.fitting(layouts, before, *spoken):
        node, shots, missed = document["nodes"][0], [cell for cell, _ in before], 0
        while "shot" in node:
            cell = number(node["shot"], columns)
            told = naive.answer(layout, shots, cell, *spoken)
            missed += told == "miss"
            shots.append(cell)
            node = document["nodes"][node["next"][told]]
        named = [frozenset(ship(name, columns) for name in names) for names in node["layouts"]]
        assert layout in named
        found.append(missed)
    return found


def test_trees(tmp_path: Path) -> None:
    """The totals of what is accepted are those of play."""
    path, accepted = tmp_path / "tree.json", 0
    for done, text in cases("trees"):
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            tree = load_tree(path)
            checked = verify(tree)
        except SeabattleError as error:
            check_line(error, done)
            continue
        if not checked.valid:
            assert checked.problems, done
            continue
        accepted += 1
        played = misses_of(json.loads(text.removeprefix("\ufeff")))
        assert checked.layouts == len(played), done
        assert max(played) == checked.worst_misses == tree.worst_misses, done
        if not len(tree.weights):
            assert sum(played) == checked.total_misses == tree.total_misses, done
    assert accepted >= 2


def test_positions(tmp_path: Path) -> None:
    """As many layouts fit as the twin says."""
    path, accepted = tmp_path / "game.json", 0
    for done, text in cases("positions"):
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            position = load_position(path)
            counted = Counter(position).count()
        except SeabattleError as error:
            check_line(error, done)
            continue
        document = json.loads(text.removeprefix("\ufeff"))
        if "shots" not in document or not position.ordered:
            continue
        accepted += 1
        layouts, spoken, columns = game_of({**document, **told_of(position.rules)})
        shots = [(number(cell, columns), told) for cell, told in document["shots"]]
        assert counted == len(naive.fitting(layouts, shots, *spoken)), done
    assert accepted >= 2


def test_journals(tmp_path: Path) -> None:
    """What is accepted are numbers of shots that games can take; what is not names file and line.

    The first line is damaged here, since it says the version.
    """
    path, accepted = tmp_path / "journal", 0
    whole = tournament(JOURNAL, ["random"], games=5, journal=path)
    assert whole.shots is not None
    head, *blocks = path.read_text(encoding="utf-8").splitlines()
    texts = [(how, text + "\n" + "\n".join(blocks)) for how, text in damaged_heads(head)]
    texts += [(how, f"{head}\n{text}") for how, text in cases("journals")]
    for done, text in texts:
        path.write_bytes(f"{text}\n".encode("utf-8", "surrogatepass"))
        try:
            found = tournament(JOURNAL, ["random"], games=5, journal=path, resume=True)
        except SeabattleError as error:
            check_line(error, done)
            assert_names(error, f"{path}, line 2: " if text.startswith(head) else str(path))
            continue
        accepted += 1
        assert found.shots is not None
        assert found.shots.min() >= 3, done
        assert found.shots.max() <= 9, done
        if not text.startswith(f"{head}\n"):  # what is accepted there says the same
            assert np.array_equal(found.shots, whole.shots), done
    assert accepted >= 2


def assert_names(error: SeabattleError, place: str) -> None:
    """An error begins with the place that it is about."""
    assert str(error).startswith(place)


def damaged_heads(head: str) -> list[tuple[str, str]]:
    """The first line of a journal, with some of the ways to damage it."""
    chance = random.Random(6)
    found = list(damaged_documents(json.loads(head), chance))
    return [(how, " ".join(text.split("\n"))) for how, text in chance.sample(found, 150)]


def told_of(rules: Rules) -> dict[str, str]:
    """The rules as read, where a document leaves to the program what is usual."""
    return {
        "contact": rules.contact.value,
        "answers": rules.answers.value,
        "announce": rules.announce.value,
    }


def test_checkpoints(tmp_path: Path) -> None:
    """What is accepted changes no optimum; with digests made to fit what is in the file."""
    rules, chance = Rules("4x4", "3,2,1"), random.Random(4)
    whole, path = tmp_path / "whole.npz", tmp_path / "damaged.npz"
    best = solve(rules, threads=1, checkpoint=whole).total_misses
    with np.load(whole) as archive:
        head, entries = json.loads(str(archive["head"])), archive["entries"]
    damages: list[tuple[str, bytes]] = []
    for how, content in chance.sample(list(damaged_arrays(entries, chance)), CHECKPOINTS):
        stream = io.BytesIO()
        try:
            array = np.load(io.BytesIO(content))
        except Exception:  # numpy raises various errors
            continue
        sealed = {**head, "entries": hashlib.sha256(np.ascontiguousarray(array)).hexdigest()}
        np.savez(stream, head=np.array(json.dumps(sealed)), entries=array)
        damages.append((how, stream.getvalue()))
    kept = whole.read_bytes()
    for at in (10, len(kept) // 3, len(kept) // 2, len(kept) - 30):
        damages.append((f"byte {at}", kept[:at] + bytes([kept[at] ^ 255]) + kept[at + 1 :]))
        damages.append((f"cut at {at}", kept[:at]))
    refused = 0
    for how, content in damages:
        path.write_bytes(content)
        try:
            assert solve(rules, threads=1, checkpoint=path).total_misses == best, how
        except CheckpointError as error:
            refused += 1
            check_line(error, how)
    assert refused >= len(damages) // 2


def test_a_checkpoint_that_ended_the_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.npz"
    shutil.copy(FOLDER / "damaged-checkpoint.npz", path)
    with pytest.raises(CheckpointError) as caught:
        solve(Rules("4x4", "3,2,1"), threads=1, checkpoint=path)
    check_line(caught.value, "kept")
