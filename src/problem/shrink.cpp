#include "problem/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "problem/transforms.hpp"

namespace assay {
namespace {

using Ways = std::vector<Simplification>;

/// Lengths to try in place of n: `least`, half of the way, three quarters ... n - 1.
std::vector<std::int64_t> shorter(std::int64_t n, std::int64_t least) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t less = n - least; less > 0; less /= 2) lengths.push_back(n - less);
  return lengths;
}

std::vector<std::int64_t> range(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(end - begin));
  std::iota(indices.begin(), indices.end(), begin);
  return indices;
}

void add_gathered(const Case& c, std::vector<Stretch> stretches, Layout layout, Ways& ways) {
  ways.push_back([&c, stretches = std::move(stretches), layout] { return gathered(c, stretches, layout); });
}

void add_sequences(const Case& c, Ways& ways) {
  const std::vector<Stretch> all = whole(c);
  if (all.size() < 2) return;
  for (const Stretch& one : all) add_gathered(c, {one}, Layout::batched, ways);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  add_gathered(c, {all.begin(), middle}, layout_of(c), ways);
  add_gathered(c, {middle, all.end()}, layout_of(c), ways);
}

void add_unpacked(const Case& c, Ways& ways) {
  if (layout_of(c) == Layout::packed && c.sequences() == 1) add_gathered(c, whole(c), Layout::batched, ways);
}

/// The first tokens of every sequence of a batch, or of one packed sequence.
void add_first_tokens(const Case& c, Ways& ways) {
  const std::vector<Stretch> all = whole(c);
  if (layout_of(c) == Layout::batched) {
    for (const std::int64_t T : shorter(c.sizes[Axis::time], 0)) {
      std::vector<Stretch> first = all;
      for (Stretch& s : first) s.end = T;
      add_gathered(c, first, Layout::batched, ways);
    }
    return;
  }
  for (std::size_t n = 0; n < all.size(); ++n)
    for (const std::int64_t T : shorter(all[n].end, 0)) {
      std::vector<Stretch> first = all;
      first[n].end = T;
      add_gathered(c, first, Layout::packed, ways);
    }
}

/// The last tokens of every sequence of a batch, from the initial state that the first ones had.
void add_last_tokens(const Case& c, Ways& ways) {
  if (layout_of(c) == Layout::packed) return;
  for (const std::int64_t T : shorter(c.sizes[Axis::time], 1)) {
    std::vector<Stretch> last = whole(c);
    for (Stretch& s : last) s.begin = s.end - T;
    add_gathered(c, last, Layout::batched, ways);
  }
}

bool is_a(const Case& c, const std::string& name, Role role) { return c.op->find(name)->role == role; }

void add_without(const Case& c, Role role, Ways& ways) {
  if (std::ranges::none_of(c.inputs, [&](const auto& entry) { return is_a(c, entry.first, role); })) return;
  ways.push_back([&c, role] {
    Case without = c;
    std::erase_if(without.inputs, [&](const auto& entry) { return is_a(c, entry.first, role); });
    return without;
  });
}

/// The first or the last indices of an axis.
void add_narrower(const Case& c, Axis axis, Ways& ways) {
  const std::int64_t length = c.sizes[axis];
  for (const std::int64_t n : shorter(length, 1))
    for (const std::int64_t begin : {std::int64_t{0}, length - n})
      ways.push_back([&c, axis, begin, n] { return with_indices(c, axis, range(begin, begin + n)); });
}

/// The elements of a tensor that are not zero.
std::vector<std::int64_t> filled_elements(const Tensor& tensor) {
  const std::size_t bytes = bytes_of(tensor.format());
  std::vector<std::int64_t> filled;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const auto element = tensor.bytes().subspan(static_cast<std::size_t>(i) * bytes, bytes);
    if (std::ranges::any_of(element, [](std::byte b) { return b != std::byte{0}; })) filled.push_back(i);
  }
  return filled;
}

/// Zeros in place of all, halves, quarters ... sixteenths of the elements that are not.
void add_sparser(const Case& c, const std::string& name, Ways& ways) {
  const std::vector<std::int64_t> filled = filled_elements(c.inputs.at(name));
  for (std::size_t pieces = 1; pieces <= 16 && pieces <= filled.size(); pieces *= 2)
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const auto at = [&](std::size_t i) {
        return filled.begin() + static_cast<std::ptrdiff_t>(filled.size() * i / pieces);
      };
      ways.push_back([&c, name, part = std::vector(at(piece), at(piece + 1))] {
        Case sparser = c;
        for (const std::int64_t i : part) sparser.inputs.at(name).set(i, 0);
        return sparser;
      });
    }
}

