// Rollouts of rollouts of the greedy rule: trees that are better than greedy ones.
//
// The policy of level 0 shoots the cell that most of the weight occupies. The policy of level k + 1
// weighs a few cells of a sub-table S: the weight that a shot there misses, plus what the policy of
// level k misses in each part. It shoots the cell where that sum is least, and goes on in the parts
// by level k + 1. If V_k(S) are the misses of level k, the sum for the shot of level k is V_k(S);
// as that cell is always weighed too, the least sum is no more, and so, part by part from the
// smallest on, V_{k+1}(S) <= V_k(S). Sub-tables of few rows are solved exactly, by `Search`.
//
// Misses and shots are kept in the table of the search under the level in place of a miss limit.
// What is below a shot that is chosen may not all have been followed yet: the entry is `chosen`
// then, and `finished` in the end. The misses of both are those of a tree.
#pragma once
#include "solver/search/exact_search.hpp"

namespace seabattle {

/// How every level above the lowest chooses.
struct RolloutRule {
    Count width;       // cells that it weighs
    Count exact_rows;  // most rows of a sub-table that it solves exactly
};

template <class Model>
class Rollouts {
public:
    using Mask = typename Model::Mask;

    Rollouts(Search<Model>& search, RolloutRule rule)
        : search_(search), game_(search.game()), parts_(search.parts()), rule_(rule) {}

    /// Misses of a level's policy in some rows, of which `hit` are the cells hit so far; negative
    /// where it has to stop. What it has chosen is in the table, so that to ask again goes on.
    Count misses(Array<const std::int32_t> ids, Mask hit, int level) {
        if (!search_.part_all(ids, -1, hit, false)) return stopped.misses;
        sort_by_rows(parts_.at(0), parts_.at(parts_.top()));
        Count misses = 0;
        for (Count p = 0, all = parts_.top(); p < all; ++p) {
            const Count found = follow(parts_[p], level);
            if (found < 0) return found;
            misses += found;
        }
        return misses;
    }
    /// Find a shot at a sub-table for which no level has chosen one, and no certain hit is due: a
    /// best one where it is solved exactly, else a greedy one. It is in the counters then, or the
    /// table knows it; false where it has to stop.
    bool find_shot(Array<const std::int32_t> ids, Mask hit) {
        Part<Mask>& part = search_.sub_table(ids, hit);
        if (part.size.rows <= rule_.exact_rows)
            return !is_stopped(search_.best_shot(part, no_limit));
        search_.counters().set_shot(-1);
        return follow(part, 0) >= 0;
    }

private:
    static constexpr bool is_open = Model::family == Family::open_sunk;
    static constexpr int chosen = 0, finished = 1;  // in place of an entry's worst case

    /// A cell that is weighed, and the weight that misses there.
    struct Candidate {
        int cell;
        Count missed;
    };
    struct Candidates {
        int count = 0;
        std::array<Candidate, 8 * sizeof(Mask)> all;

        void add(int cell, Count missed) { all[std::size_t(count++)] = {cell, missed}; }
        const Candidate* begin() const { return all.data(); }
        const Candidate* end() const { return all.data() + count; }
    };

    Count follow(Part<Mask>& part, int level) {
        if (part.closure.is_single()) return 0;
        const Rows<Mask> rows = part.own_rows;
        if (rows.count == 2 && !is_open)
            return std::min(game_.weight_of(rows.part(0, 1)), game_.weight_of(rows.part(1, 2)));
        if (rows.count <= rule_.exact_rows) return search_.value(part).misses;
        search_.make_key(part);
        const Entry known = search_.table().look_up(part.key, level);
        if (known != empty && known.worst() == finished) return known.misses();
        if (!search_.counters().spend(rows.count)) return stopped.misses;
        int shot = -1;
        if (known != empty)
            shot = search_.shot_of(part, known);
        else if (!choose(part, level, shot))
            return stopped.misses;
        const Count misses = misses_after(part, shot, level, infeasible);
        if (misses < 0 || !keep(part, {misses, finished}, shot, level)) return stopped.misses;
        return misses;
    }

