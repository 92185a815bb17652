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

/* The ships of a sweep; enumerate/counting/frontier.hpp.
 *
 * width   : cells in a row of the sweep, the shorter side of the board
 * contact : 0 none, 1 corners, 2 sides
 * counted : 1 where profiles say which ships are used, else the sums of a sweep have an axis for it
 * cells   : (cells * 3,), for each cell of each shape, a way in which a ship may lie: the shape, and
 *           the cell's row and column from the shape's first cell, in the order of the rows
 * types   : (shapes,), type of ship of each shape
 * ships   : (types,), how many ships of each type there are */
typedef struct {
    int32_t width;
    int32_t contact;
    int32_t counted;
    const int32_t* cells; size_t cells_size;
    const int32_t* types; size_t types_size;
    const int32_t* ships; size_t ships_size;
} seabattle_ships;

/* Begin to search the profiles and steps of a frontier, in memory that then holds the search. */
SEABATTLE_API int64_t seabattle_begin_frontier(
    const seabattle_ships* ships, uint8_t* memory, size_t memory_size);

/* Copy a search, with what it has found, into larger memory, where it can go on. */
SEABATTLE_API int64_t seabattle_move_frontier(
    const uint8_t* memory, size_t memory_size, uint8_t* larger, size_t larger_size);

/* Find the steps of so many profiles more; returns how many profiles have none yet, 0 at the end, or
 * SEABATTLE_FULL: move the search, then go on. */
SEABATTLE_API int64_t seabattle_search_frontier(
    uint8_t* memory, size_t memory_size, int64_t allowance);

/* Bytes that a frontier needs when its search has ended. */
SEABATTLE_API int64_t seabattle_frontier_bytes(const uint8_t* memory, size_t memory_size);

/* Keep what a search has found, in memory of its own; the search cannot be used any more.
 *
 * kept  : modified, holds the frontier, which sweeps read: it must not be moved
 * sizes : (4,), modified: nodes, profiles between two rows, steps, and how often a sum is rounded
 *         at most on its way through a row */
SEABATTLE_API int64_t seabattle_keep_frontier(
    uint8_t* memory, size_t memory_size, uint8_t* kept, size_t kept_size,
    int64_t* sizes, size_t sizes_size);

/* A sweep over a board; enumerate/counting/sweep.hpp.
 *
 * frontier : as seabattle_keep_frontier left it
 * words    : words of 64 bits of a sum, 1, 2, 3, 4 or 8; 0 for masses, which are doubles
 * height   : rows of the board
 * keeps    : 1 to keep the sums before every row, which maps and walks need; 0 to count alone
 * left     : (types,), how many ships of each type are still to be found
 * allowed  : (height * codes,), 1 where a ship may begin so; at code 0, which begins none, 1
 * required : (height,), masks of the columns whose cells must be occupied
 * weights  : (height * codes,), of masses: what a ship that begins so weighs, 1 at code 0; else no
 *            items */
typedef struct {
    const uint8_t* frontier; size_t frontier_size;
    int32_t words;
    int32_t height;
    int32_t keeps;
    const int32_t* left; size_t left_size;
    const uint8_t* allowed; size_t allowed_size;
    const uint32_t* required; size_t required_size;
    const double* weights; size_t weights_size;
} seabattle_board;

/* Bytes that a sweep needs. */
SEABATTLE_API int64_t seabattle_sweep_bytes(const seabattle_board* board);

/* Begin a sweep in memory that holds zeros, or a sweep before, which must not be moved meanwhile.
 * Returns the number of rows that need no sweep forward: those above the first that differs from
 * the sweep before, of the same frontier and ships left. */
SEABATTLE_API int64_t seabattle_begin_sweep(
    const seabattle_board* board, uint8_t* memory, size_t memory_size);

/* Sum up a row forward; rows go from the first that needs it to the last. */
SEABATTLE_API int64_t seabattle_sweep_forward(uint8_t* memory, size_t memory_size, int64_t row);

/* The number of layouts modulo 2^(64 words), or their mass, after all rows: (words,), modified. */
SEABATTLE_API int64_t seabattle_sweep_total(
    const uint8_t* memory, size_t memory_size, uint64_t* total, size_t total_size);

/* Sum up a row backward; rows go from the last to the first.
 *
 * starts : (codes * words,), modified: for each code the number of layouts in which a ship begins so,
 *          or their mass, 0 at code 0; without items the sums before every row are kept for walks, in place of
 *          those of the sweep forward */
SEABATTLE_API int64_t seabattle_sweep_backward(
    uint8_t* memory, size_t memory_size, int64_t row, uint64_t* starts, size_t starts_size);

/* Take walks through a row, after a sweep backward for walks; rows go from the first to the last.
 *
 * profiles : (walks,), modified: where each walk is; 0 before the first row
 * used     : (walks,), modified: the entry of a sum that says which ships are used; 0 at first
 * luck     : (walks * words,), modified: ranks of layouts, each below the total; or, of masses, seeds
 * codes    : (walks * ships,), modified: what is begun in this row, from the place `found` on
 * found    : (walks,), modified: how many ships each walk has begun */
