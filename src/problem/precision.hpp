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

/// The path by which terms reach a sum, or maps their composition: fixes which roundings exist.
enum class Algorithm { pointwise, scan, chunk, parallel, decode, compose_in_order, compose_as_tree };

/// The precision contract of a kernel: everything that its error bound is derived from. Unless a field says otherwise a
/// number is a float32 and an operation rounds once, to nearest even.
///
/// A height counts the roundings on the longest path from a term to its sum at the largest width that the kernel takes,
/// a fused multiply-add as one and an addition to zero as none; those of tensor cores are counted by `mma_chain`
/// instead. Laws called `contract...` measure every field; one that is looser or tighter than its probe is an error.
struct Contract {
  Algorithm algorithm = Algorithm::scan;
  Format input = Format::f32;
  Product product = Product::fma;  ///< how tiles are multiplied: scores, weights × values, read-out, update
  Format accumulate = Format::f32;
  Format features = Format::f32;       ///< phi_q and phi_k as they enter a product
  Format weights = Format::f32;        ///< scores as they enter the second product and the normaliser
  Format state = Format::f32;          ///< as it is kept from token to token or chunk to chunk
  Format state_operand = Format::f32;  ///< the state as it enters the read-out; z always enters it as it is kept
  Format output = Format::f32;
  Order order = Order::sequential;
  Repeats repeats = Repeats::same_bits;
  Tf32Input tf32_input = Tf32Input::rn;
  std::int64_t chunk = 1;         ///< tokens a chunk, or keys a tile of the parallel form
  std::int64_t mma_chain = 0;     ///< tensor-core instructions an accumulator takes before a float add; 0: none used
  std::int64_t score_height = 0;  ///< of a score, a sum over features; 0: no scores are formed
  /// Of weights × values over one chunk, what precedes it included; 0: one token a time. Of gradients, a tile's sum.
  std::int64_t value_height = 0;
  std::int64_t read_height = 0;  ///< of the read-out, a sum over features; 0: one a feature. Of gradients, <do, o>
  /// Of a chunk's contribution to the state, before it is added; 0: one token a time. Of gradients, a tile's part of a
  /// gate's.
  std::int64_t update_height = 0;
  /// Tokens among which a v that is not finite reaches earlier rows, as 0 × NaN; 1: none.
  std::int64_t causal_tile = 1;
  bool keys_reach_back = false;  ///< causal_tile holds for everything that is written, not for values alone
  std::map<std::string_view, double> elementary_ulp;  ///< worst error of each elementary function that is used
  bool clamps_normaliser = false;                     ///< D is clamped at 0, so that |o| stays within max |v|
  bool one_order = false;                             ///< z is summed and read as one more column of S
  bool wide_normaliser = false;     ///< a softmax sums weights as they were before they were rounded to `weights`
  bool base_two = false;            ///< a softmax takes powers of two, of logits times log2 e, which is a float32 too
  bool flushes_subnormals = false;  ///< what is below the normal numbers may count as 0, wherever it is met

  /// Families on which the operator itself magnifies roundings, and how many times: the smallest detectable fault
  /// beside that of the operator's plainest family.
  std::map<std::string_view, double> ill_conditioned;

  friend bool operator==(const Contract&, const Contract&) = default;
};

std::string_view name_of(Product product);
std::string_view name_of(Order order);
std::string_view name_of(Repeats repeats);
std::string_view name_of(Algorithm algorithm);

}  // namespace assay
