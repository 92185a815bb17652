// The transposition table: what is proven of each sub-table, filled by several threads at once.
//
// Tables of positions already searched are as old as chess programs [Greenblatt1967]; hashes of
// boards were drawn at random [Zobrist1970]. Here keys are exact, and their words are mixed as they
// are. The table is open addressing over 2^i slots with room to spare; a slot is an *entry*, one
// word, and the words of its key. It is found by its key and its miss limit.
//
// Races. The entry of a slot changes; its key is written once and stays. A thread that finds a slot
// `empty` claims it: it puts `claimed` there in one go, which only one thread can. Then it writes
// the key, and last the entry. So an entry that is neither `empty` nor `claimed` has its whole key
// beside it, and none is ever read half written. Two threads may enter the same key twice, which
// costs a slot, or both work out what one would have told the other, which costs time. What is
// proven of a key only ever becomes stronger: an exact value stays, and a bound gives way to a
// greater bound or an exact value.
#pragma once
#include "solver/search/question.hpp"

namespace seabattle {

/// What is proven of a key, packed in a word: misses 42 bits, exact 1, shot 7, worst 7, miss
/// limit 7.
class Entry {
public:
    static constexpr int no_shot = 127;

    constexpr explicit Entry(Word word) : word_(word) {}
    /// shot : in the orientation of the key
    static constexpr Entry exact(Value value, int shot, MissLimit limit) {
        return Entry(Word(value.misses) << 22 | Word{1} << 21 | Word(shot) << 14 |
                     Word(value.worst) << 7 | Word(limit));
    }
    static constexpr Entry bound(Count misses, MissLimit limit) {
        return Entry(Word(misses) << 22 | Word(no_shot) << 14 | Word(limit));
    }

    constexpr Word word() const { return word_; }
    constexpr Count misses() const { return Count(word_ >> 22); }
    constexpr bool is_exact() const { return word_ >> 21 & 1; }
    constexpr int shot() const { return int(word_ >> 14 & 127); }
    constexpr int worst() const { return int(word_ >> 7 & 127); }
    constexpr MissLimit limit() const { return MissLimit(word_ & 127); }
    constexpr Value value() const { return {misses(), worst()}; }
    constexpr bool operator==(const Entry&) const = default;

    /// Whether it proves more than another of the same key and miss limit.
    constexpr bool says_more_than(Entry held) const {
        return !held.is_exact() && (is_exact() || misses() > held.misses());
    }
    /// What is proven without a miss limit, as it holds with one: where the tree misses more often
    /// than that, it is only a bound.
    constexpr Entry within(MissLimit limit) const {
        return worst() > limit ? Entry(word_ & ~(Word{1} << 21)) : *this;
    }

private:
    Word word_;
};

inline constexpr Entry empty{~Word{0}};        // nothing is stored
inline constexpr Entry claimed{~Word{0} - 1};  // its key is being written

/// One step of a hash.
constexpr Word mix(Word word) { return (word ^ word >> 32) * 0x9E3779B97F4A7C15u; }
/// Where to begin to look for what has a mixed hash, of 2^i places.
constexpr Word place_of_hash(Word mixed, Word last) { return (mixed ^ mixed >> 29) & last; }

/// An entry with its key beside it, as it lies in memory: the one place that reads and writes them.
class Slot {
public:
    Slot(Word* words, int key_words) : entry_(words), key_(words + 1), key_words_(key_words) {}

    Entry read() const { return Entry(__atomic_load_n(entry_, __ATOMIC_ACQUIRE)); }
    /// The entry once its key is written, or `claimed` where that takes far longer than it should.
    Entry read_written() const {
        Entry held = read();
        for (int patience = 1 << 16; held == claimed && patience > 0; --patience) held = read();
        return held;
    }
    bool has(Entry held, const Word* key, MissLimit limit) const {
        if (held.limit() != limit || held == claimed) return false;
        for (int w = 0; w < key_words_; ++w)
            if (key_[w] != key[w]) return false;
        return true;
    }
    /// Write an entry where `held` still is, in one go; whether it was.
    bool replace(Entry held, Entry entry) const {
        Word expected = held.word();
        return __atomic_compare_exchange_n(entry_, &expected, entry.word(), false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
    }
    /// Write what was claimed.
    void write(const Word* key, Entry entry) const {
        for (int w = 0; w < key_words_; ++w) key_[w] = key[w];
        __atomic_store_n(entry_, entry.word(), __ATOMIC_RELEASE);
    }
    const Word* key() const { return key_; }

private:
    Word* entry_;
    Word* key_;
    int key_words_;
};

class Table {
public:
    Table() = default;
    /// words : (slots, 1 + key_words), with 2^i slots
    Table(Array<Word> words, int key_words)
        : words_(words), key_words_(key_words), last_(Word(words.size() / (1 + key_words)) - 1) {}

