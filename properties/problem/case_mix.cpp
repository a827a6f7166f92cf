#include "problem/case_mix.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "kernels/table.hpp"
#include "properties/enumerated.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seeds = 500;

/// How many of a kernel's cases are of each kind.
struct Tally {
  std::array<int, work_bins.size()> bins{};
  int wide = 0, beyond_two_chunks = 0, long_ones = 0, empty = 0, empty_sequences = 0;
};

std::int64_t longest_sequence(const Case& c) {
  std::int64_t longest = 0;
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    longest = std::max(longest, c.tokens_of(n).second - c.tokens_of(n).first);
  return longest;
}

bool has_empty_sequence(const Case& c) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    if (c.tokens_of(n).second == c.tokens_of(n).first) return true;
  return false;
}

Tally tally_of(const Kernel& kernel) {
  const Family& family = *families_for(kernel).front();
  Tally tally;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Case c = make_sizes(kernel, family, seed);
    ++tally.bins[work_bin_of(c, kernel.contract.algorithm)];
    tally.wide += c.sizes[Axis::feature] >= 64;
    tally.beyond_two_chunks += longest_sequence(c) > two_chunks(kernel);
    tally.long_ones += longest_sequence(c) >= 256;
    tally.empty += c.sizes[Axis::time] == 0;
    tally.empty_sequences += c.has("cu_seqlens") && has_empty_sequence(c);
  }
  return tally;
}

/// A share of the bins is met within five standard deviations of its draws.
Outcome share(const Kernel& kernel, std::size_t bin, int count, double wanted) {
  const double expected = wanted * static_cast<double>(seeds), deviation = std::sqrt(expected * (1 - wanted));
  return holds_if(std::abs(count - expected) <= 5 * deviation,
                  fmt::format("{}: {} of {} cases in bin {}", kernel.name, count, seeds, bin));
}

Outcome at_least(const Kernel& kernel, const char* what, int count, double wanted) {
  return holds_if(count >= wanted * static_cast<double>(seeds),
                  fmt::format("{}: {} of {} cases have {}, want {} %", kernel.name, count, seeds, what, 100 * wanted));
}

Outcome shares_of(const Kernel& kernel) {
  const Tally tally = tally_of(kernel);
  FirstFailure found;
  for (std::size_t bin = 0; bin < work_bins.size(); ++bin)
    found.note(share(kernel, bin, tally.bins[bin], std::array{0.60, 0.30, 0.09, 0.01}[bin]));
  if (kernel.limits.feature >= 64) found.note(at_least(kernel, "d >= 64", tally.wide, 0.25));
  if (kernel.limits.one_token) return found.outcome();
  found.note(at_least(kernel, "T > 2 C", tally.beyond_two_chunks, 0.25));
  found.note(at_least(kernel, "T >= 256", tally.long_ones, 0.10));
  found.note(at_least(kernel, "T = 0", tally.empty, 0.01));
  if (kernel.limits.ragged) found.note(at_least(kernel, "an empty sequence", tally.empty_sequences, 0.02));
  return found.outcome();
}

Outcome every_kernel() {
  FirstFailure found;
  for (const Kernel& kernel : kernel_table()) found.note(shares_of(kernel));
  return found.outcome();
}

}  // namespace

std::vector<Law> problem_case_mix_laws() {
  Law law = enumerated("problem.case_mix_meets_its_shares",
                       "60 % of the cases take at most 0.3 MMAC, 30 % up to 3, 9 % up to 15, 1 % up to 60; at least "
                       "25 % have d >= 64, 25 % T > 2 C, 10 % T >= 256; T = 0 and empty sequences occur",
                       "", "sizes", every_kernel);
  law.proof = Proof::tested;
  return {law};
}

}  // namespace assay
