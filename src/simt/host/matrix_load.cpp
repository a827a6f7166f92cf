#include "simt/host/matrix_load.hpp"

namespace assay::simt::runtime {
namespace {

struct LoadLane {
  const std::byte* row;
  unsigned* registers;
  int matrices;
};

template <bool transposed>
void combine_loads(void* const* lanes, std::uint32_t) {
  const auto lane_at = [&](int lane) -> const LoadLane& { return *static_cast<const LoadLane*>(lanes[lane]); };
  const auto element = [&](int matrix, int row, int column) {
    std::uint16_t bits;
    std::memcpy(&bits, lane_at(8 * matrix + row).row + 2 * column, sizeof bits);
    return std::uint32_t{bits};
  };
  for (int lane = 0; lane < 32; ++lane)
    for (int matrix = 0; matrix < lane_at(lane).matrices; ++matrix) {
      const int i = lane / 4;
      const int j = 2 * (lane % 4);
      lane_at(lane).registers[matrix] = transposed ? element(matrix, j, i) | element(matrix, j + 1, i) << 16
                                                   : element(matrix, i, j) | element(matrix, i, j + 1) << 16;
    }
}

}  // namespace

void load_matrices(unsigned* registers, int matrices, bool transposed, const void* row, Place place) {
  if (lane() < 8 * matrices) read_matrix_row(row, place, __builtin_return_address(0));
  LoadLane mine = {static_cast<const std::byte*>(row), registers, matrices};
  meet("ldmatrix", 0xffffffff, &mine, transposed ? combine_loads<true> : combine_loads<false>, place);
}

}  // namespace assay::simt::runtime
