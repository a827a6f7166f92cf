#pragma once

// Shuffles, votes and reductions of a warp, as CUDA names them. A value may be of any trivially copyable type.

#include <source_location>
#include <string>
#include <type_traits>

#include "simt/host/machine.hpp"

namespace assay::simt::runtime {

template <class T>
struct Shuffled {
  T given;
  T taken;
  int source;  // lane
  bool source_present;
};

template <class T>
__attribute__((no_sanitize_thread)) void combine_shuffle(void* const* data, std::uint32_t mask) {
  for (int lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    auto& mine = *static_cast<Shuffled<T>*>(data[lane]);
    mine.source_present = (mask >> mine.source & 1) != 0;
    if (mine.source_present) mine.taken = static_cast<Shuffled<T>*>(data[mine.source])->given;
  }
}

template <class T>
T shuffle(const char* operation, std::uint32_t mask, T value, int source, Place place) {
  static_assert(std::is_trivially_copyable_v<T>);
  Shuffled<T> mine = {value, value, source, false};
  meet(operation, mask, &mine, combine_shuffle<T>, place);
  if (!mine.source_present)
    fail(std::string(operation) + ": reads lane " + std::to_string(source) + ", which the mask does not name", place);
  return mine.taken;
}

/// Ballot: bit l of the result is lane l's predicate.
std::uint32_t ballot(const char* operation, std::uint32_t mask, bool predicate, Place place);

enum class Reduction { add, min, max, bit_and, bit_or, bit_xor };

unsigned reduce(Reduction reduction, std::uint32_t mask, unsigned value, Place place);
int reduce(Reduction reduction, std::uint32_t mask, int value, Place place);

}  // namespace assay::simt::runtime

// The lane that `lane` reads: its own where the pattern leaves the group of `width` lanes.

template <class T>
static inline T __shfl_sync(unsigned mask, T value, int source, int width = 32,
                            std::source_location place = std::source_location::current()) {
  const int first = assay::simt::runtime::lane() & ~(width - 1);
  return assay::simt::runtime::shuffle("__shfl_sync", mask, value, first + (source & (width - 1)), place);
}

template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int flip, int width = 32,
                                std::source_location place = std::source_location::current()) {
  const int lane = assay::simt::runtime::lane();
  const int end = (lane & ~(width - 1)) + width;
  const int source = (lane ^ flip) < end ? lane ^ flip : lane;
  return assay::simt::runtime::shuffle("__shfl_xor_sync", mask, value, source, place);
}

template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32,
                               std::source_location place = std::source_location::current()) {
  const int lane = assay::simt::runtime::lane();
  const int source = lane - static_cast<int>(distance);
  const int first = lane & ~(width - 1);
  return assay::simt::runtime::shuffle("__shfl_up_sync", mask, value, source >= first ? source : lane, place);
}

template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32,
                                 std::source_location place = std::source_location::current()) {
  const int lane = assay::simt::runtime::lane();
  const int source = lane + static_cast<int>(distance);
  const int end = (lane & ~(width - 1)) + width;
  return assay::simt::runtime::shuffle("__shfl_down_sync", mask, value, source < end ? source : lane, place);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate,
                                     std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::ballot("__ballot_sync", mask, predicate != 0, place);
}
static inline int __any_sync(unsigned mask, int predicate,
                             std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::ballot("__any_sync", mask, predicate != 0, place) != 0;
}
static inline int __all_sync(unsigned mask, int predicate,
                             std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::ballot("__all_sync", mask, predicate != 0, place) == mask;
}

template <class T>
static inline T __reduce_add_sync(unsigned mask, T value,
                                  std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::reduce(assay::simt::runtime::Reduction::add, mask, value, place);
}
template <class T>
static inline T __reduce_min_sync(unsigned mask, T value,
                                  std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::reduce(assay::simt::runtime::Reduction::min, mask, value, place);
}
template <class T>
static inline T __reduce_max_sync(unsigned mask, T value,
                                  std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::reduce(assay::simt::runtime::Reduction::max, mask, value, place);
}
static inline unsigned __reduce_and_sync(unsigned mask, unsigned value,
                                         std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::reduce(assay::simt::runtime::Reduction::bit_and, mask, value, place);
}
static inline unsigned __reduce_or_sync(unsigned mask, unsigned value,
                                        std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::reduce(assay::simt::runtime::Reduction::bit_or, mask, value, place);
}
static inline unsigned __reduce_xor_sync(unsigned mask, unsigned value,
                                         std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::reduce(assay::simt::runtime::Reduction::bit_xor, mask, value, place);
}
