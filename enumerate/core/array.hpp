// Arrays in memory of the caller. The core takes no memory of its own: what is handed in is seen as
// arrays, or parted into arrays by an arena. Built with SEABATTLE_CHECKED, every index is asserted.
#pragma once
#include <cstddef>
#include <new>

#include "enumerate/core/bits.hpp"

#ifdef SEABATTLE_CHECKED
#define SEABATTLE_ASSERT(condition) ((condition) ? void() : __builtin_trap())
#else
#define SEABATTLE_ASSERT(condition) void()
#endif

namespace seabattle {

template <class T>
class Array {
public:
    constexpr Array() = default;
    constexpr Array(T* items, Count size) : items_(items), size_(size) {}
    constexpr Array(T* items, std::size_t size) : items_(items), size_(Count(size)) {}
    /// An array that is not modified may be one that could be.
    constexpr operator Array<const T>() const { return {items_, size_}; }

    constexpr T& operator[](Count i) const {
        SEABATTLE_ASSERT(i >= 0 && i < size_);
        return items_[i];
    }
    /// Items `from` to `end`.
    constexpr Array part(Count from, Count end) const {
        SEABATTLE_ASSERT(0 <= from && from <= end && end <= size_);
        return {items_ + from, end - from};
    }
    /// Row `i` of a table with so many columns.
    constexpr Array row(Count i, Count columns) const {
        return part(i * columns, (i + 1) * columns);
    }

    constexpr T* begin() const { return items_; }
    constexpr T* end() const { return items_ + size_; }
    constexpr Count size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }

private:
    T* items_ = nullptr;
    Count size_ = 0;
};

/// Masks of cells as callers hand them in: words, the low one first.
template <class Mask>
class Masks {
public:
    static constexpr int words = sizeof(Mask) == 16 ? 2 : 1;

    constexpr explicit Masks(Array<const Word> given) : words_(given) {}
    constexpr Mask operator[](Count i) const {
        if constexpr (words == 2)
            return Mask(words_[2 * i + 1]) << 64 | words_[2 * i];
        else
            return Mask(words_[i]);
    }
    constexpr Count size() const { return words_.size() / words; }

private:
    Array<const Word> words_;
};

/// Put the words of a mask where they are told, the low one first; returns how many they are.
template <class Mask>
constexpr int put_mask(Mask mask, Word* words) {
    words[0] = Word(mask);
    if constexpr (sizeof(Mask) == 16) words[1] = Word(mask >> 64);
    return Masks<Mask>::words;
}

/// A block of memory, handed in by the caller, from which arrays are taken one after the other.
class Arena {
public:
    constexpr Arena(std::byte* memory, Count size) : memory_(memory), size_(size) {}

    /// An arena without memory: `top` says what others need for what is taken, nothing is written.
    static Arena measuring() { return {reinterpret_cast<std::byte*>(alignment), Count{1} << 62}; }

    /// `size` items of value 0, aligned for vectors; no array at all (see `full`) where they do not
    /// fit.
    template <class T>
    Array<T> take(Count size) {
        const Array<T> items = take_as_is<T>(size);
        for (Count i = 0; i < items.size(); ++i) new (items.begin() + i) T{};
        return items;
    }

    /// The same, whatever the items hold.
    template <class T>
    Array<T> take_as_is(Count size) {
        const Count from = (top_ + alignment - 1) / alignment * alignment;
        const Count bytes = size * Count(sizeof(T));
        if (full_ || bytes > size_ - from) {
            full_ = true;
            return {};
        }
        top_ = from + bytes;
        return {reinterpret_cast<T*>(memory_ + from), size};
    }

    /// An object that takes its own arrays from this arena; null where it does not fit.
    template <class T, class... Given>
    T* make(Given&... given) {
        static_assert(alignof(T) <= alignment);
        std::byte* place = take<std::byte>(Count(sizeof(T))).begin();
        return full_ ? nullptr : new (place) T(given..., *this);
    }

    /// Whether something that was asked for did not fit.
    constexpr bool full() const { return full_; }
    constexpr Count top() const { return top_; }
    /// Give back what was taken since `top` was this.
    constexpr void release(Count top) {
        SEABATTLE_ASSERT(top <= top_);
        top_ = top;
    }

private:
    static constexpr Count alignment = 64;
    std::byte* memory_;
    Count size_;
    Count top_ = 0;
    bool full_ = false;
};

}  // namespace seabattle
