#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace assay {

/// version, commit, dirty, compiler, flags, host, device, driver: what a result may depend on.
nlohmann::ordered_json environment_json();

/// What environment_json calls device and driver from now on; null until then.
void name_device(const std::string& device, const std::string& driver);

/// Whether it was called: kernels run on a GPU.
bool names_device();

}  // namespace assay
