#include "run/truth.hpp"

namespace assay {

Truth truth_for(const Case& c, const Kernel& kernel, const Oracle& oracle, bool with_sums) {
  Truth truth{.want = oracle.evaluate(c)};
  truth.allowed = oracle.bound(c, kernel.contract, truth.want);
  keep_what_is_returned(truth.want, kernel, with_sums);
  return truth;
}

}  // namespace assay
