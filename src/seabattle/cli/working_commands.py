"""The commands that do the work, by their files: all but the one that compiles kernels ahead."""

from __future__ import annotations

import click

from seabattle.cli import (
    advising,
    atlas,
    bounding,
    comparing,
    counting,
    equilibrium,
    exploring,
    hiding,
    opening_books,
    playing,
    priors_fitting,
    reviewing,
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
    bounding.bound,
    counting.count,
    advising.advise,
    reviewing.review,
    priors_fitting.prior,
    tournament.tournament,
    tournament.players,
    opening_books.book,
    tournament.layouts,
    equilibrium.equilibrium,
    hiding.hide,
    verifying.verify,
    trees.replay,
    trees.render,
    exploring.explore,
    playing.play,
    strategy.strategy,
)
"""In the order of the help."""
