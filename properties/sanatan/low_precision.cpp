#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "arith/rounding.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/squash.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/random_inputs.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// float32 whose products round both factors to tf32 first, as a tensor core that is not asked for full precision.
struct Tf32Product {
  float value = 0;

  Tf32Product() = default;
  Tf32Product(int n) : value(static_cast<float>(n)) {}
  explicit Tf32Product(float x) : value(x) {}

  Tf32Product operator-() const { return Tf32Product(-value); }
  friend Tf32Product operator+(Tf32Product a, Tf32Product b) { return Tf32Product(a.value + b.value); }
  friend Tf32Product operator-(Tf32Product a, Tf32Product b) { return Tf32Product(a.value - b.value); }
  friend Tf32Product operator/(Tf32Product a, Tf32Product b) { return Tf32Product(a.value / b.value); }
  friend Tf32Product operator*(Tf32Product a, Tf32Product b) {
    const auto tf32 = [](float x) { return static_cast<float>(round_to(tf32_format, x)); };
    return Tf32Product(tf32(a.value) * tf32(b.value));
  }
  friend bool operator==(Tf32Product a, Tf32Product b) = default;
};

double value_of(float x) { return x; }
double value_of(double x) { return x; }
double value_of(Tf32Product x) { return x.value; }

template <class To>
Matrix<To> converted(const Matrix<float>& m) {
  Matrix<To> result(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = To(m(i, j));
  return result;
}

template <class A, class B>
double largest_difference(const Matrix<A>& a, const Matrix<B>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j)
      largest = std::max(largest, std::abs(value_of(a(i, j)) - value_of(b(i, j))));
  return largest;
}

/// Features and values of one random head, every number a float.
struct RandomHead {
  Matrix<float> phi_q, phi_k, v;
};

RandomHead random_head(std::size_t T, std::size_t d) {
  constexpr float pi = std::numbers::pi_v<float>;
  Draw draw(1, "sanatan.low_precision", 0);
  const AngleParameters<float, float> head{std::vector<float>(d, pi / 4), std::vector<float>(d, 0.01F), 10.0F};
  const auto phi = [&] {
    Matrix<float> theta = random_matrix<float>(draw, T, d, 2);
    for (std::size_t t = 0; t < T; ++t)
      for (float& u : theta.row(t)) u = squash(u, std::abs(u), pi);
    return features(Channels::six, encode(theta, head, 0));
  };
  Matrix<float> phi_q = phi(), phi_k = phi();
  return {std::move(phi_q), std::move(phi_k), random_matrix<float>(draw, T, d, 1)};
}

template <class K>
Matrix<K> parallel(const RandomHead& h) {
  const WeightRule<K> rule{1, K(static_cast<int>(4 * h.v.cols())), K(0)};
  return attention(scores(converted<K>(h.phi_q), converted<K>(h.phi_k)), converted<K>(h.v), rule);
}

template <class K>
Matrix<K> recurrent(const RandomHead& h) {
  const State<K> empty = empty_state<K>(h.phi_q.cols(), h.v.cols());
  return normalised(recurrence(converted<K>(h.phi_q), converted<K>(h.phi_k), converted<K>(h.v), empty).sums, K(0));
}

/// Gaps of one random head of width 64: parallel against recurrent in float32, and recurrent with tf32 products against
/// the same in double. Reproduced if float32 shows a gap, tf32 a larger one, and neither comes near whole units.
Finding gaps_of_one_head(const Published&) {
  const RandomHead head = random_head(128, 64);
  const double float_gap = largest_difference(parallel<float>(head), recurrent<float>(head));
  const double tf32_gap = largest_difference(recurrent<Tf32Product>(head), recurrent<double>(head));
  const bool seen = 0 < float_gap && 10 * float_gap < tf32_gap && tf32_gap < 0x1p-6;
  return {seen ? ClaimVerdict::reproduced : ClaimVerdict::refuted,
          fmt::format("T = 128, d = 64, outputs in [-1, 1]: float32 parallel and recurrent differ by {:.1e}, tf32 "
                      "products move the recurrent output by {:.1e}",
                      float_gap, tf32_gap)};
}

}  // namespace

std::vector<Computation> sanatan_low_precision_computations() {
  return {{"sanatan.parallel_and_recurrent_outputs_in_low_precision", "largest output gaps of one random head",
           "[SANATAN-notes] s2.7, s4.2", gaps_of_one_head}};
}

}  // namespace assay
