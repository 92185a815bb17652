"""Checkpoints as the sweep of damaged files needs them: archives of a head and an array."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from hostile.damage import damaged_arrays, damaged_documents
from hostile.file_format import Damage, Format, put

import seabattle as sb

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
        yield f"byte {at}", put("saved.npz", broken)
        yield f"cut at {at}", put("saved.npz", content[:at])


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
