// The graph of all closed sub-tables of a game: explored once, swept many times.
//
// One node for every symmetry orbit of closed sub-tables that shots can lead to, and for each node
// the shots worth weighing, each with the nodes that its answers lead to. The best tree against
// weights w of the layouts is one sweep from the leaves to the root,
//
//     least(v) = min over shots of  sum over answers a of  least(v_a) + w(v_a) [a is a miss].
//
// Left out are shots that are no better whatever the weights: a cell that is occupied only where
// another one is too, and a shot that splits the sub-table into images of the parts of another.
//
// A node is numbered, and entered in the table of a search in place of a bound, once all below it
// were. So children have smaller numbers than their parents, and an exploration that had to stop
// goes on where it is called again.
#pragma once
#include "solver/search/exact_search.hpp"
#include "trees/plans.hpp"

namespace seabattle {

/// Where an answer leads, packed in a number: the node, of which there are fewer than 2^29, whether
/// the shot missed on the way, and whether it is the last edge of its action.
class Edge {
public:
    static constexpr std::int32_t last = 1;

    static constexpr std::int32_t to(Count node, bool missed) {
        return std::int32_t(4 * node + 2 * missed);
    }
    static constexpr bool is_last(std::int32_t edge) { return edge & last; }
    /// The place of its cost: for each node there are the one without a miss, and the one with it.
    static constexpr Count cost_of(std::int32_t edge) { return edge >> 1; }
};

/// The nodes found last, in arrays of the caller, and the edges that wait for their nodes: those of
/// the sub-tables on the path, which are no nodes yet.
class FoundNodes {
public:
    explicit FoundNodes(seabattle_subtables& given)
        : given_(given),
          rows_(given.rows, given.rows_size),
          actions_(given.actions, given.actions_size),
          cells_(given.cells, given.cells_size),
          edges_(given.edges, given.edges_size),
          waiting_(given.waiting, given.waiting_size),
          shots_(given.shots, given.shots_size) {}

    Count waiting() const { return given_.edges_waiting; }
    bool can_wait(Count more) const { return waiting() + more <= waiting_.size(); }
    void forget_waiting(Count from) { given_.edges_waiting = from; }

    /// Whether there is room for a node with the edges that wait from `first` on.
    bool has_room(Count first) const {
        return given_.nodes_found < rows_.size() &&
               given_.edges_found + waiting() - first <= edges_.size();
    }
    /// Take in a node with these edges.
    ///
    /// row : of a sub-table with one layout, else -1
    void add(Count row, Count first) {
        const Count before = given_.actions_found;
        for (Count i = first; i < waiting(); ++i) {
            edges_[given_.edges_found++] = waiting_[i];
            if (Edge::is_last(waiting_[i])) cells_[given_.actions_found++] = shots_[i];
        }
        rows_[given_.nodes_found] = std::int32_t(row);
        actions_[given_.nodes_found++] = std::int8_t(given_.actions_found - before);
        forget_waiting(first);
    }
    /// Let an edge wait, in order among those from `begun` on.
    void wait(std::int32_t edge, Count begun) {
        Count at = given_.edges_waiting++;
        for (; at > begun && waiting_[at - 1] > edge; --at) waiting_[at] = waiting_[at - 1];
        waiting_[at] = edge;
    }
    /// Mark the last edge of an action; forget it if an earlier one of its node has the same edges:
    /// it splits the sub-table into images of the same parts.
    ///
    /// cell : in the orientation of the node's key
    /// first, begun : where the edges of the node and those of the action begin
    void end_action(int cell, Count first, Count begun) {
        const Count end = waiting();
        waiting_[end - 1] |= Edge::last;
        shots_[end - 1] = std::int8_t(cell);
        const Array<std::int32_t> own = waiting_.part(begun, end);
        for (Count before = first; before < begun;) {
            Count i = 0;
            while (waiting_[before + i] == own[i] && !Edge::is_last(own[i])) ++i;
            if (waiting_[before + i] == own[i]) return forget_waiting(begun);
            while (!Edge::is_last(waiting_[before + i])) ++i;
            before += i + 1;
        }
    }

private:
    seabattle_subtables& given_;
    Array<std::int32_t> rows_;
    Array<std::int8_t> actions_, cells_;
    Array<std::int32_t> edges_, waiting_;
    Array<std::int8_t> shots_;
};

template <class Model>
class Exploration {
public:
    using Mask = typename Model::Mask;

    /// dominance : whether cells are left out that are occupied only where another one is
    Exploration(Search<Model>& search, bool dominance, FoundNodes& found)
        : search_(search), parts_(search.parts()), found_(found), dominance_(dominance) {}

