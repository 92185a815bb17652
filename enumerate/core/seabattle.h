/* The interface of the core: every function that is called from outside, declared once, in C.
 *
 * The loader of Python (library.py) and that of the page (core.js) read these declarations, so they
 * keep to a small grammar:
 *
 *   - A parameter or a field is an integer, a double, a pointer to a structure declared above, or an
 *     array, which is two of them: a pointer and, behind it and named for it, how many items it has
 *     (`const uint64_t* masks, size_t masks_size`). An array without `const` is modified. Callers
 *     give the array alone; its type, its order and that it may be written are checked, and what its
 *     size has to be is asserted where the core is built with checks.
 *   - An array may be left out where the comment says so: it then has no items.
 *   - A function returns a number, or a `seabattle_status`, which is negative.
 *
 * Masks of cells are words of 64 bits, bit 0 of the first word is cell A1, and bits count along the
 * rows. "Rows" are layouts as masks of the cells that they occupy.
 */
#ifndef SEABATTLE_H
#define SEABATTLE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SEABATTLE_API __declspec(dllexport)
#else
#define SEABATTLE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns in place of a number. */
enum seabattle_status {
    SEABATTLE_FULL = -1,    /* an array that was handed in holds no more: hand in a larger one */
    SEABATTLE_STOPPED = -2, /* the work that was allowed is used up, or the caller wants it to end */
    SEABATTLE_INVALID = -3  /* arguments that do not go together: a mistake of the caller */
};

/* 3 where the processor has all of x86-64-v3, else 1; enumerate/core/processor.hpp */
SEABATTLE_API int32_t seabattle_level(void);

/* List layouts in the order of their placement numbers, or count them; enumerate/layouts.hpp.
 *
 * masks, halos : (placements * words,), cells of each placement, and these with those it forbids
 * allowed      : (placements,), 0 where a layout may not have it
 * slots        : (ships * 3,), for each ship in the fleet's order its first placement, the end, and
 *                1 where it has the form of the ship before it
 * first, end   : placements of the first ship that are tried
 * most         : the search ends when more are found
 * placed       : (ships,), modified, whatever it held
 * layouts      : (found * ships,), modified; without items layouts are counted alone
 * Returns how many there are, or SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_list_layouts(
    const uint64_t* masks, size_t masks_size, const uint64_t* halos, size_t halos_size,
    const uint8_t* allowed, size_t allowed_size, const int64_t* slots, size_t slots_size,
    int32_t words, int64_t first, int64_t end, int64_t most,
    uint16_t* placed, size_t placed_size, uint16_t* layouts, size_t layouts_size);

/* The exact search; solver/search/exact_search.hpp. `words` are those of a mask of cells. */

/* The game that is searched. Its arrays stay where they are as long as the search does.
 *
 * family   : model of answers: 1 ClosedSunk, 2 OpenSunk, 3 Named, 4 Hit
 * cells    : in question, 1 to 126
 * words    : 1 up to 64 cells, else 2; the masks of the search have 32, 64 or 128 bits
 * key_words, parts : words of a key; room for parts of sub-tables on the path
 * announced, and from `bounds` on : 1 where it is so, or where the search may use it, else 0
 * reveal_rows : least rows for which it may ask what is left once cells are revealed; 0: never
 * rows     : (rows * words,), cells that each row occupies; weights : (rows,)
 * ships    : (rows * ships * words,), cells of each ship, or without items where none is looked at
 * lengths  : (ships,), cells of each ship, longest first
 * sides    : (cells * words,), for each cell the cells beside it
 * moves    : (symmetries * cells,), image of each cell, of 1 to 8 symmetries
 * images   : (symmetries * rows,), row that each row becomes, for OpenSunk; else without items
 * patterns : (2^ships * (ship cells + 1),), see solver/search/bounds.py
 * lines    : ((longest + 1) * 4^longest,), see solver/search/reveal_bound.py */
