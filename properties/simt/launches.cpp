#include <cfenv>
#include <cstring>

#include <fmt/format.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "properties/simt/laws.hpp"
#include "simt/simt.cuh"

namespace assay {
namespace {

__device__ unsigned lanes_of_this_warp() {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned rest = blockDim.x * blockDim.y * blockDim.z - thread / 32 * 32;
  return rest >= 32 ? 0xffffffff : (1u << rest) - 1;
}

/// Long enough for other workers to wake up.
__device__ void spend_time(int rounds) {
  for (volatile int i = 0; i < 20000 * rounds;) i = i + 1;
}

__global__ void count_threads(int* out, int rounds) {
  __shared__ int one[1];
  one[0] = 1;
  if (threadIdx.x == 0) spend_time(rounds);
  __syncthreads();
  if (__any_sync(lanes_of_this_warp(), 1)) __syncwarp(lanes_of_this_warp());
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) atomicAdd(out, one[0]);
}

__global__ void large_static_array(int* out) {
  __shared__ int array[48 * 1024 / sizeof(int) + 1];
  array[threadIdx.x] = 1;
  out[0] = array[threadIdx.x];
}

/// Blocks from `first` on fail, the even or the odd ones later than the others.
__global__ void fail_from_block(int first, unsigned slow, int* out) {
  out[0] = 1;
  if (static_cast<int>(blockIdx.x) < first) return;
  spend_time(blockIdx.x % 2 == slow ? 100 : 20);
  throw std::runtime_error(fmt::format("block {}", blockIdx.x));
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const simt::Error& error) {
    return error.what();
  }
  return "";
}

Outcome expect(const std::string& error, std::string_view text) {
  if (error.find(text) != std::string::npos && (!text.empty() || error.empty())) return Outcome::holds();
  return Outcome::fails(fmt::format("expected \"{}\", got \"{}\"", text, error));
}

struct Shape {
  simt::Grid grid;
  std::string_view says;  ///< empty: accepted
};

Outcome try_shapes(Draw& draw) {
  constexpr std::size_t limit = 227 * 1024 - sizeof(int);  // the kernel has one int of its own
  static const Shape shapes[] = {
      {{1, {0, 1, 1}}, "block (0, 1, 1): needs 1 to 1024 threads"},
      {{1, {1025, 1, 1}}, "block (1025, 1, 1): needs 1 to 1024 threads"},
      {{1, {32, 32, 2}}, "block (32, 32, 2): needs 1 to 1024 threads"},
      {{1, {1, 1, 65}}, "at most 64 along z"},
      {{{0, 1, 1}, 32}, "grid (0, 1, 1): needs 1 to"},
      {{{1, 65536, 1}, 32}, "grid (1, 65536, 1): needs 1 to"},
      {{1, 32, limit + 1}, "4 + 232445 bytes of static and dynamic shared memory: at most 232448"},
      {{1, 32, limit}, ""},
      {{1, {32, 32, 1}}, ""},
      {{1, {1, 1, 64}}, ""},
      {{{2, 3, 4}, {5, 6, 7}}, ""},
  };
  simt::Buffer<int> out(simt::machine, "out", std::vector<int>{0});
  const Shape& shape = draw.pick("shape", std::span<const Shape>(shapes));
  const Outcome outcome = expect(error_of([&] { simt::launch(shape.grid, count_threads, out.data(), 0); }), shape.says);
  const dim3 blocks = shape.grid.blocks;
  const int ran = out.values()[0];
  if (shape.says.empty() && ran != static_cast<int>(blocks.x * blocks.y * blocks.z))
    return Outcome::fails(fmt::format("{} blocks ran", ran));
  return outcome;
}

Outcome try_large_static_array(Draw&) {
  simt::Buffer<int> out(simt::machine, "out", std::size_t{1});
  return expect(error_of([&] { simt::launch({.blocks = 1, .threads = 32}, large_static_array, out.data()); }),
                "kernel large_static_array: 49156 bytes of __shared__ arrays: at most 49152");
}

