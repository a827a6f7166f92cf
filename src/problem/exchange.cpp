#include "problem/exchange.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "problem/operators/table.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw ExchangeError(fmt::format("{}: {}", path.string(), why));
}

/// The axes whose lengths are stated; the number of bounds follows from that of sequences.
std::vector<Axis> stated_axes(const Operator& op) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < axis_count; ++i)
    if (const auto axis = static_cast<Axis>(i);
        axis != Axis::bounds && (op.uses(axis) || (axis == Axis::sequences && op.uses(Axis::bounds))))
      axes.push_back(axis);
  return axes;
}

/// {"q": ["B", "T", "H", "d"], ...}: of every tensor of the operator, outputs included, for programs that do not know
/// it.
Json axes_json(const Operator& op) {
  Json json = Json::object();
  for (const TensorSpec& spec : op.tensors)
    for (const Axis axis : spec.axes) json[std::string(spec.name)].push_back(name_of(axis));
  return json;
}

/// {"o": "bf16", "S": "f32"}: outputs of a kernel that returns what it is given.
Json output_formats_json(const Case& c) {
  Json json = Json::object();
  for (const TensorSpec& spec : c.op->tensors)
    if (is_result(spec.role)) json[std::string(spec.name)] = name_of(c.format_of(spec, c.element));
  return json;
}

Json json_of(const StoredCase& stored) {
  const Case& c = stored.c;
  Json j = {{"schema", exchange_version}, {"operator", c.op->name}};
  if (!stored.kernel.empty()) j["kernel"] = stored.kernel;
  if (!stored.law.empty()) j["law"] = stored.law;
  j["family"] = c.family;
  j["seed"] = c.seed;
  j["element"] = name_of(c.element);
  j["standard"] = name_of(c.standard);
  for (const Axis axis : stated_axes(*c.op)) j["sizes"][std::string(name_of(axis))] = c.sizes[axis];
  j["parameters"] = Json::object();
  for (const auto& [name, value] : c.parameters) j["parameters"][name] = value;
  j["tensors"] = Json::object();
  for (const auto& [name, tensor] : c.inputs) j["tensors"][name] = name_of(tensor.format());
  j["outputs"] = output_formats_json(c);
  j["axes"] = axes_json(*c.op);
  return j;
}

/// Reads keys of an object, and refuses those that nobody read.
class Keys {
 public:
  Keys(const Json& object, fs::path path, std::string where)
      : object_(object), path_(std::move(path)), where_(std::move(where)) {
    if (!object.is_object()) refuse(path_, fmt::format("{}: needs an object", where_));
  }

  bool has(const char* key) const { return object_.contains(key); }

  const Json& at(const std::string& key) {
    if (!object_.contains(key)) refuse(path_, fmt::format("{}: no key '{}'", where_, key));
    read_.push_back(key);
    return object_[key];
  }

  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) refuse(path_, fmt::format("{} = {}: needs a text", key, value.dump()));
    return value;
  }
  std::string text_or_empty(const char* key) { return has(key) ? text(key) : ""; }

  std::uint64_t count(const std::string& key) {
    const Json& value = at(key);
    if (!value.is_number_unsigned()) refuse(path_, fmt::format("{} = {}: needs a count", key, value.dump()));
    return value;
  }

  double number(const std::string& key) {
    const Json& value = at(key);
    if (!value.is_number()) refuse(path_, fmt::format("{} = {}: needs a number", key, value.dump()));
    const double x = value;
    if (static_cast<double>(static_cast<float>(x)) != x) refuse(path_, fmt::format("{} = {}: needs an f32", key, x));
    return x;
  }

  void done() const {
    for (const auto& [key, value] : object_.items())
      if (std::ranges::find(read_, key) == read_.end()) refuse(path_, fmt::format("{}: unknown key '{}'", where_, key));
  }

 private:
  const Json& object_;
  fs::path path_;
  std::string where_;
  std::vector<std::string> read_;
};

Json parsed(const fs::path& path) {
  std::ifstream in(path);
  if (!in) refuse(path, "no such file");
  try {
    return Json::parse(in);
  } catch (const Json::parse_error& error) {
    refuse(path, fmt::format("not a whole JSON text (at byte {})", error.byte));
  }
}

/// A word of a list, or an error that names the file.
template <class Parse>
auto word(const fs::path& path, Parse parse) {
  try {
    return parse();
  } catch (const std::invalid_argument& error) {
    refuse(path, error.what());
  }
}

void read_sizes(Case& c, const Json& j, const fs::path& path) {
  Keys keys(j, path, "sizes");
  for (const Axis axis : stated_axes(*c.op))
    c.sizes[axis] = static_cast<std::int64_t>(keys.count(std::string(name_of(axis))));
  keys.done();
  if (!c.op->uses(Axis::bounds)) c.sizes[Axis::sequences] = c.sizes[Axis::batch];
  c.sizes[Axis::bounds] = c.sizes[Axis::sequences] + 1;
  std::int64_t elements = 1;
  for (const Axis axis : stated_axes(*c.op))
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(c.sizes[axis], 1), &elements) ||
        elements > std::int64_t{1} << 40)
      refuse(path, fmt::format("sizes: {}: more than 2^40 elements", sizes_text(c)));
}

