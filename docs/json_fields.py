"""What the fields of every JSON answer mean, by command, as the results say it.

A result's ``document()`` describes its fields in its docstring, a line for each, under *Fields*;
they are read from there, those of the atlas from its table. Here stands which results a command
prints, and what it adds itself. The tests see that every field that a command prints is explained;
a field within an object or within the objects of a list is named with a point: ``rows.status``.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from seabattle.solver.studies.atlas import COLUMNS

Fields = dict[str, str]
"""Meanings of fields, by their names."""

ROOT = Path(__file__).resolve().parent.parent
FIELD = re.compile(r"^([a-z_][\w., ]*): (.*(?:\n {4}.*)*)", re.MULTILINE)


def said(result: str) -> Fields:
    """The fields that a result describes, by its module and class.

    >>> said("solver.search.graph.GraphSize")["layouts"]
    'layouts that fit'
    """
    module, _, name = result.rpartition(".")
    source = (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == name:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "document":
                    text = ast.get_docstring(method) or ""
                    section = text.partition("Fields\n------\n")[2].partition("\n\n")[0]
                    return {
                        each: " ".join(meaning.split())
                        for names, meaning in FIELD.findall(section)
                        for each in names.split(", ")
                    }
    raise LookupError(f"{result} has no document()")


def within(name: str, fields: Fields) -> Fields:
    """The fields of an object, or of the objects of a list, with the name it goes by."""
    return {f"{name}.{field}": meaning for field, meaning in fields.items()}


GAME: Fields = {
    "board": "ROWSxCOLUMNS",
    "fleet": "the ships, those of most cells first: lengths, rectangles and drawings by rows",
    "contact": "how ships may touch: none, corners or sides",
    "answers": "what a shot is answered: hit, sunk or ship",
    "announce": "whether a sinking tells the length of the ship: length or none",
}
KNOWN: Fields = {
    "blocked": "cells on which no ship can lie, as C3,D4; left out if there are none",
    "letters": "russian if the columns are named in Russian letters; left out if they are Latin",
    "shots": "what was shot before, as pairs of a cell and its answer; left out before the first",
    "ordered": "false if the order of the shots is not known; left out otherwise",
    "ships": "sunk ships known beyond what the answers say, as A1:A4; left out if there are none",
}
SECONDS = {"seconds": "from the request to the answer"}
PRIOR = {
    "prior": "the name of the prior; left out where every layout is equally likely",
    "prior_rounding": "total variation between the prior and the whole-number weights",
}
VALID = {
    "kind": "what was checked: tree, proof, strategy or equilibrium",
    "valid": "whether everything the file states is true",
    "problems": "what is wrong, in words",
}
MAPS = said("enumerate.map.HeatMap")
LENGTH = {"length": MAPS.pop("length")}
PERCENT = {"percent": "with --percent: the chances in percent"}
SOLUTION = said("solver.search.solve.Solution")
SALVO = said("enumerate.map.Salvo")
MIX = said("solver.equilibrium.mixed_solution.Equilibrium")
STRATEGY = said("trees.strategy.strategy.Strategy")
CHECK = said("trees.strategy.check.StrategyCheck")
PROOF = said("trees.proof.ProofCheck")
FIT = said("enumerate.priors.fit.PriorFit")
ESTIMATE = {
    "mean": "the mean",
    "interval": "its 95 % confidence interval; the point where every layout was played",
    "deviation": "the standard deviation",
}
SPREAD = {
    **ESTIMATE,
    "median": "the median",
    "quantiles": "quantiles, by the share of games below",
    "minimum": "the least",
    "maximum": "the most",
}

FIELDS: dict[str, Fields] = {
    "solve": {
        **SOLUTION,
        **{
            name: f"with --salvo: {meaning}"
            for name, meaning in said("solver.search.salvo.SalvoSolution").items()
            if name not in SOLUTION
        },
        **PRIOR,
        **SECONDS,
    },
    "greedy": said("solver.search.greedy.GreedyPlay") | PRIOR | SECONDS,
    "compare": said("solver.studies.compare.Comparison") | PRIOR | SECONDS,
    "graph": said("solver.search.graph.GraphSize") | SECONDS,
    "verify": {
        **VALID,
        **{
            name: f"of an equilibrium: {MIX[name]}"
            for name in ("lower_bound", "upper_bound", "trees", "layouts_in_support")
        },
        **{name: f"of a strategy: {meaning}" for name, meaning in CHECK.items()},
        **said("trees.verify.Verification"),
        "proof": "with --proof: what 'check' says of the proof",
        **{f"proof.{name}": meaning for name, meaning in PROOF.items()},
        "optimal": "with --proof: whether the tree and the proof are valid and say the same",
    },
    "check": VALID | PROOF,
    "render": {"saved": "the files written", "bytes": "their size", **SECONDS},
    "explore": {
        "strategies": "strategies in the page",
        "saved": "the file written",
        "bytes": "its size",
        **SECONDS,
    },
    "compile": {
        "compiled": "functions compiled",
        "kept": "compiled functions that are kept",
        "folder": "the folder that keeps them",
        **SECONDS,
    },
    "replay": {
        "shots": "the shots against the layout, in order",
        **within("shots", {"cell": "the cell", "answer": "its answer"}),
        "misses": "how many missed",
    },
    "count": {
        **MAPS,
        **said("enumerate.counting.several.FleetsMap"),
        "fleets.fleet": "its ships",
        "fleets.layouts": "its layouts that fit",
        **SALVO,
        **PERCENT,
        "ship": "with --ship: the map of the ships of one length",
        **within("ship", LENGTH | {name: MAPS[name] for name in ("occupancy", "chances", "best")}),
        **within("ship", PERCENT),
        **SECONDS,
    },
    "advise": MAPS | SALVO | said("solver.advice.Advice"),
    "review": {
        **said("solver.review.Review"),
        **within("shots", said("solver.review.ReviewedShot")),
        **SECONDS,
    },
    "equilibrium": {
        **MIX,
        "matchups": "how shooters fare",
        "matchups.shooter": "who shoots",
        "matchups.uniform": "mean misses against layouts all equally likely",
        "matchups.equilibrium": "against the hiding mix",
        "matchups.knowing": "against who knows the strategy and hides best",
        **SECONDS,
    },
    "hide": {
        **said("solver.hiding.DrawnLayout"),
        "seed": "of the random numbers; null if it was not given",
        **SECONDS,
    },
    "strategy build": STRATEGY | SECONDS,
    "strategy info": STRATEGY,
    "strategy verify": VALID | CHECK,
    "strategy probe": {
        "best_shots": "best shots",
        "every_best_shot": "whether these are all of them",
        **said("trees.strategy.strategy.StrategyAnswer"),
    },
    "tournament": {
        **said("solver.tournament.standings.Standings"),
        **within("players.shots", SPREAD),
        **within("players.misses", SPREAD),
        **within("players.shots.less_luck", ESTIMATE),
        **within("players.misses.less_luck", ESTIMATE),
        **within("pairs.less_luck", ESTIMATE),
        "pairs.first": "one player",
        "pairs.second": "the other",
        **SECONDS,
    },
    "players": {
        "players": "one for each player",
        "players.player": "the name",
        "players.needs": "the least answers it needs: hit, sunk or ship",
        "players.plays": "whether it can play this game",
        "players.why_not": "why it cannot; empty if it can",
        "players.summary": "what it does",
    },
    "layouts": {
        "occupied": "cells of ships on the board",
        "layouts": "in how many ways they are the fleet",
        "labelled_layouts": "the same with identical ships told apart",
        "listed": "these layouts, each as the names of its ships",
        **SECONDS,
    },
    "bound": {
        **said("solver.studies.bound.MissBound"),
        **said("solver.studies.open_water.OpenWater"),
        **SECONDS,
    },
    "atlas": {
        "rows": "one for each board, fleet and answer mode",
        **within("rows", COLUMNS),
        "complete": "whether every row is there",
    },
    "prior fit": {**FIT, "saved": "the file that was written", **SECONDS},
    "prior show": {
        "prior": "the name",
        "kind": "what kind of prior it is, in words",
        "source": "where it comes from",
        "licence": "of what it was made from",
        "fit": "how it was fitted; left out if it was not",
        **within("fit", FIT),
        "fit.face": "of files of 0.2.0: null",
        "fit.iterations": "of files of 0.2.0: steps of the fit",
        "chances": MAPS["chances"],
        **SECONDS,
    },
}
"""What each command adds to the game, by its name and then by the fields."""


def sentence(meaning: str) -> str:
    """A meaning as a sentence.

    >>> sentence("the cell")
    'The cell.'
    """
    return f"{meaning[0].upper()}{meaning[1:]}."
