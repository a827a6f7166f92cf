#include "oracle/sfda/plain.hpp"

#include "oracle/certified_value.hpp"
#include "oracle/sfda/rounded_head.hpp"

namespace assay::sfda {
namespace {

/// float32 rounds every number by itself; functions are as wrong as the contract allows.
struct PlainSteps {
  const Contract& contract;
  std::uint64_t run;

  float elementary(std::string_view function, double x, double y) const {
    return plain::elementary(contract, function, x, y, run);
  }
  template <class A, class B>
  static auto decayed(const A& a, const B& b) {
    return a * b;
  }
  template <class K>
  static K product(float a, const K& b) {
    return K(a) * b;
  }
  static float accumulate(float x) { return x; }
  static float state(float x) { return x; }
  static plain::Accumulator sum(Product product) { return plain::Accumulator(product); }
};

template <class K>
void write_head(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Draw& draw, Tensors& out) {
  const PlainSteps steps{contract, draw.bits()};
  const Run<K> run = RoundedHead<K, PlainSteps>(c, contract, n, h, draw, steps).result();
  for_every_row(c, n, h, run, [&](const std::string& name, std::size_t first, std::span<const float> row) {
    Tensor& tensor = out.at(name);
    const bool is_output = name.starts_with("o");
    for (std::size_t j = 0; j < row.size(); ++j)
      tensor.set(static_cast<std::int64_t>(first + j), is_output ? plain::in_format(row[j], contract.output) : row[j]);
  });
}

}  // namespace

Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out = empty_outputs(c, contract.output);
  Draw draw(order, "order of sums", 0);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      is_complex(c) ? write_head<Cx<float>>(c, contract, n, h, draw, out)
                    : write_head<float>(c, contract, n, h, draw, out);
  return out;
}

}  // namespace assay::sfda
