// A sub-table that is searched: what is known of it, its columns, and its shots in order.
#pragma once
#include "solver/search/answers.hpp"
#include "solver/search/bounds.hpp"
#include "solver/search/columns.hpp"

namespace seabattle {

/// What follows hits: sequences of hits and sinkings (0 where they are not counted), ship cells
/// left, and the state of what was hit (see coverage.hpp).
struct Ahead {
    Count ways;
    int cells;
    Count state;
};

template <class Mask>
struct SubTable {
    SubTable(Part<Mask>& its_part, Mask hit, Ahead what_follows, MissLimit its_limit, int level)
        : part(its_part),
          rows(its_part.rows()),
          size(its_part.size),
          closure(its_part.closure),
          shot(hit),
          ahead(what_follows),
          limit(its_limit),
          fewer(after_miss(its_limit)),
          depth(level) {}

    MissLimit limit_of(bool missed) const { return missed ? fewer : limit; }
    bool are_revealed() const { return parts != parts_end; }

    Part<Mask>& part;
    Rows<Mask> rows;
    Size size;
    Closure<Mask> closure;
    Mask shot;
    Ahead ahead;
    MissLimit limit, fewer;  // fewer: what is left of it after a miss
    int depth;
    bool every = false;  // all best shots are sought
    bool due = false;    // certain hits are not shot yet
    // Its parts where the cells around a hit are revealed, and a lower bound on its misses by them.
    Part<Mask>*parts = nullptr, *parts_end = nullptr;
    Count revealed = 0;
};

/// What a shot leaves after a hit, or after a miss, as the columns tell it before any row moves.
template <class Mask>
struct Child {
    Size size;
    Closure<Mask> closure;
    Count least;  // lower bound on its misses
    bool has_key;
    Word place;  // where the table is looked at for it
    std::array<Word, std::size_t(most_closed_words<Mask>)> key;
};

template <class Mask>
struct Shot {
    int cell;
    Count bound;  // lower bound on its value
    Count told;   // and on that of the sub-table, as it is if the answer is told for nothing
    Child<Mask> hit, miss;
};

/// Scratch of one level of the recursion.
template <class Mask>
struct Level {
    static constexpr std::size_t places = 8 * sizeof(Mask);

    Columns<Mask> columns;
    bool are_listed;  // the columns, for bounds:
    ColumnList<Mask> by_rows, by_weight;
    bool weighted;
    std::array<Count, places> weights;       // of the columns, by cell
    Array<Shot<Mask>> shots;                 // in the order of their cells
    std::array<std::uint8_t, places> order;  // in which they are tried

    /// Count the columns of a sub-table; none is listed yet.
    void count_columns(Rows<Mask> rows, Closure<Mask> closure, const Game<Mask>& game) {
        are_listed = false;
        columns.count_rows(rows, closure);
        weighted = game.weight_range.differ();
        if (weighted) weights = game.weights_of_columns(rows, columns.unknown());
    }
    Size size_of_column(int i) const {
        const Count rows = columns.rows(i);
        return {rows, weighted ? weights[std::size_t(columns.cell(i))] : rows};
    }
    void list_columns() {
        are_listed = true;
        by_rows.count = 0;
        for (int i = 0; i < columns.count(); ++i) by_rows.add(columns.cell(i), size_of_column(i));
        if (weighted) {
            by_weight = by_rows;
            by_weight.sort(&Size::weight);
        }
        by_rows.sort(&Size::rows);
    }
    const ColumnList<Mask>& heaviest() const { return weighted ? by_weight : by_rows; }
    /// Which of the columns is the n-th heaviest.
    int place_in_list(int n) const {
        return columns.place_of(heaviest().columns[std::size_t(n)].cell);
    }

    /// What each shot leaves, without bounds and keys yet.
    void list_shots(const SubTable<Mask>& sub) {
        for (int i = 0; i < columns.count(); ++i) {
            Shot<Mask>& shot = list_shot(sub, i, columns.cell(i), size_of_column(i));
            shot.hit.closure = columns.hit(i);
            shot.miss.closure = columns.miss(i);
        }
    }
    Shot<Mask>& list_shot(const SubTable<Mask>& sub, int i, int cell, Size hit) {
        Shot<Mask>& shot = shots[i];
        shot.cell = cell;
        shot.bound = shot.hit.least = shot.miss.least = 0;
        shot.hit.size = hit;
        shot.miss.size = sub.size - hit;
        shot.hit.has_key = shot.miss.has_key = false;
        return shot;
    }
    Shot<Mask>& in_order(int q) const { return shots[order[std::size_t(q)]]; }
    /// Put a shot among those in order, of which there are so many: those that most weight occupies
    /// come first.
    ///
    /// comes_before : of two that as much weight occupies, whether the first comes before
    template <class Before>
    void put_in_order(int count, int i, Before comes_before) {
        std::size_t j = std::size_t(count);
        const Shot<Mask>& shot = shots[i];
        for (; j > 0; --j) {
            const Shot<Mask>& other = shots[order[j - 1]];
            const Count theirs = other.hit.size.weight, ours = shot.hit.size.weight;
            if (theirs > ours || (theirs == ours && !comes_before(shot, other))) break;
            order[j] = order[j - 1];
        }
        order[j] = std::uint8_t(i);
    }
};

}  // namespace seabattle
