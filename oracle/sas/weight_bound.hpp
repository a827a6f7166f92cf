#pragma once

#include <vector>

#include "oracle/rounding_units.hpp"
#include "oracle/row_products.hpp"
#include "oracle/sas/head.hpp"
#include "problem/precision.hpp"

namespace assay::sas {

/// A key of a row: its share e^(x - L) of the weights, and the relative error that a kernel may make in it (bounds.md,
/// B1 and B2).
struct KeyBound {
  std::size_t key;
  std::size_t tile;  ///< keys of one tile have one reference, and equal logits there one weight
  double logit;
  double share;
  double factor = 1;     ///< of its value: the gate where that is outside
  double worst = 0;      ///< D: every rounding at its worst
  double deviation = 0;  ///< of independent roundings, a standard deviation's worth
  double one_sided = 0;  ///< what is added up in P too
  double of_factor = 0;  ///< of the factor, and of the weight's product with it
  double narrowed = 0;   ///< of the weight as a factor of its value alone, where the normaliser has it wide
};

struct RowBound {
  std::vector<KeyBound> keys;
  double largest_logit = 0;
  double logit_error = 0;  ///< the largest of a logit
  double worst = 0;        ///< the largest logarithm of a weight errs by
  double height = 0;       ///< of the sums over the keys, with the products that bring tiles to one reference

  /// Where one key has most of the weight, o is near a value, and its rounding is not even within a unit.
  double largest_share() const {
    double largest = 0;
    for (const KeyBound& key : keys) largest = std::max(largest, key.share);
    return largest;
  }
};

/// What the bounds of one head share.
class WeightBounds {
 public:
  /// `units` are the contract's, or those of a format of few bits.
  WeightBounds(const Head<double>& x, const Contract& contract, const RoundingUnits& units);

  /// Of query t, whose L this is; no keys where it reads none.
  RowBound of(std::size_t t, double L) const;

  /// Of a query whose L was stored: each share is e^(x - L), recomputed alone (bounds.md, G1).
  RowBound recomputed(std::size_t t, double L) const;

  const RoundingUnits& units() const { return units_; }

 private:
  struct Token {
    double norm, largest;  ///< 2-norm and largest entry of its vector
    double unit;           ///< a power of two that divides all entries
    double operand;        ///< what an entry loses on its way into a product
  };
  struct Logit;

  std::vector<Token> tokens_of(const Matrix<double>& m) const;
  Logit logit(const Token& q, const Token& k, double dot, double log_gate) const;
  std::vector<Logit> take_keys(std::size_t t, double L, RowBound& row) const;
  double tiles_of(const std::vector<KeyRange>& ranges) const;
  double rescalings(const std::vector<KeyRange>& ranges, const RowBound& row) const;

  /// What a weight loses before it is summed.
  double of_weight() const;

  /// What it loses between its sum and its product.
  double narrowed(const KeyBound& key) const;

  /// What a change to base two may do to a logarithm of a weight.
  double base_error(double logit, double largest, double rescaled) const;

  const Head<double>& x_;
  const Contract& contract_;
  RoundingUnits units_;
  double exp_unit_;   ///< relative error of exp
  bool exact_scale_;  ///< a power of two
  BlockedRows q_, k_;
  std::vector<Token> of_q_, of_k_;
};

/// Relative error of an elementary function of the contract: one ulp is at most 2u.
double elementary_unit(const Contract& contract, const RoundingUnits& units, std::string_view function);

}  // namespace assay::sas
