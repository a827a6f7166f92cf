#include "simt/host/failure.hpp"

#include <fmt/format.h>

#include "simt/host/source_line.hpp"

namespace assay::simt::runtime {
namespace {

std::string text(uint3 index) { return fmt::format("({}, {}, {})", index.x, index.y, index.z); }

}  // namespace

std::string explain(const Failure& failure, const std::string& kernel) {
  const std::string place = failure.code != nullptr ? source_line(failure.code) : failure.place;
  std::string line = fmt::format("simt: kernel {}, block {}, thread {}{}{}: {}", kernel, text(failure.block),
                                 text(failure.thread), place.empty() ? "" : ", ", place, failure.rule);
  if (!failure.other.empty()) line += fmt::format("; {} in {}", failure.other, source_line(failure.other_code));
  return line;
}

}  // namespace assay::simt::runtime
