"""What the fields of every JSON answer mean: the one place that says it.

The reference page of the documentation is made from this table, and the tests see that every field
that a command prints is in it. A field within an object or within the objects of a list is named
with a point: ``rows.status``.
"""

from __future__ import annotations

Fields = dict[str, str]
"""Meanings of fields, by their names."""

GAME: Fields = {
    "board": "ROWSxCOLUMNS",
    "fleet": "lengths of the ships, longest first",
    "contact": "how ships may touch: none, corners or sides",
    "answers": "what a shot is answered: hit, sunk or ship",
    "announce": "whether a sinking tells the length of the ship: length or none",
}
KNOWN: Fields = {
    "shots": "what was shot before, as pairs of a cell and its answer; left out before the first",
    "ordered": "false if the order of the shots is not known; left out otherwise",
    "ships": "sunk ships known beyond what the answers say, as A1:A4; left out if there are none",
}
_SECONDS = {"seconds": "from the request to the answer"}
_PRIOR = {"prior": "the name of the prior; left out where every layout is equally likely"}

_MAP: Fields = {
    "layouts": "layouts that fit, exactly; may exceed 2^53",
    "labelled_layouts": "the same with identical ships told apart",
    "occupancy": "how many of them occupy each cell, top row first",
    "chances": "under a prior, in place of occupancy: the chance that each cell is occupied",
    **_PRIOR,
    "best": "every likeliest cell not shot yet",
}
_COST: Fields = {
    "total_misses": "misses over all layouts, each weighed by its weight",
    "mean_misses": "the same divided by the weight of all layouts",
    "worst_misses": "the most misses for any layout",
}
_SOLVED: Fields = {
    **_COST,
    "weight": "the weight of all layouts; their number where none has a weight of its own",
    "states": "sub-tables kept with their values (keys)",
    "nodes": "sub-tables looked into",
    "sets": "sets of misses weighed; 0 where the search proved it alone",
    "best_shots": "every first shot of a best strategy; null if that is not known",
    "search_seconds": "of the search that found it, now or earlier",
}
_VALID: Fields = {
    "kind": "what was checked: tree, strategy or equilibrium",
    "valid": "whether everything the file states is true",
    "problems": "what is wrong, in words",
}
_TREE_MIX: Fields = {
    "lower_bound": "misses that the hiding mix costs every shooter at least, on average",
    "upper_bound": "misses that the shooting mix needs at most, on average, against any layout",
    "trees": "trees in the shooting mix",
    "layouts_in_support": "layouts that the hiding mix uses",
}
_STRATEGY: Fields = {
    "objective": "what the file is best at: mean or worst",
    "scope": "the positions it holds: reachable (what optimal play can meet) or complete",
    "position": "what was shot before the strategy begins",
    "states": "positions held, one of each kind that symmetries leave",
    "layouts": "layouts at its beginning",
    **_COST,
    "symmetries": "symmetries used",
    "bytes": "size of the folder",
    "made_by": "the version that made it",
}
_STATES: Fields = {
    "proven": "whether every value was proven to be the least",
    "states": "positions held",
    "value": "total or worst misses at the beginning, as the file is for",
}
_SPREAD = {
    "mean": "the mean",
    "interval": "its 95 % confidence interval; the point where every layout was played",
    "deviation": "the standard deviation",
    "median": "the median",
    "quantiles": "quantiles, by the share of games below",
    "minimum": "the least",
    "maximum": "the most",
}
_FIT: Fields = {
    "weights": "what has a weight of its own: cells, classes of cells, or placements",
    "games": "games it was fitted to, if they are known",
    "smoothing": "games' worth of uniform layouts added",
    "iterations": "steps of the fit",
    "maps": "maps counted",
    "tolerance": "how far a frequency may be from what it was fitted to",
    "deviation": "how far one is",
    "reached": "whether that is within the tolerance",
    "bits": "how much it tells beyond equally likely layouts, in bits",
    "entropy_bits": "its entropy, in bits",
    "interrupted": "whether the fit was stopped",
}


