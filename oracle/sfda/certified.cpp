#include "oracle/sfda/certified.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "arith/delta_scan.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/sfda/certified_decay.hpp"
#include "oracle/sfda/exact.hpp"
#include "oracle/sfda/head.hpp"
#include "oracle/sfda/support.hpp"
#include "oracle/sfda/transition_norms.hpp"

namespace assay::sfda {
namespace {

/// Nothing is known of a value whose radius is infinite.
CertifiedValue known(DoubleDouble value, double radius) {
  if (radius < std::numeric_limits<double>::infinity()) return {value, radius};
  return {0.0, std::numeric_limits<double>::infinity()};
}

/// Tokens of the longest sequence that comes in windows.
constexpr std::size_t longest = std::size_t{1} << 20;

/// One sequence and head, a block of tokens at a time; `whole` is the length of the sequence that they belong to, and
/// `saved` where it stood before them, if they are not its first.
class HeadScan {
 public:
  HeadScan(const Case& c, std::int64_t n, std::int64_t h, std::size_t whole, std::span<const double> saved)
      : case_(c),
        n_(n),
        h_(h),
        T_(length_of(c, n)),
        d_(static_cast<std::size_t>(c.sizes[Axis::feature])),
        dv_(static_cast<std::size_t>(c.sizes[Axis::value])),
        whole_(whole),
        first_(saved.empty()),
        scan_(first_ ? DeltaScan(d_, dv_, initial()) : DeltaScan(d_, dv_, is_complex(c), saved)),
        outputs_(dv_, is_complex(c)),
        v_(outputs_.radius.size(), is_complex(c)),
        product_(transition_product(d_, is_complex(c))) {}

  void write(References& out) {
    for (std::size_t first = 0; first < T_;) {
      DeltaTokens tokens = tokens_from(first);
      if (first > 0 || !first_) bound_growth(tokens);
      fill("v", first, tokens.steps, dv_, outputs_.stride, v_);
      scan_.advance(tokens, v_, outputs_);
      write_rows(first, tokens.steps, out);
      first += tokens.steps;
    }
    end_stretch();
    write_state(out);
  }

  std::vector<double> saved() const { return scan_.saved(); }

 private:
  /// Where the product of the steps' norms is not close to 1, so that over all blocks errors would grow by more than e,
  /// the norm of the block's product takes its place, and that of the product of up to `stretch` such blocks.
  void bound_growth(DeltaTokens& tokens) {
    constexpr int stretch = 8;
    double& growth = tokens.norms[tokens.steps - 1].growth;
    const double blocks = static_cast<double>(whole_ / dd::block_steps + 1);
    if (blocks_in_stretch_ == stretch || growth <= 1 + 1 / blocks) end_stretch();
    if (growth <= 1 + 1 / blocks) return;
    growth = std::min(growth, product_->append(tokens));
    ++blocks_in_stretch_;
  }

  void end_stretch() {
    scan_.anchor(product_->finish());
    blocks_in_stretch_ = 0;
  }

  Matrix<double> rows(std::string_view name, std::size_t first, std::size_t steps, std::size_t width) const {
    return rows_of<double>(case_, name, n_, h_, first, steps, width);
  }

  PlanePair initial() const {
    PlanePair S(d_ * dv_, is_complex(case_));
    const std::vector<std::string> planes = planes_of(case_, "S0");
    for (std::size_t part = 0; part < planes.size(); ++part)
      std::ranges::copy(block_of<double>(case_, planes[part], state_index(case_, n_, h_), d_ * dv_),
                        S.part(part).begin());
    return S;
  }

  /// Rows of a tensor, padded with zeros to the stride.
  void fill(std::string_view name, std::size_t first, std::size_t steps, std::size_t width, std::size_t stride,
            PlanePair& to) const {
    const std::vector<std::string> planes = planes_of(case_, name);
    for (std::size_t part = 0; part < planes.size(); ++part) {
      const Matrix<double> from = rows(planes[part], first, steps, width);
      for (std::size_t t = 0; t < steps; ++t)
        std::ranges::copy(from.row(t), to.part(part).begin() + static_cast<std::ptrdiff_t>(t * stride));
    }
  }

  DeltaTokens tokens_from(std::size_t first) const {
    const std::size_t steps = std::min(dd::block_steps, T_ - first);
    DeltaTokens tokens(steps, d_, is_complex(case_));
    fill("k", first, steps, d_, tokens.stride, tokens.k);
    fill("q", first, steps, d_, tokens.stride, tokens.q);
    const Matrix<double> beta = rows("beta", first, steps, 1);
    for (std::size_t t = 0; t < steps; ++t) tokens.norms[t].beta = beta(t, 0);
    set_decays(tokens, rows("log_alpha", first, steps, decays_of(case_)), rows("theta", first, steps, d_));
    set_norms(tokens);
    return tokens;
  }

  void write_rows(std::size_t first, std::size_t steps, References& out) const {
    const std::vector<std::string> planes = planes_of(case_, "o");
    const std::size_t start = row_offset(case_, n_, first, h_, dv_), stride = row_stride(case_, dv_);
    for (std::size_t part = 0; part < planes.size(); ++part) {
      Reference& o = out.at(planes[part]);
      for (std::size_t t = 0; t < steps; ++t)
        for (std::size_t j = 0; j < dv_; ++j) {
          const std::size_t at = t * outputs_.stride + j;
          set(o, start + t * stride + j,
              known({outputs_.hi.part(part)[at], outputs_.lo.part(part)[at]}, outputs_.radius[at]));
        }
    }
  }

  void write_state(References& out) const {
    const std::vector<std::string> planes = planes_of(case_, "S");
    for (std::size_t part = 0; part < planes.size(); ++part) {
      Reference& S = out.at(planes[part]);
      for (std::size_t i = 0; i < d_; ++i)
        for (std::size_t j = 0; j < dv_; ++j)
          set(S, (state_index(case_, n_, h_) * d_ + i) * dv_ + j, known(scan_.state(part, i, j), scan_.radius(j)));
    }
  }

  const Case& case_;
  std::int64_t n_, h_;
  std::size_t T_, d_, dv_, whole_;
  bool first_;
  DeltaScan scan_;
  DeltaOutputs outputs_;
  PlanePair v_;
  std::unique_ptr<TransitionProduct> product_;
  int blocks_in_stretch_ = 0;
};

}  // namespace

References certified_delta_rule(const Case& c) {
  if (c.standard == Standard::exact) return exact_delta_rule(c);
  References out = empty_references(c);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) HeadScan(c, n, h, length_of(c, n), {}).write(out);
  certify_zeros(c, out);
  return out;
}

WindowOracle::Part certified_window(const Case& window, std::span<const double> state) {
  WindowOracle::Part part{.want = empty_references(window), .state = {}};
  const auto heads = static_cast<std::size_t>(window.sequences() * window.sizes[Axis::head]);
  if (state.size() % heads != 0)
    throw std::invalid_argument(fmt::format("{} saved numbers for {} heads", state.size(), heads));
  const std::size_t of_head = state.size() / heads;
  for (std::int64_t n = 0; n < window.sequences(); ++n)
    for (std::int64_t h = 0; h < window.sizes[Axis::head]; ++h) {
      HeadScan scan(window, n, h, longest, state.subspan(state_index(window, n, h) * of_head, of_head));
      scan.write(part.want);
      std::ranges::copy(scan.saved(), std::back_inserter(part.state));
    }
  return part;
}

}  // namespace assay::sfda
