// Best-first search: lower bounds of games that are too large to be solved.
//
// A search with a budget proves a lower bound by refuting every shot of every sub-table on its way,
// and has to share out beforehand what the answers to a shot may cost. Where ships are few and the
// water is wide it spends its time on answers whose bounds hardly rise, while others would at once.
// Here nothing is shared out: every sub-table looked at is kept, with a lower bound, and the work
// goes where the bound of the whole game depends on it. This is the search for a least tree in an
// AND/OR graph, which was made for decision tables [Martelli1978].
//
// What is known of a sub-table S is a lower bound b(S) on its misses, at first the greatest of
// those that the search with budgets has: words, columns, what hits leave, cells revealed. Once its
// shots are listed,
//
//     b(S) = the least, over all cells c, of (weight that c misses + b of each sub-table after it),
//
// if that is more. By induction every b is a lower bound: a tree of S begins with some shot, and
// has a tree of every sub-table after it. A shot is *open* when the sub-tables after its answers
// are listed; one that is not has a bound made of counts alone. Cells that another one dominates
// are left out, as in every search. If all sub-tables after a shot of least bound are known
// exactly, b(S) is the value of S: no other shot can do better.
//
// The whole game, the root, rises only when the sub-tables do that lie behind shots of least bound.
// So each step goes down from the root: at a sub-table the shot of least bound is taken, and of the
// answers to it the one whose bound has risen most for the work done below it. (All have to be
// solved at some time; which comes first is of no matter to what is true.) The path ends where no
// shots are listed. They are listed there, and the bounds of the path are raised from its end to
// the root. Few rows are solved exactly by the other search, whose table is used: what it knows of
// a sub-table that is entered need not be found again, and in the end it is told what was proven.
//
// Sub-tables with misses in another order, and images under a symmetry, are one. Rows are not kept
// but listed anew from what is known of a sub-table, as most are looked at once. Open answers are
// left out, as rows are not known from cells there.
//
// Work is counted in rows looked at. What has to stop is begun anew by the next call: what is known
// of a sub-table is changed all at once.
#pragma once
#include "solver/search/exact_search.hpp"

namespace seabattle {

template <class Model>
class BestFirst {
    using Mask = typename Model::Mask;

    /// What is known of a sub-table.
    struct Known {
        Count bound, weight;
        Count work,
            rise;  // rows looked at for it and below it, and how much its bound rose by that
        std::int32_t rows, a_row;        // how many, and one of them
        std::int32_t first_shot, shots;  // -1 where none is listed
        bool is_exact;                   // `bound` is its value
        Closure<Mask> closure;
    };
    struct Shot {
        Count misses;  // and the values known behind it; of one that is not open a lower bound
        Count least;   // that and the bounds behind it, when it was last weighed
        std::int32_t first_answer = -1;  // -1 where it is not open
        std::uint16_t answers = 0;
        std::uint8_t cell = 0;

        bool is_open() const { return first_answer >= 0; }
    };
    struct BestShot {
        Count misses;
        Shot* shot;
    };

    static constexpr Count most_shots = 8 * sizeof(Mask);
    static constexpr Count most_answers = 1 << 10;  // of all shots of one sub-table
    // Room for each sub-table.
    static constexpr Count shots_each = 8, answers_each = 2, slots_each = 2;
    /// Up to so many rows a sub-table is solved at once: to open its shots would take as long.
    static constexpr Count exact_rows = 16;
    /// A sub-table not looked at yet is expected to rise by this part of its bound ...
    static constexpr double hope = 16;
    /// ... for looking so many times at each of its rows.
    static constexpr Count first_work = 3;
    /// Work and rise of a sub-table are halved when it has looked so many times at each of its
    /// rows: what comes later costs more than what came first.
    static constexpr Count work_recalled = 100'000;
    /// Rows of the game that take as long to leave out of a sub-table as one of it to look at.
    static constexpr Count rows_at_once = 16;
    /// Rows that follow each other share most ships: what all of so many occupy, and what any does,
    /// shows at once that a sub-table has none of them.
    static constexpr Count block_rows = 32;
    static constexpr Count none = -1;

public:
    enum class Outcome { proven, stopped, full };

