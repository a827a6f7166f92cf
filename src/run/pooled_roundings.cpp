#include "run/pooled_roundings.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace assay {
namespace {

constexpr double largest_z = 8, least_ratio = 0.7, largest_ratio = 1.3;
constexpr std::size_t least_cases = 32;  ///< for |z| > 8 to be as rare by Student's t as a fault of the machine

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// mean / (deviation / sqrt n); 0 for one sample.
double z_of(const std::vector<double>& x) {
  if (x.size() < 2) return 0;
  const double center = mean(x), n = static_cast<double>(x.size());
  double squares = 0;
  for (const double value : x) squares += (value - center) * (value - center);
  return center == 0 ? 0 : center / std::sqrt(squares / (n - 1) / n);
}

/// States take many roundings, some of which are of numbers that need none: their deviation is predicted from above.
bool has_predicted_size(const std::string& output) { return output != "S"; }

}  // namespace

void PooledRoundings::take(const Json& result) {
  if (!result.contains("roundings")) return;
  for (const auto& [output, sample] : result["roundings"].items()) {
    Samples& all = samples_[{result["kernel"].get<std::string>(), output}];
    all.elements += sample["elements"].get<std::uint64_t>();
    all.biases.push_back(sample["bias"].get<double>());
    all.squares.push_back(sample["square"].get<double>());
  }
}

Json PooledRoundings::rows() const {
  Json rows = Json::array();
  for (const auto& [name, samples] : samples_) {
    const auto& [kernel, output] = name;
    const double z = z_of(samples.biases), ratio = std::sqrt(mean(samples.squares));
    const bool sized = !has_predicted_size(output) || (ratio >= least_ratio && ratio <= largest_ratio);
    const bool enough = samples.biases.size() >= least_cases;
    rows.push_back({{"kernel", kernel},
                    {"output", output},
                    {"cases", samples.biases.size()},
                    {"elements", samples.elements},
                    {"bias", mean(samples.biases)},
                    {"z", real_json(z)},
                    {"sigma_ratio", ratio},
                    {"verdict", !enough                             ? "undecided"
                                : std::abs(z) <= largest_z && sized ? "pass"
                                                                    : "fail"}});
  }
  return rows;
}

std::string failed_roundings_text(const Json& rows) {
  std::string text;
  for (const Json& row : rows) {
    if (row["verdict"] != "fail") continue;
    text += fmt::format(
        "fail: roundings of {} in {}: bias {:.3g}, z = {} (|z| <= {} allowed), deviation {:.3g} of the predicted ({} "
        "to "
        "{}), {} cases\n",
        row["output"].get<std::string>(), row["kernel"].get<std::string>(), row["bias"].get<double>(), row["z"].dump(),
        largest_z, row["sigma_ratio"].get<double>(), least_ratio, largest_ratio, row["cases"].dump());
  }
  return text;
}

}  // namespace assay
