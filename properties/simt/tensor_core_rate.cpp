#include "properties/simt/tensor_core_rate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arith/tensor_core.hpp"
#include "properties/arith/tensor_core_cases.hpp"

namespace assay {
namespace {

constexpr int tiles = 64;  // their operands stay in the cache
constexpr int outputs_a_tile = 16 * 8;

template <class T>
BenchRow rate_of(const generated::TensorCoreClass& kind) {
  constexpr int K = tensor_core::block_length<T>;
  Draw draw(1, kind.name, 0);
  std::vector<TensorCoreCase<T>> cases;
  for (int i = 0; i < tiles; ++i) cases.push_back(draw_case<T, K>(kind, draw));
  std::vector<float> d(outputs_a_tile);
  constexpr int calls = 100, repeats = 10;
  const double seconds = fastest_seconds(calls, [&] {
    for (int i = 0; i < repeats; ++i)
      for (const auto& one : cases) tensor_core::mma_m16n8<T>(one.a.data(), one.b.data(), one.c.data(), d.data());
  });
  const double each = seconds / (repeats * tiles * outputs_a_tile);
  return {.name = fmt::format("tensor_core.mma_m16n8.{} {}", format_of<T>.name, kind.name),
          .seconds = each,
          .unit = fmt::format("dot product of {}", K),
          .reference = {},
          .peak_bytes = {},
          .text = fmt::format("{:.0f} million a second", 1e-6 / each)};
}

}  // namespace

std::vector<BenchRow> tensor_core_rates() {
  std::vector<BenchRow> rows;
  for (const generated::TensorCoreClass& kind : generated::tensor_core_classes()) {
    if (kind.name != "normal" && kind.name != "subnormal result") continue;
    rows.push_back(rate_of<Bf16>(kind));
    rows.push_back(rate_of<Fp16>(kind));
    rows.push_back(rate_of<Tf32>(kind));
  }
  return rows;
}

}  // namespace assay
