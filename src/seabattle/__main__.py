"""The command line: ``seabattle COMMAND``; see ``seabattle --help``.

Exit status: 0 done (also when the answer is an interval), 1 the answer is no or the work failed,
2 bad input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from contextlib import suppress
from typing import TextIO

ESCAPED = "backslashreplace"


def main() -> None:
    """Run a command; errors become one line on standard error and an exit status."""
    pressed: list[int] = []

    def interrupt(number: int, frame: object) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            with suppress(ValueError):  # not in the main thread
                signal.signal(signal.SIGINT, interrupt)
        # processes that are started must not import a numpy.py of the folder they are started in
        os.environ.setdefault("PYTHONSAFEPATH", "1")
        # numpy would start threads that no command gains by, for a tenth of a second of work each
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        _open_streams()
        _require_folder()
        from seabattle.cli.commands import commands

        status = commands.main(standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        _ignore_interrupts()  # all that could be kept is kept
        try:
            message, status = refusal(error)
        except BaseException:
            if not pressed:  # an import that is interrupted ends in whatever error
                raise
            message, status = refusal(KeyboardInterrupt())
        if message:
            print(message, file=sys.stderr)
        if isinstance(error, OSError):  # what is left cannot be written when Python ends, either
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _end(status if isinstance(status, int) else 0)


def _ignore_interrupts() -> None:
    """From now on Ctrl-C does nothing."""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _open_streams() -> None:
    """Make the standard streams such that nothing read or said on them is an error."""
    # what is said to a closed stream is lost, and no file takes its place
    sys.stdin = sys.stdin or _nowhere(0)
    sys.stdout = sys.stdout or _nowhere(1)
    sys.stderr = sys.stderr or _nowhere(2)
    # neither names of files nor what is piped in need be text
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, ESCAPED), (sys.stderr, ESCAPED)):
        if hasattr(stream, "reconfigure"):
            with suppress(ValueError):  # read from already
                stream.reconfigure(errors=errors)


def _require_folder() -> None:
    """Refuse to begin in a folder that was deleted, where no name of a file means anything."""
    try:
        os.getcwd()
    except OSError as error:
        from seabattle.enumerate.errors import FileAccessError

        raise FileAccessError(
            f"the folder that this was started in cannot be found ({error.strerror}): change to "
            f"one that is there"
        ) from None


def _nowhere(number: int) -> TextIO:
    """A stream that leads nowhere, under the number of one that was closed."""
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    os.set_inheritable(number, True)
    return os.fdopen(number, "w" if number else "r", encoding="utf-8")


def refusal(error: BaseException) -> tuple[str, int]:
    """What an error comes to: a line for standard error, and the exit status.

    Raises
    ------
    BaseException
        The error itself, if it is none that a command ends with.
    """
    import click

    from seabattle.enumerate.errors import SeabattleError, WorkFailed, elided, why_stopped

    match error:
        case SystemExit():
            return "", error.code if isinstance(error.code, int) else 0
        case KeyboardInterrupt() | click.Abort():
            pressed = error.__cause__ if isinstance(error, click.Abort) else error
            return f"seabattle: {why_stopped(pressed or error)}", 130
        case BrokenPipeError():  # a reader that wanted no more
            return "", 1
        case SeabattleError():
            return f"seabattle: {error}", 1 if isinstance(error, WorkFailed) else 2
        case click.ClickException():
            # what click raises when only "seabattle" is typed: its message is the help
            if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
                return error.format_message(), 2
            told = " ".join(error.format_message().split())
            if isinstance(error, click.UsageError) and error.ctx:
                told += f" (see '{error.ctx.command_path} --help')"
            return f"seabattle: {elided(told)}", 2
        case ModuleNotFoundError() if (error.name or "seabattle").split(".")[0] != "seabattle":
            package = (error.name or "").split(".")[0]
            return f"seabattle: this needs the package {package}: pip install {package}", 1
        case MemoryError():
            return "seabattle: out of memory: lower --memory-limit or take a smaller board", 1
        case OSError() if error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF):
            return f"seabattle: cannot write to standard output: {error.strerror}", 1
    raise error


def _end(status: int) -> None:
    """End the program; not in order while a thread is in the core: its arrays would go."""
    _ignore_interrupts()
    threads = sys.modules.get("seabattle.solver.threads")
    if threads is not None and threads.work_goes_on():
        os._exit(status)
    gc.freeze()  # what goes with the process need not be looked through for garbage
    sys.exit(status)


if __name__ == "__main__":
    main()
