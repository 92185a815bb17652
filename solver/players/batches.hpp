// Players whose rules are compiled: many games in one call.
//
// A player is a class of three functions: `begin` empties it, `learn` takes in one answer, `choose`
// says where to shoot next. `play_games` joins them, and serves both ways to play: games against
// hidden layouts, and a single shot after answers that are given. A player holds the answers and
// nothing else of the hidden layout. This file has what all of them share: the placements, and
// those that fit, and play.
//
// Counts: at most 2^15 placements, each of a weight below 2^37, times 63 ships, stay below 2^58.
#pragma once
#include <concepts>

#include "enumerate/answering.hpp"
#include "solver/players/chance.hpp"

namespace seabattle {

/// The placements of a fleet's ships. Ships of one length are a *class*, the longest class 0. A
/// placement *touches* a cell that it does not cover when no other ship may stand there.
class Placements {
public:
    explicit Placements(const seabattle_placements& given)
        : ship_cells_(given.ship_cells, given.ship_cells_size),
          sizes_(given.sizes, given.sizes_size),
          class_of_(given.class_of, given.class_of_size),
          lengths_(given.lengths, given.lengths_size),
          ships_of_(given.ships_of, given.ships_of_size),
          base_(given.base, given.base_size),
          through_first_(given.through_first, given.through_first_size),
          through_(given.through, given.through_size),
          touching_first_(given.touching_first, given.touching_first_size),
          touching_(given.touching, given.touching_size),
          longest_(sizes_.empty() ? 0 : ship_cells_.size() / sizes_.size()) {}

    bool is_valid() const {
        return sizes_.size() > 0 && ship_cells_.size() == longest_ * sizes_.size() &&
               class_of_.size() == sizes_.size() && ships_of_.size() == lengths_.size() &&
               base_.size() == classes() * cells() && cells() > 0 &&
               touching_first_.size() == through_first_.size();
    }

    Count size() const { return sizes_.size(); }
    Count cells() const { return through_first_.size() - 1; }
    Count classes() const { return lengths_.size(); }
    Count ships() const {
        Count ships = 0;
        for (const Count number : ships_of_) ships += number;
        return ships;
    }

    Count size_of(Count p) const { return sizes_[p]; }
    Count class_of(Count p) const { return class_of_[p]; }
    Count length(Count row) const { return lengths_[row]; }
    Count ships_of(Count row) const { return ships_of_[row]; }
    /// Placements of each class through each cell: (classes * cells,).
    Array<const Count> base() const { return base_; }

    /// The cells of a placement.
    Array<const std::int16_t> covered(Count p) const {
        return ship_cells_.part(p * longest_, p * longest_ + sizes_[p]);
    }
    /// The placements that cover a cell.
    Array<const std::uint16_t> covering(Count cell) const {
        return through_.part(through_first_[cell], through_first_[cell + 1]);
    }
    /// The placements that touch a cell.
    Array<const std::uint16_t> touching(Count cell) const {
        return touching_.part(touching_first_[cell], touching_first_[cell + 1]);
    }
    /// Class of the ships of a length; -1 if the fleet has none.
    Count class_of_length(Count length) const {
        for (Count row = 0; row < classes(); ++row)
            if (lengths_[row] == length) return row;
        return -1;
    }

private:
    Array<const std::int16_t> ship_cells_, sizes_, class_of_;
    Array<const Count> lengths_, ships_of_, base_;
    Array<const std::int32_t> through_first_;
    Array<const std::uint16_t> through_;
    Array<const std::int32_t> touching_first_;
    Array<const std::uint16_t> touching_;
    Count longest_;  // places for the cells of a placement
};

/// The place of the greatest value, the first of equals; -1 if all are negative.
template <class T>
Count first_of_greatest(Array<const T> values) {
    constexpr Count block = 16;  // compared side by side
    T greatest{-1};
#pragma omp simd reduction(max : greatest)
    for (const T value : values) greatest = value > greatest ? value : greatest;
    if (greatest < T{0}) return -1;
    Count at = 0;
    for (bool found = false; at + block <= values.size(); at += block) {
#pragma omp simd reduction(| : found)
        for (const T value : values.part(at, at + block)) found |= value == greatest;
        if (found) break;
    }
    while (values[at] != greatest) ++at;
    return at;
}

/// How much the placements of each class that fit weigh over each cell.
class ClassScores {
public:
    /// scores : (classes * cells,), modified
    ClassScores(const Placements& placements, Array<Count> scores)
        : cells_(placements.cells()), scores_(scores) {}

    bool is_valid(const Placements& placements) const {
        return scores_.size() == placements.base().size();
    }

    void begin(const Placements& placements, Count weight) {
        for (Count i = 0; i < scores_.size(); ++i) scores_[i] = weight * placements.base()[i];
    }
    /// Let a placement of a class weigh more, or less, over its cells.
    void add(Count row, Array<const std::int16_t> cells, Count change) {
        for (const Count cell : cells) of_class(row)[cell] += change;
    }
    Array<Count> of_class(Count row) const { return scores_.row(row, cells_); }

private:
    Count cells_;
    Array<Count> scores_;
};

/// The placements that no answer rules out, each of a weight given by how many of its cells were
/// hit.
template <class Scores = ClassScores>
class Fitting {
public:
    Scores scores;

