"""Exactly where to shoot in Battleship.

A game is given as ``Rules`` (a game at its beginning), a ``Position`` (a game in progress) or a
``DecisionTable`` (its layouts with their weights); every function that needs a game takes any of
the three. The public names live in three rooms: ``seabattle.enumerate`` (what can be there and what
a shot reveals), ``seabattle.trees`` (strategies as trees) and ``seabattle.solver`` (what to shoot).
All are importable from here, too, and are loaded on first use, so that importing the package costs
nothing.

>>> import seabattle
>>> rules = seabattle.Rules("4x4", "3,2,1")
>>> seabattle.solve(rules).mean_misses
Fraction(55, 16)
>>> position = seabattle.Position(rules).shoot("B2", "miss").shoot("A1", "hit")
>>> seabattle.solve(position).best_shots
('C1', 'A3')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seabattle.enumerate.board import Board as Board
    from seabattle.enumerate.counting.conflict import Conflict as Conflict
    from seabattle.enumerate.counting.conflict import conflict as conflict
    from seabattle.enumerate.counting.counter import Counter as Counter
    from seabattle.enumerate.errors import BoardError as BoardError
    from seabattle.enumerate.errors import CheckpointError as CheckpointError
    from seabattle.enumerate.errors import DrawingError as DrawingError
    from seabattle.enumerate.errors import FileAccessError as FileAccessError
    from seabattle.enumerate.errors import FleetError as FleetError
    from seabattle.enumerate.errors import LayoutError as LayoutError
    from seabattle.enumerate.errors import PlayerError as PlayerError
    from seabattle.enumerate.errors import PositionError as PositionError
    from seabattle.enumerate.errors import RulesError as RulesError
    from seabattle.enumerate.errors import SeabattleError as SeabattleError
    from seabattle.enumerate.errors import StrategyError as StrategyError
    from seabattle.enumerate.errors import TooLargeError as TooLargeError
    from seabattle.enumerate.errors import TreeError as TreeError
    from seabattle.enumerate.errors import WeightsError as WeightsError
    from seabattle.enumerate.errors import WorkFailed as WorkFailed
    from seabattle.enumerate.layouts import Layouts as Layouts
    from seabattle.enumerate.layouts import count_layouts as count_layouts
    from seabattle.enumerate.layouts import enumerate_layouts as enumerate_layouts
    from seabattle.enumerate.map import ChanceMap as ChanceMap
    from seabattle.enumerate.map import OccupancyMap as OccupancyMap
    from seabattle.enumerate.map import ShipMap as ShipMap
    from seabattle.enumerate.position import Position as Position
    from seabattle.enumerate.position_files import load_position as load_position
    from seabattle.enumerate.position_files import save_position as save_position
    from seabattle.enumerate.priors.files import load_prior as load_prior
    from seabattle.enumerate.priors.files import save_prior as save_prior
    from seabattle.enumerate.priors.fit import PriorFit as PriorFit
    from seabattle.enumerate.priors.fit import fit_frequencies as fit_frequencies
    from seabattle.enumerate.priors.fit import fit_layouts as fit_layouts
    from seabattle.enumerate.priors.prior import Prior as Prior
    from seabattle.enumerate.priors.prior import ProductPrior as ProductPrior
    from seabattle.enumerate.priors.prior import SumPrior as SumPrior
    from seabattle.enumerate.priors.prior import TablePrior as TablePrior
    from seabattle.enumerate.rules import Announce as Announce
    from seabattle.enumerate.rules import AnswerMode as AnswerMode
    from seabattle.enumerate.rules import Contact as Contact
    from seabattle.enumerate.rules import Fleet as Fleet
    from seabattle.enumerate.rules import Rules as Rules
    from seabattle.enumerate.table import DecisionTable as DecisionTable
    from seabattle.solver.advice import Advice as Advice
    from seabattle.solver.advice import Adviser as Adviser
    from seabattle.solver.advice import CounterAdviser as CounterAdviser
    from seabattle.solver.advice import StrategyAdviser as StrategyAdviser
    from seabattle.solver.advice import advise as advise
    from seabattle.solver.equilibrium.double_oracle import equilibrium as equilibrium
    from seabattle.solver.equilibrium.mix_files import load_mixes as load_mixes
    from seabattle.solver.equilibrium.mix_files import save_mixes as save_mixes
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium as Equilibrium
    from seabattle.solver.hiding import DrawnLayout as DrawnLayout
    from seabattle.solver.hiding import draw_layout as draw_layout
    from seabattle.solver.players.chance import Chance as Chance
    from seabattle.solver.players.player import Player as Player
    from seabattle.solver.players.registry import PLAYERS as PLAYERS
    from seabattle.solver.players.registry import make_player as make_player
    from seabattle.solver.players.registry import players as players
    from seabattle.solver.review import Review as Review
    from seabattle.solver.review import ReviewedShot as ReviewedShot
    from seabattle.solver.review import review as review
    from seabattle.solver.search.endgame import Endgame as Endgame
    from seabattle.solver.search.endgame import endgame as endgame
    from seabattle.solver.search.graph import GraphSize as GraphSize
    from seabattle.solver.search.graph import graph_size as graph_size
    from seabattle.solver.search.greedy import GreedyPlay as GreedyPlay
    from seabattle.solver.search.greedy import GreedyRule as GreedyRule
    from seabattle.solver.search.greedy import Ties as Ties
    from seabattle.solver.search.greedy import greedy_tree as greedy_tree
    from seabattle.solver.search.greedy import play_greedily as play_greedily
    from seabattle.solver.search.limits import LimitReached as LimitReached
    from seabattle.solver.search.limits import Snapshot as Snapshot
    from seabattle.solver.search.salvo import SalvoSolution as SalvoSolution
    from seabattle.solver.search.salvo import solve_salvo as solve_salvo
    from seabattle.solver.search.solution import Objective as Objective
    from seabattle.solver.search.solution import Solution as Solution
    from seabattle.solver.search.solution import Within as Within
    from seabattle.solver.search.solve import solve as solve
    from seabattle.solver.studies.bound import MissBound as MissBound
    from seabattle.solver.studies.bound import miss_bound as miss_bound
    from seabattle.solver.studies.building import build_strategy as build_strategy
    from seabattle.solver.studies.compare import Comparison as Comparison
    from seabattle.solver.studies.compare import compare as compare
    from seabattle.solver.studies.open_water import OpenWater as OpenWater
    from seabattle.solver.studies.open_water import open_water as open_water
    from seabattle.solver.tournament.standings import Standings as Standings
    from seabattle.solver.tournament.standings import load_tournament as load_tournament
    from seabattle.solver.tournament.tournament import tournament as tournament
    from seabattle.trees.drawing.export import from_networkx as from_networkx
    from seabattle.trees.drawing.export import to_dot as to_dot
    from seabattle.trees.drawing.export import to_networkx as to_networkx
    from seabattle.trees.drawing.heatmap import HeatMap as HeatMap
    from seabattle.trees.drawing.heatmap import heatmap_text as heatmap_text
    from seabattle.trees.drawing.heatmap_picture import heatmap_svg as heatmap_svg
    from seabattle.trees.drawing.heatmap_picture import save_heatmap as save_heatmap
    from seabattle.trees.drawing.paper import paper_pages as paper_pages
    from seabattle.trees.drawing.tree_svg import svg as svg
    from seabattle.trees.files import load_tree as load_tree
    from seabattle.trees.files import save_tree as save_tree
    from seabattle.trees.page.explorer import explorer_page as explorer_page
    from seabattle.trees.replay import replay as replay
    from seabattle.trees.strategy.strategy import Strategy as Strategy
    from seabattle.trees.tree import Reading as Reading
    from seabattle.trees.tree import Tree as Tree
    from seabattle.trees.verify import Verification as Verification
    from seabattle.trees.verify import verify as verify

_ROOMS = {
    "enumerate.errors": (
        "BoardError",
        "CheckpointError",
        "DrawingError",
        "FileAccessError",
        "FleetError",
        "LayoutError",
        "PlayerError",
        "PositionError",
        "RulesError",
        "SeabattleError",
        "StrategyError",
        "TooLargeError",
        "TreeError",
        "WeightsError",
        "WorkFailed",
    ),
    "enumerate.board": ("Board",),
    "enumerate.rules": (
        "Announce",
        "AnswerMode",
        "Contact",
        "Fleet",
        "Rules",
    ),
    "enumerate.position": ("Position",),
    "enumerate.position_files": (
        "load_position",
        "save_position",
    ),
    "enumerate.layouts": (
        "Layouts",
        "count_layouts",
        "enumerate_layouts",
    ),
    "enumerate.table": ("DecisionTable",),
    "enumerate.priors.fit": (
        "PriorFit",
        "fit_frequencies",
        "fit_layouts",
    ),
    "enumerate.priors.prior": (
        "Prior",
        "ProductPrior",
        "SumPrior",
        "TablePrior",
    ),
    "enumerate.priors.files": (
        "load_prior",
        "save_prior",
    ),
    "enumerate.map": (
        "ChanceMap",
        "OccupancyMap",
        "ShipMap",
    ),
    "enumerate.counting.conflict": (
        "Conflict",
        "conflict",
    ),
    "enumerate.counting.counter": ("Counter",),
    "trees.replay": ("replay",),
    "trees.tree": (
        "Reading",
        "Tree",
    ),
    "trees.files": (
        "load_tree",
        "save_tree",
    ),
    "trees.verify": (
        "Verification",
        "verify",
    ),
    "trees.drawing.export": (
        "from_networkx",
        "to_dot",
        "to_networkx",
    ),
    "trees.drawing.heatmap": (
        "HeatMap",
        "heatmap_text",
    ),
    "trees.drawing.heatmap_picture": (
        "heatmap_svg",
        "save_heatmap",
    ),
    "trees.drawing.paper": ("paper_pages",),
    "trees.drawing.tree_svg": ("svg",),
    "trees.page.explorer": ("explorer_page",),
    "trees.strategy.strategy": ("Strategy",),
    "solver.search.endgame": (
        "Endgame",
        "endgame",
    ),
    "solver.search.limits": (
        "LimitReached",
        "Snapshot",
    ),
    "solver.search.graph": (
        "GraphSize",
        "graph_size",
    ),
    "solver.search.greedy": (
        "GreedyPlay",
        "GreedyRule",
        "Ties",
        "greedy_tree",
        "play_greedily",
    ),
    "solver.search.salvo": (
        "SalvoSolution",
        "solve_salvo",
    ),
    "solver.search.solution": (
        "Objective",
        "Solution",
        "Within",
    ),
    "solver.search.solve": ("solve",),
    "solver.studies.compare": (
        "Comparison",
        "compare",
    ),
    "solver.studies.bound": (
        "MissBound",
        "miss_bound",
    ),
    "solver.studies.building": ("build_strategy",),
    "solver.studies.open_water": (
        "OpenWater",
        "open_water",
    ),
    "solver.advice": (
        "Advice",
        "Adviser",
        "CounterAdviser",
        "StrategyAdviser",
        "advise",
    ),
    "solver.review": (
        "Review",
        "ReviewedShot",
        "review",
    ),
    "solver.players.player": ("Player",),
    "solver.players.registry": (
        "PLAYERS",
        "make_player",
        "players",
    ),
    "solver.players.chance": ("Chance",),
    "solver.tournament.standings": (
        "Standings",
        "load_tournament",
    ),
    "solver.tournament.tournament": ("tournament",),
    "solver.equilibrium.double_oracle": ("equilibrium",),
    "solver.equilibrium.mix_files": (
        "load_mixes",
        "save_mixes",
    ),
    "solver.equilibrium.mixed_solution": ("Equilibrium",),
    "solver.hiding": (
        "DrawnLayout",
        "draw_layout",
    ),
}

_HOMES = {name: module for module, names in _ROOMS.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'seabattle' has no attribute {name!r}")
    value = getattr(import_module(f"seabattle.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
