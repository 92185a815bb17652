// What an exact search is asked and answers, and how its work is limited.
#pragma once
#include <algorithm>

#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle {

/// What is made least: the misses summed over weighted rows, those of the worst row, or the weight
/// of the rows that take more misses than the miss limit.
enum class Goal : std::int32_t { total, worst, lost };

/// Misses of a sub-table that no tree solves within the miss limit; above every total, as totals
/// stay below 2^41 by validation.
inline constexpr Count infeasible = Count{1} << 41;

/// Misses that a path may still have, -1 after one too many; or `no_limit`; or `worst_case`, which
/// is no limit either, but keeps the entries of the question for the least worst case apart.
using MissLimit = int;
inline constexpr MissLimit worst_case = 126, no_limit = 127;
constexpr bool limits_misses(MissLimit limit) { return limit < worst_case; }
constexpr MissLimit after_miss(MissLimit limit) { return limits_misses(limit) ? limit - 1 : limit; }

/// Exact where `misses` is below the budget: `worst` is then the worst case of the tree found.
/// Otherwise a lower bound. Negative misses: the search had to stop, and what it proved is in the
/// table, so that to ask again goes on from there.
struct Value {
    Count misses;
    int worst;
};
inline constexpr Value stopped{-1, 0};
constexpr bool is_stopped(Value value) { return value.misses < 0; }

/// How many rows a sub-table has, and what they weigh.
struct Size {
    Count rows, weight;

    constexpr Size operator-(Size other) const {
        return {rows - other.rows, weight - other.weight};
    }
};

/// Why a search stopped: `seabattle_counters::status`.
enum class Status : Count { running, full_table, allowance_used, full_parts, full_states };

/// What a search counts, of which some is limited.
class Counters {
public:
    Counters() = default;
    Counters(seabattle_counters& counters, const std::int32_t* stop)
        : counted_(&counters), stop_(stop) {}

    /// Take the work of looking at some rows off the allowance; false when it is used up, or the
    /// caller wants the search to end.
    bool spend(Count rows) {
        counted_->allowance -= rows;
        return goes_on();
    }
    /// Rows that may still be looked at.
    Count allowance() const { return counted_->allowance; }
    bool goes_on() {
        if (counted_->allowance >= 0 && *stop_ == 0) return true;
        stop_for(Status::allowance_used);
        return false;
    }
    /// Count one more key of the table; false where it is full.
    bool has_room() {
        if (counted_->states >= counted_->capacity) {
            stop_for(Status::full_table);
            return false;
        }
        ++counted_->states;
        return true;
    }
    /// How many keys there are.
    Count states() const { return counted_->states; }
    void give_back_room() { --counted_->states; }
    void stop_for(Status why) { counted_->status = Count(why); }
    void expanded(bool searched) { counted_->nodes += searched; }
    /// The cell of the best shot of what was asked, -1 for none.
    void set_shot(int cell) { counted_->shot = cell; }
    int shot() const { return int(counted_->shot); }

private:
    seabattle_counters* counted_ = nullptr;
    const volatile std::int32_t* stop_ = nullptr;
};

/// What a search may use to save work; none of it alters a value.
struct SearchOptions {
    bool bounds, ordering, dominance, lookahead, budgets, coverage;
};

/// What is asked of a sub-table, beside its budget and its miss limit.
struct Question {
    Goal goal = Goal::total;
    bool every_shot = false;  // all best shots are sought, not one of them
    Count split_rows = 0;     // least rows whose answers split what is lacking; 0: never
};

}  // namespace seabattle
