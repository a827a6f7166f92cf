#include "simt/host/schedule.hpp"

#include <numeric>
#include <utility>

namespace assay::simt::runtime {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Schedule::Schedule(std::uint64_t seed, std::uint64_t block) : seed_(seed), state_(mix(seed) ^ mix(block * golden)) {}

std::uint64_t Schedule::bits() { return mix(state_ += golden); }

/// In [0, n), with a bias below n / 2^32 that a schedule may have.
std::uint64_t Schedule::below(std::uint64_t n) { return (bits() >> 32) * n >> 32; }

int Schedule::draw(const ThreadSet& ready) {
  const int count = ready.size();
  return count == 0 ? -1 : ready.member(static_cast<int>(below(static_cast<std::uint64_t>(count))));
}

std::vector<std::uint64_t> Schedule::block_order(std::uint64_t seed, std::uint64_t count) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  Schedule draw(seed, ~std::uint64_t{0});
  for (std::uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  return order;
}

}  // namespace assay::simt::runtime
