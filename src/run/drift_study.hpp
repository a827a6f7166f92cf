#pragma once

#include <vector>

#include "run/drift.hpp"
#include "run/drift_series.hpp"

namespace assay {

/// A series, and which curves it is part of.
struct StudiedSeries {
  Series series;
  bool of_lengths = false;  ///< a curve against the plan's lengths
  bool plainest = false;    ///< on the plainest family of its kernel
  bool usual_chunk = true;  ///< C is that of the contract, or there is none
};

/// The length at which errors are held against decay and C.
std::int64_t axis_length(const DriftPlan& plan);

/// The series of a kernel whose state is handed on.
std::vector<StudiedSeries> series_of(const DriftPlan& plan, const Kernel& kernel);

/// The curves of a kernel's series: against length, decay and C.
std::vector<Json> curves_of(const DriftPlan& plan, const std::vector<StudiedSeries>& studied,
                            const std::vector<SeriesProgress>& progress);

}  // namespace assay
