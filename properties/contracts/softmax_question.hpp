#pragma once

#include <cmath>

#include "properties/contracts/asked_case.hpp"

namespace assay::softmax_probes {

using enum Axis;

constexpr std::int64_t tile = 64;  ///< tokens a block, and keys or queries a tile

/// The logit whose power is nearest to a weight. Close to 1 logits are much denser than weights, so that any exp that
/// errs by less than a unit gives a weight of few bits as it is, but for rare luck.
inline double logit_of(double weight) { return static_cast<float>(std::log(weight)); }

/// A case of softmax attention or of its gradients, scale 1, that a kernel is asked. By blocks all are selected and
/// none has a gate.
class Question : public AskedCase {
 public:
  Question(const Kernel& kernel, const Shape& shape) : AskedCase(kernel, shape, {{"scale", 1}}) {
    const std::int64_t blocks = blocks_of(shape.tokens, tile);
    if (kernel.op->uses(slot)) {
      input().parameters.insert({{"b", tile}, {"position", 0}});
      size(slot) = size(block) = blocks;
    }
    add_tensors(input(), [](const TensorSpec&) { return false; });
    if (kernel.op->uses(slot)) select_all();
  }

  void set_q(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("q", query(n, t) * size(feature) + f, x); }
  void set_k(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("k", row(n, t) * size(feature) + f, x); }
  void set_v(std::int64_t n, std::int64_t t, std::int64_t j, double x) { set("v", row(n, t) * size(value) + j, x); }

  /// What gradients take of the forward pass, and of what follows it.
  void set_o(std::int64_t n, std::int64_t t, std::int64_t j, double x) { set("o", row(n, t) * size(value) + j, x); }
  void set_lse(std::int64_t n, std::int64_t t, double x) { set("lse", row(n, t), x); }
  void set_do(std::int64_t n, std::int64_t t, std::int64_t j, double x) { set("do", row(n, t) * size(value) + j, x); }

  double o(std::int64_t n, std::int64_t t, std::int64_t j) const {
    return returned("o", query(n, t) * size(value) + j);
  }
  double lse(std::int64_t n, std::int64_t t) const { return returned("lse", query(n, t)); }

  double dq(std::int64_t n, std::int64_t t, std::int64_t f) const {
    return returned("dq", row(n, t) * size(feature) + f);
  }
  double dk(std::int64_t n, std::int64_t t, std::int64_t f) const {
    return returned("dk", row(n, t) * size(feature) + f);
  }
  double dv(std::int64_t n, std::int64_t t, std::int64_t j) const {
    return returned("dv", row(n, t) * size(value) + j);
  }
  double d_log_gate(std::int64_t n, std::int64_t t, std::int64_t m) const {
    return returned("d_log_gate", row(n, t) * size(block) + m);
  }

 private:
  bool has_query_a_token() const { return has_rows_of_tokens(*kernel().op); }
  std::int64_t query(std::int64_t n, std::int64_t t) const { return has_query_a_token() ? row(n, t) : n; }

  void select_all() {
    const std::int64_t T = size(time), queries = has_query_a_token() ? size(sequences) * T : size(sequences);
    for (std::int64_t i = 0; i < queries; ++i) {
      const std::int64_t own = (has_query_a_token() ? i % T : T - 1) / tile;
      for (std::int64_t m = 0; m < size(slot); ++m)
        input().inputs.at("selected").as<std::int64_t>()[i * size(slot) + m] = m < own ? m : -1;
    }
  }
};

}  // namespace assay::softmax_probes
