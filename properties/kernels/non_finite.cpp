#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "judge/elements.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool has_numbers(const Case& c) { return c.standard != Standard::field; }

bool is_index_output(const TensorSpec& spec) { return is_output(spec.role) && spec.storage == Storage::index; }

/// Where a value that is not finite was planted, and how far it may reach.
class Reach {
 public:
  Reach(const KernelTrial& trial, const TensorSpec& spec, std::int64_t i)
      : contract_(trial.kernel.contract),
        spec_(spec),
        from_(place_of(trial.input, spec, i)),
        selects_(trial.input.op->uses(Axis::slot)),
        op_(trial.input.op),
        backward_(operators::is_backward(*op_)),
        shows_nothing_(backward_ ||
                       trial.input.tokens_of(from_.sequence).first == trial.input.tokens_of(from_.sequence).second ||
                       std::ranges::any_of(trial.input.op->tensors, is_index_output)) {}

  bool operator()(const TensorSpec& spec, const Place& to) const {
    if (to.sequence != from_.sequence || to[Axis::head] != from_[Axis::head]) return false;
    // A row of a query, its gradients included, is that query's; keys and values reach all later ones' and, through
    // these, all gradients of keys.
    if (backward_)
      return !spec_.has(Axis::group) || operators::is_of_later_queries(*op_, spec) || to.token == from_.token;
    if (spec.role == Role::node) return true;  // which token it is of the algorithm says
    for (const Axis axis : {Axis::group, Axis::value})
      if (spec_.has(axis) && to[axis] != from_[axis]) return false;
    if (contract_.algorithm == Algorithm::pointwise)
      return to.token == from_.token && to[Axis::feature] == from_[Axis::feature];
    if (is_query(spec_)) return to.token == from_.token;
    return to.token == -1 || to.token >= first_token();
  }

  /// Outputs that a NaN must show in: its own row and all later ones, which meet it as 0 x NaN at least, unless rows
  /// read selected tokens alone.
  bool must_show(const TensorSpec& spec, const Place& to) const {
    return !shows_nothing_ && !(selects_ && !is_query(spec_)) && contract_.algorithm != Algorithm::pointwise &&
           spec.role == Role::output && to.token >= from_.token && (*this)(spec, to);
  }

 private:
  /// A tile of weights masks with zeros, and 0 times NaN is NaN: values reach back to the start of their tile, and so
  /// does what values are mixed with in a chunk.
  std::int64_t first_token() const {
    if (from_.token == -1) return 0;
    return spec_.has(Axis::value) || contract_.keys_reach_back
               ? from_.token / contract_.causal_tile * contract_.causal_tile
               : from_.token;
  }

  const Contract& contract_;
  const TensorSpec& spec_;
  Place from_;
  bool selects_;
  const Operator* op_;
  bool backward_;
  bool shows_nothing_;  ///< a query of a sequence without tokens, or of what is a set
};

/// Whether all logits of an element's row are -inf: its o is 0 whatever the values are.
bool has_no_key(const Tensors& outputs, const TensorSpec& spec, std::int64_t i) {
  const auto lse = outputs.find("lse");
  if (lse == outputs.end() || !spec.has(Axis::value)) return false;
  const std::int64_t row = i / outputs.at(std::string(spec.name)).shape().back();
  return lse->second.value(row) == -std::numeric_limits<double>::infinity();
}

Outcome must_show(const KernelTrial& trial, const Reach& reach, const Tensors& outputs) {
  for (const auto& [name, tensor] : outputs) {
    const TensorSpec& spec = *trial.input.op->find(name);
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      if (reach.must_show(spec, place_of(trial.input, spec, i)) && !std::isnan(tensor.value(i)) &&
          !has_no_key(outputs, spec, i))
        return Outcome::fails(fmt::format("a NaN leaves {} at element {} of {}", tensor.value(i), i, name));
  }
  return Outcome::holds();
}

/// An element of the tensor; each coordinate is the first or the last half of the time.
std::int64_t draw_element(Draw& draw, const Shape& shape) {
  std::int64_t i = 0;
  for (const std::int64_t length : shape) {
    const auto any = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(length)));
    const std::uint64_t choice = draw.below(4);
    i = i * length + (choice == 0 ? 0 : choice == 1 ? length - 1 : any);
  }
  return i;
}

/// Inputs and initial states that have elements.
std::vector<const TensorSpec*> targets_of(const Case& c) {
  std::vector<const TensorSpec*> targets;
  for (const TensorSpec& spec : c.op->tensors)
    if ((spec.role == Role::input || spec.role == Role::initial_state) && spec.storage != Storage::index &&
        c.has(spec.name) && c.inputs.at(std::string(spec.name)).count() > 0)
      targets.push_back(&spec);
  return targets;
}

Outcome planted_in(const KernelTrial& trial, const TensorSpec& spec, const Tensors& plain) {
  const Case& c = trial.input;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Case changed = c;
  Tensor& tensor = changed.inputs.at(std::string(spec.name));
  const std::int64_t i = draw_element(trial.draw, tensor.shape());
  const double value = std::array{std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}[trial.draw.below(3)];
  tensor.set(i, value);
  const Reach reach(trial, spec, i);
  const Tensors outputs = outputs_of(trial, changed);
  const Outcome contained = same_bits(
      fmt::format("{} in {}{}", value, spec.name, index_text(index_of(i, tensor.shape()))), c, outputs, plain, reach);
  if (contained.kind == Outcome::Kind::fails || !std::isnan(value)) return contained;
  return must_show(trial, reach, outputs);
}

/// Once in every tensor.
Outcome planted(const KernelTrial& trial) {
  const std::vector<const TensorSpec*> targets = targets_of(trial.input);
  if (targets.empty()) return Outcome::rejected("the case has no elements");
  const Tensors plain = outputs_of(trial, trial.input);
  FirstFailure found;
  for (const TensorSpec* spec : targets) found.note(planted_in(trial, *spec, plain));
  return found.outcome();
}

}  // namespace

std::vector<KernelLaw> kernels_non_finite_laws() {
  return {{.name = "kernel.non_finite_inputs_stay_in_their_rows_heads_and_columns",
           .statement =
               "a NaN or infinity changes no bit before its token (a value: before its causal tile), of other "
               "sequences, heads or columns; a query's of other rows; a NaN shows in its own row and all later ones",
           .covers_case = has_numbers,
           .check = planted}};
}

}  // namespace assay
