#pragma once

#include <nlohmann/json.hpp>

namespace assay {

/// version, commit, dirty, compiler, flags, host, device, driver: what a result may depend on.
nlohmann::ordered_json environment_json();

}  // namespace assay
