// The recurrence of every exact search: least misses of a sub-table.
//
//     value(S) = 0 where all rows of S occupy the same cells, otherwise the least over cells c of
//                weight(S without c) + the sum of value(A) over the sub-tables A that c leaves
//
// and for the worst case the least over c of the largest of 1 + value(A), for what a miss leaves,
// and of value(A), for the others. It is fail-soft [Fishburn1983]: with a budget the value is exact
// where it is below, otherwise a lower bound. With a miss limit only trees count that keep it on
// every path, and there may be none (`infeasible`). With the goal `lost` a row costs nothing as
// long as it keeps the miss limit, and its weight once it does not. The least that is lost with k
// misses left is
//
//     lost(S, -1) = weight(S), otherwise 0 where all rows of S occupy the same cells, otherwise the
//                   least over cells c of the sum of lost(A, k - 1) for what a miss leaves, and of
//                   lost(A, k) for the others
//
// `minimize` goes the same way for every sub-table: what its size alone proves; what the table
// knows; what it would cost with the cells around a hit *revealed*; what its columns prove; then
// its shots in *order*. A shot is *tried*: all that is known of it and of what it leaves is added
// up, without a look at any row. Then its rows are *parted*, and what the table knows of the parts
// is added. What is not refuted by then is *asked*, part by part; what comes of it is *kept*.
#pragma once
#include "solver/search/reveal_bound.hpp"
#include "solver/search/sub_table_bounds.hpp"

namespace seabattle {

template <class Model>
class ProofWalk;

template <class Model>
class Search {
    friend class ProofWalk<Model>;

public:
    using Mask = typename Model::Mask;

    Search(const seabattle_search_game& given, Arena& arena)
        : game_(given, arena),
          options_{given.bounds != 0,    given.ordering != 0, given.dominance != 0,
                   given.lookahead != 0, given.budgets != 0,  given.coverage != 0},
          keys_(game_, given.key_words, Model::family == Family::named, arena),
          reveal_(game_, given.reveal_rows, arena),
          masks_(arena.take<Mask>(game_.rows.size())),
          numbers_(arena.take<std::int32_t>(game_.rows.size())),
          bounds_(game_, options_, arena),
          levels_(arena.take<Level<Mask>>(game_.cells + 3)),
          parts_(given.parts, given.key_words, arena) {
        for (Level<Mask>& level : levels_) level.shots = arena.take<Shot<Mask>>(game_.cells);
    }
    Search(const Search&) = delete;

    bool is_valid() const {
        const bool is_closed = is_hit || Model::family == Family::closed_sunk;
        return game_.is_valid() && (!is_closed || keys_.words() <= most_closed_words<Mask>);
    }

    /// The question that is asked next: by which table and states, and where its work is counted.
    void begin(const seabattle_question& asked, seabattle_counters& counters) {
        question_ = {Goal(asked.goal), asked.every_shot != 0, asked.split_rows};
        table_ = Table({asked.table, asked.table_size}, keys_.words());
        busy_ = BusyMarks({asked.busy, asked.busy_size});
        states_ = States<Mask>(*asked.states);
        bounds_.begin(question_.goal, states_);
        counters_ = Counters(counters, asked.stop);
        best_shots_ = 0;
    }

    /// Least misses of some rows after a shot, or with cell -1 before any; `hit` are the cells hit
    /// so far.
    Value after(Array<const std::int32_t> ids, int cell, Mask hit, MissLimit limit, Count budget) {
        if (!part_all(rows_of(ids, is_numbered()), cell, hit)) return stopped;
        sort_by_rows(parts_.at(0), parts_.at(parts_.top()));
        return minimize_together(parts_.at(0), parts_.at(parts_.top()), limit, budget);
    }
    /// All best shots of what was asked, where they were sought.
    Mask best_shots() const { return best_shots_; }

    /// Enter the value of a sub-table that is known, and its best shot; false where the table is
    /// full.
    bool tell(Array<const std::int32_t> ids, Mask hit, MissLimit limit, Value value, int cell) {
        Part<Mask>& part = sub_table(ids, hit);
        make_key(part);
        return keep(part, value, cell, limit);
    }

    // What is built on the search: trees that grow, the graph of all sub-tables, best-first search.

    const Game<Mask>& game() const { return game_; }
    const Keys<Mask>& keys() const { return keys_; }
    const Table& table() const { return table_; }
    Counters& counters() { return counters_; }
    /// Scratch of one level of a recursion.
    Columns<Mask>& columns(int depth) const { return levels_[depth].columns; }

