#include "simt/host/thread_index.hpp"

__thread uint3 threadIdx = {0, 0, 0};
__thread uint3 blockIdx = {0, 0, 0};
__thread dim3 blockDim = {1, 1, 1};
__thread dim3 gridDim = {1, 1, 1};
