// Trees of every answer mode, node by node: the one that best shots lead to, or a greedy rule's.
//
// A tree is emitted in preorder, the smallest answer code first. `next_open` emits leaves and
// shoots certain hits that are due, until a shot has to be chosen; `divide` emits the node of that
// shot and parts its rows by their answers, by the rules of the game. Between the two a greedy rule
// chooses, or the table of a search that has been there. What the table does not know the search is
// asked, or the caller, one sub-table at a time.
//
// The sub-tables whose nodes are still to be emitted are a stack, so that the work can stop at any
// of them and go on in another call, even by another policy.
#pragma once
#include "enumerate/answering.hpp"
#include "solver/search/exact_search.hpp"

namespace seabattle {

/// What is shot: the cell nearest to half of the weight, the one of most weight, or what is known.
enum class Policy : std::int32_t { half, hits, known };

template <class Model>
class GrowingTree {
    using Mask = typename Model::Mask;

    /// A sub-table whose node is still to be emitted.
    struct Open {
        Count lo, hi;           // its rows, a range of `ids_`
        std::int32_t parent;    // node that it hangs from, -1 at the root
        std::int32_t answer;    // that leads to it
        Count shots;            // on the path, those of the position among them
        int misses;             // on the path
        MissLimit limit;        // miss limit still left
        Mask shot;              // cells shot so far
        Closure<Mask> closure;  // filled in when its node is due
    };

    /// The nodes emitted, as the caller has them.
    struct Nodes {
        explicit Nodes(const seabattle_nodes& given)
            : shots(given.shots, given.shots_size),
              parents(given.parents, given.parents_size),
              answers(given.answers, given.answers_size),
              leaf(given.leaf, given.leaf_size),
              members(given.members, given.members_size),
              found(given.found, given.found_size) {}
        bool is_valid(const Game<Mask>& game) const {
            const Count room = shots.size();
            return parents.size() == room && answers.size() == room && leaf.size() == room &&
                   members.size() == game.rows.size() && found.size() == game.cells + 1;
        }

        Array<std::int16_t> shots;
        Array<std::int32_t> parents;
        Array<std::uint16_t> answers;
        Array<Count> leaf;
        Array<std::int32_t> members;
        Array<Count> found;
    };

public:
    /// Why the tree does not grow any more: all is emitted; the search has to stop; there is no
    /// room for nodes; the caller is asked for a shot; a best shot tells nothing.
    enum class Outcome { finished, stopped, full, asks, contradicts, invalid };

    GrowingTree(Search<Model>& search, const seabattle_tree_start& start, Arena& arena)
        : mode_(Mode(start.mode)),
          is_positive_(start.positive != 0),
          rows_(search.game().rows.size()) {
        const Game<Mask>& game = search.game();
        const Count copies = is_positive_ ? rows_ * game.ship_count : 0, room = rows_ + copies;
        const Count answers = game.ship_count + 2;
        open_ = arena.take<Open>((game.cells + 1) * answers);
        path_ = arena.take<std::int16_t>(Count(start.path_size) + game.cells + 1);
        ids_ = arena.take<std::int32_t>(room);
        codes_ = arena.take<std::uint16_t>(room);
        lengths_ = arena.take<std::int16_t>(game.ship_count);
        ships_ = {lengths_, arena.take<std::int16_t>(game.ship_count),
                  arena.take<std::int16_t>(game.ship_count)};
        if (arena.full()) return;
        for (Count row = 0; row < rows_; ++row) ids_[copies + row] = std::int32_t(row);
        for (Count d = 0; d < game.ship_count; ++d) lengths_[d] = std::int16_t(game.lengths[d]);
        for (Count i = 0; i < Count(start.path_size); ++i) path_[i] = start.path[i];
        open_[0] = {copies,
                    room,
                    -1,
                    0,
                    Count(start.path_size),
                    0,
                    start.miss_limit,
                    mask_of<Mask>(start.shot, start.shot_size),
                    {}};
        height_ = 1;
    }

    /// Emit the tree of a policy, to its end or until it has to stop.
    Outcome grow(Search<Model>& search, const seabattle_policy& policy,
                 const seabattle_nodes& nodes, seabattle_growth& growth, seabattle_asked& asked) {
        search_ = &search;
        policy_ = &policy;
        nodes_ = Nodes(nodes);
        growth_ = &growth;
        const bool has_room =
            Count(asked.rows_size) >= rows_ && asked.hit_size >= Masks<Mask>::words;
        if (!nodes_.is_valid(game()) || (policy.asks && !has_room)) return Outcome::invalid;
        for (;;) {
            const Outcome outcome = next_open();
            if (height_ == 0 || outcome != Outcome::finished) return outcome;
            int cell = asked.shot;
            asked.shot = -1;
            if (cell < 0 && is_greedy()) {
                cell = greedy_cell();
            } else if (cell < 0) {
                const Open& top = open_[height_ - 1];
                Part<Mask>& part = search.sub_table(ids_.part(top.lo, top.hi), hit(top));
                cell = search.shot_of_few(part, top.limit);
                if (cell < 0) cell = search.known_shot(part, top.limit, policy.level);
                if (!search.may_tell(cell, part)) {
                    if (policy.asks) return ask(top, asked);
                    if (is_stopped(search.best_shot(part, top.limit))) return Outcome::stopped;
                    cell = search.counters().shot();
                    if (!search.may_tell(cell, part)) return Outcome::contradicts;
                }
            }
            divide(cell);
        }
    }

private:
    const Game<Mask>& game() const { return search_->game(); }
    /// The copy of row r is r + the number of rows: see `believe_hits`.
    bool is_copy(Count id) const { return id >= rows_; }
    Count row_of(Count id) const { return is_copy(id) ? id - rows_ : id; }
    Mask hit(const Open& open) const { return open.shot & open.closure.certain; }