def _within(name: str, fields: Fields) -> Fields:
    """The fields of an object, or of the objects of a list, with the name it goes by."""
    return {f"{name}.{field}": meaning for field, meaning in fields.items()}


FIELDS: dict[str, Fields] = {
    "solve": {
        "objective": "what was asked for: mean, worst, mean-worst, worst-mean or pareto",
        "layouts": "layouts that fit",
        "status": "optimal if the value is proven, else bounded",
        **_SOLVED,
        "lower_bound": "proven least of what the objective counts first",
        "upper_bound": "what the tree reaches of it",
        "stopped_by": "what stopped the search; empty when nothing did",
        **_PRIOR,
        "prior_rounding": "total variation between the prior and the whole-number weights",
        "progress": "with a limit: when better trees were found",
        **_within(
            "progress", {"seconds": "since the start", "total_misses": "of the best tree by then"}
        ),
        "values": "with --values: least total of misses after each first shot, top row first; null "
        "where shooting is no use or the value is not known",
        "front": "with the objective pareto: the trees that none beats in both",
        **_within("front", _COST),
        **_SECONDS,
    },
    "greedy": {
        "rule": "half or hits",
        "ties": "which of equal cells is shot",
        "reading": "what a plain hit tells: full or positive",
        "layouts": "layouts that fit",
        "status": "heuristic",
        **_SOLVED,
        "wasted": "shots at cells that no layout left occupies",
        **_PRIOR,
        "prior_rounding": "total variation between the prior and the whole-number weights",
        **_SECONDS,
    },
    "compare": {
        "layouts": "layouts that fit",
        "weight": "the weight of all layouts; their number where none has a weight of its own",
        **_PRIOR,
        "prior_rounding": "total variation between the prior and the whole-number weights",
        "rows": "one for each strategy",
        **_within(
            "rows",
            {
                "strategy": "greedy-half, greedy-hits, optimal-mean or optimal-worst",
                "answers": "hit, sunk or ship",
                "reading": "what a plain hit tells: full or positive",
                "status": "optimal, bounded or heuristic",
                **_COST,
                "lower_bound": "proven least of the total, or of the worst case for optimal-worst; "
                "null for greedy play",
                "upper_bound": "the same of the best tree found; equal when it is proven",
            },
        ),
        **_SECONDS,
    },
    "graph": {
        "layouts": "layouts that fit",
        "vertices": "distinct sub-tables that play can reach",
        "edges": "pairs of a sub-table and one that an answer leads to",
        "orbits": "sub-tables, those counted once that symmetries of the board exchange",
        **_SECONDS,
    },
    "verify": {
        **_VALID,
        "total_misses": _COST["total_misses"],
        "worst_misses": _COST["worst_misses"],
        "layouts": "layouts at the leaves",
        "wasted": "shots at cells that no layout left occupies",
        **{name: f"of a strategy: {meaning}" for name, meaning in _STATES.items()},
        **{name: f"of an equilibrium: {meaning}" for name, meaning in _TREE_MIX.items()},
    },
    "render": {
        "saved": "the files written",
        "bytes": "their size",
        **_SECONDS,
    },
    "explore": {
        "strategies": "strategies in the page",
        "saved": "the file written",
        "bytes": "its size",
        **_SECONDS,
    },
    "compile": {
        "compiled": "functions compiled",
        "kept": "compiled functions that are kept",
        "folder": "the folder that keeps them",
        **_SECONDS,
    },
    "replay": {
        "shots": "the shots against the layout, in order",
        **_within("shots", {"cell": "the cell", "answer": "its answer"}),
        "misses": "how many missed",
    },
    "count": {
        **_MAP,
        "states": "the largest number of partial sums in each row of the sweep",
        "percent": "with --percent: the chances in percent",
        "ship": "with --ship: the map of the ships of one length",
        **_within(
            "ship",
            {
                "length": "the length",
                "occupancy": "how many layouts have such a ship on each cell",
                "chances": "under a prior: the chance of that",
                "best": "the likeliest cells",
                "percent": "with --percent: the chances in percent",
            },
        ),
        "chances_seconds": "for the chances, of seconds",
        "layouts_seconds": "for the number of layouts, of seconds",
        **_SECONDS,
    },
    "advise": {
        **_MAP,
        "best": "every best shot, likeliest first",
        "chance": "the chance that the first of them hits; null when the game is over",
        "method": "greedy-map, or optimal where the rest of the game was solved",
        "total_misses": "with the method optimal: misses still to come, over all layouts left",
        "mean_misses": "with the method optimal: misses still to come, on average",
        "worst_misses": "with the method optimal: misses still to come, at worst",
        "note": "what else there is to say",
    },
    "review": {
        "shots": "one for each shot, in order",
        **_within(
            "shots",
            {
                "number": "from 1",
                "cell": "the cell",
                "answer": "its answer",
                "chance": "how likely it was to hit",
                "best_chance": "how likely the best cell was to hit",
                "best": "the cells of that chance",
                "certain": "whether a certain hit was there to be shot",
                "layouts_before": "layouts that fitted before the shot",
                "layouts_after": "and after its answer",
                "lost": "misses that the shot lost against the best one",
                "exact": "whether they are those of the rest of the game, or at once",
                "lost_at_once": "how much less likely it was to hit than the best",
                "optimal": "with an exact loss: the shots that lose nothing",
            },
        ),
        "prior": "the name of the prior",
        "hits": "number of hits",
        "misses": "number of misses",
        "layouts": "layouts that fit at the end",
        "misses_lost": "misses that all shots lost",
        "exact": "whether all of them are those of the rest of the game",
        "lost_exactly": "the part that is",
        "lost_at_once": "the part that is not",
        "luck": "hits beyond expectation",
        "expected_hits": "hits to be expected of these shots",
        "mistakes": "numbers of the shots that lost most, worst first",
        "stopped_by": "what stopped the review; empty when nothing did",
        **_SECONDS,
    },
    "equilibrium": {
        "layouts": "layouts of the game",
        "status": "optimal if the bounds meet, else bounded",
        "value": "misses to be expected when both sides play their mixes",
        **_TREE_MIX,
        "gap": "the upper bound less the lower",
        "uniform_value": "least mean of misses where every layout is equally likely",
        "exact": "the same figures as quotients",
        **_within(
            "exact",
            {
                "value": "of value",
                "lower_bound": "of lower_bound",
                "upper_bound": "of upper_bound",
                "uniform_value": "of uniform_value",
            },
        ),
        "subtables": "sub-tables in each sweep",
        "sweeps": "best trees computed",
        "stopped_by": "what stopped it; empty when nothing did",
        "matchups": "how shooters fare",
        **_within(
            "matchups",
            {
                "shooter": "who shoots",
                "uniform": "mean misses against layouts all equally likely",
                "equilibrium": "against the hiding mix",
                "knowing": "against who knows the strategy and hides best",
            },
        ),
        **{name: f"with --check: {meaning}" for name, meaning in _VALID.items()},
        **_SECONDS,
    },
    "hide": {
        "layout": "the ships by name",
        "probability": "of this layout",
        "drawn": "what it was drawn from",
        "value": "misses to be expected against the best shooter",
        "gap": "how far that may be from the best hiding",
        "layouts": "layouts it was drawn from, where it is not from a mix",
        "prior": "the prior it was drawn by",
        "seed": "of the random numbers; null if it was not given",
        **_SECONDS,
    },
    "strategy build": {**_STRATEGY, **_SECONDS},
    "strategy info": _STRATEGY,
    "strategy verify": {
        **_VALID,
        **_STATES,
    },
    "strategy probe": {
        "layouts": "layouts that fit the position",
        "best_shots": "best shots",
        "every_best_shot": "whether these are all of them",
        "certain_hit": "whether the shots are certain hits",
        "total_misses": "misses still to come, over all layouts left",
        "mean_misses": "misses still to come, on average; null in a file for the worst case",
        "worst_misses": "misses still to come, at worst; null in a file for the mean",
    },
    "tournament": {
        "layouts": "where the layouts come from",
        "prior": "the name of the prior that players were told",
        "seed": "of all random choices",
        "games": "games played",
        "games_wanted": "games asked for",
        "status": "complete or stopped",
        "players": "one for each player, in the order asked for",
        **_within(
            "players",
            {
                "player": "the name",
                "games": "games played",
                "exact": "whether the mean is exact, every layout having been played",
                "total_misses": "misses in all games",
                "shots": "how many shots a game took",
                **_within("shots", _SPREAD),
                "misses": "how many of them missed",
                **_within("misses", _SPREAD),
                "perfect_games": "games without a miss",
                "perfect_share": "their share",
                "perfect_interval": "its 95 % confidence interval",
                "distribution": "number of games by number of shots",
            },
        ),
        "pairs": "one for each pair of players, on the same layouts",
        **_within(
            "pairs",
            {
                "first": "one player",
                "second": "the other",
                "mean_more_shots": "shots that the first needs more, on average",
                "interval": "its 95 % confidence interval",
                "fewer": "games in which the first needs fewer",
                "as_many": "games in which both need as many",
                "more": "games in which the first needs more",
            },
        ),
        **_SECONDS,
    },
    "players": {
        "players": "one for each player",
        **_within(
            "players",
            {
                "player": "the name",
                "needs": "the least answers it needs: hit, sunk or ship",
                "plays": "whether it can play this game",
                "why_not": "why it cannot; empty if it can",
                "summary": "what it does",
            },
        ),
    },
    "bound": {
        "layouts": "layouts of the game, all equally likely",
        "mean_misses": "misses that every strategy needs on average, at least",
        "mean": "the same as a quotient",
        "mean_shots": "the same with the cells of the fleet",
        "total_misses": "the least whole number of misses over all layouts that the bound allows",
        "hidden": "lengths of the ships that are to be found",
        "shown": "lengths of the ships that are shown to the shooter",
        "misses_to_find": "what finding the hidden ships costs at least, on average",
        "misses_beside": "misses on cells that the ships shown forbid to others, at least",
        "first_shots": "cells in the sets searched; 0 if the first shots play no part",
        **_SECONDS,
    },
    "atlas": {
        "rows": "one for each board, fleet and answer mode",
        **_within(
            "rows",
            {
                **{name: meaning for name, meaning in GAME.items() if name != "announce"},
                "layouts": "layouts of the game",
                "status": "proven, or bounded where a limit left an interval",
                "worst_misses": "the least worst case",
                "worst_lower_bound": "what it is proven to be at least",
                "mean": "the least mean as a quotient",
                "mean_misses": "the same as a number",
                "total_misses": "misses over all layouts",
                "total_lower_bound": "what they are proven to be at least",
                "best_first_shots": "every first shot of a tree of least mean; null if not known",
                "equilibrium": "value when the hider, too, does as well as possible, as a "
                "quotient; null unless known exactly; all three are absent if none was looked for",
                "equilibrium_misses": "the same as a number, or an upper bound; null if not found",
                "equilibrium_lower_bound": "what it is proven to be at least",
            },
        ),
        "complete": "whether every row is there",
    },
    "prior fit": {**_FIT, "saved": "the file that was written", **_SECONDS},
    "prior show": {
        "prior": "the name",
        "kind": "what kind of prior it is, in words",
        "source": "where it comes from",
        "licence": "of what it was made from",
        "fit": "how it was fitted; left out if it was not",
        **_within("fit", _FIT),
        "fit.face": "of files of 0.2.0: null",
        "chances": "the chance that each cell is occupied, top row first",
        **_SECONDS,
    },
}
"""What each command adds to the game, by its name and then by the fields."""


def sentence(meaning: str) -> str:
    """A meaning as a sentence.

    >>> sentence("the cell")
    'The cell.'
    """
    return f"{meaning[0].upper()}{meaning[1:]}."
