"""The command line: ``seabattle COMMAND``; see ``seabattle --help``.

Exit status: 0 done (also when the answer is an interval), 1 the answer is no or the work failed,
2 bad input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import TYPE_CHECKING, NoReturn

from seabattle.enumerate.memory import addresses_left

if TYPE_CHECKING:
    from seabattle.cli.streams import Streams

_NO_MEMORY = (
    "can't start new thread",
    "Cannot allocate memory",
    "failed to map segment",
    "returned NULL without setting an exception",  # numba, when a kernel gets no memory
)
"""What other errors say that are for lack of memory."""


def main() -> None:
    """Run a command; errors become one line on standard error and an exit status."""
    if addresses_left() < inf:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes more of them
    try:
        # imported here so that Ctrl-C meanwhile is met by this function, too
        from seabattle.cli.streams import Streams

        with Streams() as streams, _quiet_callbacks():
            _run(streams)
    except SystemExit as end:
        from seabattle.solver.search.work_threads import work_goes_on

        if work_goes_on():  # perhaps it compiles, and must not meet a compiler half destroyed
            os._exit(int(end.code or 0))
        raise
    except KeyboardInterrupt:  # while the program was starting or ending
        _leave("stopped by Ctrl-C", 130)
    except Exception as error:
        if not _lacks_memory(error):
            raise
        _leave("out of memory", 1)


@contextmanager
def _quiet_callbacks() -> Iterator[None]:
    """No trace of a Ctrl-C that comes in a callback of Python's own, which cannot pass it on.

    The modules that a command loads call back so; the key is remembered (``ctrl_c_remembered``).
    """
    before = sys.unraisablehook

    def tell(unraisable: sys.UnraisableHookArgs) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            before(unraisable)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


def _run(streams: Streams) -> NoReturn:
    import click

    from seabattle.cli.commands import commands
    from seabattle.cli.progress import ctrl_c_raised, ctrl_c_remembered
    from seabattle.enumerate.compile_notice import tell_of_compilation
    from seabattle.enumerate.errors import SeabattleError, WorkFailed

    if sys.stderr.isatty():
        tell_of_compilation(_say_compiling)
    try:
        with ctrl_c_remembered():
            status = commands.main(standalone_mode=False)
        untold = streams.untold()
        if untold == errno.EPIPE:
            _exit(1)
        if untold is not None:
            _fail(f"cannot write to standard output: {os.strerror(untold)}", 1)
    except WorkFailed as error:
        _fail(str(error), 1)
    except SeabattleError as error:
        _fail(str(error), 2)
    except click.ClickException as error:
        # what click raises, from 8.2 on, when only "seabattle" is typed: its message is the help
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            print(error.format_message(), file=sys.stderr)
            _exit(2)
        where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        hint = f" (see '{where} --help')" if where else ""
        _fail(" ".join(error.format_message().split()) + hint, 2)
    except (click.Abort, KeyboardInterrupt):
        _fail("stopped by Ctrl-C", 130)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "seabattle"):
            raise
        _fail(f"this needs the package {package}, which was removed: pip install {package}", 1)
    except Exception as error:
        if ctrl_c_raised():  # the compiler failed because it had swallowed the interruption
            _fail("stopped by Ctrl-C", 130)
        if not _lacks_memory(error):
            raise
        _fail("out of memory: lower --memory-limit or take a smaller board", 1)
    _exit(status if isinstance(status, int) else 0)


def _lacks_memory(error: BaseException) -> bool:
    """Whether an error, or one that led to it, says that memory could not be had."""
    seen = set()
    before: BaseException | None = error
    while before is not None and id(before) not in seen:
        seen.add(id(before))
        if isinstance(before, MemoryError) or getattr(before, "errno", None) == errno.ENOMEM:
            return True
        if any(words in str(before) for words in _NO_MEMORY):
            return True
        before = before.__cause__ or before.__context__
    return False


def _leave(message: str, status: int) -> NoReturn:
    """End the program where its streams are not set up, or not any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.write(2, f"seabattle: {message}\n".encode())
    os._exit(status)


def _say_compiling(kept: bool) -> None:
    """Report why a command takes longer than it will the next time."""
    until = "kept for the next time" if kept else "each time, as no folder can keep them"
    print(f"compiling kernels, {until}: 5 to 30 s", file=sys.stderr)


def _fail(message: str, status: int) -> NoReturn:
    from seabattle.enumerate.errors import elided

    print(f"seabattle: {elided(message)}", file=sys.stderr)
    _exit(status)


def _exit(status: int) -> NoReturn:
    """End the program; a Ctrl-C that comes while it is ending does not change its exit status."""
    with suppress(ValueError):  # in a thread that is not the first, which hears no signals
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    exec("")  # else Python ends by the signal if the key was pressed while a module ran such code
    sys.exit(status)


if __name__ == "__main__":
    main()
