// The rows of the game that is searched, as the caller handed them in. Nothing here is modified.
#pragma once
#include <array>

#include "enumerate/core/vectors.hpp"
#include "solver/search/rows.hpp"

namespace seabattle {

/// Least and greatest weight of a row.
struct WeightRange {
    Count lightest = 1, heaviest = 1;

    bool differ() const { return lightest != 1 || heaviest != 1; }
    /// Weight, at least, of the rows of a sub-table without so many of them.
    Count left(Size size, Count found) const {
        return std::max((size.rows - found) * lightest, size.weight - found * heaviest);
    }
};

/// A group of cells that share sides, and the cells beside it.
template <class Mask>
struct CellGroup {
    Mask cells, around;
};

template <class Mask>
struct Game {
    Game(const seabattle_search_game& given, Arena& arena)
        : cells(given.cells),
          full(lowest_bits<Mask>(given.cells)),
          announced(given.announced != 0),
          rows({given.rows, given.rows_size}),
          ships({given.ships, given.ships_size}),
          sides({given.sides, given.sides_size}),
          weights(given.weights, given.weights_size),
          lengths(given.lengths, given.lengths_size),
          moves(given.moves, given.moves_size),
          images(given.images, given.images_size),
          patterns(given.patterns, given.patterns_size),
          lines(given.lines, given.lines_size),
          ship_count(int(lengths.size())),
          symmetry_count(int(moves.size() / cells)) {
        for (Count length : lengths) fleet_cells += length;
        weight_range = {weights[0], weights[0]};
        for (Count weight : weights) {
            weight_range.lightest = std::min(weight_range.lightest, weight);
            weight_range.heaviest = std::max(weight_range.heaviest, weight);
        }
        if (ships.size() == 0 || !is_valid()) return;
        ship_in_cell = arena.take<std::int8_t>(rows.size() * cells);
        if (arena.full()) return;
        for (std::int8_t& number : ship_in_cell) number = -1;
        for (Count row = 0; row < rows.size(); ++row)
            for (int d = 0; d < ship_count; ++d)
                for (int cell : Cells(ship(row, d)))
                    ship_in_cell[row * cells + cell] = std::int8_t(d);
    }

    /// Whether the arrays go together.
    bool is_valid() const {
        const Count n = rows.size();
        return n > 0 && weights.size() == n &&
               (ships.size() == 0 || ships.size() == n * ship_count) && sides.size() == cells &&
               moves.size() == symmetry_count * cells && symmetry_count >= 1 &&
               cells <= int(8 * sizeof(Mask)) && ship_count > 0;
    }

    Mask mask(Count row) const { return Mask(rows[row]); }
    /// Cells of a ship of a row.
    Mask ship(Count row, int ship) const { return Mask(ships[row * ship_count + ship]); }
    /// The ship of a row that covers a cell, -1 for water.
    int ship_at(Count row, int cell) const { return ship_in_cell[row * cells + cell]; }
    int image(int symmetry, int cell) const { return int(moves[Count(symmetry) * cells + cell]); }
    /// The cell whose image is this one, -1 for none.
    int moved_back(int symmetry, int image_of_it) const {
        for (int cell = 0; cell < cells; ++cell)
            if (image(symmetry, cell) == image_of_it) return cell;
        return -1;
    }
    Mask image_of(Mask mask, int symmetry) const {
        Mask moved = 0;
        for (int cell : Cells(mask)) moved |= bit_of<Mask>(image(symmetry, cell));
        return moved;
    }
    Count weight_of(Rows<Mask> part) const {
        if (!weight_range.differ()) return part.count;
        Count weight = 0;
        for (Count i = 0; i < part.count; ++i) weight += weights[part.number(i)];
        return weight;
    }
    /// What the rows that occupy each of some cells weigh, by cell; where rows have numbers.
    std::array<Count, 8 * sizeof(Mask)> weights_of_columns(Rows<Mask> part, Mask cells) const {
        std::array<Count, 8 * sizeof(Mask)> found;
        for (int cell : Cells(cells)) found[std::size_t(cell)] = 0;
        for (Count i = 0; i < part.count; ++i) {
            const Count weight = weights[part.number(i)];
            for (int cell : Cells(Mask(part.masks[i] & cells))) found[std::size_t(cell)] += weight;
        }
        return found;
    }
    /// The cells of `within` that are connected to a cell of it, and the cells beside those.
    CellGroup<Mask> group_of(int seed, Mask within) const {
        CellGroup<Mask> group{bit_of<Mask>(seed), 0};
        for (Mask edge = group.cells; edge;) {
            const Mask beside = Mask(sides[lowest_bit(edge)]);
            edge &= edge - 1;
            group.around |= beside;
            const Mask fresh = beside & within & ~group.cells;
            group.cells |= fresh;
            edge |= fresh;
        }
        group.around &= ~group.cells;
        return group;
    }

    int cells;
    Mask full;
    bool announced;  // a sinking tells the length of the ship
    Masks<std::conditional_t<sizeof(Mask) == 16, DoubleWord, Word>> rows, ships, sides;
    Array<const Count> weights;
    Array<const Count> lengths;  // of the ships, longest first
    Array<const Count> moves;    // (symmetries, cells), image of each cell
    Array<const std::int32_t>
        images;                       // (symmetries, rows), row that each row becomes; for OpenSunk
    Array<const Count> patterns;      // (2^ships, ship cells + 1), see bounds.hpp
    Array<const Count> lines;         // (longest + 1, 4^longest), see reveal_bound.hpp
    Array<std::int8_t> ship_in_cell;  // (rows, cells), where ships are looked at
    int ship_count, symmetry_count;
    Count fleet_cells = 0;
    WeightRange weight_range;
};

}  // namespace seabattle
