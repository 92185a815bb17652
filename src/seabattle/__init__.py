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

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seabattle.client import Asked, Engine, EngineError
    from seabattle.enumerate.board import Board, Letters
    from seabattle.enumerate.counting.conflict import Conflict, conflict
    from seabattle.enumerate.counting.counter import Counter
    from seabattle.enumerate.counting.several import FleetsCounter, several_fleets
    from seabattle.enumerate.errors import (
        BoardError,
        CheckpointError,
        DrawingError,
        FileAccessError,
        FleetError,
        LayoutError,
        PlayerError,
        PositionError,
        ProofError,
        RulesError,
        SeabattleError,
        StrategyError,
        TooLargeError,
        TreeError,
        WeightsError,
        WorkFailed,
    )
    from seabattle.enumerate.layouts import Layouts, count_layouts, enumerate_layouts
    from seabattle.enumerate.map import (
        HeatMap,
        heatmap_svg,
        heatmap_text,
        save_heatmap,
    )
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.position_files import load_position, save_position
    from seabattle.enumerate.priors.files import load_prior, save_prior
    from seabattle.enumerate.priors.fit import PriorFit, fit_frequencies, fit_layouts
    from seabattle.enumerate.priors.prior import Prior, ProductPrior, SumPrior, TablePrior
    from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Fleet, Rules
    from seabattle.enumerate.table import DecisionTable
    from seabattle.solver.advice import Advice, Adviser, CounterAdviser, StrategyAdviser, advise
    from seabattle.solver.endgame import Endgame, endgame
    from seabattle.solver.equilibrium.double_oracle import equilibrium
    from seabattle.solver.equilibrium.mix_files import load_mixes, save_mixes
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium
    from seabattle.solver.hiding import DrawnLayout, draw_layout
    from seabattle.solver.players.chance import Chance
    from seabattle.solver.players.player import Player
    from seabattle.solver.players.registry import PLAYERS, make_player, players
    from seabattle.solver.referee import Match, Referee
    from seabattle.solver.review import Review, ReviewedShot, review
    from seabattle.solver.search.graph import GraphSize, graph_size
    from seabattle.solver.search.greedy import GreedyPlay, Ties, greedy_tree, play_greedily
    from seabattle.solver.search.growing import GreedyRule
    from seabattle.solver.search.queries import LimitReached, Objective, Snapshot, Within
    from seabattle.solver.search.salvo import SalvoSolution, solve_salvo
    from seabattle.solver.search.solve import Solution, solve
    from seabattle.solver.studies.bound import MissBound, miss_bound
    from seabattle.solver.studies.building import build_strategy
    from seabattle.solver.studies.compare import Comparison, compare
    from seabattle.solver.studies.open_water import OpenWater, open_water
    from seabattle.solver.tournament.files import load_tournament, save_tournament
    from seabattle.solver.tournament.luck import Luck
    from seabattle.solver.tournament.standings import Standings
    from seabattle.solver.tournament.tournament import tournament
    from seabattle.trees.drawing.export import from_networkx, to_dot, to_networkx
    from seabattle.trees.drawing.tree_svg import paper_pages, svg
    from seabattle.trees.files import load_tree, save_tree
    from seabattle.trees.page.explorer import explorer_page
    from seabattle.trees.proof import ProofCheck, check_proof
    from seabattle.trees.replay import replay
    from seabattle.trees.strategy.strategy import Strategy
    from seabattle.trees.tree import Reading, Tree
    from seabattle.trees.verify import Verification, verify


@cache
def _homes() -> dict[str, str]:
    """The public names and the module of each: what is imported above for type checkers."""
    import ast
    from pathlib import Path

    return {
        alias.name: node.module.removeprefix("seabattle.")
        for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("seabattle.")
        for alias in node.names
    }


__all__ = [
    "PLAYERS", "Advice", "Adviser", "Announce", "AnswerMode", "Asked", "Board", "BoardError",
    "Chance", "CheckpointError", "Comparison", "Conflict", "Contact", "Counter",
    "CounterAdviser", "DecisionTable", "DrawingError", "DrawnLayout", "Endgame", "Engine",
    "EngineError", "Equilibrium",
    "FileAccessError", "Fleet", "FleetError", "FleetsCounter", "GraphSize", "GreedyPlay",
    "GreedyRule", "HeatMap",
    "LayoutError", "Layouts", "Letters", "LimitReached", "Luck", "Match", "MissBound", "Objective",
    "OpenWater",
    "Player", "PlayerError", "Position", "PositionError", "Prior", "PriorFit", "ProductPrior",
    "ProofCheck", "ProofError", "Reading", "Referee",
    "Review", "ReviewedShot", "Rules", "RulesError",
    "SalvoSolution", "SeabattleError",
    "Snapshot", "Solution", "Standings", "Strategy", "StrategyAdviser", "StrategyError",
    "SumPrior", "TablePrior", "Ties", "TooLargeError", "Tree", "TreeError", "Verification",
    "WeightsError", "Within", "WorkFailed", "advise", "build_strategy", "check_proof", "compare",
    "conflict", "count_layouts", "draw_layout", "endgame", "enumerate_layouts", "equilibrium",
    "explorer_page",
    "fit_frequencies", "fit_layouts", "from_networkx", "graph_size", "greedy_tree", "heatmap_svg",
    "heatmap_text", "load_mixes", "load_position", "load_prior", "load_tournament", "load_tree",
    "make_player", "miss_bound", "open_water", "paper_pages", "play_greedily", "players", "replay",
    "review", "save_heatmap", "save_mixes", "save_position", "save_prior", "save_tournament",
    "save_tree", "several_fleets", "solve", "solve_salvo", "svg", "to_dot", "to_networkx",
    "tournament", "verify",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("seabattle")
    if name not in __all__:
        raise AttributeError(f"module 'seabattle' has no attribute {name!r}")
    value = getattr(import_module(f"seabattle.{_homes()[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
