// Check a proof that a game of Battleship with answers `hit` takes so many misses at least.
//
//     c++ -std=c++20 -O3 -pthread -o check_proof check_proof.cpp
//     xz -dc FILE | ./check_proof
//
// A program of its own, nothing of seabattle, for proofs of many millions of lemmas. The page
// "Checking a proof" tells the format and proves the rules; check_proof.py beside it does the same
// in plain Python, and knows the other answers, weights and positions.
//
// A *sub-table* is what answers leave of the layouts. It is given by H, the cells that all its
// layouts occupy, and M, those that none does. A *lemma* says that a sub-table takes so many misses
// at least: in all, or for the worst of its layouts. Sets of cells are masks: bit 0 is A1, and bits
// count along the rows. A layout is the mask of the cells that it occupies.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using std::size_t, std::string, std::vector;
using Mask = std::uint64_t;
using Misses = std::int64_t;

constexpr size_t few = 4;  // layouts of a sub-table that is solved outright
constexpr Misses most = Misses{1} << 40;

[[noreturn]] void refuse(const string& words) { throw std::runtime_error(words); }

string line_of(size_t lemma) { return "line " + std::to_string(lemma + 2) + ": "; }
Mask lowest(Mask cells) { return cells & -cells; }
size_t place(Mask cells) { return size_t(std::countr_zero(cells)); }

/// All layouts of a game.
struct Game {
    int height = 0, width = 0;
    Mask full;
    vector<Mask> layouts;
    // For each symmetry of the board and each byte of a mask: where its cells go. The rules know no
    // direction, so that a symmetry maps layouts to layouts.
    vector<vector<std::array<Mask, 256>>> symmetries;

    Game(const string& board, const string& fleet, const string& contact) {
        char by = 0;
        std::istringstream(board) >> height >> by >> width;
        if (height * width > 64) refuse("line 1: this program knows boards of up to 64 cells");
        full = ~Mask{0} >> (64 - height * width);
        if (contact != "none" && contact != "corners")
            refuse("line 1: where ships share sides, several layouts may occupy the same cells");
        std::set<std::pair<Mask, Mask>> found{{0, 0}};  // cells occupied, and closed to other ships
        std::istringstream lengths(fleet);
        for (int length; lengths >> length; lengths.ignore()) {
            std::set<std::pair<Mask, Mask>> more;
            for (const auto& [cells, closed] : ships(length, contact == "none" ? 2 : 1))
                for (const auto& layout : found)
                    if (!(layout.second & cells))
                        more.emplace(layout.first | cells, layout.second | closed);
            found = std::move(more);
        }
        for (const auto& layout : found) layouts.push_back(layout.first);
        if (layouts.empty()) refuse("line 1: the ships do not fit the board");
        for (int way = 0; way < 8; ++way)
            if (height == width || way < 4) symmetries.push_back(images(way));
    }
    Mask cell(int row, int column) const {
        const bool on_board = row >= 0 && row < height && column >= 0 && column < width;
        return on_board ? Mask{1} << (row * width + column) : 0;
    }
    /// The cells of a ship, wherever it may lie, and those that are closed to others: up to such a
    /// distance, squared.
    vector<std::pair<Mask, Mask>> ships(int length, int near) const {
        vector<std::pair<Mask, Mask>> found;
        for (int first = 0; first < 2 * height * width; ++first) {
            Mask cells = 0, closed = 0;
            for (int i = 0; i < length; ++i) {
                const int row = first / 2 / width + (first % 2 ? i : 0);
                const int column = first / 2 % width + (first % 2 ? 0 : i);
                cells |= cell(row, column);
                for (int y = -1; y <= 1; ++y)
                    for (int x = -1; x <= 1; ++x)
                        if (x * x + y * y <= near) closed |= cell(row + y, column + x);
            }
            if (std::popcount(cells) == length) found.emplace_back(cells, closed);
        }
        return found;
    }
    vector<std::array<Mask, 256>> images(int way) const {
        vector<std::array<Mask, 256>> bytes(8);
        for (int i = 0; i < height * width; ++i) {
            int row = i / width, column = i % width;
            if (way & 1) row = height - 1 - row;
            if (way & 2) column = width - 1 - column;
            if (way & 4) std::swap(row, column);
            for (size_t byte = 0; byte < 256; ++byte)
                if (byte >> i % 8 & 1) bytes[size_t(i) / 8][byte] |= cell(row, column);
        }
        return bytes;
    }
};

using Key = std::pair<Mask, Mask>;  // H and M

struct Lemma {
    Key key;
    Misses bound;
};

/// The lemmas of a proof, each of the image of its sub-table that comes first.
struct Proof {
    const Game& game;
    const bool worst;
    vector<Lemma> lemmas;
    vector<std::uint32_t> slots;  // numbers of lemmas and 1, or 0

