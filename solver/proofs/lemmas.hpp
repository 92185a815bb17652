// The lemmas of a proof: which sub-tables it takes, and how many misses are needed of each.
//
// A lemma says of a sub-table that it takes so many misses at least. It follows shot by shot, where
// what a shot misses and what is *known* of its parts come to that; known is what counting says
// (words and columns), the value of a few rows, or another lemma. So the walk begins with what is
// claimed of all rows, and goes down: wherever the known bounds of the parts of a shot do not come
// to what is needed, a part becomes a lemma, or a lemma has to say more.
//
// Which part can say how much, the table of the search knows; where it does not, the search is
// asked. What it proves by other means, such as coverage, becomes lemmas in the same way, as a
// lemma is only ever taken apart by these rules.
//
// Every part of a shot has fewer rows than the whole. So lemmas are taken apart from the largest
// down, each once, when all that is needed of it has been asked for.
#pragma once
#include "solver/search/exact_search.hpp"

namespace seabattle {

/// Lemmas in memory of the caller, found by their keys, and listed by their rows until they are
/// taken apart.
class Lemmas {
public:
    static constexpr Count none = -1;

    Lemmas(seabattle_lemmas& given, int key_words)
        : given_(given),
          key_words_(key_words),
          last_(Word(given.slots_size) - 1),
          keys_({given.keys, given.keys_size}),
          slots_({given.slots, given.slots_size}),
          of_size_({given.of_size, given.of_size_size}) {
        for (; given.placed < given.count; ++given.placed)  // there is more room than before
            set_slot(given.placed);
    }

    std::int64_t& bound(Count lemma) const { return given_.bounds[lemma]; }
    std::int32_t& row(Count lemma) const { return given_.rows[lemma]; }
    /// H and U of a lemma, in words beside each other.
    const Word* masks(Count lemma, int words) const { return given_.masks + 2 * words * lemma; }
    template <class Mask>
    void set_masks(Count lemma, Mask certain, Mask occupied) const {
        Word* const words = given_.masks + 2 * Masks<Mask>::words * lemma;
        put_mask(occupied, words + put_mask(certain, words));
    }

    Count find(const Word* key) const { return slots_[place(key)] - 1; }
    /// A new lemma; `none` where there is no room.
    Count add(const Word* key, Count rows) {
        if (given_.count == Count(given_.bounds_size)) return none;
        const Count lemma = given_.count++;
        std::copy(key, key + key_words_, key_of(lemma));
        set_slot(lemma);
        given_.placed = given_.count;
        given_.next[lemma] = of_size_[rows];
        of_size_[rows] = std::int32_t(lemma + 1);
        return lemma;
    }
    /// A lemma of so many rows that is still to be taken apart, or `none`.
    Count first(Count rows) const { return of_size_[rows] - 1; }
    void take_off(Count rows) { of_size_[rows] = given_.next[first(rows)]; }
    Count sizes() const { return of_size_.size(); }

private:
    Word* key_of(Count lemma) const { return keys_.row(lemma, key_words_).begin(); }
    void set_slot(Count lemma) { slots_[place(key_of(lemma))] = std::int32_t(lemma + 1); }
    Count place(const Word* key) const {
        Word mixed = 0;
        for (int w = 0; w < key_words_; ++w) mixed = mix(mixed ^ key[w]);
        Word at = place_of_hash(mixed, last_);
        for (;; at = (at + 1) & last_) {
            const Count lemma = slots_[Count(at)] - 1;
            if (lemma == none || std::equal(key, key + key_words_, key_of(lemma))) return Count(at);
        }
    }

    seabattle_lemmas& given_;
    int key_words_;
    Word last_;
    Array<Word> keys_;
    Array<std::int32_t> slots_;    // numbers of lemmas and 1, 0 where none is
    Array<std::int32_t> of_size_;  // likewise, by rows
};

/// The walk from a claim down to all lemmas that it takes.
template <class Model>
class ProofWalk {
public:
    using Mask = typename Model::Mask;

    ProofWalk(Search<Model>& search, seabattle_lemmas& lemmas, MissLimit limit)
        : search_(search), lemmas_(lemmas, search.keys_.words()), limit_(limit) {}

    /// Take a claim of all rows apart; 0 once it is done, otherwise a status. To ask again goes on.
    Count prove(Count claim, Array<const std::int32_t> ids, Mask hit) {
        if (!search_.part_all(search_.rows_of(ids, true), -1, hit)) return SEABATTLE_STOPPED;
        Count status = require(0, 0, claim);
        for (Count rows = lemmas_.sizes() - 1; rows > 0 && status == 0; --rows)
            for (Count lemma; status == 0 && (lemma = lemmas_.first(rows)) != Lemmas::none;) {
                status = take_apart(lemma, ids);
                if (status == 0) lemmas_.take_off(rows);
            }
        return status;
    }

private:
    bool is_worst() const { return search_.question_.goal == Goal::worst; }