Outcome try_earliest_failure(Draw& draw) {
  const auto blocks = static_cast<int>(draw.size("blocks", 1, 40));
  const auto first = static_cast<int>(draw.size("first", 0, blocks - 1));
  const auto slow = static_cast<unsigned>(draw.size("slow", 0, 1));
  const simt::Session session({.workers = static_cast<unsigned>(draw.size("workers", 1, 4))});
  simt::Buffer<int> out(simt::machine, "out", std::size_t{1});
  return expect(error_of([&] {
                  simt::launch({.blocks = static_cast<unsigned>(blocks), .threads = 1}, fail_from_block, first, slow,
                               out.data());
                }),
                fmt::format("kernel fail_from_block, block ({}, 0, 0), thread (0, 0, 0): block {}", first, first));
}

Outcome try_rounding_mode(Draw&) {
  simt::Buffer<int> out(simt::machine, "out", std::vector<int>{0});
  std::fesetround(FE_UPWARD);
  const std::string error = error_of([&] { simt::launch({.blocks = 1, .threads = 1}, count_threads, out.data(), 0); });
  std::fesetround(FE_TONEAREST);
  return expect(error, "the rounding mode is not to nearest");
}

Outcome try_flush_to_zero(Draw&) {
#if defined(__SSE__)
  simt::Buffer<int> out(simt::machine, "out", std::vector<int>{0});
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8000);
  const std::string error = error_of([&] { simt::launch({.blocks = 1, .threads = 1}, count_threads, out.data(), 0); });
  _mm_setcsr(before);
  return expect(error, "subnormal numbers are flushed to zero");
#else
  return Outcome::rejected("no such mode on this processor");
#endif
}

Outcome try_check_of_unchecked_build(Draw&) {
  simt::Buffer<int> out(simt::machine, "out", std::vector<int>{0});
  const simt::Session session({.check = true});
  return expect(error_of([&] { simt::launch({.blocks = 1, .threads = 1}, count_threads, out.data(), 0); }),
                "kernel count_threads: cannot be checked, for it was not built as `checked`");
}

Outcome try_statistics(Draw& draw) {
  const auto blocks = static_cast<unsigned>(draw.size("blocks", 1, 20));
  const auto threads = static_cast<unsigned>(draw.size("threads", 1, 100));
  const auto workers = static_cast<unsigned>(draw.size("workers", 1, 4));
  const simt::Session outer;
  simt::Statistics s;
  {
    const simt::Session session({.workers = workers});
    simt::Buffer<int> out(simt::machine, "out", std::vector<int>{0});
    for (int i = 0; i < 2; ++i) simt::launch({.blocks = blocks, .threads = threads}, count_threads, out.data(), 1);
    s = session.statistics();
  }
  const std::uint64_t all = 2ull * blocks * threads;
  const bool right = s.launches == 2 && s.blocks == 2 * blocks && s.threads == all && s.barriers == all &&
                     s.warp_operations == 2 * all && s.mma == 0 && outer.statistics().launches == 0;
  return right ? Outcome::holds()
               : Outcome::fails(fmt::format("{} launches, {} blocks, {} threads, {} barriers, {} warp operations",
                                            s.launches, s.blocks, s.threads, s.barriers, s.warp_operations));
}

/// The order in which threads come to one atomic, and blocks begin.
__global__ void draw_tickets(int* next, int* tickets) {
  tickets[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1);
}

std::vector<int> tickets_with(std::uint64_t seed) {
  constexpr unsigned blocks = 4, threads = 32;
  const simt::Session session({.workers = 1, .schedule_seed = seed});
  simt::Buffer<int> next(simt::machine, "next", std::vector<int>{0});
  simt::Buffer<int> tickets(simt::machine, "tickets", std::size_t{blocks * threads});
  simt::launch({.blocks = blocks, .threads = threads}, draw_tickets, next.data(), tickets.data());
  return tickets.values();
}

