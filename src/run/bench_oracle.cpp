#include "run/bench_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "arith/dd_lanes.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/sized_case.hpp"
#include "problem/transforms.hpp"
#include "run/isolated.hpp"

namespace assay {
namespace {

/// One operator, and the definition's values for the first tokens.
struct Subject {
  const Oracle* oracle;
  Case whole;
  References first_values;
  double reference_seconds;  ///< scaled to all tokens
  std::int64_t reference_tokens = 0;
};

Subject subject_of(const Oracle& oracle, const OracleBench& bench) {
  const Kernel any{.name = std::string(oracle.op->name), .op = oracle.op};
  const HeadSize head = oracle.op->uses(Axis::group) ? bench.by_pairs : bench.by_tokens;
  const CaseSize size{.tokens = head.tokens, .feature = head.width, .value = head.width};
  Subject subject{&oracle, make_case(any, families_of(*oracle.op).front(), 1, size), {}, 0};
  const std::vector<Stretch> first = {{0, 0, std::min(head.reference_tokens, head.tokens)}};
  const Case part = gathered(subject.whole, first, Layout::batched);
  const double seconds = fastest_seconds(1, [&] { subject.first_values = oracle.by_definition(part); });
  const auto work = [](const Case& c) { return static_cast<double>(work_of(c, Algorithm::scan)); };
  subject.reference_seconds = seconds * work(subject.whole) / work(part);
  subject.reference_tokens = first.front().length();
  return subject;
}

/// Throws where a row of the definition lies outside the certified radius. States of the first tokens are others, and
/// so are gradients of keys and values, which all queries have a part in.
void require_agreement(const Subject& subject, const References& certified) {
  for (const auto& [name, want] : subject.first_values) {
    const TensorSpec& spec = *subject.oracle->op->find(name);
    if (!spec.has(Axis::time) || operators::is_of_later_queries(*subject.oracle->op, spec)) continue;
    const Reference& got = certified.at(name);
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      if (got.hi[i] == want.hi[i] && got.lo[i] == want.lo[i]) continue;  // an infinity is
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (!(difference <= got.radius[i] + want.radius[i]))
        throw std::runtime_error(fmt::format("{}: {}[{}]: certified to {:.3g} but {:.3g} from the definition",
                                             subject.oracle->op->name, name, i, got.radius[i], difference));
    }
  }
}

/// -log2 of the largest radius of an output of tokens beside the largest value.
double certified_bits(const Operator& op, const References& certified) {
  double bits = std::numeric_limits<double>::infinity();
  for (const auto& [name, x] : certified) {
    if (!op.find(name)->has(Axis::time)) continue;
    double largest = 0;
    for (const double value : x.hi)
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    bits = std::min(bits, std::log2(largest / *std::ranges::max_element(x.radius)));
  }
  return bits;
}

BenchRow row_of(const Subject& subject, LanePath path, const OracleBench& bench) {
  References certified;
  const double seconds = fastest_seconds(bench.calls, [&] { certified = subject.oracle->evaluate(subject.whole); });
  require_agreement(subject, certified);
  return {.name = fmt::format("{} oracle, {}", subject.oracle->op->name, name(path)),
          .seconds = seconds,
          .unit = fmt::format("head of T = {}, d = dv = {}", subject.whole.sizes[Axis::time],
                              subject.whole.sizes[Axis::feature]),
          .reference = BenchRow::Compared{fmt::format("definition in Boost MPFR, 50 digits, first {} tokens scaled",
                                                      subject.reference_tokens),
                                          subject.reference_seconds},
          .peak_bytes = {},
          .text = fmt::format("certified to 2^-{:.0f} of the largest output",
                              std::floor(certified_bits(*subject.oracle->op, certified)))};
}

/// A process settles once, when it first needs one, which path it takes.
BenchRow row_in_own_process(const Subject& subject, LanePath path, const OracleBench& bench) {
  BenchRow row;
  const auto job = [&](std::size_t) {
    ::setenv("ASSAY_DD_PATH", std::string(name(path)).c_str(), 1);
    return row_json(row_of(subject, path, bench)).dump();
  };
  run_isolated(1, {.processes = 1}, job, [&](std::size_t, const JobAnswer& answer) {
    if (answer.crashed) throw std::runtime_error(answer.text);
    row = parse_row(Json::parse(answer.text));
    return true;
  });
  return row;
}

}  // namespace

std::vector<BenchRow> bench_oracle(const OracleBench& bench, const Tables& tables) {
  std::vector<BenchRow> rows;
  for (const Oracle& oracle : tables.oracles) {
    // A decode step is a row of what is timed anyway.
    if (!oracle.by_definition || !has_rows_of_tokens(*oracle.op)) continue;
    const Subject subject = subject_of(oracle, bench);
    for (const LanePath path : supported_lane_paths()) rows.push_back(row_in_own_process(subject, path, bench));
  }
  return rows;
}

}  // namespace assay
