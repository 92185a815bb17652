"""Every command that writes, with an old and a new result in the same place."""

from __future__ import annotations

import io
import os
import random
import shlex
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from hostile import forked
from hostile.disk_faults import Steps

from seabattle.cli.commands import commands
from seabattle.enumerate.files import LEFT_BEHIND

HIT = "--board 3x3 --fleet 3,1,1"
SUNK = f"{HIT} --answers sunk"
OTHER = "--board 3x3 --fleet 2,1"

State = dict[str, bytes]
"""Files by their names in a folder, with what is in them."""


@dataclass(frozen=True)
class Writer:
    """A command that writes: what made the old result, and what makes the new one.

    ``place`` is the file or folder that is written. A journal is a file in it that grows line by
    line, and is gone in the end. A heavy one takes a second. What is ``typed``, for the old and for
    the new result, goes to standard input.
    """

    command: str
    option: str
    old: str
    new: str
    place: str
    kind: str
    typed: tuple[str, str] = ("", "")
    journal: str = ""
    whole_folder: bool = False
    heavy: bool = False

    @property
    def name(self) -> str:
        """Short, for the names of tests and tables."""
        return f"{self.command} {self.option}, {self.kind}".replace(" --", " ")

    def run(self, folder: Path, arguments: str = "", **how: Any) -> forked.Ended:
        """Run the command that makes the new result, or another one, in a child."""
        return self.start(folder, arguments, **how).ended()

    def start(self, folder: Path, arguments: str = "", **how: Any) -> forked.Child:
        """Start it."""
        words = shlex.split(arguments or self.new)
        return forked.Child(words, folder, typed=self.typed[words != shlex.split(self.old)], **how)


def _file(
    command: str, option: str, old: str, new: str, place: str, kind: str, *, heavy: bool = False
) -> Writer:
    words = [f"{command} {each} {option} {place}" for each in (old, new)]
    return Writer(command, option, *words, place, kind, heavy=heavy)


WRITERS = [
    _file("solve", "--tree", HIT, SUNK, "t.json", "tree"),
    _file("solve", "--checkpoint", HIT, HIT, "c.npz", "checkpoint"),
    _file("greedy", "--tree", f"{HIT} --rule half", f"{SUNK} --rule hits", "t.json", "tree"),
    _file("render", "-o", "in/old.json", "in/new.json", "t.svg", "SVG"),
    _file("render", "-o", "in/old.json", "in/new.json", "t.dot", "DOT"),
    _file("render", "-o", "in/old.json", "in/new.json", "t.txt", "text"),
    _file("explore", "-o", "in/old.json", "in/new.json in/old.json", "t.html", "page"),
    _file("count", "--map", HIT, OTHER, "m.svg", "SVG"),
    _file("count", "--map", HIT, OTHER, "m.png", "PNG"),
    _file("hide", "-o", f"{HIT} --seed 1", f"{OTHER} --seed 2", "h.svg", "SVG"),
    _file("prior fit", "-o", f"{HIT} --layouts in/seen.txt",
          f"{HIT} --layouts in/more.txt", "p.json", "prior"),
    _file("prior fit", "-o", f"{HIT} --layouts in/seen.txt",
          f"{HIT} --layouts in/more.txt", "p.csv", "table"),
    _file("compare", "--out", f"{OTHER} --answers hit", f"{HIT} --answers hit",
          "cmp", "folder", heavy=True),
    _file("layouts", "--out", f"{OTHER} --games 20", f"{HIT} --games 30",
          "lay", "folder", heavy=True),
    _file("equilibrium", "--out", OTHER, HIT, "eq", "folder", heavy=True),
    Writer("tournament", "--out",
           f"tournament {OTHER} --games 5 --players random --workers 1 --out tour",
           f"tournament {HIT} --games 9 --players random,exact --workers 1 --out tour --resume",
           "tour", "folder", journal="journal.jsonl", heavy=True),
    Writer("strategy build", "-o", f"strategy build {OTHER} -o st", f"strategy build {HIT} -o st",
           "st", "folder", whole_folder=True),
    Writer("atlas", "--out", "atlas --boards 3x3 --row-limit 50 --out at",
           "atlas --boards 3x3 --row-limit 60 --out at", "at", "folder", journal="rows.jsonl",
           heavy=True),
    Writer("advise", "--autosave", f"advise {HIT} --autosave g.json",
           "advise --position g.json --autosave g.json", "g.json", "position",
           typed=("b2 miss\na1 hit\nquit\n", "c1 hit\nquit\n")),
]  # fmt: skip


