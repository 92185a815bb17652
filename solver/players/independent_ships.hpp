// Players that treat each ship by itself; solver/players/independent_ships.py says how they play.
//
// Every chance is a product of doubles taken in one order, without fused operations, so that all
// machines play the same games.
#pragma once
#include "solver/players/batches.hpp"

namespace seabattle {

/// Multiply the chances that nothing is on a cell by those of some ships alike, whose placements
/// weigh `scores` over each cell, and `total` in all.
template <class T>
void multiply_by_absence(Array<double> missing, Array<const T> scores, T total, Count ships) {
#pragma omp simd
    for (Count x = 0; x < missing.size(); ++x) {
        const double absent = 1.0 - double(scores[x]) / double(total);
        for (Count ship = 0; ship < ships; ++ship) missing[x] *= absent;
    }
}

/// `over-9000` and `learning`: hits name the ship. Ship n of a class is the one named with number
/// n + 1.
class NamedShips {
public:
    /// What chances are multiplied by and what is added to them: `factors`, (cells,), of which
    /// those at hits grow with every game, and noise from 0 to `noise`.
    struct Habits {
        Array<double> factors;
        double growth, noise;
    };

    NamedShips(const Placements& placements, Array<const Count> weights, Habits habits,
               Array<Count> scores, Arena& arena)
        : placements_(placements),
          fitting_(placements, weights, ClassScores(placements, scores), arena),
          habits_(habits),
          answers_(arena.take<Answer>(placements.cells())),
          apart_(arena.take<bool>(placements.size())),
          named_(arena.take<Count>(placements.classes())),
          most_(most_alike(placements)),
          ships_(arena.take<Ship>(placements.classes() * most_)),
          own_(arena.take<Count>(placements.cells())),
          missing_(arena.take<double>(placements.cells())) {}

    bool is_valid() const {
        return fitting_.is_valid() && habits_.factors.size() == answers_.size();
    }

    void begin(Word seed) {
        seed_ = seed;
        shots_ = 0;
        fitting_.begin();
        for (Answer& answer : answers_) answer = not_shot;
        for (bool& is_apart : apart_) is_apart = true;
        for (Count& number : named_) number = 0;
    }

    /// Take in an answer of mode `ship`.
    void learn(Count cell, Answer answer) {
        answers_[cell] = answer;
        ++shots_;
        fitting_.rule_out(placements_.covering(cell));
        if (answer.is_miss()) return;
        const Count row = placements_.class_of_length(answer.length()), n = answer.number() - 1;
        while (named_[row] <= n)  // a number may be told before the ones below it
            ship(row, named_[row]++) = {answer.length(), -1};
        if (ship(row, n).first_hit < 0) ship(row, n).first_hit = cell;
        --ship(row, n).left;
        for (const Count p : placements_.touching(cell)) apart_[p] = false;
        fitting_.rule_out(placements_.touching(cell));
    }

    /// The cell to shoot; -1 when all are shot.
    Count choose() {
        for (double& chance : missing_) chance = 1.0;
        for (Count row = 0; row < placements_.classes(); ++row) {
            for (Count n = 0; n < named_[row]; ++n) {
                if (ship(row, n).left <= 0 || ship(row, n).first_hit < 0) continue;
                const Count ways = count_own(row, ship(row, n));
                if (ways > 0) multiply_by_absence<Count>(missing_, own_, ways, 1);
            }
            const Count unhit = placements_.ships_of(row) - named_[row];
            if (unhit > 0 && fitting_.number(row) > 0)
                multiply_by_absence<Count>(missing_, fitting_.scores.of_class(row),
                                           fitting_.number(row), unhit);
        }
        const Count cells = missing_.size();
        for (Count x = 0; x < cells; ++x) {
            if (answers_[x] != not_shot) {
                missing_[x] = -1.0;
                continue;
            }
            const double noise = habits_.noise * draw_fraction(seed_, shots_ * cells + x);
            missing_[x] = (1.0 - missing_[x]) * habits_.factors[x] + noise;
        }
        return first_of_greatest<double>(missing_);
    }

