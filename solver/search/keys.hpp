// Keys of sub-tables: the least image over the symmetries of the board.
//
// H is the mask of the cells that every row occupies, *water* (M) that of those that none does;
// both are the closed key of a sub-table. The image that comes first is the same for all sub-tables
// of an orbit, so that they share one entry of the table.
//
// Up to 40 cells a closed key is one word, the board in base 3 (0 unknown, 1 certain, 2 water; 3^40
// < 2^64), up to 64 a word each, and two words each of wider masks. Names of ships follow where a
// hit names its ship; where they take more than one word, H and M take a word each. Where the cells
// that were hit and every single row matter, a key is both: the cells, and a bit for each row.
//
// Strategy files hold the same keys; `trees.strategy.keys` defines those of positions.
#pragma once
#include "solver/search/game.hpp"

namespace seabattle {

/// Most words of a key that is H and M alone.
template <class Mask>
inline constexpr int most_closed_words = sizeof(Mask) == 16 ? 4 : 2;

/// What keys are made of. A key is the least image, of all symmetries side by side in registers:
/// the sum, over the digits of 5 bits of both masks, of what each digit gives under every symmetry.
/// This is the innermost loop of the search: every child that may be looked up needs its key.
template <class Mask>
class Keys {
    static constexpr int digit_bits = 5, digit_values = 1 << digit_bits, lanes = 4, registers = 2;
    static constexpr bool is_wide = sizeof(Mask) == 16;

    /// What a digit of a mask adds under each of up to 8 symmetries.
    struct Digit {
        Vector<Word> at[registers];
    };
    /// H and M under each symmetry: their two words, or in the first the one that both make. Of
    /// wide masks these are made symmetry by symmetry.
    struct Images {
        Vector<Word> first[registers], second[registers];
        Mask certain, water;
    };

public:
    /// words : of a key
    Keys(const Game<Mask>& game, int words, bool names_ships, Arena& arena)
        : game_(game),
          words_(words),
          is_one_word_(names_ships ? words == 2 : words == 1),
          digits_((game.cells + digit_bits - 1) / digit_bits),
          numbers_(arena.take<int>(game.ship_count)),
          cell_of_image_(arena.take<int>(game.cells)),
          made_(arena.take<Word>(words)) {
        if (is_wide) return;
        digits_of_masks_ = arena.take<Digit>(digits_ * digit_values);
        if (arena.full()) return;
        for (int g = 0; g < registers * lanes;
             ++g)  // the last one is repeated where there are fewer
            for (int d = 0; d < digits_; ++d)
                for (int value = 0; value < digit_values; ++value)
                    digits_of_masks_[d * digit_values + value].at[g / lanes][g % lanes] =
                        sum_of(d, value, std::min(g, game.symmetry_count - 1));
    }

    int words() const { return words_; }

    /// The key of H and M, which is all there is to it where answers are closed.
    void make_closed(Closure<Mask> closure, Word* key) const {
        if constexpr (is_wide) {
            const Images images = images_of(closure);
            make_least([&](int g, Word* made) { put_closed(images, g, made); }, closed_words(),
                       key);
        } else if (game_.symmetry_count <= lanes) {
            make_least_of<1>(closure, key);
        } else {
            make_least_of<2>(closure, key);
        }
    }
    /// The first symmetry that gives the key of H and M.
    int symmetry_of_closed(Closure<Mask> closure, const Word* key) const {
        const Images images = images_of(closure);
        for (int g = 0; g < game_.symmetry_count; ++g)
            if (gives(images, g, key)) return g;
        return 0;
    }
    /// How many symmetries give it: as many as keep the sub-table as it is.
    int symmetries_of_closed(Closure<Mask> closure, const Word* key) const {
        const Images images = images_of(closure);
        int found = 0;
        for (int g = 0; g < game_.symmetry_count; ++g) found += gives(images, g, key);
        return found;
    }

    /// The key of H and M with the ship in each cell of H; returns the symmetry that gives it.
    ///
    /// row : any row of the sub-table
    int make_named(Count row, Closure<Mask> closure, Word* key) {
        make_closed(closure,
                    key);  // few symmetries give it, mostly one: only there ships are named
        const Images images = images_of(closure);
        const int names = closed_words();
        int best = -1;
        for (int g = 0; g < game_.symmetry_count; ++g) {
            if (!gives(images, g, key)) continue;
            Word* const made = best < 0 ? key : made_.begin();
            put_names(row, closure.certain, g, names, made);
            if (best >= 0 && !is_less(made + names, key + names, words_ - names)) continue;
            if (best >= 0) std::copy(made + names, made + words_, key + names);
            best = g;
        }
        return best;
    }

    /// The same under one symmetry, which need not be the least.
    void put_named(Count row, Closure<Mask> closure, int symmetry, Word* key) const {
        put_names(row, closure.certain, symmetry, put_closed(images_of(closure), symmetry, key),
                  key);
    }

