#include "problem/exchange.hpp"

#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/operators/sanatan.hpp"
#include "problem/operators/table.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/enumerated.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"
#include "properties/temporary_folder.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

Case small_case(const Operator& op, const Family& family, Format element, std::uint64_t seed) {
  const Kernel kernel = asking_kernel(op, element);
  while (work_of(make_sizes(kernel, family, seed), Algorithm::scan) > 20'000) ++seed;
  return make_case(kernel, family, seed);
}

bool same_case(const Case& a, const Case& b) {
  return a.op == b.op && a.sizes == b.sizes && a.parameters == b.parameters && a.family == b.family &&
         a.seed == b.seed && a.element == b.element && a.standard == b.standard && a.inputs == b.inputs;
}

Outcome given_back() {
  const TemporaryFolder folder;
  FirstFailure found;
  for (const Operator* op : operator_table())
    for (const Family& family : families_of(*op))
      for (const Format element : {Format::f32, Format::bf16, Format::fp16}) {
        // Half precision does not reach the sizes of these.
        if (element == Format::fp16 && family.name != "bell" && family.name != "circle") continue;
        const StoredCase stored{small_case(*op, family, element, 7), "some/kernel", "some.law"};
        write_case(stored, folder / "case");
        const StoredCase back = read_case(folder / "case");
        found.note(holds_if(
            same_case(stored.c, back.c) && back.kernel == stored.kernel && back.law == stored.law,
            fmt::format("{}/{} of {} came back as another case", op->name, family.name, name_of(stored.c.element))));
      }
  found.note(same("entries", folder.entries(), std::size_t{1}));
  return found.outcome();
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void set_text(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// Replaces the first occurrence in a file.
void edit(const fs::path& path, const std::string& find, const std::string& replace) {
  std::string text = text_of(path);
  const std::size_t at = text.find(find);
  if (at == std::string::npos) throw std::logic_error(find + ": not in " + path.string());
  set_text(path, text.replace(at, find.size(), replace));
}

/// What is done to a folder, and the words that the one line of its error must have.
struct Damage {
  const char* what;
  std::function<void(const fs::path&)> apply;
  std::vector<std::string> words;
};

std::vector<Damage> damages() {
  const auto in_json = [](const char* find, const char* replace) {
    return [=](const fs::path& folder) { edit(folder / "case.json", find, replace); };
  };
  const auto in_q = [](const std::string& find, const std::string& replace) {
    return [=](const fs::path& folder) { edit(folder / "q.npy", find, replace); };
  };
  return {
      {"no case.json", [](const fs::path& f) { fs::remove(f / "case.json"); }, {"case.json", "no such file"}},
      {"half a case.json",
       [](const fs::path& f) { set_text(f / "case.json", text_of(f / "case.json").substr(0, 40)); },
       {"case.json", "JSON"}},
      {"a list", [](const fs::path& f) { set_text(f / "case.json", "[]"); }, {"case.json", "object"}},
      {"another schema", in_json("\"schema\": 1", "\"schema\": 2"), {"schema 2", "reads 1"}},
      {"no schema", in_json("\"schema\": 1,", ""), {"no key 'schema'"}},
      {"an unknown operator", in_json("sanatan.attention", "sanatan.attentoin"), {"sanatan.attentoin"}},
      {"an unknown key", in_json("\"seed\"", "\"sede\": 1, \"seed\""), {"unknown key 'sede'"}},
      {"an unknown parameter", in_json("\"gamma\"", "\"beta\": 1, \"gamma\""), {"unknown key 'beta'"}},
      {"a missing parameter", in_json("\"gamma\"", "\"gamme\""), {"no key 'gamma'"}},
      {"a parameter of more bits", in_json("\"gamma\": ", "\"gamma\": 0.1 , \"x\": "), {"gamma", "0.1", "f32"}},
      {"an unknown format", in_json("\"element\": \"f32\"", "\"element\": \"f33\""), {"format 'f33'"}},
      {"an unknown standard", in_json("\"standard\": \"bound\"", "\"standard\": \"none\""), {"standard 'none'"}},
      {"a field without its standard", in_json("\"element\": \"f32\"", "\"element\": \"gf61\""), {"bound", "gf61"}},
      {"a negative size", in_json("\"H\": ", "\"H\": -"), {"H = -", "count"}},
      {"another size", in_json("\"d\": ", "\"d\": 1"), {".npy", "shape", "needs"}},
      {"an enormous size", in_json("\"d\": ", "\"d\": 1000000000000"), {"2^40"}},
      {"another number of sequences", in_json("\"N\": ", "\"N\": 1"), {"N = 1", "B"}},
      {"another format of a tensor", in_json("\"q\": \"f32\"", "\"q\": \"bf16\""), {"q = bf16", "needs f32"}},
      {"an unknown tensor", in_json("\"q\": \"f32\"", "\"q\": \"f32\", \"qq\": \"f32\""), {"unknown key 'qq'"}},
      {"an unlisted tensor", in_json("\"q\": \"f32\",", ""), {"no key 'q'"}},
      {"a missing tensor", [](const fs::path& f) { fs::remove(f / "q.npy"); }, {"q.npy", "no such file"}},
      {"another dtype", in_q("<f4", "<f8"), {"q.npy", "'<f8'", "'<f4'"}},
      {"columns first", in_q("False", "True "), {"q.npy", "fortran_order True", "False"}},
      {"another shape", in_q("'shape': (", "'shape': (9, "), {"q.npy", "shape", "needs"}},
      {"no header", in_q("'descr'", "'decsr'"), {"q.npy", "'descr'"}},
      {"no array", [](const fs::path& f) { set_text(f / "q.npy", "q"); }, {"q.npy", "NUMPY"}},
      {"a header cut short",
       [](const fs::path& f) { set_text(f / "q.npy", text_of(f / "q.npy").substr(0, 50)); },
       {"q.npy", "cut short"}},
      {"data cut short",
       [](const fs::path& f) {
         const std::string text = text_of(f / "q.npy");
         set_text(f / "q.npy", text.substr(0, text.size() - 1));
       },
       {"q.npy", "bytes of data", "needs"}},
      {"data that go on",
       [](const fs::path& f) { set_text(f / "q.npy", text_of(f / "q.npy") + "x"); },
       {"q.npy", "bytes of data", "needs"}},
  };
}

/// "" if reading is refused in one line with these words.
std::string complaint(const fs::path& folder, const std::vector<std::string>& words) {
  try {
    read_case(folder);
  } catch (const ExchangeError& error) {
    const std::string line = error.what();
    for (const std::string& word : words)
      if (line.find(word) == std::string::npos) return fmt::format("'{}' does not say '{}'", line, word);
    return line.find('\n') == std::string::npos ? "" : "more than one line: " + line;
  } catch (const std::exception& error) {
    return fmt::format("another kind of error: {}", error.what());
  }
  return "was read";
}

Outcome damages_are_told() {
  const TemporaryFolder folder;
  const Operator& op = operators::sanatan_attention();
  Case c = small_case(op, family_named(op, "bell"), Format::f32, 1);
  while (c.has("cu_seqlens") || c.has("t0")) c = small_case(op, family_named(op, "bell"), Format::f32, c.seed + 1);
  FirstFailure found;
  for (const Damage& damage : damages()) {
    write_case({c, "", ""}, folder / "case");
    damage.apply(folder / "case");
    const std::string why = complaint(folder / "case", damage.words);
    found.note(holds_if(why.empty(), fmt::format("{}: {}", damage.what, why)));
    fs::remove_all(folder / "case");
  }
  return found.outcome();
}

/// Sequences that fall, and elements outside their field.
Outcome refused_values() {
  const TemporaryFolder folder;
  const Operator& op = operators::sanatan_feature_attention();
  Case packed = small_case(op, family_named(op, "circle"), Format::f32, 1);
  for (std::uint64_t seed = 2; !packed.has("cu_seqlens") || packed.sizes[Axis::time] == 0; ++seed)
    packed = small_case(op, family_named(op, "circle"), Format::f32, seed);
  packed.inputs.at("cu_seqlens").as<std::int64_t>().back() += 1;
  write_case({packed, "", ""}, folder / "packed");
  Case field = small_case(op, family_named(op, "field"), Format::f32, 1);
  while (field.inputs.at("v").count() == 0)
    field = small_case(op, family_named(op, "field"), Format::f32, field.seed + 1);
  for (std::byte& b : field.inputs.at("v").bytes()) b = std::byte{0xff};
  write_case({field, "", ""}, folder / "field");
  return all_of(
      {holds_if(complaint(folder / "packed", {"cu_seqlens.npy", "rise"}).empty(), "sequences beyond T are read"),
       holds_if(complaint(folder / "field", {"v.npy", "order"}).empty(), "elements beyond the field are read")});
}

Outcome kept() {
  const TemporaryFolder folder;
  const Operator& op = operators::sanatan_attention();
  const StoredCase stored{small_case(op, family_named(op, "bell"), Format::f32, 1), "", ""};
  fs::create_directory(folder / "other");
  set_text(folder / "other" / "file", "x");
  try {
    write_case(stored, folder / "other");
    return Outcome::fails("a folder without a case was replaced");
  } catch (const ExchangeError&) {
  }
  return all_of({same("the file", text_of(folder / "other" / "file"), std::string("x")),
                 same("entries", folder.entries(), std::size_t{1})});
}

}  // namespace

std::vector<Law> problem_exchange_laws() {
  return {enumerated("problem.case_folders_give_the_case_back", "bit for bit, every operator, family and format", "",
                     "files", given_back),
          enumerated("problem.malformed_case_folders_are_one_clear_error", "with the file, the value and the rule", "",
                     "files", damages_are_told),
          enumerated("problem.values_outside_their_domain_are_refused", "sequences that do not rise to T, no elements",
                     "", "files", refused_values),
          enumerated("problem.a_case_replaces_no_other_folder", "one line says so, and nothing is touched", "", "files",
                     kept)};
}

}  // namespace assay