    /// Emit leaves and certain hits that are due, until a shot has to be chosen, or all is emitted.
    Outcome next_open() {
        while (height_ > 0) {
            if (growth_->nodes == nodes_.shots.size()) return Outcome::full;
            Open& top = open_[height_ - 1];
            if (!search_->counters().spend(top.hi - top.lo)) return Outcome::stopped;
            top.closure = {game().full, 0};
            for (const Count id : ids_.part(top.lo, top.hi)) {
                top.closure.certain &= game().mask(row_of(id));
                top.closure.occupied |= game().mask(row_of(id));
            }
            if (top.closure.is_single()) {
                emit_leaf(top);
                continue;
            }
            const Mask due = top.closure.certain & ~top.shot;
            if (!policy_->due_first || !due) return Outcome::finished;
            divide(lowest_bit(due));
        }
        return Outcome::finished;
    }

    /// Emit a node of the sub-table on top.
    std::int32_t emit(const Open& open, int shot) {
        const Count node = growth_->nodes++;
        nodes_.shots[node] = std::int16_t(shot);
        nodes_.parents[node] = open.parent;
        nodes_.answers[node] = std::uint16_t(open.answer);
        nodes_.leaf[node] = growth_->listed;
        return std::int32_t(node);
    }
    /// Emit the sub-table on top as a leaf, its rows in rising order.
    void emit_leaf(const Open& open) {
        const Count first = growth_->listed;
        for (const std::int32_t id : ids_.part(open.lo, open.hi)) {
            if (is_copy(id)) continue;
            const Count weight = game().weights[id];
            growth_->total_misses += open.misses * weight;
            nodes_.found[open.misses] += weight;
            Count place = growth_->listed++;
            for (; place > first && nodes_.members[place - 1] > id; --place)
                nodes_.members[place] = nodes_.members[place - 1];
            nodes_.members[place] = id;
        }
        growth_->worst_misses = std::max(growth_->worst_misses, Count(open.misses));
        emit(open, -1);
        ++growth_->leaves;
        --height_;
    }

    /// Answer of a row to a shot, after those of the path.
    Answer answer(Count row, int cell, const Open& open) const {
        if (!(game().mask(row) & bit_of<Mask>(cell))) return Answer::miss();
        if (mode_ == Mode::Hit) return Answer::hit();
        const int d = game().ship_at(row, cell);
        if (mode_ == Mode::Ship) {
            ships_.begin();
            for (const int before : path_.part(0, open.shots))
                if (const int e = game().ship_at(row, before); e >= 0) ships_.hit(e);
        } else {
            ships_.left[d] = std::int16_t(popcount(Mask(game().ship(row, d) & ~open.shot)));
        }
        return ships_.answer(mode_, d);
    }

    /// Put copies of the rows that a shot sinks before `lo`, answered `hit`.
    ///
    /// So it is where a plain hit says no more than that. The shooter takes the copy for possible,
    /// but its answer was another. A row is sunk on a path once for each ship: there is room for as
    /// many copies of all rows. Returns where the segment begins.
    Count believe_hits(Count lo, Count hi) const {
        Count start = lo;
        for (Count i = lo; i < hi; ++i) {
            if (codes_[i] != Answer::sunk().code) continue;
            --start;
            ids_[start] = std::int32_t(is_copy(ids_[i]) ? ids_[i] : ids_[i] + rows_);
            codes_[start] = std::uint16_t(Answer::hit().code);
        }
        return start;
    }