/// Two orders of 128 threads are equal by chance with a probability below 2^-500.
Outcome try_seeds(Draw& draw) {
  const std::uint64_t seed = draw.bits() | 1;
  const std::vector<int> tickets = tickets_with(seed);
  if (tickets != tickets_with(seed)) return Outcome::fails(fmt::format("schedule {} cannot be replayed", seed));
  if (tickets == tickets_with(seed + 1)) return Outcome::fails(fmt::format("schedules {} and the next agree", seed));
  const std::vector<int> in_order = tickets_with(0);
  for (std::size_t i = 0; i < in_order.size(); ++i)
    if (in_order[i] != static_cast<int>(i)) return Outcome::fails("schedule 0 is not in order");
  return Outcome::holds();
}

Outcome try_buffers(Draw& draw) {
  const auto count = static_cast<std::size_t>(draw.size("rows", 0, 9));
  const auto length = static_cast<std::size_t>(draw.size("length", 0, 9));
  const auto stride = length + static_cast<std::size_t>(draw.size("gap", 0, 5));
  simt::Buffer<std::uint16_t> buffer(simt::machine, "buffer", simt::Rows{count, length, stride});
  if (reinterpret_cast<std::uintptr_t>(buffer.data()) % 16 != 0) return Outcome::fails("not aligned to 16 bytes");
  std::vector<std::uint16_t> values(count * length);
  for (auto& x : values) x = static_cast<std::uint16_t>(draw.bits());
  buffer.set(values);
  if (buffer.values() != values) return Outcome::fails("other values come back");
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t i = 0; i < length; ++i)
      if (buffer.data()[row * stride + i] != values[row * length + i]) return Outcome::fails("rows are elsewhere");
  return Outcome::holds();
}

Outcome try_narrow_rows(Draw&) {
  return expect(error_of([] {
                  simt::Buffer<float>(simt::machine, "k", simt::Rows{2, 5, 4});
                }),
                "buffer 'k': rows of 20 bytes cannot be 16 bytes apart");
}

}  // namespace

std::vector<Law> simt_launches_laws() {
  const auto law = [](std::string_view name, std::string_view statement, std::uint32_t trials,
                      std::function<Outcome(Draw&)> run) {
    return Law{.name = name,
               .statement = statement,
               .source = {},
               .trials = trials,
               .checks = {{.arithmetic = "host machine", .run = std::move(run)}}};
  };
  return {
      law("simt.launches_that_a_gpu_refuses_are_errors", "limits of compute capability 9.0, on both sides", 40,
          try_shapes),
      law("simt.shared_arrays_beyond_48_kib_are_an_error", "the limit of static shared memory", 1,
          try_large_static_array),
      law("simt.error_is_that_of_the_earliest_block", "whatever the number of workers", 30, try_earliest_failure),
      law("simt.launch_needs_rounding_to_nearest", "outputs would not have the bits of a GPU", 1, try_rounding_mode),
      law("simt.launch_needs_subnormal_numbers", "outputs would not have the bits of a GPU", 1, try_flush_to_zero),
      law("simt.check_of_an_unchecked_build_is_an_error", "nothing would be found, and nobody would know", 1,
          try_check_of_unchecked_build),
      law("simt.schedules_replay_and_differ_by_seed", "seed 0 runs blocks and threads in order", 20, try_seeds),
      law("simt.statistics_count_what_ran", "launches, blocks, threads, barriers and warp operations of a session", 20,
          try_statistics),
      law("simt.buffers_return_what_was_set", "rows with and without gaps, empty ones included", 50, try_buffers),
      law("simt.rows_longer_than_their_stride_are_an_error", "rows may not overlap", 1, try_narrow_rows),
  };
}

}  // namespace assay
