#pragma once

#include <map>
#include <string_view>

#include "kernels/operator_builds.hpp"
#include "kernels/sas/powers.cuh"
#include "problem/operators/sas.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

/// What kernels of softmax attention take: dense or by selected blocks, of every token or of one query a
/// sequence.
template <class E>
struct Attention {
  using A = simt::Accumulator<E>;
  const E* q;                      // [queries, H, G, d]: a query a token, or one a sequence
  const E* k;                      // [tokens, H, d]
  const E* v;                      // [tokens, H, dv]
  const std::int64_t* selected;    // [queries, H, slots], in any order; others than blocks of the history: none
  const A* log_gate;               // [queries, H, blocks]; null: 0
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  E* o;                            // [queries, H, G, dv]
  A* lse;                          // [queries, H, G]
  A scale;
  bool sparse;   // by selected blocks
  bool outside;  // the gate is a factor of v
  int b;         // tokens a block
  int T, H, G, d, dv, slots, blocks;

  explicit Attention(const Call& call)
      : q(call.array<E>("q")),
        k(call.array<E>("k")),
        v(call.array<E>("v")),
        selected(call.array<std::int64_t>("selected")),
        log_gate(call.array<A>("log_gate")),
        cu_seqlens(call.array<std::int64_t>("cu_seqlens")),
        o(call.array<E>("o")),
        lse(call.array<A>("lse")),
        scale(simt::parameter_as<A>(call.parameter("scale"))),
        sparse(call.has("selected")),
        outside(sparse && call.parameter("position") == 1),
        b(sparse ? static_cast<int>(call.parameter("b")) : dense_block),
        T(static_cast<int>(call.size(Axis::time))),
        H(static_cast<int>(call.size(Axis::head))),
        G(static_cast<int>(call.size(Axis::group))),
        d(static_cast<int>(call.size(Axis::feature))),
        dv(static_cast<int>(call.size(Axis::value))),
        slots(static_cast<int>(call.size(Axis::slot))),
        blocks(static_cast<int>(call.size(Axis::block))) {}

  static constexpr int dense_block = 64;  ///< where there are no blocks, tiles need a size

  __device__ std::int64_t first_token(int n) const { return cu_seqlens ? cu_seqlens[n] : std::int64_t(n) * T; }
  __device__ std::int64_t length(int n) const { return cu_seqlens ? cu_seqlens[n + 1] - cu_seqlens[n] : T; }

  /// Whether a query of this row [queries, H], whose own block is `own`, sees tokens of a block, later ones aside.
  __device__ bool reads(std::int64_t row, std::int64_t own, std::int64_t block) const {
    if (!sparse || block == own) return block <= own;
    for (int i = 0; i < slots && block < own; ++i)
      if (selected[row * slots + i] == block) return true;
    return false;
  }

  /// log g of a block; 0 for the query's own.
  __device__ A gate(std::int64_t row, std::int64_t own, std::int64_t block) const {
    return log_gate == nullptr || block == own ? A(0) : log_gate[row * blocks + block];
  }
};

/// What the functions contribute to a contract.
template <class Functions = Portable>
std::map<std::string_view, double> softmax_ulps() {
  return {{"exp", Functions::Ulp::exp}, {"log", Functions::Ulp::log}};
}

/// Builds of a kernel for the dense operator and the one by blocks: calls add(builds) for each that the unit has.
template <class Add>
std::vector<Build> for_both_operators(const Operator& dense, const Operator& sparse, const Limits& limits, Add add) {
  std::vector<Build> all;
  for (const Operator* op : {&dense, &sparse}) {
    if (!only_kernel.empty() && only_kernel.substr(0, only_kernel.find('/')) != op->name) continue;
    OperatorBuilds builds(*op, limits);
    add(builds);
    all.insert(all.end(), builds.all().begin(), builds.all().end());
  }
  return all;
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