    /// Emit the node of the sub-table on top with its shot, and put its parts on the stack.
    void divide(int cell) {
        const Open whole = open_[height_ - 1];
        const std::int32_t node = emit(whole, cell);
        for (Count i = whole.lo; i < whole.hi; ++i)
            codes_[i] = std::uint16_t(answer(row_of(ids_[i]), cell, whole).code);
        path_[whole.shots] = std::int16_t(cell);
        const Count lo = is_positive_ ? believe_hits(whole.lo, whole.hi) : whole.lo;
        --height_;
        // What is left goes below the part before: so the smallest code ends on top.
        for (Count hi = whole.hi; hi > lo;) {
            const Count mid = part_greatest(lo, hi);
            const bool missed = codes_[mid] == Answer::miss().code;
            bool is_possible = false;
            for (const Count id : ids_.part(mid, hi)) is_possible = is_possible || !is_copy(id);
            if (is_possible)
                open_[height_++] = {mid,
                                    hi,
                                    node,
                                    codes_[mid],
                                    whole.shots + 1,
                                    whole.misses + missed,
                                    missed ? after_miss(whole.limit) : whole.limit,
                                    Mask(whole.shot | bit_of<Mask>(cell)),
                                    {}};
            hi = mid;
        }
    }
    /// Move the rows of the greatest code to the end; returns where they begin.
    Count part_greatest(Count lo, Count hi) const {
        const auto codes = codes_.part(lo, hi);
        const std::uint16_t greatest = *std::max_element(codes.begin(), codes.end());
        Count mid = lo;
        for (Count i = lo; i < hi; ++i) {
            if (codes_[i] == greatest) continue;
            std::swap(ids_[i], ids_[mid]);
            std::swap(codes_[i], codes_[mid]);
            ++mid;
        }
        return mid;
    }

    bool is_greedy() const {
        const Open& top = open_[height_ - 1];
        return Policy(policy_->kind) != Policy::known || top.hi - top.lo > policy_->exact_rows ||
               top.limit < 0;
    }
    /// Cell that a greedy rule shoots in the sub-table on top.
    int greedy_cell() {
        const Open& top = open_[height_ - 1];
        std::array<Count, 8 * sizeof(Mask)> weights{};
        Count whole = 0;
        for (const Count id : ids_.part(top.lo, top.hi)) {
            const Count row = row_of(id), weight = game().weights[row];
            whole += weight;
            for (int cell : Cells(Mask(game().mask(row) & top.closure.unknown())))
                weights[std::size_t(cell)] += weight;
        }
        int chosen = -1;
        Count best = 0, equal = 0;
        for (int cell : Cells(top.closure.unknown())) {
            const Count weight = weights[std::size_t(cell)], unhalved = 2 * weight - whole;
            const Count score = Policy(policy_->kind) != Policy::half ? weight
                                : unhalved < 0                        ? unhalved
                                                                      : -unhalved;
            if (chosen < 0 || score > best) {
                chosen = cell;
                best = score;
                equal = 1;
            } else if (score == best && policy_->random_ties) {
                ++equal;
                growth_->random = mix(growth_->random);
                if (Count(growth_->random >> 32) % equal == 0) chosen = cell;
            }
        }
        return chosen;
    }

    /// Hand the sub-table on top out, to be told its shot.
    Outcome ask(const Open& top, seabattle_asked& asked) const {
        const auto ids = ids_.part(top.lo, top.hi);
        std::copy(ids.begin(), ids.end(), asked.rows);
        asked.count = ids.size();
        put_mask(hit(top), asked.hit);
        return Outcome::asks;
    }

    Mode mode_;
    bool is_positive_;  // a plain hit says no more than that its cell is occupied
    Count rows_;        // of the game
    Array<Open> open_;
    Count height_ = 0;
    Array<std::int16_t> path_;    // cells shot on the path, in order
    Array<std::int32_t> ids_;     // rows, which change places; copies have room before them
    Array<std::uint16_t> codes_;  // scratch: answer of each
    Array<std::int16_t> lengths_;
    ShipStates ships_;  // scratch
    Search<Model>* search_ = nullptr;
    const seabattle_policy* policy_ = nullptr;
    Nodes nodes_{{}};
    seabattle_growth* growth_ = nullptr;
};

}  // namespace seabattle

extern "C" int64_t seabattle_tree_make(uint8_t* search, size_t, const seabattle_tree_start* start,
                                       uint8_t* memory, size_t memory_size) {
    using namespace seabattle;
    return SearchHandle::in(search).with_word([&]<class Model>(Search<Model>& made) -> Count {
        Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
        arena.make<GrowingTree<Model>>(made, *start);
        return arena.full() ? Count(SEABATTLE_FULL) : arena.top();
    });
}

extern "C" int64_t seabattle_tree_grow(uint8_t* search, size_t, uint8_t* memory, size_t,
                                       const seabattle_policy* policy,
                                       const seabattle_question* question,
                                       seabattle_counters* counters, const seabattle_nodes* nodes,
                                       seabattle_growth* growth, seabattle_asked* asked) {
    using namespace seabattle;
    return SearchHandle::in(search).with_word([&]<class Model>(Search<Model>& made) -> Count {
        made.begin(*question, *counters);
        using Tree = GrowingTree<Model>;
        using Outcome = typename Tree::Outcome;
        switch (reinterpret_cast<Tree*>(memory)->grow(made, *policy, *nodes, *growth, *asked)) {
            case Outcome::finished:
                return 0;
            case Outcome::asks:
                return 1;
            case Outcome::contradicts:
                return 2;
            case Outcome::stopped:
                return SEABATTLE_STOPPED;
            case Outcome::full:
                return SEABATTLE_FULL;
            case Outcome::invalid:
                break;
        }
        return SEABATTLE_INVALID;
    });
}
