#include "problem/families.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/operators/table.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/enumerated.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"
#include "run/digest.hpp"

namespace assay {
namespace {

/// The inputs of the first small cases of a family, in both element formats.
std::uint64_t digest_of(const Operator& op, const Family& family) {
  Tensors all;
  for (const Format element : {Format::f32, Format::bf16}) {
    const Kernel kernel = asking_kernel(op, element);
    for (std::uint64_t seed = 0, found = 0; found < 4; ++seed) {
      if (work_bin_of(make_sizes(kernel, family, seed), Algorithm::scan) > 0) continue;
      ++found;
      for (auto& [name, tensor] : make_case(kernel, family, seed).inputs)
        all.emplace(fmt::format("{}/{}/{}", name_of(element), seed, name), std::move(tensor));
    }
  }
  return digest(all);
}

/// Made on x86-64 by g++ 12.
const std::map<std::string, std::uint64_t> committed = {
    {"sanatan.features/bell", 0x1973cf85e158ee5d},
    {"sanatan.features/uniform", 0xa079223299313c7c},
    {"sanatan.features/peaked", 0x4286a0960e163aef},
    {"sanatan.features/huge", 0xc1a6a276cfa800ec},
    {"sanatan.features/tiny", 0xb3057fe87e42994d},
    {"sanatan.features/zero_keys", 0x8900a45493b58c60},
    {"sanatan.features/subnormal", 0x58ad76db652cb74f},
    {"sanatan.features/saturated_labels", 0xa23e723f2a654856},
    {"sanatan.features/boundary_labels", 0x833c72b6365e137d},
    {"sanatan.features/large_angles", 0xe7b30727c0c71533},
    {"sanatan.features/specials", 0xc8d6cb7c8509582b},
    {"sanatan.attention/bell", 0x5b6cad093ddfd380},
    {"sanatan.attention/uniform", 0x01b9a43f8a8eb10f},
    {"sanatan.attention/peaked", 0x6f50774d24170d33},
    {"sanatan.attention/huge", 0x971b1fec69574041},
    {"sanatan.attention/tiny", 0x5854ecc6f5aace23},
    {"sanatan.attention/cancelling", 0x32ce9059f8dd1661},
    {"sanatan.attention/equal_keys", 0x2303cfdc9c8b34df},
    {"sanatan.attention/zero_keys", 0x78c34dbccbb04adc},
    {"sanatan.attention/one_hot", 0xe4e1051f0a6bba7f},
    {"sanatan.attention/subnormal", 0x27e6ecf4ad0e8da6},
    {"sanatan.attention/constant_values", 0x30aa2b42b24bbb93},
    {"sanatan.attention/opposite_labels", 0x1e3d6a1b1001815b},
    {"sanatan.attention/boundary_labels", 0xd3e7aee9ef30e0f1},
    {"sanatan.attention/large_angles", 0x21767d5f6819ed47},
    {"sanatan.attention/specials", 0xff6fbe58731bceb7},
    {"sanatan.feature_attention/circle", 0x7b415eccd5641b24},
    {"sanatan.feature_attention/hard_labels", 0xebe09de783dbe684},
    {"sanatan.feature_attention/opposite_labels", 0x87eb2b79edd7eeae},
    {"sanatan.feature_attention/no_labels", 0x7fbadc3d818f39ba},
    {"sanatan.feature_attention/cancelling", 0xd06f780c0c85c139},
    {"sanatan.feature_attention/constant_values", 0x31805f5753803b3f},
    {"sanatan.feature_attention/subnormal", 0x3d4a2ea4d71a17ce},
    {"sanatan.feature_attention/history", 0x9764d6b317ffcc07},
    {"sanatan.feature_attention/exact_small", 0xc3236258d67437ff},
    {"sanatan.feature_attention/exact_full", 0x9e3f73986741c29a},
    {"sanatan.feature_attention/field", 0x5179b87170d8ff3d},
    {"sanatan.feature_attention/specials", 0xe3d702a46ba9394d},
};

Outcome same_inputs() {
  FirstFailure found;
  for (const Operator* op : operator_table())
    for (const Family& family : families_of(*op)) {
      const std::string name = fmt::format("{}/{}", op->name, family.name);
      const auto row = committed.find(name);
      const std::string got = fmt::format("0x{:016x}", digest_of(*op, family));
      if (row == committed.end())
        found.note(Outcome::fails(fmt::format("{} has no committed digest: it is {}", name, got)));
      else
        found.note(same(name, got, fmt::format("0x{:016x}", row->second)));
    }
  return found.outcome();
}

/// Values fit their formats, and only families that are judged by laws alone hold anything that is not finite, but for
/// logarithms of 0.
Outcome finite_inputs() {
  FirstFailure found;
  for (const Operator* op : operator_table())
    for (const Family& family : families_of(*op)) {
      if (family.standard == Standard::laws || family.standard == Standard::field) continue;
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Kernel kernel = asking_kernel(*op, seed % 2 == 0 ? Format::f32 : Format::bf16);
        if (work_bin_of(make_sizes(kernel, family, seed), Algorithm::scan) > 1) continue;
        for (const auto& [name, tensor] : make_case(kernel, family, seed).inputs)
          for (std::int64_t i = 0; i < tensor.count(); ++i)
            if (!std::isfinite(tensor.value(i)) && !(op->find(name)->logarithm && tensor.value(i) < 0))
              found.note(Outcome::fails(
                  fmt::format("{}/{}, seed {}: {}[{}] is {}", op->name, family.name, seed, name, i, tensor.value(i))));
      }
    }
  return found.outcome();
}

}  // namespace

std::vector<Law> problem_families_laws() {
  return {
      enumerated("problem.inputs_are_the_same_on_every_machine",
                 "the first small cases of every family have the digests that were committed", "", "bits", same_inputs),
      enumerated("problem.inputs_are_finite", "but for the families that have laws alone", "", "values",
                 finite_inputs)};
}

}  // namespace assay
