// Trees grown in preorder, misses first, from their open shots alone.
//
// For games in which every occupancy belongs to one layout, answers hit and sunk. Where one layout
// is left the tree ends; where sinkings are announced, cells that every layout still possible
// occupies are shot at once, in reading order; every other shot is open. `trees.plans` tells why.
#pragma once
#include "enumerate/answering.hpp"
#include "solver/search/rows.hpp"

namespace seabattle {

class PlanWalk {
public:
    /// Layouts still possible at a node, and how it was reached.
    struct Segment {
        Rows<Word> rows;
        Word shot;    // cells shot before
        Count above;  // the node that it hangs from, -1 at the root
        Answer answer;
        int misses;
    };

    /// rows : (n,), cells of each layout; ships : (n * ships,), cells of each ship
    PlanWalk(Array<const Word> rows, Array<const Word> ships, int cells, bool tells_sunk,
             Arena& arena)
        : all_(rows),
          ships_(ships),
          ship_count_(rows.empty() ? 0 : ships.size() / rows.size()),
          full_(lowest_bits<Word>(cells)),
          tells_sunk_(tells_sunk),
          masks_(arena.take<Word>(rows.size())),
          numbers_(arena.take<std::int32_t>(rows.size())),
          waiting_(arena.take<Segment>(rows.size() + 2)) {}

    /// Walk the nodes in preorder.
    ///
    /// choose : gives the open shot of a sub-table, from its closure; -1 ends the walk
    /// visit  : takes the segment of a node, its number and its shot, -1 at a leaf; false ends it
    /// Returns how many nodes there are, -1 where the walk was ended.
    template <class Choose, class Visit>
    Count walk(Choose choose, Visit visit) {
        for (Count i = 0; i < all_.size(); ++i) {
            masks_[i] = all_[i];
            numbers_[i] = std::int32_t(i);
        }
        height_ = 0;
        put({{masks_.begin(), numbers_.begin(), all_.size()}, 0, -1, Answer::miss(), 0});
        Count nodes = 0;
        while (height_ > 0) {
            const Segment segment = waiting_[--height_];
            const Closure<Word> closure = segment.rows.closure(full_);
            const Word due = tells_sunk_ ? closure.certain & ~segment.shot : 0;
            const bool is_leaf = closure.is_single();
            const int cell = is_leaf ? -1 : due ? lowest_bit(due) : choose(closure);
            if (!is_leaf && cell < 0) return -1;
            if (!visit(segment, nodes, cell)) return -1;
            if (!is_leaf) part(segment, nodes, cell);
            ++nodes;
        }
        return nodes;
    }

private:
    void put(Segment segment) {
        if (segment.rows.count > 0) waiting_[height_++] = segment;
    }

    /// Put the parts of a segment after a shot on the stack, the misses uppermost.
    void part(const Segment& segment, Count node, int cell) {
        const Word bit = bit_of<Word>(cell), shot = segment.shot | bit;
        const Rows<Word> rows = segment.rows;
        const Count misses = rows.part_by_cells(bit);
        const Rows<Word> struck = rows.part(misses, rows.count);
        const Count afloat = struck.part_by<false>(0, [&](Count j) {
            return !tells_sunk_ || (ship_at(struck.number(j), bit) & ~shot) != 0;
        });
        const int missed = segment.misses;
        put({struck.part(afloat, struck.count), shot, node, Answer::sunk(), missed});
        put({struck.part(0, afloat), shot, node, Answer::hit(), missed});
        put({rows.part(0, misses), shot, node, Answer::miss(), missed + 1});
    }

    /// Cells of the ship of a layout that covers a cell.
    Word ship_at(Count layout, Word bit) const {
        for (const Word ship : ships_.row(layout, ship_count_))
            if (ship & bit) return ship;
        return 0;
    }

    Array<const Word> all_, ships_;
    Count ship_count_;
    Word full_;
    bool tells_sunk_;
    Array<Word> masks_;
    Array<std::int32_t> numbers_;
    Array<Segment> waiting_;  // the segments not visited yet, a stack; they share no layout
    Count height_ = 0;
};

}  // namespace seabattle

extern "C" int64_t seabattle_grow_plan(const uint64_t* rows, size_t rows_size,
                                       const uint64_t* ships, size_t ships_size, int32_t cells,
                                       int32_t tells_sunk, const int8_t* plan, size_t plan_size,
                                       const seabattle_grown* grown, uint8_t* memory,
                                       size_t memory_size) {
    using namespace seabattle;
    if (rows_size == 0 || ships_size % rows_size != 0 || grown->parents_size != grown->shots_size ||
        grown->answers_size != grown->shots_size || grown->layouts_size != grown->shots_size)
        return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
    PlanWalk walk({rows, rows_size}, {ships, ships_size}, cells, tells_sunk != 0, arena);
    if (arena.full()) return SEABATTLE_FULL;
    const Array<const std::int8_t> open(plan, plan_size);
    Count used = 0;
    const auto choose = [&](Closure<Word> closure) {
        if (used == open.size()) return -1;
        const int cell = open[used++];
        return 0 <= cell && cell < cells && (closure.unknown() >> cell & 1) ? cell : -1;
    };
    const auto visit = [&](const PlanWalk::Segment& segment, Count node, int cell) {
        if (node == Count(grown->shots_size)) return false;
        grown->shots[node] = std::int16_t(cell);
        grown->parents[node] = std::int32_t(segment.above);
        grown->answers[node] = std::uint16_t(segment.answer.code);
        grown->layouts[node] = segment.rows.number(0);
        return true;
    };
    const Count nodes = walk.walk(choose, visit);
    return nodes > 0 && used == open.size() ? nodes : 0;
}
