// Bound from what a sub-table costs once the cells around a hit are revealed.
//
// Where ships do not touch at their sides, all ship cells beside a group of hits are of its ship.
// Take a sub-table S with such a group, not sunk yet, and let B be cells not hit yet that no other
// ship occupies in any layout of S. Part the layouts by the cells N of B that they occupy. Each
// part S_N has a value of its own, as if N had been revealed. Call layouts *alike* if they differ
// in B alone: the other ships are the same, and so are the cells outside B of the group's ship.
// Then
//
//     total(S) >= sum over N of total(S_N) + sum over all sets G of layouts alike of total(G).
//
// Proof. Take any tree of S. Leave out all layouts but those of S_N, the hits at N, which are
// certain there, and the shots at the rest of B, which none of S_N occupies: a tree of S_N is left.
// So the layouts of S_N miss total(S_N) times at least, and all misses at cells of B come on top of
// that. As to these, leave out all layouts but those of a set G. A shot outside B tells nothing:
// there all of G occupy the same cells. Nor is a ship sunk there in one layout and not in another.
// The other ships are the same; and if all cells of the group's ship are shot in one layout and all
// answers have been alike, the other layouts have their ship there, too. So a tree of G is left in
// which all shots that tell anything are at B, and its misses there are total(G) at least.
//
// With weights w1 >= w2 >= ... of the layouts of G, the first k of them cost (wk - wk+1) times what
// they would cost without weights, at least, and that is added up over k. A limit of misses holds
// in every part, too.
//
// The layouts of G differ in one ship, of which a cell is known. What it takes to find it depends
// on its length and on the placements in question alone. A ship of length l lies in 2l ways over a
// cell, across or down: placement i < l has i cells to the left of the known one, placement l + i
// has i cells above it. `line_misses` of bounds.py lists the least misses of every set of
// placements.
#pragma once
#include "solver/search/answers.hpp"
#include "solver/search/table.hpp"

namespace seabattle {

template <class Mask>
class RevealBound {
public:
    static constexpr Count most_rows = 1 << 14;

    /// B, all cells that the group's ship may occupy and no other ship does, and a cell of the
    /// group; B is empty without a group, or where it is not used.
    struct Revealed {
        Mask cells = 0;
        int seed = -1;
    };

    RevealBound(const Game<Mask>& game, Count least_rows, Arena& arena)
        : game_(game), least_rows_(least_rows) {
        const Count rows = least_rows > 0 ? std::min(game.rows.size(), most_rows) : 0;
        own_ = arena.take<Mask>(rows);
        order_ = arena.take<std::int32_t>(game.weight_range.differ() ? rows : 0);
        sets_ = arena.take<Alike>(rows);
        numbers_ = arena.take<std::int32_t>(places_for(rows));
    }

    /// For the longest group not sunk yet.
    Revealed cells(Rows<Mask> rows, Closure<Mask> closure) const {
        Revealed found;
        if (least_rows_ == 0 || rows.count < least_rows_ || rows.count > most_rows) return found;
        int longest = 0;
        for (Mask left = closure.certain; left;) {
            const int first = lowest_bit(left);
            const CellGroup<Mask> group = game_.group_of(first, closure.certain);
            left &= ~group.cells;
            const int length = popcount(group.cells);
            if (!(group.around & closure.occupied) || length <= longest) continue;
            longest = length;
            found.seed = first;
        }
        if (longest == 0) return found;
        Mask others = 0;
        for (Count i = 0; i < rows.count; ++i) {
            const Count row = rows.number(i);
            const Mask own = own_[i] = game_.ship(row, game_.ship_at(row, found.seed));
            found.cells |= own;
            others |= rows.masks[i] & ~own;
        }
        found.cells &= ~(others | closure.certain);
        return found;
    }

