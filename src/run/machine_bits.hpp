#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "problem/machine_results.hpp"
#include "record/record.hpp"

namespace assay {

/// The largest error of a function, and where it is attained.
struct LargestError {
  double error = 0;
  std::string unit;  ///< "ulp" or "relative"
  std::uint32_t at = 0;
  double stated = 0;
};

/// What one machine returned for one subject, held against the host machine.
struct MachineBitsRow {
  std::string subject, format, instruction;
  std::uint64_t outputs = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t digest = 0;       ///< of all outputs: the digests of the blocks, added modulo 2^64
  std::uint64_t first_block = 0;  ///< digest of the first block
  std::optional<LargestError> largest_error;
};

/// A row, and for people the first output that differs: "normal bf16 wgmma.m64n8k16: a = …: host 3f800000, device …".
struct ComparedRow {
  MachineBitsRow row;
  std::string first_difference;
};

/// The digests of all blocks. `advance` is told how many more are done.
std::vector<std::uint64_t> block_digests(const MachineResults& results,
                                         const std::function<void(std::size_t)>& advance);

/// The row of results of which nothing differs.
MachineBitsRow row_of(const MachineResults& results, const std::vector<std::uint64_t>& digests);

/// The device's results against the host's, block by block, and where digests differ output by output.
ComparedRow compare(const MachineResults& host, const std::vector<std::uint64_t>& host_digests,
                    const MachineResults& device, const std::vector<std::uint64_t>& device_digests);

/// What the rows call their subject: the class of inputs of a sum, a function, or the table of an instruction.
inline constexpr const char* class_key = "class";
inline constexpr const char* function_key = "function";
inline constexpr const char* table_key = "table";

/// summary and rows of a record.
Json machine_bits_json(const std::vector<MachineBitsRow>& rows, const std::string& subject_key);

/// The rows of a record. Throws RecordError where it is another kind of record; `file` names it.
std::vector<MachineBitsRow> machine_bits_rows(const Json& record, const std::string& subject_key,
                                              const std::string& file);

/// The first block of a row alone, or all of it.
enum class Extent { first_block, whole };

/// Where a recorded row is not what the host machine computes: one line, or nothing.
std::string disagreement(const MachineBitsRow& recorded, const MachineResults& host, Extent extent,
                         const std::function<void(std::size_t)>& advance = {});

}  // namespace assay
