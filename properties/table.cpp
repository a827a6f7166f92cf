#include "properties/table.hpp"

#include <iterator>
#include <vector>

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
    append(all, {});
    return all;
  }();
  return laws;
}

std::span<const KernelLaw> kernel_law_table() {
  static const std::vector<KernelLaw> laws = {};
  return laws;
}

}  // namespace assay
