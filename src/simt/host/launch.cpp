#include <atomic>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "simt/host/block.hpp"
#include "simt/host/faults.hpp"
#include "simt/host/floating_point.hpp"
#include "simt/host/machine.hpp"
#include "simt/host/regions.hpp"
#include "simt/host/workers.hpp"

namespace assay::simt::runtime {
namespace {

constexpr std::size_t static_shared_limit = 48 * 1024;  // compute capability 9.0
constexpr std::size_t shared_limit = 227 * 1024;

std::string text(dim3 shape) { return fmt::format("({}, {}, {})", shape.x, shape.y, shape.z); }

void require_shape(const Launch& launch, const KernelSymbols& symbols) {
  const auto refuse = [&](const std::string& rule) {
    throw Error(fmt::format("simt: kernel {}: {}", symbols.name, rule));
  };
  const dim3 b = launch.block;
  const dim3 g = launch.grid;
  const std::uint64_t threads = std::uint64_t{b.x} * b.y * b.z;
  if (threads == 0 || threads > max_threads || b.z > 64)
    refuse(fmt::format("block {}: needs 1 to {} threads, at most 64 along z", text(b), max_threads));
  if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
    refuse(fmt::format("grid {}: needs 1 to 2147483647, 65535, 65535 blocks", text(g)));
  if (symbols.shared_bytes > static_shared_limit)
    refuse(fmt::format("{} bytes of __shared__ arrays: at most {}", symbols.shared_bytes, static_shared_limit));
  if (symbols.shared_bytes + launch.shared_bytes > shared_limit)
    refuse(fmt::format("{} + {} bytes of static and dynamic shared memory: at most {}", symbols.shared_bytes,
                       launch.shared_bytes, shared_limit));
}

/// The blocks of a launch, handed out one by one.
class Blocks {
 public:
  Blocks(const Launch& launch, const KernelSymbols& symbols, const Options& options)
      : launch_(launch),
        symbols_(symbols),
        options_(options),
        count_(std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z) {
    if (options.schedule_seed != 0) order_ = Schedule::block_order(options.schedule_seed, count_);
  }

  std::uint64_t count() const { return count_; }

  /// Runs blocks until none is left or one has failed.
  void work() noexcept {
    thread_local Block block;
    try {
      require_ieee_arithmetic();
      catch_faults();
      block.prepare(launch_, symbols_, options_);
      for (std::uint64_t turn = next_++; turn < count_ && !failed_; turn = next_++)
        if (auto failure = block.run(order_.empty() ? turn : order_[turn])) note(turn, std::move(*failure));
    } catch (...) {
      const std::lock_guard lock(guard_);
      failed_ = true;
      thrown_ = std::current_exception();
    }
    const std::lock_guard lock(guard_);
    statistics_ += block.take_statistics();
  }

  /// Statistics of all, or the failure of the earliest block that failed.
  Statistics result() const {
    if (thrown_) std::rethrow_exception(thrown_);
    if (failure_) throw Error(explain(*failure_, symbols_.name));
    return statistics_;
  }

 private:
  // Blocks are handed out in order, so the earliest failure does not depend on the number of workers.
  void note(std::uint64_t turn, Failure failure) {
    const std::lock_guard lock(guard_);
    if (failure_ && failed_turn_ < turn) return;
    failed_ = true;
    failed_turn_ = turn;
    failure_ = std::move(failure);
  }

  const Launch& launch_;
  const KernelSymbols& symbols_;
  const Options& options_;
  const std::uint64_t count_;
  std::vector<std::uint64_t> order_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> failed_ = false;

  std::mutex guard_;
  std::uint64_t failed_turn_ = 0;
  std::optional<Failure> failure_;
  std::exception_ptr thrown_;
  Statistics statistics_;
};

unsigned worker_count(const Options& options, std::uint64_t blocks) {
  if (options.schedule_seed != 0 || options.check) return 1;
  const unsigned wanted = options.workers != 0 ? options.workers : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::uint64_t>(wanted, blocks));
}

}  // namespace

void launch(const Launch& launch) {
  if (Block* block = Block::current()) block->fail("a launch inside a kernel");
  Session& session = Session::current();
  const KernelSymbols& symbols = kernel_symbols(launch.kernel);
  require_shape(launch, symbols);
  Blocks blocks(launch, symbols, session.options());
  work_together(worker_count(session.options(), blocks.count()) - 1, [&] { blocks.work(); });
  Statistics statistics = blocks.result();
  statistics.launches = 1;
  session.add(statistics);
  if (session.options().check && statistics.accesses == 0)
    throw Error(fmt::format("simt: kernel {}: cannot be checked, for it was not built as `checked`", symbols.name));
  require_intact_pads(symbols.name);
}

}  // namespace assay::simt::runtime
