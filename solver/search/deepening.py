"""The budgets of a long search, which rise to the optimum step by step.

A budget that is not reached is a lower bound, so that the interval narrows while the search goes
on. Each step begins again at the root: what the table knows is not searched again, but shots that
were refuted by less have to be weighed once more. And what a step that is stopped has done is lost
for the bound. So each is to take a fifth to half of all the work so far. All is measured in
sub-tables, not in seconds, so that each run finds the same keys.
"""

from __future__ import annotations

FIRST_STEP = 64
"""The lower bound of a long search rises by this part of the gap at first."""


class Deepening:
    """Budgets of one search for the least total.

    Until ``begin`` the budget is one above the best tree known.

    Examples
    --------
    >>> budgets = Deepening()
    >>> budgets.next_budget(1000, 1640, 50)
    1641
    >>> budgets.begin(1000, 1640)
    >>> budgets.next_budget(1000, 1640, 50)
    1011
    >>> budgets.reached(52)
    >>> budgets.next_budget(1011, 1640, 52)
    1032
    """

    def __init__(self) -> None:
        self.step = 0  # none yet
        self.aim = 0  # lower bound that is sought
        self.sub_tables = 0  # expanded when its search began

    def begin(self, lower: int, upper: int) -> None:
        """Let the budgets rise by steps, if they do not do so yet."""
        if not self.step:
            self.step = max(1, (upper - lower) // FIRST_STEP)

    def next_budget(self, lower: int, upper: int, sub_tables: int) -> int:
        """The budget to search with: the last one, unless the lower bound has come so far.

        Parameters
        ----------
        lower, upper
            The interval.
        sub_tables
            Expanded so far.
        """
        if not self.step:
            return upper + 1
        if self.aim <= lower:
            self.aim = lower + self.step
            self.sub_tables = sub_tables
        if upper - self.aim < self.step // 2:  # no small step at the end
            return upper + 1
        return self.aim + 1

    def reached(self, sub_tables: int) -> None:
        """Make the next step larger or smaller, by the sub-tables that the last one took."""
        taken = sub_tables - self.sub_tables
        if 5 * taken < sub_tables:
            self.step *= 2
        elif 2 * taken > sub_tables:
            self.step = max(1, self.step // 2)
