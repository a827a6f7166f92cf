#include "oracle/sfda/compose_plain.hpp"

#include <vector>

#include <fmt/format.h>

#include "arith/inexact_flag.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/sfda/compose_plan.hpp"
#include "oracle/sfda/given_maps.hpp"

namespace assay::sfda {
namespace {

/// The maps of a sequence as one, in the contract's order; compose(second, first, token) makes a node.
template <class R, class Compose>
Affine<Cx<R>> composed_as(const Contract& contract, const std::vector<Affine<Cx<R>>>& given, Compose compose) {
  const ComposePlan plan = compose_plan(contract.algorithm, given.size());
  std::vector<Affine<Cx<R>>> nodes(given.size());
  const auto at = [&](const MapPlace& place) -> const Affine<Cx<R>>& {
    return (place.is_node ? nodes : given)[place.token];
  };
  for (const ComposeStep& step : plan.steps) nodes[step.token] = compose(at(step.second), at(step.first), step.token);
  return at(plan.root);
}

Matrix<Cx<float>> plain_product(const Matrix<Cx<float>>& a, const Matrix<Cx<float>>& b,
                                const std::vector<std::size_t>& order) {
  Matrix<Cx<float>> result(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.cols(); ++j) {
      plain::Accumulator re(Product::fma), im(Product::fma);
      for (const std::size_t k : order) {
        re.add(a(i, k).re, b(k, j).re);
        re.add(-a(i, k).im, b(k, j).im);
        im.add(a(i, k).re, b(k, j).im);
        im.add(a(i, k).im, b(k, j).re);
      }
      result(i, j) = {re.value(), im.value()};
    }
  return result;
}

/// Where an entry cannot be summed in float32 in any order.
class Roundings {
 public:
  using Number = Cx<FlaggedNumber>;

  Affine<Number> compose(const Affine<Number>& second, const Affine<Number>& first, std::size_t token) {
    Affine<Number> map = composed(second, first);
    finish(map.A, "P", token);
    finish(map.B, "Z", token);
    return map;
  }
  const std::string& found() const { return found_; }

 private:
  void finish(Matrix<Number>& matrix, std::string_view name, std::size_t token) {
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      for (Number& x : matrix.row(i)) x = {whole(x.re, name, token), whole(x.im, name, token)};
  }
  FlaggedNumber whole(const FlaggedNumber& x, std::string_view name, std::size_t token) {
    const FlaggedNumber sum = x.summed(float32_format).rounded(float32_format);
    if (sum.inexact() && found_.empty())
      found_ = fmt::format("{} = {} at the node of token {} is rounded", name, x.value(), token);
    return FlaggedNumber(sum.value());
  }

  std::string found_;
};

}  // namespace

Tensors plain_composition(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_result(spec.role)) out.emplace(spec.name, Tensor(Format::f32, spec.shape(c.sizes)));
  Draw draw(order, "order of sums", 0);
  const auto features = plain::shuffled(static_cast<std::size_t>(c.sizes[Axis::feature]), draw);
  const auto compose = [&](const Affine<Cx<float>>& second, const Affine<Cx<float>>& first, std::size_t) {
    return Affine<Cx<float>>{plain_product(second.A, first.A, features),
                             plain_product(second.A, first.B, features) + second.B};
  };
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    const auto given = given_maps<float>(c, n, h);
    const auto map = given.empty() ? composition_of<float>(c, n, h) : composed_as(contract, given, compose);
    put_map(map, "P", "Z", state_index(c, n, h), [&](const std::string& name, std::size_t at, float x) {
      out.at(name).set(static_cast<std::int64_t>(at), x);
    });
  });
  return out;
}

std::string rounding_of_composition(const Case& c, const Contract& contract) {
  Roundings roundings;
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    const auto given = given_maps<FlaggedNumber>(c, n, h);
    if (given.empty()) return;
    composed_as(contract, given, [&](const auto& second, const auto& first, std::size_t token) {
      return roundings.compose(second, first, token);
    });
  });
  return roundings.found();
}

}  // namespace assay::sfda
