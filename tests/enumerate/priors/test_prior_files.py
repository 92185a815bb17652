"""Priors by name and in files: round trips, unreadable files, and the door that all rooms share."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.prior_games import GAME, TINY, priors

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.priors.files import load_prior, require_prior, save_prior
from seabattle.enumerate.priors.prior import Prior, SumPrior
from seabattle.enumerate.rules import Rules


@examples(40)
@given(
    prior=priors([*TINY, Rules("9x13", "3", "corners")]),
    name=st.sampled_from(["a.json", "a.csv", "prior"]),
)
def test_a_prior_written_is_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, prior: Prior, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    save_prior(prior, path)
    assert path.read_text().startswith("{") == (name != "a.csv")
    for game in (None, prior.rules):
        found = load_prior(path, game)
        assert found == prior
        assert found is not None
        assert found.name == name
        assert getattr(found, "cells", None) == getattr(prior, "cells", None)


def test_what_is_told_about_a_prior_is_kept_in_json(tmp_path: Path) -> None:
    facts = {"source": "games of «mine»", "licence": "MIT", "fit": {"bits": 0.25, "games": 9}}
    prior = SumPrior(GAME, [Fraction(1, 3), 0.5, *range(7)], name="mine", facts=facts)
    path = tmp_path / "new folder" / "prior.json"
    save_prior(prior, path)
    found = load_prior(str(path))
    assert found is not None
    assert found.facts == facts
    document = json.loads(path.read_text())
    assert document["weights"] == [["1/3", "0.5", 0], [1, 2, 3], [4, 5, 6]]
    assert "«mine»" in path.read_text()


# Names and the door


def test_uniform_is_no_prior() -> None:
    for name in ("uniform", " Uniform "):
        assert load_prior(name) is None
        assert load_prior(name, GAME) is None
        assert require_prior(name, GAME) is None
    assert require_prior(None, GAME) is None


def test_the_door_takes_a_prior_a_name_or_a_file(tmp_path: Path) -> None:
    prior = SumPrior(GAME, [1] * 9, name="mine")
    path = tmp_path / "prior.csv"
    save_prior(prior, path)
    sunk = Rules("3x3", "3,1,1", answers="sunk")
    assert require_prior(prior, sunk) is prior
    assert require_prior(path, sunk) == require_prior(str(path), sunk) == prior
    other = Rules("3x3", "3,1,1", "sides")
    told = "prior mine is of 3x3, fleet 3,1,1, contact none, not of 3x3, fleet 3,1,1, contact sides"
    with pytest.raises(WeightsError, match=told):
        require_prior(prior, other)
    with pytest.raises(WeightsError, match="is of 3x3, fleet 3,1,1, contact none, not of"):
        require_prior(path, other)