/// x cut toward zero to so many bits, or to a multiple of the format's least value.
double cut(double x, int bits, const FloatFormat& format) {
  if (!std::isfinite(x) || x == 0) return x;
  const double spacing = std::max(std::ldexp(1.0, std::ilogb(x) - bits + 1), format.least_subnormal());
  return std::trunc(x / spacing) * spacing;
}

/// Every element cut to one bit, or to four.
void add_shorter_values(const Case& c, const std::string& name, Ways& ways) {
  const Tensor& tensor = c.inputs.at(name);
  if (is_field(tensor.format())) return;
  for (const int bits : {1, 4}) {
    Tensor cut_tensor = tensor;
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      cut_tensor.set(i, cut(tensor.value(i), bits, float_format(tensor.format())));
    if (cut_tensor == tensor) return;
    ways.push_back([&c, name, cut_tensor = std::move(cut_tensor)] {
      Case cut_case = c;
      cut_case.inputs.at(name) = cut_tensor;
      return cut_case;
    });
  }
}

/// The same sizes filled by a family that comes before the case's own.
void add_plainer(const Case& c, Ways& ways) {
  if (c.standard != Standard::bound) return;
  for (const Family& family : families_of(*c.op)) {
    if (family.name == c.family) return;
    if (family.standard == c.standard) ways.push_back([&c, &family] { return refilled(c, family); });
  }
}

bool may_change(const Case& c, const TensorSpec& spec) {
  return c.has(spec.name) && spec.storage != Storage::index &&
         (spec.role == Role::input || spec.role == Role::initial_state);
}

/// A case on its way down, and what is left of its budget.
class Descent {
 public:
  Descent(Case c, const std::function<bool(const Case&)>& fails, const ShrinkBudget& budget)
      : c_(std::move(c)), fails_(fails), budget_(budget), first_work_(work_of(c_)) {}

  /// Whether a way was found.
  bool step(const Simplify& simplify) {
    for (const Simplification& way : simplify(c_)) {
      Case simpler = way();
      if (!take_from_budget(simpler)) return false;
      if (!fails_(simpler)) continue;
      c_ = std::move(simpler);
      return true;
    }
    return false;
  }

  bool spent() const { return spent_; }
  Case result() && { return std::move(c_); }

 private:
  static double work_of(const Case& c) { return 1 + static_cast<double>(assay::work_of(c, Algorithm::scan)); }

  bool take_from_budget(const Case& simpler) {
    const double share = work_of(simpler) / first_work_;
    spent_ = spent_ || budget_.runs == 0 || budget_.first_runs < share;
    if (spent_) return false;
    --budget_.runs;
    budget_.first_runs -= share;
    return true;
  }

  Case c_;
  const std::function<bool(const Case&)>& fails_;
  ShrinkBudget budget_;
  double first_work_;
  bool spent_ = false;
};

}  // namespace

std::vector<Simplify> simplifications(const Operator& op) {
  const auto simplify = [](auto add) {
    return [add](const Case& c) {
      Ways ways;
      add(c, ways);
      return ways;
    };
  };
  const auto narrower = [](Axis axis) { return [axis](const Case& c, Ways& ways) { add_narrower(c, axis, ways); }; };
  const auto without = [](Role role) { return [role](const Case& c, Ways& ways) { add_without(c, role, ways); }; };
  std::vector<Simplify> all = {
      simplify(add_sequences),           simplify(add_unpacked),     simplify(narrower(Axis::head)),
      simplify(narrower(Axis::group)),   simplify(add_first_tokens), simplify(narrower(Axis::value)),
      simplify(without(Role::position)), simplify(add_last_tokens),  simplify(without(Role::initial_state)),
      simplify(narrower(Axis::feature)), simplify(add_plainer)};
  for (const TensorSpec& spec : op.tensors)
    for (const auto add : {add_sparser, add_shorter_values})
      all.push_back(simplify([&spec, add](const Case& c, Ways& ways) {
        if (may_change(c, spec)) add(c, std::string(spec.name), ways);
      }));
  return all;
}

Case shrunk(Case c, const std::function<bool(const Case&)>& fails, const ShrinkBudget& budget) {
  const std::vector<Simplify> all = simplifications(*c.op);
  Descent descent(std::move(c), fails, budget);
  for (bool found = true; found && !descent.spent();) {
    found = false;
    for (const Simplify& simplify : all)
      while (descent.step(simplify)) found = true;
  }
  return std::move(descent).result();
}

}  // namespace assay