    /// Put the sub-table of a lemma on the stack of parts, as its only part; false for no room.
    bool put(Count lemma, Array<const std::int32_t> ids) {
        constexpr int words = Masks<Mask>::words;
        const Masks<Mask> masks({lemmas_.masks(lemma, words), Count(2 * words)});
        const Closure<Mask> closure{masks[0], masks[1]};
        const Rows<Mask> rows = rows_of(closure, ids);
        Parts<Mask>& parts = search_.parts_;
        parts.release(0);
        if (!parts.push(rows, false, 0) || !close_parts<Model>(search_.game_, parts, 0, -1))
            return false;
        Count p = 0;
        while (!has_row(parts[p].own_rows, lemmas_.row(lemma))) ++p;
        std::swap(parts[0], parts[p]);
        parts[0].shot = closure.certain;
        parts.release(1);
        return true;
    }
    /// The rows that occupy all of H and nothing outside U. A lemma has few of all rows, so that
    /// mostly none of a block does: this is seen without a branch for each.
    Rows<Mask> rows_of(Closure<Mask> closure, Array<const std::int32_t> ids) {
        constexpr Count block = 64;
        const auto& game = search_.game_;
        Rows<Mask> rows = search_.room_for_rows();
        rows.count = 0;
        auto lacks = [&](Count i) {
            const Mask mask = game.mask(ids[i]);
            return Mask((closure.certain & ~mask) | (mask & ~closure.occupied));
        };
        for (Count first = 0; first < ids.size(); first += block) {
            const Count end = std::min(first + block, ids.size());
            bool any = false;
            for (Count i = first; i < end; ++i) any |= lacks(i) == 0;
            for (Count i = first; any && i < end; ++i) {
                if (lacks(i)) continue;
                rows.masks[rows.count] = game.mask(ids[i]);
                rows.numbers[rows.count++] = ids[i];
            }
        }
        return rows;
    }
    static bool has_row(Rows<Mask> rows, std::int32_t number) {
        for (Count i = 0; i < rows.count; ++i)
            if (rows.number(i) == number) return true;
        return false;
    }

    Count take_apart(Count lemma, Array<const std::int32_t> ids) {
        Parts<Mask>& parts = search_.parts_;
        if (!put(lemma, ids)) return stop_for_room();
        const Part<Mask> whole = parts[0];
        if (!search_.counters_.spend(ids.size() / 8)) return SEABATTLE_STOPPED;
        columns_.count_rows(whole.own_rows, whole.closure);
        Mask shots = 0;
        for (int i = 0; i < columns_.count(); ++i)
            if (!columns_.is_dominated(i)) shots |= bit_of<Mask>(columns_.cell(i));
        for (int cell : Cells(shots)) {
            parts.release(1);
            if (!search_.counters_.spend(whole.size.rows)) return SEABATTLE_STOPPED;
            if (!part_by_shot(whole.own_rows, cell, whole.shot, parts)) return stop_for_room();
            const Count missed = search_.game_.weight_of(parts[1].own_rows);
            if (!close_parts<Model>(search_.game_, parts, 1, cell)) return stop_for_room();
            const Count status = require(1, missed, lemmas_.bound(lemma));
            if (status != 0) return status;
        }
        return 0;
    }
    Count stop_for_room() {
        search_.stop_for_room();
        return SEABATTLE_STOPPED;
    }

    /// Let the parts from `first` on, and what is missed at once, come to a bound, by lemmas where
    /// it takes some.
    Count require(Count begin, Count missed, Count bound) {
        Part<Mask>* const first = search_.parts_.at(begin);
        Part<Mask>* const end = search_.parts_.at(search_.parts_.top());
        sort_by_rows(first, end);
        for (Part<Mask>* part = first; part != end; ++part)
            if ((part->least = told(*part)) < 0) return SEABATTLE_STOPPED;
        if (sum(first, end, missed) >= bound) return 0;
        for (Part<Mask>* part = first; part != end; ++part) {
            if (!may_be_lemma(*part)) continue;
            part->least = std::max(part->least, count(*part));
            if (sum(first, end, missed) >= bound) return 0;
        }
        for (Part<Mask>* part = first; part != end; ++part)
            if (may_be_lemma(*part))
                part->least = std::max(part->least, search_.known_bound(part->key, limit_));
        for (Part<Mask>* part = first; part != end; ++part) {
            const Count known = sum(first, end, missed);
            if (known >= bound) break;
            if (!may_be_lemma(*part)) continue;
            const Count room = is_worst() ? bound - part->missed : bound - (known - part->least);
            const Value value = search_.minimize(*part, limit_, room, 1);
            if (is_stopped(value)) return SEABATTLE_STOPPED;
            part->least = std::max(part->least, value.misses);
        }
        const Count known = sum(first, end, missed);
        if (known < bound) return SEABATTLE_INVALID;  // the bound is not true
        return is_worst() ? require_one(first, end, bound) : require_all(first, end, known - bound);
    }
    /// One part that has the bound becomes a lemma, or is one.
    Count require_one(Part<Mask>* first, Part<Mask>* end, Count bound) {
        Part<Mask>* chosen = nullptr;
        for (Part<Mask>* part = first; part != end; ++part)
            if (part->least + part->missed >= bound &&
                (!chosen || (!is_lemma(*chosen) && is_lemma(*part))))
                chosen = part;
        return need(*chosen, bound - chosen->missed);
    }
    /// Parts that have to say more than they are told to become lemmas: as few new ones as may be,
    /// and rather small ones.
    Count require_all(Part<Mask>* first, Part<Mask>* end, Count spare) {
        for (const bool lemmas : {false, true})
            for (Part<Mask>* part = end; part-- != first;) {
                if (!may_be_lemma(*part) || is_lemma(*part) != lemmas) continue;
                const Count known = std::max(told(*part), count(*part));
                part->known = part->least - known <= spare;
                if (part->known) spare -= part->least - known;
            }
        for (Part<Mask>* part = end; part-- != first;) {
            if (!may_be_lemma(*part) || part->known) continue;
            part->least -= spare;
            spare = 0;
            const Count status = need(*part, part->least);
            if (status != 0) return status;
        }
        return 0;
    }
    Count sum(const Part<Mask>* first, const Part<Mask>* end, Count missed) const {
        Count value = is_worst() ? 0 : missed;
        for (const Part<Mask>* part = first; part != end; ++part)
            value = is_worst() ? std::max(value, part->least + part->missed) : value + part->least;
        return value;
    }

