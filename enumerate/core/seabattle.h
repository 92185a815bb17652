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
 * most         : it ends when more are found
 * allowance    : it ends when so many placements were tried
 * placed, ship : (ships,) and (1,), modified, where it goes on: the placements of the ships before
 *                this one, and the next one of it; at first ship 0 and its first placement, ship -1
 *                at the end
 * layouts      : (found * ships,), modified; without items layouts are counted alone
 * Returns how many it found, or SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_list_layouts(
    const uint64_t* masks, size_t masks_size, const uint64_t* halos, size_t halos_size,
    const uint8_t* allowed, size_t allowed_size, const int64_t* slots, size_t slots_size,
    int32_t words, int64_t most, int64_t allowance, uint16_t* placed, size_t placed_size,
    int32_t* ship, size_t ship_size, uint16_t* layouts, size_t layouts_size);

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
 * words    : words of 64 bits of a sum, 1, 2 or 8; 0 for masses, which are doubles
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
 * walks  : (walks * 3,), modified, 0 at first: where each walk is, the entry of a sum that says which
 *          ships are used, and how many ships it has begun
 * luck   : (walks * words,), modified: ranks of layouts, each below the total; or, of masses, seeds
 * starts : (walks * ships,), modified: row * codes + code for each ship that a walk begins */
SEABATTLE_API int64_t seabattle_sweep_walk(
    uint8_t* memory, size_t memory_size, int64_t row, int64_t* walks, size_t walks_size,
    uint64_t* luck, size_t luck_size, int64_t* starts, size_t starts_size);

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
 * lines    : ((longest + 1) * 4^longest,), see solver/search/bounds.py */
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

/* Growing trees; solver/search/growing.hpp. */

/* Where a tree begins.
 *
 * mode       : numbered as in enumerate/answers.py
 * miss_limit : of the tree, as in seabattle_question
 * positive   : 1 where a plain hit says no more than that its cell is occupied
 * path, shot : (k,) and (words,), the cells shot before, in order, and their mask */
typedef struct {
    int32_t mode; int32_t miss_limit; int32_t positive;
    const int16_t* path; size_t path_size;
    const uint64_t* shot; size_t shot_size;
} seabattle_tree_start;

/* How shots are chosen.
 *
 * kind       : 0 the cell nearest to half of the weight, 1 that of most weight, 2 a best shot
 * level, exact_rows : of the last kind: the highest level of rollouts whose shots are in the table, or
 *              -1; sub-tables of more rows are shot at as by kind 1
 * asks       : 1 where the caller is asked for the best shots that the table does not know
 * due_first, random_ties : 1 where certain hits are shot before anything else; where a greedy rule
 *              takes any of the best cells, not the first */
typedef struct {
    int32_t kind; int32_t level; int64_t exact_rows; int32_t asks;
    int32_t due_first; int32_t random_ties;
} seabattle_policy;

/* Nodes in preorder, with room for some.
 *
 * shots    : (room,), cell shot at each node, -1 at a leaf
 * parents, answers : (room,), node that each hangs from, -1 at the root, and answer that leads to it
 * leaf     : (room,), rows listed when the node was emitted
 * members  : (rows,), rows in the order of their leaves
 * found    : (cells + 1,), weight of the rows listed, by the misses that each costs */
typedef struct {
    int16_t* shots; size_t shots_size;
    int32_t* parents; size_t parents_size;
    uint16_t* answers; size_t answers_size;
    int64_t* leaf; size_t leaf_size;
    int32_t* members; size_t members_size;
    int64_t* found; size_t found_size;
} seabattle_nodes;

/* What is emitted: nodes, leaves among them, rows listed in those, and their misses; and what the next
 * tie is broken by. */
typedef struct {
    int64_t nodes; int64_t leaves; int64_t listed; int64_t total_misses; int64_t worst_misses;
    uint64_t random;
} seabattle_growth;

/* A sub-table whose shot the caller is asked for.
 *
 * rows : (rows,), the first `count` are its rows; hit : (words,), cells hit so far
 * shot : the caller's answer, -1 where it is in the table then, as where nothing was asked */
typedef struct {
    int32_t* rows; size_t rows_size;
    uint64_t* hit; size_t hit_size;
    int64_t count; int32_t shot;
} seabattle_asked;

