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
    from seabattle.enumerate.counting.counter import Counter as Counter
    from seabattle.enumerate.counting.counter import OccupancyMap as OccupancyMap
    from seabattle.enumerate.errors import SeabattleError as SeabattleError
    from seabattle.enumerate.game.board import Board as Board
    from seabattle.enumerate.game.fleet import Fleet as Fleet
    from seabattle.enumerate.game.position import Position as Position
    from seabattle.enumerate.game.position_files import load_position as load_position
    from seabattle.enumerate.game.position_files import save_position as save_position
    from seabattle.enumerate.game.rules import Rules as Rules
    from seabattle.enumerate.layouts.enumeration import Layouts as Layouts
    from seabattle.enumerate.layouts.enumeration import count_layouts as count_layouts
    from seabattle.enumerate.layouts.enumeration import enumerate_layouts as enumerate_layouts
    from seabattle.enumerate.layouts.table import DecisionTable as DecisionTable
    from seabattle.solver.advice.advisers import Advice as Advice
    from seabattle.solver.advice.advisers import CounterAdviser as CounterAdviser
    from seabattle.solver.equilibrium.double_oracle import equilibrium as equilibrium
    from seabattle.solver.equilibrium.mix_files import load_mixes as load_mixes
    from seabattle.solver.equilibrium.mix_files import save_mixes as save_mixes
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium as Equilibrium
    from seabattle.solver.players.player import make_player as make_player
    from seabattle.solver.search.graph import graph_size as graph_size
    from seabattle.solver.search.greedy import greedy_tree as greedy_tree
    from seabattle.solver.search.hit_search import HitSearch as HitSearch
    from seabattle.solver.search.solution import Solution as Solution
    from seabattle.solver.search.solve import solve as solve
    from seabattle.solver.search.workspace import Limits as Limits
    from seabattle.solver.search.workspace import SearchOptions as SearchOptions
    from seabattle.solver.studies.compare import compare as compare
    from seabattle.solver.studies.strategy_building import build_strategy as build_strategy
    from seabattle.solver.tournament.tournament import tournament as tournament
    from seabattle.trees.drawing.export import to_dot as to_dot
    from seabattle.trees.drawing.export import to_networkx as to_networkx
    from seabattle.trees.drawing.heatmap import HeatMap as HeatMap
    from seabattle.trees.drawing.heatmap import heatmap_svg as heatmap_svg
    from seabattle.trees.drawing.heatmap import heatmap_text as heatmap_text
    from seabattle.trees.drawing.heatmap import save_heatmap as save_heatmap
    from seabattle.trees.drawing.tree_svg import svg as svg
    from seabattle.trees.page.explorer import explorer_page as explorer_page
    from seabattle.trees.strategy.strategy import Strategy as Strategy
    from seabattle.trees.tree.replay import replay as replay
    from seabattle.trees.tree.tree import Tree as Tree
    from seabattle.trees.tree.tree_files import load_tree as load_tree
    from seabattle.trees.tree.tree_files import save_tree as save_tree
    from seabattle.trees.tree.verify import verify as verify

_HOMES = {
    "Board": "enumerate.game.board",
    "Counter": "enumerate.counting.counter",
    "OccupancyMap": "enumerate.counting.counter",
    "SeabattleError": "enumerate.errors",
    "Fleet": "enumerate.game.fleet",
    "Layouts": "enumerate.layouts.enumeration",
    "count_layouts": "enumerate.layouts.enumeration",
    "enumerate_layouts": "enumerate.layouts.enumeration",
    "Position": "enumerate.game.position",
    "load_position": "enumerate.game.position_files",
    "save_position": "enumerate.game.position_files",
    "Rules": "enumerate.game.rules",
    "DecisionTable": "enumerate.layouts.table",
    "Advice": "solver.advice.advisers",
    "CounterAdviser": "solver.advice.advisers",
    "compare": "solver.studies.compare",
    "Equilibrium": "solver.equilibrium.mixed_solution",
    "equilibrium": "solver.equilibrium.double_oracle",
    "load_mixes": "solver.equilibrium.mix_files",
    "save_mixes": "solver.equilibrium.mix_files",
    "graph_size": "solver.search.graph",
    "greedy_tree": "solver.search.greedy",
    "make_player": "solver.players.player",
    "Limits": "solver.search.workspace",
    "HitSearch": "solver.search.hit_search",
    "SearchOptions": "solver.search.workspace",
    "Solution": "solver.search.solution",
    "solve": "solver.search.solve",
    "build_strategy": "solver.studies.strategy_building",
    "tournament": "solver.tournament.tournament",
    "svg": "trees.drawing.tree_svg",
    "explorer_page": "trees.page.explorer",
    "to_dot": "trees.drawing.export",
    "to_networkx": "trees.drawing.export",
    "load_tree": "trees.tree.tree_files",
    "save_tree": "trees.tree.tree_files",
    "HeatMap": "trees.drawing.heatmap",
    "heatmap_svg": "trees.drawing.heatmap",
    "heatmap_text": "trees.drawing.heatmap",
    "save_heatmap": "trees.drawing.heatmap",
    "replay": "trees.tree.replay",
    "Strategy": "trees.strategy.strategy",
    "Tree": "trees.tree.tree",
    "verify": "trees.tree.verify",
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