    /// room : for so many sub-tables, 2^i
    BestFirst(const Search<Model>& search, const Count& room, Arena& arena)
        : known_(arena.take_as_is<Known>(room)),
          shots_(arena.take_as_is<Shot>(shots_each * room)),
          answers_(arena.take_as_is<std::int32_t>(answers_each * room)),
          slots_(arena.take_as_is<Word>(slots_each * room * slot_words(search))),
          blocks_(arena.take_as_is<Closure<Mask>>(blocks_of(search))),
          table_(slots_, search.keys().words()) {
        for (Word& word : slots_) word = empty.word();
        const Count rows = search.game().rows.size();
        for (Count block = 0; block < blocks_.size(); ++block) {
            blocks_[block] = {search.game().full, 0};
            for (Count row = block * block_rows; row < std::min((block + 1) * block_rows, rows);
                 ++row) {
                blocks_[block].certain &= search.game().mask(row);
                blocks_[block].occupied |= search.game().mask(row);
            }
        }
    }
    static Count bytes(const Search<Model>& search, Count room) {
        const Count each = sizeof(Known) + shots_each * Count(sizeof(Shot)) +
                           answers_each * Count(sizeof(std::int32_t)) +
                           slots_each * slot_words(search) * Count(sizeof(Word));
        return Count(sizeof(BestFirst)) + 64 * 7 + room * each +
               blocks_of(search) * Count(sizeof(Closure<Mask>));
    }
    /// Take over what another one knows that has no room.
    void take_over(const BestFirst& other) {
        std::copy_n(other.known_.begin(), other.tables_used_, known_.begin());
        std::copy_n(other.shots_.begin(), other.shots_used_, shots_.begin());
        std::copy_n(other.answers_.begin(), other.answers_used_, answers_.begin());
        table_.take_over(other.table_);
        tables_used_ = other.tables_used_;
        shots_used_ = other.shots_used_;
        answers_used_ = other.answers_used_;
    }

    /// The lower bound of the whole game; 0 before there is one.
    Count lower() const { return tables_used_ > 0 ? known_[0].bound : 0; }
    Count sub_tables() const { return tables_used_; }

    /// Raise the bound of the whole game until it is the optimum.
    Outcome explore(Search<Model>& search, Mask hit) {
        search_ = &search;
        if (tables_used_ == 0 && !begin(hit)) return Outcome::stopped;
        while (!known_[0].is_exact) {
            if (tables_used_ + most_answers > known_.size() ||
                shots_used_ + most_shots > shots_.size() ||
                answers_used_ + most_answers > answers_.size())
                return Outcome::full;
            if (!counters().goes_on()) return Outcome::stopped;
            const Count before = counters().allowance();
            const int depth = go_down();
            if (depth < 0) return Outcome::stopped;
            back_up(depth, before - counters().allowance());
        }
        return Outcome::proven;
    }

    /// Enter the bounds of sub-tables whose shots are listed into the table of the search; false
    /// where that is full.
    bool tell(Search<Model>& search) const {
        for (Word at = 0; at < Word(table_.slots()); ++at) {
            const Slot slot = table_.slot(at);
            if (slot.read() == empty) continue;
            const Known& known = known_[slot.read().misses()];
            if (known.first_shot >= 0 &&
                !search.table().enter(slot.key(), Entry::bound(known.bound, no_limit),
                                      search.counters()))
                return false;
        }
        return true;
    }

private:
    static Count slot_words(const Search<Model>& search) { return 1 + search.keys().words(); }
    static Count blocks_of(const Search<Model>& search) {
        return (search.game().rows.size() + block_rows - 1) / block_rows;
    }
    const Game<Mask>& game() const { return search_->game(); }
    Counters& counters() const { return search_->counters(); }

