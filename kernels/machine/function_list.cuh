#pragma once

#include <string_view>

#include "simt/elementary.cuh"

namespace assay::elementary::functions {

// A function is a type: loops over 2^32 inputs want it inlined.
struct Exp {
  static constexpr std::string_view name = "exp";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::exp(x); }
};
struct Exp2 {
  static constexpr std::string_view name = "exp2";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::exp2(x); }
};
struct Exp2Quartic {
  static constexpr std::string_view name = "exp2_quartic";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::exp2_quartic(x); }
};
struct Log {
  static constexpr std::string_view name = "log";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::log(x); }
};
struct Sin {
  static constexpr std::string_view name = "sin";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::sin(x); }
};
struct Cos {
  static constexpr std::string_view name = "cos";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::cos(x); }
};
struct Tanh {
  static constexpr std::string_view name = "tanh";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::tanh(x); }
};
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::sigmoid(x); }
};
struct Rsqrt {
  static constexpr std::string_view name = "rsqrt";
  ASSAY_HOST_DEVICE static float value(float x) { return elementary::rsqrt(x); }
};

/// Calls use(F{}) for every function of simt/elementary.cuh.
template <class Use>
void for_each_function(Use use) {
  use(Exp{});
  use(Exp2{});
  use(Exp2Quartic{});
  use(Log{});
  use(Sin{});
  use(Cos{});
  use(Tanh{});
  use(Sigmoid{});
  use(Rsqrt{});
}

}  // namespace assay::elementary::functions