    void end() {
        for (Count x = 0; x < answers_.size(); ++x)
            if (answers_[x] != not_shot && !answers_[x].is_miss())
                habits_.factors[x] += habits_.growth;
    }

private:
    struct Ship {
        Count left;       // cells that were not hit yet
        Count first_hit;  // cell of its first hit; -1 while only ships numbered above it were hit
    };

    static Count most_alike(const Placements& placements) {
        Count most = 0;
        for (Count row = 0; row < placements.classes(); ++row)
            if (placements.ships_of(row) > most) most = placements.ships_of(row);
        return most;
    }

    Ship& ship(Count row, Count n) const { return ships_.row(row, most_)[n]; }

    /// How many placements a ship hit before can have; `own_`: how many of them cover each cell.
    Count count_own(Count row, const Ship& ship) {
        for (Count& number : own_) number = 0;
        Count ways = 0;
        const Answer name = answers_[ship.first_hit];
        const Count struck = placements_.length(row) - ship.left;
        for (const Count p : placements_.covering(ship.first_hit)) {
            if (placements_.class_of(p) != row || !apart_[p] || !can_be(p, name, struck)) continue;
            ++ways;
            for (const Count cell : placements_.covered(p)) ++own_[cell];
        }
        return ways;
    }

    /// Whether a placement covers all hits of a ship, and nothing else that was shot.
    bool can_be(Count p, Answer name, Count struck) const {
        Count own = 0;
        for (const Count cell : placements_.covered(p)) {
            if (answers_[cell] == name)
                ++own;
            else if (answers_[cell] != not_shot)
                return false;
        }
        return own == struck;
    }

    static constexpr Answer not_shot{-1};
    const Placements& placements_;
    Fitting<> fitting_;  // placements of ships not hit yet
    Habits habits_;
    Array<Answer> answers_;
    Array<bool> apart_;   // placements that no hit touches
    Array<Count> named_;  // ships of each class that were hit
    Count most_;
    Array<Ship> ships_;
    Array<Count> own_;
    Array<double> missing_;  // chance that no ship is on a cell; then what the cell is worth
    Word seed_ = 0;
    Count shots_ = 0;
};

/// `bob`: hits do not name the ship.
class UnnamedShips {
public:
    /// weights : (longest + 1,), all 1; chances : (classes * cells,), modified: weight of the
    /// placements over each cell
    UnnamedShips(const Placements& placements, Array<const Count> weights, double least_other,
                 Array<double> chances, Arena& arena)
        : placements_(placements),
          fitting_(placements, weights,
                   ClassScores(placements, arena.take<Count>(placements.base().size())), arena),
          least_other_(least_other),
          chances_(chances),
          totals_(arena.take<double>(placements.classes())),
          absent_(arena.take<double>(placements.classes())),
          telling_(arena.take<double>(placements.base().size())),
          missing_(arena.take<double>(placements.cells())),
          marks_(arena.take<Mark>(placements.cells())) {}

    bool is_valid() const {
        return fitting_.is_valid() && chances_.size() == placements_.base().size();
    }

    void begin(Word) {
        fitting_.begin();
        for (Mark& mark : marks_) mark = Mark::Open;
        for (double& telling : telling_) telling = 1.0;
    }

    void learn(Count cell, Answer answer) {
        marks_[cell] = answer.is_miss() ? Mark::Miss : Mark::Hit;
        fitting_.learn(cell, answer);
    }

    /// The cell to shoot; -1 when all are shot.
    Count choose() {
        weigh_hits();
        weigh_placements();
        for (double& chance : missing_) chance = 1.0;
        for (Count row = 0; row < placements_.classes(); ++row)
            if (fitting_.number(row) > 0)
                multiply_by_absence<double>(missing_, row_of(chances_, row), totals_[row],
                                            placements_.ships_of(row));
        for (Count x = 0; x < missing_.size(); ++x)
            missing_[x] = marks_[x] == Mark::Open ? 1.0 - missing_[x] : -1.0;
        return first_of_greatest<double>(missing_);
    }

private:
    enum class Mark : std::uint8_t { Open, Miss, Hit };