/* Make a tree that has no nodes yet, of the game of a search, in memory that begins at a multiple of
 * 64. Returns how much of it is used, or SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_tree_make(
    uint8_t* search, size_t search_size, const seabattle_tree_start* start,
    uint8_t* memory, size_t memory_size);

/* Emit nodes. `question` says what is made least, and by which table.
 *
 * Returns 0 at the end, 1 where the caller is asked, 2 where a best shot tells nothing, which the table
 * cannot have from a search; SEABATTLE_FULL where there is no room for nodes, or SEABATTLE_STOPPED. */
SEABATTLE_API int64_t seabattle_tree_grow(
    uint8_t* search, size_t search_size, uint8_t* memory, size_t memory_size,
    const seabattle_policy* policy, const seabattle_question* question,
    seabattle_counters* counters, const seabattle_nodes* nodes, seabattle_growth* growth,
    seabattle_asked* asked);

/* The graph of all sub-tables; solver/search/graph.hpp. */

/* What is counted: sub-tables, pairs of one and what an answer leads to, and sub-tables up to
 * symmetry. */
typedef struct {
    int64_t vertices; int64_t edges; int64_t orbits;
} seabattle_graph;

/* Visit what shots of mode `hit` lead to from some rows, and count it.
 *
 * question : its table holds what was visited, and nothing else
 * Returns 0, or SEABATTLE_STOPPED: another call goes on. */
SEABATTLE_API int64_t seabattle_graph_walk(
    uint8_t* search, size_t search_size, const int32_t* rows, size_t rows_size,
    const seabattle_question* question, seabattle_counters* counters, seabattle_graph* counted);

/* Best-first search of games whose answers are closed, with the table of a search;
 * solver/search/best_first.hpp. */

/* What is explored. lower : lower bound on the total; sub_tables : of which something is known */
typedef struct {
    int64_t lower; int64_t sub_tables;
} seabattle_explored;

/* Bytes that take so many sub-tables. */
SEABATTLE_API int64_t seabattle_best_first_bytes(
    uint8_t* search, size_t search_size, int64_t sub_tables);

/* Make room for so many sub-tables, 2^i, in memory that begins at a multiple of 64.
 *
 * before : what was explored in less room, which is taken over; or without items
 * Returns 0, or SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_best_first_make(
    uint8_t* search, size_t search_size, int64_t sub_tables,
    const uint8_t* before, size_t before_size, uint8_t* memory, size_t memory_size);

/* Raise the lower bound on the total of all rows.
 *
 * Returns 0 where it is the optimum; SEABATTLE_FULL where there is no room; or SEABATTLE_STOPPED. */
SEABATTLE_API int64_t seabattle_best_first_explore(
    uint8_t* search, size_t search_size, uint8_t* memory, size_t memory_size,
    const seabattle_question* question, seabattle_counters* counters, seabattle_explored* explored);

/* Enter what is proven of sub-tables into the table of a question. Returns 0, or SEABATTLE_STOPPED
 * where that is full. */
SEABATTLE_API int64_t seabattle_best_first_tell(
    uint8_t* search, size_t search_size, const uint8_t* memory, size_t memory_size,
    const seabattle_question* question, seabattle_counters* counters);

/* What shares the rows, the table and the memory of an exact search; its question and counters are
 * as in seabattle_search_ask. */

/* Misses of a rollout's policy in some rows; solver/search/rollouts.hpp. Of the question the cells
 * hit and the table are read.
 *
 * width, exact_rows : cells that a level weighs, and most rows that are solved exactly
 * level             : of the policy, 0 to 125
 * Returns them, or SEABATTLE_STOPPED: to ask again goes on. */
SEABATTLE_API int64_t seabattle_rollout_misses(
    uint8_t* memory, size_t memory_size, const int32_t* rows, size_t rows_size,
    const seabattle_question* question, seabattle_counters* counters,
    int64_t width, int64_t exact_rows, int32_t level);

/* Find a shot at some rows for which no level has chosen one, and no certain hit is due: a best one
 * where they are solved exactly, else a greedy one. It is in the counters then, or where that is -1
 * the table knows it. Parameters are as above. Returns 0, or SEABATTLE_STOPPED. */