    /// A lemma of a part has to say so much.
    Count need(Part<Mask>& part, Count bound) {
        Count lemma = lemmas_.find(part.key);
        if (lemma == Lemmas::none) {
            lemma = lemmas_.add(part.key, part.size.rows);
            if (lemma == Lemmas::none) return SEABATTLE_FULL;
            lemmas_.row(lemma) = part.own_rows.number(0);
            lemmas_.set_masks(lemma, part.closure.certain, part.closure.occupied);
        }
        lemmas_.bound(lemma) = std::max(lemmas_.bound(lemma), bound);
        return 0;
    }
    static bool may_be_lemma(const Part<Mask>& part) { return part.size.rows > most_few; }
    bool is_lemma(const Part<Mask>& part) const {
        return may_be_lemma(part) && lemmas_.find(part.key) != Lemmas::none;
    }

    /// What lemmas say of a part so far, or its value where it has few rows; negative where the
    /// search has to stop. Its key is made where it may be a lemma.
    Count told(Part<Mask>& part) {
        if (part.closure.is_single()) return 0;
        if (!may_be_lemma(part)) return search_.minimize(part, limit_, infeasible, 1).misses;
        search_.make_key(part);
        const Count lemma = lemmas_.find(part.key);
        return lemma == Lemmas::none ? 0 : Count(lemmas_.bound(lemma));
    }
    /// By words and columns.
    Count count(const Part<Mask>& part) {
        const Goal goal = search_.question_.goal;
        const Rows<Mask> rows = part.own_rows;
        const WeightRange weights = search_.weights();
        std::array<Mask, 8 * sizeof(Mask)> columns{};
        for (Count r = 0; r < rows.count; ++r)
            for (std::size_t c = 0; c < columns.size(); ++c)
                columns[c] += Mask(rows.masks[r] >> c) & 1;
        ColumnList<Mask> by_rows, by_weight;
        for (int cell : Cells(part.closure.unknown())) {
            const Count held = Count(columns[std::size_t(cell)]);
            by_rows.add(cell, {held, held});
        }
        by_rows.sort(&Size::rows);
        Count bound = 0;
        if constexpr (Model::family == Family::hit) {
            const int cells = search_.bounds_.ahead_of(part.closure, no_state).cells;
            bound = bound_of_first_shots(part.size, -1, by_rows, reach.with(cells - 1), 1, goal,
                                         weights);
            if (!weights.differ()) return bound;  // words never find more than columns
        }
        if (goal == Goal::worst || !weights.differ())
            return std::max(bound, bound_of_miss_path(part.size, -1, by_rows, goal));
        const auto weighed = search_.game_.weights_of_columns(rows, part.closure.unknown());
        for (int cell : Cells(part.closure.unknown()))
            by_weight.add(cell, {0, weighed[std::size_t(cell)]});
        by_weight.sort(&Size::weight);
        return std::max(bound, bound_of_miss_path(part.size, -1, by_weight, goal));
    }

    Search<Model>& search_;
    Lemmas lemmas_;
    MissLimit limit_;
    Columns<Mask> columns_;
};

}  // namespace seabattle

extern "C" int64_t seabattle_prove(uint8_t* memory, size_t, const int32_t* rows, size_t rows_size,
                                   const seabattle_question* question, seabattle_counters* counters,
                                   seabattle_lemmas* lemmas) {
    using namespace seabattle;
    return SearchHandle::in(memory).with_word([&]<class Model>(Search<Model>& search) -> Count {
        if constexpr (Model::family == Family::open_sunk) {
            return SEABATTLE_INVALID;
        } else {
            using Mask = typename Model::Mask;
            search.begin(*question, *counters);
            ProofWalk<Model> walk(search, *lemmas, question->miss_limit);
            return walk.prove(question->budget, {rows, rows_size}, hit_of<Mask>(*question));
        }
    });
}