    Proof(const Game& of, bool by_worst, std::istream& file) : game(of), worst(by_worst) {
        for (string line; std::getline(file, line);) {
            std::istringstream words(line);
            Mask certain = 0, water = 0;
            Misses bound = 0;
            words >> std::hex >> certain >> water >> std::dec >> bound;
            if (!words || words.get() != EOF || (certain | water) & ~game.full)
                refuse(line_of(lemmas.size()) + "a lemma is H, M and a bound");
            lemmas.push_back({first_image({certain, water}), bound});
        }
        slots.resize(std::bit_ceil(2 * lemmas.size() + 1));
        for (size_t i = 0; i < lemmas.size(); ++i) {
            std::uint32_t& slot = slots[slot_of(lemmas[i].key)];
            if (!slot || lemmas[slot - 1].bound < lemmas[i].bound) slot = std::uint32_t(i + 1);
        }
    }
    Key first_image(const Key& key) const {
        Key first{~Mask{0}, 0};
        for (const auto& bytes : game.symmetries) {
            Key image{0, 0};
            for (size_t i = 0; i < 8; ++i) {
                image.first |= bytes[i][key.first >> 8 * i & 255];
                image.second |= bytes[i][key.second >> 8 * i & 255];
            }
            first = std::min(first, image);
        }
        return first;
    }
    size_t slot_of(const Key& key) const {
        size_t at = (key.first * 0x9E3779B97F4A7C15) ^ (key.second * 0xC2B2AE3D27D4EB4F);
        at ^= at >> 32;
        while (slots[at &= slots.size() - 1] && lemmas[slots[at] - 1].key != key) ++at;
        return at;
    }
};

/// Some layouts, and the cells that all of them occupy, and that some do.
struct SubTable {
    vector<Mask> layouts;
    Mask certain = ~Mask{0}, occupied = 0;

    void add(Mask layout) {
        layouts.push_back(layout);
        certain &= layout, occupied |= layout;
    }
    Key key(const Game& game) const { return {certain, game.full & ~occupied}; }
    Mask unknown() const { return occupied & ~certain; }
};

/// What a shot leaves.
struct Shot {
    SubTable hit, miss;

    Shot(const SubTable& table, Mask cell) {
        for (Mask layout : table.layouts) (layout & cell ? hit : miss).add(layout);
    }
};

/// What follows from the lemmas of a proof. Each thread has one.
struct Checker {
    const Proof& proof;
    vector<Mask> fitting{};  // the layouts that occupy
    Mask fitted = ~Mask{0};  // the last H
    std::array<vector<Misses>, few + 1>
        values{};  // of few layouts, by the ways that cells part them
    std::array<std::array<Misses, 65>, 65> words{};  // C(k + h, k), no more than 2^40

    explicit Checker(const Proof& of) : proof(of) {
        for (auto& of_so_many : values) of_so_many.assign(1 << (1 << few), -1);
        words[0].fill(1);
        for (size_t h = 1; h < 65; ++h)
            for (size_t k = 0; k < 65; ++k)
                words[h][k] = std::min(words[h - 1][k] + (k ? words[h][k - 1] : 0), most);
    }

    /// What a lemma says; 0 where none does.
    Misses known(const SubTable& table) const {
        const auto slot = proof.slots[proof.slot_of(proof.first_image(table.key(proof.game)))];
        return slot ? proof.lemmas[slot - 1].bound : 0;
    }
    /// By counting: what shots can have found with at most k misses.
    Misses counted(const SubTable& table) const {
        std::array<Misses, 64> columns{};
        for (Mask layout : table.layouts)
            for (Mask left = layout & ~table.certain; left; left &= left - 1)
                ++columns[place(left)];
        std::sort(columns.begin(), columns.end(), std::greater<>{});
        const auto hits = size_t(std::popcount(table.layouts[0] & ~table.certain));
        const auto count = Misses(table.layouts.size());
        Misses bound = 0;
        for (size_t k = 0; k < columns.size() && columns[k]; ++k) {
            Misses found = 0;
            for (size_t j = 0; j <= k; ++j) found += std::min(columns[j], words[hits - 1][k - j]);
            if (found >= count) break;
            bound += proof.worst ? 1 : count - found;
        }
        return bound;
    }
    /// The value of a few layouts, by trying all shots; 0 of more.
    Misses solved(const SubTable& table) {
        const size_t count = table.layouts.size();
        if (count == 1 || count > few) return 0;
        std::array<Mask, 1 << few> cells{};  // a cell for each way to part them
        size_t ways = 0;
        for (Mask left = table.unknown(); left; left &= left - 1) {
            size_t way = 0;
            for (size_t i = 0; i < count; ++i) way |= (table.layouts[i] >> place(left) & 1) << i;
            cells[way] = lowest(left);
            ways |= size_t{1} << way;
        }
        Misses& value = values[count][ways];
        if (value >= 0) return value;
        value = most;
        for (Mask cell : cells) {
            if (!cell) continue;
            const Shot shot(table, cell);
            value = std::min(value, both(shot, solved(shot.hit), solved(shot.miss)));
        }
        return value;
    }

