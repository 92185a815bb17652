// Columns of a sub-table: how many rows occupy each undetermined cell, and what a shot there
// leaves.
#pragma once
#include <array>

#include "enumerate/core/vectors.hpp"
#include "solver/search/rows.hpp"

namespace seabattle {

/// The columns of the undetermined cells, in the order of the cells.
template <class Mask>
class Columns {
    static constexpr int places = 8 * sizeof(Mask), lanes = lanes_of<Mask>;
    using Lanes = Vector<Mask>;

public:
    int count() const { return count_; }
    int cell(int i) const { return cells_[std::size_t(i)]; }
    int place_of(int cell) const { return popcount(Mask(unknown_ & (bit_of<Mask>(cell) - 1))); }
    Mask unknown() const { return unknown_; }
    Count rows(int i) const { return Count(hits_[std::size_t(i)]); }
    /// What every row and some row occupies after a hit, and after a miss.
    Closure<Mask> hit(int i) const {
        return {Mask(~hit_lacks_[std::size_t(i)]), hit_has_[std::size_t(i)]};
    }
    Closure<Mask> miss(int i) const {
        return {Mask(~miss_lacks_[std::size_t(i)]), miss_has_[std::size_t(i)]};
    }

    /// Whether another cell is at least as good a shot: every row that occupies this one has it. Of
    /// cells with equal columns the first one stays.
    bool is_dominated(int i) const {
        const Mask own = bit_of<Mask>(cell(i)), alike = hit(i).certain & unknown_ & ~own;
        if (alike & (own - 1)) return true;
        for (int d : Cells(alike))
            if (rows(place_of(d)) > rows(i)) return true;
        return false;
    }

    /// Count some rows, of which it is known what every row and some row occupies.
    void count_rows(Rows<Mask> rows, Closure<Mask> closure) {
        unknown_ = closure.unknown();
        count_ = 0;
        for (int cell : Cells(unknown_)) cells_[std::size_t(count_++)] = std::uint8_t(cell);
        if (lanes * popcount(Mask(rows.masks[0] & unknown_)) <= count_)
            count_by_cells(rows, closure);
        else
            count_by_lanes(rows);
    }

private:
    /// Every row is compared with the bits of as many cells as a register holds.
    void count_by_lanes(Rows<Mask> rows) {
        for (int first = 0; first < count_; first += lanes) {
            Lanes bit{};
            for (int i = first; i < std::min(first + lanes, count_); ++i)
                set_lane(bit, i - first, bit_of<Mask>(cell(i)));
            Lanes hits{}, hit_has{}, hit_lacks{}, miss_has{}, miss_lacks{};
            for (Count i = 0; i < rows.count; ++i) {
                const Lanes row = everywhere(rows.masks[i]);
                const Lanes hit = where_not_zero(Lanes(row & bit));
                hits -= hit;  // all ones is -1
                hit_has |= row & hit;
                hit_lacks |= ~row & hit;
                miss_has |= row & ~hit;
                miss_lacks |= ~(row | hit);
            }
            const std::size_t at = std::size_t(first);
            put_lanes(hits, &hits_[at]);
            put_lanes(hit_has, &hit_has_[at]);
            put_lanes(hit_lacks, &hit_lacks_[at]);
            put_lanes(miss_has, &miss_has_[at]);
            put_lanes(miss_lacks, &miss_lacks_[at]);
        }
    }

    /// Where rows occupy few of many cells (one to four times as fast on more than 64), only those
    /// are looked at. What a miss leaves follows: a cell whose rows were all hit is empty then, and
    /// one that occupies all other rows is certain.
    void count_by_cells(Rows<Mask> rows, Closure<Mask> closure) {
        std::array<std::uint8_t, std::size_t(places)> place;
        for (std::size_t i = 0; i < std::size_t(count_); ++i) {
            place[cells_[i]] = std::uint8_t(i);
            hits_[i] = hit_has_[i] = hit_lacks_[i] = 0;
            miss_has_[i] = closure.occupied;
            miss_lacks_[i] = Mask(~closure.certain);
        }
        for (Count i = 0; i < rows.count; ++i) {
            const Mask row = rows.masks[i];
            for (int cell : Cells(Mask(row & unknown_))) {
                const std::size_t at = place[std::size_t(cell)];
                ++hits_[at];
                hit_has_[at] |= row;
                hit_lacks_[at] |= Mask(~row);
            }
        }
        Count most = 0;
        for (int i = 0; i < count_; ++i) {
            most = std::max(most, this->rows(i));
            for (int other : Cells(Mask(hit(i).certain & unknown_)))
                miss_has_[place[std::size_t(other)]] &= Mask(~bit_of<Mask>(cell(i)));
        }
        for (int i = 0; i < count_; ++i) {
            if (this->rows(i) + most < rows.count) continue;
            Mask lacks = 0;
            for (Count row = 0; row < rows.count; ++row)
                if (!(rows.masks[row] & bit_of<Mask>(cell(i)))) lacks |= Mask(~rows.masks[row]);
            miss_lacks_[std::size_t(i)] = lacks;
        }
    }

    int count_ = 0;
    Mask unknown_ = 0;
    std::array<std::uint8_t, std::size_t(places)> cells_{};
    alignas(32) std::array<Mask, std::size_t(places)> hits_, hit_has_, hit_lacks_, miss_has_,
        miss_lacks_;
};

}  // namespace seabattle
