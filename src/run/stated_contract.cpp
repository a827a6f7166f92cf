#include "run/stated_contract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "problem/families.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/operators/table.hpp"
#include "record/record.hpp"
#include "record/whole_file.hpp"
#include "run/glob.hpp"

namespace assay {
namespace {

/// Largest errors of CUDA's expf, logf, sinf, cosf and tanhf in units of the last place, by its programming guide.
constexpr double cuda_ulp = 2;
constexpr std::array<std::string_view, 5> functions = {"exp", "log", "sin", "cos", "tanh"};

Contract base_contract(Format element, Product product) {
  Contract contract{.input = element, .product = product, .output = element, .order = Order::any, .chunk = 64};
  // The tensor core ignores the low bits of a float32 that it is given as it is.
  if (product == Product::tf32) contract.tf32_input = Tf32Input::truncated;
  if (product == Product::bf16) contract.features = contract.weights = contract.state_operand = Format::bf16;
  contract.wide_normaliser = true;  // as all fused softmax kernels known have it
  for (const std::string_view function : functions) contract.elementary_ulp[function] = cuda_ulp;
  return contract;
}

struct Preset {
  std::string_view name;
  Format element;
  Product product;
};

constexpr std::array presets = {
    Preset{"f32", Format::f32, Product::fma}, Preset{"f32-tf32", Format::f32, Product::tf32},
    Preset{"bf16", Format::bf16, Product::fma}, Preset{"bf16-mma", Format::bf16, Product::bf16}};

const Preset* find_preset(std::string_view name) {
  const auto it = std::ranges::find(presets, name, &Preset::name);
  return it == presets.end() ? nullptr : &*it;
}

[[noreturn]] void refuse(std::string_view key, const Json& value, std::string_view rule) {
  throw RecordError(fmt::format("{} = {}: needs {}", key, value.dump(), rule));
}

/// The value of an enumeration that has that name.
template <class E>
E named(std::string_view key, const Json& value, std::span<const E> values, std::string_view (*name)(E)) {
  std::vector<std::string_view> names;
  for (const E e : values) {
    names.push_back(name(e));
    if (value == std::string(name(e))) return e;
  }
  refuse(key, value, fmt::format("one of {}", fmt::join(names, ", ")));
}

std::string_view name_of_input(Tf32Input input) {
  constexpr std::array<std::string_view, 3> names = {"truncated", "rna", "rn"};
  return names[static_cast<std::size_t>(input)];
}

Format format_of(std::string_view key, const Json& value) {
  constexpr std::array formats = {Format::f32, Format::bf16, Format::fp16};
  return named<Format>(key, value, formats, name_of);
}

std::int64_t count_of(std::string_view key, const Json& value, std::int64_t least) {
  if (!value.is_number_integer() || value < least || value > 1 << 20)
    refuse(key, value, fmt::format("a whole number from {}", least));
  return value;
}

bool truth_of(std::string_view key, const Json& value) {
  if (!value.is_boolean()) refuse(key, value, "true or false");
  return value;
}

/// {"exp": 2, ...}, with keys among these names.
std::map<std::string_view, double> numbers_of(std::string_view key, const Json& value,
                                              std::span<const std::string_view> names) {
  if (!value.is_object()) refuse(key, value, "an object");
  std::map<std::string_view, double> numbers;
  for (const auto& [name, number] : value.items()) {
    const auto it = std::ranges::find(names, name);
    if (it == names.end())
      throw RecordError(fmt::format("{}: unknown '{}': did you mean {}?", key, name, nearest(name, names)));
    if (!number.is_number() || !(number >= 0)) refuse(fmt::format("{}.{}", key, name), number, "a number from 0");
    numbers[*it] = number;
  }
  return numbers;
}

std::vector<std::string_view> family_names() {
  std::vector<std::string_view> names;
  for (const Operator* op : operator_table())
    for (const Family& family : families_of(*op)) names.push_back(family.name);
  return names;
}

using Read = void (*)(StatedContract&, std::string_view key, const Json&);

/// A field that the judgement of an output reads. Laws of kernels, which run them, read others.
struct Field {
  std::string_view name;
  Read read;
};

template <auto member>
void read_format(StatedContract& s, std::string_view key, const Json& value) {
  s.contract.*member = format_of(key, value);
}

/// Bounds are derived for numbers that are summed and kept as float32.
void require_f32(StatedContract&, std::string_view key, const Json& value) {
  if (value != "f32") refuse(key, value, "f32, which is all that bounds are derived for");
}

template <auto member, std::int64_t least>
void read_count(StatedContract& s, std::string_view key, const Json& value) {
  s.contract.*member = count_of(key, value, least);
}

template <auto member>
void read_truth(StatedContract& s, std::string_view key, const Json& value) {
  s.contract.*member = truth_of(key, value);
}

void read_algorithm(StatedContract& s, std::string_view key, const Json& value) {
  if (!value.is_string()) refuse(key, value, "a text");
  s.algorithm = parse_algorithm(value.get<std::string>());
}

void read_product(StatedContract& s, std::string_view key, const Json& value) {
  constexpr std::array products = {Product::fma, Product::tf32, Product::three_tf32, Product::bf16, Product::fp16};
  s.contract.product = named<Product>(key, value, products, name_of);
}

void read_tf32_input(StatedContract& s, std::string_view key, const Json& value) {
  constexpr std::array inputs = {Tf32Input::truncated, Tf32Input::rna, Tf32Input::rn};
  s.contract.tf32_input = named<Tf32Input>(key, value, inputs, name_of_input);
}

void read_elementary(StatedContract& s, std::string_view key, const Json& value) {
  for (const auto& [function, ulps] : numbers_of(key, value, functions)) s.contract.elementary_ulp[function] = ulps;
}

void read_ill_conditioned(StatedContract& s, std::string_view key, const Json& value) {
  s.contract.ill_conditioned = numbers_of(key, value, family_names());
}

constexpr std::array fields = {
    Field{"algorithm", read_algorithm},
    Field{"input", read_format<&Contract::input>},
    Field{"product", read_product},
    Field{"accumulate", require_f32},
    Field{"features", read_format<&Contract::features>},
    Field{"weights", read_format<&Contract::weights>},
    Field{"state", require_f32},
    Field{"state_operand", read_format<&Contract::state_operand>},
    Field{"output", read_format<&Contract::output>},
    Field{"tf32_input", read_tf32_input},
    Field{"chunk", read_count<&Contract::chunk, 1>},
    Field{"mma_chain", read_count<&Contract::mma_chain, 0>},
    Field{"score_height", read_count<&Contract::score_height, 0>},
    Field{"value_height", read_count<&Contract::value_height, 0>},
    Field{"read_height", read_count<&Contract::read_height, 0>},
    Field{"update_height", read_count<&Contract::update_height, 0>},
    Field{"elementary_ulp", read_elementary},
    Field{"clamps_normaliser", read_truth<&Contract::clamps_normaliser>},
    Field{"one_order", read_truth<&Contract::one_order>},
    Field{"wide_normaliser", read_truth<&Contract::wide_normaliser>},
    Field{"divides_weights", read_truth<&Contract::divides_weights>},
    Field{"base_two", read_truth<&Contract::base_two>},
    Field{"flushes_subnormals", read_truth<&Contract::flushes_subnormals>},
    Field{"ill_conditioned", read_ill_conditioned},
};

Contract preset_of(const Json& json) {
  if (!json.contains("preset")) return base_contract(Format::f32, Product::fma);
  const Json& name = json["preset"];
  const Preset* preset = name.is_string() ? find_preset(name.get<std::string>()) : nullptr;
  if (preset == nullptr) refuse("preset", name, fmt::format("one of {}", contract_presets()));
  return base_contract(preset->element, preset->product);
}

StatedContract contract_of(const Json& json, const std::string& name) {
  if (!json.is_object()) throw RecordError("needs an object");
  StatedContract stated{.name = name, .contract = preset_of(json)};
  for (const auto& [key, value] : json.items()) {
    if (key == "preset") continue;
    const auto it = std::ranges::find(fields, key, &Field::name);
    if (it == fields.end()) {
      std::vector<std::string_view> names = {"preset"};
      for (const Field& field : fields) names.push_back(field.name);
      throw RecordError(fmt::format("unknown field '{}': did you mean {}?", key, nearest(key, names)));
    }
    it->read(stated, it->name, value);
  }
  return stated;
}

void require_bound(const Operator& op, Algorithm algorithm) {
  std::vector<Algorithm> bounded = {Algorithm::scan, Algorithm::chunk, Algorithm::decode};
  if (usual_algorithm(op) == Algorithm::pointwise) bounded = {Algorithm::pointwise};
  if (usual_algorithm(op) == Algorithm::compose_in_order)
    bounded = {Algorithm::compose_in_order, Algorithm::compose_as_tree};
  if (op.uses(Axis::group)) bounded = {usual_algorithm(op)};
  if (op.paper == "sanatan" && bounded.size() > 1) bounded.push_back(Algorithm::parallel);
  if (std::ranges::find(bounded, algorithm) != bounded.end()) return;
  std::vector<std::string_view> names;
  for (const Algorithm one : bounded) names.push_back(name_of(one));
  throw RecordError(
      fmt::format("algorithm {}: {} has bounds for {}", name_of(algorithm), op.name, fmt::join(names, ", ")));
}

/// Fills a number that was not stated.
void otherwise(std::int64_t& number, std::int64_t value) {
  if (number == 0) number = value;
}

}  // namespace

std::string contract_presets() {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets) names.push_back(preset.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

StatedContract stated_contract(const std::string& name_or_file) {
  if (const Preset* preset = find_preset(name_or_file))
    return {.name = name_or_file, .contract = base_contract(preset->element, preset->product)};
  if (!std::filesystem::exists(name_or_file))
    throw RecordError(fmt::format("contract '{}': neither a preset ({}) nor a file", name_or_file, contract_presets()));
  const Json json = parse_json(read_whole_file(name_or_file), name_or_file);
  try {
    return contract_of(json, std::filesystem::path(name_or_file).stem().string());
  } catch (const RecordError& error) {
    throw RecordError(fmt::format("{}: {}", name_or_file, error.what()));
  }
}

Algorithm parse_algorithm(std::string_view name) {
  constexpr std::array algorithms = {Algorithm::pointwise,      Algorithm::scan,   Algorithm::chunk,
                                     Algorithm::parallel,       Algorithm::decode, Algorithm::compose_in_order,
                                     Algorithm::compose_as_tree};
  return named<Algorithm>("algorithm", Json(std::string(name)), algorithms, name_of);
}

Algorithm usual_algorithm(const Operator& op) {
  if (std::ranges::any_of(op.tensors, &TensorSpec::is_square)) return Algorithm::compose_in_order;
  if (op.uses(Axis::group)) return op.find("q")->has(Axis::time) ? Algorithm::parallel : Algorithm::decode;
  return op.uses(Axis::value) ? Algorithm::chunk : Algorithm::pointwise;
}

Contract contract_for(const StatedContract& stated, const Case& c) {
  Contract contract = stated.contract;
  contract.algorithm = stated.algorithm.value_or(usual_algorithm(*c.op));
  require_bound(*c.op, contract.algorithm);
  const TensorSpec* const lse = c.op->uses(Axis::group) ? c.op->find("lse") : nullptr;
  if (contract.divides_weights && (lse == nullptr || !is_output(lse->role)))
    throw RecordError(fmt::format("divides_weights: {} has no weights to divide", c.op->name));
  if ((contract.base_two || contract.flushes_subnormals) && lse == nullptr)
    throw RecordError(fmt::format("base_two, flushes_subnormals: {} has no bounds for them", c.op->name));
  if (contract.algorithm == Algorithm::pointwise) return contract;
  // A component of a complex product is a sum of two.
  const bool is_complex = c.op->find("q_re") != nullptr || usual_algorithm(*c.op) == Algorithm::compose_in_order;
  const std::int64_t components = is_complex ? 2 : 1;
  const std::int64_t channels = c.op->uses(Axis::channel) ? c.sizes[Axis::channel] : 1;
  const std::int64_t features = components * channels * c.sizes[Axis::feature], tokens = components * contract.chunk;
  const std::int64_t width = operators::is_backward(*c.op) ? std::max(features, c.sizes[Axis::value]) : features;
  otherwise(contract.read_height, width);
  if (contract.algorithm == Algorithm::chunk || contract.algorithm == Algorithm::parallel || c.op->uses(Axis::group)) {
    otherwise(contract.score_height, width);
    otherwise(contract.value_height, tokens + 1);
    otherwise(contract.update_height, tokens);
  } else {
    contract.chunk = 1;
    otherwise(contract.update_height, 1);  // a product that is rounded before it is added
  }
  if (contract.product == Product::fma) return contract;
  const bool tf32 = contract.product == Product::tf32 || contract.product == Product::three_tf32;
  const std::int64_t terms = tf32 ? 8 : 16, words = contract.product == Product::three_tf32 ? 3 : 1;
  otherwise(contract.mma_chain, words * ((std::max(width, tokens) + terms - 1) / terms));
  return contract;
}

}  // namespace assay
