#pragma once

#include <span>
#include <string>
#include <vector>

namespace assay {

/// Doubles as their bit patterns, 16 hexadecimal digits each: what JSON has no numbers for, too, comes back as it was.
std::string bit_text(std::span<const double> values);
std::vector<double> parse_bit_text(const std::string& text);  ///< throws RecordError

}  // namespace assay
