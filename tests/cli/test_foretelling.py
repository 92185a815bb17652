"""What is said of a long search before its end."""

from __future__ import annotations

import math

import pytest

from seabattle.cli.foretelling import Foretelling, to_go
from seabattle.enumerate.compile_notice import working_seconds
from seabattle.solver.search.estimating import Estimate
from seabattle.solver.search.limits import Snapshot


def estimate(
    least: float, most: float, gib: tuple[float, float] = (0.1, 0.5), *, closed: float = 0.2
) -> Estimate:
    return Estimate(working_seconds(), least, most, *gib, closed)


def telling(memory_limit: float = 4.0) -> Foretelling:
    """What tells of a search that has just begun."""
    tell = Foretelling(memory_limit)
    assert tell(snapshot(50, None, "greedy tree")) == ""
    assert tell(snapshot(0, None)) == ""
    return tell


def snapshot(seconds: float, known: Estimate | None, stage: str = "mean") -> Snapshot:
    return Snapshot(seconds, 10, 10, stage, 1, 2, known)


def test_a_range_is_said_once_after_five_seconds() -> None:
    tell = telling()
    assert tell(snapshot(4.9, estimate(100, 500))) == ""
    said = tell(snapshot(5.0, estimate(120.4, 600.4)))
    assert said.startswith("a proof takes 2 min to 10 min more and up to 0.5 GiB, by the speed so")
    assert said.endswith("it stops at the limits (or Ctrl-C) with a proven interval")
    assert tell(snapshot(6.0, estimate(120, 600))) == ""


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        (None, "how long a proof takes cannot be told: the first 21 s have closed nothing"),
        (
            0.021,
            "a proof takes at least 3 min more, maybe many times that: the first 21 s have closed "
            "2.1% of the gap",
        ),
    ],
)
def test_what_is_not_known_is_said_after_twenty_seconds_and_made_up_for(
    closed: float | None, said: str
) -> None:
    tell = telling()
    known = None
    if closed is not None:
        known = estimate(200.4, math.inf, (1, math.inf), closed=closed)
    assert tell(snapshot(19, known)) == ""
    assert tell(snapshot(21, known)).startswith(said)
    assert tell(snapshot(30, known)) == ""
    assert tell(snapshot(40, estimate(1000, 3000))).startswith("a proof takes 17 min to 50 min")
    assert tell(snapshot(50, known)) == ""


def test_a_limit_of_memory_that_will_not_do_is_named() -> None:
    said = telling()(snapshot(6, estimate(9000.4, 40000.4, (48, 400))))
    assert said.startswith(
        "a proof would take 48 GiB or more, about 2 h 30 min to 11 h 7 min, and the limit is 4 GiB"
    )
    said = telling()(snapshot(6, estimate(900.4, 4000.4, (3, 6))))
    assert "up to 6 GiB (--memory-limit is 4), by" in said


@pytest.mark.parametrize("stage", ["first shots", "greedy tree", "growing the tree", "worst case"])
def test_other_stages_are_not_foretold(stage: str) -> None:
    assert telling()(snapshot(100, estimate(1000, 5000), stage)) == ""


def test_what_is_over_soon_is_not_worth_a_line() -> None:
    assert telling()(snapshot(6, estimate(5, 20))) == ""


def test_the_progress_line_says_the_time_to_go() -> None:
    assert to_go(None) == ""
    assert to_go(estimate(120.4, 600.4)) == ", 2 min to 10 min to go"
    assert to_go(estimate(120.4, math.inf)) == ", at least 2 min to go"
    assert to_go(estimate(0, 0)) == ", longer than estimated"