    /// Room for as many rows as the game has; what is asked next takes it.
    Rows<Mask> room_for_rows() const { return {masks_.begin(), numbers_.begin(), masks_.size()}; }
    Parts<Mask>& parts() { return parts_; }
    /// Part rows by a shot, or with cell -1 after certain hits alone, where they come first. The
    /// parts take the place of all others; false where there is no room.
    bool part_all(Rows<Mask> rows, int cell, Mask hit) {
        parts_.release(0);
        const Closure<Mask> closure = rows.closure(game_.full);
        const bool shoots = !is_hit && !is_open && (closure.certain & ~hit);
        bool parted;
        if (cell >= 0) {
            parted = part_by_answers<Model>(game_, parts_, rows, cell, hit);
        } else {
            parted = parts_.push(rows, false, hit);
            if (parted && shoots) {
                parted = close_parts<Model>(game_, parts_, 0, -1);
            } else if (parted) {
                parts_[0].closure = closure;
                parts_[0].size = {rows.count, game_.weight_of(rows)};
            }
        }
        if (!parted) stop_for_room();
        return parted;
    }
    /// The same of rows by their numbers, which they keep where the search needs them, or the
    /// caller.
    bool part_all(Array<const std::int32_t> ids, int cell, Mask hit, bool numbered) {
        return part_all(rows_of(ids, numbered || is_numbered()), cell, hit);
    }
    void make_key(Part<Mask>& part) {
        if (part.symmetry == no_key) part.symmetry = Model::make_key(part, keys_, part.key);
    }
    /// The symmetry that gives the key of a part; the shot of an entry of it, and a shot as its
    /// entries hold it.
    int symmetry_of(const Part<Mask>& part) const { return Model::symmetry(part, keys_); }
    int shot_of(const Part<Mask>& part, Entry entry) const {
        return game_.moved_back(symmetry_of(part), entry.shot());
    }
    int image_of_shot(const Part<Mask>& part, int cell) const {
        return game_.image(symmetry_of(part), cell);
    }
    Value stop_for_room() {
        counters_.stop_for(Status::full_parts);
        return stopped;
    }

    /// A sub-table by its rows, of which no certain hit is due; it takes the place of all parts.
    Part<Mask>& sub_table(Array<const std::int32_t> ids, Mask hit) {
        return sub_table(rows_of(ids, true), hit);
    }
    Part<Mask>& sub_table(Rows<Mask> rows, Mask hit) {
        parts_.release(0);
        parts_.push(rows, false, hit);
        Part<Mask>& part = parts_[0];
        part.closure = part.own_rows.closure(game_.full);
        part.size = {part.own_rows.count, game_.weight_of(part.own_rows)};
        return part;
    }
    /// Its value, and a best shot, which the counters have then.
    Value best_shot(Part<Mask>& part, MissLimit limit) {
        counters_.set_shot(-1);
        return minimize(part, limit, infeasible, 0);
    }
    /// The best shot that the table knows, -1 where it knows none: with a miss limit, or without
    /// one where that keeps it, or that of a level of rollouts up to `level`.
    int known_shot(Part<Mask>& part, MissLimit limit, int level) {
        make_key(part);
        auto is_solved = [](Entry entry) { return entry != empty && entry.is_exact(); };
        Entry entry = table_.look_up(part.key, limit);
        if (!is_solved(entry) && limits_misses(limit)) {
            const Entry any = table_.look_up(part.key, no_limit);
            if (is_solved(any)) entry = any.within(limit);
        }
        for (; level >= 0 && !is_solved(entry); --level) entry = table_.look_up(part.key, level);
        return is_solved(entry) ? shot_of(part, entry) : -1;
    }
    int shot_of_few(const Part<Mask>& part, MissLimit limit) const {
        return bounds_.shot_of_few(part, limit);
    }
    /// Whether a shot tells rows of a sub-table apart: one read from a file may be any.
    static bool may_tell(int cell, const Part<Mask>& part) {
        const Mask known = is_open ? part.shot : part.closure.certain;
        return cell >= 0 && (part.closure.occupied & ~known & bit_of<Mask>(cell));
    }

