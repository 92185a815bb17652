// The reference algorithm's graph: every sub-table that shots of mode `hit` can lead to, counted.
//
// A vertex is a set of rows, the single ones included; every undetermined cell gives two edges,
// miss and hit. Vertices are visited one per orbit of the symmetries: an orbit of s stands for s
// vertices of equally many edges. Orbits and edges stay below 2^63, as the table holds a key of
// each orbit.
#pragma once
#include "solver/search/exact_search.hpp"

namespace seabattle {

template <class Mask>
class GraphWalk {
public:
    GraphWalk(Search<Hit<Mask>>& search, seabattle_graph& counted)
        : search_(search), counted_(counted) {}

    /// Visit a sub-table after all below it, and count them; false where it has to stop.
    ///
    /// It is entered in the table only then, so that another call goes on where this one stopped.
    bool visit(const Part<Mask>& part, int depth) {
        const Keys<Mask>& keys = search_.keys();
        std::array<Word, std::size_t(most_closed_words<Mask>)> key;
        keys.make_closed(part.closure, key.data());
        if (search_.table().look_up(key.data(), no_limit) != empty) return true;
        const Rows<Mask> rows = part.rows();
        if (!search_.counters().spend(rows.count)) return false;
        const Mask unknown = part.closure.unknown();
        Columns<Mask>& columns = search_.columns(depth);
        columns.count_rows(rows, part.closure);
        for (int i = 0; i < columns.count(); ++i) {
            Parting<Mask> parting(rows, columns.cell(i));
            for (const bool missed : {false, true}) {
                const Closure<Mask> closure = missed ? columns.miss(i) : columns.hit(i);
                const Part<Mask> child{
                    .own_rows = {}, .parting = &parting, .closure = closure, .missed = missed};
                if (!visit(child, depth + 1)) return false;
            }
        }
        if (!search_.table().enter(key.data(), Entry::bound(0, no_limit), search_.counters()))
            return false;
        const Count size =
            search_.game().symmetry_count / keys.symmetries_of_closed(part.closure, key.data());
        counted_.vertices += size;
        counted_.edges += 2 * popcount(unknown) * size;
        ++counted_.orbits;
        return true;
    }

private:
    Search<Hit<Mask>>& search_;
    seabattle_graph& counted_;
};

}  // namespace seabattle

extern "C" int64_t seabattle_graph_walk(uint8_t* search, size_t, const int32_t* rows,
                                        size_t rows_size, const seabattle_question* question,
                                        seabattle_counters* counters, seabattle_graph* counted) {
    using namespace seabattle;
    return SearchHandle::in(search).with_word([&]<class Model>(Search<Model>& made) -> Count {
        if constexpr (Model::family != Family::hit) {
            return SEABATTLE_INVALID;
        } else {
            made.begin(*question, *counters);
            GraphWalk<typename Model::Mask> walk(made, *counted);
            return walk.visit(made.sub_table({rows, rows_size}, 0), 0) ? 0
                                                                       : Count(SEABATTLE_STOPPED);
        }
    });
}
