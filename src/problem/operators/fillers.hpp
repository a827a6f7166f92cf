#pragma once

#include <cstdint>
#include <functional>

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/tensor.hpp"

// What the families of every operator are made of.

namespace assay::operators {

/// Fraction bits of values drawn uniformly.
inline constexpr int value_bits = 20;

/// Fills one tensor of a case.
using Filler = std::function<void(Tensor&, const Case&, Draw&)>;

/// Every element by one draw.
Filler each(double (*value)(Draw&));

/// As `each`, but equal for all tokens of a head.
Filler same_for_all_tokens(double (*value)(Draw&));

/// As `each`, but tokens 2n and 2n + 1 are equal.
Filler same_for_pairs(double (*value)(Draw&));

/// As `each`, for two tokens of a head that take turns.
Filler two_tokens_in_turn(double (*value)(Draw&));

/// As `filler`, but for the first entry of every token and head.
Filler with_first_entry(const Filler& filler, double (*first)(Draw&));

/// As `each` at one entry of every token and head, zero elsewhere.
Filler one_hot(double (*value)(Draw&));

/// Token 2n + 1 is minus token 2n, up to 2^-16 of it.
void nearly_cancelling(Tensor& tensor, const Case& c, Draw& draw);

/// One power of two for the whole case.
void one_power_of_two(Tensor& tensor, const Case& c, Draw& draw);

double bell(Draw& draw);
double uniform(Draw& draw);
double zero(Draw& draw);
double mostly_zero(Draw& draw);  ///< three times in four
double peaked(Draw& draw);       ///< 2^-10 in size; once in eight 8 to 64
double huge(Draw& draw);         ///< 2^20 to 2^40
double tiny(Draw& draw);         ///< 2^-40 to 2^-20
double subnormal(Draw& draw);    ///< below the normal numbers of f32 and bf16

/// A NaN, an infinity or the largest f32 in a few places of a tensor, or of every input of the case's element format.
void plant_specials(Tensor& tensor, Draw& draw);
void plant_specials(Case& c, Draw& draw);

}  // namespace assay::operators
