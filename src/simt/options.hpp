#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace assay::simt {

/// The two words that fill memory nobody has written yet: outputs that depend on such memory differ between them.
inline constexpr std::uint32_t poison_a = 0xffffffff;  ///< NaN in every format
inline constexpr std::uint32_t poison_b = 0x7e967699;  ///< 1e38 as float32; finite as two bf16 or fp16

/// How the launches of a session run.
struct Options {
  unsigned workers = 0;                 ///< OS threads that share the blocks of a launch; 0: one a core
  std::uint64_t schedule_seed = 0;      ///< 0: threads and blocks in order; else both in random order, with one worker
  std::uint32_t poison = poison_a;      ///< fills shared memory, new buffers, their pads and stride gaps
  bool check = false;                   ///< races, uninitialised reads, bounds: needs the `checked` build of a kernel
  std::size_t stack_bytes = 64 * 1024;  ///< call stack of one CUDA thread on the host
};

/// What launches did, for accounts of cost.
struct Statistics {
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::uint64_t barriers = 0;         ///< arrivals of threads at block barriers
  std::uint64_t warp_operations = 0;  ///< arrivals of lanes at warp operations
  std::uint64_t mma = 0;              ///< tensor-core instructions
  std::uint64_t macs = 0;             ///< multiply-adds of tile products, on tensor cores or not
  std::uint64_t switches = 0;         ///< changes from one thread to another
  std::uint64_t accesses = 0;         ///< announced to the shadow checker

  Statistics& operator+=(const Statistics& other);
};

/// A kernel, or its launch, broke a rule: one line with kernel, block, thread, place and rule.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// While it lives, launches of this OS thread use its options and add to its statistics. Sessions nest.
class Session {
 public:
  explicit Session(Options options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Options& options() const { return options_; }
  const Statistics& statistics() const { return statistics_; }
  void add(const Statistics& more) { statistics_ += more; }

  /// The innermost session of this OS thread; one with default options where there is none.
  static Session& current();

 private:
  Options options_;
  Statistics statistics_;
  Session* outer_;
};

}  // namespace assay::simt
