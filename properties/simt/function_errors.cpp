#include "properties/simt/function_errors.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "arith/float_format.hpp"
#include "properties/simt/exact_approximations.hpp"

namespace assay {
namespace {

using exact_functions::ErrorBound;
using exact_functions::ErrorUnit;
using exact_functions::Symmetry;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double beyond = 0x1p128;  // what an infinite result counts as

/// What errors are counted in at a value: a unit in the last place, below a power of two the smaller one; or the value.
double unit_at(ErrorUnit unit, DoubleDouble want) {
  const double magnitude = std::abs(want.hi);
  if (unit == ErrorUnit::relative) return magnitude;
  const bool below_power = (std::bit_cast<std::uint64_t>(magnitude) & 0xfffffffffffff) == 0 && want.lo * want.hi < 0;
  return ulp(float32_format, below_power ? std::nextafter(magnitude, 0) : magnitude);
}

/// An error, and how far the true one may be from it.
struct Measured {
  double error = 0, slack = 0;
};

Measured measure(ErrorUnit unit, float got, DoubleDouble want, const ErrorBound& bound) {
  if (std::isnan(got) || (got == 0 && std::signbit(got) != std::signbit(want.hi))) return {infinity, 0};
  if (std::abs(want.hi) >= beyond) want = std::copysign(beyond, want.hi);
  const double value = std::isinf(got) ? std::copysign(beyond, got) : double{got};
  const double one = unit_at(unit, want), error = std::abs((value - want.hi) - want.lo) / one;
  constexpr double rounded = 0x1p-50;  // the operations above
  return {error, (bound.relative * std::abs(want.hi) + bound.absolute) / one + rounded * error};
}

/// An input that may be the worst.
struct Candidate {
  double most = 0;  ///< its error is at most this
  std::uint32_t code = 0;
};

/// The inputs whose errors may be the largest of all that were noted.
class Candidates {
 public:
  /// Some input, noted elsewhere, has an error of at least this.
  explicit Candidates(double least = 0) : least_(least) {}

  void note(const Measured& m, std::uint32_t code) {
    if (m.error + m.slack < least_) return;
    if (m.error - m.slack > least_) {
      least_ = m.error - m.slack;
      std::erase_if(all_, [&](const Candidate& one) { return one.most < least_; });
    }
    if (all_.size() < most_kept)
      all_.push_back({m.error + m.slack, code});
    else
      lost_ = std::max(lost_, m.error + m.slack);
  }
  void merge(const Candidates& other) {
    least_ = std::max(least_, other.least_);
    lost_ = std::max(lost_, other.lost_);
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    std::erase_if(all_, [&](const Candidate& one) { return one.most < least_; });
  }

  double least() const { return least_; }

  /// The candidates. Throws std::length_error if one was left out for want of room.
  const std::vector<Candidate>& all() const {
    if (lost_ >= least_) throw std::length_error("more inputs than can be kept may be the worst");
    return all_;
  }