    /// Make the root, sub-table 0: its one shot, which misses nothing, is answered by all rows.
    bool begin(Mask hit) {
        const Rows<Mask> rows = search_->room_for_rows();
        for (Count row = 0; row < rows.count; ++row) put_row(rows, row, row);
        if (!search_->part_all(rows, -1, hit)) return false;
        known_[0] = {};
        known_[0].rows = std::int32_t(rows.count);
        known_[0].shots = 1;
        tables_used_ = shots_used_ = 1;
        shots_[0] = {};
        open(shots_[0]);
        return true;
    }
    void put_row(Rows<Mask> rows, Count place, Count row) const {
        rows.masks[place] = game().mask(row);
        rows.numbers[place] = std::int32_t(row);
    }

    /// The rows of a sub-table: those that occupy H and no cell outside U and answered alike (see
    /// exact_search.py). Where answers are closed they occupy a cell beside every group that has
    /// one in U, where a hit names its ship they name the cells of H alike.
    Rows<Mask> list_rows(const Known& known) const {
        const auto [certain, occupied] = known.closure;
        Mask around[8 * sizeof(Mask)];
        int groups = 0;
        if constexpr (Model::family == Family::closed_sunk) {
            for (Mask left = certain; left;) {
                const auto group = game().group_of(lowest_bit(left), certain);
                left &= ~group.cells;
                if (group.around & occupied) around[groups++] = group.around & occupied;
            }
        }
        auto answers_alike = [&](Count row, Mask cells) {
            for (int g = 0; g < groups; ++g)
                if (!(cells & around[g])) return false;
            if constexpr (Model::family == Family::named)
                return typename Model::Names(game(), known.a_row, certain, certain).fit(row);
            return true;
        };
        const Rows<Mask> room = search_->room_for_rows();
        Count count = 0;
        for (Count block = 0; block < blocks_.size(); ++block) {
            if ((certain & ~blocks_[block].occupied) || (blocks_[block].certain & ~occupied))
                continue;
            const Count end = std::min((block + 1) * block_rows, room.count);
            for (Count row = block * block_rows; row < end; ++row) {
                const Mask cells = game().mask(row);
                if (!(certain & ~cells) && !(cells & ~occupied) && answers_alike(row, cells))
                    put_row(room, count++, row);
            }
        }
        counters().spend(count + room.count / rows_at_once);
        return room.part(0, count);
    }

    /// Number of the sub-table of a part, which is new or was explored before.
    Count enter(Part<Mask>& part) {
        search_->make_key(part);
        if (const Entry held = table_.look_up(part.key, no_limit); held != empty)
            return held.misses();
        const Count table = tables_used_++;
        table_.put(part.key, Entry::bound(table, no_limit));
        const Rows<Mask> rows = part.rows();
        Known& known = known_[table];
        known = {.bound = 0,
                 .weight = part.size.weight,
                 .work = 0,
                 .rise = 0,
                 .rows = std::int32_t(rows.count),
                 .a_row = rows.number(0),
                 .first_shot = -1,
                 .shots = 0,
                 .is_exact = rows.count == 2,
                 .closure = part.closure};
        // Of two rows one is shot at first, and missed if it is the other.
        known.bound = known.is_exact
                          ? std::min(game().weights[rows.number(0)], game().weights[rows.number(1)])
                          : search_->least(part);
        if (const Entry proven = search_->table().look_up(part.key, no_limit); proven != empty) {
            known.bound = std::max(known.bound, proven.misses());
            known.is_exact |= proven.is_exact();
        }
        return table;
    }

    /// Open a shot whose parts lie before us: what they miss is known, or they are listed.
    void open(Shot& shot) {
        Parts<Mask>& parts = search_->parts();
        shot.misses = 0;
        shot.first_answer = std::int32_t(answers_used_);
        for (Count p = 0; p < parts.top(); ++p) {
            if (parts[p].missed) shot.misses += parts[p].size.weight;
            if (parts[p].closure.is_single()) continue;
            const Count table = enter(parts[p]);
            if (known_[table].is_exact)
                shot.misses += known_[table].bound;
            else
                answers_[answers_used_++] = std::int32_t(table);
        }
        shot.answers = std::uint16_t(answers_used_ - shot.first_answer);
        shot.least = weigh(shot);
    }
    Array<std::int32_t> answers_of(const Shot& shot) const {
        return answers_.part(shot.first_answer, shot.first_answer + shot.answers);
    }