    template <class T>
    Array<T> row_of(Array<T> table, Count row) const {
        return table.row(row, placements_.cells());
    }

    /// How much likelier each hit makes a placement over it: the chance that the hit is another
    /// ship's, inverted.
    void weigh_hits() {
        for (Count x = 0; x < marks_.size(); ++x) {
            if (marks_[x] != Mark::Hit) continue;
            for (Count row = 0; row < placements_.classes(); ++row) {
                const Count number = fitting_.number(row);
                const double covering = double(fitting_.scores.of_class(row)[x]);
                absent_[row] = 1.0 - covering / double(number > 1 ? number : 1);
            }
            for (Count row = 0; row < placements_.classes(); ++row) {
                const double other = 1.0 - chance_of_none_but(row);
                row_of(telling_, row)[x] = 1.0 / (other > least_other_ ? other : least_other_);
            }
        }
    }

    /// The chance that no ship, one of a class left out, is on the cell of which `absent_` tells.
    double chance_of_none_but(Count left_out) const {
        double none = 1.0;
        for (Count row = 0; row < placements_.classes(); ++row) {
            const Count ships = placements_.ships_of(row) - (row == left_out);
            for (Count ship = 0; ship < ships; ++ship) none *= absent_[row];
        }
        return none;
    }

    void weigh_placements() {
        for (Count row = 0; row < placements_.classes(); ++row) {
            totals_[row] = double(fitting_.number(row));
            const Array<const Count> scores = fitting_.scores.of_class(row);
            for (Count x = 0; x < scores.size(); ++x) row_of(chances_, row)[x] = double(scores[x]);
        }
        for (Count p = 0; p < placements_.size(); ++p) {
            if (!fitting_.fits(p) || fitting_.hits(p) == 0) continue;
            const Count row = placements_.class_of(p);
            const Array<const double> telling = row_of(telling_, row);
            double more = 1.0;
            for (const Count cell : placements_.covered(p))
                if (marks_[cell] == Mark::Hit) more *= telling[cell];
            more -= 1.0;
            totals_[row] += more;
            for (const Count cell : placements_.covered(p)) row_of(chances_, row)[cell] += more;
        }
    }

    const Placements& placements_;
    Fitting<> fitting_;
    double least_other_;
    Array<double> chances_, totals_, absent_, telling_, missing_;
    Array<Mark> marks_;
};

}  // namespace seabattle

extern "C" int32_t seabattle_play_named(const seabattle_placements* placements,
                                        const seabattle_games* games, const int64_t* weights,
                                        size_t weights_size, double* factors, size_t factors_size,
                                        double growth, double noise, int64_t* scores,
                                        size_t scores_size, uint8_t* memory, size_t memory_size) {
    using namespace seabattle;
    auto make = [&](const Placements& tables, Arena& arena) {
        const NamedShips::Habits habits{{factors, factors_size}, growth, noise};
        return NamedShips(tables, {weights, weights_size}, habits, {scores, scores_size}, arena);
    };
    return play_games(*placements, *games, {memory, memory_size}, make);
}

extern "C" int32_t seabattle_play_unnamed(const seabattle_placements* placements,
                                          const seabattle_games* games, const int64_t* weights,
                                          size_t weights_size, double least_other, double* chances,
                                          size_t chances_size, uint8_t* memory,
                                          size_t memory_size) {
    using namespace seabattle;
    auto make = [&](const Placements& tables, Arena& arena) {
        return UnnamedShips(tables, {weights, weights_size}, least_other, {chances, chances_size},
                            arena);
    };
    return play_games(*placements, *games, {memory, memory_size}, make);
}