    /// Its value, whatever its best shot is.
    Value value(Part<Mask>& part) { return minimize(part, no_limit, infeasible, 1); }
    /// Lower bound on its total by its size.
    Count least(const Part<Mask>& part) const {
        return bounds_.at_once(part.size, bounds_.ahead_of(part, part.shot), no_limit);
    }
    /// Its columns, counted and listed; scratch, which the next ones take.
    const Level<Mask>& listed_columns(const Part<Mask>& part) const {
        Level<Mask>& level = levels_[0];
        level.count_columns(part.own_rows, part.closure, game_);
        level.list_columns();
        return level;
    }
    /// Lower bound on its total by its columns and by what revealed cells cost, without a look at
    /// what is known of other sub-tables; negative where there is no room. `list` is given each of
    /// its shots but those that another one dominates, most weight first, with a lower bound on the
    /// shot's value: its cell and that.
    template <class List>
    Count bound_shots(Part<Mask>& part, List list) {
        Level<Mask>& level = levels_[0];
        SubTable<Mask> sub(part, part.shot, bounds_.ahead_of(part, part.shot), no_limit, 0);
        const PartsAbove above(parts_);
        count_columns(sub, level);
        if (!level.are_listed) level.list_columns();
        counters_.spend(5 * sub.size.rows);
        if (!reveal(sub, false)) return stop_for_room().misses;
        if (sub.are_revealed()) counters_.spend(3 * sub.size.rows);
        const Count bound = std::max(bounds_.by_columns(sub, level), sub.revealed);
        for (const auto& column : level.heaviest()) {
            const int i = level.columns.place_of(column.cell);
            if (options_.dominance && level.columns.is_dominated(i)) continue;
            list(column.cell, bound_by_column(sub, level, level.shots[i]));
        }
        return bound;
    }

    /// Count what hits leave; false where it has to stop.
    bool count_states(Array<const std::int32_t> ids, Mask hit, Arena& scratch) {
        Coverage<Model> coverage(game_, states_, parts_, counters_, scratch);
        if (scratch.full() || !part_all(rows_of(ids, true), -1, hit)) return false;
        sort_by_rows(parts_.at(0), parts_.at(parts_.top()));
        for (Count p = 0, all = parts_.top(); p < all; ++p)
            if (!coverage.count(parts_[p].own_rows, parts_[p].closure)) return false;
        return true;
    }

private:
    static constexpr bool is_hit = Model::family == Family::hit;
    static constexpr bool is_open = Model::family == Family::open_sunk;
    static constexpr int probes = 2;  // times that a part is asked for one miss more than is known
    static constexpr Value ruled_out{infeasible + 1, 0};  // of a shot, by the miss limit
    static constexpr Value put_off{-2, 0};  // in place of a value: another thread is busy with it

    // One sub-table.

    Value minimize(Part<Mask>& part, MissLimit limit, Count budget, int depth) {
        if (limit < 0) return {part.size.weight, 0};
        if (part.closure.is_single()) return {0, 0};
        if (depth > 0 && bounds_.has_closed_form(part.size.rows, limit))
            return bounds_.value_of_few(part, limit);
        const bool every = depth == 0 && question_.every_shot;
        Mask shot = is_open ? part.shot : part.closure.certain;
        if constexpr (is_open)
            if (depth > 0)
                shot |= Model::settled_ships(game_, part.rows(), part.closure.certain, shot);
        const Ahead ahead = bounds_.ahead_of(part, shot);
        Count bound = bounds_.at_once(part.size, ahead, limit);
        if (bound >= budget) return {bound, 0};

        make_key(part);
        if (const Entry known = look_up(part.key, limit); known != empty) {
            if (known.is_exact() && !every) {
                if (depth == 0) counters_.set_shot(shot_of(part, known));
                return known.value();
            }
            bound = std::max(bound, known.misses());
            if (bound >= budget) return {bound, 0};
        }

        if (!counters_.spend(part.size.rows)) return stopped;
        SubTable<Mask> sub(part, shot, ahead, limit, depth);
        sub.every = every;
        sub.due = is_open && (part.closure.certain & ~shot);
        const PartsAbove above(parts_);
        Level<Mask>& level = levels_[depth];
        if constexpr (!is_hit) {
            if (!reveal(sub, true)) return stop_for_room();
            bound = std::max(bound, sub.revealed);
            if (bound >= budget) {
                counters_.expanded(true);
                return keep_bound(part, bound, limit) ? Value{bound, 0} : stopped;
            }
        }
        count_columns(sub, level);
        bound = std::max(bound, bounds_.by_columns(sub, level));
        if (bound >= budget) {
            if (is_hit && !keep_bound(part, bound, limit)) return stopped;
            return {bound, 0};
        }
        return best_shot(sub, level, bound, budget);
    }

