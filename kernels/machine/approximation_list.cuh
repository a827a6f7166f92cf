#pragma once

#include <string_view>

#include "kernels/machine/counter.cuh"
#include "simt/approximate.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

#define ASSAY_APPROXIMATION(Type, text, expression)               \
  struct Type {                                                   \
    static constexpr std::string_view name = text;                \
    __device__ static float value(float x) { return expression; } \
  };

ASSAY_APPROXIMATION(Ex2, "ex2.approx.f32", simt::ex2_approx(x))
ASSAY_APPROXIMATION(Ex2Ftz, "ex2.approx.ftz.f32", simt::ex2_approx_ftz(x))
ASSAY_APPROXIMATION(Lg2, "lg2.approx.f32", simt::lg2_approx(x))
ASSAY_APPROXIMATION(Lg2Ftz, "lg2.approx.ftz.f32", simt::lg2_approx_ftz(x))
ASSAY_APPROXIMATION(Rcp, "rcp.approx.f32", simt::rcp_approx(x))
ASSAY_APPROXIMATION(RcpFtz, "rcp.approx.ftz.f32", simt::rcp_approx_ftz(x))
ASSAY_APPROXIMATION(Rsqrt, "rsqrt.approx.f32", simt::rsqrt_approx(x))
ASSAY_APPROXIMATION(RsqrtFtz, "rsqrt.approx.ftz.f32", simt::rsqrt_approx_ftz(x))
ASSAY_APPROXIMATION(Sin, "sin.approx.f32", simt::sin_approx(x))
ASSAY_APPROXIMATION(SinFtz, "sin.approx.ftz.f32", simt::sin_approx_ftz(x))
ASSAY_APPROXIMATION(Cos, "cos.approx.f32", simt::cos_approx(x))
ASSAY_APPROXIMATION(CosFtz, "cos.approx.ftz.f32", simt::cos_approx_ftz(x))
ASSAY_APPROXIMATION(Tanh, "tanh.approx.f32", simt::tanh_approx(x))
ASSAY_APPROXIMATION(ExpIntrinsic, "__expf", __expf(x))
ASSAY_APPROXIMATION(LogIntrinsic, "__logf", __logf(x))
ASSAY_APPROXIMATION(Log2Intrinsic, "__log2f", __log2f(x))
ASSAY_APPROXIMATION(SinIntrinsic, "__sinf", __sinf(x))
ASSAY_APPROXIMATION(CosIntrinsic, "__cosf", __cosf(x))
ASSAY_APPROXIMATION(Rsqrtf, "rsqrtf", rsqrtf(x))
ASSAY_APPROXIMATION(Expf, "expf", expf(x))
ASSAY_APPROXIMATION(Exp2f, "exp2f", exp2f(x))
ASSAY_APPROXIMATION(Logf, "logf", logf(x))
ASSAY_APPROXIMATION(Sinf, "sinf", sinf(x))
ASSAY_APPROXIMATION(Cosf, "cosf", cosf(x))
ASSAY_APPROXIMATION(Tanhf, "tanhf", tanhf(x))

#undef ASSAY_APPROXIMATION

/// Any float over x: it follows from x as counter.cuh's numbers do.
struct Quotient {
  static constexpr std::string_view name = "__fdividef";
  __device__ static float value(float x) {
    return __fdividef(float_from_bits(static_cast<std::uint32_t>(generated::mixed(float_bits(x)))), x);
  }
};

/// The types of a list.
template <class... Fs>
struct FunctionList {
  /// Calls use(F{}) for each.
  template <class Use>
  static void for_each(Use use) {
    (use(Fs{}), ...);
  }
};

using Approximations = FunctionList<Ex2, Ex2Ftz, Lg2, Lg2Ftz, Rcp, RcpFtz, Rsqrt, RsqrtFtz, Sin, SinFtz, Cos, CosFtz,
                                    Tanh, ExpIntrinsic, LogIntrinsic, Log2Intrinsic, SinIntrinsic, CosIntrinsic,
                                    Quotient, Rsqrtf, Expf, Exp2f, Logf, Sinf, Cosf, Tanhf>;

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
