#pragma once

#include <string>

namespace assay::simt_laws::device {

// Each launches on a GPU and returns what is wrong, or nothing.

/// Two launches that hand a workspace on, replayed after its buffer is gone and the output overwritten.
std::string wrong_with_replay();
/// Memory that a recording keeps, while it lives and afterwards.
std::string wrong_with_kept_memory();
/// Times of one long launch, and of it twice.
std::string wrong_with_times();
/// A recording while there is another.
std::string wrong_with_a_second_recording();

}  // namespace assay::simt_laws::device
