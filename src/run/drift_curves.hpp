#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "record/record.hpp"

namespace assay {

/// What a curve of a drift record is of.
struct CurveSubject {
  std::string kernel, family, output;
  std::string axis;  ///< length, chunk, or one of a family's places
  std::string at;    ///< what is held fixed: "T = 1024, C = 64"; may be empty
};

/// One output's p50, p99 and bound, by x.
using CurvePoints = std::map<double, Json>;

/// A curve with its growth, where x is a size, and what it says.
Json curve_json(const CurveSubject& subject, const CurvePoints& points);

/// The curve of a kernel that stopped at this x, and why.
Json stopped_curve(const CurveSubject& subject, std::int64_t x, const std::string& why);

/// Whether the 99 % quantile of the error passes that of the bound somewhere, which proves an element above its own, or
/// the kernel stopped.
bool above_bound(const Json& curve);

}  // namespace assay
