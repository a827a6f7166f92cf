#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "properties/simt/laws.hpp"
#include "simt/simt.cuh"

namespace assay {
namespace {

constexpr int lanes = 32;

/// A payload wider than the registers of a shuffle instruction: an element of GF(p^2) needs it.
struct Pair {
  std::uint64_t first;
  std::uint64_t second;
  friend bool operator==(const Pair&, const Pair&) = default;
};

enum class Shuffle { index, up, down, flip };

template <class T>
__global__ void shuffle_all(Shuffle kind, const T* in, T* out, int operand, int width) {
  const T mine = in[threadIdx.x];
  T taken = mine;
  if (kind == Shuffle::index) taken = __shfl_sync(0xffffffff, mine, operand, width);
  if (kind == Shuffle::up) taken = __shfl_up_sync(0xffffffff, mine, operand, width);
  if (kind == Shuffle::down) taken = __shfl_down_sync(0xffffffff, mine, operand, width);
  if (kind == Shuffle::flip) taken = __shfl_xor_sync(0xffffffff, mine, operand, width);
  out[threadIdx.x] = taken;
}

/// The lane that shfl.sync reads, as the PTX manual writes it (Parallel Thread Execution ISA 8.x, "shfl.sync"): bits 8
/// to 12 of c are the mask of the segment, bits 0 to 4 its last lane.
int source_lane(Shuffle kind, int lane, int operand, int width) {
  const int segment = 32 - width;
  const int clamp = kind == Shuffle::up ? 0 : 31;
  const int last = (lane & segment) | (clamp & ~segment);
  const int b = operand & 31;
  int j = 0;
  bool present = false;
  switch (kind) {
    case Shuffle::up:
      j = lane - b;
      present = j >= last;
      break;
    case Shuffle::down:
      j = lane + b;
      present = j <= last;
      break;
    case Shuffle::flip:
      j = lane ^ b;
      present = j <= last;
      break;
    case Shuffle::index:
      j = (lane & segment) | (b & ~segment);
      present = j <= last;
      break;
  }
  return present ? j : lane;
}

template <class T>
T element(Draw& draw) {
  if constexpr (std::is_same_v<T, Pair>)
    return {draw.bits(), draw.bits()};
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(draw.bits());
  else
    return std::bit_cast<T>(static_cast<std::uint32_t>(draw.bits()));
}

template <class T>
Outcome try_shuffle(Draw& draw) {
  const auto kind = static_cast<Shuffle>(draw.size("kind", 0, 3));
  const int width = 1 << draw.size("log2_width", 0, 5);
  const int operand = static_cast<int>(draw.size("operand", 0, 31));
  std::vector<T> in(lanes);
  for (T& x : in) x = element<T>(draw);
  const simt::Buffer<T> source(simt::machine, "in", in);
  simt::Buffer<T> target(simt::machine, "out", std::size_t{lanes});
  simt::launch({.blocks = 1, .threads = lanes}, shuffle_all<T>, kind, source.data(), target.data(), operand, width);
  const std::vector<T> out = target.values();
  for (int lane = 0; lane < lanes; ++lane)
    if (!(std::bit_cast<std::array<std::byte, sizeof(T)>>(out[lane]) ==
          std::bit_cast<std::array<std::byte, sizeof(T)>>(in[source_lane(kind, lane, operand, width)])))
      return Outcome::fails(fmt::format("lane {} did not read lane {}", lane, source_lane(kind, lane, operand, width)));
  return Outcome::holds();
}

/// Votes and reductions of the lanes that `mask` names; the others stay away.
__global__ void vote_and_reduce(unsigned mask, const int* in, unsigned* out) {
  const int lane = threadIdx.x;
  if ((mask >> lane & 1) == 0) return;
  unsigned* const mine = out + 10 * lane;
  const int x = in[lane];
  mine[0] = __ballot_sync(mask, x & 1);
  mine[1] = __any_sync(mask, x & 2);
  mine[2] = __all_sync(mask, x & 4);
  mine[3] = __reduce_add_sync(mask, static_cast<unsigned>(x));
  mine[4] = static_cast<unsigned>(__reduce_min_sync(mask, x));
  mine[5] = static_cast<unsigned>(__reduce_max_sync(mask, x));
  mine[6] = __reduce_max_sync(mask, static_cast<unsigned>(x));
  mine[7] = __reduce_and_sync(mask, static_cast<unsigned>(x));
  mine[8] = __reduce_or_sync(mask, static_cast<unsigned>(x));
  mine[9] = __reduce_xor_sync(mask, static_cast<unsigned>(x));
}

Outcome try_votes(Draw& draw) {
  const auto mask = static_cast<std::uint32_t>(draw.bits()) | 1u << draw.below(lanes);
  std::vector<int> in(lanes);
  for (int& x : in) x = static_cast<int>(draw.bits() | (draw.below(4) != 0 ? 4 : 0));
  const simt::Buffer<int> source(simt::machine, "in", in);
  simt::Buffer<unsigned> target(simt::machine, "out", std::size_t{10 * lanes});
  simt::launch({.blocks = 1, .threads = lanes}, vote_and_reduce, mask, source.data(), target.data());

  std::array<unsigned, 10> want = {0, 0, 1, 0, 0x7fffffff, 0x80000000, 0, 0xffffffff, 0, 0};
  for (int lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const int x = in[lane];
    const auto u = static_cast<unsigned>(x);
    want[0] |= (u & 1) << lane;
    want[1] |= (u & 2) != 0;
    want[2] &= (u & 4) != 0;
    want[3] += u;
    want[4] = static_cast<unsigned>(std::min(static_cast<int>(want[4]), x));
    want[5] = static_cast<unsigned>(std::max(static_cast<int>(want[5]), x));
    want[6] = std::max(want[6], u);
    want[7] &= u;
    want[8] |= u;
    want[9] ^= u;
  }
  const std::vector<unsigned> out = target.values();
  for (int lane = 0; lane < lanes; ++lane)
    for (int i = 0; i < 10; ++i)
      if ((mask >> lane & 1) != 0 && out[10 * lane + i] != want[i])
        return Outcome::fails(
            fmt::format("operation {}, lane {}: {:#x}, not {:#x}", i, lane, out[10 * lane + i], want[i]));
  return Outcome::holds();
}

/// Every thread of every block updates the same cells.
__global__ void update_together(const int* in, int* cells, unsigned* bits, double* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&cells[0], in[i]);
  atomicSub(&cells[1], in[i]);
  atomicMin(&cells[2], in[i]);
  atomicMax(&cells[3], in[i]);
  for (int seen = cells[4];;) {  // a sum by compare and swap
    const int found = atomicCAS(&cells[4], seen, seen + in[i]);
    if (found == seen) break;
    seen = found;
  }
  if (i == 0) atomicExch(&cells[5], in[i]);
  atomicOr(&bits[0], static_cast<unsigned>(in[i]));
  atomicAnd(&bits[1], static_cast<unsigned>(in[i]));
  atomicAdd(sum, static_cast<double>(in[i]));  // integers: exact in any order
}

Outcome try_atomics(Draw& draw) {
  const auto blocks = static_cast<unsigned>(draw.size("blocks", 1, 6));
  const auto threads = static_cast<unsigned>(draw.size("threads", 1, 100));
  const simt::Session session({.schedule_seed = draw.size("random_schedule", 0, 1) == 0 ? 0 : draw.bits() | 1});
  std::vector<int> in(blocks * threads);
  for (int& x : in) x = static_cast<int>(draw.below(1 << 20)) - (1 << 19);
  const simt::Buffer<int> source(simt::machine, "in", in);
  simt::Buffer<int> cells(simt::machine, "cells", std::vector<int>{0, 0, in[0], in[0], 0, 0});
  simt::Buffer<unsigned> bits(simt::machine, "bits", std::vector<unsigned>{0, ~0u});
  simt::Buffer<double> sum(simt::machine, "sum", std::vector<double>{0});
  simt::launch({.blocks = blocks, .threads = threads}, update_together, source.data(), cells.data(), bits.data(),
               sum.data());

  const int total = std::accumulate(in.begin(), in.end(), 0);
  const std::vector<int> want = {total, -total, *std::ranges::min_element(in), *std::ranges::max_element(in),
                                 total, in[0]};
  unsigned all = ~0u, any = 0;
  for (const int x : in) all &= static_cast<unsigned>(x), any |= static_cast<unsigned>(x);
  const bool right = cells.values() == want && bits.values() == std::vector{any, all} &&
                     sum.values() == std::vector<double>{double(total)};
  return right ? Outcome::holds() : Outcome::fails("a cell is not the combination of all updates");
}

/// One thread adds to a cell of each kind of memory.
__global__ void add_floats(const float* in, float* cells) {
  __shared__ float shared[1];
  cells[0] = shared[0] = in[0];
  atomicAdd(&cells[0], in[1]);
  atomicAdd(&shared[0], in[1]);
  cells[1] = shared[0];
}

/// A sum of two floats in global and in shared memory.
std::vector<float> sums_of(float a, float b) {
  const simt::Buffer<float> source(simt::machine, "in", std::vector<float>{a, b});
  simt::Buffer<float> cells(simt::machine, "cells", std::size_t{2});
  simt::launch({.blocks = 1, .threads = 1}, add_floats, source.data(), cells.data());
  return cells.values();
}

Outcome subnormal_atomics() {
  struct Sum {
    float a, b, global;
  };
  constexpr float least = 0x1p-126f, half = 0x1p-127f;
  for (const auto [a, b, global] : {Sum{half, half, 0}, Sum{-half, 0, 0}, Sum{0, half, 0}, Sum{least, half, least},
                                    Sum{1.5f * least, -least, 0}, Sum{least, least, 2 * least}, Sum{1, half, 1}})
    if (const std::vector<float> sums = sums_of(a, b); sums[0] != global || sums[1] != a + b)
      return Outcome::fails(
          fmt::format("{:a} + {:a}: {:a} in global and {:a} in shared memory", a, b, sums[0], sums[1]));
  return Outcome::holds();
}

__global__ void count_votes(const int* in, int* out) {
  const int t = threadIdx.x;
  out[3 * t] = __syncthreads_count(in[t]);
  out[3 * t + 1] = __syncthreads_and(in[t]);
  out[3 * t + 2] = __syncthreads_or(in[t]);
}

Outcome try_barrier_votes(Draw& draw) {
  const auto threads = static_cast<unsigned>(draw.size("threads", 1, 200));
  const std::uint64_t rarity = std::uint64_t{1} << draw.size("rarity", 0, 8);
  std::vector<int> in(threads);
  for (int& x : in) x = draw.below(rarity) == 0 ? 1 : 0;
  const simt::Buffer<int> source(simt::machine, "in", in);
  simt::Buffer<int> target(simt::machine, "out", std::size_t{3 * threads});
  simt::launch({.blocks = 1, .threads = threads}, count_votes, source.data(), target.data());
  const int count = std::accumulate(in.begin(), in.end(), 0);
  const std::vector<int> out = target.values();
  for (unsigned t = 0; t < threads; ++t)
    if (out[3 * t] != count || (out[3 * t + 1] != 0) != (count == static_cast<int>(threads)) ||
        (out[3 * t + 2] != 0) != (count > 0))
      return Outcome::fails(
          fmt::format("thread {}: {} {} {} of {}", t, out[3 * t], out[3 * t + 1], out[3 * t + 2], count));
  return Outcome::holds();
}

Outcome try_intrinsics(Draw& draw) {
  const auto x = static_cast<std::uint32_t>(draw.bits() >> draw.below(40));
  const auto y = static_cast<std::uint32_t>(draw.bits());
  int ones = 0, leading = 32, lowest = 0;
  std::uint32_t reversed = 0;
  for (int i = 0; i < 32; ++i) {
    const std::uint32_t bit = x >> i & 1;
    ones += static_cast<int>(bit);
    if (bit != 0) leading = 31 - i;
    if (bit != 0 && lowest == 0) lowest = i + 1;
    reversed |= bit << (31 - i);
  }
  const bool right = __popc(x) == ones && __clz(static_cast<int>(x)) == leading &&
                     __ffs(static_cast<int>(x)) == lowest && __brev(x) == reversed &&
                     __umulhi(x, y) == (std::uint64_t{x} * y) / (std::uint64_t{1} << 32) &&
                     __float_as_uint(__uint_as_float(x & 0x7f7fffff)) == (x & 0x7f7fffff);
  return right ? Outcome::holds() : Outcome::fails(fmt::format("x = {:#x}, y = {:#x}", x, y));
}

}  // namespace

