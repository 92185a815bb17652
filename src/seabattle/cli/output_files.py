"""The folder that a command writes its results to, and what made them."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from seabattle.enumerate.errors import FileAccessError


def prepare_folder(folder: Path) -> None:
    """Make the output folder, or say at once that it cannot be written.

    Raises
    ------
    FileAccessError
        If the folder cannot be made or written.
    """
    probe = folder / ".seabattle-probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise FileAccessError(
            f"cannot write the output folder {folder}: {error.strerror or error}"
        ) from None


@contextmanager
def output_folder(folder: Path | None) -> Iterator[None]:
    """Make the output folder of the work to come; nothing is left of it if that fails.

    Parameters
    ----------
    folder
        None where no files are asked for.

    Raises
    ------
    FileAccessError
        If the folder cannot be made or written.
    """
    if folder is None:
        yield
        return
    new = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        prepare_folder(folder)
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):  # it holds something
                path.rmdir()
        raise


def made_by(seed: int | None = None) -> dict[str, object]:
    """Command, version and seed, to be kept beside results."""
    command = shlex.join(["seabattle", *sys.argv[1:]])
    return {"command": command, "version": version("seabattle"), "seed": seed}
