#include "properties/computations.hpp"

#include <iterator>
#include <vector>

#include "properties/published.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sas/computations.hpp"
#include "properties/sfda/computations.hpp"

namespace assay {

std::span<const Computation> computation_table() {
  static const std::vector<Computation> computations = [] {
    std::vector<Computation> all;
    for (auto rows :
         {published_computations(), sanatan_latency_computations(), sanatan_low_precision_computations(),
          sanatan_memory_computations(), sanatan_null_model_computations(), sanatan_quality_computations(),
          sanatan_random_model_computations(), sanatan_recurrence_limits_computations(),
          sanatan_training_setup_computations(), sas_accuracies_computations(), sas_generation_computations(),
          sas_training_setup_computations(), sfda_built_counter_computations(), sfda_conditioning_computations(),
          sfda_learned_counters_computations(), sfda_phase_drift_computations(), sfda_residuals_computations()})
      all.insert(all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    return all;
  }();
  return computations;
}

}  // namespace assay