SEABATTLE_API int64_t seabattle_rollout_shot(
    uint8_t* memory, size_t memory_size, const int32_t* rows, size_t rows_size,
    const seabattle_question* question, seabattle_counters* counters, int64_t exact_rows);

/* Parts of some rows, those whose rows all occupy the same cells left out.
 *
 * members : (room for rows,), modified, the rows of each part behind those of the one before
 * ends    : (room,), modified: where the rows of each part end
 * shots   : (room,), modified: the shot that it answers, -1 before any
 * masks   : (room * 3 * words,), modified: cells that all its rows occupy, that some do, and those hit
 *           so far
 * keys, symmetries : (room * key_words,) and (room,), modified: its key, and what symmetry gives it */
typedef struct {
    int32_t* members; size_t members_size;
    int64_t* ends; size_t ends_size;
    int32_t* shots; size_t shots_size;
    uint64_t* masks; size_t masks_size;
    uint64_t* keys; size_t keys_size;
    int64_t* symmetries; size_t symmetries_size;
} seabattle_parts;

/* The parts of some rows after shots that hit, or before any; solver/search/miss_sets.hpp. Of the
 * question the cells hit before are read.
 *
 * cells : (k,), the shots; -1 before any
 * Returns how many parts there are, SEABATTLE_FULL where there is no room for them, or
 * SEABATTLE_STOPPED where the search has none. */
SEABATTLE_API int64_t seabattle_block_parts(
    uint8_t* memory, size_t memory_size, const int32_t* rows, size_t rows_size,
    const seabattle_question* question, seabattle_counters* counters,
    const int32_t* cells, size_t cells_size, const seabattle_parts* found);

/* Weight of the rows of a block that each set of misses leaves.
 *
 * rows, weights : (n,), cells that each row occupies, and its weight
 * cells         : (k,), in question, up to 31 of them, in the order of their bits
 * weight_bytes  : 2, 4 or 8
 * left          : (2^k * weight_bytes,), all 0, modified: unsigned numbers of so many bytes
 * Returns 0. */
SEABATTLE_API int64_t seabattle_block_left(
    const uint64_t* rows, size_t rows_size, const int64_t* weights, size_t weights_size,
    const int64_t* cells, size_t cells_size, int32_t weight_bytes, uint8_t* left, size_t left_size);

/* What every byte of a set of misses is where each bit becomes another.
 *
 * images : (count * bits,), bit that each bit becomes, -1 none
 * shares : (4 * 256 * count,), modified
 * Returns 0. */
SEABATTLE_API int64_t seabattle_set_images(
    const int64_t* images, size_t images_size, int64_t count, int32_t* shares, size_t shares_size);

/* A block whose sets of misses are worked out.
 *
 * cells        : in question, up to 31
 * segment_bits : sets that differ in these lowest bits alone are a segment
 * value_bytes, weight_bytes : 2, 4 or 8, of a value and of what sets leave
 * worst, certain_first : 1 where the worst case is made least; where certain hits are shot first
 * start  : where the block's values begin
 * bits   : (shots,), bit of the cell of each shot, -1 where no shot there misses
 * first  : (shots + 1,), first part of each shot
 * starts, dead : (parts,), where the values of the part's block begin; misses any of which leaves
 *          nothing of the part
 * shares, twins : (4 * 256 * parts,) and (4 * 256 * symmetries,), as from seabattle_set_images: what
 *          a set is in the part's block, and in this one, moved
 * left   : as from seabattle_block_left */
typedef struct {
    int32_t cells; int32_t segment_bits; int32_t value_bytes; int32_t weight_bytes;
    int32_t worst; int32_t certain_first; int64_t start;
    const int64_t* bits; size_t bits_size;
    const int64_t* first; size_t first_size;
    const int64_t* starts; size_t starts_size;
    const int64_t* dead; size_t dead_size;
    const int32_t* shares; size_t shares_size;
    const int32_t* twins; size_t twins_size;
    const uint8_t* left; size_t left_size;
} seabattle_block;

/* Work out a segment of a block, once all segments with more of the higher bits are known.
 *
 * bases  : (parts,), scratch
 * values : (sets * value_bytes,) of all blocks; those of this segment are modified
 * Returns how many sets were weighed shot by shot. */