    /// The least over all shots, one after the other.
    Value best_shot(const SubTable<Mask>& sub, Level<Mask>& level, Count bound, Count budget) {
        const bool shown =
            busy_.are_used() && options_.lookahead && sub.size.rows >= BusyMarks::least_rows;
        const Word mark = shown ? mark_of(sub.part, sub.limit) : 0;
        if (shown) busy_.begin(mark);
        Count refuted = infeasible;  // least bound of the shots that are not best
        const int candidates = order_shots(sub, level, budget, refuted);
        if constexpr (!is_hit) {
            if (sub.are_revealed()) {
                const Count limit = limit_of(budget, infeasible, sub.every);
                const Value asked =
                    ask_parts(sub.parts, sub.parts_end, {sub.revealed, 0}, limit, sub);
                if (is_stopped(asked)) return stopped;
                bound = std::max(bound, std::min(asked.misses, infeasible));
            }
        }
        Value best{infeasible, 0};
        int choice = -1, keyed = 0;
        Mask shots = 0,
             deferred = 0;  // deferred : put off, as another thread is busy with its parts
        bool searched = !is_hit;
        for (int turn = 0; turn < (shown ? 2 : 1) * candidates; ++turn) {
            const Count limit = limit_of(budget, best.misses, sub.every);
            if (bound >= limit) break;
            const bool again = turn >= candidates;
            const int q = again ? turn - candidates : turn;
            if (again && !(deferred & bit_of<Mask>(q))) continue;
            Shot<Mask>& shot = level.in_order(q);
            if (q == keyed)  // two at first: those may refute the others, or the whole sub-table
                keyed =
                    look_ahead(sub, level, q, q == 0 ? std::min(2, candidates) : candidates, limit);
            searched |= shot.bound < limit;
            const Value value = value_of_shot(sub, shot, limit, 0 < turn && !again && shown);
            bound = std::max(bound, shot.told);
            if (value.misses == put_off.misses) {
                deferred |= bit_of<Mask>(q);
            } else if (is_stopped(value)) {
                return stopped;
            } else if (value.misses < std::min(limit, best.misses)) {
                best = value;
                choice = shot.cell;
                shots = bit_of<Mask>(choice);
            } else if (value.misses == best.misses) {
                shots |= bit_of<Mask>(shot.cell);
            } else {
                refuted = std::min(refuted, value.misses);
            }
        }
        counters_.expanded(searched);
        if (shown) busy_.finish(mark);
        const bool exact = best.misses < budget;
        SEABATTLE_ASSERT(!exact || bound <= best.misses);
        if (!exact && bound < budget)
            bound = std::max(bound, std::min({refuted, best.misses, infeasible}));
        if (sub.depth == 0) {
            counters_.set_shot(choice);
            best_shots_ = shots;
        }
        const Value found = exact ? best : Value{bound, 0};
        if (!searched) return found;
        const bool kept = exact ? keep(sub.part, found, choice, sub.limit)
                                : keep_bound(sub.part, bound, sub.limit);
        return kept ? found : stopped;
    }

    /// Value of a shot: tried, parted, asked; from `limit` on only a lower bound. In the innermost
    /// loop, where compilers leave it alone: a call takes some 3 % of the time.
    [[gnu::always_inline]] Value value_of_shot(const SubTable<Mask>& sub, Shot<Mask>& shot,
                                               Count limit, bool may_wait) {
        const Count missed = sub.size.weight - shot.hit.size.weight;
        const bool may_miss = shot.hit.size.rows < sub.size.rows;
        shot.told = 0;
        if (may_miss && sub.fewer < 0 && question_.goal == Goal::total) return ruled_out;
        const Count value = try_both(sub, shot, limit);
        if (value >= limit) {
            if (is_told(sub)) shot.told = told_values(shot.hit.least, shot.miss.least);
            return {value, 0};
        }
        if constexpr (is_hit) {
            Parting<Mask> parting(sub.rows, shot.cell);
            Part<Mask> both[2] = {part_of(shot.hit, parting, false),
                                  part_of(shot.miss, parting, true)};
            if (may_wait && is_part_busy(both, both + 2, sub)) return put_off;
            const Value found = ask_parts(both, both + 2, {value, 1}, limit, sub);
            tell(shot, both, both + 2, sub);
            return found;
        } else {
            const PartsAbove above(parts_);
            return part_and_ask(sub, shot, missed, may_miss, limit, may_wait);
        }
    }
    Value part_and_ask(const SubTable<Mask>& sub, Shot<Mask>& shot, Count missed, bool may_miss,
                       Count limit, bool may_wait) {
        const Count base = parts_.top();
        if (!part_by_answers<Model>(game_, parts_, sub.rows, shot.cell, sub.shot))
            return stop_for_room();
        Part<Mask>*const first = parts_.at(base), *const end = parts_.at(parts_.top());
        if constexpr (Model::is_known_by_cells)
            SEABATTLE_ASSERT(!leaves_whole(sub, shot) || end - first == 2);
        Count value = bound_parts(first, end, missed, sub);
        if (question_.goal == Goal::worst && may_miss) value = std::max(value, Count{1});
        tell(shot, first, end, sub);
        if (value >= limit) return {value, 0};
        if (may_wait && is_part_busy(first, end, sub)) return put_off;
        const Value found = ask_parts(first, end, {value, may_miss}, limit, sub);
        tell(shot, first, end, sub);
        return found;
    }

