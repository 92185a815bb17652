"""Damaged files of every format: what they state is true, or they are refused in one line.

Every field of every format is edited, dropped, doubled, given another type, made huge or negative,
and checksums are made right again where there are any. A file that its checker accepts is judged
once more by ``true_files``, which recomputes what is stated by slow code of its own. The commands
that only read the file have to end by themselves, without a traceback.

A seeded choice of the damages is tried; all of them with ``SEABATTLE_HOSTILE=all``.
"""

from __future__ import annotations

import io
import os
import random
import resource
import shutil
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile.alarms import alarm
from hostile.file_format import Format
from hostile.formats import FORMATS
from support.examples import some

Run = Callable[..., tuple[int, str, str]]

SECONDS = 20
MOST_MEMORY = 1 << 30
"""Bytes by which the process may grow over all files of a format."""


def chosen(format_: Format, folder: Path) -> list[tuple[str, Callable[[Path], object]]]:
    """Damages to try."""
    chance = random.Random(zlib.crc32(format_.name.encode()))
    damages = list(format_.damages(folder, chance))
    if os.environ.get("SEABATTLE_HOSTILE") == "all":
        return damages
    return chance.sample(damages, min(format_.chosen, len(damages)))


def ended(run: Run, arguments: list[str]) -> tuple[int, str, str]:
    """Run a command; returns its exit status, its output, and what is wrong with how it ended."""
    try:
        with alarm(SECONDS):
            status, out, told = run(*arguments)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return -1, "", f"{type(error).__name__}: {str(error)[:150]}"
    if status not in (0, 1, 2):
        return status, out, f"exit status {status}"
    if "Traceback" in told:
        return status, out, told.strip().splitlines()[-1][:200]
    if status and not out and len(told.splitlines()) != 1:
        return status, out, f"{len(told.splitlines())} lines: {told[:200]}"
    if len(told) > 1500 or len(out) > 200_000:
        return status, out, f"{len(told)} characters: {told[:200]}"
    return status, out, ""


def wrong_with(run: Run, format_: Format, folder: Path) -> str:
    """What is wrong with how damaged files were met; an empty text if nothing is."""
    for arguments in format_.readers(folder):
        if fault := ended(run, arguments)[2]:
            return f"{arguments[0]}: {fault}"
    status, out, fault = ended(run, format_.check(folder))
    if fault or status:
        return fault
    try:
        faults = format_.faults(folder, out)
    except Exception as error:
        return f"accepted, and another reader cannot read it: {type(error).__name__}: {error}"
    return f"accepted: {'; '.join(faults[:3])}" if faults else ""


@pytest.mark.parametrize("format_", some(FORMATS, 6), ids=lambda f: f.name)
def test_damaged_files_are_true_or_refused(
    run: Run, format_: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    format_.make(whole)
    assert wrong_with(run, format_, _copy(whole, tmp_path / "first")) == ""
    status, _, _ = ended(run, format_.check(_copy(whole, tmp_path / "first")))
    assert status == 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wrong = []
    damages = chosen(format_, whole)
    for told, damage in damages:
        folder = _copy(whole, tmp_path / "damaged")
        damage(folder)
        if fault := wrong_with(run, format_, folder):
            wrong.append(f"{told}: {fault}")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if log := os.environ.get("SEABATTLE_HOSTILE_COUNTS"):
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{format_.name}\t{len(damages)}\t{len(wrong)}\n")
            stream.writelines(f"\t{each}\n" for each in wrong)
    assert not wrong, f"{len(wrong)} of {len(damages)} damages:\n" + "\n".join(wrong)
    assert grown * 1024 < MOST_MEMORY


def _copy(whole: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    return folder