SEABATTLE_API int64_t seabattle_sweep_walk(
    uint8_t* memory, size_t memory_size, int64_t row, int64_t* profiles, size_t profiles_size,
    int64_t* used, size_t used_size, uint64_t* luck, size_t luck_size,
    int64_t* codes, size_t codes_size, int64_t* found, size_t found_size);

/* A game whose layouts are drawn: how ships can be laid and what is known; enumerate/counting/estimate.hpp.
 *
 * ships       : (kinds,), how many ships of each kind are laid
 * form_kinds  : (forms,), kind of each form, that is of a ship turned in one way; increasing
 * step_ends   : (forms,), end of the form's steps among all
 * steps       : from a placement's first cell to each of its cells, increasing, the first of them 0
 * numbers     : (forms * cells,), the placement of each form at each first cell, -1 if not allowed
 * masks, halos: (placements * words,), cells of each placement, and these with those it forbids
 * hits, sunk  : (words,), the cells that have to be occupied; those whose ship is known to be sunk */
typedef struct {
    int32_t cells;
    const int32_t* ships;
    size_t ships_size;
    const int32_t* form_kinds;
    size_t form_kinds_size;
    const int32_t* step_ends;
    size_t step_ends_size;
    const int32_t* steps;
    size_t steps_size;
    const int32_t* numbers;
    size_t numbers_size;
    const uint64_t* masks;
    size_t masks_size;
    const uint64_t* halos;
    size_t halos_size;
    const uint64_t* hits;
    size_t hits_size;
    const uint64_t* sunk;
    size_t sunk_size;
} seabattle_laying;

/* Draw a batch of layouts, weighed; enumerate/counting/estimate.hpp. The same numbers draw the same.
 *
 * seed, batch : from 0 on; batches are independent of each other
 * particles   : how many layouts are begun
 * memory      : scratch
 * means       : (all ships,), modified: mean factor of the particles' weights at each step; the
 *               number of layouts is about their product times that of all^m / m! over the kinds,
 *               all being the allowed placements of a kind and m its ships
 * chances     : (placements,), modified: in which share of the layouts, by weight, each is
 * totals      : (2,), modified: how many independent layouts of equal weight say as much; and how
 *               many labelled layouts there are for each layout, divided by the product of the m!
 * Returns the number of particles, 0 if none became a layout (then the rest says nothing), or
 * SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_estimate(
    const seabattle_laying* laying, int32_t seed, int32_t batch, int32_t particles,
    uint8_t* memory, size_t memory_size, double* means, size_t means_size,
    double* chances, size_t chances_size, double* totals, size_t totals_size);

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

/* Numbers `first` and on of the random stream `seed`, 64 bits each; solver/players/chance.hpp.
 *
 * words : modified. Returns 0 */
SEABATTLE_API int32_t seabattle_draw_words(
    uint64_t seed, int64_t first, uint64_t* words, size_t words_size);

/* A random number from 0 to 1, exclusive, apart from those that order a deck */
SEABATTLE_API double seabattle_draw_fraction(uint64_t seed, int64_t index);

/* Put the cells in random order. deck : (cells,), modified, whatever it held. Returns 0 */
SEABATTLE_API int32_t seabattle_shuffle(uint64_t seed, int16_t* deck, size_t deck_size);

/* The placements of a fleet's ships as players look them up; solver/players/batches.hpp. Ships of
 * one length are a class, the longest first. A placement touches a cell that it does not cover when
 * no other ship may stand there.
 *
 * ship_cells      : (placements * longest,), cells of each placement, what is behind the last unread
 * sizes, class_of : (placements,), how many they are, and the class
 * lengths, ships_of : (classes,), length of the ships, and how many there are
 * base            : (classes * cells,), placements of each class through each cell
 * through_first, through   : (cells + 1,) and (n,), the placements that cover each cell, end to end
 * touching_first, touching : the same for those that touch it */
typedef struct {
    const int16_t* ship_cells; size_t ship_cells_size;
    const int16_t* sizes; size_t sizes_size;
    const int16_t* class_of; size_t class_of_size;
    const int64_t* lengths; size_t lengths_size;
    const int64_t* ships_of; size_t ships_of_size;
    const int64_t* base; size_t base_size;
    const int32_t* through_first; size_t through_first_size;
    const uint16_t* through; size_t through_size;
    const int32_t* touching_first; size_t touching_first_size;
    const uint16_t* touching; size_t touching_size;
} seabattle_placements;

/* Games to play in one call, or one game up to now, whose answers are given.
 *
 * ships        : (games * ships,), placement numbers of the hidden layouts; without items answers
 *                are given
 * mode         : in which the player is told, numbered as in enumerate/answers.py
 * cells, codes : (k,), cells that are shot first, and their answers, which only a game without a
 *                layout needs
 * key          : the player's key; without a layout the game's seed
 * first_game   : number of the first game
 * record       : (games * (cells + 1),), all -1, modified: the cells in the order shot. Without a
 *                layout the last one is the player's choice, -1 when all are shot */