void read_parameters(Case& c, const Json& j, const fs::path& path) {
  Keys keys(j, path, "parameters");
  for (const ParameterSpec& spec : c.op->parameters) {
    const std::string name(spec.name);
    c.parameters[name] = keys.number(name);
    if (spec.integer && c.parameters[name] != static_cast<double>(static_cast<std::int64_t>(c.parameters[name])))
      refuse(path, fmt::format("{} = {}: needs an integer", name, c.parameters[name]));
  }
  keys.done();
}

void read_tensors(Case& c, const Json& j, const fs::path& folder) {
  const fs::path path = folder / "case.json";
  Keys keys(j, path, "tensors");
  for (const TensorSpec& spec : c.op->tensors) {
    const std::string name(spec.name);
    if (is_output(spec.role) || (spec.optional && !keys.has(name.c_str()))) continue;
    const std::string stated = keys.text(name.c_str());
    const Format due = c.format_of(spec, c.element);
    if (stated != name_of(due)) refuse(path, fmt::format("{} = {}: needs {}", name, stated, name_of(due)));
    c.inputs.emplace(name, read_npy(folder / (name + ".npy"), due, spec.shape(c.sizes)));
  }
  keys.done();
}

/// One length for all, or lengths that add up to the tokens of one row.
void require_sequences(const Case& c, const fs::path& folder) {
  const fs::path path = folder / "case.json";
  if (!c.has("cu_seqlens")) {
    if (c.sizes[Axis::sequences] != c.sizes[Axis::batch])
      refuse(path, fmt::format("N = {}: needs B = {} without cu_seqlens", c.sequences(), c.sizes[Axis::batch]));
    return;
  }
  if (c.sizes[Axis::batch] != 1) refuse(path, fmt::format("B = {}: needs 1 with cu_seqlens", c.sizes[Axis::batch]));
  const auto ends = c.inputs.at("cu_seqlens").as<std::int64_t>();
  if (ends.front() != 0 || ends.back() != c.sizes[Axis::time] || !std::ranges::is_sorted(ends))
    refuse(folder / "cu_seqlens.npy",
           fmt::format("{} ... {}: needs to rise from 0 to T = {}", ends.front(), ends.back(), c.sizes[Axis::time]));
}

/// A folder of files that are there to be looked at; none if there is nothing.
template <class Arrays, class Write>
void write_arrays(const Arrays& arrays, const fs::path& folder, Write write) {
  if (arrays.empty()) return;
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) refuse(folder, fmt::format("cannot be written: {}", failed.message()));
  for (const auto& [name, array] : arrays) write(array, folder / (name + ".npy"));
}

void write_files(const StoredCase& stored, const fs::path& folder) {
  std::ofstream out(folder / "case.json");
  out << json_of(stored).dump(1) << "\n";
  out.close();
  if (!out) refuse(folder / "case.json", fmt::format("cannot be written: {}", std::strerror(errno)));
  for (const auto& [name, tensor] : stored.c.inputs) write_npy(tensor, folder / (name + ".npy"));
  write_arrays(stored.got, folder / "got", [](const Tensor& tensor, const fs::path& path) { write_npy(tensor, path); });
  write_arrays(stored.want, folder / "want", [](const Reference& reference, const fs::path& path) {
    write_npy(reference.hi, reference.shape, path);
  });
}

}  // namespace

void write_case(const StoredCase& stored, const fs::path& path) {
  std::error_code failed;
  const bool replaces = fs::exists(path / "case.json");
  if (fs::exists(path) && !replaces) refuse(path, "is there already and holds no case");
  const fs::path part = path.string() + fmt::format(".{}.part", ::getpid());
  fs::create_directories(part, failed);
  if (failed) refuse(path, fmt::format("cannot be written: {}", failed.message()));
  try {
    write_files(stored, part);
  } catch (const ExchangeError&) {
    fs::remove_all(part, failed);
    throw;
  }
  if (replaces) fs::remove_all(path, failed);
  fs::rename(part, path, failed);
  if (!failed) return;
  const std::string why = failed.message();
  fs::remove_all(part, failed);
  refuse(path, fmt::format("cannot be written: {}", why));
}

StoredCase read_case(const fs::path& folder) {
  const fs::path path = folder / "case.json";
  const Json j = parsed(path);
  Keys keys(j, path, "case.json");
  if (const Json& version = keys.at("schema"); version != exchange_version)
    refuse(path, fmt::format("schema {}: this program reads {}", version.dump(), exchange_version));
  StoredCase stored;
  Case& c = stored.c;
  c.op = word(path, [&] { return &operator_named(keys.text("operator")); });
  stored.kernel = keys.text_or_empty("kernel");
  stored.law = keys.text_or_empty("law");
  c.family = keys.text("family");
  c.seed = keys.count("seed");
  c.element = word(path, [&] { return parse_format(keys.text("element")); });
  c.standard = word(path, [&] { return parse_standard(keys.text("standard")); });
  if (is_field(c.element) != (c.standard == Standard::field))
    refuse(path, fmt::format("standard {} with elements of {}: fields have a standard of their own",
                             name_of(c.standard), name_of(c.element)));
  read_sizes(c, keys.at("sizes"), path);
  read_parameters(c, keys.at("parameters"), path);
  read_tensors(c, keys.at("tensors"), folder);
  for (const auto& [key, due] : {std::pair("outputs", output_formats_json(c)), std::pair("axes", axes_json(*c.op))})
    if (keys.has(key) && keys.at(key) != due) refuse(path, fmt::format("{}: needs {}", key, due.dump()));
  keys.done();
  require_sequences(c, folder);
  return stored;
}

}  // namespace assay