    /// Choose the shot of a level, by the level below; false where it has to stop.
    bool choose(Part<Mask>& part, int level, int& shot) {
        search_.counters().expanded(true);
        if (level == 0) {
            shot = candidates(part, 1, -1).all[0].cell;
            return true;
        }
        const Entry below = search_.table().look_up(part.key, level - 1);
        const int before = below == empty ? -1 : search_.shot_of(part, below);
        Count least = infeasible;
        for (const Candidate& candidate : candidates(part, rule_.width, before)) {
            if (candidate.missed >= least) continue;
            const Count misses = misses_after(part, candidate.cell, level - 1, least);
            if (misses < 0) return false;
            if (misses < least) {
                least = misses;
                shot = candidate.cell;
            }
        }
        return keep(part, {least, chosen}, shot, level);
    }

    /// Misses of a shot and of a level's policy after it; from `limit` on maybe not all of them.
    Count misses_after(const Part<Mask>& part, int cell, int level, Count limit) {
        const Count base = parts_.top();
        if (!part_by_answers<Model>(game_, parts_, part.own_rows, cell, part.shot)) {
            parts_.release(base);
            return search_.stop_for_room().misses;
        }
        const Count end = parts_.top();
        Count misses = 0;
        for (Count p = base; p < end; ++p)
            if (parts_[p].missed) misses += parts_[p].size.weight;
        for (Count p = base; p < end && 0 <= misses && misses < limit; ++p) {
            const Count found = follow(parts_[p], level);
            misses = found < 0 ? found : misses + found;
        }
        parts_.release(base);
        return misses;
    }

    /// The cells worth weighing. Certain hits that are due come first: they cost nothing. Then the
    /// `width` cells that most weight occupies, without those dominated by another; and `before`,
    /// the shot of the level below.
    Candidates candidates(const Part<Mask>& part, Count width, int before) const {
        Candidates found;
        if constexpr (is_open)
            for (int cell : Cells(Mask(part.closure.certain & ~part.shot))) found.add(cell, 0);
        const Level<Mask>& level = search_.listed_columns(part);
        Count weighed = 0;
        for (const auto& [cell, size] : level.heaviest()) {
            const bool fits =
                weighed < width &&
                (is_open || !level.columns.is_dominated(level.columns.place_of(cell)));
            if (!fits && cell != before) continue;
            ++weighed;
            found.add(cell, part.size.weight - size.weight);
        }
        return found;
    }

    bool keep(const Part<Mask>& part, Value value, int cell, int level) {
        const Entry entry = Entry::exact(value, search_.image_of_shot(part, cell), level);
        return search_.table().set(part.key, entry, search_.counters());
    }

    Search<Model>& search_;
    const Game<Mask>& game_;
    Parts<Mask>& parts_;
    RolloutRule rule_;
};

/// Let a function work with the rollouts of a search.
template <class Work>
Count with_rollouts(std::uint8_t* memory, const seabattle_question* question,
                    seabattle_counters* counters, RolloutRule rule, Work work) {
    if (question->stop_size != 1) return SEABATTLE_INVALID;
    return SearchHandle::in(memory).with_word([&]<class Model>(Search<Model>& search) -> Count {
        search.begin(*question, *counters);
        Rollouts<Model> rollouts(search, rule);
        return work(rollouts, hit_of<typename Model::Mask>(*question));
    });
}

}  // namespace seabattle

extern "C" int64_t seabattle_rollout_misses(uint8_t* memory, size_t, const int32_t* rows,
                                            size_t rows_size, const seabattle_question* question,
                                            seabattle_counters* counters, int64_t width,
                                            int64_t exact_rows, int32_t level) {
    using namespace seabattle;
    if (rows_size == 0 || level < 0 || !limits_misses(level)) return SEABATTLE_INVALID;
    return with_rollouts(memory, question, counters, {width, exact_rows},
                         [&](auto& rollouts, auto hit) -> Count {
                             const Count misses = rollouts.misses({rows, rows_size}, hit, level);
                             return misses < 0 ? Count(SEABATTLE_STOPPED) : misses;
                         });
}

extern "C" int64_t seabattle_rollout_shot(uint8_t* memory, size_t, const int32_t* rows,
                                          size_t rows_size, const seabattle_question* question,
                                          seabattle_counters* counters, int64_t exact_rows) {
    using namespace seabattle;
    if (rows_size == 0) return SEABATTLE_INVALID;
    return with_rollouts(memory, question, counters, {0, exact_rows},
                         [&](auto& rollouts, auto hit) -> Count {
                             const bool found = rollouts.find_shot({rows, rows_size}, hit);
                             return found ? 0 : Count(SEABATTLE_STOPPED);
                         });
}
