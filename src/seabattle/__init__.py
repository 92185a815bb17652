"""Exactly where to shoot in Battleship.

The public names live in three rooms: ``seabattle.enumerate`` (what can be there and what a shot
reveals), ``seabattle.trees`` (strategies as trees) and ``seabattle.solver`` (what to shoot). They
are importable from here too, and are loaded when first used, so that importing the package costs
nothing.

>>> import seabattle
>>> solution = seabattle.solve(seabattle.Rules("4x4", "3,2,1"))
>>> solution.mean_misses
Fraction(55, 16)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seabattle.enumerate.board import Board as Board
    from seabattle.enumerate.counter import Counter as Counter
    from seabattle.enumerate.counter import OccupancyMap as OccupancyMap
    from seabattle.enumerate.errors import SeabattleError as SeabattleError
    from seabattle.enumerate.fleet import Fleet as Fleet
    from seabattle.enumerate.layouts import Layouts as Layouts
    from seabattle.enumerate.layouts import count_layouts as count_layouts
    from seabattle.enumerate.layouts import enumerate_layouts as enumerate_layouts
    from seabattle.enumerate.position import Position as Position
    from seabattle.enumerate.position_files import load_position as load_position
    from seabattle.enumerate.position_files import save_position as save_position
    from seabattle.enumerate.rules import Rules as Rules
    from seabattle.enumerate.table import DecisionTable as DecisionTable
    from seabattle.solver.advice import Advice as Advice
    from seabattle.solver.advice import CounterAdviser as CounterAdviser
    from seabattle.solver.compare import compare as compare
    from seabattle.solver.equilibrium import equilibrium as equilibrium
    from seabattle.solver.graph import graph_size as graph_size
    from seabattle.solver.greedy import greedy_tree as greedy_tree
    from seabattle.solver.mixed_solution import Equilibrium as Equilibrium
    from seabattle.solver.mixes import load_mixes as load_mixes
    from seabattle.solver.mixes import save_mixes as save_mixes
    from seabattle.solver.players import make_player as make_player
    from seabattle.solver.search import Limits as Limits
    from seabattle.solver.search import Search as Search
    from seabattle.solver.search import Switches as Switches
    from seabattle.solver.solution import Solution as Solution
    from seabattle.solver.solve import solve as solve
    from seabattle.solver.strategies import build_strategy as build_strategy
    from seabattle.solver.tournament import tournament as tournament
    from seabattle.trees.drawing import svg as svg
    from seabattle.trees.explorer import explorer_page as explorer_page
    from seabattle.trees.export import to_dot as to_dot
    from seabattle.trees.export import to_networkx as to_networkx
    from seabattle.trees.files import load_tree as load_tree
    from seabattle.trees.files import save_tree as save_tree
    from seabattle.trees.heatmap import HeatMap as HeatMap
    from seabattle.trees.heatmap import heatmap_svg as heatmap_svg
    from seabattle.trees.heatmap import heatmap_text as heatmap_text
    from seabattle.trees.heatmap import save_heatmap as save_heatmap
    from seabattle.trees.replay import replay as replay
    from seabattle.trees.strategy import Strategy as Strategy
    from seabattle.trees.tree import Tree as Tree
    from seabattle.trees.verify import verify as verify

_HOMES = {
    "Board": "enumerate.board",
    "Counter": "enumerate.counter",
    "OccupancyMap": "enumerate.counter",
    "SeabattleError": "enumerate.errors",
    "Fleet": "enumerate.fleet",
    "Layouts": "enumerate.layouts",
    "count_layouts": "enumerate.layouts",
    "enumerate_layouts": "enumerate.layouts",
    "Position": "enumerate.position",
    "load_position": "enumerate.position_files",
    "save_position": "enumerate.position_files",
    "Rules": "enumerate.rules",
    "DecisionTable": "enumerate.table",
    "Advice": "solver.advice",
    "CounterAdviser": "solver.advice",
    "compare": "solver.compare",
    "Equilibrium": "solver.mixed_solution",
    "equilibrium": "solver.equilibrium",
    "load_mixes": "solver.mixes",
    "save_mixes": "solver.mixes",
    "graph_size": "solver.graph",
    "greedy_tree": "solver.greedy",
    "make_player": "solver.players",
    "Limits": "solver.search",
    "Search": "solver.search",
    "Switches": "solver.search",
    "Solution": "solver.solution",
    "solve": "solver.solve",
    "build_strategy": "solver.strategies",
    "tournament": "solver.tournament",
    "svg": "trees.drawing",
    "explorer_page": "trees.explorer",
    "to_dot": "trees.export",
    "to_networkx": "trees.export",
    "load_tree": "trees.files",
    "save_tree": "trees.files",
    "HeatMap": "trees.heatmap",
    "heatmap_svg": "trees.heatmap",
    "heatmap_text": "trees.heatmap",
    "save_heatmap": "trees.heatmap",
    "replay": "trees.replay",
    "Strategy": "trees.strategy",
    "Tree": "trees.tree",
    "verify": "trees.verify",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'seabattle' has no attribute {name!r}")
    value = getattr(import_module(f"seabattle.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
