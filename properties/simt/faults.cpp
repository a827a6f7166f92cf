#include <cstring>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "properties/simt/kernels/run.hpp"
#include "properties/simt/laws.hpp"
#include "simt/options.hpp"

namespace assay {
namespace {

using simt_laws::Run;

/// How a fault shows.
enum class By {
  plain,     ///< an error of both builds, without a checker
  checked,   ///< an error of the shadow checker
  poisons,   ///< outputs that differ between the two poisons
  schedule,  ///< outputs that differ under one of 20 random schedules
};

struct Fault {
  std::string_view law;
  std::string_view kernel;
  By by;
  std::string_view says = {};  ///< part of the error
};

constexpr Fault faults[] = {
    {"simt.missing_barrier_is_found_by_the_shadow_checker", "reverse_without_barrier", By::checked,
     "uninitialised read of 's'"},
    {"simt.missing_barrier_is_found_by_random_schedules", "reverse_without_barrier", By::schedule},
    {"simt.missing_barrier_is_found_by_two_poisons", "reverse_without_barrier", By::poisons},
    {"simt.barrier_missing_after_a_broadcast_is_found_by_random_schedules", "broadcast_without_barrier", By::schedule},
    {"simt.barrier_missing_after_a_broadcast_is_found_by_the_shadow_checker", "broadcast_without_barrier", By::checked,
     "race: read of 'first' + 0 bytes while it is written"},
    {"simt.missing_second_barrier_is_found_by_the_shadow_checker", "gemm_without_second_barrier", By::checked,
     "race: read of 'a' + 0 bytes while it is written"},
    {"simt.missing_second_barrier_is_found_by_random_schedules", "gemm_without_second_barrier", By::schedule},
    {"simt.write_before_others_have_read_is_found_by_random_schedules", "shift_without_barrier", By::schedule},
    {"simt.write_before_others_have_read_is_found_by_the_shadow_checker", "shift_without_barrier", By::checked,
     "race: write of 's' + 4 bytes while it is read; the read by thread 0"},
    {"simt.missing_syncwarp_is_found_by_the_shadow_checker", "warp_sum_without_syncwarp", By::checked,
     "uninitialised read of 's'"},
    {"simt.cell_never_written_is_found_by_two_poisons", "halo_never_written", By::poisons},
    {"simt.cell_never_written_is_found_by_the_shadow_checker", "halo_never_written", By::checked,
     "uninitialised read of 's' + 0 bytes"},
    {"simt.read_past_the_end_is_found_by_guard_pages", "read_past_the_end", By::plain, "past the end of buffer 'in'"},
    {"simt.read_past_the_end_is_found_by_the_shadow_checker", "read_past_the_end", By::checked,
     "out of bounds: read past the end of buffer 'in' (512 bytes)"},
    {"simt.write_past_the_end_is_found_by_pads", "write_past_the_end", By::plain,
     "a write past the end of buffer 'out' (508 bytes)"},
    {"simt.write_before_the_start_is_found_by_pads", "write_before_the_start", By::plain,
     "a write before the start of buffer 'out' (512 bytes)"},
    {"simt.write_before_the_start_is_found_by_the_shadow_checker", "write_before_the_start", By::checked,
     "out of bounds: write before the start of buffer 'out'"},
    {"simt.write_to_nowhere_is_an_error", "write_to_nowhere", By::plain, "unmapped or misaligned memory"},
    {"simt.read_of_a_gap_is_found_by_two_poisons", "read_a_gap", By::poisons},
    {"simt.read_of_a_gap_is_found_by_the_shadow_checker", "read_a_gap", By::checked,
     "out of bounds: read in a gap between the rows of buffer 'in'"},
    {"simt.write_of_a_gap_is_found_by_pads", "write_a_gap", By::plain,
     "a write in a gap between the rows of buffer 'out'"},
    {"simt.overrun_of_dynamic_shared_memory_is_found_by_its_guard_page", "overrun_dynamic_shared", By::plain,
     "past the end of dynamic shared memory (128 bytes)"},
    {"simt.overrun_of_dynamic_shared_memory_is_found_by_its_pad", "overrun_padded_dynamic_shared", By::plain,
     "a write past the end of dynamic shared memory"},
    {"simt.overrun_of_dynamic_shared_memory_is_found_by_the_shadow_checker", "overrun_padded_dynamic_shared",
     By::checked, "past the end of dynamic shared memory (120 bytes)"},
    {"simt.overrun_of_a_shared_array_is_found_by_the_shadow_checker", "overrun_static_shared", By::checked,
     "out of bounds: read"},
    {"simt.shared_array_of_a_helper_is_found_by_the_shadow_checker", "shared_array_in_a_helper", By::checked,
     "a __shared__ array must be declared in the kernel itself"},
    {"simt.race_between_blocks_is_found_by_the_shadow_checker", "blocks_add_to_one_cell", By::checked,
     "race: read of 'out' + 0 bytes while it is written; the write by thread 0 of another block"},
    {"simt.race_with_an_atomic_is_found_by_the_shadow_checker", "atomic_meets_plain_write", By::checked,
     "race: atomic update of 'out'"},
    {"simt.outputs_left_unwritten_are_found_by_two_poisons", "outputs_left_unwritten", By::poisons},
    {"simt.local_array_never_written_is_found_by_two_poisons", "local_array_never_written", By::poisons},
    {"simt.call_stack_overflow_is_an_error", "call_stack_overflow", By::plain, "call stack overflow"},
    {"simt.division_by_zero_is_an_error", "divide_by_zero", By::plain, "integer division by zero"},

    {"simt.barrier_in_a_branch_is_an_error", "barrier_in_a_branch", By::plain,
     "returns while 16 threads wait at __syncthreads"},
    {"simt.barriers_on_two_lines_are_an_error", "barriers_on_two_lines", By::plain, "barriers diverge"},
    {"simt.barriers_of_two_kinds_are_an_error", "barriers_of_two_kinds", By::plain,
     "barriers diverge: __syncthreads_or here, while 16 threads wait at __syncthreads in line"},
    {"simt.barrier_after_a_return_is_an_error", "barrier_after_a_return", By::plain,
     "__syncthreads after 1 of the block's 32 threads have returned"},
    {"simt.return_before_a_barrier_is_an_error", "return_before_a_barrier", By::plain,
     "returns while 31 threads wait at __syncthreads"},
    {"simt.barrier_in_a_loop_of_different_length_is_an_error", "barrier_in_a_loop_of_different_length", By::plain,
     "__syncthreads"},
    {"simt.deadlock_is_an_error", "deadlock", By::plain, "deadlock: every thread waits; 16 at __syncthreads"},
    {"simt.exception_in_a_kernel_is_an_error", "exception_in_a_kernel", By::plain, "x = 3: needs an even number"},
    {"simt.launch_inside_a_kernel_is_an_error", "launch_inside_a_kernel", By::plain, "a launch inside a kernel"},

    {"simt.whole_mask_in_half_a_warp_is_an_error", "whole_mask_in_half_a_warp", By::plain,
     "lane 16 returns while lanes 0000ffff wait for it at __shfl_xor_sync"},
    {"simt.mask_of_missing_lanes_is_an_error", "mask_of_missing_lanes", By::plain,
     "names lanes ffff0000 that have returned or do not exist"},
    {"simt.mask_without_the_caller_is_an_error", "mask_without_the_caller", By::plain,
     "does not name the calling lane 16"},
    {"simt.shuffle_from_a_lane_outside_the_mask_is_an_error", "shuffle_from_a_lane_outside_the_mask", By::plain,
     "reads lane 16, which the mask does not name"},
    {"simt.lanes_at_different_operations_are_an_error", "lanes_at_different_operations", By::plain, "warp diverges"},
    {"simt.tile_product_in_half_a_warp_is_an_error", "product_in_half_a_warp", By::plain, "wait for it at mma.sync"},
    {"simt.matrix_rows_out_of_line_are_an_error", "matrix_rows_out_of_line", By::plain,
     "the address of a row is not a multiple of 16 bytes"},
    {"simt.matrix_rows_outside_the_tile_are_an_error", "matrix_rows_outside_the_tile", By::plain,
     "a row is not inside one array of shared memory"},
    {"simt.matrices_loaded_without_a_barrier_are_found_by_the_shadow_checker", "matrices_without_a_barrier",
     By::checked, "of 'tile'"},

    {"simt.copy_without_a_wait_is_found_by_two_poisons", "copy_without_a_wait", By::poisons},
    {"simt.copy_without_a_wait_is_found_by_the_shadow_checker", "copy_without_a_wait", By::checked,
     "where a cp.async has not been waited for"},
    {"simt.wait_for_too_few_copies_is_found_by_two_poisons", "copy_with_a_wait_for_too_few", By::poisons},
    {"simt.copy_without_a_commit_is_found_by_two_poisons", "copy_without_a_commit", By::poisons},
    {"simt.copy_without_a_barrier_is_found_by_the_shadow_checker", "copy_without_a_barrier", By::checked, "of 's'"},
    {"simt.copy_into_a_stage_that_is_read_is_found_by_the_shadow_checker", "copy_into_a_stage_that_is_read",
     By::checked, "race: read of 's'"},
    {"simt.copy_into_a_stage_that_is_read_is_found_by_random_schedules", "copy_into_a_stage_that_is_read",
     By::schedule},
    {"simt.copy_into_a_cell_before_its_read_is_found_by_random_schedules", "copy_into_a_cell_before_its_read",
     By::schedule},
    {"simt.copy_into_a_cell_before_its_read_is_found_by_the_shadow_checker", "copy_into_a_cell_before_its_read",
     By::checked, "where a cp.async has not been waited for"},
    {"simt.copy_out_of_line_is_an_error", "copy_out_of_line", By::plain, "an address is not a multiple of that"},
    {"simt.copy_of_twelve_bytes_is_an_error", "copy_of_twelve_bytes", By::plain, "cp.async of 12 bytes: 4, 8 or 16"},
    {"simt.copy_to_global_memory_is_an_error", "copy_to_global_memory", By::plain,
     "the destination is not inside one array of shared memory"},
};

Run named(std::string_view name, bool checked) {
  namespace host = simt_laws::host;
  namespace check = simt_laws::checked;
  for (const auto runs :
       {checked ? check::memory_faults() : host::memory_faults(),
        checked ? check::barrier_faults() : host::barrier_faults(),
        checked ? check::warp_faults() : host::warp_faults(), checked ? check::copy_faults() : host::copy_faults()})
    for (const Run& run : runs)
      if (run.name == name) return run;
  throw std::invalid_argument(fmt::format("no kernel {}", name));
}

/// What the run says; empty if it goes through.
std::string error_of(const Run& run, const simt::Options& options) {
  const simt::Session session(options);
  try {
    run.outputs();
  } catch (const simt::Error& error) {
    return error.what();
  }
  return "";
}

/// Outputs, or nothing after an error.
std::optional<std::vector<float>> outputs_of(const Run& run, const simt::Options& options) {
  const simt::Session session(options);
  try {
    return run.outputs();
  } catch (const simt::Error&) {
    return std::nullopt;
  }
}

bool differ(const std::vector<float>& a, const std::vector<float>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) != 0;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Outcome found_by_error(const Fault& fault) {
  const bool checked = fault.by == By::checked;
  const std::string error = error_of(named(fault.kernel, checked), {.check = checked});
  if (!contains(error, "simt: kernel ") || !contains(error, fault.says))
    return Outcome::fails(fmt::format("expected \"{}\", got \"{}\"", fault.says, error));
  return Outcome::holds();
}

/// What the plain build finds, the checker finds too, or something earlier in the same kernel.
Outcome found_in_both_builds(const Fault& fault) {
  const Outcome outcome = found_by_error(fault);
  if (outcome.kind != Outcome::Kind::holds) return outcome;
  const std::string error = error_of(named(fault.kernel, true), {.check = true});
  const bool earlier = contains(error, "_faults.cuh:") && contains(error, ": out of bounds: ");
  return contains(error, fault.says) || earlier ? Outcome::holds() : Outcome::fails("checked: " + error);
}

Outcome found_by_poisons(const Fault& fault) {
  const Run run = named(fault.kernel, false);
  const auto a = outputs_of(run, {.poison = simt::poison_a});
  const auto b = outputs_of(run, {.poison = simt::poison_b});
  return a && b && differ(*a, *b) ? Outcome::holds() : Outcome::fails("both poisons give the same bits");
}

Outcome found_by_schedule(const Fault& fault) {
  constexpr std::uint64_t schedules = 20;
  const Run run = named(fault.kernel, false);
  const auto in_order = outputs_of(run, {});
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    const auto outputs = outputs_of(run, {.schedule_seed = seed});
    if (!in_order || !outputs || !differ(*in_order, *outputs)) continue;
    const auto again = outputs_of(run, {.schedule_seed = seed});
    return again && !differ(*outputs, *again) ? Outcome::holds()
                                              : Outcome::fails(fmt::format("schedule {} cannot be replayed", seed));
  }
  return Outcome::fails(fmt::format("{} random schedules give the same bits", schedules));
}

Outcome try_fault(const Fault& fault) {
  const Outcome outcome = fault.by == By::poisons    ? found_by_poisons(fault)
                          : fault.by == By::schedule ? found_by_schedule(fault)
                          : fault.by == By::plain    ? found_in_both_builds(fault)
                                                     : found_by_error(fault);
  if (outcome.kind != Outcome::Kind::holds) return outcome;
  const Run& sound = simt_laws::host::correct_runs().front();  // whatever happened, the machine goes on
  const std::string error = error_of(sound, {});
  return error.empty() ? Outcome::holds() : Outcome::fails("afterwards: " + error);
}

}  // namespace

std::vector<Law> simt_faults_laws() {
  std::vector<Law> laws;
  for (const Fault& fault : faults)
    laws.push_back({.name = fault.law,
                    .statement = "a kernel with this one fault is caught, with a text that says what is wrong",
                    .source = {},
                    .proof = Proof::exactly,
                    .checks = {{.arithmetic = "host machine", .run = [&fault](Draw&) { return try_fault(fault); }}}});
  return laws;
}

}  // namespace assay
