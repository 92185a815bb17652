"""Maximum entropy on small boards with every layout listed: Newton's method, in numpy alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def occupied(layouts: list[list[int]], cells: int) -> NDArray[np.float64]:
    """Which cells each layout occupies: float64 ``(n_layouts, cells)``."""
    found = np.zeros((len(layouts), cells))
    for row, layout in enumerate(layouts):
        found[row, layout] = 1
    return found


def most_entropic(features: NDArray[np.float64], goals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chances of the layouts with these means of the features and the highest entropy.

    Newton's method with halved steps; the goals must be inside of what is possible.
    """
    theta = np.zeros(features.shape[1])

    def state(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logs = features @ at
        most = logs.max()
        weights = np.exp(logs - most)
        return most + np.log(weights.sum()) - at @ goals, weights / weights.sum()

    value, chances = state(theta)
    for _ in range(200):
        mean = chances @ features
        slope = mean - goals
        if np.abs(slope).max() < 1e-13:
            break
        curve = (features * chances[:, None]).T @ features - np.outer(mean, mean)
        step = -np.linalg.pinv(curve, rcond=1e-13, hermitian=True) @ slope
        size = 1.0
        while size > 1e-9:
            new_value, new_chances = state(theta + size * step)
            if new_value <= value + 1e-15 * abs(value):
                break
            size /= 2
        theta, value, chances = theta + size * step, new_value, new_chances
    return chances


def entropy_bits(chances: NDArray[np.float64]) -> float:
    """Entropy of a distribution in bits."""
    some = chances[chances > 0]
    return float(-(some * np.log2(some)).sum())
