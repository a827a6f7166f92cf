#pragma once

namespace assay::simt::runtime {

/// Throws Error unless this OS thread rounds to nearest and keeps subnormal numbers.
void require_ieee_arithmetic();

}  // namespace assay::simt::runtime
