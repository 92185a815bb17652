"""The folder that a command writes its results to, and what made them."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from seabattle.enumerate.errors import FileAccessError
from seabattle.enumerate.files import lock


@contextmanager
def output_folder(folder: Path | None, *, shared: bool = False) -> Iterator[None]:
    """Make the output folder of the work to come; nothing is left of it if that fails.

    Parameters
    ----------
    folder
        None where no files are asked for.
    shared
        Whether other programs may write to the folder meanwhile: one file is written. Otherwise
        the results are several files that belong together.

    Raises
    ------
    FileAccessError
        If the folder cannot be made or written, or another program is writing its results there.
    """
    if folder is None:
        yield
        return
    new = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        with _prepared(folder, shared):
            yield
    except BaseException:
        for path in new:
            with suppress(OSError):  # it holds something
                path.rmdir()
        raise


@contextmanager
def _prepared(folder: Path, shared: bool) -> Iterator[None]:
    """The folder, made, found writable, and held if it is not shared."""
    held = -1
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise FileAccessError(
                f"cannot write the output folder {folder}: {error.strerror or error}"
            ) from None
        if not shared:
            with suppress(OSError):  # not every system can open a folder
                held = os.open(folder, os.O_RDONLY)
        if held >= 0 and lock(held) is False:
            raise FileAccessError(
                f"cannot write the output folder {folder}: another program is writing its results "
                f"there"
            )
        yield
    finally:
        if held >= 0:
            os.close(held)


def made_by(seed: int | None = None, *, without: str = "") -> dict[str, object]:
    """Command, version and seed, to be kept beside results.

    ``without`` is an option that changes nothing about them.
    """
    command = shlex.join(["seabattle", *(word for word in sys.argv[1:] if word != without)])
    return {"command": command, "version": version("seabattle"), "seed": seed}
