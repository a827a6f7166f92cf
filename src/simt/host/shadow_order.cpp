#include "simt/host/shadow_order.hpp"

#include <algorithm>
#include <atomic>

namespace assay::simt::runtime {
namespace {

std::atomic<std::uint32_t> last_run = 0;

}  // namespace

void ShadowOrder::begin_launch() { first_run_ = last_run + 1; }

void ShadowOrder::begin_block(int threads) {
  run_ = ++last_run;
  epoch_ = 0;
  seen_.assign(static_cast<std::size_t>(threads), Clocks{});
}

void ShadowOrder::warp_barrier(int warp, std::uint32_t mask) {
  Clocks joined = {};
  const auto for_lanes = [&](auto&& action) {
    for (int lane = 0; lane < warp_lanes; ++lane)
      if ((mask >> lane & 1) != 0) action(lane, seen_[static_cast<std::size_t>(warp * warp_lanes + lane)]);
  };
  for_lanes([&](int lane, Clocks& seen) {
    ++seen[static_cast<std::size_t>(lane)];
    for (std::size_t l = 0; l < joined.size(); ++l) joined[l] = std::max(joined[l], seen[l]);
  });
  for_lanes([&](int, Clocks& seen) { seen = joined; });
}

Stamp ShadowOrder::stamp(int thread, AccessKind kind, const void* code) const {
  const auto t = static_cast<std::size_t>(thread);
  return {run_, epoch_, seen_[t][t % warp_lanes], static_cast<std::uint16_t>(thread), kind, code};
}

bool ShadowOrder::ordered(const Stamp& earlier, int thread) const {
  if (earlier.run < first_run_) return true;
  if (earlier.run != run_) return false;
  if (earlier.thread == thread || earlier.epoch < epoch_) return true;
  const bool same_warp = earlier.thread / warp_lanes == thread / warp_lanes;
  return same_warp && earlier.clock < seen_[static_cast<std::size_t>(thread)][earlier.thread % warp_lanes];
}

}  // namespace assay::simt::runtime
