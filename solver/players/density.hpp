// Players that count the placements of the ships afloat; solver/players/density.py says how they
// play.
#pragma once
#include "solver/players/batches.hpp"

namespace seabattle {

/// Scores of each class, and what they come to for all ships afloat together.
class SummedScores : public ClassScores {
public:
    SummedScores(const Placements& placements, Array<Count> scores, Arena& arena)
        : ClassScores(placements, scores),
          afloat_(arena.take<Count>(placements.classes())),
          sums_(arena.take<Count>(placements.cells())) {}

    void begin(const Placements& placements, Count weight) {
        ClassScores::begin(placements, weight);
        for (Count& sum : sums_) sum = 0;
        for (Count row = 0; row < afloat_.size(); ++row) {
            afloat_[row] = placements.ships_of(row);
            count(row, afloat_[row]);
        }
    }
    /// Of a class that is sunk nothing more is asked.
    void add(Count row, Array<const std::int16_t> cells, Count change) {
        if (afloat_[row] <= 0) return;
        const Array<Count> scores = of_class(row);
        const Count in_all = afloat_[row] * change;
        for (const Count cell : cells) {
            scores[cell] += change;
            sums_[cell] += in_all;
        }
    }
    /// A ship of a class is known to be sunk.
    void sink(Count row) {
        if (afloat_[row]-- > 0) count(row, -1);
    }
    /// A cell is shot: its sum is negative from now on, whatever is added.
    void close(Count cell) {
        SEABATTLE_ASSERT(0 <= sums_[cell] && sums_[cell] < closed / 4);
        sums_[cell] -= closed;
    }
    /// Ships of a class not known to be sunk.
    Count afloat(Count row) const { return afloat_[row]; }
    Array<const Count> sums() const { return sums_; }

private:
    void count(Count row, Count ships) {
        const Array<const Count> scores = of_class(row);
        for (Count x = 0; x < sums_.size(); ++x) sums_[x] += ships * scores[x];
    }

    static constexpr Count closed = Count{1} << 60;  // above every sum
    Array<Count> afloat_, sums_;
};

/// `hunted` is 0 for `density`, and for `diagonal` the least sum at which it does not hunt.
class Density {
public:
    Density(const Placements& placements, Array<const Count> weights, Count columns, Count hunted,
            Array<Count> scores, Arena& arena)
        : placements_(placements),
          fitting_(placements, weights, SummedScores(placements, scores, arena), arena),
          columns_(columns),
          hunted_(hunted),
          shot_time_(arena.take<std::int32_t>(placements.cells())),
          sinkings_(arena.take<Sinking>(placements.cells())),
          candidates_(arena.take<std::uint16_t>(placements.size())),
          worth_(arena.take<Count>(placements.length(0))),
          deck_(arena.take<std::int16_t>(placements.cells())) {}

    bool is_valid() const { return fitting_.is_valid() && columns_ > 0; }

    void begin(Word seed) {
        if (hunted_ > 0) shuffle(seed, deck_);
        fitting_.begin();
        for (std::int32_t& time : shot_time_) time = never;
        shots_ = 0;
        sunk_ = 0;
    }

    /// Take in an answer of mode `sunk`.
    void learn(Count cell, Answer answer) {
        shot_time_[cell] = shots_++;
        fitting_.scores.close(cell);
        fitting_.learn(cell, answer);
        if (!answer.is_sunk()) return;
        const Count row = placements_.class_of_length(answer.length());
        sinkings_[sunk_++] = {cell, row, false};
        if (row >= 0) fitting_.scores.sink(row);
        while (locate_sunk_ships()) {
        }
    }

    /// The cell to shoot; -1 when all are shot.
    Count choose() {
        const Array<const Count> sums = fitting_.scores.sums();
        const Count cell = first_of_greatest<Count>(sums);
        if (cell < 0 || sums[cell] >= hunted_) return cell;
        const Count hunted = hunt();
        return hunted >= 0 ? hunted : cell;
    }

private:
    struct Sinking {
        Count cell;
        Count row;  // class of the ship; -1 while it is not known
        bool is_located;
    };

