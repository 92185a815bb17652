// Layouts drawn: ships placed one after another, longest first, each at random where it still fits.
#pragma once
#include "solver/players/batches.hpp"

namespace seabattle {

class SequentialLayouts {
public:
    /// slots : (ships * 2,), the placements of each ship, a range
    SequentialLayouts(const Placements& placements, Array<const Count> slots, Arena& arena)
        : placements_(placements),
          slots_(slots),
          free_(arena.take<std::uint8_t>(placements.size())) {}

    /// Place the ships of one layout; a ship that fits nowhere starts it anew. False where it was
    /// given up after so many failures.
    bool draw(Word seed, Count most_failures, Array<std::uint16_t> layout) {
        Count index = 0, failures = 0;
        for (Count d = 0; d < layout.size();) {
            if (d == 0)
                for (std::uint8_t& is_free : free_) is_free = 1;
            const Count first = slots_[2 * d], end = slots_[2 * d + 1];
            const Array<const std::uint8_t> free = free_.part(first, end);
            Count number = 0;
            for (const std::uint8_t is_free : free) number += is_free;
            if (number == 0) {
                if (++failures == most_failures) return false;
                d = 0;
                continue;
            }
            Count skipped = Count((draw_word(seed, index++) >> 32) * Word(number) >> 32);
            Count p = 0;
            while (!free[p] || skipped-- > 0) ++p;
            place(first + p);
            layout[d++] = std::uint16_t(first + p);
        }
        return true;
    }

private:
    void place(Count p) {
        for (const Count cell : placements_.covered(p)) {
            for (const Count q : placements_.covering(cell)) free_[q] = 0;
            for (const Count q : placements_.touching(cell)) free_[q] = 0;
        }
    }

    const Placements& placements_;
    Array<const Count> slots_;
    Array<std::uint8_t> free_;
};

}  // namespace seabattle

extern "C" int32_t seabattle_draw_layouts(const seabattle_placements* placements,
                                          const int64_t* slots, size_t slots_size, uint64_t key,
                                          int64_t first_game, int64_t most_failures,
                                          uint16_t* layouts, size_t layouts_size, uint8_t* memory,
                                          size_t memory_size) {
    using namespace seabattle;
    const Placements tables(*placements);
    const Count ships = Count(slots_size / 2);
    if (!tables.is_valid() || ships == 0 || Count(layouts_size) % ships) return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
    SequentialLayouts drawn(tables, {slots, slots_size}, arena);
    if (arena.full()) return SEABATTLE_FULL;
    const Array<std::uint16_t> found(layouts, layouts_size);
    for (Count g = 0; g < found.size() / ships; ++g)
        if (!drawn.draw(draw_word(key, first_game + g), most_failures, found.row(g, ships)))
            return 1;
    return 0;
}
