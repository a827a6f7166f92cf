#include "properties/table.hpp"

#include <iterator>
#include <vector>

#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

template <class Row>
void append(std::vector<Row>& table, std::vector<Row> rows) {
  table.insert(table.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace

std::span<const Law> law_table() {
  static const std::vector<Law> laws = [] {
    std::vector<Law> all;
    append(all, sanatan_roots_laws());
    append(all, sanatan_squash_laws());
    append(all, sanatan_labels_laws());
    append(all, sanatan_rotation_laws());
    append(all, sanatan_features_laws());
    append(all, sanatan_gates_laws());
    append(all, sanatan_ranks_laws());
    append(all, sanatan_scores_laws());
    append(all, sanatan_powers_laws());
    append(all, sanatan_recurrence_laws());
    append(all, sanatan_chunk_laws());
    append(all, sanatan_memory_laws());
    return all;
  }();
  return laws;
}

std::span<const KernelLaw> kernel_law_table() {
  static const std::vector<KernelLaw> laws = {};
  return laws;
}

}  // namespace assay
