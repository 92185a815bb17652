// Coverage: how many layouts a tree can find with few misses once some cells are hit.
//
// The words of bounds.hpp know of a sub-table only how many cells are left to hit. Where few ships
// lie on much water that is far too generous: no shot hits as many layouts as the words allow. Here
// it is counted, for all hits that the game can have, with no miss yet.
//
// Words: a *state* is a closed sub-table of mode `sunk` or `hit` after hits alone (contact rules
// `none` and `corners`, certain hits shot at once). A layout is *found with k misses* by a tree
// when its path has at most k. r(s, k) is an upper bound on the layouts of a state s that any tree
// finds so. States that a symmetry of the rows turns into one another have one r, counted once.
//
// *It holds of sub-tables with misses too.* A closed sub-table S is the layouts that contain H,
// avoid M and, in mode `sunk`, agree which groups of H are sunk (exact_search.py). Without M it is
// a state s, a superset of S. Leave out of a tree of s all layouts but those of S: none gets a miss
// more. So no tree of S finds more than r(s, k) layouts with k misses, and as at least n - r(s, k)
// of its n layouts miss more than k times,
//
//     total(S) >= sum over k of max(0, n - r(s, k))        worst(S) >= first k with r(s, k) >= n.
//
// *How r is counted.* Take a tree of s (or of a part of it), and let c1, c2, ... be the shots on
// its path of all misses, with a last one that hits the leaf at its end, if there is one. A layout
// found with k misses is hit by one of the first k + 1. Those that the shot at c hits with m more
// misses allowed go, by their answer, to states p after a hit at c. In each at most r(p, m) are
// found, and no more than the layouts of p that none of the shots before has hit. So
//
//     r(s, k) = the most that the sum over j = 0 .. k and p of min(left of p, r(p, k - j)) can be,
//
// p after a hit at c_j, over all sequences of cells, is right, by induction on the cells left to
// hit. It is only searched for the first shots; for the rest the largest term at each place is
// taken, and the first j terms are never more than the sum of the j largest columns. Both can only
// enlarge it.
//
// *With columns at hand.* Of a sub-table that is expanded the columns are known. There the path is
// bounded once more in the same way, by its own columns and by the largest sum of r(p, m) over the
// p after a hit at one cell; where no states are counted, by words of one cell less.
//
// With weights, found layouts weigh at most the heaviest each: at least
// max((n - r) * lightest, weight - r * heaviest) misses more than k times.
//
// States are listed after those that follow them, and each is counted as it is listed: what is
// found after every hit is known by then.
#pragma once
#include "solver/search/answers.hpp"
#include "solver/search/bounds.hpp"
#include "solver/search/columns.hpp"
#include "solver/search/table.hpp"

namespace seabattle {

inline constexpr Count no_state = -1;

/// How many layouts can be found with few misses once some cells are hit: states, by their number.
template <class Mask>
class States {
public:
    static constexpr Count misses = 32;  // of more misses than 31 nothing is counted

    States() = default;
    explicit States(seabattle_states& given)
        : given_(&given), slots_({given.slots, given.slots_size}, 2) {}

    Count size() const { return given_ ? given_->size : 0; }
    bool is_full() const { return size() >= Count(given_->found_size) / (2 * misses); }
    /// Layouts found with each number of misses; and of those that one shot hits.
    Array<Count> found(Count state) const { return plane(2 * state); }
    Array<Count> found_after_hit(Count state) const { return plane(2 * state + 1); }

    /// The state of a closed sub-table, or `no_state` where none was counted.
    Count of(const Game<Mask>& game, Count row, Mask certain) const {
        if (size() == 0) return no_state;
        const Word key[2] = {Word(certain), Word(sunk_cells(game, row, certain))};
        const Entry entry = slots_.look_up(key, no_limit);
        return entry == empty ? no_state : entry.misses();
    }
    /// Number the next state, under its hits and sinkings and all images of them.
    void add(const Game<Mask>& game, Count row, Mask certain) const {
        const Mask sunk = sunk_cells(game, row, certain);
        for (int g = 0; g < game.symmetry_count; ++g) {
            const Word key[2] = {Word(game.image_of(certain, g)), Word(game.image_of(sunk, g))};
            slots_.put(key, Entry::bound(given_->size, no_limit));
        }
        ++given_->size;
    }

private:
    Array<Count> plane(Count number) const {
        return Array<Count>(given_->found, given_->found_size).row(number, misses);
    }
    /// Cells of the ships that lie in H: they are sunk, in every row of a sub-table.
    Mask sunk_cells(const Game<Mask>& game, Count row, Mask certain) const {
        Mask sunk = 0;
        for (int d = 0; given_->by_ships && d < game.ship_count; ++d)
            if (!(game.ship(row, d) & ~certain)) sunk |= game.ship(row, d);
        return sunk;
    }

