#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "run/isolated.hpp"

namespace assay {

/// Jobs with a GPU run in processes of their own: one that has used a GPU must not be forked.
std::vector<JobAnswer> answers_on_gpu(std::size_t count, const std::function<std::string(std::size_t)>& job,
                                      double seconds = 60);

/// Why there is no GPU; empty where there is one.
std::string no_gpu();

}  // namespace assay