    /// The key of the cells hit so far and of every single row; returns the symmetry that gives it.
    int make_open(Rows<Mask> rows, Mask shot, Word* key) {
        return make_least(
            [&](int g, Word* made) {
                const int first = put_mask(game_.image_of(shot, g), made);
                for (int w = first; w < words_; ++w) made[w] = 0;
                for (Count i = 0; i < rows.count; ++i) {
                    const int image = game_.images[Count(g) * game_.rows.size() + rows.number(i)];
                    made[first + image / 64] |= Word{1} << image % 64;
                }
            },
            words_, key);
    }

private:
    /// What a digit of a mask adds to the image under a symmetry: 2^image, or 3^image, of its
    /// cells.
    Word sum_of(int digit, int value, int symmetry) const {
        Word sum = 0;
        for (int bit : Cells(std::uint32_t(value))) {
            const int cell = digit * digit_bits + bit;
            if (cell >= game_.cells) continue;
            Word power = 1;
            for (int i = game_.image(symmetry, cell); i > 0; --i) power *= is_one_word_ ? 3 : 2;
            sum += power;
        }
        return sum;
    }
    template <int used>
    Images images_of(Closure<Mask> closure) const {
        Mask certain = closure.certain, water = Mask(game_.full & ~closure.occupied);
        Images sums{};
        for (int d = 0; d < digits_; ++d) {
            const Digit& first = digit_of(d, certain);
            const Digit& second = digit_of(d, water);
            for (int r = 0; r < used; ++r) {
                sums.first[r] += first.at[r];
                sums.second[r] += second.at[r];
            }
            certain >>= digit_bits;
            water >>= digit_bits;
        }
        for (int r = 0; is_one_word_ && r < used; ++r)
            sums.first[r] += sums.second[r] + sums.second[r];
        return sums;
    }
    Images images_of(Closure<Mask> closure) const {
        if constexpr (is_wide)
            return {{}, {}, closure.certain, Mask(game_.full & ~closure.occupied)};
        else
            return images_of<2>(closure);
    }
    const Digit& digit_of(int digit, Mask mask) const {
        return digits_of_masks_[digit * digit_values + Count(mask & (digit_values - 1))];
    }
    template <int used>
    static Vector<Word> least_of(const Vector<Word> (&images)[2]) {
        return least(used == 1 ? images[0] : lesser(images[0], images[1]));
    }
    /// The key of H and M, all symmetries at a time.
    template <int used>
    void make_least_of(Closure<Mask> closure, Word* key) const {
        Images images = images_of<used>(closure);
        const Vector<Word> lowest = least_of<used>(images.first);
        key[0] = lowest[0];
        if (is_one_word_) return;
        for (int r = 0; r < used; ++r)
            images.second[r] = images.first[r] == lowest ? images.second[r] : ~Vector<Word>{};
        key[1] = least_of<used>(images.second)[0];
    }

    /// Put H and M under a symmetry into a key; returns where what comes after them goes.
    int put_closed(const Images& images, int symmetry, Word* key) const {
        if constexpr (is_wide) {
            const int next = put_mask(game_.image_of(images.certain, symmetry), key);
            return next + put_mask(game_.image_of(images.water, symmetry), key + next);
        } else {
            key[0] = images.first[symmetry / lanes][symmetry % lanes];
            if (is_one_word_) return 1;
            key[1] = images.second[symmetry / lanes][symmetry % lanes];
            return 2;
        }
    }
    bool gives(const Images& images, int symmetry, const Word* key) const {
        Word made[most_closed_words<Mask>];
        return std::equal(made, made + put_closed(images, symmetry, made), key);
    }
    /// Words of H and M in a key.
    int closed_words() const { return is_one_word_ ? 1 : most_closed_words<Mask>; }
    static bool is_less(const Word* one, const Word* other, int words) {
        return std::lexicographical_compare(one, one + words, other, other + words);
    }
    /// Put the ships in the cells of H under a symmetry, as digits, into a key from `place` on.
    ///
    /// The cells of H are read in the order of their images; each gets the number of its ship,
    /// where the ships of one length are numbered in the order in which they are met. Digits are to
    /// the base of the number of ships. Where one word holds them all it does, otherwise each as
    /// many as surely fit.
    void put_names(Count row, Mask certain, int symmetry, int place, Word* key) const {
        const int ships = game_.ship_count;
        for (int& number : numbers_) number = -1;
        for (int w = place; w < words_; ++w) key[w] = 0;
        const int digits = 64 / std::max(1, int(std::bit_width(unsigned(ships - 1))));
        int room = place + 1 < words_ ? digits : 64;
        for (int cell : Cells(certain)) cell_of_image_[game_.image(symmetry, cell)] = cell;
        for (int image : Cells(game_.image_of(certain, symmetry))) {
            const int d = game_.ship_at(row, cell_of_image_[image]);
            if (numbers_[d] < 0) {
                int number = 0;
                for (int e = 0; e < ships; ++e)
                    number += game_.lengths[e] > game_.lengths[d] ||
                              (game_.lengths[e] == game_.lengths[d] && numbers_[e] >= 0);
                numbers_[d] = number;
            }
            if (room == 0) {
                ++place;
                room = digits;
            }
            --room;
            key[place] = key[place] * Word(ships) + Word(numbers_[d]);
        }
    }

    /// The least of what the symmetries give, of so many words; returns the first that gives it.
    ///
    /// make : puts the words of a symmetry where it is told
    template <class Make>
    int make_least(Make make, int words, Word* key) const {
        make(0, key);
        int best = 0;
        for (int g = 1; g < game_.symmetry_count; ++g) {
            make(g, made_.begin());
            if (!is_less(made_.begin(), key, words)) continue;
            std::copy(made_.begin(), made_.begin() + words, key);
            best = g;
        }
        return best;
    }

    const Game<Mask>& game_;
    int words_;
    bool is_one_word_;  // H and M are one word together
    int digits_;
    Array<Digit> digits_of_masks_;  // by digit and its value
    Array<int> numbers_, cell_of_image_;
    Array<Word> made_;  // scratch
};

}  // namespace seabattle
