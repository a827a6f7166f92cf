#pragma once

#include <cstddef>

#if defined(__CUDACC__)
#include <vector_types.h>
#else
#include "simt/host/vector_types.hpp"
#endif

namespace assay::simt {

/// The shape of a launch.
struct Grid {
  dim3 blocks;
  dim3 threads;                  ///< of a block
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
};

}  // namespace assay::simt