def leaves(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by its words."""
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from leaves(command, f"{name} ")
        else:
            yield before + name, command


def writing_options() -> set[tuple[str, str]]:
    """Every command with each of its options that names what it writes."""
    return {
        (words, option.opts[0])
        for words, command in leaves(commands)
        for option in command.params
        if getattr(option.type, "writes", False) or "save" in str(option.name)
    }


def prepare(inputs: Path) -> None:
    """Write the files that the commands read."""
    inputs.mkdir()
    (inputs / "seen.txt").write_text("A1:A3 C1 C3\nA1:C1 A3 C3\n")
    (inputs / "more.txt").write_text("A1:A3 C1 C3\nA1:C1 A3 C3\nA3:C3 A1 C1\n")
    for name, game in (("old", HIT), ("new", SUNK)):
        # In this process: kernels may have to be compiled.
        forked.run_here(shlex.split(f"solve {game} --tree in/{name}.json"), inputs.parent)


def fresh(folder: Path, inputs: Path, state: State) -> Path:
    """A folder anew, with the inputs and some files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "in").symlink_to(inputs)
    for name, content in state.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def state_of(folder: Path) -> State:
    """The files of a folder, without the inputs."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.is_symlink() and "in" not in file.relative_to(folder).parts
    }


def is_left_over(name: str) -> bool:
    """Whether a file is one that was being written beside its place, or lies in such a folder."""
    return any(part.endswith(LEFT_BEHIND) for part in Path(name).parts)


def content(name: str, found: bytes | None) -> Any:
    """What is in a file; archives keep the time at which they were written."""
    if found is None or not name.endswith(".npz"):
        return found
    with np.load(io.BytesIO(found)) as archive:
        return {each: archive[each].tolist() for each in archive.files}


def half_of(found: bytes) -> bytes:
    """A checkpoint of a search that was stopped: some of its entries."""
    import hashlib
    import json

    with np.load(io.BytesIO(found)) as archive:
        head, entries = json.loads(str(archive["head"])), archive["entries"]
    entries = entries[: len(entries) // 2]
    head["entries"] = hashlib.sha256(np.ascontiguousarray(entries).tobytes()).hexdigest()
    stream = io.BytesIO()
    np.savez(stream, head=np.array(json.dumps(head)), entries=entries)
    return stream.getvalue()


def few_of(writer: Writer, steps: int) -> list[int]:
    """Some of the steps of a writer, chosen evenly, the last one always."""
    many = 1 if writer.heavy else 3
    chance = random.Random(zlib.crc32(writer.name.encode()))
    first = [int(steps * (place + chance.random()) / many) for place in range(many)]
    return sorted({*first, steps - 1})


def counted(what: str, writer: Writer, tries: list[int], wrong: list[str]) -> None:
    """Add the counts to the file that ``SEABATTLE_HOSTILE_COUNTS`` names."""
    if log := os.environ.get("SEABATTLE_HOSTILE_COUNTS"):
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{what}, {writer.name}\t{'+'.join(map(str, tries))}\t{len(wrong)}\n")
            stream.writelines(f"\t{each}\n" for each in wrong)


class Prepared:
    """A writer with what it makes: the states before and after, and the steps between them."""

    def __init__(self, writer: Writer, folder: Path, inputs: Path) -> None:
        self.writer, self.folder, self.inputs = writer, folder, inputs
        fresh(folder, inputs, {})
        for arguments, typed in zip((writer.old, writer.new), writer.typed, strict=True):
            forked.run_here(shlex.split(arguments), folder, typed)
        fresh(folder, inputs, {})
        made = writer.run(folder, writer.old)
        assert made.went_well, made
        self.old = state_of(folder)
        if writer.kind == "checkpoint":
            self.old = {name: half_of(found) for name, found in self.old.items()}
        self.seconds = float("inf")
        for _ in range(2):  # a machine that is busy with other things may take long once
            child = writer.start(self.begin())
            found = child.ended()
            assert found.went_well, found
            self.seconds = min(self.seconds, child.seconds)
        self.new = state_of(folder)
        self.steps, self.bytes = self._measured()

    def _measured(self) -> tuple[int, int]:
        """Steps of the writing, and bytes written."""
        log = self.folder.with_name(f"{self.folder.name} steps")

        def before() -> None:
            handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            steps = Steps(lambda steps, _: write(steps))

            def write(steps: Steps) -> None:
                os.pwrite(handle, f"{len(steps.taken)} {steps.written}".encode(), 0)

            steps.install()

        found = self.writer.run(self.begin(), before=before)
        assert found.went_well, found
        steps, written = map(int, log.read_text().split())
        return steps, max(written, 1)

    def begin(self) -> Path:
        """The folder with the old result."""
        return fresh(self.folder, self.inputs, self.old)

    def faults_of_files(self, *, leftovers: bool) -> list[str]:
        """What is wrong with the files: each must be the old one or the new one."""
        found = state_of(self.folder)
        faults = []
        sides = {"old": 0, "new": 0}
        for name in self.old | self.new | found:
            if is_left_over(name):
                if not leftovers:
                    faults.append(f"{name} is left over")
                continue
            if self.writer.journal and name.endswith(self.writer.journal):
                continue
            now = content(name, found.get(name))
            is_old, is_new = (
                now == content(name, state.get(name)) for state in (self.old, self.new)
            )
            if not (is_old or is_new):
                faults.append(f"{name} is neither the old file nor the new one")
            sides["old"] += is_old and not is_new
            sides["new"] += is_new and not is_old
        if self.writer.whole_folder and all(sides.values()):
            faults.append(f"{sides['old']} old files beside {sides['new']} new ones")
        return faults

    def faults_of_next_run(self) -> list[str]:
        """What is wrong after the same command has run again, with nothing in its way."""
        again = self.writer.run(self.folder)
        if not again.went_well:
            return [f"the next run: status {again.status}, {again.told!r}"]
        found = state_of(self.folder)
        faults = [f"{name} is left over after the next run" for name in found.keys() - self.new]
        return faults + [
            f"{name} is not the new file after the next run"
            for name in self.new
            if content(name, found.get(name)) != content(name, self.new[name])
        ]
