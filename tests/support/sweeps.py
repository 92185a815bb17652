"""Sweeps that must be the same on every machine: ``known/sweeps.json`` holds their figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from support.known_answers import known_rules

from seabattle import Position
from seabattle.enumerate.counting.frontier import Frontier, grid
from seabattle.enumerate.counting.sweep import Sweep, Workspace
from seabattle.enumerate.deductions import constrain

FIGURES = ("nodes", "profiles", "steps", "roundings", "total", "starts")


def known_sweep(entry: dict[str, Any]) -> Sweep:
    """The sweep of an answer, with sums of so many words."""
    rules = known_rules(entry)
    position = Position.of_cells(rules, miss=entry.get("misses", []), hit=entry.get("hits", []))
    steps = Frontier(grid(rules).ships)
    return Sweep(Workspace(rules, steps), constrain(position), words=entry["words"])


def figures(sweep: Sweep) -> dict[str, int]:
    """Sizes of its frontier, and its sums: in all, and of the starts, each times its place."""
    front = sweep.frontier
    starts = np.zeros((sweep.height, front.codes * sweep.words), dtype=np.uint64)
    memory = sweep._forward(kept=True)
    total = sweep.total
    sweep._backward(memory, starts)
    numbers = sweep._numbers(starts.reshape(-1, sweep.words))
    return {
        "nodes": front.nodes,
        "profiles": front.profiles,
        "steps": front.n_steps,
        "roundings": front.roundings,
        "total": total,
        "starts": sum(place * int(number) for place, number in enumerate(numbers)),
    }


def known_figures(entry: dict[str, Any]) -> dict[str, int]:
    """What the sweep of an answer has to say."""
    return {name: int(entry[name]) for name in FIGURES}


def inputs(sweep: Sweep) -> dict[str, Any]:
    """What the core is given for it, as JSON."""
    fields = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in sweep.fields.items()
        if name not in ("frontier", "weights")
    }
    ships = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in sweep.frontier.fields.items()
    }
    return {"ships": ships, "board": fields, "codes": sweep.frontier.codes}
