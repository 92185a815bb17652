"""Files and folders that are being made beside the place they will take.

They have hidden names, and are locked while they are made. One that nobody holds was left by a
program that was killed, and is removed by the next one that writes to the same place. What was
moved out of the way, into a folder beside its place, goes back first if its place is empty.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

LEFT_BEHIND = ".seabattle-new"
"""Ending of the name of what is being made beside its place."""


@contextmanager
def file_beside(place: Path) -> Iterator[tuple[BinaryIO, str]]:
    """A new, locked file beside a place, and its name; removed unless it was renamed."""
    while True:
        handle, temporary = tempfile.mkstemp(LEFT_BEHIND, _prefix(place), place.parent)
        if lock(handle) is not False and _is_there(handle, temporary):
            break
        os.close(handle)  # swept by another program before it was locked
    try:
        with os.fdopen(handle, "wb") as stream:
            os.chmod(temporary, 0o666 & ~_mask())
            yield stream, temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


@contextmanager
def folder_beside(place: Path) -> Iterator[Path]:
    """A new, locked folder beside a place; what has its name in the end is removed."""
    while True:
        temporary = tempfile.mkdtemp(LEFT_BEHIND, _prefix(place), place.parent)
        try:
            handle = os.open(temporary, os.O_RDONLY)
        except FileNotFoundError:  # swept by another program before it was locked
            continue
        except OSError:  # not every system can open a folder
            handle = -1
            break
        if lock(handle) is not False and _is_there(handle, temporary):
            break
        os.close(handle)
    try:
        os.chmod(temporary, 0o777 & ~_mask())
        yield Path(temporary)
    finally:
        _discard(Path(temporary), place)
        if handle >= 0:
            os.close(handle)


def sweep(place: Path) -> None:
    """Remove what programs that were killed left beside a place."""
    with suppress(OSError):
        for each in place.parent.iterdir():
            if each.name.startswith(_prefix(place)) and each.name.endswith(LEFT_BEHIND):
                with suppress(OSError):
                    _sweep_one(each, place)


def _sweep_one(left: Path, place: Path) -> None:
    handle = os.open(left, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        if not lock(handle):
            return
        if left.is_dir():
            _discard(left, place)
        else:
            left.unlink()
    finally:
        os.close(handle)


def _discard(folder: Path, place: Path) -> None:
    """Remove a folder; what was moved out of the way into it goes back if its place is empty."""
    old = folder / place.name
    if old.is_dir() and not os.path.lexists(place):
        with suppress(OSError):
            old.rename(place)
            _discard(folder, place)
        return
    shutil.rmtree(folder, ignore_errors=True)


def lock(handle: int) -> bool | None:
    """Lock an open file or folder.

    Returns
    -------
    bool or None
        False if somebody else has locked it; None if this system or its disk cannot lock.
    """
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _is_there(handle: int, name: str) -> bool:
    """Whether an open file or folder still has its name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(name))
    except FileNotFoundError:
        return False


def _prefix(place: Path) -> str:
    return f".{place.name[:100]}."


def _mask() -> int:
    """Permissions that new files shall not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
