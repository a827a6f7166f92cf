#pragma once

#include <vector>

#include "judge/verdict.hpp"

namespace assay {

/// Outputs named "o", with their truth and allowances.
struct Outputs {
  Tensors got;
  References want;
  Allowances allowed;
};

/// An f32 output of these numbers whose truth is known exactly, with one bound for all.
inline Outputs outputs_of(const std::vector<double>& got, const std::vector<double>& want, double bound) {
  const Shape shape = {static_cast<std::int64_t>(got.size())};
  Outputs x;
  Tensor& tensor = x.got.emplace("o", Tensor(Format::f32, shape)).first->second;
  for (std::size_t i = 0; i < got.size(); ++i) tensor.set(static_cast<std::int64_t>(i), got[i]);
  const std::vector<double> zeros(got.size(), 0.0), bounds(got.size(), bound);
  x.want.emplace("o", Reference{shape, want, zeros, zeros});
  x.allowed.emplace("o", Allowance{bounds, bounds, {}});
  return x;
}

/// One number, its truth and everything that a verdict is made of.
struct OneElement {
  double got = 1, want = 1, want_low = 0, radius = 0, statistical = 0, deterministic = 0;
  bool determined = true;

  Judgement judged() const {
    Outputs x = outputs_of({got}, {want}, statistical);
    x.want.at("o").lo = {want_low};
    x.want.at("o").radius = {radius};
    x.allowed.at("o").deterministic = {deterministic};
    if (!determined) x.allowed.at("o").degenerate = {true};
    return judge(x.got, x.want, x.allowed);
  }
};

}  // namespace assay
