#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/arithmetic_traits.hpp"

namespace assay {

/// The choices of one trial: the same on every machine for the same (seed, name, trial).
///
/// Sizes may be replayed from a list of choices, so that a failing trial can be shrunk towards the lower end of each
/// size; values come from a Philox counter and are never shrunk.
class Draw {
 public:
  /// `choices` replaces the first sizes drawn: choice i stands for low + choice % (high - low + 1).
  Draw(std::uint64_t seed, std::string_view name, std::uint64_t trial, std::vector<std::uint64_t> choices = {});

  /// An integer in [low, high], remembered under `name`.
  std::int64_t size(std::string_view name, std::int64_t low, std::int64_t high);

  /// One of `options`, chosen and shrunk like a size: put the simplest first.
  template <class T>
  const T& pick(std::string_view name, std::span<const T> options) {
    return options[static_cast<std::size_t>(size(name, 0, static_cast<std::int64_t>(options.size()) - 1))];
  }

  /// 64 uniform bits.
  std::uint64_t bits();

  /// A uniform integer in [0, n), by rejection. n > 0.
  std::uint64_t below(std::uint64_t n);

  /// A random element of K: uniform over a finite K, a small one otherwise.
  template <class K>
  K element() {
    return uniform_element<K>([this] { return bits(); });
  }

  /// "T = 3, d = 2": the sizes drawn so far.
  std::string sizes_text() const;

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint64_t counter_ = 0;
  std::vector<std::uint64_t> choices_;
  std::size_t next_choice_ = 0;
  std::vector<std::pair<std::string, std::int64_t>> sizes_;
};

}  // namespace assay
