#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace assay::simt::runtime {

inline constexpr int max_threads = 1024;  ///< of a block
inline constexpr int warp_lanes = 32;

/// A set of the threads of one block.
class ThreadSet {
 public:
  void insert(int thread) { word(thread) |= bit(thread); }
  void erase(int thread) { word(thread) &= ~bit(thread); }
  bool contains(int thread) const { return (words_[thread / 64] & bit(thread)) != 0; }

  /// Threads 0 … count − 1.
  static ThreadSet first(int count) {
    ThreadSet set;
    for (int w = 0; w * 64 < count; ++w) {
      const int rest = count - w * 64;
      set.words_[w] = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
    return set;
  }

  /// Adds the lanes of `mask` in the given warp.
  void insert_lanes(int warp, std::uint32_t mask) { words_[warp / 2] |= std::uint64_t{mask} << (32 * (warp % 2)); }

  /// The lanes of the given warp that are in the set.
  std::uint32_t lanes(int warp) const { return static_cast<std::uint32_t>(words_[warp / 2] >> (32 * (warp % 2))); }

  int size() const {
    int n = 0;
    for (const std::uint64_t w : words_) n += std::popcount(w);
    return n;
  }

  /// The first member after `thread`, going round; −1 if the set is empty. `thread` itself comes last.
  int next_after(int thread) const {
    const int from = (thread + 1) % max_threads;
    if (contains(from)) return from;
    std::uint64_t w = words_[from / 64] & (~std::uint64_t{0} << (from % 64));
    for (int i = from / 64, visited = 0; visited <= word_count; ++visited) {
      if (w != 0) return i * 64 + std::countr_zero(w);
      i = (i + 1) % word_count;
      w = words_[i];
    }
    return -1;
  }

  /// Member number `rank`, counted from 0 upwards. 0 ≤ rank < size().
  int member(int rank) const {
    int i = 0;
    while (rank >= std::popcount(words_[i])) rank -= std::popcount(words_[i++]);
    std::uint64_t w = words_[i];
    while (rank-- > 0) w &= w - 1;
    return i * 64 + std::countr_zero(w);
  }

 private:
  static constexpr int word_count = max_threads / 64;
  static std::uint64_t bit(int thread) { return std::uint64_t{1} << (thread % 64); }
  std::uint64_t& word(int thread) { return words_[thread / 64]; }

  std::array<std::uint64_t, word_count> words_ = {};
};

}  // namespace assay::simt::runtime