SEABATTLE_API int64_t seabattle_sweep_sets(
    const seabattle_block* block, int64_t segment, int64_t* bases, size_t bases_size,
    uint8_t* values, size_t values_size);

/* Trees: verification, plans, strategy files. */

/* A tree as trees/tree.py keeps it: `n` nodes, `e` answers, `m` layouts that its leaves list */
typedef struct {
    const int16_t* shots; size_t shots_size;       /* (n,), negative at a leaf */
    const int64_t* first; size_t first_size;       /* (n + 1,), the answers of a node */
    const uint16_t* answers; size_t answers_size;  /* (e,) */
    const int32_t* children; size_t children_size; /* (e,) */
    const int64_t* leaf; size_t leaf_size;         /* (n + 1,), the rows of a leaf */
    const uint16_t* listed; size_t listed_size;    /* (m * ships,), placement numbers */
} seabattle_tree;

/* The walks of `l` layouts down a tree; all but `ships` is modified */
typedef struct {
    const uint16_t* ships; size_t ships_size; /* (l * ships,), placement numbers */
    int64_t* visits; size_t visits_size;      /* (n,), increased by the layouts that pass a node */
    uint8_t* used; size_t used_size;          /* (e,), set to 1 where a layout takes an answer */
    uint8_t* matched; size_t matched_size;    /* (m,), 1 where a layout was found, only once */
    int64_t* ends; size_t ends_size;          /* (l,), the node where the walk stopped */
    int64_t* rows; size_t rows_size;          /* (l,), the row that lists the layout there, or 0 */
    int64_t* misses; size_t misses_size;      /* (l,), shots that missed */
    uint8_t* faults; size_t faults_size;      /* (l,), 0, or what is wrong, as in verify.hpp */
} seabattle_walks;

/* Send the layouts `first` to `end` down a tree by the rules alone; trees/verify.hpp.
 *
 * masks   : (placements * 2,), cells of each placement
 * lengths : (ships,)
 * history : (k,), cells shot before the tree begins, in order
 * mode    : numbered as in enumerate/answers.py
 * Returns 0. */
SEABATTLE_API int32_t seabattle_walk_layouts(
    const seabattle_tree* tree, const seabattle_walks* walks,
    const uint64_t* masks, size_t masks_size, const int64_t* lengths, size_t lengths_size,
    const int16_t* history, size_t history_size, int32_t mode, int64_t first, int64_t end);

/* Answers of layouts to a shot, after other shots; enumerate/answering.hpp.
 *
 * masks   : (placements * 2,), cells of each placement
 * layouts : (l * ships,), placement numbers
 * mode    : numbered as in enumerate/answers.py
 * shots   : (k + 1,), the cells shot before, in order, and the cell shot now
 * answers : (l,), modified
 * memory  : scratch
 * Returns 0, or SEABATTLE_FULL. */
SEABATTLE_API int32_t seabattle_answer_shot(
    const uint64_t* masks, size_t masks_size, const uint16_t* layouts, size_t layouts_size,
    int32_t ships, int32_t mode, const int16_t* shots, size_t shots_size,
    int64_t* answers, size_t answers_size, uint8_t* memory, size_t memory_size);

/* The nodes of a tree in preorder: (room,) each, modified */
typedef struct {
    int16_t* shots; size_t shots_size;     /* cell, -1 at a leaf */
    int32_t* parents; size_t parents_size; /* node above, -1 at the root */
    uint16_t* answers; size_t answers_size; /* answer on the way from there */
    int32_t* layouts; size_t layouts_size; /* a layout that leads there, the only one at a leaf */
} seabattle_grown;

