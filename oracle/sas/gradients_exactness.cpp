#include "oracle/sas/gradients_exactness.hpp"

#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "arith/inexact_flag.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/operand_fit.hpp"
#include "oracle/sas/gradient_head.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// e^x rounds to 0 in float32 from here on down.
constexpr double vanishes = -105;

/// What the gradients of one head of keys need of a contract.
class GroupDemands {
 public:
  GroupDemands(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h)
      : c_(c), contract_(contract), n_(n), h_(h) {
    for (std::int64_t g = 0; g < c.sizes[Axis::group]; ++g) heads_.push_back(gradient_head_of<double>(c, n, h, g));
  }

  std::string find() {
    if (contract_.base_two) note("log2 e is no float");
    const Head<double>& first = heads_.front().forward;
    Matrix<FlaggedNumber> dk(first.k.rows(), first.k.cols(), zero()), dv(first.v.rows(), first.v.cols(), zero());
    require_factors(first.k, "k");
    require_factors(first.v, "v");
    for (const GradientHead<double>& x : heads_) {
      require_factors(x.forward.q, "q");
      require_factors(x.d_output, "do");
      for (std::size_t t = 0; t < x.forward.queries() && (out_ || found_.empty()); ++t) take_row(x, t, dk, dv);
    }
    for (std::size_t j = 0; j < dk.rows() && found_.empty(); ++j) {
      for (const FlaggedNumber& x : dk.row(j)) require_output("dk", x * FlaggedNumber(first.scale));
      for (const FlaggedNumber& x : dk.row(j)) require(x.summed(float32_format), "a sum of dk");
      for (const FlaggedNumber& x : dv.row(j)) require_output("dv", x.summed(float32_format));
    }
    write_shared(dk, dv);
    return found_;
  }

  /// Keeps the gradients that `find` meets.
  void keep(References& out) { out_ = &out; }

 private:
  void write_shared(const Matrix<FlaggedNumber>& dk, const Matrix<FlaggedNumber>& dv) {
    if (out_ == nullptr) return;
    for (std::size_t j = 0; j < dk.rows(); ++j) {
      const std::size_t row = pair_index(c_, n_, j, h_);
      for (std::size_t f = 0; f < dk.cols(); ++f)
        out_->at("dk").hi[row * dk.cols() + f] = heads_.front().forward.scale * dk(j, f).value();
      for (std::size_t i = 0; i < dv.cols(); ++i) out_->at("dv").hi[row * dv.cols() + i] = dv(j, i).value();
    }
  }

  static FlaggedNumber zero() { return FlaggedNumber(0.0); }

  void note(std::string why) {
    if (found_.empty()) found_ = std::move(why);
  }

  void require_factors(const Matrix<double>& m, const char* name) {
    for (std::size_t t = 0; t < m.rows() && found_.empty(); ++t)
      for (const double x : m.row(t))
        if (!fits_one_word(contract_, x)) note(fmt::format("{} = {} is no operand of the product", name, x));
  }

  void require(const FlaggedNumber& x, const char* what) {
    if (x.inexact()) note(fmt::format("{}, {}, took a rounding", what, x.value()));
  }

  void require_output(const char* name, const FlaggedNumber& x) {
    require(x.rounded(float32_format).rounded(float_format(contract_.output)), name);
  }

  static FlaggedNumber product(std::span<const double> a, std::span<const double> b) {
    FlaggedNumber sum = zero();
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != 0) sum += FlaggedNumber(a[i]) * FlaggedNumber(b[i]);
    return sum.summed(float32_format).rounded(float32_format);
  }

  /// The logit of a key, its gate 1 or closed.
  double logit(const GradientHead<double>& x, std::size_t t, std::size_t j, double log_gate) {
    if (log_gate != 0 && (x.forward.outside || log_gate != -infinity))
      note(fmt::format("log-gate {}: its exp rounds", log_gate));
    const FlaggedNumber z = product(x.forward.q.row(t), x.forward.k.row(j)) * FlaggedNumber(x.forward.scale);
    require(z.rounded(float32_format), "a score");
    return z.value() + log_gate;
  }

  void take_row(const GradientHead<double>& x, std::size_t t, Matrix<FlaggedNumber>& dk, Matrix<FlaggedNumber>& dv) {
    if (x.lse[t] == -infinity) return;
    const FlaggedNumber delta = product(x.d_output.row(t), x.o.row(t));
    require(delta, "Delta");
    for (const KeyRange& range : x.forward.reads[t])
      for (std::size_t j = range.begin; j < range.end; ++j) {
        const double below = logit(x, t, j, x.forward.gate(t, range)) - x.lse[t];
        if (below != 0 && below > vanishes) note(fmt::format("e^{} is neither 0 nor 1", below));
        if (below == 0) take_winner(x, t, range, j, delta, dk, dv);
      }
  }

  void take_winner(const GradientHead<double>& x, std::size_t t, const KeyRange& range, std::size_t j,
                   const FlaggedNumber& delta, Matrix<FlaggedNumber>& dk, Matrix<FlaggedNumber>& dv) {
    const FlaggedNumber along = product(x.d_output.row(t), x.forward.v.row(j));
    require(along, "<do, v>");
    const FlaggedNumber ds = (along - delta).rounded(float32_format);
    require(ds, "dS");
    if (!fits_operand(contract_, ds.value())) note(fmt::format("dS = {} is no operand of the product", ds.value()));
    for (std::size_t f = 0; f < dk.cols(); ++f) {
      const FlaggedNumber of_key = ds * FlaggedNumber(x.forward.k(j, f));
      require(of_key.rounded(float32_format), "dS k");
      require_output("dq", of_key * FlaggedNumber(x.forward.scale));
      dk(j, f) += ds * FlaggedNumber(x.forward.q(t, f));
      if (out_) out_->at("dq").hi[x.forward.index[t] * dk.cols() + f] += of_key.value() * x.forward.scale;
    }
    if (range.gated && c_.op->uses(Axis::slot)) {
      const std::size_t at = pair_index(c_, n_, t, h_) * static_cast<std::size_t>(c_.sizes[Axis::block]) + range.block;
      FlaggedNumber& sum = gates_.try_emplace(at, zero()).first->second;
      sum += x.forward.outside ? along : ds;
      require(sum.summed(float32_format), "a sum of d log g");
      if (out_) out_->at("d_log_gate").hi[at] = sum.value();
    }
    for (std::size_t i = 0; i < dv.cols(); ++i) dv(j, i) += FlaggedNumber(x.d_output(t, i));
  }

  const Case& c_;
  const Contract& contract_;
  std::int64_t n_, h_;
  References* out_ = nullptr;
  std::vector<GradientHead<double>> heads_;
  std::map<std::size_t, FlaggedNumber> gates_;  ///< sums of d log g, by place
  std::string found_;
};

}  // namespace

std::string rounding_of_gradients(const Case& c, const Contract& contract) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      std::string found = length_of(c, n) == 0 ? "" : GroupDemands(c, contract, n, h).find();
      if (!found.empty()) return found;
    }
  return {};
}

References gradients_of_winners(const Case& c) {
  References out = empty_references(c);
  const Contract any{};
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      if (length_of(c, n) == 0) continue;
      GroupDemands group(c, any, n, h);
      group.keep(out);
      group.find();
    }
  return out;
}

}  // namespace assay::sas
