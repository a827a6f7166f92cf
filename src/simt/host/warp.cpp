#include "simt/host/warp.hpp"

#include <algorithm>

namespace assay::simt::runtime {
namespace {

constexpr int lanes = 32;

struct Vote {
  bool given;
  std::uint32_t result;
};

void combine_votes(void* const* data, std::uint32_t mask) {
  std::uint32_t result = 0;
  for (int lane = 0; lane < lanes; ++lane)
    if ((mask >> lane & 1) != 0 && static_cast<Vote*>(data[lane])->given) result |= 1u << lane;
  for (int lane = 0; lane < lanes; ++lane)
    if ((mask >> lane & 1) != 0) static_cast<Vote*>(data[lane])->result = result;
}

template <class T>
T reduced(Reduction reduction, T a, T b) {
  switch (reduction) {
    case Reduction::add:
      return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
    case Reduction::min:
      return std::min(a, b);
    case Reduction::max:
      return std::max(a, b);
    case Reduction::bit_and:
      return a & b;
    case Reduction::bit_or:
      return a | b;
    case Reduction::bit_xor:
      break;
  }
  return a ^ b;
}

template <class T>
struct Reduced {
  Reduction reduction;
  T value;
};

template <class T>
void combine_reduction(void* const* data, std::uint32_t mask) {
  const Reduced<T>* first = nullptr;
  T result = {};
  for (int lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const auto* mine = static_cast<const Reduced<T>*>(data[lane]);
    result = first == nullptr ? mine->value : reduced(mine->reduction, result, mine->value);
    if (first == nullptr) first = mine;
  }
  for (int lane = 0; lane < lanes; ++lane)
    if ((mask >> lane & 1) != 0) static_cast<Reduced<T>*>(data[lane])->value = result;
}

const char* name_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::add:
      return "__reduce_add_sync";
    case Reduction::min:
      return "__reduce_min_sync";
    case Reduction::max:
      return "__reduce_max_sync";
    case Reduction::bit_and:
      return "__reduce_and_sync";
    case Reduction::bit_or:
      return "__reduce_or_sync";
    case Reduction::bit_xor:
      break;
  }
  return "__reduce_xor_sync";
}

}  // namespace

std::uint32_t ballot(const char* operation, std::uint32_t mask, bool predicate, Place place) {
  Vote mine = {predicate, 0};
  meet(operation, mask, &mine, combine_votes, place);
  return mine.result;
}

unsigned reduce(Reduction reduction, std::uint32_t mask, unsigned value, Place place) {
  Reduced<unsigned> mine = {reduction, value};
  meet(name_of(reduction), mask, &mine, combine_reduction<unsigned>, place);
  return mine.value;
}

int reduce(Reduction reduction, std::uint32_t mask, int value, Place place) {
  Reduced<int> mine = {reduction, value};
  meet(name_of(reduction), mask, &mine, combine_reduction<int>, place);
  return mine.value;
}

}  // namespace assay::simt::runtime
