#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "problem/families.hpp"
#include "problem/kernel.hpp"
#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay {

/// Case number i by which a kernel's bits are compared: its families but those over fields, in turn, and a seed that
/// follows from the arguments.
Case bits_case(const Kernel& kernel, std::uint64_t seed, std::size_t i);

/// A comparison of the machines.
struct BitsPlan {
  std::vector<const Kernel*> kernels;
  std::uint64_t cases = 200;  ///< of each kernel
  std::uint64_t seed = 1;
  std::filesystem::path source_tree;
};

/// Runs every case on the host machine and on the device and compares all elements of all outputs. A kernel whose bits
/// no run repeats is judged by its bounds instead, over 20 launches a case. The body of a record: summary{kernels cases
/// elements differing failing}, rows[]{kernel source_digest seed cases elements differing digests[]}, of kernels judged
/// by bounds {kernel repeats launches failing}, differences[]{kernel family seed text}.
Json compare_machines(const BitsPlan& plan, const Tables& tables,
                      const std::function<void(std::size_t, std::size_t)>& progress);

/// Folders of records and the source tree that they speak of.
struct DeviceRecords {
  std::filesystem::path folder;  ///< of bits-<paper>.json, and of exceptions.toml: [[exception]] kernel, reason
  std::filesystem::path source_tree;
};

/// Whether a kernel's host build still returns the bits that the device returned.
struct RecordedBits {
  std::string wrong;      ///< empty if so; else which case differs, or that there is no record, and what to do
  std::size_t cases = 0;  ///< recomputed; none of a kernel that is listed as an exception
};

/// Recomputes `most` cases of the record, spread over all; all of them if the kernel's source is not what it was.
RecordedBits recompute_bits(const Kernel& kernel, const DeviceRecords& records, std::size_t most);

}  // namespace assay