 private:
  static constexpr std::size_t most_kept = 1 << 16;
  double least_;      ///< some error is at least this
  double lost_ = -1;  ///< errors of inputs left out are at most this
  std::vector<Candidate> all_;
};

bool same(float x, float y) { return code_of(x) == code_of(y); }

template <class F>
bool is_symmetric(float x) {
  if constexpr (F::symmetry == Symmetry::none) return true;
  const float y = F::value(x), z = F::value(-x);
  return same(z, F::symmetry == Symmetry::odd && !std::isnan(y) ? -y : y);
}

/// Outside the domain: right to the bit or not.
template <class F>
Measured measure_limit(float x) {
  const double want = F::limit(x);
  return {same(F::value(x), std::isnan(want) ? canonical_nan : static_cast<float>(want)) ? 0 : infinity, 0};
}

/// Marks the inputs whose error, by doubles, may be `least` or more. All of them may be where `least` is tiny.
template <class F>
std::vector<std::uint8_t> mark(std::span<const float> x, const exact_functions::Doubles& want, double least) {
  constexpr double near_power = 1 - 0x1p-40;  // the unit is that below a power of two if the value may lie there
  constexpr double most_units = F::unit == ErrorUnit::ulp ? 0x1p24 : 1;  // of a value, at most
  const double enough = least * (1 - 0x1p-40) - most_units * 2 * quick::relative_bound;
  std::vector<std::uint8_t> marks(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float y = F::value(x[i]);
    const double got = std::clamp(double{y}, -beyond, beyond), value = std::clamp(want.value[i], -beyond, beyond);
    const std::uint64_t binade = std::bit_cast<std::uint64_t>(value * near_power) & 0x7ff0000000000000;
    const double spacing = std::max(std::bit_cast<double>(binade) * 0x1p-23, 0x1p-149);
    const double unit = F::unit == ErrorUnit::relative ? std::abs(value) : spacing;
    const bool small = std::abs(got - value) + want.absolute[i] <= enough * unit;
    const bool wrong_zero = y == 0 && std::signbit(y) != std::signbit(value);
    marks[i] = !small | wrong_zero | !is_symmetric<F>(x[i]);
  }
  return marks;
}

template <class F>
void note_closely(Candidates& candidates, std::span<const float> x) {
  const exact_functions::Pairs want = F::pairs(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    candidates.note(
        is_symmetric<F>(x[i]) ? measure(F::unit, F::value(x[i]), want.value[i], want.bound[i]) : Measured{infinity, 0},
        code_of(x[i]));
}

template <class F>
void note_all(Candidates& candidates, std::vector<float> x) {
  if (F::symmetry != Symmetry::none)
    for (float& one : x) one = std::abs(one);
  for (const float one : x)
    if (!F::in_domain(one)) candidates.note(measure_limit<F>(one), code_of(one));
  std::erase_if(x, [](float one) { return !F::in_domain(one); });
  const std::vector<std::uint8_t> marks = mark<F>(x, F::doubles(x), candidates.least());
  std::vector<float> close;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (marks[i]) close.push_back(x[i]);
  if (!close.empty()) note_closely<F>(candidates, close);
}

/// Of odd and even functions the codes without sign are tried.
template <class F>
void note_part(Candidates& candidates, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t at_once = 4096;
  for (; begin < end && (F::symmetry == Symmetry::none || begin < sign_code<float>); begin += at_once) {
    std::vector<float> x(std::min(at_once, end - begin));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(begin + i));
    note_all<F>(candidates, std::move(x));
  }
}

/// |got - f(x)| in the function's unit, by Arb.
template <class F>
double error_by_balls(float x) {
  const ArbPrecision precision(256);
  if (!F::in_domain(x) || !is_symmetric<F>(x)) return is_symmetric<F>(x) ? measure_limit<F>(x).error : infinity;
  const Arb want = F::ball(Arb(x));
  const float got = F::value(x);
  const double value = std::isinf(got) ? std::copysign(beyond, got) : double{got};
  if (const Measured m = measure(F::unit, got, want.mid(), {}); m.error == infinity) return infinity;
  return (abs(Arb(value) - want) / (F::unit == ErrorUnit::relative ? abs(want) : Arb(unit_at(F::unit, want.mid()))))
      .upper_magnitude();
}

template <class F>
FunctionError decide(const Candidates& candidates) {
  FunctionError worst{std::string(F::name), F::unit == ErrorUnit::ulp ? "ulp" : "relative", -1, 0, F::stated};
  for (const Candidate& one : candidates.all()) {
    const double error = error_by_balls<F>(std::bit_cast<float>(one.code));
    if (error > worst.error || (error == worst.error && one.code < worst.at)) worst.error = error, worst.at = one.code;
  }
  return worst;
}

/// What every 65,537th float gives: it spares the others most of the care.
template <class F>
Candidates first_candidates() {
  std::vector<float> x;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << 32; code += 65537)
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
  Candidates candidates;
  note_all<F>(candidates, std::move(x));
  return candidates;
}

/// All parts of the codes, shared out among the cores.
template <class F>
Candidates candidates_of_all(const std::function<void()>& advance) {
  std::atomic<std::uint64_t> next = 0;
  std::mutex guard;
  Candidates all = first_candidates<F>();
  const auto known = [&] {
    const std::lock_guard lock(guard);
    return all.least();
  };
  const auto work = [&] {
    for (std::uint64_t part = next++; part < error_parts; part = next++) {
      constexpr std::uint64_t size = (std::uint64_t{1} << 32) / error_parts;
      Candidates some(known());
      note_part<F>(some, part * size, (part + 1) * size);
      const std::lock_guard lock(guard);
      all.merge(some);
      if (advance) advance();
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  threads.clear();  // joins
  return all;
}

/// Calls visit(F{}) for the function of a name, if there is one.
template <class Visit>
void visit_function(const std::string& name, Visit visit) {
  const auto visit_if_named = [&]<class F>(F f) {
    if (F::name == name) visit(f);
  };
  exact_functions::for_each_function(visit_if_named);
  exact_functions::for_each_approximation(visit_if_named);
}

/// What error<F>() returns for the function of a name.
template <class Error>
FunctionError of_function(const std::string& name, Error error) {
  FunctionError result;
  visit_function(name, [&]<class F>(F) { result = error.template operator()<F>(); });
  if (result.function.empty()) throw std::invalid_argument(name + ": no such function");
  return result;
}

}  // namespace

FunctionError largest_error(const std::string& function, std::span<const float> x) {
  return of_function(function, [&]<class F>() {
    Candidates candidates;
    note_all<F>(candidates, {x.begin(), x.end()});
    return decide<F>(candidates);
  });
}

FunctionError largest_error_of_all(const std::string& function, const std::function<void()>& advance) {
  return of_function(function, [&]<class F>() { return decide<F>(candidates_of_all<F>(advance)); });
}

bool has_stated_error(const std::string& function) {
  bool found = false;
  visit_function(function, [&](auto) { found = true; });
  return found;
}

bool is_as_stated(const FunctionError& error) {
  const double last_decimal = error.unit == "ulp" ? 1e-3 : 1e-9;
  return error.error <= error.stated && error.error > error.stated - last_decimal;
}

}  // namespace assay