    Count slots() const { return Count(last_ + 1); }
    Slot slot(Word at) const {
        const Count width = 1 + key_words_;
        return {words_.row(Count(at), width).begin(), key_words_};
    }

    /// Where to begin to look for a key with a miss limit; memory is asked for it already.
    Word prefetch(const Word* key, MissLimit limit) const {
        const Word at = first_slot(key, limit);
        __builtin_prefetch(words_.begin() + Count(at) * (1 + key_words_));
        return at;
    }

    /// What is proven of a key with a miss limit, or `empty`.
    Entry look_up(const Word* key, MissLimit limit) const {
        return look_up(key, limit, first_slot(key, limit));
    }
    /// The same from where to begin to look for it.
    [[gnu::always_inline]] Entry look_up(const Word* key, MissLimit limit, Word first) const {
        for (Word at = first;; at = (at + 1) & last_) {
            const Slot looked_at = slot(at);
            const Entry held = looked_at.read();
            if (held == empty || looked_at.has(held, key, limit)) return held;
        }
    }

    /// Enter what is proven of a key, or strengthen it; false where the table is full.
    bool enter(const Word* key, Entry entry, Counters& counters) const {
        for (Word at = first_slot(key, entry.limit());;) {
            const Slot looked_at = slot(at);
            Entry held = looked_at.read_written();
            if (held == empty) {
                if (!counters.has_room()) return false;
                if (looked_at.replace(empty, claimed)) {
                    looked_at.write(key, entry);
                    return true;
                }
                counters.give_back_room();
                continue;  // another thread took it, perhaps for the same key
            }
            if (looked_at.has(held, key, entry.limit())) {
                while (entry.says_more_than(held) && !looked_at.replace(held, entry))
                    held = looked_at.read();
                return true;
            }
            at = (at + 1) & last_;
        }
    }

    /// Enter what is proven of a key into a table that has room; by one thread.
    void put(const Word* key, Entry entry) const {
        for (Word at = first_slot(key, entry.limit());; at = (at + 1) & last_) {
            const Slot looked_at = slot(at);
            const Entry held = looked_at.read();
            if (held != empty && !looked_at.has(held, key, entry.limit())) continue;
            if (held == empty || entry.says_more_than(held)) looked_at.write(key, entry);
            return;
        }
    }

    /// Enter what takes the place of all that is held of a key; by one thread. False where the
    /// table is full.
    bool set(const Word* key, Entry entry, Counters& counters) const {
        for (Word at = first_slot(key, entry.limit());; at = (at + 1) & last_) {
            const Slot looked_at = slot(at);
            const Entry held = looked_at.read();
            if (held != empty && !looked_at.has(held, key, entry.limit())) continue;
            if (held == empty && !counters.has_room()) return false;
            looked_at.write(key, entry);
            return true;
        }
    }

    /// Enter all that another table holds; by one thread.
    void take_over(const Table& other) const {
        for (Word at = 0; at < Word(other.slots()); ++at) {
            const Entry entry = other.slot(at).read();
            if (entry != empty && entry != claimed) put(other.slot(at).key(), entry);
        }
    }

private:
    Word first_slot(const Word* key, MissLimit limit) const {
        Word mixed = Word(Count(limit)) * 0xD6E8FEB86659FD93u;
        for (int w = 0; w < key_words_; ++w) mixed = mix(mixed ^ key[w]);
        return place_of_hash(mixed, last_);
    }

    Array<Word> words_;
    int key_words_ = 1;
    Word last_ = 0;
};

/// The sub-tables that threads have begun and not finished: a mark of each, in the place that its
/// key gives. A thread puts off what another is busy with [Weill1996]. A mark that is lost, late or
/// of another key costs time and nothing else. Without places, with one thread, nothing is marked.
class BusyMarks {
public:
    static constexpr Count least_rows = 24;  // fewer are done sooner than others can see it

    BusyMarks() = default;
    explicit BusyMarks(Array<Word> places) : places_(places) {}

    bool are_used() const { return !places_.empty(); }
    static Word mark_of(const Word* key, int key_words, MissLimit limit) {
        Word mark = Word(Count(limit));
        for (int w = 0; w < key_words; ++w) mark = mix(mark ^ key[w]);
        return mark | 1;
    }
    bool has(Word mark) const { return __atomic_load_n(place(mark), __ATOMIC_RELAXED) == mark; }
    void begin(Word mark) const { __atomic_store_n(place(mark), mark, __ATOMIC_RELAXED); }
    void finish(Word mark) const {
        if (has(mark)) __atomic_store_n(place(mark), 0, __ATOMIC_RELAXED);
    }

private:
    Word* place(Word mark) const { return &places_[Count(mark >> 24) & (places_.size() - 1)]; }

    Array<Word> places_;
};

}  // namespace seabattle
