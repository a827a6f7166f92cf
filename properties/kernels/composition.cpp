#include <algorithm>
#include <string>
#include <vector>

#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool composes_maps(const Kernel& kernel) { return std::ranges::any_of(kernel.op->tensors, &TensorSpec::is_square); }

/// Whether the products of a run are maps that the kernel takes as they are.
bool composes_its_products(const Kernel& kernel) {
  return composes_maps(kernel) && kernel.contract.input == Format::f32;
}

/// Every sequence cut into stretches, some of them perhaps empty; `ends` counts them by sequence.
struct Partition {
  std::vector<Stretch> parts;
  std::vector<std::int64_t> ends = {0};
};

Partition draw_partition(const Case& c, Draw& draw) {
  Partition partition;
  for (const Stretch& s : whole(c)) {
    std::vector<std::int64_t> cuts(draw.below(6));
    for (std::int64_t& cut : cuts) cut = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(s.end) + 1));
    std::ranges::sort(cuts);
    cuts.push_back(s.end);
    std::int64_t begin = 0;
    for (const std::int64_t cut : cuts) {
      partition.parts.push_back({s.sequence, begin, cut});
      begin = cut;
    }
    partition.ends.push_back(static_cast<std::int64_t>(partition.parts.size()));
  }
  return partition;
}

/// The case whose maps are the products of the parts.
Case case_of_products(const Case& c, const Partition& partition, const Tensors& products) {
  Case result = c;
  result.inputs.clear();
  result.sizes[Axis::batch] = 1;
  result.sizes[Axis::time] = static_cast<std::int64_t>(partition.parts.size());
  const auto take = [&](const std::string& map, const std::string& product) {
    for (const char* plane : {"_re", "_im"}) {
      Tensor tensor(c.element, result.op->find(map + plane)->shape(result.sizes));
      std::ranges::copy(products.at(product + plane).bytes(), tensor.bytes().begin());
      result.inputs.emplace(map + plane, std::move(tensor));
    }
  };
  take("A", "P");
  take("B", "Z");
  Tensor& ends = result.inputs.emplace("cu_seqlens", Tensor(Format::i64, {c.sequences() + 1})).first->second;
  std::ranges::copy(partition.ends, ends.as<std::int64_t>().begin());
  return result;
}

/// Nodes stand for other stretches there.
Tensors without_nodes(const Case& c, Tensors outputs) {
  std::erase_if(outputs, [&](const auto& entry) { return c.op->find(entry.first)->role == Role::node; });
  return outputs;
}

Outcome partitions(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Partition partition = draw_partition(c, trial.draw);
  const Case parts = gathered(c, partition.parts, Layout::packed);
  const Case products = case_of_products(c, partition, outputs_of(trial, parts));
  if (c.standard == Standard::bound)
    return all_of({meets_its_standard(trial, parts), meets_its_standard(trial, products)});
  return same_values("parts composed, and then their products", c, without_nodes(c, outputs_of(trial, products)),
                     without_nodes(c, outputs_of(trial, c)));
}

}  // namespace

std::vector<KernelLaw> kernels_composition_laws() {
  return {{.name = "kernel.products_of_parts_compose_to_that_of_the_whole",
           .statement = "sequences cut into up to six parts of any length, empty ones too: the products of the parts "
                        "compose to that of the whole, over fields and on exact inputs bit for bit; elsewhere both "
                        "runs are within their bounds",
           .covers = composes_its_products,
           .covers_case = [](const Case& c) { return c.standard != Standard::laws; },
           .check = partitions}};
}

}  // namespace assay
