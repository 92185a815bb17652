"""The commands that do the work, by their files: all but the one that compiles kernels ahead."""

from __future__ import annotations

import click

from seabattle.cli import (
    advising,
    atlas,
    comparing,
    counting,
    equilibrium,
    exploring,
    hiding,
    priors_fitting,
    reviewing,
    serving,
    solving,
    strategy,
    tournament,
    trees,
    verifying,
)

WORKING_COMMANDS: tuple[click.Command, ...] = (
    solving.solve,
    solving.greedy,
    solving.graph,
    comparing.compare,
    atlas.atlas,
    counting.count,
    advising.advise,
    reviewing.review,
    priors_fitting.prior,
    tournament.tournament,
    tournament.players,
    tournament.layouts,
    equilibrium.equilibrium,
    hiding.hide,
    verifying.verify,
    trees.replay,
    trees.render,
    exploring.explore,
    serving.serve,
    serving.play,
    strategy.strategy,
)
"""In the order of the help."""
