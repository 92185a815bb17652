// Vector registers of 32 bytes, by the extensions that gcc and clang share: AVX2, two of SSE2, NEON
// or WebAssembly's, whatever the target has. A mask of two words is a vector of one lane.
#pragma once
#include "enumerate/core/bits.hpp"

// How vectors are handed over between translation units does not matter: there is one.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace seabattle {

template <class Mask>
struct VectorOf;
template <>
struct VectorOf<std::uint32_t> {
    using Type = std::uint32_t __attribute__((vector_size(32)));
};
template <>
struct VectorOf<Word> {
    using Type = Word __attribute__((vector_size(32)));
};
template <>
struct VectorOf<DoubleWord> {
    using Type = DoubleWord;
};

/// As many masks as 32 bytes hold.
template <class Mask>
using Vector = typename VectorOf<Mask>::Type;

template <class Mask>
inline constexpr int lanes_of = sizeof(Mask) == 16 ? 1 : int(32 / sizeof(Mask));

/// The same mask in every lane.
template <class Mask>
Vector<Mask> everywhere(Mask mask) {
    return Vector<Mask>{} + mask;
}

/// All ones in every lane that is not 0.
inline Vector<std::uint32_t> where_not_zero(Vector<std::uint32_t> v) {
    return Vector<std::uint32_t>(v != 0);
}
inline Vector<Word> where_not_zero(Vector<Word> v) { return Vector<Word>(v != 0); }
inline DoubleWord where_not_zero(DoubleWord v) { return v != 0 ? ~DoubleWord{0} : 0; }

template <class Mask>
Mask lane_of(const Vector<Mask>& v, int lane) {
    if constexpr (sizeof(Mask) == 16)
        return v;
    else
        return v[lane];
}
template <class Mask>
void set_lane(Vector<Mask>& v, int lane, Mask mask) {
    if constexpr (sizeof(Mask) == 16)
        v = mask;
    else
        v[lane] = mask;
}

/// As many masks side by side in memory as there are lanes.
template <class Mask>
Vector<Mask> lanes_at(const Mask* from) {
    Vector<Mask> v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
/// Write the lanes side by side.
template <class Mask>
void put_lanes(const Vector<Mask>& v, Mask* to) {
    __builtin_memcpy(to, &v, sizeof v);
}

inline Vector<Word> lesser(Vector<Word> a, Vector<Word> b) { return a < b ? a : b; }

/// The least lane, in every lane.
inline Vector<Word> least(Vector<Word> v) {
    v = lesser(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
    return lesser(v, __builtin_shufflevector(v, v, 1, 0, 3, 2));
}

}  // namespace seabattle
