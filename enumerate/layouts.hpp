// Layouts: every way to place the whole fleet, each once, in the order of their placement numbers.
//
// Ships are placed in the fleet's order. A ship of the form of the one before it takes a higher
// placement number, so identical ships are never swapped. Closed to the ships to come are the cells
// of those placed, and the cells that these forbid.
#pragma once
#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle {

template <class Mask>
class LayoutLister {
public:
    struct Slot {
        Count first, end;  // placements of a ship
        Count is_alike;    // 1 where it has the form of the ship before it
    };

    Masks<Mask> masks, halos;
    Array<const std::uint8_t> allowed;
    Array<const Count> slots;
    Count most;
    Array<std::uint16_t> placed, layouts;
    Count found = 0;
    bool is_full = false;

    /// List the layouts whose first ship is one of these placements.
    void list(Count first, Count end) { place(0, Mask{0}, first, end); }

private:
    Slot slot(Count ship) const {
        return {slots[3 * ship], slots[3 * ship + 1], slots[3 * ship + 2]};
    }

    void place(Count ship, Mask closed, Count first, Count end) {
        for (Count p = first; p < end && found <= most && !is_full; ++p) {
            if (!allowed[p] || (masks[p] & closed)) continue;
            placed[ship] = std::uint16_t(p);
            if (ship + 1 == placed.size()) {
                keep();
                continue;
            }
            const Slot next = slot(ship + 1);
            place(ship + 1, closed | halos[p], next.is_alike ? p + 1 : next.first, next.end);
        }
    }

    void keep() {
        const Count ships = placed.size();
        if (!layouts.empty()) {
            is_full = (found + 1) * ships > layouts.size();
            if (is_full) return;
            for (Count d = 0; d < ships; ++d) layouts[found * ships + d] = placed[d];
        }
        ++found;
    }
};

}  // namespace seabattle

extern "C" int64_t seabattle_list_layouts(const uint64_t* masks, size_t masks_size,
                                          const uint64_t* halos, size_t halos_size,
                                          const uint8_t* allowed, size_t allowed_size,
                                          const int64_t* slots, size_t slots_size, int32_t words,
                                          int64_t first, int64_t end, int64_t most,
                                          uint16_t* placed, size_t placed_size, uint16_t* layouts,
                                          size_t layouts_size) {
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
            lister.halos.size() != lister.allowed.size())
            return SEABATTLE_INVALID;
        lister.list(first, end);
        return lister.is_full ? Count(SEABATTLE_FULL) : lister.found;
    };
    return words == 1 ? list(Word{}) : list(DoubleWord{});
}
