#include "problem/shrink.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>

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

}  // namespace

std::vector<Simplification> simplifications(const Case& c) {
  Ways ways;
  add_sequences(c, ways);
  add_unpacked(c, ways);
  add_narrower(c, Axis::head, ways);
  add_first_tokens(c, ways);
  add_narrower(c, Axis::value, ways);
  add_without(c, Role::position, ways);
  if (c.standard == Standard::exact) return ways;
  add_last_tokens(c, ways);
  add_without(c, Role::initial_state, ways);
  add_narrower(c, Axis::feature, ways);
  for (const auto& [name, tensor] : c.inputs)
    if (is_a(c, name, Role::input) || is_a(c, name, Role::initial_state)) {
      add_sparser(c, name, ways);
      add_shorter_values(c, name, ways);
    }
  return ways;
}

Case shrunk(Case c, const std::function<bool(const Case&)>& fails, const ShrinkLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::uint64_t tries = 0;
  const auto spent = [&] {
    return tries >= limits.tries || std::chrono::duration<double>(Clock::now() - start).count() >= limits.seconds;
  };
  for (bool found = true; found && !spent();) {
    found = false;
    for (const Simplification& simplify : simplifications(c)) {
      if (spent()) break;
      ++tries;
      Case candidate = simplify();
      if (!fails(candidate)) continue;
      c = std::move(candidate);
      found = true;
      break;
    }
  }
  return c;
}

}  // namespace assay
