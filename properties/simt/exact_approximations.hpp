#pragma once

#include "properties/simt/exact_functions.hpp"
#include "simt/approximate/instructions.hpp"
#include "simt/approximate/libdevice.hpp"
#include "simt/approximate/max_errors.hpp"

/// Approximate instructions and libdevice's functions with what they have to equal and the error that is stated of
/// them. Those that have no largest error in ulps are left out.
namespace assay::exact_functions {

struct Reciprocal : Function {
  static constexpr Symmetry symmetry = Symmetry::odd;
  static bool in_domain(float x) { return std::isfinite(x) && x != 0; }
  static double limit(float x) { return 1 / double{x}; }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return 1 / y; });
  }
  static Pairs pairs(std::span<const float> x) {
    return pairs_of(lanes_of(x, [](float y) { return DoubleDouble(1) / DoubleDouble(y); }),
                    {double_double_bound::quotient, double_double_bound::underflow});
  }
  static Arb ball(const Arb& x) { return Arb(1) / x; }
};

inline constexpr float least_normal = 0x1p-126f;

/// 0 below -126, as exp2_quartic.
struct Ex2Ftz : Exp2Quartic {
  static constexpr std::string_view name = "ex2.approx.ftz.f32";
  static constexpr double stated = simt::approximate::max_ulp::ex2_ftz;
  static constexpr ErrorUnit unit = ErrorUnit::ulp;
  static float value(float x) { return simt::approximate::ex2_ftz(x); }
};
struct Ex2 : Exp2 {
  static constexpr std::string_view name = "ex2.approx.f32";
  static constexpr double stated = simt::approximate::max_ulp::ex2;
  static float value(float x) { return simt::approximate::ex2(x); }
};
struct RcpFtz : Reciprocal {
  static constexpr std::string_view name = "rcp.approx.ftz.f32";
  static constexpr double stated = simt::approximate::max_ulp::rcp_ftz;
  static bool in_domain(float x) { return std::abs(x) >= least_normal && std::abs(x) <= 0x1p126f; }
  static double limit(float x) {
    return std::abs(x) < least_normal ? std::copysign(INFINITY, x) : std::copysign(x == x ? 0.0 : NAN, x);
  }
  static float value(float x) { return simt::approximate::rcp_ftz(x); }
};
struct Rcp : Reciprocal {
  static constexpr std::string_view name = "rcp.approx.f32";
  static constexpr double stated = simt::approximate::max_ulp::rcp;
  static float value(float x) { return simt::approximate::rcp(x); }
};
struct RsqrtFtz : Rsqrt {
  static constexpr std::string_view name = "rsqrt.approx.ftz.f32";
  static constexpr double stated = simt::approximate::max_ulp::rsqrt_ftz;
  static bool in_domain(float x) { return std::isfinite(x) && x >= least_normal; }
  static double limit(float x) { return std::abs(x) < least_normal ? std::copysign(INFINITY, x) : Rsqrt::limit(x); }
  static float value(float x) { return simt::approximate::rsqrt_ftz(x); }
};
struct Rsqrtf : Rsqrt {
  static constexpr std::string_view name = "rsqrtf";
  static constexpr double stated = simt::libdevice::max_ulp::rsqrtf;
  static float value(float x) { return simt::approximate::rsqrt(x); }
};
struct TanhApprox : Tanh {
  static constexpr std::string_view name = "tanh.approx.f32";
  static constexpr double stated = simt::approximate::max_ulp::tanh;
  static float value(float x) { return simt::approximate::tanh(x); }
};
struct ExpIntrinsic : Exp {
  static constexpr std::string_view name = "__expf";
  static constexpr double stated = simt::approximate::max_ulp::exp;
  static float value(float x) { return simt::approximate::exp(x); }
};
struct Expf : Exp {
  static constexpr std::string_view name = "expf";
  static constexpr double stated = simt::libdevice::max_ulp::expf;
  static float value(float x) { return simt::libdevice::expf(x); }
};
struct Exp2f : Exp2 {
  static constexpr std::string_view name = "exp2f";
  static constexpr double stated = simt::libdevice::max_ulp::exp2f;
  static float value(float x) { return simt::libdevice::exp2f(x); }
};
struct Logf : Log {
  static constexpr std::string_view name = "logf";
  static constexpr double stated = simt::libdevice::max_ulp::logf;
  static float value(float x) { return simt::libdevice::logf(x); }
};
struct Sinf : Sin {
  static constexpr std::string_view name = "sinf";
  static constexpr double stated = simt::libdevice::max_ulp::sinf;
  static float value(float x) { return simt::libdevice::sinf(x); }
};
struct Cosf : Cos {
  static constexpr std::string_view name = "cosf";
  static constexpr double stated = simt::libdevice::max_ulp::cosf;
  static float value(float x) { return simt::libdevice::cosf(x); }
};
struct Tanhf : Tanh {
  static constexpr std::string_view name = "tanhf";
  static constexpr double stated = simt::libdevice::max_ulp::tanhf;
  static float value(float x) { return simt::libdevice::tanhf(x); }
};

/// Calls use(F{}) for every approximation that has a largest error.
template <class Use>
void for_each_approximation(Use use) {
  use(Ex2Ftz{});
  use(Ex2{});
  use(RcpFtz{});
  use(Rcp{});
  use(RsqrtFtz{});
  use(Rsqrtf{});
  use(TanhApprox{});
  use(ExpIntrinsic{});
  use(Expf{});
  use(Exp2f{});
  use(Logf{});
  use(Sinf{});
  use(Cosf{});
  use(Tanhf{});
}

}  // namespace assay::exact_functions