    /// Weight of the misses at B that it takes to tell rows apart that are alike; asked at once
    /// after `cells`, of the same rows.
    Count misses(Rows<Mask> rows, Revealed revealed) const {
        const bool weighted = game_.weight_range.differ();
        if (weighted) order_by_weight(rows);
        const Count columns = game_.lines.size() / (longest_line() + 1);
        const Array<std::int32_t> numbers = numbers_.part(0, places_for(rows.count));
        std::fill(numbers.begin(), numbers.end(), -1);
        Count total = 0, sets = 0;
        for (Count n = 0; n < rows.count; ++n) {
            const Count i = weighted ? order_[n] : n;
            Alike& set = set_of(Mask(rows.masks[i] & ~revealed.cells),
                                Mask(own_[i] & ~revealed.cells), numbers, sets);
            set.placed |= Count{1} << place_in_line(own_[i], revealed.seed);
            const Count misses = game_.lines[popcount(own_[i]) * columns + set.placed];
            total += (weighted ? game_.weights[rows.number(i)] : 1) * (misses - set.misses);
            set.misses = misses;
        }
        return total;
    }

    /// Part rows by the cells of B that they occupy, as after a hit; false where there is no room.
    template <class Model>
    bool part(Rows<Mask> rows, Revealed revealed, Parts<Mask>& parts) const {
        const Count first = parts.top();
        while (rows.count > 0) {
            const Mask found = rows.masks[0] & revealed.cells;
            const Count alike = rows.template part_by<true>(
                1, [&](Count j) { return (rows.masks[j] & revealed.cells) == found; });
            if (!parts.push(rows.part(0, alike), false, 0)) return false;
            rows = rows.part(alike, rows.count);
        }
        return close_parts<Model>(game_, parts, first, -1);
    }

private:
    /// Rows alike: the cells that they share outside B, of all ships and of the group's; and the
    /// placements of that ship which were met, with the misses that it takes to tell them apart.
    struct Alike {
        Mask cells, own;
        Count placed, misses;
    };
    /// Of a hash table of so many rows.
    static Count places_for(Count rows) { return Count(std::bit_ceil(Word(2 * rows))); }
    Count longest_line() const { return game_.lengths[0]; }

    /// Number of a placement among all of its length that occupy a cell.
    static int place_in_line(Mask own, int seed) {
        const int length = popcount(own), first = lowest_bit(own);
        const int before = popcount(Mask(own & (bit_of<Mask>(seed) - 1)));
        const bool is_across = own >> (first + 1) & 1;
        return is_across ? before : length + before;
    }

    /// The heaviest first.
    void order_by_weight(Rows<Mask> rows) const {
        const Array<std::int32_t> order = order_.part(0, rows.count);
        for (Count i = 0; i < rows.count; ++i) order[i] = std::int32_t(i);
        std::sort(order.begin(), order.end(), [&](std::int32_t one, std::int32_t other) {
            return game_.weights[rows.number(one)] > game_.weights[rows.number(other)];
        });
    }
    /// The set of rows that share these cells, a new one where none does.
    ///
    /// numbers : hash table of the sets there are
    Alike& set_of(Mask cells, Mask own, Array<std::int32_t> numbers, Count& sets) const {
        const Word last = Word(numbers.size() - 1);
        for (Word place = place_of_hash(mix(Word(cells)), last);; place = (place + 1) & last) {
            std::int32_t& number = numbers[Count(place)];
            if (number < 0) {
                number = std::int32_t(sets);
                return sets_[sets++] = {cells, own, 0, 0};
            }
            Alike& set = sets_[number];
            if (set.cells == cells && set.own == own) return set;
        }
    }

    const Game<Mask>& game_;
    Count least_rows_;
    // Scratch.
    Array<Mask> own_;              // the group's ship in each row
    Array<std::int32_t> order_;    // of rows whose weights differ
    Array<Alike> sets_;            // of rows alike
    Array<std::int32_t> numbers_;  // of those sets, in a hash table
};

}  // namespace seabattle
