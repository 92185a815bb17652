// Numbers, and masks of cells: uint32 up to 32 cells, uint64 up to 64, two words up to 128.
// Bit c of a mask is cell c.
#pragma once
#include <bit>
#include <cstdint>

namespace seabattle {

using Word = std::uint64_t;
using DoubleWord = unsigned __int128;
using Count = std::int64_t;  // rows, layouts, weights, misses, and places in arrays

template <class Mask>
constexpr int lowest_bit(Mask mask) {
    if constexpr (sizeof(Mask) == 16)
        return Word(mask) ? std::countr_zero(Word(mask)) : 64 + std::countr_zero(Word(mask >> 64));
    else
        return std::countr_zero(mask);
}

template <class Mask>
constexpr int popcount(Mask mask) {
    if constexpr (sizeof(Mask) == 16)
        return std::popcount(Word(mask)) + std::popcount(Word(mask >> 64));
    else
        return std::popcount(mask);
}

template <class Mask>
constexpr Mask bit_of(int cell) {
    return Mask(Mask{1} << cell);
}

/// The lowest `cells` bits.
template <class Mask>
constexpr Mask lowest_bits(int cells) {
    return cells >= int(8 * sizeof(Mask)) ? Mask(~Mask{0}) : Mask(bit_of<Mask>(cells) - 1);
}

/// The cells of a mask: `for (int cell : Cells(mask))`.
template <class Mask>
class Cells {
public:
    struct End {};
    struct Iterator {
        Mask left;
        constexpr int operator*() const { return lowest_bit(left); }
        constexpr void operator++() { left &= left - 1; }
        constexpr bool operator!=(End) const { return left != 0; }
    };
    constexpr explicit Cells(Mask mask) : mask_(mask) {}
    constexpr Iterator begin() const { return {mask_}; }
    constexpr End end() const { return {}; }

private:
    Mask mask_;
};

}  // namespace seabattle
