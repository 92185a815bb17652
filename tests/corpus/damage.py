"""Damage to files, drawn by a seed: to every field of a JSON document, and to arrays.

A document is damaged field by field: fields of the same name in a list (the layouts of the leaves
of a tree, say) count as one field, and each way to damage it is done to one of them. Where a
checksum covers what was damaged, whoever uses this makes it right again.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Path = tuple[Any, ...]
"""How to get to a value of a document: names of fields and numbers of elements."""


class Raw(str):
    """Text that is written as it stands, JSON or not."""


class Pairs(list[tuple[str, Any]]):
    """An object whose fields may occur twice."""


LITERALS = [
    None, True, False, -1, 0, 1, 2, 1.5, 1 << 70, "", "x", "x" * 5000, [], {}, [[]], [None],
    Raw("NaN"), Raw("-Infinity"), Raw("1e9999999999"), Raw("1e400"), Raw("-0.0"), Raw("9" * 5000),
    Raw("[" * 3000 + "]" * 3000), "1e9999999999", "1/0", "-1/2", "\0", "\u202e\n", Raw('"\\ud800"'),
]  # fmt: skip
"""What a value is replaced by, whatever it was."""


def written(value: Any) -> str:
    """The text of a document."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ", ".join(f"{json.dumps(name)}: {written(v)}" for name, v in value) + "}"
    if isinstance(value, dict):
        return written(Pairs(value.items()))
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def paths(value: Any, before: Path = ()) -> Iterator[Path]:
    """Every value within a document."""
    if before:
        yield before
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in inner:
            yield from paths(each, (*before, name))


def damaged_documents(document: Any, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Descriptions and texts of the document, each with one damage."""
    fields: dict[Path, list[Path]] = {}
    for path in paths(document):
        named = tuple(p if isinstance(p, str) and not p[:1].isupper() else "*" for p in path)
        fields.setdefault(named, []).append(path)
    for named, places in fields.items():
        told = ".".join(map(str, named))
        for how, change in changes(_at(document, places[0])):
            yield f"{told} {how}", written(_changed(document, chance.choice(places), change))
        for how in ("nudged", "exchanged", "nudged again", "exchanged again"):
            place = chance.choice(places)
            value = _nudged(_at(document, place), chance)
            if how.startswith("exchanged"):
                value = _at(document, chance.choice(places))
            yield f"{told} {how}", written(_changed(document, place, value))
    for name in ("format", "unknown", "total_misses"):
        if isinstance(document, dict):
            yield f"{name} added", written(Pairs([*document.items(), (name, 7)]))
    text = written(document)
    for how, broken in (
        ("empty", ""), ("cut short", text[: len(text) // 2]), ("text", "Dear diary\n"),
        ("a list", f"[{text}]"), ("twice", text + text), ("with a mark", "\ufeff" + text),
        ("number", "1e9999999999"), ("deep", "[" * 100_000), ("null", "null"),
    ):  # fmt: skip
        yield how, broken


_DROPPED, _DOUBLED = object(), object()


def changes(value: Any) -> Iterator[tuple[str, Any]]:
    """Ways to damage a value, whatever field it is in."""
    yield "dropped", _DROPPED
    yield "doubled", _DOUBLED
    for literal in LITERALS:
        if not (type(literal) is type(value) and literal == value):
            yield f"= {str(literal)[:20]!r}", literal


def _at(document: Any, path: Path) -> Any:
    for name in path:
        document = document[name]
    return document


def _changed(document: Any, path: Path, value: Any) -> Any:
    """A copy of a document with another value at a place."""
    name, *rest = path
    pairs = list(document.items() if isinstance(document, dict) else enumerate(document))
    at = next(i for i, (key, _) in enumerate(pairs) if key == name)
    if rest:
        pairs[at] = (name, _changed(document[name], tuple(rest), value))
    elif value is _DROPPED:
        del pairs[at]
    elif value is _DOUBLED:
        other = document[name]
        pairs.insert(at, (name, other + 1 if type(other) is int else other))
    else:
        pairs[at] = (name, value)
    return Pairs(pairs) if isinstance(document, dict) else [each for _, each in pairs]


def _nudged(value: Any, chance: random.Random) -> Any:
    """Another value of the same kind, near the right one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-2, -1, 1, 2, 1000])
    if isinstance(value, float):
        return value + chance.choice([-1e-9, 1e-9, 0.5])
    if isinstance(value, str):
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            swaps = {"A": "B", "1": "2", "hit": "miss", "miss": "hit", "n": "m", "e": "f"}
            for old, new in chance.sample(sorted(swaps.items()), len(swaps)):
                if old in value:
                    return value.replace(old, new, 1)
            return value + "x"
        return str(number + chance.choice([Fraction(1), Fraction(-1, 7), Fraction(1, 10**9)]))
    if isinstance(value, list) and len(value) > 1:
        return chance.sample(value, len(value) - 1)
    if isinstance(value, dict) and len(value) > 1:
        keys = list(value)
        values = [value[key] for key in chance.sample(keys, len(keys))]
        return dict(zip(keys, values, strict=True))
    return [value]


def damaged_arrays(array: NDArray[Any], chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Descriptions and files of an array, each with one damage."""

    def told(changed: NDArray[Any]) -> bytes:
        stream = io.BytesIO()
        np.save(stream, changed, allow_pickle=changed.dtype == object)
        return stream.getvalue()

    kind, largest = array.dtype.type, int(np.iinfo(array.dtype).max)
    for how in ("one more", "one less", "largest", "zero", "swapped", "one more", "one less"):
        changed = array.copy()
        at = tuple(chance.randrange(size) for size in array.shape)
        other = tuple(chance.randrange(size) for size in array.shape)
        there = int(array[at])
        to = {"largest": largest, "zero": 0, "swapped": int(array[other])}.get(
            how, (there + (1 if how == "one more" else -1)) % (largest + 1)
        )
        changed[at] = kind(to)
        if how == "swapped":
            changed[other] = kind(there)
        yield f"{how} at {at}", told(changed)
    yield "all zero", told(np.zeros_like(array))
    yield "all one", told(np.ones_like(array))
    yield "all the largest", told(np.full_like(array, largest))
    yield "reversed", told(np.ascontiguousarray(array[::-1]))
    for kind in ("u1", "<u2", "<u4", "<u8", ">u8", "<i8", "<f8", "U3", "?", "c16", "O"):
        yield f"of type {kind}", told(array.astype(kind))
    yield "in another order", told(np.asfortranarray(array.reshape(*array.shape, 1)))
    yield "a number", told(np.array(3, dtype=array.dtype))
    yield "empty", told(array[:0])
    yield "longer", told(np.concatenate([array, array]))
    yield "one less long", told(array[1:])
    whole = told(array)
    shape = str(array.shape).encode()
    for other in (b"(9" + b"9" * 17 + b",)", b"(-1,)", b"(1, 0, 99999999999)", b"(True,)", b"()"):
        yield f"of shape {other.decode()}", whole.replace(shape, other)
    yield "cut short", whole[:-1]
    yield "no array", b"Dear diary\n"
    yield "nothing", b""
    yield "of an unknown version", b"\x93NUMPY\x09\x00" + whole[8:]
    yield "with a long head", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + whole[10:]
