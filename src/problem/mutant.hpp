#pragma once

#include <string>

#include "problem/kernel.hpp"

namespace assay {

/// A kernel with one planted fault.
struct Mutant {
  std::string name;    ///< the fault, "stale_z"
  std::string base;    ///< the kernel that it was made from
  std::string kind;    ///< of the taxonomy of faults: STATE, TAIL, INDEX, PREC, ...
  std::string family;  ///< glob: families that must catch it
  std::string sentence;
  std::string reference;  ///< where such a fault was seen
  bool stale = false;     ///< the edit no longer applies to its file exactly once: an error
  Kernel kernel;          ///< empty if stale
};

}  // namespace assay
