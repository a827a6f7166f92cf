#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay {

/// Results that a machine computes from counters, in blocks of one size, as 32-bit words. Another machine's results of
/// the same subject and format must have the same bits.
struct MachineResults {
  std::string subject;      ///< class of inputs, or function
  std::string format;       ///< of the operands
  std::string instruction;  ///< of tensor cores; empty: none
  std::uint64_t blocks = 0;
  std::uint64_t block_size = 0;
  /// One digest a block, from `first` on.
  std::function<std::vector<std::uint64_t>(std::uint64_t first, std::uint64_t count)> digests;
  /// The results of one block.
  std::function<std::vector<std::uint32_t>(std::uint64_t block)> bits;
  /// What the result number `index` of all blocks is computed from, in hexadecimal.
  std::function<std::string(std::uint64_t index)> inputs;

  std::uint64_t size() const { return blocks * block_size; }
};

}  // namespace assay