    // A cell that is told for nothing: a best tree serves the rows of every answer, each by itself,
    // and shoots the cell no more. So they take no more misses together than the whole sub-table,
    // and none has a worse worst case. Where the order of shots matters (OpenSunk) the tree would
    // be told other things later. With a limit on misses the bounds after a miss are of fewer.

    bool is_told(const SubTable<Mask>& sub) const {
        return !is_open && options_.bounds && !limits_misses(sub.limit);
    }
    Count told_values(Count one, Count other) const {
        return question_.goal == Goal::worst ? std::max(one, other) : one + other;
    }
    void tell(Shot<Mask>& shot, const Part<Mask>* first, const Part<Mask>* end,
              const SubTable<Mask>& sub) const {
        if (!is_told(sub)) return;
        shot.told = 0;
        for (const Part<Mask>* part = first; part != end; ++part)
            shot.told = told_values(shot.told, part->least);
    }

    // What is kept and known.

    Word mark_of(const Part<Mask>& part, MissLimit limit) const {
        return BusyMarks::mark_of(part.key, keys_.words(), limit);
    }
    bool keep(const Part<Mask>& part, Value value, int cell, MissLimit limit) {
        return table_.enter(part.key, Entry::exact(value, image_of_shot(part, cell), limit),
                            counters_);
    }
    bool keep_bound(const Part<Mask>& part, Count bound, MissLimit limit) {
        return table_.enter(part.key, Entry::bound(bound, limit), counters_);
    }
    /// What the table says of a key with a miss limit, or of the key without one.
    Entry look_up(const Word* key, MissLimit limit) const {
        const Entry entry = table_.look_up(key, limit);
        if (entry != empty || !limits_misses(limit)) return entry;
        const Entry any = table_.look_up(key, no_limit);
        return any == empty ? empty : any.within(limit);
    }
    /// Lower bound on the misses of a sub-table that the table knows, 0 where it knows nothing.
    Count known_bound(const Word* key, MissLimit limit) const {
        return known_bound(table_.look_up(key, limit), key, limit);
    }
    Count known_bound(Entry entry, const Word* key, MissLimit limit) const {
        Count bound = entry == empty ? 0 : entry.misses();
        if (limits_misses(limit))
            if (const Entry any = table_.look_up(key, no_limit); any != empty)
                bound = std::max(bound, any.misses());
        return bound;
    }

    // Bounds.

    WeightRange weights() const { return game_.weight_range; }

    /// Part a sub-table by what is found where the cells around a hit are revealed, and bound it by
    /// those parts: by their sizes, and by what the table knows. False where there is no room.
    bool reveal(SubTable<Mask>& sub, bool by_table) {
        if (question_.goal != Goal::total) return true;
        const auto cells = reveal_.cells(sub.rows, sub.closure);
        if (!cells.cells) return true;
        const Count missed = reveal_.misses(sub.rows, cells), base = parts_.top();
        if (!reveal_.template part<Model>(sub.rows, cells, parts_)) return false;
        sub.parts = parts_.at(base);
        sub.parts_end = parts_.at(parts_.top());
        const Count bound = by_table ? bound_parts(sub.parts, sub.parts_end, missed, sub)
                                     : bound_parts_by_size(sub.parts, sub.parts_end, missed, sub);
        sub.revealed = std::min(bound, infeasible);
        return true;
    }

    /// Misses from which on a shot is refuted; without budgets every value is found that there is.
    Count limit_of(Count budget, Count best, bool every) const {
        if (!options_.budgets) return infeasible;
        return std::min(budget, every ? best + 1 : best);
    }

    // Columns, and the shots in order.

    void count_columns(const SubTable<Mask>& sub, Level<Mask>& level) const {
        level.count_columns(sub.rows, sub.closure, game_);
        level.list_shots(sub);
        if (bounds_.want_columns(sub.size.rows, level.columns)) level.list_columns();
    }

