// The game played on in every layout left; solver/players/lookahead.py says what for.
//
// Glossary: n layouts of s ships and h cells; *told* is what an answer tells, a small number from 0
// (a miss) on. Each layout follows one path of the tree that is played, so that the state of a path
// is kept with its layouts: the first cells of its row of `cells_` are *open*, not hit yet. A cell
// missed is one that no layout of a sub-table occupies, and needs no memory. Totals are fewer than
// 2^20 layouts times fewer than 2^12 misses.
#pragma once
#include "solver/players/batches.hpp"

namespace seabattle {

/// How often each answer was given to a shot at each cell that some layout occupies: at 0 how many
/// layouts occupy the cell, from 1 on what is told.
struct Tally {
    Count answers;
    Array<std::int32_t> counts;    // (board cells * answers,)
    Array<std::int16_t> occupied;  // the cells that have a count, `number` of them
    Count number = 0;

    Tally(Count board, Count answers, Arena& arena)
        : answers(answers),
          counts(arena.take<std::int32_t>(board * answers)),
          occupied(arena.take<std::int16_t>(board)) {}

    Array<std::int32_t> of(Count cell) const { return counts.row(cell, answers); }
    void clear() {
        for (const Count cell : occupied.part(0, number))
            for (std::int32_t& count : of(cell)) count = 0;
        number = 0;
    }
    /// Leave a cell out.
    void remove(Count cell) {
        for (Count i = 0; i < number; ++i)
            if (occupied[i] == cell) occupied[i] = occupied[--number];
    }
};

/// What shots are worth, by what they miss less what their answers tell.
struct Score {
    double worth;              // misses that a bit of information is worth
    Array<const double> logs;  // x log2 x
};

template <Mode mode>
class Lookahead {
public:
    /// layouts : (n * s,), placement numbers
    Lookahead(const Placements& placements, Array<const std::uint16_t> layouts, Score score,
              Arena& arena)
        : board_(placements.cells()),
          layouts_(layouts.size() / placements.ships()),
          open_(open_cells(placements, layouts)),
          score_(score),
          lengths_(arena.take<std::int16_t>(placements.ships())),
          first_of_length_(arena.take<std::int16_t>(placements.length(0) + 1)),
          ship_at_(arena.take<std::int8_t>(layouts_ * board_)),
          cells_(arena.take<std::int16_t>(layouts_ * open_)),
          left_(arena.take<std::int16_t>(layouts.size())),
          numbers_(arena.take<std::int16_t>(layouts.size())),
          kept_left_(arena.take<std::int16_t>(layouts.size())),
          kept_numbers_(arena.take<std::int16_t>(layouts.size())),
          rows_(arena.take<std::int32_t>(layouts_)),
          sorted_(arena.take<std::int32_t>(layouts_)),
          told_(arena.take<std::uint8_t>(layouts_)),
          told_by_ship_(arena.take<std::uint8_t>(placements.ships())),
          first_(board_, answers(), arena),
          tally_(board_, answers(), arena),
          ends_(arena.take<Count>(answers() + 1)),
          stack_(arena.take<Part>(answers() * (board_ + 1) + 1)) {
        if (!arena.full()) set_up(placements, layouts);
    }

    /// Take in that a cell was hit, which all layouts occupy.
    void learn_hit(Count cell) {
        for (Count layout = 0; layout < layouts_; ++layout) hit(layout, cell, open_);
        --open_;
    }

    /// The best of so many shots that score best, played on by the same score. A cell that all
    /// layouts occupy is shot at once. Returns -1 where nothing is left to ask.
    Count best_shot(Count candidates) {
        copy(kept_left_, left_);
        copy(kept_numbers_, numbers_);
        begin();
        count({0, layouts_, open_}, first_);
        Count best = -1, least = Count{1} << 62;
        for (Count i = 0; i < candidates; ++i) {
            const Count cell = best_cell(first_, layouts_);
            if (cell < 0) break;
            if (first_.of(cell)[0] == layouts_) return cell;
            first_.remove(cell);
            begin();
            const Count misses = misses_after(cell, least);
            if (misses < least || (misses == least && cell < best)) {
                best = cell;
                least = misses;
            }
        }
        return best;
    }

private:
    /// Layouts that gave the same answers: a range of `rows_`, and how many of their cells are
    /// open.
    struct Part {
        Count from, end, open;
        Count size() const { return end - from; }
    };

    static constexpr double near = 1e-9;  // scores that differ by less are equal

