"""Examples on the pages people read: commands with what they print, and Python with comments.

A ``console`` block holds commands after ``$ ``, each followed by its output; times may differ. A
``python`` block says what it prints in comments ``# prints ...``; later blocks of a page go on
from earlier ones. A block after the line ``<!-- not run: REASON -->`` is left alone. A block with
a title (```` ```python title="mine.py" ````) is a file that the examples find in their folder.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

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


def lines(printed: str) -> list[str]:
    """Lines of an output, times and trailing blanks apart."""
    return [line.rstrip() for line in TIME.sub("? s", printed.strip("\n")).splitlines()]


def run_command(command: str, folder: Path) -> tuple[int, str, list[str]]:
    """Run a command in a folder: its exit status, standard error, and the lines it prints."""
    program, *arguments = shlex.split(command)
    assert program == "seabattle"
    done = subprocess.run(
        [sys.executable, "-m", "seabattle", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr, lines(done.stdout)


def check_python(text: str, folder: Path) -> int:
    """Run the Python blocks of a page as one program; return how many there are.

    Each block must print what its comments say; one without such comments may print anything.
    """
    write_files(text, folder)
    code = blocks(text, "python")
    mark = "---- next block ----"
    program = f"\nprint({mark!r})\n".join(code)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    printed = done.stdout.split(mark) if code else []
    for block, output in zip(code, printed, strict=True):
        said = re.findall(r"^ *# prints (.*)$", block, flags=re.MULTILINE)
        if said:
            assert lines("\n".join(said)) == lines(output), block
    return len(code)
