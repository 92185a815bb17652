"""Linear programs, in fractions or in whole numbers, as HiGHS solves them.

HiGHS hears nothing while it works. So it works in a thread for a limited time, and whoever waits
for it looks around meanwhile: at Ctrl-C, at a limit of time, at a progress line. What is worked on
then goes on alone to its own limit, and ends with the program.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from scipy.optimize import linprog, milp

from seabattle.solver.threads import WorkThread

SECONDS = 20.0
"""For which a program is worked on at most."""

SECONDS_BETWEEN = 0.1
"""Between two looks around."""

Look = Callable[[], object]
"""Called now and then; what it raises ends the work."""

Item = TypeVar("Item")
Found = TypeVar("Found")


def optimum(costs: Any, *, whole: bool = False, **program: Any) -> Any:
    """The numbers of least cost, as scipy tells them; their ``x`` is None where none are found.

    Parameters
    ----------
    costs
        Of each number.
    whole
        Whether they are whole numbers.
    program
        As of ``milp`` where they are, else of ``linprog``.

    Examples
    --------
    >>> optimum([-1, -1], A_ub=[[2, 1], [1, 2]], b_ub=[3, 3], bounds=(0, None)).fun
    -2.0
    """
    limit = {"time_limit": SECONDS}
    if whole:
        return milp(costs, options=limit, **program)
    return linprog(costs, method="highs-ds", options=limit, **program)


def solved(costs: Any, look: Look, **program: Any) -> Any:
    """The same, and ``look`` is called a few times a second until it is found."""
    return beside(partial(optimum, **program), [costs], look)[0]


def beside(work: Callable[[Item], Found], items: Iterable[Item], look: Look) -> list[Found]:
    """What work makes of one item after the other, in a thread; who looks around waits for it.

    Parameters
    ----------
    work
        Hears nothing.
    items
        What it is done with, in this order.
    look
        Called a few times a second.

    Raises
    ------
    BaseException
        What ``look`` raises; no other item is begun then. Or what the work raised.

    Examples
    --------
    >>> beside(lambda number: number**2, range(5), lambda: None)
    [0, 1, 4, 9, 16]
    """
    found: list[Found] = []
    failed: list[BaseException] = []
    ended = threading.Event()

    def do() -> None:
        try:
            for item in items:
                if ended.is_set():
                    break
                found.append(work(item))
        except BaseException as error:
            failed.append(error)

    thread = WorkThread(target=do, name="program", daemon=True)
    thread.start()
    try:
        thread.join(SECONDS_BETWEEN)
        while thread.is_alive():
            look()
            thread.join(SECONDS_BETWEEN)
    finally:
        ended.set()
    if failed:
        raise failed[0]
    return found
