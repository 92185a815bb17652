"""The time to go of a tournament: said from its first minute on, and about right."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seabattle.cli import time_to_go
from seabattle.cli.progress import Bar
from seabattle.cli.time_to_go import TimeToGo

Run = Callable[..., tuple[int, str, str]]


@given(st.integers(2, 3000), st.floats(5, 50), st.floats(0, 100))
def test_at_an_even_pace_it_is_right(wanted: int, seconds: float, before: float) -> None:
    """What the first game took on top no longer counts when it is half of the time so far."""
    times = iter([0.0, *(before + seconds * (n + 1) for n in range(wanted))])
    left = TimeToGo(lambda: next(times))
    assert left.seconds(0, wanted) is None
    for done in range(1, wanted + 1):
        told = left.seconds(done, wanted)
        assert told is not None
        if (done - 1) * seconds > before + seconds:
            assert told == pytest.approx((wanted - done) * seconds)


def test_slow_games_have_a_time_to_go_in_the_first_minute() -> None:
    times = iter([0.0, 40.0])
    left = TimeToGo(lambda: next(times))
    assert left(0, 2000) == ""
    assert left(1, 2000) == ", about 22 h 13 min to go"


def test_games_of_a_run_before_do_not_count() -> None:
    """What a journal brings was not played in no time."""
    times = iter([0.0, 4.0, 8.0])
    left = TimeToGo(lambda: next(times))
    assert left(1000, 2000) == ""
    assert left(1002, 2000) == ""  # too early to tell
    assert left(1004, 2000) == ", about 33 min to go"


def test_a_tournament_says_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(time_to_go, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(Bar, "say", lambda bar, text: said.append(text))
    run("tournament", "--players", "random", "--games", "100000", "--workers", "1")
    played = [text for text in said if "games" in text]
    assert played[0] == "0 of 100,000 games"
    for text in played[1:-1]:
        assert re.fullmatch(r"[\d,]+ of 100,000 games, about [\d smindh]+ to go", text)
    assert played[-1] == "100,000 of 100,000 games"