/* Grow a tree from its plan; trees/plans.hpp.
 *
 * rows       : (n,), cells of each layout; ships : (n * ships,), cells of each ship
 * cells      : of the board, up to 64
 * tells_sunk : 1 where sinkings are announced, else 0
 * plan       : (k,), cells of the open shots in preorder
 * memory     : scratch
 * Returns how many nodes there are, 0 where the plan is none of this game or they find no room, or
 * SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_grow_plan(
    const uint64_t* rows, size_t rows_size, const uint64_t* ships, size_t ships_size,
    int32_t cells, int32_t tells_sunk, const int8_t* plan, size_t plan_size,
    const seabattle_grown* grown, uint8_t* memory, size_t memory_size);

/* Make the positions of a strategy file in memory of the caller, which begins at a multiple of 64 and
 * is not moved; trees/strategy/positions.hpp.
 *
 * game      : families 1, 3 and 4, boards of up to 64 cells; of its arrays rows, weights, ships,
 *             lengths, sides and moves are looked at
 * low, high : (states,), the words of the keys, which increase; `high` without items where one is
 *             enough. They stay where they are, as the arrays of the game
 * Returns how much of the memory is used, or SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_strategy_make(
    const seabattle_search_game* game, const uint64_t* low, size_t low_size,
    const uint64_t* high, size_t high_size, uint8_t* memory, size_t memory_size);

/* Make the keys of closed sub-tables.
 *
 * layouts    : (n,), a layout of each
 * certain, water : (n,), the cells that all of its layouts occupy, and that none does
 * keys       : (n * key_words,), modified; symmetries : (n,), modified: the first that gives each
 * Returns 0. */
SEABATTLE_API int64_t seabattle_strategy_keys(
    uint8_t* memory, size_t memory_size, const int32_t* layouts, size_t layouts_size,
    const uint64_t* certain, size_t certain_size, const uint64_t* water, size_t water_size,
    uint64_t* keys, size_t keys_size, int32_t* symmetries, size_t symmetries_size);

/* Look up the closed parts of some layouts, all certain hits shot, that have more than one occupancy.
 *
 * layouts    : (n,), their numbers
 * places     : (n,), modified: where the file holds each part, -1 where it does not
 * symmetries : (n,), modified: the symmetry that gives the key of each
 * Returns how many parts there are. */
SEABATTLE_API int64_t seabattle_strategy_look_up(
    uint8_t* memory, size_t memory_size, const int32_t* layouts, size_t layouts_size,
    int64_t* places, size_t places_size, int32_t* symmetries, size_t symmetries_size);

/* Check the states `first` to `end`, each from its key alone.
 *
 * every  : 1 where no other shot may be better, and all that follows any has to be in the file
 * worst  : 1 where the values are worst cases, 0 where they are totals
 * misses, shots : (states,), misses to come and a best shot
 * wrong  : (1,), modified: the first state that is wrong
 * Returns what is wrong with it, a Fault of positions.hpp, or 0. */
SEABATTLE_API int64_t seabattle_strategy_check(
    uint8_t* memory, size_t memory_size, int64_t first, int64_t end, int32_t every, int32_t worst,
    const int64_t* misses, size_t misses_size, const uint8_t* shots, size_t shots_size,
    int64_t* wrong, size_t wrong_size);

/* The graph of all closed sub-tables; solver/equilibrium/subtable_graph.hpp. */

/* The nodes found last, the edges that wait for their nodes, and how many there are of each.
 *
 * rows    : (room,), modified: the row of a node with one layout, -1 of others
 * actions : (room,), modified: how many actions each node has
 * cells   : (room for edges,), modified: cell of each action, in the orientation of its node's key
 * edges   : (room for edges,), modified: 4 * child + 2 * missed + last, the node that an answer leads
 *           to, 1 where the shot missed, and 1 at the last edge of an action
 * waiting : (room to wait,), modified: edges of the sub-tables on the path
 * shots   : (room to wait,), modified: cell of the action, beside its last edge that waits */
typedef struct {
    int32_t* rows; size_t rows_size;
    int8_t* actions; size_t actions_size;
    int8_t* cells; size_t cells_size;
    int32_t* edges; size_t edges_size;
    int32_t* waiting; size_t waiting_size;
    int8_t* shots; size_t shots_size;
    int64_t nodes_found; int64_t actions_found; int64_t edges_found; int64_t edges_waiting;
} seabattle_subtables;

/* Explore the sub-tables of some rows. The table of the question holds the numbers of their nodes, and
 * nothing else.
 *
 * dominance : 1 where cells are left out that are occupied only where another one is
 * Returns 0, and then the edges of the start wait; SEABATTLE_FULL where `found` has no room, from which
 * nodes may be taken away; or SEABATTLE_STOPPED. Another call goes on. */
