#pragma once

#include <string>

#include "simt/host/vector_types.hpp"

namespace assay::simt::runtime {

/// A rule that a thread broke, and where. Code addresses become "file:line" when the failure is put into words.
struct Failure {
  std::string rule;
  uint3 block = {};
  uint3 thread = {};
  std::string place = {};            ///< "file:line", where the call that failed knows it
  const void* code = nullptr;        ///< else the address after the access, if known
  std::string other = {};            ///< what it conflicts with, for example "the write by thread 3"
  const void* other_code = nullptr;  ///< and the address after that
};

/// "simt: kernel gemm<16>, block (0, 0, 0), thread (3, 0, 0), gemm.cuh:12: rule"
std::string explain(const Failure& failure, const std::string& kernel);

}  // namespace assay::simt::runtime
