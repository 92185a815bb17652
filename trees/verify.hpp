// Verification: every layout is sent down a tree by the rules of the game alone.
//
// What a shot is answered is worked out here once more, from the cells of the ships and the cells
// shot: nothing of the search, and nothing that plays, is used. Counts are at most the number of
// layouts, misses at most the cells of the board.
#pragma once
#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle::verification {

/// How the walk of a layout ended: in a leaf that lists it; at a node without a branch for its
/// answer; at a cell that was shot before; in a leaf that does not list it.
enum class End : std::uint8_t { Fine, NoBranch, ShotTwice, NotListed };

/// The ships of one layout on the board, and what was shot.
class Board {
public:
    Board(Array<const std::int64_t> lengths, std::int32_t mode, Array<DoubleWord> ships,
          Array<int> names)
        : lengths_(lengths), mode_(mode), ships_(ships), names_(names) {}

    void set_up(Array<const std::uint16_t> layout, Masks<DoubleWord> masks) {
        for (Count d = 0; d < layout.size(); ++d) {
            ships_[d] = masks[layout[d]];
            names_[d] = 0;
        }
        shot_ = 0;
    }

    bool was_shot(int cell) const { return (shot_ >> cell & 1) != 0; }

    /// Shoot a cell: the code of the answer, as enumerate/answers.py numbers them.
    int shoot(int cell) {
        shot_ |= bit_of<DoubleWord>(cell);
        for (Count d = 0; d < ships_.size(); ++d) {
            if (!(ships_[d] >> cell & 1)) continue;
            const int length = int(lengths_[d]);
            if (mode_ == told_hits) return 1;
            if (mode_ == told_ships) {
                if (names_[d] == 0) names_[d] = 1 + hit_before(length);
                return 0x4000 + 64 * length + names_[d];
            }
            if (ships_[d] & ~shot_) return 1;
            return mode_ == told_sunk ? 2 : 0x100 + length;
        }
        return 0;
    }

private:
    static constexpr int told_hits = 0, told_sunk = 1, told_ships = 3;

    /// How many ships of a length were hit.
    int hit_before(int length) const {
        int number = 0;
        for (Count d = 0; d < ships_.size(); ++d) number += names_[d] > 0 && lengths_[d] == length;
        return number;
    }

    Array<const std::int64_t> lengths_;
    std::int32_t mode_;
    Array<DoubleWord> ships_;
    Array<int> names_;  // of each ship hit, its number among those of its length
    DoubleWord shot_ = 0;
};

class Walker {
public:
    Array<const std::int16_t> shots;
    Array<const std::int64_t> first;
    Array<const std::uint16_t> answers;
    Array<const std::int32_t> children;
    Array<const std::int64_t> leaf;
    Array<const std::uint16_t> listed;
    Array<std::int64_t> visits;
    Array<std::uint8_t> used, matched;

    struct Walk {
        std::int64_t end;  // the node where it stopped
        std::int64_t row;  // the row that lists the layout there; 0 where none does
        std::int64_t misses;
        End how;
    };

    /// Send a layout from the root to where the tree ends for it, and find it there.
    Walk walk(Board& board, Array<const std::uint16_t> layout) const {
        Walk walk{0, 0, 0, End::Fine};
        ++visits[0];
        while (shots[walk.end] >= 0) {
            const int cell = shots[walk.end];
            if (board.was_shot(cell)) return {walk.end, 0, walk.misses, End::ShotTwice};
            const int answer = board.shoot(cell);
            walk.misses += answer == 0;
            const std::int64_t edge = edge_of(walk.end, answer);
            if (edge < 0) return {walk.end, 0, walk.misses, End::NoBranch};
            used[edge] = 1;
            walk.end = children[edge];
            ++visits[walk.end];
        }
        const std::int64_t row = row_of(layout, leaf[walk.end], leaf[walk.end + 1]);
        if (row < 0) return {walk.end, 0, walk.misses, End::NotListed};
        matched[row] = 1;
        walk.row = row;
        return walk;
    }

private:
    std::int64_t edge_of(std::int64_t node, int answer) const {
        for (std::int64_t e = first[node]; e < first[node + 1]; ++e)
            if (answers[e] == answer) return e;
        return -1;
    }

    /// The first row of a leaf that lists a layout and is not taken yet; -1 if none does.
    std::int64_t row_of(Array<const std::uint16_t> layout, std::int64_t from,
                        std::int64_t end) const {
        for (std::int64_t row = from; row < end; ++row) {
            bool same = matched[row] == 0;
            for (Count d = 0; d < layout.size(); ++d)
                same = same && listed[row * layout.size() + d] == layout[d];
            if (same) return row;
        }
        return -1;
    }
};

}  // namespace seabattle::verification

extern "C" int32_t seabattle_walk_layouts(const seabattle_tree* tree, const seabattle_walks* walks,
                                          const uint64_t* masks, size_t masks_size,
                                          const int64_t* lengths, size_t lengths_size,
                                          const int16_t* history, size_t history_size, int32_t mode,
                                          int64_t first, int64_t end) {
    using namespace seabattle;
    using namespace seabattle::verification;
    constexpr Count most_ships = 128;  // on a board of 128 cells
    const Count ships = Count(lengths_size), nodes = Count(tree->shots_size);
    if (ships > most_ships || nodes == 0 || Count(tree->first_size) != nodes + 1 ||
        Count(tree->leaf_size) != nodes + 1 || tree->children_size != tree->answers_size ||
        walks->used_size != tree->answers_size || Count(walks->visits_size) != nodes ||
        Count(tree->listed_size) != Count(walks->matched_size) * ships ||
        Count(walks->ships_size) != Count(walks->faults_size) * ships ||
        walks->ends_size != walks->faults_size || walks->rows_size != walks->faults_size ||
        walks->misses_size != walks->faults_size || first < 0 || end > Count(walks->faults_size))
        return SEABATTLE_INVALID;
    const Walker walker{.shots = {tree->shots, tree->shots_size},
                        .first = {tree->first, tree->first_size},
                        .answers = {tree->answers, tree->answers_size},
                        .children = {tree->children, tree->children_size},
                        .leaf = {tree->leaf, tree->leaf_size},
                        .listed = {tree->listed, tree->listed_size},
                        .visits = {walks->visits, walks->visits_size},
                        .used = {walks->used, walks->used_size},
                        .matched = {walks->matched, walks->matched_size}};
    DoubleWord placed[most_ships];
    int names[most_ships];
    Board board({lengths, lengths_size}, mode, {placed, ships}, {names, ships});
    const Array<const std::uint16_t> layouts(walks->ships, walks->ships_size);
    for (Count i = first; i < end; ++i) {
        const Array<const std::uint16_t> layout = layouts.row(i, ships);
        board.set_up(layout, Masks<DoubleWord>({masks, masks_size}));
        for (const int cell : Array<const std::int16_t>(history, history_size)) board.shoot(cell);
        const Walker::Walk walk = walker.walk(board, layout);
        walks->ends[i] = walk.end;
        walks->rows[i] = walk.row;
        walks->misses[i] = walk.misses;
        walks->faults[i] = std::uint8_t(walk.how);
    }
    return 0;
}