SEABATTLE_API int64_t seabattle_explore_subtables(
    uint8_t* search, size_t search_size, const int32_t* rows, size_t rows_size,
    const seabattle_question* question, seabattle_counters* counters, int32_t dominance,
    seabattle_subtables* found);

/* The graph once it is explored.
 *
 * first : (nodes + 1,), first action of each node; edges : of all nodes, as above
 * leaf  : (nodes,), the orbit of the layout that is left, -1 where several are */
typedef struct {
    const int64_t* first; size_t first_size;
    const int32_t* edges; size_t edges_size;
    const int32_t* leaf; size_t leaf_size;
} seabattle_subtable_graph;

/* Least misses of every node.
 *
 * weights : (orbits,), weight of one layout of each orbit
 * costs   : (2 * nodes,), modified: the least total of each node, and behind it that and the weight of
 *           its layouts, what an edge with a miss costs
 * choice  : (nodes,), modified: the first action that is least, -1 at a leaf
 * Returns 0. */
SEABATTLE_API int64_t seabattle_sweep_subtables(
    const seabattle_subtable_graph* graph, const double* weights, size_t weights_size,
    double* costs, size_t costs_size, int64_t* choice, size_t choice_size);

/* The same in whole numbers; no cost is above 2^62. */
SEABATTLE_API int64_t seabattle_sweep_subtables_exactly(
    const seabattle_subtable_graph* graph, const int64_t* weights, size_t weights_size,
    int64_t* costs, size_t costs_size, int64_t* choice, size_t choice_size);

/* Write down the open shots of the tree that choices grow, and what it misses; trees/plans.hpp.
 *
 * rows, ships : as in seabattle_grow_plan; orbits : (rows,), orbit of each layout
 * choice, cells : an action of each node, and the cell of each action
 * plan   : (rows,), modified
 * misses : (orbits,), all 0, modified: of the tree, added up over the layouts of each orbit
 * scratch: memory
 * Returns the length of the plan, or SEABATTLE_FULL where the scratch is too small. */
SEABATTLE_API int64_t seabattle_write_plan(
    uint8_t* search, size_t search_size, const seabattle_question* question,
    seabattle_counters* counters, const uint64_t* rows, size_t rows_size,
    const uint64_t* ships, size_t ships_size, const int64_t* choice, size_t choice_size,
    const int8_t* cells, size_t cells_size, const int64_t* orbits, size_t orbits_size,
    int8_t* plan, size_t plan_size, int64_t* misses, size_t misses_size,
    uint8_t* scratch, size_t scratch_size);
/* Proofs; solver/proofs/lemmas.hpp. */

/* Lemmas: what is claimed of sub-tables, all modified, all 0 at first. For more room arrays are
 * copied to larger ones, but for `slots` and `placed`, which are 0 again.
 *
 * keys  : (room * key_words,), of the sub-tables; masks : (room * 2 * words,), H and U of each
 * bounds: (room,), misses that each takes at least; rows : (room,), a row of each
 * next, of_size, slots : (room,), (rows + 1,) and (2^i,), more than room: lists and places of lemmas
 * count : lemmas so far; placed : how many of them have a slot */
typedef struct {
    uint64_t* keys; size_t keys_size;
    uint64_t* masks; size_t masks_size;
    int64_t* bounds; size_t bounds_size;
    int32_t* rows; size_t rows_size;
    int32_t* next; size_t next_size;
    int32_t* of_size; size_t of_size_size;
    int32_t* slots; size_t slots_size;
    int64_t count; int64_t placed;
} seabattle_lemmas;

/* Find the lemmas that prove that some rows take so many misses at least: the budget of a question.
 *
 * memory : of a search of any answers but OpenSunk; rows : numbers of rows
 * Returns 0; or SEABATTLE_STOPPED, and to call it again goes on; or SEABATTLE_FULL, to be called
 * again with room for more lemmas; or SEABATTLE_INVALID where it is not true. */
SEABATTLE_API int64_t seabattle_prove(uint8_t* memory, size_t memory_size, const int32_t* rows,
                                      size_t rows_size, const seabattle_question* question,
                                      seabattle_counters* counters, seabattle_lemmas* lemmas);

#ifdef __cplusplus
}
#endif
#endif
