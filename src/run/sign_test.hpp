#pragma once

#include <cstddef>
#include <span>

namespace assay {

/// Two runs of the same cases, one number a case; equal pairs say nothing and are left out.
struct PairedComparison {
  std::size_t pairs = 0;         ///< that differ
  std::size_t larger = 0;        ///< of these, where `now` is larger
  double median_difference = 0;  ///< of now - before
  double p_larger = 1;           ///< chance of as many larger ones, or more, if either sign were as likely
  double p_smaller = 1;          ///< likewise of smaller ones
};

PairedComparison compare_pairs(std::span<const double> before, std::span<const double> now);

}  // namespace assay
