#include "problem/operators/sas.hpp"
#include "properties/contracts/asked_case.hpp"
#include "properties/contracts/sites.hpp"

namespace assay {
namespace {

constexpr std::int64_t block_tokens = 16;

/// A case of block selection: of each sequence the last token has one block before its own, and selects it.
class Question : public AskedCase {
 public:
  Question(const Kernel& kernel, std::int64_t sequences, std::int64_t d)
      : AskedCase(kernel, {sequences, block_tokens + 1, d, 1}, {{"scale", 1}, {"b", block_tokens}}) {
    size(Axis::block) = 2;
    add_tensors(input(), [](const TensorSpec&) { return false; });
  }

  void set_q(std::int64_t n, std::int64_t f, double x) { set("q", row(n, block_tokens) * size(Axis::feature) + f, x); }
  void set_key(std::int64_t n, std::int64_t f, double x) {
    set("block_key", n * size(Axis::block) * size(Axis::feature) + f, x);
  }
  double threshold(std::int64_t n) const { return returned("threshold", row(n, block_tokens)); }
};

/// Σ_f q_f k_f over d features, the threshold where one block is selected of one.
Terms scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  Question question(kernel, std::ssize(rows), d);
  for (std::int64_t n = 0; n < std::ssize(rows); ++n)
    for (std::int64_t f = 0; f < d; ++f) {
      question.set_q(n, f, rows[n][f]);
      question.set_key(n, f, b[f]);
    }
  question.ask();
  Terms sums;
  for (std::int64_t n = 0; n < std::ssize(rows); ++n) sums.push_back(question.threshold(n));
  return sums;
}

/// Thresholds that are numbers, each of three features.
Terms returned(const Kernel& kernel, const Terms& numbers) {
  std::vector<Terms> rows;
  for (const double x : numbers) {
    const std::array<double, 3> parts = pieces(x);
    rows.emplace_back(parts.begin(), parts.end());
  }
  return scores(kernel, 3, {1, 1, 1}, rows);
}

}  // namespace

std::optional<Reach> selection_reach(const Kernel& kernel, std::int64_t d) {
  if (kernel.op != &operators::sas_select()) return std::nullopt;
  const Operand features{kernel.contract.input, &Contract::features};
  return Reach{.sums = {{.name = "scores over features",
                         .terms = static_cast<std::size_t>(d),
                         .a = features,
                         .b = features,
                         .height = &Contract::score_height,
                         .sums = asked(kernel, scores, d)}},
               .output = [&kernel](const Terms& x) { return returned(kernel, x); }};
}

}  // namespace assay
