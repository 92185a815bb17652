"""Linear programs, in fractions or in whole numbers, as HiGHS solves them.

HiGHS hears nothing while it works. So it works in a thread of its own for a limited time, and
whoever waits for it looks around meanwhile: at Ctrl-C, at a limit of time, at a progress line. What
is left then goes on alone to its own limit, and ends with the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy.optimize import linprog, milp

from seabattle.solver.search.threads import WorkThread

SECONDS = 20.0
"""For which a program is worked on at most."""

SECONDS_BETWEEN = 0.1
"""Between two looks around."""

Look = Callable[[], object]
"""Called now and then; what it raises ends the work."""


def solved(costs: Any, look: Look, *, whole: bool = False, **program: Any) -> Any:
    """The numbers of least cost, as scipy tells them; their ``x`` is None where none are found.

    Parameters
    ----------
    costs
        Of each number.
    look
        Called a few times a second.
    whole
        Whether they are whole numbers.
    program
        As of ``milp`` where they are, else of ``linprog``.

    Examples
    --------
    >>> solved([-1, -1], lambda: None, A_ub=[[2, 1], [1, 2]], b_ub=[3, 3], bounds=(0, None)).fun
    -2.0
    """
    limit = {"time_limit": SECONDS}
    if whole:
        return beside(lambda: milp(costs, options=limit, **program), look)
    return beside(lambda: linprog(costs, method="highs-ds", options=limit, **program), look)


def beside(work: Callable[[], Any], look: Look) -> Any:
    """Do work that hears nothing in a thread, and look around until it is done.

    Raises
    ------
    BaseException
        What ``look`` raises; the work goes on alone then. Or what the work raised.
    """
    found: list[Any] = []
    failed: list[BaseException] = []

    def do() -> None:
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)

    thread = WorkThread(target=do, name="program", daemon=True)
    thread.start()
    thread.join(SECONDS_BETWEEN)
    while thread.is_alive():
        look()
        thread.join(SECONDS_BETWEEN)
    if failed:
        raise failed[0]
    return found[0]