    /// A shot's misses and the bounds behind it; if all answers are exact, this is its value.
    Count weigh(const Shot& shot) const {
        Count misses = shot.misses;
        if (shot.is_open())
            for (const Count table : answers_of(shot)) misses += known_[table].bound;
        return misses;
    }
    /// Least misses of all shots of a sub-table, and the first shot that has them. Bounds only
    /// rise: a shot that had more when it was last weighed has more now, and is left alone.
    BestShot best_shot(const Known& known) const {
        const auto shots = shots_.part(known.first_shot, known.first_shot + known.shots);
        for (;;) {
            Shot* best = &shots[0];
            for (Shot& shot : shots)
                if (shot.least < best->least) best = &shot;
            const Count misses = weigh(*best);
            if (misses == best->least) return {misses, best};
            best->least = misses;
        }
    }
    /// Open best shots of a sub-table until the best is open; false where it has to stop.
    bool open_best_shots(const Known& known, Rows<Mask> rows) {
        for (;;) {
            const BestShot best = best_shot(known);
            if (best.misses > known.bound || best.shot->is_open()) return true;
            counters().spend(3 * rows.count);
            if (!search_->part_all(rows, best.shot->cell, 0)) return false;
            open(*best.shot);
        }
    }

    /// List the shots of a sub-table, or solve it, if it has few rows; false where it has to stop.
    bool expand(Known& known) {
        const Rows<Mask> rows = list_rows(known);
        Part<Mask>& part = search_->sub_table(rows, 0);
        if (rows.count <= exact_rows) {
            const Value value = search_->value(part);
            if (is_stopped(value)) return false;
            known.bound = value.misses;
            known.is_exact = true;
            return true;
        }
        const Count first = shots_used_, before = known.bound;
        Count end = first;
        const Count bound = search_->bound_shots(part, [&](int cell, Count least) {
            shots_[end++] = {.misses = least, .least = least, .cell = std::uint8_t(cell)};
        });
        if (bound < 0) return false;
        shots_used_ = end;
        known.bound = std::max(before, bound);
        known.first_shot = std::int32_t(first);
        known.shots = std::int32_t(end - first);
        counters().expanded(true);
        if (std::max(known.bound, best_shot(known).misses) > before)
            return true;  // maybe it is not looked at again
        return open_best_shots(known, rows);
    }

    /// The answer to an open shot that is expected to rise most for its work; none: all are exact.
    Count likeliest_answer(const Shot& shot) const {
        Count best = none;
        double most = -1;
        for (const Count table : answers_of(shot)) {
            const Known& known = known_[table];
            if (known.is_exact) continue;
            const double rise = double(known.rise) + double(known.bound) / hope;
            const double rate = rise / double(known.work + first_work * known.rows);
            if (rate > most) {
                most = rate;
                best = table;
            }
        }
        return best;
    }

    /// Follow best shots from the root to a sub-table that can be looked at, and do so. Returns how
    /// many sub-tables the path has, or -1 where it has to stop.
    int go_down() {
        Count table = 0;
        for (int depth = 1;; ++depth) {
            Known& known = known_[table];
            path_[std::size_t(depth - 1)] = {table, known.bound};
            if (known.is_exact) return depth;
            if (known.first_shot < 0) return expand(known) ? depth : -1;
            const BestShot best = best_shot(known);
            // More may be known of what lies behind its shots than before.
            if (best.misses > known.bound) return depth;
            if (!best.shot->is_open()) return open_best_shots(known, list_rows(known)) ? depth : -1;
            table = likeliest_answer(*best.shot);
            if (table == none) return depth;
        }
    }
    /// Raise the bounds of the path, from its end on, and note how many rows it looked at.
    void back_up(int depth, Count looks) {
        while (depth > 0) {
            const Step& step = path_[std::size_t(--depth)];
            Known& known = known_[step.table];
            if (known.first_shot >= 0 && !known.is_exact) {
                const BestShot best = best_shot(known);
                known.bound = std::max(known.bound, best.misses);
                known.is_exact = best.misses == known.bound && best.shot->is_open() &&
                                 likeliest_answer(*best.shot) == none;
            }
            known.work += looks;
            known.rise += known.bound - step.bound;
            if (known.work > work_recalled * known.rows) {
                known.work /= 2;
                known.rise /= 2;
            }
        }
    }

