// Rows of a sub-table: the layouts still possible, as masks of the cells that they occupy.
#pragma once
#include <utility>

#include "solver/search/question.hpp"

namespace seabattle {

/// What every row of a sub-table occupies (H), and what some row does (U).
template <class Mask>
struct Closure {
    Mask certain, occupied;

    constexpr bool is_single() const { return certain == occupied; }
    constexpr Mask unknown() const { return Mask(occupied & ~certain); }
};

/// Rows side by side in memory; they change places as shots part them.
///
/// numbers : of the rows, where more has to be known of them than their cells; else null
template <class Mask>
struct Rows {
    Mask* masks = nullptr;
    std::int32_t* numbers = nullptr;
    Count count = 0;

    Rows part(Count first, Count end) const {
        SEABATTLE_ASSERT(0 <= first && first <= end && end <= count);
        return {masks + first, numbers ? numbers + first : nullptr, end - first};
    }
    std::int32_t number(Count i) const {
        SEABATTLE_ASSERT(numbers && 0 <= i && i < count);
        return numbers[i];
    }

    /// Part the rows, those for which `is_front(i)` holds to the front; returns how many they are.
    ///
    /// front : rows that are known to stay there
    /// always : whether rows change places before it is known whether they have to, where that
    /// cannot be predicted and is soon known
    template <bool always, class Test>
    Count part_by(Count front, Test is_front) const {
        for (Count j = front; j < count; ++j) {
            const bool stays = is_front(j);
            const Count to = always || stays ? front : j;
            std::swap(masks[j], masks[to]);
            if (numbers) std::swap(numbers[j], numbers[to]);
            front += stays;
        }
        return front;
    }
    /// Part them by some cells: those that occupy none come first.
    Count part_by_cells(Mask cells) const {
        return part_by<true>(0, [&](Count j) { return (masks[j] & cells) == 0; });
    }

    /// How many of them occupy none of some cells.
    Count without(Mask cells) const {
        Count found = 0;
        for (Count i = 0; i < count; ++i) found += (masks[i] & cells) == 0;
        return found;
    }

    Closure<Mask> closure(Mask full) const {
        Closure<Mask> closure{full, 0};
        for (Count i = 0; i < count; ++i) {
            closure.certain &= masks[i];
            closure.occupied |= masks[i];
        }
        return closure;
    }
};

}  // namespace seabattle
