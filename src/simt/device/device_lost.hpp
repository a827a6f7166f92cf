#pragma once

#include "simt/options.hpp"

namespace assay::simt {

/// A kernel crashed on the GPU, or was stopped there: nothing more can run on it in this process.
struct DeviceLost : Error {
  using Error::Error;
};

}  // namespace assay::simt
