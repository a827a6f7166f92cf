#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "problem/tensor.hpp"

namespace assay {

enum class Product { fma, tf32, three_tf32, bf16, fp16 };
enum class Tf32Input { truncated, rna, rn };
enum class Order { sequential, tree, blocked, any };
enum class Repeats { never, run_to_run, same_bits };

/// The path by which terms reach a sum: fixes which roundings exist.
enum class Algorithm { pointwise, scan, chunk, parallel, decode };

/// The precision contract of a kernel: everything that its error bound is derived from.
struct Contract {
  Algorithm algorithm = Algorithm::scan;
  Format input = Format::f32;
  Product product = Product::fma;
  Format accumulate = Format::f32;
  Format weights = Format::f32;  ///< scores as they enter the second product
  Format state = Format::f32;
  Format output = Format::f32;
  Order order = Order::sequential;
  Repeats repeats = Repeats::same_bits;
  Tf32Input tf32_input = Tf32Input::rn;
  std::int64_t chunk = 1;        ///< tokens a chunk
  std::int64_t mma_chain = 0;    ///< tensor-core instructions an accumulator takes before a float add; 0: none used
  std::int64_t read_height = 0;  ///< additions on the longest path of the read-out dot product; 0: one a feature
  std::map<std::string_view, double> elementary_ulp;  ///< worst error of each elementary function that is used
  bool clamps_normaliser = false;                     ///< D is clamped at 0, so that |o| stays within max |v|
  bool one_order = false;                             ///< z is summed and read as one more column of S
};

std::string_view name_of(Product product);
std::string_view name_of(Order order);
std::string_view name_of(Repeats repeats);
std::string_view name_of(Algorithm algorithm);

}  // namespace assay
