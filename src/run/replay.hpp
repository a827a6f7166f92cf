#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problem/exchange.hpp"
#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay {

/// Runs and judges the case of a folder with every one of these kernels, under a random schedule and the shadow checker
/// too, and tries the law on it if one is given. Returns the body of a verify record; `told` gets each mismatch block.
Json replay(const StoredCase& stored, const std::string& folder, const std::vector<const Kernel*>& kernels,
            const KernelLaw* law, const Tables& tables, const std::function<void(const std::string&)>& told);

}  // namespace assay