    /// List the shots worth a try: those that most weight occupies first, then by their bounds.
    /// Returns how many they are.
    int order_shots(const SubTable<Mask>& sub, Level<Mask>& level, Count budget, Count& refuted) {
        const bool dominance = options_.dominance && !is_open && !sub.every;
        int candidates = 0;
        const int columns = level.columns.count();
        for (int n = 0; n < columns; ++n) {
            // In mode `hit` columns are not always listed, and bounds come before cells.
            const int i = is_hit || !options_.ordering ? n : level.place_in_list(n);
            if (dominance && level.columns.is_dominated(i)) continue;
            if constexpr (is_hit) {
                Shot<Mask>& shot = level.shots[i];
                shot.bound = bound_both(sub, level, shot, budget);
                if (shot.bound >= budget && options_.budgets) {
                    refuted = std::min(refuted, shot.bound);
                    continue;
                }
            }
            put_in_order(level, candidates++, i);
        }
        if constexpr (is_open) {
            int i = columns;
            for (int cell : Cells(Mask(sub.closure.certain & ~sub.shot))) {
                level.list_shot(sub, i, cell, sub.size);
                put_in_order(level, candidates++, i++);
            }
        }
        return candidates;
    }
    /// Put a shot among those in order, of which there are so many. Of those that as much weight
    /// occupies: by bounds in mode `hit`, else by cells.
    void put_in_order(Level<Mask>& level, int count, int i) const {
        if (!options_.ordering)
            level.order[std::size_t(count)] = std::uint8_t(i);
        else
            level.put_in_order(count, i, [](const Shot<Mask>& shot, const Shot<Mask>& other) {
                return is_hit ? shot.bound < other.bound : shot.cell < other.cell;
            });
    }

    // Shots before any row moves.

    /// Bounds on both children of a shot in mode `hit`, and on its value.
    Count bound_both(const SubTable<Mask>& sub, const Level<Mask>& level, Shot<Mask>& shot,
                     Count budget) const {
        Child<Mask>&hit = shot.hit, &miss = shot.miss;
        auto value = [&] { return bounds_.both_values(miss.size.weight, hit.least, miss.least); };
        if (sub.fewer < 0 && question_.goal == Goal::lost) miss.least = miss.size.weight;
        if (!options_.bounds) return value();
        auto raise = [&](Child<Mask>& child, MissLimit limit, Count state) {
            const Ahead ahead = bounds_.ahead_of(child.closure, state);
            child.least = std::max(child.least, bounds_.by_size(child.size, ahead, limit));
        };
        raise(hit, sub.limit, no_state);
        raise(miss, sub.fewer, no_state);
        if (level.are_listed && miss.size.rows >= bounds_.column_rows)
            miss.least = std::max(
                miss.least, bounds_.by_path(miss.size, shot.cell, sub.ahead, level, sub.fewer));
        if (!bounds_.has_states() || value() >= budget) return value();
        raise(hit, sub.limit, bounds_.state_of(hit.size.rows, hit.closure.certain));
        const bool same = miss.closure.certain == sub.closure.certain;
        raise(miss, sub.fewer,
              same ? sub.ahead.state : bounds_.state_of(miss.size.rows, miss.closure.certain));
        return value();
    }

    /// Bounds on what follows a hit and a miss in the other modes, and on the value of the shot.
    Count bound_by_column(const SubTable<Mask>& sub, const Level<Mask>& level,
                          Shot<Mask>& shot) const {
        // A layout that is hit has its first letter: one cell less to spell.
        const Ahead after_hit{sub.ahead.ways, sub.ahead.cells - 1, no_state};
        Child<Mask>&hit = shot.hit, &miss = shot.miss;
        hit.least = bounds_.by_size(hit.size, after_hit, sub.limit);
        miss.least = std::max(bounds_.by_path(miss.size, shot.cell, sub.ahead, level, sub.fewer),
                              bounds_.by_size(miss.size, sub.ahead, sub.fewer));
        return bounds_.both_values(miss.size.weight, hit.least, miss.least);
    }

    /// Bound some shots, and make the keys of what those leave that are not refuted yet, before any
    /// is looked up: memory is slow, but answers many questions at a time. Returns the end of these
    /// shots.
    int look_ahead(const SubTable<Mask>& sub, Level<Mask>& level, int first, int end,
                   Count limit) const {
        for (int q = first; q < end; ++q) {
            Shot<Mask>& shot = level.in_order(q);
            if constexpr (!is_hit)
                if (options_.bounds && shot.miss.size.rows > 0 && !sub.due)
                    shot.bound = bound_by_column(sub, level, shot);
            if constexpr (Model::is_known_by_cells) {
                if (shot.bound >= limit || !options_.lookahead || !leaves_whole(sub, shot))
                    continue;
                make_child_key(shot.hit, sub.limit);
                make_child_key(shot.miss, sub.fewer);
            }
        }
        return end;
    }
    bool leaves_whole(const SubTable<Mask>& sub, const Shot<Mask>& shot) const {
        auto is_whole = [&](Closure<Mask> closure) {
            return Model::is_whole(game_, closure, Mask(closure.certain & ~sub.shot));
        };
        return is_whole(shot.miss.closure) && is_whole(shot.hit.closure);
    }
    void make_child_key(Child<Mask>& child, MissLimit limit) const {
        if (child.size.rows <= (is_hit ? most_few : 2) || child.closure.is_single()) return;
        keys_.make_closed(child.closure, child.key.data());
        child.has_key = true;
        child.place = table_.prefetch(child.key.data(), limit);
    }

