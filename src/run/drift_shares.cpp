#include "run/drift_shares.hpp"

#include <cmath>

#include <fmt/format.h>

#include "problem/token_by_token.hpp"
#include "run/drift_errors.hpp"

namespace assay {
namespace {

/// The mean over the last tokens, or a whole state, of (error / |o|)²; rows that are zero are left out.
double mean_square(const Case& c, const std::string& output, const Reference& want,
                   const std::function<double(std::size_t)>& error) {
  const auto width = static_cast<std::size_t>(want.shape.back());
  const auto counted = last_tokens(*c.op->find(output), c.sizes);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t row = 0; row * width < want.hi.size(); ++row) {
    if (!counted(row)) continue;
    double size = 0, errors = 0;
    for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
      size += want.hi[i] * want.hi[i] / static_cast<double>(width);
      errors += error(i) * error(i);
    }
    if (size == 0) continue;
    sum += errors / size;
    count += width;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

Json row_json(const Series& series, const std::string& output, std::int64_t tokens, const Json& kinds, double together,
              double measured) {
  std::string at = fmt::format("T = {}", tokens);
  if (series.chunk != 0) at += fmt::format(", C = {}", series.chunk);
  return {{"kernel", series.kernel->name},
          {"family", series.family->name},
          {"output", output},
          {"at", at},
          {"kinds", kinds},
          {"together", real_json(together)},
          {"measured", real_json(measured)}};
}

}  // namespace

Json shares_of(const Series& series, std::int64_t tokens, const Tables& tables) {
  Json rows = Json::array();
  const Oracle& oracle = oracle_of(tables, *series.kernel->op);
  if (!oracle.rounded_at) return rows;
  const Kernel kernel = series.kernel->limits.one_token ? token_by_token(*series.kernel) : *series.kernel;
  CaseSize size = series.size;
  size.tokens = tokens;
  const Case c = make_window(kernel, *series.family, series.seed, size, series.parameters(), 0);
  const References want = oracle.evaluate(c);
  const Tensors outputs = kernel.run(c, {}).outputs;
  const Values exact = oracle.rounded_at(c, kernel.contract, {});
  std::map<StepKind, Values> by_kind;
  for (const StepKind kind : all_step_kinds) by_kind[kind] = oracle.rounded_at(c, kernel.contract, std::span(&kind, 1));
  for (const auto& [output, reference] : want) {
    std::map<StepKind, double> squares;
    double sum = 0;
    for (const auto& [kind, values] : by_kind) {
      const std::vector<double>&rounded = values.at(output), &unrounded = exact.at(output);
      sum += squares[kind] =
          mean_square(c, output, reference, [&](std::size_t i) { return rounded[i] - unrounded[i]; });
    }
    const Tensor& got = outputs.at(output);
    const double measured = mean_square(
        c, output, reference, [&](std::size_t i) { return got.value(static_cast<std::int64_t>(i)) - reference.hi[i]; });
    Json kinds = Json::object();
    for (const auto& [kind, square] : squares)
      if (square > 0) kinds[std::string(name_of(kind))] = real_json(square / sum);
    rows.push_back(row_json(series, output, tokens, kinds, std::sqrt(sum), std::sqrt(measured)));
  }
  return rows;
}

}  // namespace assay
