// What is proven of a sub-table before the table is asked: the bounds of bounds.hpp as they hold
// for a game and a goal, and the values of few rows.
#pragma once
#include "solver/search/coverage.hpp"
#include "solver/search/sub_table.hpp"

namespace seabattle {

template <class Model>
class SubTableBounds {
public:
    using Mask = typename Model::Mask;
    static constexpr Count column_rows = 16;  // least rows whose columns are listed in mode `hit`

    SubTableBounds(const Game<Mask>& game, SearchOptions options, Arena& arena)
        : game_(game),
          options_(options),
          small_(arena.take<SmallBounds>(is_hit ? game.fleet_cells + 1 : 0)) {
        if (arena.full()) return;
        for (int cells = 0; cells < int(small_.size()); ++cells)
            for (Count rows = 0; rows < small_rows; ++rows)
                for (const Goal goal : {Goal::total, Goal::worst})
                    small_[cells][std::size_t(goal)][std::size_t(rows)] = std::uint16_t(
                        bound_told_apart({rows, rows}, reach.with(cells), 1, goal, WeightRange{}));
    }

    void begin(Goal goal, States<Mask> states) {
        goal_ = goal;
        states_ = states;
        const bool alike = goal == Goal::worst || (goal == Goal::total && !weights().differ());
        small_end_ = is_hit && alike ? small_rows : 0;
    }

    /// What follows hits in a part, of which these cells are hit.
    Ahead ahead_of(const Part<Mask>& part, Mask shot) const {
        if constexpr (is_hit) {
            return ahead_of(part.closure, state_of(part.size.rows, part.closure.certain));
        } else {
            const Count row = part.own_rows.number(0);
            const Mask hit = is_open ? shot : part.closure.certain;
            const int cells = popcount(Mask(game_.mask(row) & ~hit));
            if (!options_.bounds) return {0, cells, no_state};
            return {Model::ways(game_, row, hit), cells,
                    states_.of(game_, row, part.closure.certain)};
        }
    }
    /// The same in mode `hit`, where all rows have as many cells.
    Ahead ahead_of(Closure<Mask> closure, Count state) const {
        return {1, int(game_.fleet_cells) - popcount(closure.certain), state};
    }
    /// The state of a sub-table in mode `hit`; of few rows words tell as much.
    Count state_of(Count rows, Mask certain) const {
        return rows < rows_looked_up ? no_state : states_.of(game_, 0, certain);
    }
    bool has_states() const { return states_.size() > 0; }

    /// By its size; `infeasible` where that rules the miss limit out.
    Count at_once(Size size, Ahead ahead, MissLimit limit) const {
        if (!options_.bounds) return 0;
        if (limits_misses(limit) && goal_ == Goal::total &&
            ((limit == 0 && !is_open) || by_size(size, ahead, Goal::worst, limit) > limit))
            return infeasible;
        // No shot at several occupancies is for free.
        Count bound = 0;
        if (!is_open && goal_ != Goal::lost) bound = goal_ == Goal::worst ? 1 : weights().lightest;
        return std::max(bound, by_size(size, ahead, limit));
    }
    /// By words, and by what hits leave.
    Count by_size(Size size, Ahead ahead, MissLimit limit) const {
        return by_size(size, ahead, goal_, limit);
    }
    /// By the columns of a sub-table, or of what a miss at a cell leaves of it.
    Count by_path(Size size, int skip, Ahead ahead, const Level<Mask>& level,
                  MissLimit limit) const {
        if (goal_ == Goal::lost)
            return lost_by_columns(size.weight, skip, level.heaviest(), ahead.ways, ahead.cells,
                                   limit, weights());
        Count bound = 0;
        if (!is_hit)
            bound = bound_of_miss_path(
                size, skip, goal_ == Goal::worst ? level.by_rows : level.heaviest(), goal_);
        const bool is_counted = ahead.state != no_state;
        const Count ways = is_counted ? 1 : ahead.ways;
        if (!options_.coverage || ways == 0) return bound;
        const Array<const Count> after =
            is_counted ? Array<const Count>(states_.found_after_hit(ahead.state))
                       : reach.with(ahead.cells - 1);
        return std::max(
            bound, bound_of_first_shots(size, skip, level.by_rows, after, ways, goal_, weights()));
    }
    /// By its columns where they are listed. Where certain hits are due they may part the rows for
    /// free, so that columns bound nothing.
    Count by_columns(const SubTable<Mask>& sub, const Level<Mask>& level) const {
        if (!options_.bounds || sub.due || !level.are_listed) return 0;
        if (!is_hit && limits_misses(sub.limit) && goal_ == Goal::total &&
            bound_of_miss_path(sub.size, -1, level.by_rows, Goal::worst) > sub.limit)
            return infeasible;
        return by_path(sub.size, -1, sub.ahead, level, sub.limit);
    }
    /// Whether columns are listed for bounds: in mode `hit` not where a cell is occupied in more
    /// than a third of the rows, as they hardly help there.
    bool want_columns(Count rows, const Columns<Mask>& columns) const {
        if (!is_hit || goal_ == Goal::lost) return true;
        if (!options_.bounds || !options_.coverage || rows < column_rows) return false;
        for (int i = 0; i < columns.count(); ++i)
            if (3 * columns.rows(i) > rows) return false;
        return true;
    }

