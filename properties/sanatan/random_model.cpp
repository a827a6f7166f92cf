#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/squash.hpp"
#include "properties/published.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/random_inputs.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr std::size_t tokens = 64, width = 64, heads = 4, layers = 2, vocabulary = 256;

enum class Form { parallel, recurrent };

/// Two layers of attention on a residual stream, with tied embeddings, in float32.
struct RandomModel {
  Matrix<float> embedding;
  std::vector<Matrix<float>> projections;  ///< q, k, v, output of each layer
};

RandomModel random_model(Draw& draw) {
  RandomModel model{random_matrix<float>(draw, vocabulary, width, 1), {}};
  const float scale = std::sqrt(3.0F / static_cast<float>(width));  // entries of variance 1/width
  for (std::size_t i = 0; i < 4 * layers; ++i)
    model.projections.push_back(random_matrix<float>(draw, width, width, scale));
  return model;
}

Matrix<float> rms_normalised(Matrix<float> x) {
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const std::span<float> row = x.row(t);
    const float size = std::sqrt(dot<float>(row, row) / static_cast<float>(row.size()));
    for (float& entry : row) entry /= size;
  }
  return x;
}

Matrix<float> columns(const Matrix<float>& m, std::size_t first, std::size_t count) {
  Matrix<float> part(m.rows(), count);
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < count; ++j) part(i, j) = m(i, first + j);
  return part;
}

/// Φ of one head's projection [T, d]: scaled, squashed, labelled, rotated.
Matrix<float> head_features(const Matrix<float>& projected) {
  constexpr float pi = std::numbers::pi_v<float>;
  const std::size_t d = projected.cols();
  const AngleParameters<float, float> head{std::vector<float>(d, pi / 4), std::vector<float>(d, 0.01F), 10.0F};
  Matrix<float> theta = projected;
  for (std::size_t t = 0; t < theta.rows(); ++t)
    for (float& u : theta.row(t)) {
      const float scaled = u / std::sqrt(static_cast<float>(d));
      u = squash(scaled, std::abs(scaled), pi);
    }
  return features(Channels::six, encode(theta, head, 0));
}

Matrix<float> head_output(const Matrix<float>& phi_q, const Matrix<float>& phi_k, const Matrix<float>& v, Form form) {
  const WeightRule<float> rule{1, static_cast<float>(4 * v.cols()), 1e-6F};
  if (form == Form::parallel) return attention(scores(phi_q, phi_k), v, rule);
  const State<float> empty = empty_state<float>(phi_q.cols(), v.cols());
  return normalised(recurrence(phi_q, phi_k, v, empty).sums, raw_epsilon(rule));
}

Matrix<float> logits(const RandomModel& model, const std::vector<std::size_t>& text, Form form) {
  Matrix<float> x(text.size(), width);
  for (std::size_t t = 0; t < text.size(); ++t) std::ranges::copy(model.embedding.row(text[t]), x.row(t).begin());
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Matrix<float> normal = rms_normalised(x);
    const auto projected = [&](std::size_t which) { return normal * model.projections[4 * layer + which]; };
    const Matrix<float> q = projected(0), k = projected(1), v = projected(2);
    Matrix<float> joined(text.size(), width);
    const std::size_t d = width / heads;
    for (std::size_t h = 0; h < heads; ++h) {
      const Matrix<float> o = head_output(head_features(columns(q, h * d, d)), head_features(columns(k, h * d, d)),
                                          columns(v, h * d, d), form);
      for (std::size_t t = 0; t < o.rows(); ++t) std::ranges::copy(o.row(t), joined.row(t).subspan(h * d).begin());
    }
    x = x + joined * model.projections[4 * layer + 3];
  }
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  return scale * (rms_normalised(x) * transpose(model.embedding));
}

/// The largest logit gap between both forms of one random model. Reproduced if it is of the published order: at most
/// ten times it, and at least a hundredth.
Finding logit_gap(const Published& published) {
  Draw draw(1, "sanatan.random_model", 0);
  const RandomModel model = random_model(draw);
  std::vector<std::size_t> text;
  for (std::size_t t = 0; t < tokens; ++t) text.push_back(draw.below(vocabulary));
  const Matrix<float> a = logits(model, text, Form::parallel), b = logits(model, text, Form::recurrent);
  double gap = 0, largest = 0;
  for (std::size_t t = 0; t < a.rows(); ++t)
    for (std::size_t i = 0; i < a.cols(); ++i) {
      gap = std::max(gap, std::abs(double{a(t, i)} - b(t, i)));
      largest = std::max(largest, std::abs(double{a(t, i)}));
    }
  const double printed_gap = median(printed(published.value("gap"))).convert_to<double>();
  const bool same_order = gap <= 10 * printed_gap && 100 * gap >= printed_gap;
  return {same_order ? ClaimVerdict::reproduced : ClaimVerdict::refuted,
          fmt::format("{} layers, {} heads of {}, {} tokens, float32: logits up to {:.1f} differ by at most {:.1e}, "
                      "printed {}",
                      layers, heads, width / heads, tokens, largest, gap, published.value("gap"))};
}

}  // namespace

std::vector<Computation> sanatan_random_model_computations() {
  return {{"sanatan.random_model_logit_gap", "largest logit gap between parallel and recurrent form, random weights",
           "[SANATAN-notes] s4.2", logit_gap}};
}

}  // namespace assay
