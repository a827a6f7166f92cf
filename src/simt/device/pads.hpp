#pragma once

#include <string_view>

namespace assay::simt::runtime {

/// Starts to look whether bytes around or between the rows of any device buffer have changed. Throws Error with the
/// action.
void look_at_device_pads(std::string_view action);

/// Throws Error if the last look found one; the GPU must have been waited for since.
void require_intact_device_pads(std::string_view kernel);

}  // namespace assay::simt::runtime
