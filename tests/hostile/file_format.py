"""What the sweep of damaged files knows of a file format."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

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
    chosen
        How many damages are tried unless all are; fewer where a check takes long.
    """

    name: str
    make: Callable[[Path], object]
    damages: Callable[[Path, random.Random], Iterator[Damage]]
    check: Callable[[Path], list[str]]
    faults: Callable[[Path, str], list[str]]
    readers: Callable[[Path], list[list[str]]] = field(default=lambda folder: [])
    chosen: int = 40


def put(name: str, text: str | bytes) -> Callable[[Path], object]:
    """A damage that replaces a file."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    return lambda folder: (folder / name).write_bytes(text)
