#include "oracle/sas/exactness.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arith/inexact_flag.hpp"
#include "oracle/operand_fit.hpp"
#include "oracle/sas/head.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// e^x rounds to 0 in float32 from here on down, and so does every number below a quarter of the least.
constexpr double vanishes = -105;

/// What the queries of one head need of a contract.
class HeadDemands {
 public:
  HeadDemands(const Head<double>& x, const Contract& contract) : x_(x), contract_(contract) {}

  std::string find() {
    if (contract_.base_two) note("log2 e is no float");
    require_factors(x_.q, "q", fits_one_word);
    require_factors(x_.k, "k", fits_one_word);
    require_factors(x_.v, "v", fits_operand);
    for (std::size_t t = 0; t < x_.queries() && found_.empty(); ++t) require_winner(t);
    return found_;
  }

 private:
  template <class Fits>
  void require_factors(const Matrix<double>& m, const char* name, Fits fits) {
    for (std::size_t t = 0; t < m.rows() && found_.empty(); ++t)
      for (const double x : m.row(t))
        if (!fits(contract_, x)) note(fmt::format("{} = {} is no operand of the product", name, x));
  }

  void note(std::string why) {
    if (found_.empty()) found_ = std::move(why);
  }

  double logit(std::size_t t, std::size_t j, double log_gate) {
    FlaggedNumber sum(0.0);
    for (std::size_t f = 0; f < x_.q.cols(); ++f)
      if (x_.q(t, f) != 0) sum += FlaggedNumber(x_.q(t, f)) * FlaggedNumber(x_.k(j, f));
    const FlaggedNumber scaled = sum.summed(float32_format).rounded(float32_format) * FlaggedNumber(x_.scale);
    const FlaggedNumber z = scaled.rounded(float32_format);
    if (z.inexact()) note(fmt::format("score {} took a rounding", z.value()));
    return z.value() + log_gate;
  }

  void require_winner(std::size_t t) {
    double first = -infinity, second = -infinity;
    std::size_t winner = 0;
    for (const KeyRange& range : x_.reads[t]) {
      const double gate = x_.gate(t, range);
      if (gate != 0 && (x_.outside || gate != -infinity)) note(fmt::format("log-gate {}: its exp rounds", gate));
      for (std::size_t j = range.begin; j < range.end; ++j) {
        const double x = logit(t, j, gate);
        second = std::max(second, std::min(first, x));
        if (x > first) winner = j;
        first = std::max(first, x);
      }
    }
    if (first == -infinity) return;
    if (second - first > vanishes) note(fmt::format("logits {} and {}: both have a weight", first, second));
    for (const double v : x_.v.row(winner))
      if (FlaggedNumber(v).rounded(float_format(contract_.output)).inexact())
        note(fmt::format("o = {} took a rounding", v));
  }

  const Head<double>& x_;
  const Contract& contract_;
  std::string found_;
};

}  // namespace

std::string rounding_of(const Case& c, const Contract& contract) {
  std::string found;
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    if (!found.empty()) return;
    const Head<double> x = head_of<double>(c, n, h, g);
    found = HeadDemands(x, contract).find();
  });
  return found;
}

}  // namespace assay::sas
