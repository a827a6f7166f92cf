#pragma once

#include <array>
#include <string_view>

namespace assay {

/// The kinds of steps at which a kernel rounds, as causes of its error.
enum class StepKind {
  elementary,  ///< a decay and its phase: exp, cos, sin
  decayed,     ///< a number times a decay, or a product of decays
  product,     ///< another product that is rounded by itself
  operand,     ///< a factor of a tile product, cut to the format in which it enters
  accumulate,  ///< a sum
  state,       ///< an entry of the state as it is kept from token to token or chunk to chunk
  output,      ///< an entry of the result in its format
};

inline constexpr std::array all_step_kinds = {StepKind::elementary, StepKind::decayed,    StepKind::product,
                                              StepKind::operand,    StepKind::accumulate, StepKind::state,
                                              StepKind::output};

std::string_view name_of(StepKind kind);

}  // namespace assay