    /// weights : (longest + 1,), weight of a placement by how many of its cells were hit
    Fitting(const Placements& placements, Array<const Count> weights, Scores scores, Arena& arena)
        : scores(scores),
          placements_(placements),
          weights_(weights),
          hits_(arena.take<std::int16_t>(placements.size())),
          found_(arena.take<std::uint16_t>(placements.size() + 1)),
          all_(arena.take<Count>(placements.classes())),
          numbers_(arena.take<Count>(placements.classes())) {
        for (Count p = 0; p < hits_.size(); ++p) ++all_[placements.class_of(p)];
    }

    /// The empty board: every placement fits.
    void begin() {
        scores.begin(placements_, weights_[0]);
        for (Count row = 0; row < all_.size(); ++row) numbers_[row] = all_[row];
        for (std::int16_t& hits : hits_) hits = 0;
    }

    bool fits(Count p) const { return hits_[p] >= 0; }
    /// How many cells of a placement that fits were hit.
    Count hits(Count p) const { return hits_[p]; }
    /// How many placements of a class fit.
    Count number(Count row) const { return numbers_[row]; }

    bool is_valid() const {
        return scores.is_valid(placements_) && weights_.size() > placements_.length(0);
    }

    /// Take in an answer that does not name the ship, as a hit or a miss.
    void learn(Count cell, Answer answer) {
        if (answer.is_miss()) {
            rule_out(placements_.covering(cell));
            return;
        }
        for (const Count p : still_fitting(placements_.covering(cell))) {
            weigh(p, weights_[hits_[p] + 1] - weights_[hits_[p]]);
            ++hits_[p];
        }
        rule_out(placements_.touching(cell));
    }

    void rule_out(Array<const std::uint16_t> placements) {
        for (const Count p : still_fitting(placements)) {
            weigh(p, -weights_[hits_[p]]);
            hits_[p] = ruled_out;
            --numbers_[placements_.class_of(p)];
        }
    }

private:
    /// Those of some placements that fit, put together first: no branch foresees which they are.
    Array<const std::uint16_t> still_fitting(Array<const std::uint16_t> placements) {
        Count n = 0;
        for (const std::uint16_t p : placements) {
            found_[n] = p;
            n += fits(p);
        }
        return found_.part(0, n);
    }

    void weigh(Count p, Count change) {
        if (change == 0) return;
        scores.add(placements_.class_of(p), placements_.covered(p), change);
    }

    static constexpr std::int16_t ruled_out = -1;
    const Placements& placements_;
    Array<const Count> weights_;
    Array<std::int16_t> hits_;
    Array<std::uint16_t> found_;  // scratch
    Array<Count> all_, numbers_;  // placements of each class, on the empty board and that fit
};

template <class P>
concept Player = requires(P player, Word seed, Count cell, Answer answer) {
    player.begin(seed);
    player.learn(cell, answer);
    { player.choose() } -> std::same_as<Count>;
    { player.is_valid() } -> std::same_as<bool>;
};

/// Play a batch of games, or choose the next shot of one whose answers are given. `make(placements,
/// arena)` makes the player. Returns 0, or a status.
template <class Make>
std::int32_t play_games(const seabattle_placements& tables, const seabattle_games& games,
                        Array<std::uint8_t> memory, Make&& make) {
    const Placements placements(tables);
    const Array<std::int16_t> record(games.record, games.record_size);
    const Array<const std::uint16_t> ships(games.ships, games.ships_size);
    const Array<const std::int16_t> given(games.cells, games.cells_size);
    const Array<const std::uint16_t> codes(games.codes, games.codes_size);
    if (!placements.is_valid() || given.size() != codes.size()) return SEABATTLE_INVALID;
    const Count columns = placements.cells() + 1, number = placements.ships();
    const Count played = record.size() / columns;
    const bool hidden = !ships.empty();
    if (ships.size() != (hidden ? played * number : 0) || record.size() != played * columns)
        return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory.begin()), memory.size());
    HiddenLayout layout(Mode(games.mode), placements.cells(), number, arena);
    Player auto player = make(placements, arena);
    if (arena.full()) return SEABATTLE_FULL;
    if (!player.is_valid()) return SEABATTLE_INVALID;
    for (Count g = 0; g < played; ++g) {
        const Array<std::int16_t> shots = record.row(g, columns);
        player.begin(hidden ? draw_word(games.key, games.first_game + g) : games.key);
        auto cells_of = [&](Count d) { return placements.covered(ships[g * number + d]); };
        Count left = hidden ? layout.hide(cells_of) : 1;
        for (Count t = 0; left > 0; ++t) {
            const Count cell = t < given.size() ? given[t] : player.choose();
            shots[t] = std::int16_t(cell);
            if (!hidden && t == given.size()) break;
            const Answer answer = hidden ? layout.shoot(cell) : Answer{codes[t]};
            left -= hidden && !answer.is_miss();
            player.learn(cell, answer);
        }
        if constexpr (requires { player.end(); })
            if (hidden) player.end();
    }
    return 0;
}

}  // namespace seabattle
