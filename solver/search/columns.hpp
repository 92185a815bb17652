// Columns of a sub-table: how many rows occupy each undetermined cell, and what a shot there
// leaves.
#pragma once
#include <array>

#include "enumerate/core/vectors.hpp"
#include "solver/search/rows.hpp"

namespace seabattle {

/// The columns of the undetermined cells, in the order of the cells: a lane each.
template <class Mask>
class Columns {
    static constexpr int places = 8 * sizeof(Mask), lanes = lanes_of<Mask>, groups = places / lanes;
    using Lanes = Vector<Mask>;

public:
    int count() const { return count_; }
    int cell(int i) const { return cells_[std::size_t(i)]; }
    int place_of(int cell) const { return popcount(Mask(unknown_ & (bit_of<Mask>(cell) - 1))); }
    Mask unknown() const { return unknown_; }
    Count rows(int i) const { return Count(lane(group(i).hits, i)); }
    /// What every row and some row occupies after a hit, and after a miss.
    Closure<Mask> hit(int i) const {
        return {Mask(~lane(group(i).hit_lacks, i)), lane(group(i).hit_has, i)};
    }
    Closure<Mask> miss(int i) const {
        return {Mask(~lane(group(i).miss_lacks, i)), lane(group(i).miss_has, i)};
    }

    /// Whether another cell is at least as good a shot: every row that occupies this one has it. Of
    /// cells with equal columns the first one stays.
    bool is_dominated(int i) const {
        const Mask alike = hit(i).certain & unknown_ & ~bit_of<Mask>(cell(i));
        for (int d : Cells(alike))
            if (d < cell(i) || rows(place_of(d)) > rows(i)) return true;
        return false;
    }

    /// Every row is compared with the bits of as many cells as a register holds.
    void count_rows(Rows<Mask> rows, Mask unknown) {
        unknown_ = unknown;
        count_ = 0;
        for (int cell : Cells(unknown)) cells_[std::size_t(count_++)] = std::uint8_t(cell);
        for (int first = 0; first < count_; first += lanes) {
            Lanes bit{};
            for (int i = first; i < std::min(first + lanes, count_); ++i)
                set_lane(bit, i - first, bit_of<Mask>(cell(i)));
            Group counted{};
            for (Count i = 0; i < rows.count; ++i) {
                const Lanes row = everywhere(rows.masks[i]);
                const Lanes hit = where_not_zero(Lanes(row & bit));
                counted.hits -= hit;  // all ones is -1
                counted.hit_has |= row & hit;
                counted.hit_lacks |= ~row & hit;
                counted.miss_has |= row & ~hit;
                counted.miss_lacks |= ~(row | hit);
            }
            groups_[std::size_t(first / lanes)] = counted;
        }
    }

private:
    struct Group {
        Lanes hits, hit_has, hit_lacks, miss_has, miss_lacks;
    };
    const Group& group(int i) const { return groups_[std::size_t(i / lanes)]; }
    static Mask lane(const Lanes& vector, int i) { return lane_of<Mask>(vector, i % lanes); }

    int count_ = 0;
    Mask unknown_ = 0;
    std::array<std::uint8_t, places> cells_{};
    std::array<Group, groups> groups_;
};

}  // namespace seabattle
