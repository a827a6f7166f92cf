#pragma once

#include <string>
#include <vector>

#include "arith/complex.hpp"
#include "arith/prime_field.hpp"
#include "problem/kernel.hpp"
#include "problem/tensor.hpp"

namespace assay {

/// Allocates nothing, decides nothing: picks an instance and launches it.
using Entry = void (*)(const Call&);

/// One kernel as one compiler built it.
struct Build {
  std::string name;  ///< "<operator>/<algorithm>.<format>"
  const Operator* op = nullptr;
  Contract contract;
  Limits limits;
  Entry entry = nullptr;
  Entry over_gf61 = nullptr;  ///< null where the kernel was not built over fields
  Entry over_gf31 = nullptr;
};

/// The build of Kernel<E>, of float formats only: it computes elementary functions.
template <template <class> class Kernel, class E>
Build real_build(const std::string& algorithm, const Operator& op, const Contract& contract, const Limits& limits) {
  return {std::string(op.name) + "/" + algorithm, &op, contract, limits, &Kernel<E>::launch};
}

/// The build of Kernel<E>; with g++ also over both prime fields.
template <template <class> class Kernel, class E>
Build build(const std::string& algorithm, const Operator& op, const Contract& contract, const Limits& limits) {
  Build b = real_build<Kernel, E>(algorithm, op, contract, limits);
#if !defined(__CUDACC__)
  b.over_gf61 = &Kernel<F61>::launch;
  b.over_gf31 = &Kernel<F31>::launch;
#endif
  return b;
}

}  // namespace assay
