#include "problem/token_by_token.hpp"

#include <algorithm>
#include <stdexcept>

#include "problem/transforms.hpp"

namespace assay {
namespace {

/// Token t of every sequence.
std::vector<Stretch> token(const Case& c, std::int64_t t) {
  std::vector<Stretch> stretches = whole(c);
  for (Stretch& s : stretches) s.begin = t, s.end = t + 1;
  return stretches;
}

/// Outputs of all tokens, as yet zero.
Tensors empty_outputs(const Case& c, const Tensors& of_a_token) {
  Tensors outputs;
  for (const auto& [name, tensor] : of_a_token)
    outputs.emplace(name, Tensor(tensor.format(), c.op->find(name)->shape(c.sizes)));
  return outputs;
}

/// Puts what a step returned where token t of every sequence stands; states replace those before.
void store(const Case& c, std::int64_t t, const Tensors& step, Tensors& outputs) {
  for (const auto& [name, tensor] : step) {
    const bool of_tokens = c.op->find(name)->has(Axis::time);
    Tensor& all = outputs.at(name);
    const std::int64_t batch = of_tokens ? c.sizes[Axis::batch] : 1, T = of_tokens ? c.sizes[Axis::time] : 1;
    const std::size_t row = tensor.bytes().size() / static_cast<std::size_t>(batch);
    for (std::int64_t b = 0; b < batch; ++b)
      std::ranges::copy(tensor.bytes().subspan(static_cast<std::size_t>(b) * row, row),
                        all.bytes().subspan(static_cast<std::size_t>(b * T + (of_tokens ? t : 0)) * row).begin());
  }
}

Run run_steps(const Kernel& step, const Case& c, const Execution& execution) {
  Run all, last;
  for (std::int64_t t = 0; t < c.sizes[Axis::time]; ++t) {
    const Case one = gathered(c, token(c, t), Layout::batched);
    last = step.run(t == 0 ? one : resumed(one, last.outputs), execution);
    if (t == 0) all.outputs = empty_outputs(c, last.outputs);
    store(c, t, last.outputs, all.outputs);
  }
  return all;
}

}  // namespace

Kernel token_by_token(const Kernel& step) {
  if (!step.limits.one_token) throw std::logic_error(step.name + ": not a decode step");
  Kernel kernel = step;
  kernel.limits.one_token = false;
  kernel.run = [step](const Case& c, const Execution& execution) { return run_steps(step, c, execution); };
  return kernel;
}

}  // namespace assay
