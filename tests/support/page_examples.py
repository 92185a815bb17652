"""Examples on the pages people read: commands with what they print, and Python with comments.

A ``console`` block holds commands after ``$ ``, each followed by its output; times may differ, and
a line ``...`` stands for whatever follows. Lines that begin with ``seabattle: `` are what a command
that fails says. The commands of an ``sh`` block print what they like. A ``text`` block after the
line ``<!-- session: COMMAND; LINE; ... -->`` is what a session prints after these lines, with what
is typed in it after ``answer> ``. A ``python`` block says what it prints in comments ``# prints
...``; later blocks of a page go on from earlier ones. A block after the line
``<!-- not run: REASON -->`` is left alone. A block with a title (```` ```python title="mine.py"
````) is a file that the examples find in their folder.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import signal
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from seabattle.__main__ import main

TIME = re.compile(r"\d+\.\d+ s\b")
_BLOCK = re.compile(r"(<!-- not run: [^>]+ -->\s*)?^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```', re.DOTALL | re.MULTILINE)


def blocks(text: str, kind: str) -> list[str]:
    """Blocks of one kind that are to be run."""
    return [body for skipped, name, body in _BLOCK.findall(text) if name == kind and not skipped]


def write_files(text: str, folder: Path) -> None:
    """Write the files that a page shows."""
    for name, body in _FILE.findall(text):
        (folder / name).write_text(body, encoding="utf-8")


def commands(text: str) -> list[tuple[str, str]]:
    """Commands with the outputs that the page shows."""
    return [
        (command.strip(), expected.strip("\n"))
        for block in blocks(text, "console")
        for command, expected in re.findall(
            r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE
        )
    ]


def sessions(text: str) -> list[tuple[str, list[str], str]]:
    """Parts of sessions: the command, the lines typed, and what is shown."""
    found = re.findall(
        r"<!-- session: ([^\n]*) -->\n```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    )
    parts = [(told.split("; "), shown) for told, shown in found]
    return [
        (command, [*typed, *re.findall(r"^answer> (.*)$", shown, re.MULTILINE)], shown.strip("\n"))
        for (command, *typed), shown in parts
    ]


def untested(text: str) -> list[str]:
    """Blocks with commands which no test runs and no reason excuses."""
    command = re.compile(r"^(\$ |seabattle |pip |python3? |pytest )", re.MULTILINE)
    kinds = {kind for _, kind, _ in _BLOCK.findall(text)} - {"console", "python", "sh"}
    bodies = [body for kind in kinds for body in blocks(text, kind)]
    shell = [line for body in blocks(text, "sh") for line in body.splitlines()]
    return [body for body in bodies if command.search(body)] + [
        line for line in shell if not line.startswith("seabattle ")
    ]


def assert_command_prints(command: str, expected: str, folder: Path) -> None:
    """Run a command in a folder; it must print what is expected, or fail saying so."""
    status, said, printed = run_command(command, folder)
    shown = lines(expected)
    if shown and shown[0].startswith("seabattle: "):
        assert (status, said.split(), printed) == (2, " ".join(shown).split(), [])
    elif "..." in shown:  # some lines are left out there
        cut = shown.index("...")
        left_out = len(printed) - len(shown) + 1
        assert left_out > 0
        del printed[cut : cut + left_out]
        assert (status, said, printed) == (0, "", shown[:cut] + shown[cut + 1 :])
    else:
        assert (status, said, printed) == (0, "", shown), "\n".join([said, *printed])


def lines(printed: str) -> list[str]:
    """Lines of an output, times and trailing blanks apart."""
    return [line.rstrip() for line in TIME.sub("? s", printed.strip("\n")).splitlines()]


def run_command(command: str, folder: Path) -> tuple[int, str, list[str]]:
    """Run a command in a folder: its exit status, standard error, and the lines it prints.

    It may read what ``echo "..." |`` before it says, or the file after ``<``.
    """
    echoed, _, command = command.rpartition(" | ")
    command, _, source = command.partition(" < ")
    program, *arguments = shlex.split(command)
    assert program == "seabattle"
    given = (folder / source).read_text(encoding="utf-8") if source else None
    if echoed:
        echo, *words = shlex.split(echoed)
        assert echo == "echo"
        given = " ".join(words) + "\n"
    status, printed, said = run_here(arguments, folder, given or "")
    return status, said, lines(printed)


def run_here(arguments: list[str], folder: Path, given: str) -> tuple[int, str, str]:
    """Run a command in this process.

    Returns its exit status, standard output and standard error.
    """
    printed, said = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2))
    hears = signal.getsignal(signal.SIGINT)
    with (
        chdir(folder),
        patch.dict(os.environ),
        patch.object(sys, "argv", ["seabattle", *arguments]),
        patch.object(sys, "path", [str(folder), *sys.path]),
        patch.object(sys, "stdin", io.StringIO(given)),
        redirect_stdout(printed),
        redirect_stderr(said),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    signal.signal(signal.SIGINT, hears)  # which a program that ends no longer hears
    for stream in (printed, said):
        stream.flush()
    return status, *(bytes(s.buffer.getbuffer()).decode() for s in (printed, said))


def check_python(text: str, folder: Path) -> int:
    """Run the Python blocks of a page as one program, in this process; how many there are.

    Each block must print what its comments say; one without such comments may print anything.
    """
    write_files(text, folder)
    code = blocks(text, "python")
    program, whole = ModuleType("__main__"), dict(sys.modules)
    with (
        chdir(folder),
        patch.object(sys, "path", [str(folder), *sys.path]),
        patch.dict(sys.modules, {"__main__": program}),
    ):
        for block in code:
            printed = io.StringIO()
            with redirect_stdout(printed):
                exec(compile(block, "<page>", "exec"), vars(program))
            said = re.findall(r"^ *# prints (.*)$", block, flags=re.MULTILINE)
            if said:
                shown = lines(printed.getvalue())
                assert lines("\n".join(said)) == shown, f"{block}\nprinted:\n{shown}"
        own = {n for n, m in sys.modules.items() if str(folder) in str(getattr(m, "__file__", ""))}
        whole |= {n: m for n, m in sys.modules.items() if n not in {"__main__", *own}}
    sys.modules.update(whole)  # most cannot be loaded twice
    return len(code)