    /// Value of a shot with one part after a hit and one after a miss.
    Count both_values(Count missed, Count on_hit, Count on_miss) const {
        if (goal_ == Goal::worst) return std::max(1 + on_miss, on_hit);
        return on_hit + on_miss + (goal_ == Goal::total ? missed : 0);
    }

    bool has_closed_form(Count rows, MissLimit limit) const {
        if (rows > most_few || is_open || !options_.bounds || goal_ == Goal::lost) return false;
        if (rows == 2 || limit == 0) return true;
        return is_hit && (rows == 3 || !weights().differ() || goal_ == Goal::worst);
    }
    /// Two rows of different cells: a shot at a cell of the heavier one misses in the other.
    Value value_of_few(const Part<Mask>& part, MissLimit limit) const {
        constexpr Value none{infeasible, 0};
        const bool weighted = weights().differ(), by_worst = goal_ == Goal::worst;
        const Count n = part.size.rows;
        if (limit == 0) return none;
        if (n == 2 && (!weighted || by_worst)) return {1, 1};
        const Rows<Mask> rows = part.rows();
        if (!weighted || by_worst) {
            const Value value = value_of_few_alike(rows.masks, n);
            if (by_worst) return {value.worst, value.worst};
            return value.worst <= limit ? value : none;
        }
        Count weight[3]{};
        for (Count i = 0; i < n; ++i) weight[i] = game_.weights[rows.number(i)];
        if (n == 2) return {std::min(weight[0], weight[1]), 1};
        return value_of_three_weighted(rows.masks, weight, limit);
    }
    /// A best shot at few rows whose values have a closed form, else -1. Of shots that are as good
    /// it is the one that misses least, as the search tries that one first.
    int shot_of_few(const Part<Mask>& part, MissLimit limit) const {
        if (!has_closed_form(part.size.rows, limit)) return -1;
        int best = -1;
        Count least = infeasible, fewest = infeasible;
        for (int cell : Cells(part.closure.unknown())) {
            Parting<Mask> parting(part.rows(), cell);
            auto misses_in = [&](Rows<Mask> rows, MissLimit left) {
                const Part<Mask> after{.own_rows = rows, .size = {rows.count, 0}};
                return rows.count > 1 ? value_of_few(after, left).misses : 0;
            };
            const Rows<Mask> missed_rows = parting.of(true);
            const Count missed = game_.weight_of(missed_rows);
            const Count value = both_values(missed, misses_in(parting.of(false), limit),
                                            misses_in(missed_rows, after_miss(limit)));
            if (value > least || (value == least && missed >= fewest)) continue;
            least = value;
            fewest = missed;
            best = cell;
        }
        return best;
    }

private:
    static constexpr bool is_hit = Model::family == Family::hit;
    static constexpr bool is_open = Model::family == Family::open_sunk;
    static constexpr Count small_rows = 256;

    static constexpr Count rows_looked_up = 24;  // least rows that mode `hit` asks a state for

    /// Bounds by size of so few rows of weight 1, for the goals total and worst.
    using SmallBounds = std::array<std::array<std::uint16_t, std::size_t(small_rows)>, 2>;

    WeightRange weights() const { return game_.weight_range; }

    Count by_size(Size size, Ahead ahead, Goal goal, MissLimit limit) const {
        if (size.rows >= small_end_) return by_many(size, ahead, goal, limit);
        const Count bound = small_[ahead.cells][std::size_t(goal)][std::size_t(size.rows)];
        return ahead.state == no_state ? bound : std::max(bound, by_state(size, ahead.state, goal));
    }
    [[gnu::noinline]] Count by_many(Size size, Ahead ahead, Goal goal, MissLimit limit) const {
        if (goal == Goal::lost)
            return lost_by_size(size, ahead.ways, ahead.cells, limit, weights());
        Count bound = 0;
        if (ahead.ways > 0)
            bound = bound_told_apart(size, reach.with(ahead.cells), ahead.ways, goal, weights());
        return ahead.state == no_state ? bound : std::max(bound, by_state(size, ahead.state, goal));
    }
    [[gnu::noinline]] Count by_state(Size size, Count state, Goal goal) const {
        return bound_told_apart(size, states_.found(state), 1, goal, weights());
    }

    const Game<Mask>& game_;
    SearchOptions options_;
    Array<SmallBounds> small_;  // by ship cells left
    Count small_end_ = 0;       // fewer rows than this are bounded by it
    Goal goal_ = Goal::total;
    States<Mask> states_;
};

}  // namespace seabattle