std::vector<Law> simt_words_laws() {
  const auto law = [](std::string_view name, std::string_view statement, std::vector<Check> checks) {
    return Law{.name = name, .statement = statement, .source = {}, .trials = 100, .checks = std::move(checks)};
  };
  return {
      law("simt.shuffles_read_the_lane_that_ptx_defines", "shfl.sync of every kind, operand and width",
          {{.arithmetic = "32-bit", .run = try_shuffle<float>},
           {.arithmetic = "64-bit", .run = try_shuffle<double>},
           {.arithmetic = "128-bit", .run = try_shuffle<Pair>}}),
      law("simt.votes_and_reductions_combine_the_lanes_of_the_mask", "ballot, any, all, add, min, max, and, or, xor",
          {{.arithmetic = "host machine", .run = try_votes}}),
      law("simt.atomics_lose_no_update", "every update is in the result, in any schedule",
          {{.arithmetic = "host machine", .run = try_atomics}}),
      law("simt.atomic_sums_in_global_memory_have_no_subnormals",
          "operands and sums are 0 there, kept in shared memory",
          {{.arithmetic = "host machine", .run = [](Draw&) { return subnormal_atomics(); }}}),
      law("simt.barriers_count_votes", "__syncthreads_count, _and, _or",
          {{.arithmetic = "host machine", .run = try_barrier_votes}}),
      law("simt.bit_intrinsics_equal_their_definition", "popc, clz, ffs, brev, umulhi",
          {{.arithmetic = "host machine", .run = try_intrinsics}}),
  };
}

}  // namespace assay
