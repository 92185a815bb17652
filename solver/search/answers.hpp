// The model of answers: how the answer to a shot parts a sub-table.
//
// A model is a type. `split` parts rows whose answers differ, `make_key` says what a sub-table is
// known by, `ways` how many sequences of answers, misses left out, can still sink the fleet.
// `solver.search.exact_search` gives the proofs.
//
// Hit         answers hit and miss. Certain hits are not shot: they tell nothing. What a shot
// leaves is
//             known from the columns before any row moves.
// ClosedSunk  answers hit, miss, sunk where ships are connected groups of cells (contact rules none
// and
//             corners). All certain hits are shot at once.
// Named       a hit names the ship. All certain hits are shot at once.
// OpenSunk    hit, miss, sunk where ships may touch at their sides. Nothing is shot at once.
#pragma once
#include <type_traits>

#include "solver/search/keys.hpp"

namespace seabattle {

/// The rows of both children of a shot that answers hit or miss; they are parted when they are
/// asked for.
template <class Mask>
class Parting {
public:
    Parting(Rows<Mask> rows, int cell) : rows_(rows), cell_(cell) {}
    Rows<Mask> of(bool missed) {
        if (misses_ < 0) misses_ = rows_.part_by_cells(bit_of<Mask>(cell_));
        return missed ? rows_.part(0, misses_) : rows_.part(misses_, rows_.count);
    }

private:
    Rows<Mask> rows_;
    int cell_;
    Count misses_ = -1;
};

inline constexpr int no_key = -1;

/// A sub-table that is asked about: all rows, or those after a shot.
template <class Mask>
struct Part {
    /// Its rows, parted now where they were not yet.
    Rows<Mask> rows() const { return parting ? parting->of(missed) : own_rows; }
    /// The certain cells whose answers its rows may differ in: the last shot, and what is certain
    /// since then.
    Mask fresh(int last_shot) const {
        return Mask(closure.certain & ~(last_shot < 0 ? shot : shot & ~bit_of<Mask>(last_shot)));
    }

    Rows<Mask> own_rows;
    Parting<Mask>* parting = nullptr;
    Size size{};
    Closure<Mask> closure{};
    Mask shot = 0;          // cells hit so far; but for the last one all rows answer alike there
    Count least = 0;        // lower bound on its misses
    bool missed = false;    // the shot missed in its rows
    bool known = false;     // its value is `least`
    int symmetry = no_key;  // gives its key, where one was made
    Word* key = nullptr;
};

/// Parts of the sub-tables on the path, a stack. Keys lie beside them, a place each.
template <class Mask>
class Parts {
public:
    Parts(Count room, int key_words, Arena& arena)
        : parts_(arena.take<Part<Mask>>(room)), keys_(arena.take<Word>(room * key_words)) {
        if (arena.full()) return;
        for (Count p = 0; p < room; ++p) parts_[p].key = keys_.row(p, key_words).begin();
    }

    Count top() const { return top_; }
    /// Take off what was put on since the top was this.
    void release(Count top) { top_ = top; }
    Part<Mask>& operator[](Count p) const { return parts_[p]; }
    Part<Mask>* at(Count p) const { return parts_.begin() + p; }

    /// Put rows on the stack, not closed yet; false where there is no room.
    bool push(Rows<Mask> rows, bool missed, Mask shot) {
        if (top_ == parts_.size()) return false;
        Part<Mask>& part = parts_[top_++];
        part.own_rows = rows;
        part.missed = missed;
        part.shot = shot;
        part.symmetry = no_key;
        return true;
    }

private:
    Array<Part<Mask>> parts_;
    Array<Word> keys_;
    Count top_ = 0;
};

/// Takes off, at its end, all parts that were put on since it began.
template <class Mask>
class PartsAbove {
public:
    explicit PartsAbove(Parts<Mask>& parts) : parts_(parts), top_(parts.top()) {}
    ~PartsAbove() { parts_.release(top_); }
    PartsAbove(const PartsAbove&) = delete;

private:
    Parts<Mask>& parts_;
    Count top_;
};

/// Smaller ones first; those of as many rows stay in their order.
template <class Mask>
void sort_by_rows(Part<Mask>* first, Part<Mask>* end) {
    for (Part<Mask>* part = first; part < end; ++part)
        for (Part<Mask>* p = part; p > first && p->size.rows < p[-1].size.rows; --p)
            std::swap(*p, p[-1]);
}

enum class Family : std::int32_t { closed_sunk = 1, open_sunk, named, hit };

/// Where H and M are all that a sub-table is known by. What a shot leaves is known from the columns
/// then, if it is *whole*: all its rows surely answer alike where they are certain.
template <class Mask>
struct KnownByCells {
    static constexpr bool is_known_by_cells = true;
    static int make_key(const Part<Mask>& part, Keys<Mask>& keys, Word* key) {
        keys.make_closed(part.closure, key);
        return 0;  // which symmetry gives it is asked for rarely, and found then
    }
    static int symmetry(const Part<Mask>& part, const Keys<Mask>& keys) {
        return keys.symmetry_of_closed(part.closure, part.key);
    }
};

template <class MaskOfCells>
struct Hit : KnownByCells<MaskOfCells> {
    using Mask = MaskOfCells;
    static constexpr Family family = Family::hit;