    /// Bound on the value of a shot from what is known of both children.
    Count try_both(const SubTable<Mask>& sub, Shot<Mask>& shot, Count limit) const {
        if (shot.bound >= limit || !(shot.hit.has_key || shot.miss.has_key)) return shot.bound;
        auto raise = [&](Child<Mask>& child, MissLimit left) {
            if (!child.has_key) return;
            const Word* key = child.key.data();
            const Entry entry = table_.look_up(key, left, child.place);
            child.least = std::max(child.least, known_bound(entry, key, left));
        };
        raise(shot.hit, sub.limit);
        raise(shot.miss, sub.fewer);
        return bounds_.both_values(shot.miss.size.weight, shot.hit.least, shot.miss.least);
    }

    static Part<Mask> part_of(Child<Mask>& child, Parting<Mask>& parting, bool missed) {
        return {.own_rows = {},
                .parting = &parting,
                .size = child.size,
                .closure = child.closure,
                .least = child.least,
                .missed = missed,
                .symmetry = child.has_key ? 0 : no_key,
                .key = child.key.data()};
    }

    // Shots once their rows are parted, in the other modes than `hit`.

    /// Set the lower bound of each part by its size; returns that on the value of the shot.
    Count bound_parts_by_size(Part<Mask>* first, Part<Mask>* end, Count missed,
                              const SubTable<Mask>& sub) {
        Count value = question_.goal == Goal::total ? missed : 0;
        for (Part<Mask>* part = first; part != end; ++part) {
            const MissLimit limit = sub.limit_of(part->missed);
            Count least = 0;
            if (limit < 0)
                least = part->size.weight;
            else if (!part->closure.is_single())
                least = bounds_.at_once(part->size, bounds_.ahead_of(*part, part->shot), limit);
            part->least = 0;
            value = value_with_part(*part, value, least);
        }
        return value;
    }
    /// The same by what the table knows, too.
    Count bound_parts(Part<Mask>* first, Part<Mask>* end, Count missed, const SubTable<Mask>& sub) {
        Count value = bound_parts_by_size(first, end, missed, sub);
        if (!options_.lookahead) return value;
        for (Part<Mask>* part = first; part != end; ++part) {
            const bool is_pair = part->size.rows == 2 && !is_open && options_.bounds;
            if (part->closure.is_single() || is_pair) continue;
            make_key(*part);
            table_.prefetch(part->key, sub.limit_of(part->missed));
        }
        for (Part<Mask>* part = first; part != end; ++part) {
            if (part->symmetry == no_key) continue;
            const Count known = known_bound(part->key, sub.limit_of(part->missed));
            if (known > part->least) value = value_with_part(*part, value, known);
        }
        return value;
    }
    /// Value of the shot once a part has these misses at least; notes them.
    Count value_with_part(Part<Mask>& part, Count value, Count least) const {
        const Count before = part.least;
        part.least = least;
        if (question_.goal == Goal::worst) return std::max(value, least + part.missed);
        return value + least - before;
    }
    bool is_part_busy(const Part<Mask>* first, const Part<Mask>* end,
                      const SubTable<Mask>& sub) const {
        for (const Part<Mask>* part = first; part != end; ++part)
            if (part->symmetry != no_key && part->size.rows >= BusyMarks::least_rows &&
                busy_.has(mark_of(*part, sub.limit_of(part->missed))))
                return true;
        return false;
    }

    // What the parts are asked for, to refute a shot. It is refuted once its value, the misses at
    // once and those of every part, reaches the limit. Which part contributes how much is free. To
    // ask the smallest for all that is lacking has it solved exactly: wasted work where the larger
    // ones would have given that with ease, as what it takes to raise a lower bound grows fast with
    // the rise. So each is first asked whether it has one miss more than its bound, which often
    // raises that by several for next to nothing. What is still lacking is then split in proportion
    // to the misses known of each. One that has less is known exactly by then, and the others split
    // the rest.

