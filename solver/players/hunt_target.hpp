// Players that shoot in random order; solver/players/hunt_target.py says how they play.
#pragma once
#include "solver/players/batches.hpp"

namespace seabattle {

class Hunter {
public:
    /// neighbours : (cells * 4,), cells north, south, east and west of each, -1 off the board; none
    /// for a player that does not follow hits
    /// turns : (cells,), when each cell is hunted: 0 first, 1 later, 2 never
    Hunter(Count cells, Array<const std::int16_t> neighbours, Array<const std::uint8_t> turns,
           Arena& arena)
        : neighbours_(neighbours),
          turns_(turns),
          marks_(arena.take<Mark>(cells)),
          deck_(arena.take<std::int16_t>(cells)),
          targets_(arena.take<std::int16_t>(cells)) {}

    bool is_valid() const {
        return turns_.size() == deck_.size() &&
               (neighbours_.empty() || neighbours_.size() == 4 * deck_.size());
    }

    void begin(Word seed) {
        shuffle(seed, targets_);
        Count at = 0;
        for (const int turn : {0, 1, blocked})
            for (const std::int16_t cell : targets_)
                if (turns_[cell] == turn) {
                    deck_[at++] = cell;
                    marks_[cell] = turn == blocked ? Mark::Shot : Mark::Open;
                }
        deck_at_ = first_target_ = end_of_targets_ = 0;
    }

    void learn(Count cell, Answer answer) {
        marks_[cell] = Mark::Shot;
        if (neighbours_.empty() || answer.is_miss()) return;
        for (const std::int16_t x : neighbours_.row(cell, 4))
            if (x >= 0 && marks_[x] == Mark::Open) {
                marks_[x] = Mark::Target;
                targets_[end_of_targets_++] = x;
            }
    }

    /// The oldest target, or the next cell that is hunted; -1 when all are shot.
    Count choose() {
        const Count target = next(targets_, first_target_, end_of_targets_);
        return target >= 0 ? target : next(deck_, deck_at_, deck_.size());
    }

private:
    enum class Mark : std::uint8_t { Open, Target, Shot };
    static constexpr int blocked = 2;

    /// Go on to the next cell of a list that is not shot.
    Count next(Array<const std::int16_t> cells, Count& at, Count end) const {
        while (at < end && marks_[cells[at]] == Mark::Shot) ++at;
        return at < end ? cells[at] : -1;
    }

    Array<const std::int16_t> neighbours_;
    Array<const std::uint8_t> turns_;
    Array<Mark> marks_;
    Array<std::int16_t> deck_, targets_;
    Count deck_at_ = 0, first_target_ = 0, end_of_targets_ = 0;
};

}  // namespace seabattle

extern "C" int32_t seabattle_play_hunt(const seabattle_placements* placements,
                                       const seabattle_games* games, const int16_t* neighbours,
                                       size_t neighbours_size, const uint8_t* turns,
                                       size_t turns_size, uint8_t* memory, size_t memory_size) {
    using namespace seabattle;
    auto make = [&](const Placements& tables, Arena& arena) {
        return Hunter(tables.cells(), {neighbours, neighbours_size}, {turns, turns_size}, arena);
    };
    return play_games(*placements, *games, {memory, memory_size}, make);
}
