#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "problem/case_mix.hpp"
#include "properties/contracts/sum_site.hpp"

namespace assay {

/// A case of one head, all zeros, that a kernel is asked, and what it returned.
class AskedCase {
 public:
  struct Shape {
    std::int64_t sequences = 1, tokens = 1, dimensions = 1, values = 1;
  };

  void ask() { outputs_ = kernel_.run(case_, {}).outputs; }

 protected:
  AskedCase(const Kernel& kernel, const Shape& shape, const Parameters& parameters) : kernel_(kernel) {
    case_.op = kernel.op;
    case_.family = "probe";
    case_.element = kernel.contract.input;
    case_.standard = Standard::laws;
    case_.parameters = parameters;
    size(Axis::batch) = size(Axis::sequences) = shape.sequences;
    size(Axis::bounds) = shape.sequences + 1;
    size(Axis::time) = shape.tokens;
    size(Axis::feature) = shape.dimensions;
    size(Axis::value) = shape.values;
  }

  const Kernel& kernel() const { return kernel_; }
  Case& input() { return case_; }
  std::int64_t& size(Axis axis) { return case_.sizes[axis]; }
  std::int64_t size(Axis axis) const { return case_.sizes[axis]; }

  /// Row t of sequence n.
  std::int64_t row(std::int64_t n, std::int64_t t) const { return n * size(Axis::time) + t; }

  void set(std::string_view tensor, std::int64_t i, double x) { case_.inputs.find(tensor)->second.set(i, x); }
  double returned(std::string_view tensor, std::int64_t i) const { return outputs_.find(tensor)->second.value(i); }

 private:
  const Kernel& kernel_;
  Case case_;
  Tensors outputs_;
};

/// One row of terms a column, in as many sequences of at most `widest` columns as that takes.
struct Columns {
  std::int64_t rows, width;

  Columns(std::int64_t widest, const std::vector<Terms>& all)
      : rows(std::ssize(all)), width(std::min<std::int64_t>(widest, rows)) {}

  std::int64_t sequences() const { return (rows + width - 1) / width; }

  /// Calls see(row, n, j): column j of sequence n.
  template <class See>
  void for_each(See see) const {
    for (std::int64_t i = 0; i < rows; ++i) see(i, i / width, i % width);
  }
};

}  // namespace assay