    /// Explore the whole game; the edges of its start wait in the end. Returns 0, or a status.
    Count explore(Array<const std::int32_t> ids) {
        found_.forget_waiting(0);
        if (!search_.part_all(ids, -1, 0, true)) return SEABATTLE_STOPPED;
        for (Count p = 0, all = parts_.top(); p < all; ++p) {
            const Count node = explore(parts_[p]);
            if (node < 0) return node;
            found_.wait(Edge::to(node, false), 0);
        }
        return 0;
    }

private:
    /// Number of a sub-table's node; what is below it is explored first. Or a status.
    Count explore(Part<Mask>& part) {
        search_.make_key(part);
        const Count known = node_of(part.key);
        if (known >= 0) return known;
        const Rows<Mask> rows = part.own_rows;
        if (!search_.counters().spend(rows.count)) return SEABATTLE_STOPPED;
        const Count first = found_.waiting();
        if (rows.count == 1) return add(part, rows.number(0), first);
        const int symmetry = search_.symmetry_of(part);
        Columns<Mask> columns;
        columns.count_rows(rows, part.closure);
        for (int i = 0; i < columns.count(); ++i) {
            if (dominance_ && columns.is_dominated(i)) continue;
            const Count begun = found_.waiting();
            if (!found_.can_wait(rows.count)) return SEABATTLE_FULL;
            if (!find_both(columns, i, begun)) {
                const Count status = explore_parts(part, columns.cell(i), begun);
                if (status < 0) return status;
            }
            found_.end_action(search_.game().image(symmetry, columns.cell(i)), first, begun);
        }
        return add(part, -1, first);
    }
    /// Whether both answers to a shot of mode `hit` lead to nodes: what they leave is known from
    /// the columns, so that no row has to move.
    bool find_both(const Columns<Mask>& columns, int i, Count begun) {
        if constexpr (Model::family == Family::hit) {
            const Count hit = node_of(columns.hit(i)), miss = node_of(columns.miss(i));
            if (hit < 0 || miss < 0) return false;
            found_.wait(Edge::to(hit, false), begun);
            found_.wait(Edge::to(miss, true), begun);
            return true;
        }
        return false;
    }
    Count explore_parts(const Part<Mask>& part, int cell, Count begun) {
        const Count base = parts_.top();
        if (!part_by_answers<Model>(search_.game(), parts_, part.own_rows, cell, 0)) {
            search_.stop_for_room();
            return SEABATTLE_STOPPED;
        }
        for (Count p = base, end = parts_.top(); p < end; ++p) {
            const Count node = explore(parts_[p]);
            if (node < 0) return node;
            found_.wait(Edge::to(node, parts_[p].missed), begun);
        }
        parts_.release(base);
        return 0;
    }
    Count add(const Part<Mask>& part, Count row, Count first) {
        if (!found_.has_room(first)) return SEABATTLE_FULL;
        const Count node = search_.counters().states();
        if (!search_.table().enter(part.key, Entry::bound(node, no_limit), search_.counters()))
            return SEABATTLE_STOPPED;
        found_.add(row, first);
        return node;
    }
    /// -1 where it has no node yet.
    Count node_of(const Word* key) const {
        const Entry entry = search_.table().look_up(key, no_limit);
        return entry == empty ? -1 : entry.misses();
    }
    Count node_of(Closure<Mask> closure) const {
        Word key[most_closed_words<Mask>];
        search_.keys().make_closed(closure, key);
        return node_of(key);
    }

    Search<Model>& search_;
    Parts<Mask>& parts_;
    FoundNodes& found_;
    bool dominance_;
};

/// Least misses of every node for the given weights of the layouts. The edges are read once from
/// front to end, which is what bounds the speed.
///
/// Weight : double, or Count, whose sums stay below 2^62
template <class Weight>
void sweep_subtables(Array<const Count> first, Array<const std::int32_t> edges,
                     Array<const std::int32_t> leaf, Array<const Weight> weights,
                     Array<Weight> costs, Array<Count> choice) {
    Count e = 0;
    for (Count v = 0; v < leaf.size(); ++v) {
        if (leaf[v] >= 0) {
            costs[2 * v] = 0;
            costs[2 * v + 1] = weights[leaf[v]];
            choice[v] = -1;
            continue;
        }
        Weight weight = 0, best = 0;  // weight : of the layouts of all children together
        std::int32_t edge;
        do {
            edge = edges[e++];
            const Count child = Edge::cost_of(edge);
            best += costs[child];
            weight += costs[child | 1] - costs[(child | 1) - 1];
        } while (!Edge::is_last(edge));
        Count chosen = first[v];
        for (Count action = first[v] + 1, end = first[v + 1]; action < end; ++action) {
            Weight cost = 0;
            do {
                edge = edges[e++];
                cost += costs[Edge::cost_of(edge)];
            } while (!Edge::is_last(edge));
            if (cost >= best) continue;
            best = cost;
            chosen = action;
        }
        costs[2 * v] = best;
        costs[2 * v + 1] = best + weight;
        choice[v] = chosen;
    }
}

/// Let a function work with a search of a game whose trees plans determine.
template <class Work>
Count with_plannable(std::uint8_t* memory, Work work) {
    return SearchHandle::in(memory).with_word([&]<class Model>(Search<Model>& search) -> Count {
        constexpr bool is_closed =
            Model::family == Family::hit || Model::family == Family::closed_sunk;
        if constexpr (is_closed && sizeof(typename Model::Mask) <= sizeof(Word))
            return work(search);
        else
            return SEABATTLE_INVALID;
    });
}

}  // namespace seabattle