    /// A sub-table on the path, and its bound before.
    struct Step {
        Count table, bound;
    };

    Array<Known> known_;
    Array<Shot> shots_;
    Array<std::int32_t> answers_;  // the sub-table after each
    Array<Word> slots_;
    Array<Closure<Mask>> blocks_;
    Table table_;  // numbers of sub-tables in place of misses
    Count tables_used_ = 0, shots_used_ = 0, answers_used_ = 0;
    std::array<Step, 8 * sizeof(Mask) + 3> path_;
    Search<Model>* search_ = nullptr;
};

/// Let a function work with a search whose answers are closed.
template <class Work>
Count with_closed(std::uint8_t* search, Work work) {
    return SearchHandle::in(search).with_word([&]<class Model>(Search<Model>& made) -> Count {
        if constexpr (Model::family == Family::open_sunk)
            return SEABATTLE_INVALID;
        else
            return work(made);
    });
}

}  // namespace seabattle

extern "C" int64_t seabattle_best_first_bytes(uint8_t* search, size_t, int64_t sub_tables) {
    using namespace seabattle;
    return with_closed(search, [&]<class Model>(Search<Model>& made) -> Count {
        return BestFirst<Model>::bytes(made, sub_tables);
    });
}

extern "C" int64_t seabattle_best_first_make(uint8_t* search, size_t, int64_t sub_tables,
                                             const uint8_t* before, size_t before_size,
                                             uint8_t* memory, size_t memory_size) {
    using namespace seabattle;
    return with_closed(search, [&]<class Model>(Search<Model>& made) -> Count {
        Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
        auto* best_first = arena.make<BestFirst<Model>>(made, sub_tables);
        if (arena.full()) return SEABATTLE_FULL;
        if (before_size > 0)
            best_first->take_over(*reinterpret_cast<const BestFirst<Model>*>(before));
        return 0;
    });
}

extern "C" int64_t seabattle_best_first_explore(uint8_t* search, size_t, uint8_t* memory, size_t,
                                                const seabattle_question* question,
                                                seabattle_counters* counters,
                                                seabattle_explored* explored) {
    using namespace seabattle;
    return with_closed(search, [&]<class Model>(Search<Model>& made) -> Count {
        using Searched = BestFirst<Model>;
        made.begin(*question, *counters);
        Searched& best_first = *reinterpret_cast<Searched*>(memory);
        const auto outcome = best_first.explore(made, hit_of<typename Model::Mask>(*question));
        explored->lower = best_first.lower();
        explored->sub_tables = best_first.sub_tables();
        if (outcome == Searched::Outcome::full) return SEABATTLE_FULL;
        return outcome == Searched::Outcome::stopped ? Count(SEABATTLE_STOPPED) : 0;
    });
}

extern "C" int64_t seabattle_best_first_tell(uint8_t* search, size_t, const uint8_t* memory, size_t,
                                             const seabattle_question* question,
                                             seabattle_counters* counters) {
    using namespace seabattle;
    return with_closed(search, [&]<class Model>(Search<Model>& made) -> Count {
        made.begin(*question, *counters);
        const auto& best_first = *reinterpret_cast<const BestFirst<Model>*>(memory);
        return best_first.tell(made) ? 0 : Count(SEABATTLE_STOPPED);
    });
}