    static Count split(const Game<Mask>&, const Part<Mask>& part, int) {
        return part.own_rows.count;
    }
    static bool is_whole(const Game<Mask>&, Closure<Mask>, Mask) { return true; }
    static Count ways(const Game<Mask>&, Count, Mask) { return 1; }
};

template <class MaskOfCells>
struct ClosedSunk : KnownByCells<MaskOfCells> {
    using Mask = MaskOfCells;
    static constexpr Family family = Family::closed_sunk;

    /// A group of certain cells connected by their sides lies in one ship; it is sunk in a row
    /// exactly when the row occupies no cell around it. The first group whose answer differs
    /// between rows splits them, the sunk ones to the front. A group without a fresh cell answers
    /// as before.
    static Count split(const Game<Mask>& game, const Part<Mask>& part, int cell) {
        const Rows<Mask> rows = part.own_rows;
        for (Mask left = part.fresh(cell); left;) {
            const CellGroup<Mask> group = game.group_of(lowest_bit(left), part.closure.certain);
            left &= ~group.cells;
            const Mask around = group.around & part.closure.occupied;
            if (!around) continue;
            const Count sunk = rows.without(around);
            if (0 < sunk && sunk < rows.count) return rows.part_by_cells(around);
        }
        return rows.count;
    }
    /// A group that is as long as no ship is not sunk, and one with no cell beside it is. Of any
    /// other, H and M are the key of those rows alone in which it is not sunk: a weaker bound.
    ///
    /// fresh : certain cells whose answers rows may differ in
    static bool is_whole(const Game<Mask>& game, Closure<Mask> closure, Mask fresh) {
        for (Mask left = fresh; left;) {
            const CellGroup<Mask> group = game.group_of(lowest_bit(left), closure.certain);
            left &= ~group.cells;
            if (!(group.around & closure.occupied)) continue;
            for (Count length : game.lengths)
                if (length == popcount(group.cells)) return false;
        }
        return true;
    }
    /// See `sinking_patterns` of bounds.py.
    static Count ways(const Game<Mask>& game, Count row, Mask hit) {
        unsigned afloat = 0;
        int struck = 0;
        for (int d = 0; d < game.ship_count; ++d) {
            const Mask ship = game.ship(row, d), cells = ship & hit;
            if (cells == ship) continue;
            afloat |= 1u << d;
            struck += popcount(cells);
        }
        const Count place = Count(afloat) * (game.fleet_cells + 1) + struck;
        return place < game.patterns.size() ? game.patterns[place] : 0;
    }
};

template <class MaskOfCells>
struct Named {
    using Mask = MaskOfCells;
    static constexpr Family family = Family::named;
    static constexpr bool is_known_by_cells = false;

    /// Rows named like the first one on the certain cells to the front. Ships without a fresh cell
    /// are named as before.
    static Count split(const Game<Mask>& game, const Part<Mask>& part, int cell) {
        const Rows<Mask> rows = part.own_rows;
        const Mask certain = part.closure.certain, fresh = part.fresh(cell);
        if (!fresh) return rows.count;
        const Names names(game, rows.number(0), certain, fresh);
        return rows.template part_by<false>(1, [&](Count j) { return names.fit(rows.number(j)); });
    }
    /// The ships of a row on some cells.
    class Names {
    public:
        /// named : only ships with a cell among these are looked at
        Names(const Game<Mask>& game, Count row, Mask cells, Mask named)
            : game_(game), cells_(cells) {
            for (int d = 0; d < game.ship_count; ++d)
                if (const Mask ship = game.ship(row, d); ship & named)
                    groups_[count_++] = {Mask(ship & cells), game.lengths[d]};
        }
        /// Whether another row puts ships of the same lengths on the same groups of those cells.
        bool fit(Count row) const {
            for (int g = 0; g < count_; ++g) {
                const int d = game_.ship_at(row, lowest_bit(groups_[g].cells));
                if ((game_.ship(row, d) & cells_) != groups_[g].cells ||
                    game_.lengths[d] != groups_[g].length)
                    return false;
            }
            return true;
        }

