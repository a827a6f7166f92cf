#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/computation.hpp"
#include "problem/printed_number.hpp"

namespace assay {

/// A quantity computed anew: a number, or all that the printed inputs allow.
struct Quantity {
  std::string name;
  Interval value;
};

/// The number printed in a cell of one of the claim's tables.
Interval printed_cell(const Published& published, std::string_view table, std::string_view row,
                      std::string_view column);

/// "name = 14.37696, printed 14.377 [14.3765, 14.3775]"
std::string beside_printed(const Quantity& quantity, std::string_view printed_text);

/// Whether one value can be both.
bool may_be_equal(const Interval& a, const Interval& b);

/// Holds each quantity against the published value of its name: proven if every one may be its rounding, else refuted.
/// Throws where a quantity is not published or a published value is not computed.
Finding compare_with_published(const Published& published, const std::vector<Quantity>& quantities);

/// "a; b; c"
std::string joined(const std::vector<std::string>& parts);

/// Proven if the statement holds, else refuted; `evidence` gives its numbers.
Finding settled_by(bool holds, std::string evidence);

/// Computations that serve the claims of every paper.
std::vector<Computation> published_computations();

}  // namespace assay
