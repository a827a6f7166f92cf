#include "run/bench_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
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

/// Other values of the first tokens, and the time that all would take.
struct Compared {
  std::string name;
  References first_values;
  double seconds;
};

/// One operator, and what its oracle is timed beside.
struct Subject {
  const Oracle* oracle;
  Case whole;
  std::vector<Compared> beside = {};
};

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

/// What another process makes of a job, with an environment of its own.
Json in_own_process(const std::function<Json()>& work) {
  Json result;
  run_isolated(
      1, {.processes = 1}, [&](std::size_t) { return work().dump(); },
      [&](std::size_t, const JobAnswer& answer) {
        if (answer.crashed) throw std::runtime_error(answer.text);
        result = Json::parse(answer.text);
        return true;
      });
  return result;
}

/// The fewest bits, a multiple of 8, at which balls certify as much as the oracle.
std::int64_t bits_for(const Oracle& oracle, const BallArithmetic& balls, const Case& c) {
  return in_own_process([&] {
    const double wanted = certified_bits(*oracle.op, oracle.evaluate(c));
    std::int64_t bits = 64;
    while (certified_bits(*oracle.op, balls.evaluate(c, bits)) < wanted) bits += 8;
    return Json(bits);
  });
}

Subject subject_of(const Oracle& oracle, const OracleBench& bench) {
  const Kernel any{.name = std::string(oracle.op->name), .op = oracle.op};
  const HeadSize head = oracle.op->uses(Axis::group) ? bench.by_pairs : bench.by_tokens;
  const CaseSize size{.tokens = head.tokens, .feature = head.width, .value = head.width};
  Subject subject{&oracle, make_case(any, families_of(*oracle.op).front(), 1, size)};
  const std::vector<Stretch> first = {{0, 0, std::min(head.reference_tokens, head.tokens)}};
  const Case part = gathered(subject.whole, first, Layout::batched);
  const auto work = [](const Case& c) { return static_cast<double>(work_of(c, Algorithm::scan)); };
  const auto add = [&](std::string name, const std::function<References(const Case&)>& evaluate) {
    Compared compared{fmt::format("{}, first {} tokens scaled", name, first.front().length()), {}, 0};
    const double seconds = fastest_seconds(1, [&] { compared.first_values = evaluate(part); });
    compared.seconds = seconds * work(subject.whole) / work(part);
    subject.beside.push_back(std::move(compared));
  };
  add("definition in Boost MPFR, 50 digits", oracle.by_definition);
  for (const BallArithmetic& balls : bench.in_balls) {
    if (balls.op != oracle.op) continue;
    const std::int64_t bits = bits_for(oracle, balls, part);
    add(fmt::format("Arb, {} bits", bits), [&](const Case& c) { return balls.evaluate(c, bits); });
  }
  return subject;
}

/// Throws where a row lies outside the certified radius. States of the first tokens are others, and so are gradients of
/// keys and values, which all queries have a part in.
void require_agreement(const Operator& op, const Compared& compared, const References& certified) {
  for (const auto& [name, want] : compared.first_values) {
    const TensorSpec& spec = *op.find(name);
    if (!spec.has(Axis::time) || operators::is_of_later_queries(op, spec)) continue;
    const Reference& got = certified.at(name);
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      if (got.hi[i] == want.hi[i] && got.lo[i] == want.lo[i]) continue;  // an infinity is
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (!(difference <= got.radius[i] + want.radius[i]))
        throw std::runtime_error(fmt::format("{}: {}[{}]: certified to {:.3g} but {:.3g} from {}", op.name, name, i,
                                             got.radius[i], difference, compared.name));
    }
  }
}

/// One row for each that the oracle is timed beside.
std::vector<BenchRow> rows_of(const Subject& subject, LanePath path, const OracleBench& bench) {
  const Operator& op = *subject.oracle->op;
  References certified;
  const double seconds = fastest_seconds(bench.calls, [&] { certified = subject.oracle->evaluate(subject.whole); });
  std::vector<BenchRow> rows;
  for (const Compared& compared : subject.beside) {
    require_agreement(op, compared, certified);
    rows.push_back({.name = fmt::format("{} oracle, {}", op.name, name(path)),
                    .seconds = seconds,
                    .unit = fmt::format("head of T = {}, d = dv = {}", subject.whole.sizes[Axis::time],
                                        subject.whole.sizes[Axis::feature]),
                    .reference = BenchRow::Compared{compared.name, compared.seconds},
                    .peak_bytes = {},
                    .text = fmt::format("certified to 2^-{:.0f} of the largest output",
                                        std::floor(certified_bits(op, certified)))});
  }
  return rows;
}

std::vector<BenchRow> rows_on(LanePath path, const Subject& subject, const OracleBench& bench) {
  const Json all = in_own_process([&] {
    ::setenv("ASSAY_DD_PATH", std::string(name(path)).c_str(), 1);
    return bench_json(rows_of(subject, path, bench))["rows"];
  });
  std::vector<BenchRow> rows;
  for (const Json& row : all) rows.push_back(parse_row(row));
  return rows;
}

}  // namespace

std::vector<BenchRow> bench_oracle(const OracleBench& bench, const Tables& tables) {
  std::vector<BenchRow> rows;
  for (const Oracle& oracle : tables.oracles) {
    // A decode step is a row of what is timed anyway; what reads no key costs nothing beside what does.
    if (!oracle.by_definition || !has_rows_of_tokens(*oracle.op) || !oracle.op->uses(Axis::feature)) continue;
    const Subject subject = subject_of(oracle, bench);
    for (const LanePath path : supported_lane_paths())
      std::ranges::move(rows_on(path, subject, bench), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace assay