extern "C" int64_t seabattle_explore_subtables(uint8_t* memory, size_t, const int32_t* rows,
                                               size_t rows_size, const seabattle_question* question,
                                               seabattle_counters* counters, int32_t dominance,
                                               seabattle_subtables* found) {
    using namespace seabattle;
    if (rows_size == 0 || question->stop_size != 1 || found->actions_size != found->rows_size ||
        found->cells_size != found->edges_size || found->shots_size != found->waiting_size)
        return SEABATTLE_INVALID;
    return with_plannable(memory, [&]<class Model>(Search<Model>& search) -> Count {
        search.begin(*question, *counters);
        FoundNodes nodes(*found);
        return Exploration<Model>(search, dominance != 0, nodes).explore({rows, rows_size});
    });
}

namespace seabattle {

template <class Weight>
Count sweep_given(const seabattle_subtable_graph& graph, Array<const Weight> weights,
                  Array<Weight> costs, Array<Count> choice) {
    const Count nodes = Count(graph.leaf_size);
    if (Count(graph.first_size) != nodes + 1 || costs.size() != 2 * nodes || choice.size() != nodes)
        return SEABATTLE_INVALID;
    sweep_subtables<Weight>({graph.first, graph.first_size}, {graph.edges, graph.edges_size},
                            {graph.leaf, graph.leaf_size}, weights, costs, choice);
    return 0;
}

}  // namespace seabattle

extern "C" int64_t seabattle_sweep_subtables(const seabattle_subtable_graph* graph,
                                             const double* weights, size_t weights_size,
                                             double* costs, size_t costs_size, int64_t* choice,
                                             size_t choice_size) {
    using namespace seabattle;
    return sweep_given<double>(*graph, {weights, weights_size}, {costs, costs_size},
                               {choice, choice_size});
}

extern "C" int64_t seabattle_sweep_subtables_exactly(const seabattle_subtable_graph* graph,
                                                     const int64_t* weights, size_t weights_size,
                                                     int64_t* costs, size_t costs_size,
                                                     int64_t* choice, size_t choice_size) {
    using namespace seabattle;
    return sweep_given<Count>(*graph, {weights, weights_size}, {costs, costs_size},
                              {choice, choice_size});
}

extern "C" int64_t seabattle_write_plan(uint8_t* memory, size_t, const seabattle_question* question,
                                        seabattle_counters* counters, const uint64_t* rows,
                                        size_t rows_size, const uint64_t* ships, size_t ships_size,
                                        const int64_t* choice, size_t choice_size,
                                        const int8_t* cells, size_t cells_size,
                                        const int64_t* orbits, size_t orbits_size, int8_t* plan,
                                        size_t plan_size, int64_t* misses, size_t misses_size,
                                        uint8_t* scratch, size_t scratch_size) {
    using namespace seabattle;
    if (rows_size == 0 || ships_size % rows_size != 0 || orbits_size != rows_size)
        return SEABATTLE_INVALID;
    return with_plannable(memory, [&]<class Model>(Search<Model>& search) -> Count {
        using Mask = typename Model::Mask;
        search.begin(*question, *counters);
        Arena arena(reinterpret_cast<std::byte*>(scratch), Count(scratch_size));
        PlanWalk walk({rows, rows_size}, {ships, ships_size}, search.game().cells,
                      Model::family == Family::closed_sunk, arena);
        if (arena.full()) return SEABATTLE_FULL;
        const Array<const Count> choices(choice, choice_size), orbit_of(orbits, orbits_size);
        const Array<const std::int8_t> shots(cells, cells_size);
        const Array<std::int8_t> written(plan, plan_size);
        const Array<Count> sums(misses, misses_size);
        Count used = 0;
        const auto choose = [&](Closure<Word> closure) {
            const Closure<Mask> own{Mask(closure.certain), Mask(closure.occupied)};
            Word key[most_closed_words<Mask>];
            search.keys().make_closed(own, key);
            const Entry node = search.table().look_up(key, no_limit);
            const int image = shots[choices[node.misses()]];
            const int symmetry = search.keys().symmetry_of_closed(own, key);
            const int cell = search.game().moved_back(symmetry, image);
            written[used++] = std::int8_t(cell);
            return cell;
        };
        const auto visit = [&](const PlanWalk::Segment& segment, Count, int cell) {
            if (cell < 0) sums[orbit_of[segment.rows.number(0)]] += segment.misses;
            return true;
        };
        walk.walk(choose, visit);
        return used;
    });
}