    static Count open_cells(const Placements& placements, Array<const std::uint16_t> layouts) {
        Count cells = 0;
        for (Count d = 0; d < placements.ships(); ++d) cells += placements.size_of(layouts[d]);
        return cells;
    }

    /// One more than the greatest number that is told.
    Count answers() const {
        const Count longest = first_of_length_.size() - 1, ships = lengths_.size();
        return 2 + (mode == Mode::Ship ? ships : mode == Mode::SunkLength ? longest : 1);
    }

    void set_up(const Placements& placements, Array<const std::uint16_t> layouts) {
        const Count ships = lengths_.size();
        for (Count d = ships - 1; d >= 0; --d) {
            lengths_[d] = std::int16_t(placements.size_of(layouts[d]));
            first_of_length_[lengths_[d]] = std::int16_t(d);
        }
        for (std::int8_t& ship : ship_at_) ship = -1;
        for (Count layout = 0; layout < layouts_; ++layout) {
            const Array<std::int16_t> cells = cells_.row(layout, open_);
            Count at = 0;
            for (Count d = 0; d < ships; ++d)
                for (const std::int16_t cell : placements.covered(layouts[layout * ships + d])) {
                    cells[at++] = cell;
                    ship_at_.row(layout, board_)[cell] = std::int8_t(d);
                }
            states(layout).begin();
        }
        stride_ = open_;
    }

    /// All layouts are possible again, and nothing was hit since the beginning.
    void begin() {
        for (Count i = 0; i < layouts_; ++i) rows_[i] = std::int32_t(i);
        copy(left_, kept_left_);
        copy(numbers_, kept_numbers_);
    }

    template <class T>
    static void copy(Array<T> to, Array<T> from) {
        for (Count i = 0; i < to.size(); ++i) to[i] = from[i];
    }

    ShipStates states(Count layout) const {
        const Count ships = lengths_.size();
        return {lengths_, left_.row(layout, ships), numbers_.row(layout, ships)};
    }

    /// What a hit of a ship tells: 1 for nothing more, or the length of the ship sunk, or which.
    std::uint8_t told(const ShipStates& states, Count ship) const {
        const Answer answer = states.answer(mode, ship);
        if constexpr (mode == Mode::Ship)
            return std::uint8_t(1 + first_of_length_[answer.length()] + answer.number());
        return std::uint8_t(answer.is_sunk() ? 1 + (answer.length() ? answer.length() : 1) : 1);
    }

    void hit(Count layout, Count cell, Count open) {
        const Array<std::int16_t> cells = cells_.row(layout, stride_);
        Count place = 0;
        while (cells[place] != cell) ++place;
        cells[place] = cells[open - 1];
        cells[open - 1] = std::int16_t(cell);
        states(layout).hit(ship_at_.row(layout, board_)[cell]);
    }

    /// Count the answers to a shot at each cell that is not hit.
    void count(const Part& part, Tally& tally) {
        tally.clear();
        const bool counts_told = score_.worth > 0.0;
        for (Count i = part.from; i < part.end; ++i) {
            const Count layout = rows_[i];
            const Array<const std::int8_t> ship_at = ship_at_.row(layout, board_);
            if (counts_told) {
                const ShipStates now = states(layout);
                for (Count d = 0; d < lengths_.size(); ++d)
                    if (now.left[d] > 0) told_by_ship_[d] = told(now, d);
            }
            for (const Count cell : cells_.row(layout, stride_).part(0, part.open)) {
                const Array<std::int32_t> counts = tally.of(cell);
                if (counts[0]++ == 0) tally.occupied[tally.number++] = std::int16_t(cell);
                if (counts_told) ++counts[told_by_ship_[ship_at[cell]]];
            }
        }
    }

    /// The cell that misses least, what the answer tells deducted; -1 where nothing is left to ask.
    /// A cell that all layouts occupy is shot first unless all cells are such.
    Count best_cell(const Tally& tally, Count layouts) const {
        Count best = -1, sure = -1;
        double least = 0.0;
        for (const Count cell : tally.occupied.part(0, tally.number)) {
            const Count occupied = tally.of(cell)[0];
            if (occupied == layouts) {
                if (sure < 0 || cell < sure) sure = cell;
                continue;
            }
            const double misses = misses_less_told(tally.of(cell), layouts - occupied);
            if (best < 0 || misses < least - near || (misses < least + near && cell < best)) {
                if (best < 0 || misses < least) least = misses;
                best = cell;
            }
        }
        return best >= 0 && sure >= 0 ? sure : best;
    }

