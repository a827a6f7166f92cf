#include "kernels/machine/inputs_text.hpp"

#include <fmt/format.h>

#include "arith/tensor_core.hpp"
#include "kernels/machine/counter.cuh"
#include "kernels/machine/tile_inputs.cuh"

namespace assay::generated {

template <class T>
std::string inputs_text(const TensorCoreClass& kind, std::uint64_t index) {
  constexpr int K = tensor_core::block_length<T>;
  const TileInputs<T, K> inputs(kind, index / tile_outputs);
  const int output = static_cast<int>(index % tile_outputs), row = output / tile_columns,
            column = output % tile_columns;
  std::string a, b;
  for (int k = 0; k < K; ++k) {
    a += fmt::format(" {:0{}x}", inputs.a(row, k).bits, 2 * sizeof(T));
    b += fmt::format(" {:0{}x}", inputs.b(k, column).bits, 2 * sizeof(T));
  }
  return fmt::format("a ={}, b ={}, c = {:08x}", a, b, float_bits(inputs.c(row, column)));
}

std::string input_text(std::uint64_t index) {
  constexpr std::uint64_t inputs_a_block = (std::uint64_t{1} << 32) / blocks_of_inputs;
  return fmt::format("x = {:08x}", input_of(static_cast<std::uint32_t>(index / inputs_a_block),
                                            static_cast<std::uint32_t>(index % inputs_a_block)));
}

std::string table_input_text(simt::approximate::TableName name, std::uint64_t index) {
  return fmt::format("x = {:08x}", float_bits(simt::approximate::table_input(name, static_cast<std::uint32_t>(index))));
}

template std::string inputs_text<Bf16>(const TensorCoreClass&, std::uint64_t);
template std::string inputs_text<Fp16>(const TensorCoreClass&, std::uint64_t);
template std::string inputs_text<Tf32>(const TensorCoreClass&, std::uint64_t);

}  // namespace assay::generated
