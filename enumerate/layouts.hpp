// Layouts: every way to place the whole fleet, each once, in the order of their placement numbers.
//
// Ships are placed in the fleet's order. A ship of the form of the one before it takes a higher
// placement number, so identical ships are never swapped. Closed to the ships to come are the cells
// of those placed, and the cells that these forbid. The work can stop anywhere: where it goes on is
// told by the placements alone.
#pragma once
#include <array>

#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle {

template <class Mask>
class LayoutLister {
public:
    Masks<Mask> masks, halos;
    Array<const std::uint8_t> allowed;
    Array<const Count> slots;
    Count most;
    Array<std::uint16_t> placed, layouts;
    Count found = 0;
    bool is_full = false;

    /// Go on until all layouts are listed, more than `most`, or some more than so many placements
    /// are tried: those of the ships before `ship` stand, and the next one of it is tried. After
    /// the last layout `ship` is -1.
    void list(std::int32_t& ship, Count allowance) {
        std::array<Mask, 8 * sizeof(Mask)> closed{};  // to each ship
        for (Count d = 0; d < ship; ++d) closed[std::size_t(d + 1)] = close(d, closed);
        while (ship >= 0 && found <= most && allowance > 0) {
            const Count next = ship + 1, end = slots[3 * ship + 1], first = placed[ship];
            const Mask taken = closed[std::size_t(ship)];
            Count p = first;
            for (; p < end; ++p) {
                if (!allowed[p] || (masks[p] & taken)) continue;
                placed[ship] = std::uint16_t(p);
                if (next < placed.size()) break;
                if (!keep()) return;
            }
            allowance -= p - first + 1;
            if (p >= end) {
                if (--ship >= 0) ++placed[ship];
                continue;
            }
            closed[std::size_t(next)] = close(ship, closed);
            placed[next] = std::uint16_t(slots[3 * next + 2] ? p + 1 : slots[3 * next]);
            ++ship;
        }
    }

private:
    Mask close(Count ship, const std::array<Mask, 8 * sizeof(Mask)>& closed) const {
        return closed[std::size_t(ship)] | halos[placed[ship]];
    }
    bool keep() {
        const Count ships = placed.size();
        if (!layouts.empty()) {
            is_full = (found + 1) * ships > layouts.size();
            if (is_full) return false;
            for (Count d = 0; d < ships; ++d) layouts[found * ships + d] = placed[d];
        }
        ++found;
        return true;
    }
};

}  // namespace seabattle

extern "C" int64_t seabattle_list_layouts(const uint64_t* masks, size_t masks_size,
                                          const uint64_t* halos, size_t halos_size,
                                          const uint8_t* allowed, size_t allowed_size,
                                          const int64_t* slots, size_t slots_size, int32_t words,
                                          int64_t most, int64_t allowance, uint16_t* placed,
                                          size_t placed_size, int32_t* ship, size_t ship_size,
                                          uint16_t* layouts, size_t layouts_size) {
    using namespace seabattle;
    auto list = [&]<class Mask>(Mask) -> Count {
        LayoutLister<Mask> lister{.masks = Masks<Mask>({masks, masks_size}),
                                  .halos = Masks<Mask>({halos, halos_size}),
                                  .allowed = {allowed, allowed_size},
                                  .slots = {slots, slots_size},
                                  .most = most,
                                  .placed = {placed, placed_size},
                                  .layouts = {layouts, layouts_size}};
        if (lister.masks.size() != lister.allowed.size() || slots_size != 3 * placed_size ||
            lister.halos.size() != lister.allowed.size() || ship_size != 1 ||
            *ship >= Count(placed_size) || placed_size > 8 * sizeof(Mask))
            return SEABATTLE_INVALID;
        lister.list(*ship, allowance);
        return lister.is_full ? Count(SEABATTLE_FULL) : lister.found;
    };
    return words == 1 ? list(Word{}) : list(DoubleWord{});
}
