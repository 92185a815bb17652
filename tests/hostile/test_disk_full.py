"""Commands that write while the disk fills up: one line, and no file harmed or left over.

The disk is full from a step of the writing on, or after a random number of bytes (``disk_faults``);
the system refuses longer files (a limit of the child process); and, where this machine lets a small
file system be mounted, that one is full. Each file is then the old one or the new one, nothing that
is half written remains, and the command says in one line that it failed.
"""

from __future__ import annotations

import os
import random
import resource
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile.disk_faults import Steps, disk_full_after, disk_full_at
from hostile.forked import Ended
from hostile.writers import WRITERS, Prepared, Writer, counted, few_of, fresh, state_of
from support.examples import some
from support.small_disks import small_disk

TRIES = 100
PAGE = 4096


def faults(case: Prepared, found: Ended) -> list[str]:
    """What is wrong after a command met a full disk, or just did not."""
    wrong = case.faults_of_files(leftovers=False)
    if found.went_well:
        now = state_of(case.folder)
        return wrong + [f"{n} is not there" for n in case.new if n not in now]
    return wrong if found.refused_in_one_line else [*wrong, f"{found.status}: {found.told!r}"]


def full_at_step(case: Prepared, number: int) -> list[str]:
    """The disk is full from a step on."""
    return faults(
        case, case.writer.run(case.begin(), before=lambda: Steps(disk_full_at(number)).install())
    )


def full_after(case: Prepared, room: int, seed: int) -> list[str]:
    """The disk takes some bytes."""
    fault = disk_full_after(room, random.Random(seed))
    return faults(case, case.writer.run(case.begin(), before=lambda: Steps(fault).install()))


def longest(case: Prepared, size: int) -> list[str]:
    """No file can be longer."""
    limit = resource.RLIMIT_FSIZE

    def before() -> None:
        resource.setrlimit(limit, (size, resource.getrlimit(limit)[1]))

    return faults(case, case.writer.run(case.begin(), before=before))


def assert_survives_full_disks(case: Prepared, steps: list[int], tries: int, limits: int) -> None:
    """Fill the disk at steps, and at random bytes; limit the length of files."""
    chance = random.Random(zlib.crc32(case.writer.name.encode()))
    wrong = [f"full at step {n}: {fault}" for n in steps for fault in full_at_step(case, n)]
    for seed in range(tries):
        room = chance.randrange(case.bytes)
        wrong += [f"full after {room} bytes: {fault}" for fault in full_after(case, room, seed)]
    for _ in range(limits):
        size = chance.randrange(max(map(len, case.new.values())))
        wrong += [f"files of {size} bytes at most: {fault}" for fault in longest(case, size)]
    counted("disk full", case.writer, [len(steps), tries, limits], wrong)
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("writer", some(WRITERS, 4), ids=lambda w: w.name)
def test_full_at_some_bytes(writer: Writer, prepared: Callable[[Writer], Prepared]) -> None:
    case = prepared(writer)
    assert_survives_full_disks(case, few_of(writer, case.steps), 1 if writer.heavy else 3, 1)


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_full_everywhere(writer: Writer, prepared: Callable[[Writer], Prepared]) -> None:
    case = prepared(writer)
    assert_survives_full_disks(case, list(range(case.steps)), TRIES, 20)


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system of one megabyte."""
    with small_disk(tmp_path_factory.mktemp("disk") / "mounted") as mount:
        yield mount("size=1m")


def full_disk(case: Prepared, disk: Path, pages: int) -> list[str]:
    """A file system with so many pages free."""
    here = replace_folder(case, disk / "work")
    fresh(here.folder, case.inputs, case.old)
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    free = os.statvfs(disk)
    filler.write_bytes(bytes((free.f_bavail - pages) * free.f_bsize))
    try:
        return faults(here, case.writer.run(here.folder))
    finally:
        filler.unlink()


def replace_folder(case: Prepared, folder: Path) -> Prepared:
    """The same case in another folder."""
    here = object.__new__(Prepared)
    here.__dict__.update(case.__dict__, folder=folder)
    return here


def assert_survives_small_disks(case: Prepared, disk: Path, tries: int) -> None:
    chance = random.Random(zlib.crc32(case.writer.name.encode()))
    most = 2 + sum(2 + len(content) // PAGE for content in case.new.values())
    wrong = []
    for _ in range(tries):
        pages = chance.randrange(most)
        wrong += [f"{pages} pages free: {fault}" for fault in full_disk(case, disk, pages)]
    counted("small disk", case.writer, [tries], wrong)
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_a_small_disk_that_is_full(
    writer: Writer, prepared: Callable[[Writer], Prepared], disk: Path
) -> None:
    assert_survives_small_disks(prepared(writer), disk, 1)


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_a_small_disk_with_any_room(
    writer: Writer, prepared: Callable[[Writer], Prepared], disk: Path
) -> None:
    assert_survives_small_disks(prepared(writer), disk, 20)