    double misses_less_told(Array<const std::int32_t> counts, Count missed) const {
        double misses = double(missed);
        if (score_.worth > 0.0) {
            misses += score_.worth * score_.logs[missed];
            for (const Count count : counts.part(1, counts.size()))
                misses += score_.worth * score_.logs[count];
        }
        return misses;
    }

    /// Misses of all layouts when a cell is shot, and then the best one until they are told apart.
    /// More than `most` need not be counted.
    Count misses_after(Count cell, Count most) {
        Count misses = 0, height = 0;
        stack_[height++] = {0, layouts_, open_};
        while (height > 0 && misses <= most) {
            const Part part = stack_[--height];
            if (part.size() < 2) continue;
            if (cell < 0) {
                count(part, tally_);
                cell = best_cell(tally_, part.size());
                if (cell < 0) continue;
            }
            split(part, cell);
            cell = -1;
            misses += ends_[1] - ends_[0];
            for (Count told = 0; told + 1 < ends_.size(); ++told)
                if (ends_[told + 1] > ends_[told])
                    stack_[height++] = {ends_[told], ends_[told + 1], part.open - (told > 0)};
        }
        return misses;
    }

    /// Sort layouts by their answers to a shot, and take in the hits. Those that tell t are then
    /// from `ends_[t]` to `ends_[t + 1]`.
    void split(const Part& part, Count cell) {
        for (Count& end : ends_) end = 0;
        for (Count i = part.from; i < part.end; ++i) {
            const int ship = ship_at_.row(rows_[i], board_)[cell];
            told_[i] = ship < 0 ? std::uint8_t{0} : told(states(rows_[i]), ship);
            ++ends_[told_[i] + 1];  // at first how many they are
        }
        ends_[0] = part.from;
        for (Count t = 1; t < ends_.size(); ++t) ends_[t] += ends_[t - 1];  // then where they end
        for (Count t = ends_.size() - 1; t > 0; --t)
            ends_[t] = ends_[t - 1];  // or begin, until all
        for (Count i = part.from; i < part.end; ++i) sorted_[ends_[told_[i] + 1]++] = rows_[i];
        for (Count i = part.from; i < part.end; ++i) {
            rows_[i] = sorted_[i];
            if (i >= ends_[1]) hit(rows_[i], cell, part.open);
        }
    }

    Count board_, layouts_, open_;
    Count stride_ = 0;  // cells of a layout
    Score score_;
    Array<std::int16_t> lengths_, first_of_length_;  // the first ship of each length
    Array<std::int8_t> ship_at_;                     // (n * board cells,), -1 for water
    Array<std::int16_t> cells_;                      // (n * h,)
    Array<std::int16_t> left_, numbers_, kept_left_, kept_numbers_;
    Array<std::int32_t> rows_, sorted_;
    Array<std::uint8_t> told_, told_by_ship_;
    Tally first_, tally_;
    Array<Count> ends_;
    Array<Part> stack_;
};

}  // namespace seabattle

extern "C" int32_t seabattle_look_ahead(const seabattle_placements* placements,
                                        const uint16_t* layouts, size_t layouts_size, int32_t mode,
                                        const int16_t* hits, size_t hits_size, double worth,
                                        const double* logs, size_t logs_size, int32_t candidates,
                                        int16_t* best, size_t best_size, uint8_t* memory,
                                        size_t memory_size) {
    using namespace seabattle;
    const Placements tables(*placements);
    if (!tables.is_valid() || layouts_size == 0 || best_size != 1) return SEABATTLE_INVALID;
    if (Count(layouts_size) % tables.ships()) return SEABATTLE_INVALID;
    auto look = [&]<Mode told>() -> std::int32_t {
        Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
        const Score score{worth, {logs, logs_size}};
        Lookahead<told> ahead(tables, {layouts, layouts_size}, score, arena);
        if (arena.full()) return SEABATTLE_FULL;
        for (const Count cell : Array<const std::int16_t>(hits, hits_size)) ahead.learn_hit(cell);
        *best = std::int16_t(ahead.best_shot(candidates));
        return 0;
    };
    switch (Mode(mode)) {
        case Mode::Hit:
            return look.template operator()<Mode::Hit>();
        case Mode::Sunk:
            return look.template operator()<Mode::Sunk>();
        case Mode::SunkLength:
            return look.template operator()<Mode::SunkLength>();
        case Mode::Ship:
            return look.template operator()<Mode::Ship>();
    }
    return SEABATTLE_INVALID;
}
