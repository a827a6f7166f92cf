#include "oracle/sanatan/spectrum.hpp"

#include <numeric>

#include <fmt/format.h>

#include "oracle/sanatan/sizes.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* appendix = "[SANATAN] App. B; [SANATAN-notes] s5";

std::vector<std::uint64_t> first_primes(std::size_t count) {
  std::vector<std::uint64_t> primes;
  for (std::uint64_t n = 2; primes.size() < count; ++n)
    if (std::none_of(primes.begin(), primes.end(), [n](std::uint64_t p) { return n % p == 0; })) primes.push_back(n);
  return primes;
}

template <class K>
K weighted_product(const WeightedFeatures<K>& x, const WeightedFeatures<K>& y) {
  K sum(0);
  for (std::size_t m = 0; m < x.value.size(); ++m) sum = sum + x.weight[m] * x.value[m] * y.value[m];
  return sum;
}

Law harmonic_kernel() {
  const std::uint32_t degree = 27;  // harmonic N = 6 of two angles, 2N each, labels and one weight
  return identity(
      "sanatan.harmonic_kernel_factorises",
      "sum of weighted [1, r] x [1, cos nt, sin nt] = (1 + rho)(1 + sum w_n cos nD)", appendix, degree, 16,
      []<class K>(Source<K>& from) {
        const std::vector<K> w = from.values(from.size("N", 0, 6));
        const CircleAngle<K> q = from.angle(), k = from.angle();
        const K r_q = from.value(), r_k = from.value();
        const std::span<const K> weights(w);
        return same("score", weighted_product(harmonic_features(q, r_q, weights), harmonic_features(k, r_k, weights)),
                    harmonic_score<K>(r_q * r_k, harmonics<K>(w.size(), (q - k).cosine), weights));
      });
}

Outcome harmonic_sizes() {
  for (std::uint64_t n = 0; n <= 16; ++n) {
    const std::vector<Rational> w(n, Rational(1));
    const auto phi = harmonic_features(CircleAngle<Rational>{}, Rational(1), std::span<const Rational>(w));
    const std::uint64_t added =
        state_entries(harmonic_feature_count(n + 1), 64) - state_entries(harmonic_feature_count(n), 64);
    const Outcome outcome = all_of({same("features", std::uint64_t{phi.value.size()}, harmonic_feature_count(n)),
                                    same("numbers added to a state", added, std::uint64_t{4 * 65})});
    if (outcome.kind != Outcome::Kind::holds) return outcome;
  }
  return same("features of the paper's kernel", harmonic_feature_count(1), std::uint64_t{6});
}

Outcome negative_harmonics() {
  const std::vector<Rational> w{1, 1};
  const Rational score = harmonic_score<Rational>(Rational(0), harmonics<Rational>(2, Rational(-1, 4)), w);
  if (!(score < 0)) return Outcome::fails("1 + cos D + cos 2D = " + text_of(score));
  return Outcome::holds(fmt::format("cos D = -1/4, w = (1, 1): 1 + cos D + cos 2D = {}", text_of(score)));
}

/// The score is linear in ρ and in each c_n on [−1, 1], and in w on the cross-polytope Σ |w_n| ≤ 1, so its least value
/// is at corners of all three: ρ = ±1, c_n = ±1, w = ±e_m.
Outcome harmonic_corners() {
  for (std::size_t count = 1; count <= 8; ++count)
    for (std::size_t corner = 0; corner < std::size_t{1} << count; ++corner) {
      std::vector<Rational> c;
      for (std::size_t n = 0; n < count; ++n) c.push_back((corner >> n & 1) != 0 ? 1 : -1);
      for (std::size_t m = 0; m < count; ++m)
        for (const int sign : {1, -1})
          for (const int rho : {1, -1}) {
            std::vector<Rational> w(count, Rational(0));
            w[m] = sign;
            if (harmonic_score<Rational>(rho, c, w) < 0)
              return Outcome::fails(fmt::format("N = {}, rho = {}, w = {} e_{}", count, rho, sign, m + 1));
          }
    }
  return Outcome::holds();
}

/// The mean of the first K primes' cosines at Δ = π, where T_p(−1) = cos pπ.
Rational prime_mean_at_pi(std::size_t count) { return mean_cosine<Rational>(first_primes(count), Rational(-1)); }

Outcome primes_at_pi() {
  for (std::int64_t count = 1; count <= 60; ++count) {
    auto primes = first_primes(static_cast<std::size_t>(count) + 1);
    const Outcome with_two = same("mean of " + std::to_string(count), prime_mean_at_pi(static_cast<std::size_t>(count)),
                                  Rational(2 - count, count));
    primes.erase(primes.begin());
    const Outcome odd = same("mean of odd primes", mean_cosine<Rational>(primes, Rational(-1)), Rational(-1));
    if (const Outcome both = all_of({with_two, odd}); both.kind != Outcome::Kind::holds) return both;
  }
  return Outcome::holds();
}

/// A bound C K^{-1/2} on |mean| needs mean² K ≤ C² for every K. |mean| = (K − 2)/K rises with K, so mean² K passes
/// every C²: shown for the first constants with K = 2 C² + 8, where mean² ≥ 9/16.
Outcome primes_do_not_fall() {
  for (std::int64_t c = 1; c <= 5; ++c) {
    const std::int64_t count = 2 * c * c + 8;
    const Rational mean = prime_mean_at_pi(static_cast<std::size_t>(count));
    if (!(mean * mean * count > c * c))
      return Outcome::fails(fmt::format("C = {}, K = {}: mean {}", c, count, text_of(mean)));
  }
  return Outcome::holds(fmt::format("D = pi: mean {} at K = 10, {} at K = 58; |mean| sqrt(K) passes 5",
                                    text_of(prime_mean_at_pi(10)), text_of(prime_mean_at_pi(58))));
}