typedef struct {
    int32_t family; int32_t cells; int32_t words; int32_t key_words; int64_t parts;
    int32_t announced; int32_t bounds; int32_t ordering; int32_t dominance; int32_t lookahead;
    int32_t budgets; int32_t coverage; int64_t reveal_rows;
    const uint64_t* rows; size_t rows_size;
    const int64_t* weights; size_t weights_size;
    const uint64_t* ships; size_t ships_size;
    const int64_t* lengths; size_t lengths_size;
    const uint64_t* sides; size_t sides_size;
    const int64_t* moves; size_t moves_size;
    const int32_t* images; size_t images_size;
    const int64_t* patterns; size_t patterns_size;
    const int64_t* lines; size_t lines_size;
} seabattle_search_game;

/* What hits leave, see solver/search/coverage.hpp. slots : (2^i * 3,), keys with numbers of states;
 * found : (room * 2 * 32,); size : states counted; by_ships : 1 where sinkings are told */
typedef struct {
    uint64_t* slots; size_t slots_size;
    int64_t* found; size_t found_size;
    int64_t size; int32_t by_ships;
} seabattle_states;

/* What is counted. states : keys in the table; nodes : sub-tables expanded; capacity : keys that the
 * table may hold; allowance : rows that may still be looked at; status : why it stopped, 1 the table
 * is full, 2 the allowance is used up, 3 parts are full, 4 states are; shot : cell of the best shot,
 * -1 for none; worst : worst case of the tree found */
typedef struct {
    int64_t states; int64_t nodes; int64_t capacity; int64_t allowance; int64_t status; int64_t shot;
    int64_t worst;
} seabattle_counters;

/* What is asked. goal : 0 total, 1 worst, 2 lost; miss_limit : 0 to 125, 126 for the goal worst, 127
 * for none; every_shot : 1 where all best shots are sought; cell : of a first shot, or -1
 * split_rows : least rows of a sub-table whose answers split what it lacks; 0: never
 * hit  : (words,), cells hit so far; table : (2^i * (1 + key_words),)
 * busy : marks of sub-tables that threads are busy with, 2^i, or without items
 * stop : (1,), not 0 once the search is to end, which another thread may write */
typedef struct {
    int32_t goal; int32_t miss_limit; int64_t budget; int32_t every_shot; int32_t cell;
    int64_t split_rows;
    const uint64_t* hit; size_t hit_size;
    uint64_t* table; size_t table_size;
    uint64_t* busy; size_t busy_size;
    const int32_t* stop; size_t stop_size;
    seabattle_states* states;
} seabattle_question;

/* Make a search in memory of the caller, which begins at a multiple of 64. Returns how much of it is
 * used, or SEABATTLE_FULL. Several threads may ask one question, each with a search of its own. */
SEABATTLE_API int64_t seabattle_search_make(const seabattle_search_game* game, uint8_t* memory,
                                            size_t memory_size);

/* Least misses of some rows, before a shot or after it.
 *
 * rows : numbers of rows; best : (2,), mask of all best shots, where they are sought
 * Returns the value, exact where below the budget, else a lower bound; or SEABATTLE_STOPPED. */
SEABATTLE_API int64_t seabattle_search_ask(uint8_t* memory, size_t memory_size, const int32_t* rows,
                                           size_t rows_size, const seabattle_question* question,
                                           seabattle_counters* counters, uint64_t* best,
                                           size_t best_size);

/* Enter the value of some rows that is known, with the best shot in `cell` of the question. Returns 0,
 * or SEABATTLE_STOPPED where the table is full. */
SEABATTLE_API int64_t seabattle_search_tell(uint8_t* memory, size_t memory_size, const int32_t* rows,
                                            size_t rows_size, const seabattle_question* question,
                                            seabattle_counters* counters, int64_t misses,
                                            int32_t worst);

/* Count what hits leave of some rows. scratch : memory at a multiple of 64. Returns 0, SEABATTLE_FULL
 * where that is too small, or SEABATTLE_STOPPED. */
SEABATTLE_API int64_t seabattle_search_count_states(uint8_t* memory, size_t memory_size,
                                                    const int32_t* rows, size_t rows_size,
                                                    const seabattle_question* question,
                                                    seabattle_counters* counters, uint8_t* scratch,
                                                    size_t scratch_size);

/* Enter what a table of so many words a slot holds into a larger one. */
SEABATTLE_API int64_t seabattle_rehash(const uint64_t* table, size_t table_size, uint64_t* larger,
                                       size_t larger_size, int32_t key_words);

#ifdef __cplusplus
}
#endif
#endif
