"""The naive twins themselves reproduce the known answers they are small enough for."""

import pytest
from support.known_answers import known, known_rules, label
from twins import naive
from twins.naive_trees import naive_layouts, spoken

SMALL = [entry for entry in known("trees") if entry["board"] in {"3x3", "3x4"}]


@pytest.mark.parametrize("entry", SMALL, ids=label)
def test_optimum_is_the_known_one(entry):
    rules = known_rules(entry)
    mode, announce, contact = spoken(rules)
    found = naive.optimum(naive_layouts(rules), mode, announce=announce, contact=contact)
    assert found["mean"] == entry["total"]
    assert found["worst"] == entry.get("worst", found["worst"])


def test_certain_hits_first_costs_nothing_but_under_sides_with_sunk():
    for mode, contact in [("hit", "sides"), ("sunk", "corners"), ("ship", "sides")]:
        found = naive.layouts(3, 3, [2, 1], contact)
        free = naive.optimum(found, mode, contact=contact)
        assert free == naive.optimum(found, mode, contact=contact, certain_hits_first=True)


def test_sinking_announced_tells_more_than_hit_or_miss_under_sides():
    found = naive.layouts(3, 3, [2, 2], "sides")
    assert naive.optimum(found, "hit", contact="sides")["mean"] == 114
    assert naive.optimum(found, "sunk", contact="sides")["mean"] == 99


@pytest.mark.parametrize("mode", ["hit", "sunk", "ship"])
def test_first_shots_of_least_total_agree_with_the_optimum(mode):
    found = naive.layouts(3, 3, [2, 1])
    totals = naive.first_shot_totals(found, 9, mode)
    best = naive.optimum(found, mode)["mean"]
    assert min(totals.values()) == best
    shots = naive.optimal_first_shots(found, 9, mode)
    assert shots == [cell for cell in range(9) if totals[cell] == best]
    # the board is a square: its symmetries map optimal first shots to optimal first shots
    assert {8 - cell for cell in shots} == set(shots)
    assert {3 * (cell % 3) + cell // 3 for cell in shots} == set(shots)


def test_weights_count_layouts_several_times():
    found = sorted(naive.layouts(2, 3, [2, 1], "sides"), key=lambda x: sorted(map(sorted, x)))
    doubled = naive.optimum(found, weights=dict.fromkeys(found, 2))
    plain = naive.optimum(found)
    assert doubled["pareto"] == tuple((worst, 2 * total) for worst, total in plain["pareto"])
    only_one = {layout: int(layout == found[0]) for layout in found}
    assert naive.optimum(found, weights=only_one)["mean"] == 0


@pytest.mark.parametrize("entry", known("greedy"), ids=label)
def test_greedy_costs_are_the_known_ones(entry):
    rules = known_rules(entry)
    mode, announce, contact = spoken(rules)
    found = naive.greedy(
        naive_layouts(rules),
        rules.board.cells,
        entry["rule"],
        mode,
        announce,
        contact,
        reading=entry["reading"],
    )
    assert found == (entry["total"], entry["worst"])


@pytest.mark.parametrize(
    "entry", [e for e in known("trees") if e.get("graph_vertices", 10**9) < 50_000], ids=label
)
def test_graph_of_sub_tables_is_the_known_one(entry):
    rules = known_rules(entry)
    found = naive.graph(naive_layouts(rules), rules.board.cells)
    assert found == (entry["graph_vertices"], entry["graph_edges"])


def test_front_of_two_points():
    """A greedy strategy never lies below the front."""
    assert naive.pareto([(3, 9), (2, 11), (3, 8), (4, 8), (5, 7)]) == ((2, 11), (3, 8), (5, 7))
    found = naive.layouts(3, 3, [2, 1], "corners")
    total, worst = naive.greedy(found, 9, "hits")
    front = naive.optimum(found)["pareto"]
    assert any(w <= worst and t <= total for w, t in front)
