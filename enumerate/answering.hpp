// Answering: what a shot at a hidden layout is answered, by the rules of the game and nothing else.
//
// Answers are the numbers of enumerate/answers.py. Equal ships are numbered in the order in which
// they are first hit.
#pragma once
#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle {

/// Answer modes with their announcement, as `core_mode` of enumerate/answers.py numbers them.
enum class Mode : std::int32_t { Hit, Sunk, SunkLength, Ship };

/// An answer, as it is written to arrays and files.
struct Answer {
    std::int32_t code;

    static constexpr Answer miss() { return {0}; }
    static constexpr Answer hit() { return {1}; }
    static constexpr Answer sunk() { return {2}; }
    static constexpr Answer sunk_length(int length) { return {0x100 + length}; }
    static constexpr Answer ship(int length, int number) { return {named + 64 * length + number}; }

    constexpr bool operator==(const Answer&) const = default;
    constexpr bool is_miss() const { return code == miss().code; }
    constexpr bool is_sunk() const { return code == sunk().code || tells_sunk_length(); }
    constexpr bool tells_sunk_length() const { return 0x100 <= code && code < named; }
    /// Length of the ship sunk, or of the ship named; 0 where none is told.
    constexpr int length() const {
        if (code >= named) return (code - named) / 64;
        return tells_sunk_length() ? code - 0x100 : 0;
    }
    /// Number of the ship named among those of its length.
    constexpr int number() const { return (code - named) % 64; }

private:
    static constexpr int named = 0x4000;
};

/// The ships of one layout: how long each is, how many of its cells were not hit, and its number
/// among those of its length, 0 before its first hit.
struct ShipStates {
    Array<const std::int16_t> lengths;
    Array<std::int16_t> left, numbers;

    /// Nothing was hit.
    void begin() const {
        for (Count d = 0; d < lengths.size(); ++d) {
            left[d] = lengths[d];
            numbers[d] = 0;
        }
    }

    /// The answer to a shot at ship `d`, at a cell not shot before.
    Answer answer(Mode mode, Count d) const {
        const int length = lengths[d];
        if (mode == Mode::Hit) return Answer::hit();
        if (mode == Mode::Ship) return Answer::ship(length, numbers[d] ? numbers[d] : next(d));
        if (left[d] > 1) return Answer::hit();
        return mode == Mode::Sunk ? Answer::sunk() : Answer::sunk_length(length);
    }

    /// Take in that a cell of ship `d` was hit, which was not before.
    void hit(Count d) const {
        --left[d];
        if (numbers[d] == 0) numbers[d] = next(d);
    }

private:
    /// The number of a ship that is hit for the first time.
    std::int16_t next(Count d) const {
        int number = 1;
        for (Count e = 0; e < lengths.size(); ++e)
            number += numbers[e] > 0 && lengths[e] == lengths[d];
        return std::int16_t(number);
    }
};

/// A layout that is shot at.
class HiddenLayout {
public:
    HiddenLayout(Mode mode, Count cells, Count ships, Arena& arena)
        : mode_(mode),
          ship_at_(arena.take<std::int8_t>(cells)),
          lengths_(arena.take<std::int16_t>(ships)),
          ships_{lengths_, arena.take<std::int16_t>(ships), arena.take<std::int16_t>(ships)} {}

    /// Put a layout on the board: `cells_of(d)` are the cells of ship `d`. Nothing was shot.
    /// Returns how many cells its ships cover.
    template <class CellsOf>
    Count hide(CellsOf&& cells_of) {
        for (std::int8_t& ship : ship_at_) ship = water;
        Count covered = 0;
        for (Count d = 0; d < lengths_.size(); ++d) {
            int length = 0;
            for (const int cell : cells_of(d)) {
                ship_at_[cell] = std::int8_t(d);
                ++length;
            }
            lengths_[d] = std::int16_t(length);
            covered += length;
        }
        ships_.begin();
        return covered;
    }

    /// Answer a shot at a cell not shot before.
    Answer shoot(Count cell) {
        const int d = ship_at_[cell];
        if (d == water) return Answer::miss();
        const Answer answer = ships_.answer(mode_, d);
        ships_.hit(d);
        return answer;
    }

private:
    static constexpr std::int8_t water = -1;
    Mode mode_;
    Array<std::int8_t> ship_at_;
    Array<std::int16_t> lengths_;
    ShipStates ships_;
};

}  // namespace seabattle

extern "C" int32_t seabattle_answer_shot(const uint64_t* masks, size_t masks_size,
                                         const uint16_t* layouts, size_t layouts_size,
                                         int32_t ships, int32_t mode, const int16_t* shots,
                                         size_t shots_size, int64_t* answers, size_t answers_size,
                                         uint8_t* memory, size_t memory_size) {
    using namespace seabattle;
    constexpr Count most_cells = 8 * sizeof(DoubleWord);
    if (Count(layouts_size) != Count(answers_size) * ships || shots_size == 0)
        return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
    HiddenLayout hidden(Mode(mode), most_cells, ships, arena);
    if (arena.full()) return SEABATTLE_FULL;
    const Masks<DoubleWord> cells({masks, masks_size});
    for (Count i = 0; i < Count(answers_size); ++i) {
        const auto layout = Array<const std::uint16_t>(layouts, layouts_size).row(i, ships);
        hidden.hide([&](Count d) { return Cells(cells[layout[d]]); });
        for (const Count cell : Array<const std::int16_t>(shots, shots_size))
            answers[i] = hidden.shoot(cell).code;
    }
    return 0;
}
