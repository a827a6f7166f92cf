#include "run/speed_floor.hpp"

#include <algorithm>
#include <set>

#include "problem/case_mix.hpp"
#include "problem/operators/sas_gradients.hpp"

namespace assay {
namespace {

using enum Axis;

/// Keys that row `row` of `selected` [queries, H, slots] reads of the `seen` that its query sees: those of its own
/// block and of the selected ones before.
double keys_of_row(std::span<const std::int64_t> selected, std::int64_t row, std::int64_t slots, std::int64_t seen,
                   std::int64_t b) {
  const std::int64_t own = (seen - 1) / b;
  std::set<std::int64_t> blocks;
  for (const std::int64_t block :
       selected.subspan(static_cast<std::size_t>(row * slots), static_cast<std::size_t>(slots)))
    if (block >= 0 && block < own) blocks.insert(block);
  return static_cast<double>(seen - own * b + static_cast<std::int64_t>(blocks.size()) * b);
}

/// Queries of a sequence, each with its own number of keys that it sees.
std::int64_t queries_of(const Case& c) { return has_rows_of_tokens(*c.op) ? c.sizes[Axis::time] : 1; }

double all_keys(const Case& c) {
  const auto T = static_cast<double>(c.sizes[Axis::time]);
  const double of_sequence = has_rows_of_tokens(*c.op) ? T * (T + 1) / 2 : T;
  return of_sequence * static_cast<double>(c.sizes[sequences] * c.sizes[head]);
}

double operations_of(const Case& c, Algorithm algorithm) {
  const Sizes& s = c.sizes;
  if (!c.op->uses(value)) return 0;
  if (!c.op->uses(group)) return 2 * static_cast<double>(work_of(c, algorithm));
  const std::int64_t a_pair = operators::is_backward(*c.op) ? 3 * s[feature] + 2 * s[value] : s[feature] + s[value];
  return 2 * keys_read(c) * static_cast<double>(s[group] * a_pair);
}

double bytes_of_tensor(const Case& c, std::string_view name, const Tensor& tensor) {
  const auto bytes = static_cast<double>(tensor.bytes().size());
  const bool chosen = c.has("selected") && queries_of(c) == 1 && (name == "k" || name == "v");
  return chosen ? bytes * (keys_read(c) / all_keys(c)) : bytes;
}

SpeedFloor operations_floor(double operations, Product product, const DeviceRates& rates) {
  switch (product) {
    case Product::fma:
      return {operations / rates.fma_operations, "fma"};
    case Product::tf32:
      return {operations / rates.tf32_operations, "mma.sync tf32"};
    case Product::three_tf32:
      return {3 * operations / rates.tf32_operations, "mma.sync tf32"};
    case Product::bf16:
    case Product::fp16:
      break;
  }
  return {operations / rates.bf16_operations, "mma.sync bf16"};
}

}  // namespace

double keys_read(const Case& c) {
  if (!c.has("selected")) return all_keys(c);
  const std::int64_t H = c.sizes[head], slots = c.sizes[slot], T = c.sizes[Axis::time];
  const auto selected = c.inputs.at("selected").as<std::int64_t>();
  const auto b = static_cast<std::int64_t>(c.parameter("b"));
  double keys = 0;
  for (std::int64_t row = 0; row < c.sizes[sequences] * queries_of(c) * H; ++row)
    keys += keys_of_row(selected, row, slots, queries_of(c) == 1 ? T : row / H % T + 1, b);
  return keys;
}

LeastWork least_work(const Case& c, Algorithm algorithm, const Tensors& outputs) {
  LeastWork work{.bytes = 0, .operations = operations_of(c, algorithm)};
  for (const auto& [name, tensor] : c.inputs) work.bytes += bytes_of_tensor(c, name, tensor);
  for (const auto& [name, tensor] : outputs) work.bytes += static_cast<double>(tensor.bytes().size());
  return work;
}

SpeedFloor floor_of(const LeastWork& work, Product product, const DeviceRates& rates) {
  const SpeedFloor copy{work.bytes / rates.copied_bytes, "copy"};
  const SpeedFloor products = operations_floor(work.operations, product, rates);
  return copy.seconds >= products.seconds ? copy : products;
}

}  // namespace assay