    seabattle_states* given_ = nullptr;
    Table slots_;
};

/// Counts the states of a game.
template <class Model>
class Coverage {
    using Mask = typename Model::Mask;
    static constexpr Count misses = States<Mask>::misses;
    static constexpr int parts_told = 3;  // after a hit; the last one holds what further ones hold
    // How many shots of the path of all misses are tried out one by one, and how many paths for one
    // state and one number of misses, before columns are just added up.
    static constexpr int shots_ahead = 3;
    static constexpr Count paths_tried = 100;

public:
    Coverage(const Game<Mask>& game, States<Mask> states, Parts<Mask>& parts, Counters& counters,
             Arena& arena)
        : game_(game), states_(states), parts_(parts), counters_(counters) {
        const Count rows = game.rows.size();
        after_ = arena.take<AfterHit>(game.cells);
        part_of_row_ = arena.take<std::uint8_t>(game.cells * rows);
        for (Path& path : paths_) path = {arena.take<Left>(rows)};
    }

    /// Count the state of a closed sub-table without misses, after those that follow it. False
    /// where there is no room or the allowance is used up; what was counted is kept.
    bool count(Rows<Mask> rows, Closure<Mask> closure) {
        if (closure.is_single() || states_.of(game_, row_of(rows), closure.certain) != no_state)
            return true;
        Columns<Mask> columns;
        columns.count_rows(rows, closure);
        ColumnList<Mask> cells;
        for (int i = 0; i < columns.count(); ++i) cells.add(columns.cell(i), {columns.rows(i), 0});
        cells.sort(&Size::rows);
        const Count base = parts_.top();
        for (const auto& column : cells) {
            bool goes_on = part(rows, column.cell, base);
            for (Count p = base; goes_on && p < parts_.top(); ++p)
                if (!parts_[p].missed) goes_on = count(parts_[p].own_rows, parts_[p].closure);
            parts_.release(base);
            if (!goes_on) return false;
        }
        if (states_.is_full()) {
            counters_.stop_for(Status::full_states);
            return false;
        }
        if (!counters_.goes_on()) return false;
        for (const auto& column : cells)
            if (!tell_parts(rows, column.cell)) return false;
        count_paths(rows, closure.certain, cells);
        states_.add(game_, row_of(rows), closure.certain);
        return true;
    }

private:
    using Found = std::array<Count, std::size_t(misses)>;
    /// What is found after a hit at a cell, by the parts that the rows go to, and in all.
    struct AfterHit {
        Count parts;
        std::array<Found, parts_told> found;
        Found in_all;
    };
    /// A row that no shot of a path has hit yet.
    struct Left {
        Mask cells;
        std::int32_t number;
    };
    struct Path {
        Array<Left> left;
    };
    /// Rows that are left, by cell, and by cell and part.
    struct LeftColumns {
        std::array<Count, 64> rows{};
        std::array<std::array<Count, parts_told>, 64> by_part{};
        ColumnList<Mask> order;

        Count of(int cell) const { return rows[std::size_t(cell)]; }
    };

    std::int32_t row_of(Rows<Mask> rows) const { return rows.numbers ? rows.number(0) : 0; }
    std::uint8_t& part_of_row(int cell, Count row) const {
        return part_of_row_[cell * game_.rows.size() + row];
    }
    bool part(Rows<Mask> rows, int cell, Count base) {
        if (part_by_answers<Model>(game_, parts_, rows, cell, 0)) return true;
        parts_.release(base);
        counters_.stop_for(Status::full_parts);
        return false;
    }

    /// Tell the parts that the rows of a state go to after a hit at a cell, and what is found
    /// there. Part 0 holds all rows that the hit alone finds.
    bool tell_parts(Rows<Mask> rows, int cell) {
        AfterHit& after = after_[cell];
        after = {};
        const Count base = parts_.top();
        if (!part(rows, cell, base)) return false;
        std::size_t parts = 1;
        for (Count p = base; p < parts_.top(); ++p) {
            const Part<Mask>& part = parts_[p];
            if (part.missed) continue;
            std::size_t q = 0;
            if (part.closure.is_single()) {
                for (Count& found : after.found[0]) ++found;
            } else {
                q = std::min(parts, std::size_t(parts_told - 1));
                parts = q + 1;
                const Count state = states_.of(game_, row_of(part.own_rows), part.closure.certain);
                const Array<Count> found = states_.found(state);
                for (Count k = 0; k < misses; ++k) after.found[q][std::size_t(k)] += found[k];
            }
            for (Count i = 0; i < part.own_rows.count; ++i)
                part_of_row(cell, part.own_rows.number(i)) = std::uint8_t(q);
        }
        for (std::size_t q = 0; q < parts; ++q)
            for (std::size_t k = 0; k < std::size_t(misses); ++k)
                after.in_all[k] += after.found[q][k];
        after.parts = Count(parts);
        parts_.release(base);
        return true;
    }