    private:
        /// Cells in which a ship of some length lies.
        struct Group {
            Mask cells;
            Count length;
        };
        const Game<Mask>& game_;
        Mask cells_;
        Group groups_[8 * sizeof(Mask)];
        int count_ = 0;
    };
    static int make_key(const Part<Mask>& part, Keys<Mask>& keys, Word* key) {
        return keys.make_named(part.rows().number(0), part.closure, key);
    }
    static int symmetry(const Part<Mask>& part, const Keys<Mask>&) { return part.symmetry; }
    /// Every order of the ships' cells counts (equal ships told apart: more than there are, which
    /// only weakens the bound); 0, not counted, beyond 2^40.
    static Count ways(const Game<Mask>& game, Count row, Mask hit) {
        Count left = 0, ways = 1;
        for (int d = 0; d < game.ship_count; ++d) {
            const Count more = game.lengths[d] - popcount(Mask(game.ship(row, d) & hit));
            left += more;
            if (left > 20) return 0;
            for (Count i = 1; i <= more; ++i) {  // a binomial coefficient, step by step
                ways = ways * (left - more + i) / i;
                if (ways > Count{1} << 40) return 0;
            }
        }
        return ways;
    }
};

template <class MaskOfCells>
struct OpenSunk {
    using Mask = MaskOfCells;
    static constexpr Family family = Family::open_sunk;
    static constexpr bool is_known_by_cells = false;

    /// Rows that answer the shot like the first one to the front.
    static Count split(const Game<Mask>& game, const Part<Mask>& part, int cell) {
        const Rows<Mask> rows = part.own_rows;
        if (part.missed || cell < 0) return rows.count;
        const Count first = answer(game, rows.number(0), cell, part.shot);
        return rows.template part_by<false>(
            1, [&](Count j) { return answer(game, rows.number(j), cell, part.shot) == first; });
    }
    static int make_key(const Part<Mask>& part, Keys<Mask>& keys, Word* key) {
        return keys.make_open(part.rows(), part.shot, key);
    }
    static int symmetry(const Part<Mask>& part, const Keys<Mask>&) { return part.symmetry; }
    static Count ways(const Game<Mask>& game, Count row, Mask hit) {
        return ClosedSunk<Mask>::ways(game, row, hit);
    }
    /// Cells of ships that lie alike in all rows, where some are not shot yet. A shot at one of
    /// them costs nothing and tells nothing, whenever it is made: all rows answer it alike, and no
    /// answer at another cell depends on it. So they may be taken as shot.
    static Mask settled_ships(const Game<Mask>& game, Rows<Mask> rows, Mask certain, Mask shot) {
        Mask settled = 0;
        for (int d = 0; d < game.ship_count; ++d) {
            const Mask cells = game.ship(rows.number(0), d);
            if ((cells & ~certain) || !(cells & ~shot)) continue;
            bool alike = true;
            for (Count i = 1; i < rows.count && alike; ++i) {
                const int there = game.ship_at(rows.number(i), lowest_bit(cells));
                alike = game.ship(rows.number(i), there) == cells;
            }
            if (alike) settled |= cells;
        }
        return settled;
    }

private:
    /// Answer of a row that is hit: 1 hit, 2 sunk, or 2 and the ship's length where it is told.
    ///
    /// shot : cells hit so far, this one among them
    static Count answer(const Game<Mask>& game, Count row, int cell, Mask shot) {
        const int d = game.ship_at(row, cell);
        if (game.ship(row, d) & ~shot) return 1;
        return game.announced ? 2 + game.lengths[d] : 2;
    }
};

/// Close the parts from `first` on: what their rows have in common and weigh, once they are split
/// by all that answers tell. What is split off takes new places at the top. False where there is no
/// room.
///
/// cell : the shot that they answer, -1 for none
template <class Model>
bool close_parts(const Game<typename Model::Mask>& game, Parts<typename Model::Mask>& parts,
                 Count first, int cell) {
    using Mask = typename Model::Mask;
    for (Count p = first; p < parts.top();) {
        Part<Mask>& part = parts[p];
        const Rows<Mask> rows = part.own_rows;
        part.closure = rows.closure(game.full);
        const bool tells = Model::family == Family::open_sunk || !part.closure.is_single();
        const Count front = tells ? Model::split(game, part, cell) : rows.count;
        if (front < rows.count) {
            if (!parts.push(rows.part(front, rows.count), part.missed, part.shot)) return false;
            part.own_rows = rows.part(0, front);
            continue;
        }
        part.size = {rows.count, game.weight_of(rows)};
        ++p;
    }
    return true;
}

/// Part rows into those that a shot misses, which come first, and those that it hits. They go on
/// the stack, not closed yet; false where there is no room.
template <class Mask>
bool part_by_shot(Rows<Mask> rows, int cell, std::type_identity_t<Mask> shot, Parts<Mask>& parts) {
    const Count misses = rows.part_by_cells(bit_of<Mask>(cell));
    if (misses > 0 && !parts.push(rows.part(0, misses), true, shot)) return false;
    return misses == rows.count ||
           parts.push(rows.part(misses, rows.count), false, Mask(shot | bit_of<Mask>(cell)));
}

/// The same, closed: the sub-tables that the answers to the shot leave.
template <class Model>
bool part_by_answers(const Game<typename Model::Mask>& game, Parts<typename Model::Mask>& parts,
                     Rows<typename Model::Mask> rows, int cell, typename Model::Mask shot) {
    const Count first = parts.top();
    return part_by_shot(rows, cell, shot, parts) && close_parts<Model>(game, parts, first, cell);
}

}  // namespace seabattle