    /// Work out more of where the sunk ships lie, as far as it is certain; whether there was more.
    bool locate_sunk_ships() {
        bool is_more = false;
        for (Count s = 0; s < sunk_; ++s) {
            if (sinkings_[s].is_located) continue;
            const Array<const std::uint16_t> candidates = find_candidates(sinkings_[s]);
            const Count n = candidates.size();
            if (n == 0) continue;
            for (const Count cell : placements_.covered(candidates[0])) {
                if (!all_cover(candidates, cell)) continue;
                for (const std::uint16_t p : placements_.covering(cell))
                    if (fitting_.fits(p) && (n == 1 || !is_among(candidates, p))) {
                        fitting_.rule_out({&p, Count{1}});
                        is_more = true;
                    }
            }
            if (n == 1) sinkings_[s].is_located = is_more = true;
        }
        return is_more;
    }

    /// The placements that the ship of a sinking can have. If all are of one class, it is the
    /// ship's.
    Array<const std::uint16_t> find_candidates(Sinking& sinking) {
        Count n = 0;
        bool same = true;
        for (const std::uint16_t p : placements_.covering(sinking.cell)) {
            if (!is_candidate(p, sinking)) continue;
            candidates_[n++] = p;
            same = same && placements_.class_of(p) == placements_.class_of(candidates_[0]);
        }
        if (n > 0 && same && sinking.row < 0) {
            sinking.row = placements_.class_of(candidates_[0]);
            fitting_.scores.sink(sinking.row);
        }
        return candidates_.part(0, n);
    }

    /// Whether the ship of a sinking can lie there: all cells were hit by then.
    bool is_candidate(Count p, const Sinking& sinking) const {
        if (sinking.row >= 0 && placements_.class_of(p) != sinking.row) return false;
        if (!fitting_.fits(p) || fitting_.hits(p) != placements_.size_of(p)) return false;
        for (const Count cell : placements_.covered(p))
            if (shot_time_[cell] > shot_time_[sinking.cell]) return false;
        return true;
    }

    bool all_cover(Array<const std::uint16_t> placements, Count cell) const {
        for (const Count p : placements) {
            bool covers = false;
            for (const Count x : placements_.covered(p)) covers = covers || x == cell;
            if (!covers) return false;
        }
        return true;
    }

    static bool is_among(Array<const std::uint16_t> placements, Count p) {
        for (const Count other : placements)
            if (other == p) return true;
        return false;
    }

    /// The cell at which `diagonal` hunts; -1 when no class has one left.
    Count hunt() {
        for (Count row = 0; row < placements_.classes(); ++row) {
            if (fitting_.scores.afloat(row) <= 0) continue;
            const Count length = placements_.length(row);
            const Array<Count> worth = worth_.part(0, length);
            for (Count& cells : worth) cells = 0;
            for (Count cell = 0; cell < deck_.size(); ++cell)
                if (is_worth(row, cell)) ++worth[diagonal(cell) % length];
            Count best = -1;
            for (Count offset = 0; offset < length; ++offset)
                if (worth[offset] > 0 && (best < 0 || worth[offset] < worth[best])) best = offset;
            if (best < 0) continue;
            for (const Count cell : deck_)
                if (diagonal(cell) % length == best && is_worth(row, cell)) return cell;
        }
        return -1;
    }

    Count diagonal(Count cell) const { return cell / columns_ + cell % columns_; }

    /// Whether a ship of a class may lie on a cell, and that is not shot.
    bool is_worth(Count row, Count cell) const {
        return shot_time_[cell] == never && fitting_.scores.of_class(row)[cell] > 0;
    }

    static constexpr std::int32_t never = -1;
    const Placements& placements_;
    Fitting<SummedScores> fitting_;
    Count columns_, hunted_;
    Array<std::int32_t> shot_time_;
    Array<Sinking> sinkings_;
    Array<std::uint16_t> candidates_;
    Array<Count> worth_;
    Array<std::int16_t> deck_;
    std::int32_t shots_ = 0;
    Count sunk_ = 0;
};

}  // namespace seabattle

extern "C" int32_t seabattle_play_density(const seabattle_placements* placements,
                                          const seabattle_games* games, const int64_t* weights,
                                          size_t weights_size, int32_t columns, int64_t hunted,
                                          int64_t* scores, size_t scores_size, uint8_t* memory,
                                          size_t memory_size) {
    using namespace seabattle;
    auto make = [&](const Placements& tables, Arena& arena) {
        return Density(tables, {weights, weights_size}, columns, hunted, {scores, scores_size},
                       arena);
    };
    return play_games(*placements, *games, {memory, memory_size}, make);
}
