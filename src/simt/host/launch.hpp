#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "simt/buffer.hpp"
#include "simt/grid.hpp"
#include "simt/host/machine.hpp"
#include "simt/machine_name.hpp"
#include "simt/options.hpp"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// The machine whose kernels this translation unit builds.
inline constexpr Machine machine = Machine::host;

/// Where a call stands in the source: the default argument of operations that may fail.
using Place = runtime::Place;

/// This thread's lane in its warp.
inline int lane_id() { return runtime::lane(); }

/// The block's dynamic shared memory, as an array of T.
template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(runtime::dynamic_shared());
}

/// Runs kernel(arguments…) in every thread of the grid and waits. Throws Error.
template <class... Parameters, class... Arguments>
void launch(Grid grid, void (*kernel)(Parameters...), Arguments&&... arguments) {
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  };
  const Call call = {kernel, {static_cast<Parameters>(std::forward<Arguments>(arguments))...}};
  const auto body = [](const void* what) {
    const Call& one = *static_cast<const Call*>(what);
    std::apply(one.kernel, one.arguments);
  };
  runtime::launch({.grid = grid.blocks,
                   .block = grid.threads,
                   .shared_bytes = grid.shared_bytes,
                   .kernel = reinterpret_cast<const void*>(kernel),
                   .body = body,
                   .arguments = &call,
                   .arguments_bytes = sizeof call});
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