    /// Set what is found of a state from the states after a hit.
    void count_paths(Rows<Mask> rows, Mask certain, const ColumnList<Mask>& cells) {
        const Count n = rows.count;
        for (Count i = 0; i < n; ++i)
            paths_[0].left[i] = {Mask(rows.masks[i] & ~certain), rows.number(i)};
        const Array<Count> found = states_.found(states_.size());
        const Array<Count> after_hit = states_.found_after_hit(states_.size());
        rows_looked_at_ = 0;
        Count best = 0;
        for (Count k = 0; k < misses; ++k) {
            if (best < n) best = most_of_paths(k, n);
            found[k] = best;
            after_hit[k] = 0;
            for (const auto& column : cells)
                after_hit[k] = std::max(after_hit[k], after_[column.cell].in_all[std::size_t(k)]);
        }
        counters_.spend(rows_looked_at_ + 20 * n);
    }

    /// `most_found` of all n rows of a state, with more and more shots tried out.
    Count most_of_paths(Count k, Count n) {
        paths_left_ = paths_tried;
        Count found = n;
        for (int ahead = 0; ahead <= shots_ahead && paths_left_ > 0; ++ahead)
            found = std::min(found, most_found(k, n, 0, ahead, 0));
        return found;
    }

    /// Upper bound on the rows found by a hit at a cell and k misses more, of those in columns.
    Count found_after(int cell, Count k, const LeftColumns& columns) const {
        const AfterHit& after = after_[cell];
        Count found = 0;
        for (std::size_t q = 0; q < std::size_t(after.parts); ++q)
            found +=
                std::min(columns.by_part[std::size_t(cell)][q], after.found[q][std::size_t(k)]);
        return found;
    }

    /// Upper bound on the rows found with k misses or fewer; the first n of the path are left.
    ///
    /// The shots of the path of all misses are tried out up to `ahead` shots from here; after that
    /// columns are added up. Where it is found to be no more than `enough`, it is not made less.
    /// Nor is it tried once the search has to stop.
    Count most_found(Count k, Count n, int level, int ahead, Count enough) {
        if (n == 0) return 0;
        const Array<Left> left = paths_[level].left;
        rows_looked_at_ += n;
        LeftColumns columns;
        Mask cells = 0;
        for (Count i = 0; i < n; ++i) {
            cells |= left[i].cells;
            for (int c : Cells(left[i].cells)) {
                ++columns.rows[std::size_t(c)];
                ++columns.by_part[std::size_t(c)][part_of_row(c, left[i].number)];
            }
        }
        for (int c : Cells(cells)) columns.order.add(c, {columns.of(c), 0});
        columns.order.sort(&Size::rows);
        Count total = 0, rest = 0, covered = 0;  // rest : the same without the first shot
        for (Count j = 0; j <= k; ++j) {
            Count gain = 0;
            for (const auto& column : columns.order) {
                if (column.size.rows <= gain) break;
                if (after_[column.cell].in_all[std::size_t(k - j)] > gain)
                    gain = std::max(gain, found_after(column.cell, k - j, columns));
            }
            if (j < columns.order.count) covered += columns.order.columns[std::size_t(j)].size.rows;
            total = std::min(total + gain, covered);
            if (j > 0) rest = std::min(rest + gain, covered);
            if (total >= n) {
                total = rest = n;
                break;
            }
        }
        if (ahead == 0 || paths_left_ <= 0 || k == 0 || total <= enough || !counters_.goes_on())
            return total;
        --paths_left_;
        Count best = 0;
        for (const auto& column : columns.order) {
            const Count gain = found_after(column.cell, k, columns);
            if (gain + std::min(rest, n - column.size.rows) <= best) continue;
            const Array<Left> next = paths_[level + 1].left;
            Count m = 0;
            for (Count i = 0; i < n; ++i) {
                next[m] = left[i];
                m += (left[i].cells & bit_of<Mask>(column.cell)) == 0;
            }
            best = std::max(best, gain + most_found(k - 1, m, level + 1, ahead - 1, best - gain));
            if (best >= total) return total;
        }
        return best;
    }

    const Game<Mask>& game_;
    States<Mask> states_;
    Parts<Mask>& parts_;
    Counters& counters_;
    Array<AfterHit> after_;            // by cell
    Array<std::uint8_t> part_of_row_;  // (cells, rows)
    std::array<Path, shots_ahead + 1> paths_;
    Count paths_left_ = 0, rows_looked_at_ = 0;
};

}  // namespace seabattle
