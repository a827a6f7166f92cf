#pragma once

#include <string_view>

namespace assay::simt::runtime {

/// Throws Error if bytes around or between the rows of any device buffer have changed.
void require_intact_device_pads(std::string_view kernel);

}  // namespace assay::simt::runtime