    /// What a shot takes whose parts take so much.
    Misses both(const Shot& shot, Misses hit, Misses miss) const {
        if (proof.worst) return std::max(hit, miss + 1);
        return hit + miss + Misses(shot.miss.layouts.size());
    }
    /// Whether what is known of the parts of a shot comes to a bound.
    bool comes_to(const Shot& shot, Misses bound) {
        Misses hit = known(shot.hit), miss = known(shot.miss);
        if (both(shot, hit, miss) >= bound) return true;
        hit = std::max(hit, counted(shot.hit)), miss = std::max(miss, counted(shot.miss));
        if (both(shot, hit, miss) >= bound) return true;
        hit = std::max(hit, solved(shot.hit)), miss = std::max(miss, solved(shot.miss));
        return both(shot, hit, miss) >= bound;
    }
    bool follows(const SubTable& table, Misses bound) {
        if (std::max(counted(table), solved(table)) >= bound) return true;
        std::array<Mask, 64> common;  // to all layouts that occupy a cell
        common.fill(table.unknown());
        for (Mask layout : table.layouts)
            for (Mask left = layout & table.unknown(); left; left &= left - 1)
                common[place(left)] &= layout;
        for (Mask left = table.unknown(); left; left &= left - 1) {
            const Mask cell = lowest(left);
            bool dominated = false;  // of cells that the same layouts occupy, the first one is not
            for (Mask others = common[place(cell)] & ~cell; others; others &= others - 1)
                dominated |= lowest(others) < cell || !(common[place(others)] & cell);
            if (!dominated && !comes_to(Shot(table, cell), bound)) return false;
        }
        return true;
    }
    /// Whether a lemma is true, if the others are.
    bool follows(const Lemma& lemma) {
        const auto [certain, water] = lemma.key;
        if (certain != fitted) {  // mostly it is the same as of the lemma before
            fitted = certain, fitting.clear();
            for (Mask layout : proof.game.layouts)
                if (!(fitted & ~layout)) fitting.push_back(layout);
        }
        SubTable table;
        for (Mask layout : fitting)
            if (!(layout & water)) table.add(layout);
        if (table.layouts.empty() || table.key(proof.game) != lemma.key)
            return false;  // there is no such sub-table
        return follows(table, lemma.bound);
    }
};

/// The first lemma that does not follow, or the number of lemmas; by all cores.
size_t first_false(const Proof& proof) {
    std::atomic<size_t> next = 0, failed = proof.lemmas.size();
    auto work = [&] {
        Checker checker(proof);
        for (size_t i; (i = next++) < failed;)
            if (!checker.follows(proof.lemmas[i]))
                for (size_t first = failed; i < first && !failed.compare_exchange_weak(first, i);)
                    continue;
    };
    vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    return failed;
}

/// The fields of the first line.
std::map<string, string> header(const string& line) {
    const std::regex field(R"x("(\w+)":\s*("([^"\\]*)"|(\d+)))x");
    std::map<string, string> fields;
    for (std::sregex_iterator each(line.begin(), line.end(), field), end; each != end; ++each) {
        const string name = (*each)[1];
        if ((*each)[4].matched != (name == "version" || name == "claim"))
            refuse("line 1: '" + name + "' is not of this kind");
        fields[name] = (*each)[3].str() + (*each)[4].str();
    }
    if (std::regex_replace(line, field, "").find_first_not_of("{}, ") != string::npos)
        refuse("line 1: this program knows whole games, without positions or weights");
    if (fields["format"] != "seabattle-proof" || fields["version"] != "1" ||
        (fields["objective"] != "mean" && fields["objective"] != "worst"))
        refuse("line 1: this is no proof of version 1");
    if (fields["answers"] != "hit" || fields.contains("blocked"))
        refuse("line 1: this program knows answers 'hit', and no blocked cells");
    if (!std::regex_match(fields["board"] + ' ' + fields["fleet"],
                          std::regex(R"([1-9]\d?x[1-9]\d? [1-9]\d?(,[1-9]\d?)*)")))
        refuse("line 1: this program knows boards below 100x100, and ships that are lines");
    return fields;
}

int main() try {
    string line;
    std::getline(std::cin, line);
    auto fields = header(line);
    const Game game(fields["board"], fields["fleet"], fields["contact"]);
    const Proof proof(game, fields["objective"] == "worst", std::cin);
    if (const size_t i = first_false(proof); i < proof.lemmas.size())
        refuse(line_of(i) + "the lemma does not follow");
    SubTable all;
    for (Mask layout : game.layouts) all.add(layout);
    Checker checker(proof);
    const Misses claim = std::stoll(fields["claim"]);
    if (std::max({checker.known(all), checker.counted(all), checker.solved(all)}) < claim)
        refuse("line 1: the claim does not follow");
    std::cout << proof.lemmas.size() << " lemmas prove " << claim << " misses ("
              << fields["objective"] << ") of board " << fields["board"] << ", fleet "
              << fields["fleet"] << ", contact " << fields["contact"] << ", answers hit\n";
} catch (const std::exception& error) {
    std::cerr << "this is no proof: " << error.what() << "\n";
    return 1;
}