    /// Ask the parts until the shot is refuted or the value of each is known, smaller ones first:
    /// to know those exactly is cheap. Returns the value of the shot.
    ///
    /// value : what is known of it
    Value ask_parts(Part<Mask>* first, Part<Mask>* end, Value value, Count limit,
                    const SubTable<Mask>& sub) {
        sort_by_rows(first, end);
        int left = 0;
        for (Part<Mask>* part = first; part != end; ++part) {
            part->known = part->closure.is_single() || (part->missed && sub.fewer < 0);
            left += !part->known;
        }
        const bool shared = 0 < question_.split_rows && question_.split_rows <= sub.size.rows &&
                            limit < infeasible && question_.goal != Goal::worst && options_.budgets;
        for (int turn = 0; left > 0 && value.misses < limit; ++turn) {
            Count shares = 0;
            for (Part<Mask>* part = first; shared && part != end; ++part)
                if (!part->known) shares += share_of(*part);
            for (Part<Mask>* part = first; part != end; ++part) {
                if (part->known) continue;
                Count room = question_.goal == Goal::worst ? limit - part->missed
                                                           : limit - (value.misses - part->least);
                if (shared && left > 1) {
                    const Count share = share_of(*part);
                    room = misses_asked(turn, part->least, room - part->least, share, shares);
                    shares -= share;
                }
                const Value answer =
                    minimize(*part, sub.limit_of(part->missed), room, sub.depth + 1);
                if (is_stopped(answer)) return stopped;
                value.worst = std::max(value.worst, answer.worst + part->missed);
                value.misses = value_with_part(*part, value.misses, answer.misses);
                if (value.misses >= limit) break;
                if (answer.misses < room) {
                    part->known = true;
                    --left;
                }
            }
        }
        return value;
    }
    /// Part of what is lacking for which a part is asked, in proportion to the others'. Rather less
    /// for one of many rows: there the same rise takes more work.
    static Count share_of(const Part<Mask>& part) {
        return 64 * (part.least + 1) / std::bit_width(Word(part.size.rows));
    }
    /// Budget of a part: its lower bound and a part of what is lacking.
    ///
    /// turn : how often it has been asked before; share, shares : its own, and the sum for all that
    /// are asked from here on, it included
    static Count misses_asked(int turn, Count known, Count lacking, Count share, Count shares) {
        if (turn < probes) return known + 1;
        if (share == shares) return known + lacking;
        return known + 1 + Count(double(lacking) * (double(share) / double(shares)));
    }

    // What is asked from outside.

    /// Value of some parts of the rows together: those that a shot leaves, or one that is all.
    Value minimize_together(Part<Mask>* first, Part<Mask>* end, MissLimit limit, Count budget) {
        const bool by_worst = question_.goal == Goal::worst;
        const int depth = question_.every_shot ? 0 : 1;  // all best shots are sought at depth 0
        Value value{0, 0};
        for (Part<Mask>* part = first; part != end; ++part)
            value.worst = std::max(value.worst, int(part->missed));
        if (value.worst && limit == 0 && question_.goal == Goal::total) return {infeasible, 0};
        auto limit_after = [&](const Part<Mask>& part) {
            return part.missed ? after_miss(limit) : limit;
        };
        for (Part<Mask>* part = first; part != end; ++part) {  // what their sizes prove
            const Value known = minimize(*part, limit_after(*part), 0, depth);
            part->least = 0;
            value.misses = value_with_part(*part, value.misses, known.misses);
            if (part->missed && question_.goal == Goal::total) value.misses += part->size.weight;
        }
        bool exact = true;
        for (Part<Mask>* part = first; part != end && value.misses < budget; ++part) {
            const Count room =
                by_worst ? budget - part->missed : budget - (value.misses - part->least);
            const Value answer = minimize(*part, limit_after(*part), room, depth);
            if (is_stopped(answer)) return stopped;
            exact = exact && answer.misses < room;
            value.worst = std::max(value.worst, answer.worst + part->missed);
            value.misses = value_with_part(*part, value.misses, answer.misses);
        }
        if (value.misses >= budget) return {std::min(value.misses, infeasible), 0};
        return exact ? value : Value{value.misses, 0};
    }

    bool is_numbered() const { return !is_hit || weights().differ(); }
    /// Rows by their numbers, in memory of the search.
    Rows<Mask> rows_of(Array<const std::int32_t> ids, bool numbered) {
        for (Count i = 0; i < ids.size(); ++i) {
            masks_[i] = game_.mask(ids[i]);
            numbers_[i] = ids[i];
        }
        return {masks_.begin(), numbered ? numbers_.begin() : nullptr, ids.size()};
    }

    Game<Mask> game_;
    SearchOptions options_;
    Keys<Mask> keys_;
    RevealBound<Mask> reveal_;
    Array<Mask> masks_;            // the rows asked about, which change places
    Array<std::int32_t> numbers_;  // their numbers
    SubTableBounds<Model> bounds_;
    Array<Level<Mask>> levels_;
    Parts<Mask> parts_;
    Question question_;
    Table table_;
    BusyMarks busy_;
    States<Mask> states_;
    Counters counters_;
    Mask best_shots_ = 0;
};

}  // namespace seabattle
