"""Impossible frequencies are refused with a proof, and faces are recognised."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from scipy.optimize import linprog
from support.examples import examples
from support.small_boards import GAMES, as_grid, cells_of_layouts

from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.priors.fit import (
    Certificate,
    ImpossibleFrequencies,
    check_certificate,
    fit_frequencies,
    shares,
)
from seabattle.enumerate.rules import Rules


def least_deviation(rules: Rules, frequencies: np.ndarray) -> float:
    """How near a distribution of all layouts comes to these frequencies, by one linear program.

    Whether one *has* them cannot be asked so: with shares of 1e-8 among them the solver takes
    possible ones for infeasible.
    """
    layouts = cells_of_layouts(rules)
    parts, wanted = np.vstack([layouts.T, np.ones(len(layouts))]), np.append(frequencies, 1)
    slack = -np.ones((len(parts), 1))
    solved = linprog(
        np.append(np.zeros(len(layouts)), 1),
        A_ub=np.block([[parts, slack], [-parts, slack]]),
        b_ub=np.append(wanted, -wanted),
    )
    assert solved.status == 0
    return float(solved.fun)


def assert_refused(rules: Rules, grid: np.ndarray) -> Certificate:
    """The certificate with which frequencies are refused, checked by looking at all layouts."""
    with pytest.raises(ImpossibleFrequencies) as caught:
        fit_frequencies(rules, grid)
    certificate = caught.value.certificate
    wanted, _ = shares(rules, grid)
    assert certificate.impossible
    assert check_certificate(certificate, wanted)
    assert check_certificate(certificate, wanted, layouts=enumerate_layouts(rules))
    totals = cells_of_layouts(rules).astype(int) @ np.array(certificate.coefficients, dtype=object)
    assert max(totals) == certificate.most
    assert re.search(r"impossible: .* is at (most|least) .* in every layout", str(caught.value))
    assert "\n" not in str(caught.value)
    return certificate


@examples(40)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.sampled_from([0.3, 1.0, 5.0]))
def test_random_frequencies_are_fitted_or_refused_with_a_proof(
    rules: Rules, seed: int, alike: float
) -> None:
    rng = np.random.default_rng(seed)
    frequencies = rng.dirichlet(np.full(rules.board.cells, alike)) * rules.fleet.cells
    assume(frequencies.max() < 1)
    grid = as_grid(rules, frequencies)
    deviation = least_deviation(rules, frequencies)
    assume(not 1e-9 < deviation < 1e-6)  # too near to judge
    if deviation <= 1e-9:
        assert fit_frequencies(rules, grid).reached
    else:
        assert_refused(rules, grid)


@pytest.mark.slow  # ten seconds of linear programs
@examples(15)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.sampled_from([1e-1, 1e-3, 1e-5]))
def test_frequencies_that_are_barely_impossible(rules: Rules, seed: int, by: float) -> None:
    """From the middle through a point of a face and a little further."""
    rng = np.random.default_rng(seed)
    layouts = cells_of_layouts(rules)
    for _ in range(200):
        coefficients = np.zeros(rules.board.cells)
        coefficients[rng.choice(rules.board.cells, 3, replace=False)] = rng.choice([-1, 1], 3)
        totals = layouts @ coefficients
        middle, top = layouts.mean(axis=0), layouts[totals == totals.max()].mean(axis=0)
        beyond = top + by * (top - middle)
        if totals.min() < totals.max() and beyond.min() > 0 and beyond.max() < 1:
            break
    else:
        reject()
    assert_refused(rules, as_grid(rules, beyond))


def test_a_row_that_cannot_be_without_its_middle() -> None:
    certificate = assert_refused(Rules("1x4", "2"), np.array([[0.75, 0.25, 0.25, 0.75]]))
    assert certificate.needed > certificate.most
    assert sum(c != 0 for c in certificate.coefficients) <= 2


def test_cells_that_are_certain_and_leave_no_layout() -> None:
    rules = Rules("3x3", "2,2")
    certificate = assert_refused(rules, np.array([[1, 0, 1], [0, 0, 0], [1, 0, 1]]))
    assert re.search(" is at (most|least) .* in every layout", str(certificate))
    assert_refused(
        Rules("4x4", "3,2,1"), np.array([[1, 0, 1, 0], [0.5] * 4, [0.25] * 4, [0.25] * 4])
    )


def test_both_colours_of_a_chequered_board() -> None:
    """Ships of even length lie half on each colour: an equation that all layouts satisfy."""
    rules = Rules("4x4", "2,2", "sides")
    black = np.indices((4, 4)).sum(axis=0) % 2
    for share in (0.26, 0.2501):
        assert_refused(rules, np.where(black == 1, share, 0.5 - share))


@examples(25)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_faces_are_recognised(rules: Rules, seed: int) -> None:
    """Averages of all layouts that have the most by some whole coefficients."""
    rng = np.random.default_rng(seed)
    layouts = cells_of_layouts(rules).astype(int)
    coefficients = rng.integers(-1, 2, size=rules.board.cells)
    totals = layouts @ coefficients
    assume(totals.min() < totals.max())
    top = layouts[totals == totals.max()]
    rest = layouts[totals < totals.max()]
    counts = top.sum(axis=0)
    never, always = counts == 0, counts == len(top)
    fits = ~(layouts[:, never].any(axis=1)) & layouts[:, always].all(axis=1)
    beyond = bool((fits & (totals < totals.max())).any())
    assert len(rest)
    found = fit_frequencies(rules, as_grid(rules, counts).tolist(), games=len(top))
    assert (found.face is not None) == beyond
    if found.face is not None:
        face = found.face
        assert not face.impossible
        assert check_certificate(
            face, shares(rules, as_grid(rules, counts).tolist(), len(top))[0],
            layouts=enumerate_layouts(rules),
        )  # fmt: skip
        gains = layouts @ np.array(face.coefficients)
        assert set(gains[totals == totals.max()].tolist()) == {face.most}
        assert (gains[fits & (totals < totals.max())] < face.most).any()
        assert "in every layout drawn, the most that any layout has" in str(face)


def test_a_certificate_that_lies_is_found_out() -> None:
    rules, grid = Rules("1x4", "2"), [0.75, 0.25, 0.25, 0.75]
    assert check_certificate(Certificate(rules, (1, 0, 0, 1), 1, Fraction(3, 2)), grid)
    assert not check_certificate(Certificate(rules, (1, 0, 0, 1), 0, Fraction(3, 2)), grid)
    assert not check_certificate(Certificate(rules, (1, 0, 0, 1), 1, Fraction(2)), grid)
    assert not check_certificate(Certificate(rules, (0, 1, 1, 0), 2, Fraction(1, 2)), grid)


def test_how_certificates_are_told() -> None:
    rules = Rules("1x4", "2")
    certificate = Certificate(rules, (1, 0, -2, 1), 1, Fraction(3, 2))
    assert str(certificate) == "A1 - 2 C1 + D1 is at most 1 in every layout, but they give 1.5"
    assert certificate.document() == {
        "coefficients": [[1, 0, -2, 1]],
        "most": 1,
        "needed": 1.5,
        "needed_exactly": "3/2",
    }
    least = Certificate(rules, (0, -1, -1, 0), -1, Fraction(-1, 2))
    assert str(least) == "B1 + C1 is at least 1 in every layout, but they give 0.5"
    many = Certificate(Rules("2x4", "2"), (1, 2, 3, 4, 5, 6, 7, 8), 15, Fraction(15))
    told = "a weighted sum of 8 cells is 15 in every layout drawn, the most that any layout has"
    assert str(many) == told
