#pragma once

#include <span>

#include "problem/kernel.hpp"
#include "run/baseline.hpp"

namespace assay {

/// A size class: by the longest sequence of a case.
struct SizeClass {
  std::string_view name;
  std::int64_t shortest, longest;
};

/// Which cells a baseline is made of.
struct CellChoice {
  std::size_t families = 4;          ///< the first ones of an operator, of those that are held against a bound
  std::size_t cases = 64;            ///< a cell, as the sign test asks for
  std::int64_t most_work = 300'000;  ///< multiply-adds a case
  std::int64_t most_rows = 256;      ///< tokens times heads a case
};

std::span<const SizeClass> size_classes();

/// Kernel x family x size class. The seeds of a cell are the first ones, from 1, whose cases are of its size, within
/// the limits, and have a whole row block; a cell that has not enough of them among the first 20000 is left out.
std::vector<Cell> choose_cells(std::span<const Kernel> kernels, const CellChoice& choice);

}  // namespace assay
