#pragma once

#include <functional>

namespace assay::simt::runtime {

/// Calls work() on this OS thread and on up to `helpers` others at once; returns when all calls have returned.
/// A forked child has no helpers. work() must share out what there is to do itself, and must not throw. Calls from
/// several OS threads may overlap.
void work_together(unsigned helpers, const std::function<void()>& work);

}  // namespace assay::simt::runtime
