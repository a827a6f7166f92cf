#include <fmt/format.h>

#include "properties/published.hpp"
#include "properties/sas/computations.hpp"

namespace assay {
namespace {

/// Steps of whole batches of whole sequences.
Finding tokens_of_all_steps(const Published& published) {
  const auto value = [&](std::string_view name) { return printed(published.value(name)); };
  const Interval tokens = value("length") * value("batch") * value("steps");
  const std::string& total = published.value("total");
  return {may_be_equal(tokens, printed(total)) ? ClaimVerdict::proven : ClaimVerdict::inconsistent,
          fmt::format("{}; at {} it would be {} steps", beside_printed({"length x batch x steps", tokens}, total),
                      total, decimal(printed(total) / (value("length") * value("batch"))))};
}

Finding steps_an_epoch(const Published& published) {
  const Interval steps = printed(published.value("samples")) / printed(published.value("batch"));
  const Interval checkpoint = printed(published.value("checkpoint"));
  return settled_by(checkpoint.upper() < steps.lower(),
                    fmt::format("{} steps an epoch, a checkpoint at {}", decimal(steps), decimal(checkpoint)));
}

}  // namespace

std::vector<Computation> sas_training_setup_computations() {
  return {{"sas.tokens_of_all_steps", "length x batch x steps against the printed total", "[SAS-notes] s3.1",
           tokens_of_all_steps},
          {"sas.steps_an_epoch", "samples over batch, beside the step of a checkpoint", "[SAS-notes] s3.1",
           steps_an_epoch}};
}

}  // namespace assay
