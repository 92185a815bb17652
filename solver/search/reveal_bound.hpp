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
        : game_(game),
          least_rows_(least_rows),
          heads_(arena.take<std::int32_t>(least_rows > 0 ? places_for(game.rows.size()) : 0)),
          next_(arena.take<std::int32_t>(least_rows > 0 ? game.rows.size() : 0)) {}

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
            const Mask own = own_ship(rows.number(i), found.seed);
            found.cells |= own;
            others |= rows.masks[i] & ~own;
        }
        found.cells &= ~(others | closure.certain);
        return found;
    }

    /// Weight of the misses at B that it takes to tell rows apart that are alike.
    Count misses(Rows<Mask> rows, Revealed revealed) const {
        const Count columns = game_.lines.size() / (longest_line() + 1);
        Count total = 0;
        for (const std::int32_t head : list_alike(rows, revealed)) {
            Count placed = 0, misses = 0;
            for (Count i = head; i >= 0; i = next_[i]) {
                const Count row = rows.number(i);
                const Mask own = own_ship(row, revealed.seed);
                placed |= Count{1} << place_in_line(own, revealed.seed);
                const Count more = game_.lines[popcount(own) * columns + placed];
                total += game_.weights[row] * (more - misses);
                misses = more;
            }
        }
        return total;
    }

    /// Part rows by the cells of B that they occupy, as after a hit; false where there is no room.
    template <class Model>
    bool part(Rows<Mask> rows, Revealed revealed, Parts<Mask>& parts) const {
        const Count first = parts.top();
        if (!parts.push(rows, false, 0)) return false;
        for (int cell : Cells(revealed.cells))
            for (Count p = first; p < parts.top(); ++p) {
                Part<Mask>& part = parts[p];
                const Rows<Mask> whole = part.own_rows;
                const Count water = whole.part_by_cells(bit_of<Mask>(cell));
                if (water == 0 || water == whole.count) continue;
                if (!parts.push(whole.part(water, whole.count), false, 0)) return false;
                part.own_rows = whole.part(0, water);
            }
        return close_parts<Model>(game_, parts, first, -1);
    }

private:
    /// Of a hash table of so many rows.
    static Count places_for(Count rows) {
        return Count(std::bit_ceil(Word(2 * std::min(rows, most_rows))));
    }
    Count longest_line() const { return game_.lengths[0]; }
    Mask own_ship(Count row, int seed) const { return game_.ship(row, game_.ship_at(row, seed)); }

    /// Number of a placement among all of its length that occupy a cell.
    static int place_in_line(Mask own, int seed) {
        const int length = popcount(own), first = lowest_bit(own);
        const int before = popcount(Mask(own & (bit_of<Mask>(seed) - 1)));
        const bool is_across = own >> (first + 1) & 1;
        return is_across ? before : length + before;
    }

    /// The heaviest row of each set of rows alike, -1 where none is; `next_` leads from each row to
    /// the one after it in its set, the heaviest first.
    Array<std::int32_t> list_alike(Rows<Mask> rows, Revealed revealed) const {
        const Count places = places_for(rows.count);
        const Array<std::int32_t> heads = heads_.part(0, places);
        std::fill(heads.begin(), heads.end(), -1);
        auto of =
            [&](Count i) {  // what rows alike share: cells outside B, and those of the ship there
                const Mask own = own_ship(rows.number(i), revealed.seed);
                return std::pair(Mask(rows.masks[i] & ~revealed.cells),
                                 Mask(own & ~revealed.cells));
            };
        for (Count i = 0; i < rows.count; ++i) {
            const auto shared = of(i);
            Word place = place_of_hash(mix(Word(shared.first)), Word(places) - 1);
            while (heads[Count(place)] >= 0 && of(heads[Count(place)]) != shared)
                place = (place + 1) & (Word(places) - 1);
            std::int32_t* link = &heads[Count(place)];
            while (*link >= 0 && weight(rows, *link) > weight(rows, i)) link = &next_[*link];
            next_[i] = *link;
            *link = std::int32_t(i);
        }
        return heads;
    }
    Count weight(Rows<Mask> rows, Count i) const { return game_.weights[rows.number(i)]; }

    const Game<Mask>& game_;
    Count least_rows_;
    Array<std::int32_t> heads_, next_;  // scratch
};

}  // namespace seabattle
