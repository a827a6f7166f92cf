#pragma once

#include <string>
#include <string_view>

#include "problem/precision.hpp"
#include "properties/contracts/sum_site.hpp"

namespace assay {

/// A way in which a float32 may be changed before it is multiplied.
struct OperandRounding {
  std::string_view name;  ///< "tf32 rna"
  double (*apply)(double);
};

/// The one that a contract states for a number kept in a format and multiplied by tiles, or in float32.
const OperandRounding& stated_rounding(const Contract& contract, Format kept, bool by_tiles);

/// That of a tensor kept in this format.
const OperandRounding& rounding_to(Format format);

/// Compares the factor `of_a` (or b) of the site's products with the stated rounding: numbers on both sides of every
/// boundary of the known roundings, halfway cases and 1 + 2^-k for every k, as far as the case holds them. Empty if
/// every one comes out as stated, or if the site has one such term; otherwise the first that does not, and the
/// roundings that explain all.
std::string operand_fault(const SumSite& site, bool of_a, const OperandRounding& stated);

/// The same for any number that the kernel hands through: `seen(x)` is what comes out.
std::string handed_through_fault(std::string_view what, Format held, const OperandRounding& stated,
                                 const std::function<Terms(const Terms&)>& seen);

}  // namespace assay
