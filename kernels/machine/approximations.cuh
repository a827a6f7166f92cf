#pragma once

#include "kernels/machine/approximation_list.cuh"
#include "kernels/machine/function_results.cuh"
#include "simt/approximate/tables.hpp"

// CUDA's approximate instructions and its library's functions on all 2^32 floats, and the tables that their models on
// the host are made of.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

using simt::approximate::TableName;

__device__ inline float table_entry(TableName name, float x) {
  switch (name) {
    case TableName::ex2_positive:
    case TableName::ex2_negative:
      return simt::ex2_approx_ftz(x);
    case TableName::lg2_above_one:
    case TableName::lg2_below_one:
      return simt::lg2_approx_ftz(x);
    case TableName::rcp:
      return simt::rcp_approx_ftz(x);
    case TableName::rsqrt:
      return simt::rsqrt_approx_ftz(x);
    case TableName::sin:
      return simt::sin_approx_ftz(x);
    default:
      return simt::tanh_approx(x);
  }
}

constexpr unsigned table_threads = 128;
constexpr std::uint32_t entries_a_block = 1u << 17;  // divides the size of every table

/// entries [entries_a_block]: of the table, from number `first` on.
// Grid: (entries_a_block / 128). Block: 128 threads.
__global__ void __launch_bounds__(table_threads)
    table_kernel(TableName name, std::uint32_t first, std::uint32_t* entries) {
  const std::uint32_t i = blockIdx.x * table_threads + threadIdx.x;
  entries[i] = float_bits(table_entry(name, simt::approximate::table_input(name, first + i)));
}

inline std::vector<std::uint32_t> table_entries(TableName name, std::uint64_t block) {
  simt::Buffer<std::uint32_t> entries = simt::workspace<std::uint32_t>("entries", entries_a_block);
  simt::launch({.blocks = entries_a_block / table_threads, .threads = table_threads}, table_kernel, name,
               static_cast<std::uint32_t>(block) * entries_a_block, entries.data());
  return entries.values();
}

inline std::uint64_t table_digest(TableName name, std::uint64_t block) {
  std::uint64_t sum = 0;
  auto index = static_cast<std::uint32_t>(block) * entries_a_block;
  for (const std::uint32_t entry : table_entries(name, block)) sum += generated::digest_of(index++, entry);
  return sum;
}

inline MachineResults table_results_of(TableName name) {
  return {.subject = std::string(simt::approximate::name_of(name)),
          .format = "f32",
          .blocks = simt::approximate::table_size(name) / entries_a_block,
          .block_size = entries_a_block,
          .digests =
              [=](std::uint64_t first, std::uint64_t count) {
                std::vector<std::uint64_t> digests;
                for (std::uint64_t i = 0; i < count; ++i) digests.push_back(table_digest(name, first + i));
                return digests;
              },
          .bits = [=](std::uint64_t block) { return table_entries(name, block); },
          .inputs = [=](std::uint64_t index) { return generated::table_input_text(name, index); }};
}

std::vector<MachineResults> table_results() {
  std::vector<MachineResults> all;
  for (const TableName name : simt::approximate::all_tables) all.push_back(table_results_of(name));
  return all;
}

std::vector<MachineResults> approximation_results() {
  std::vector<MachineResults> all;
  Approximations::for_each([&]<class F>(F) { all.push_back(results_of<F>()); });
  return all;
}

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
