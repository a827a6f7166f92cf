#include "run/drift_errors.hpp"

#include "judge/quantile.hpp"
#include "judge/relative_errors.hpp"

namespace assay {

std::function<bool(std::size_t row)> last_tokens(const TensorSpec& spec, const Sizes& sizes) {
  if (!spec.has(Axis::time)) return [](std::size_t) { return true; };
  std::size_t rows_a_token = 1;
  for (std::size_t i = spec.axes.size() - 1; spec.axes[i] != Axis::time; --i)
    if (i + 1 < spec.axes.size()) rows_a_token *= static_cast<std::size_t>(sizes[spec.axes[i]]);
  const auto tokens = static_cast<std::size_t>(sizes[Axis::time]);
  return [=](std::size_t row) { return row / rows_a_token % tokens + counted_tokens >= tokens; };
}

Json drift_errors(const Case& c, const Tensors& outputs, const Truth& truth) {
  Json answer = Json::object();
  for (const auto& [name, want] : truth.want) {
    RelativeErrors relative =
        relative_errors(outputs.at(name), want, truth.allowed.at(name), last_tokens(*c.op->find(name), c.sizes));
    answer[name] = {{"p50", real_json(quantile(relative.errors, 0.5))},
                    {"p99", real_json(quantile(relative.errors, 0.99))},
                    {"bound", real_json(quantile(relative.bounds, 0.99))}};
  }
  return answer;
}

}  // namespace assay
