#include "problem/transforms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/operators/table.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/identity.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// A small case of any operator and family.
Case draw_case(Draw& draw) {
  const Operator& op = *operator_table()[draw.below(operator_table().size())];
  const Kernel kernel = asking_kernel(op, draw.below(2) == 0 ? Format::f32 : Format::bf16);
  const std::vector<const Family*> families = families_for(kernel);
  const Family& family = *families[draw.below(families.size())];
  std::uint64_t seed = draw.bits() >> 12;
  while (work_of(make_sizes(kernel, family, seed), Algorithm::scan) > 50'000) ++seed;
  return make_case(kernel, family, seed);
}

std::string where(const Case& c) {
  return fmt::format("{} {} {} seed {}", c.op->name, c.family, sizes_text(c), c.seed);
}

/// Bytes of tokens of one sequence, of everything that has tokens.
std::vector<std::byte> token_bytes(const Case& c, const Stretch& s) {
  std::vector<std::byte> bytes;
  for (const auto& [name, tensor] : c.inputs) {
    if (!c.op->find(name)->has(Axis::time) || tensor.count() == 0) continue;
    const auto rows = static_cast<std::size_t>(c.sizes[Axis::batch] * c.sizes[Axis::time]);
    const std::size_t row = tensor.bytes().size() / rows;
    const auto first = static_cast<std::size_t>(c.tokens_of(s.sequence).first + s.begin);
    const auto part = tensor.bytes().subspan(first * row, static_cast<std::size_t>(s.length()) * row);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

std::int64_t position_of(const Case& c, std::int64_t n) {
  for (const auto& [name, tensor] : c.inputs)
    if (c.op->find(name)->role == Role::position) return tensor.as<std::int64_t>()[static_cast<std::size_t>(n)];
  return 0;
}

/// Every sequence cut in two, the parts in reverse order and packed: each holds its tokens, its state and its position.
Outcome parts(Draw& draw) {
  const Case c = draw_case(draw);
  std::vector<Stretch> parts;
  for (const Stretch& s : whole(c)) {
    const auto cut = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(s.end) + 1));
    parts.push_back({s.sequence, cut, s.end});
    parts.push_back({s.sequence, 0, cut});
  }
  const Case packed = gathered(c, parts, Layout::packed);
  FirstFailure found;
  found.note(holds_if(gathered(c, whole(c), layout_of(c)).inputs == c.inputs, where(c) + ": whole sequences changed"));
  const std::vector<Stretch> own = whole(packed);
  const bool moves = std::ranges::any_of(c.op->tensors, [](const TensorSpec& s) { return s.role == Role::position; });
  for (std::size_t n = 0; n < parts.size(); ++n) {
    found.note(holds_if(token_bytes(packed, own[n]) == token_bytes(c, parts[n]), where(c) + ": other tokens"));
    if (moves)
      found.note(same(where(c) + ": position", position_of(packed, own[n].sequence),
                      position_of(c, parts[n].sequence) + parts[n].begin));
  }
  return found.outcome();
}

/// A permutation of an axis and its inverse give the case back; the first of its indices stand where they should.
Outcome axes(Draw& draw) {
  const Case c = draw_case(draw);
  FirstFailure found;
  for (const Axis axis : {Axis::head, Axis::feature, Axis::value, Axis::channel}) {
    const std::int64_t length = c.sizes[axis];
    std::vector<std::int64_t> order(static_cast<std::size_t>(length)), inverse(order.size());
    for (std::int64_t i = 0; i < length; ++i) order[static_cast<std::size_t>(i)] = (i + 1) % length;
    for (std::size_t i = 0; i < order.size(); ++i)
      inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    const Case turned = with_indices(c, axis, order);
    found.note(holds_if(with_indices(turned, axis, inverse).inputs == c.inputs,
                        fmt::format("{}: a permutation of {} does not undo", where(c), name_of(axis))));
    for (const auto& [name, tensor] : c.inputs) {
      const bool has_axis = c.op->find(name)->has(axis);
      const bool same_tensor = turned.inputs.at(name) == tensor;
      if (!has_axis) found.note(holds_if(same_tensor, fmt::format("{}: {} changed", where(c), name)));
    }
  }
  return found.outcome();
}

/// Sequence n of a case is number 2n + 1 among the poisoned ones, and everything else there is NaN.
Outcome poisoned(Draw& draw) {
  const Case c = draw_case(draw);
  if (is_field(c.element)) return Outcome::rejected("a field has no NaN");
  const Case crowded = among_poisoned_sequences(c);
  FirstFailure found;
  for (const Stretch& s : whole(c))
    found.note(holds_if(token_bytes(crowded, {2 * s.sequence + 1, 0, s.end}) == token_bytes(c, s),
                        where(c) + ": a sequence changed"));
  for (const auto& [name, tensor] : crowded.inputs) {
    const TensorSpec& spec = *c.op->find(name);
    if (!spec.has(Axis::time) || tensor.format() == Format::i64) continue;
    const std::int64_t row = tensor.count() / std::max<std::int64_t>(crowded.sizes[Axis::time], 1);
    for (std::int64_t n = 0; n < crowded.sequences(); n += 2) {
      const auto [begin, end] = crowded.tokens_of(n);
      for (std::int64_t i = begin * row; i < end * row; ++i)
        if (!std::isnan(tensor.value(i))) found.note(Outcome::fails(where(c) + ": a neighbour is not NaN"));
    }
  }
  return found.outcome();
}

Law on_cases(std::string_view name, std::string_view statement, Outcome (*run)(Draw&)) {
  return {name, statement, "", Proof::tested, 0, 60, {{"cases", 0, [run](Draw& draw) {
                                                         return try_once([&] { return run(draw); });
                                                       }}}};
}

}  // namespace

std::vector<Law> problem_transforms_laws() {
  return {
      on_cases("problem.parts_hold_their_tokens_and_positions", "cut, reordered and packed; whole is unchanged", parts),
      on_cases("problem.indices_of_an_axis_permute_and_undo", "tensors without the axis are unchanged", axes),
      on_cases("problem.poisoned_sequences_stand_beside_the_others", "NaN and nothing else", poisoned)};
}

}  // namespace assay