std::vector<Rational> coefficients(std::span<const std::uint64_t> frequencies, const Rational& each) {
  std::vector<Rational> c(frequencies.back() + 1, Rational(0));
  for (const std::uint64_t f : frequencies) c[f] = each;
  return c;
}

/// All pairs of frequencies up to 64, so all sets of them; then the first K primes.
Outcome mean_squares() {
  const Rational one(1);
  for (std::uint64_t f = 1; f <= 64; ++f)
    for (std::uint64_t g = 1; g <= 64; ++g) {
      const auto a = coefficients(std::array{f}, one), b = coefficients(std::array{g}, one);
      if (mean_product<Rational>(a, b) != (f == g ? Rational(1, 2) : Rational(0)))
        return Outcome::fails(fmt::format("mean of cos {} D cos {} D", f, g));
    }
  for (std::int64_t count = 1; count <= 18; ++count) {
    const auto c = coefficients(first_primes(static_cast<std::size_t>(count)), Rational(1, count));
    if (mean_product<Rational>(c, c) != Rational(1, 2 * count)) return Outcome::fails(fmt::format("K = {}", count));
  }
  return Outcome::holds();
}

/// cos pΔ = 1 makes Δ/2π a fraction a/m with m | p; all of them in [0, 1) are tried.
std::vector<Rational> common_peaks(std::uint64_t p, std::uint64_t q) {
  std::vector<Rational> peaks;
  for (std::uint64_t m = 1; m <= p; ++m)
    for (std::uint64_t a = 0; a < m; ++a)
      if (std::gcd(a, m) == 1 && p * a % m == 0 && q * a % m == 0) peaks.push_back(Rational(a, m));
  return peaks;
}

Outcome one_common_peak() {
  const auto primes = first_primes(16);
  for (const std::uint64_t p : primes)
    for (const std::uint64_t q : primes)
      if (p != q && common_peaks(p, q) != std::vector<Rational>{0})
        return Outcome::fails(fmt::format("{} and {} have {} common peaks", p, q, common_peaks(p, q).size()));
  return same("common peaks of 6 and 4", common_peaks(6, 4).size(), std::size_t{2});
}

Outcome peaks_of_one_prime() {
  const Rational peak = chebyshev<Rational>(3, Rational(-1, 2));
  if (peak != 1) return Outcome::fails("cos 3D = " + text_of(peak) + " at cos D = -1/2");
  return Outcome::holds("p = 3, D = 2 pi/3: cos D = -1/2 and cos 3D = 1");
}

Law shift_by_a_turn() {
  const std::uint32_t degree = 6;  // x of degree 2, h twice
  return identity("sanatan.shift_by_a_turn_is_a_product_of_sines",
                  "cos(x + 2h) - cos x = -2 sin(x + h) sin h, with x = nu theta and h = nu pi", appendix, degree, 16,
                  []<class K>(Source<K>& from) {
                    const CircleAngle<K> x = from.angle(), h = from.angle();
                    return same("difference", K((x + h + h).cosine - x.cosine), K(K(-2) * (x + h).sine * h.sine));
                  });
}

Outcome half_frequency() {
  const CircleAngle<Rational> quarter{0, 1}, start{};
  for (int nu : {0, 1, 2, 3})
    if (start + multiple(4 * nu, quarter) != start) return Outcome::fails(fmt::format("nu = {} has no period", nu));
  const Rational after = (start + multiple(2, quarter)).cosine;
  if (after != -1) return Outcome::fails("cos(nu 2 pi) = " + text_of(after) + " at nu = 1/2");
  return Outcome::holds("nu = 1/2: cos(nu 0) = 1 and cos(nu 2 pi) = -1");
}

}  // namespace

std::vector<Law> sanatan_spectrum_laws() {
  return {
      harmonic_kernel(),
      enumerated("sanatan.harmonic_features_grow_linearly", "2 (1 + 2N) features, 4 (dv + 1) numbers a harmonic",
                 appendix, "integers", harmonic_sizes),
      enumerated("sanatan.two_unit_harmonics_turn_negative", "1 + cos D + cos 2D < 0 at cos D = -1/4", appendix, "Q",
                 negative_harmonics),
      enumerated("sanatan.small_harmonic_weights_stay_non_negative", "sum |w_n| <= 1 gives 1 + sum w_n cos nD >= 0",
                 appendix, "Q, all corners", harmonic_corners),
      enumerated("sanatan.prime_cosines_at_pi_average_to_two_over_k_minus_one",
                 "mean of cos(p pi) over K primes with 2 is (2 - K)/K, over odd primes -1", appendix, "Q",
                 primes_at_pi),
      enumerated("sanatan.prime_cosines_at_pi_do_not_fall", "no C bounds |mean| sqrt(K) at D = pi", appendix, "Q",
                 primes_do_not_fall),
      enumerated("sanatan.distinct_cosines_have_mean_square_one_over_two_k",
                 "mean over the circle of (mean of K distinct cosines)^2 is 1/(2K)", appendix, "Q", mean_squares),
      enumerated("sanatan.distinct_primes_share_one_peak", "cos pD = cos qD = 1 only at D = 0, p != q prime", appendix,
                 "integers", one_common_peak),
      enumerated("sanatan.one_prime_has_several_peaks", "cos 3D = 1 at D = 2 pi/3", appendix, "Q", peaks_of_one_prime),
      shift_by_a_turn(),
      enumerated("sanatan.half_frequency_changes_sign_after_a_turn", "cos(nu (0 + 2 pi)) = -cos(nu 0) at nu = 1/2",
                 appendix, "Q", half_frequency),
  };
}

}  // namespace assay
