#pragma once

#include <cstdint>

#include "simt/qualifiers.cuh"

// Numbers that follow from a counter: every machine makes the same ones, and none has to be sent to it.

namespace assay::generated {

/// The finaliser of splitmix64, a bijection: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
ASSAY_HOST_DEVICE std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Output n of splitmix64 from the state `key`.
ASSAY_HOST_DEVICE std::uint64_t draw(std::uint64_t key, std::uint64_t n) {
  return mixed(key + (n + 1) * 0x9e3779b97f4a7c15);
}

/// An integer in [low, high], from the upper 32 bits of a draw.
ASSAY_HOST_DEVICE int between(int low, int high, std::uint64_t bits) {
  return low + static_cast<int>((bits >> 32) * static_cast<std::uint64_t>(high - low + 1) >> 32);
}

inline constexpr std::uint32_t blocks_of_inputs = 4096;

/// Input number i of a block, as the bits of a float: 2^20 a block, one of every 4096 that follow each other. All
/// blocks together have every float once.
ASSAY_HOST_DEVICE std::uint32_t input_of(std::uint32_t block, std::uint32_t i) {
  return i * blocks_of_inputs + (static_cast<std::uint32_t>(mixed(i)) + block) % blocks_of_inputs;
}

/// What the result number `index` adds to a digest, the sum of these modulo 2^64: the order does not matter.
ASSAY_HOST_DEVICE std::uint64_t digest_of(std::uint32_t index, std::uint32_t bits) {
  return mixed(std::uint64_t{index} << 32 | bits);
}

}  // namespace assay::generated
