"""The answer of ``count``: how many layouts are left, and the map."""

from __future__ import annotations

from typing import Any

from seabattle.enumerate.map import ChanceMap, OccupancyMap, ShipMap


def number_document(layouts: int, labelled: int) -> dict[str, Any]:
    """The number of layouts without a map; the seconds apart."""
    return {"layouts": layouts, "labelled_layouts": labelled}


def map_document(
    found: OccupancyMap | ChanceMap, *, ship: int | None = None, percent: bool = False
) -> dict[str, Any]:
    """The number of layouts and how likely each cell is occupied; the seconds apart.

    Parameters
    ----------
    found
        The map of all ships.
    ship
        The length of the ships that are also mapped by themselves.
    percent
        Whether chances are also given in percent.
    """
    document: dict[str, Any] = {
        "layouts": found.layouts,
        "labelled_layouts": found.labelled_layouts,
        **found.document(),
        "best": list(found.best_shots),
    }
    if isinstance(found, OccupancyMap):
        document["states"] = list(found.states)
    else:
        document["chances_seconds"] = found.mass_seconds
        document["layouts_seconds"] = found.count_seconds
    if percent:
        document["percent"] = percents(found)
    if ship is not None:
        alone = found.of_length(ship)
        document["ship"] = alone.document()
        if percent:
            document["ship"]["percent"] = percents(alone)
    return document


def percents(found: OccupancyMap | ChanceMap | ShipMap) -> list[list[float]]:
    """Chances of the cells in percent, top row first."""
    columns = found.position.rules.board.columns
    flat = [100 * part / whole for part, whole in map(found.share, range(len(found.cells)))]
    return [flat[at : at + columns] for at in range(0, len(flat), columns)]