typedef struct {
    const uint16_t* ships; size_t ships_size;
    int32_t mode;
    const int16_t* cells; size_t cells_size;
    const uint16_t* codes; size_t codes_size;
    uint64_t key;
    int64_t first_game;
    int16_t* record; size_t record_size;
} seabattle_games;

/* Play games as `density` and `diagonal`; solver/players/density.hpp.
 *
 * weights : (longest + 1,), weight of a placement by how many of its cells were hit
 * columns : of the board
 * hunted  : 0, or the sum of weights below which the player hunts along diagonals
 * scores  : (classes * cells,), modified: weight of the placements over each cell at the end
 * memory  : scratch
 * Returns 0, or SEABATTLE_FULL, then before anything is played, where memory does not suffice. */
SEABATTLE_API int32_t seabattle_play_density(
    const seabattle_placements* placements, const seabattle_games* games,
    const int64_t* weights, size_t weights_size, int32_t columns, int64_t hunted,
    int64_t* scores, size_t scores_size, uint8_t* memory, size_t memory_size);

/* Play games in random order; solver/players/hunt_target.hpp.
 *
 * neighbours : (cells * 4,), the cells beside each cell, -1 off the board; without items hits are
 *              not followed
 * turns      : (cells,), when a cell is hunted: 0 first, 1 later, 2 never
 * memory     : as above; returns as above */
SEABATTLE_API int32_t seabattle_play_hunt(
    const seabattle_placements* placements, const seabattle_games* games,
    const int16_t* neighbours, size_t neighbours_size, const uint8_t* turns, size_t turns_size,
    uint8_t* memory, size_t memory_size);

/* Play games as `over-9000` and `learning`; solver/players/independent_ships.hpp.
 *
 * weights : (longest + 1,), all 1
 * factors : (cells,), modified: what chances are multiplied by; at hits they grow after every game
 * growth, noise : by how much they grow; the greatest random number that is added to a chance
 * scores  : (classes * cells,), modified: placements of ships not hit over each cell at the end
 * memory  : as above; returns as above */
SEABATTLE_API int32_t seabattle_play_named(
    const seabattle_placements* placements, const seabattle_games* games,
    const int64_t* weights, size_t weights_size, double* factors, size_t factors_size,
    double growth, double noise, int64_t* scores, size_t scores_size,
    uint8_t* memory, size_t memory_size);

/* Play games as `bob`; solver/players/independent_ships.hpp.
 *
 * weights     : (longest + 1,), all 1
 * least_other : the least chance that a hit is another ship's
 * chances     : (classes * cells,), modified: weight of the placements over each cell at the end
 * memory      : as above; returns as above */
SEABATTLE_API int32_t seabattle_play_unnamed(
    const seabattle_placements* placements, const seabattle_games* games,
    const int64_t* weights, size_t weights_size, double least_other,
    double* chances, size_t chances_size, uint8_t* memory, size_t memory_size);

/* The shot of `lookahead`, played on in every layout left; solver/players/lookahead.hpp.
 *
 * layouts    : (n * ships,), placement numbers of the layouts that fit
 * mode       : numbered as in enumerate/answers.py
 * hits       : (k,), the cells hit before, in order
 * worth      : misses that a bit of information is worth
 * logs       : (n + 1,), x log2 x
 * candidates : how many shots are tried
 * best       : (1,), modified: the cell, -1 where nothing is left to ask
 * memory     : scratch
 * Returns 0, or SEABATTLE_FULL. */
SEABATTLE_API int32_t seabattle_look_ahead(
    const seabattle_placements* placements, const uint16_t* layouts, size_t layouts_size,
    int32_t mode, const int16_t* hits, size_t hits_size, double worth,
    const double* logs, size_t logs_size, int32_t candidates, int16_t* best, size_t best_size,
    uint8_t* memory, size_t memory_size);

/* Draw layouts, ships placed one after another; solver/tournament/layout_sources.hpp.
 *
 * slots         : (ships * 2,), the placements of each ship, a range
 * key           : of the random stream
 * first_game    : number of the first layout
 * most_failures : how often a layout is begun anew
 * layouts       : (games * ships,), modified: placement numbers
 * memory        : scratch
 * Returns 0, 1 where a layout was given up, or SEABATTLE_FULL. */
SEABATTLE_API int32_t seabattle_draw_layouts(
    const seabattle_placements* placements, const int64_t* slots, size_t slots_size,
    uint64_t key, int64_t first_game, int64_t most_failures,
    uint16_t* layouts, size_t layouts_size, uint8_t* memory, size_t memory_size);

/* Growing a tree in the page, shot by shot. */

/* The best shot of a sub-table of which no certain hit is due: in the counters, -1 where one
 * occupancy is left. `budget` and `cell` of the question are not read. Returns as seabattle_search_ask. */
SEABATTLE_API int64_t seabattle_search_shot(uint8_t* memory, size_t memory_size, const int32_t* rows,
                                            size_t rows_size, const seabattle_question* question,
                                            seabattle_counters* counters);

#ifdef __cplusplus
}
#endif
#endif
