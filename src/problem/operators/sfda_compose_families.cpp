#include "problem/operators/sfda_compose_families.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "arith/complex.hpp"
#include "problem/operators/fillers.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

using Number = Cx<double>;

/// One map of a case, S -> A S + B: row `row` of its tensors.
struct GivenMap {
  Case& c;
  std::int64_t row;

  std::int64_t d() const { return c.sizes[feature]; }
  std::int64_t dv() const { return c.sizes[value]; }
  void set_A(std::int64_t i, std::int64_t j, const Number& x) { set("A", (row * d() + i) * d() + j, x); }
  void set_B(std::int64_t i, std::int64_t j, const Number& x) { set("B", (row * d() + i) * dv() + j, x); }

 private:
  void set(const std::string& name, std::int64_t at, const Number& x) {
    for (const auto& [plane, part] : {std::pair{"_re", x.re}, std::pair{"_im", x.im}}) {
      Tensor& tensor = c.inputs.at(name + plane);
      tensor.set(at, shortened(part, tensor.format()));
    }
  }
};

/// Calls fill(map, token, tokens) for every map of every sequence and head, in order.
template <class Fill>
void for_every_map(Case& c, Fill fill) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[head]; ++h) {
      const auto [begin, end] = c.tokens_of(n);
      for (std::int64_t t = begin; t < end; ++t) fill(GivenMap{c, t * c.sizes[head] + h}, t - begin, end - begin);
    }
}

Number number(Draw& draw, double (*value)(Draw&)) {
  const double re = value(draw);
  return {re, value(draw)};
}

/// A point of the circle: (1 + it)^2 / (1 + t^2), turned by a multiple of a quarter.
Number unit(Draw& draw) {
  const double t = uniform(draw), square = 1 + t * t;
  const Number z{(1 - t * t) / square, 2 * t / square};
  const std::uint64_t quarter = draw.below(4);
  return quarter == 0 ? z : quarter == 1 ? Number{-z.im, z.re} : quarter == 2 ? -z : Number{z.im, -z.re};
}

std::vector<Number> unit_key(std::int64_t d, Draw& draw) {
  std::vector<Number> k;
  double square = 0;
  for (std::int64_t i = 0; i < d; ++i) {
    k.push_back(number(draw, bell));
    square += k.back().re * k.back().re + k.back().im * k.back().im;
  }
  const double norm = square == 0 ? 1 : std::sqrt(square);
  for (Number& x : k) x = {x.re / norm, x.im / norm};
  return k;
}

/// So strong that the maps of a sequence together erase a few times what a state holds, and do not lose it altogether.
double strength(std::int64_t d, std::int64_t maps, Draw& draw) {
  const double most = std::min(1.0, 4 * static_cast<double>(d) / static_cast<double>(maps));
  return most * (1 + uniform(draw)) / 2;
}

/// (I - beta k k*) Lambda and beta k v*, as tokens have them.
void fill_token(GivenMap map, double beta, const std::function<Number()>& lambda, Draw& draw) {
  const std::vector<Number> k = unit_key(map.d(), draw);
  std::vector<Number> v;
  for (std::int64_t j = 0; j < map.dv(); ++j) v.push_back(number(draw, uniform));
  for (std::int64_t j = 0; j < map.d(); ++j) {
    const Number l = lambda();
    const Number erased = Number(beta) * conj(k[static_cast<std::size_t>(j)]);
    for (std::int64_t i = 0; i < map.d(); ++i)
      map.set_A(i, j, (Number(i == j ? 1 : 0) - k[static_cast<std::size_t>(i)] * erased) * l);
  }
  for (std::int64_t i = 0; i < map.d(); ++i)
    for (std::int64_t j = 0; j < map.dv(); ++j)
      map.set_B(i, j, Number(beta) * k[static_cast<std::size_t>(i)] * conj(v[static_cast<std::size_t>(j)]));
}

void fill_tokens(Case& c, Draw& draw, const Contract&) {
  for_every_map(c, [&](GivenMap map, std::int64_t, std::int64_t maps) {
    const double decay = 1 / static_cast<double>(maps);
    const auto lambda = [&] { return Number(1 - decay * (1 + uniform(draw)) / 2) * unit(draw); };
    fill_token(map, strength(map.d(), maps, draw), lambda, draw);
  });
}

/// beta = 2 and no decay.
void fill_reflections(Case& c, Draw& draw, const Contract&) {
  for_every_map(c, [&](GivenMap map, std::int64_t, std::int64_t) {
    fill_token(
        map, 2, [&] { return unit(draw); }, draw);
  });
}

/// I + G / n: n of them are about e^G.
void fill_near_identity(Case& c, Draw& draw, const Contract&) {
  for_every_map(c, [&](GivenMap map, std::int64_t, std::int64_t maps) {
    const double scale = 1 / static_cast<double>(maps);
    for (std::int64_t i = 0; i < map.d(); ++i) {
      for (std::int64_t j = 0; j < map.d(); ++j)
        map.set_A(i, j, Number(i == j ? 1 : 0) + Number(scale) * number(draw, uniform));
      for (std::int64_t j = 0; j < map.dv(); ++j) map.set_B(i, j, number(draw, uniform));
    }
  });
}

/// Diagonal phases; B in the first map alone, so that what it wrote is carried to the end.
void fill_rotations(Case& c, Draw& draw, const Contract&) {
  for_every_map(c, [&](GivenMap map, std::int64_t token, std::int64_t) {
    for (std::int64_t i = 0; i < map.d(); ++i) {
      map.set_A(i, i, unit(draw));
      for (std::int64_t j = 0; j < map.dv() && token == 0; ++j) map.set_B(i, j, number(draw, uniform));
    }
  });
}

/// As `maps_of_tokens`; one in eight forgets all.
void fill_forgetting(Case& c, Draw& draw, const Contract& contract) {
  fill_tokens(c, draw, contract);
  for_every_map(c, [&](GivenMap map, std::int64_t, std::int64_t) {
    if (draw.below(8) != 0) return;
    for (std::int64_t i = 0; i < map.d(); ++i)
      for (std::int64_t j = 0; j < map.d(); ++j) map.set_A(i, j, Number(0));
  });
}

/// As `maps_of_tokens` with B below the normal numbers in every other column.
void fill_subnormal(Case& c, Draw& draw, const Contract& contract) {
  fill_tokens(c, draw, contract);
  for_every_map(c, [&](GivenMap map, std::int64_t, std::int64_t) {
    for (std::int64_t i = 0; i < map.d(); ++i)
      for (std::int64_t j = 0; j < map.dv(); j += 2) map.set_B(i, j, number(draw, subnormal));
  });
}

/// 1, i, -1 or -i.
Number quarter_turn(Draw& draw) {
  constexpr int re[] = {1, 0, -1, 0}, im[] = {0, 1, 0, -1};
  const std::uint64_t n = draw.below(4);
  return {static_cast<double>(re[n]), static_cast<double>(im[n])};
}

/// One entry a row and column, each `entry()`; other rows are left empty now and then.
void fill_permutation(GivenMap map, bool may_lose_rows, const std::function<Number()>& entry, Draw& draw) {
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < map.d(); ++i) at.push_back(i);
  for (std::size_t i = at.size(); i > 1; --i) std::swap(at[i - 1], at[draw.below(i)]);
  for (std::int64_t i = 0; i < map.d(); ++i)
    if (!may_lose_rows || draw.below(64) != 0) map.set_A(i, at[static_cast<std::size_t>(i)], entry());
}

std::int64_t draw_token(std::int64_t tokens, Draw& draw) {
  return static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(tokens)));
}

/// Quarter turns that are permuted, of one map a sequence a full matrix of -1, 0 and 1; B of three bits.
///
/// So an entry of P is at most 2 d and one of Z at most 16 d n: below 2^24 for the 2^11 maps and 2^7 features at most.
void fill_small(Case& c, Draw& draw, const Contract&) {
  const auto small = [](Draw& d) { return static_cast<double>(d.below(9)) - 4; };
  const auto sign = [](Draw& d) { return static_cast<double>(d.below(3)) - 1; };
  std::int64_t full = 0;
  for_every_map(c, [&](GivenMap map, std::int64_t token, std::int64_t maps) {
    if (token == 0) full = draw_token(maps, draw);
    if (token != full)
      fill_permutation(
          map, true, [&] { return quarter_turn(draw); }, draw);
    else
      for (std::int64_t i = 0; i < map.d(); ++i)
        for (std::int64_t j = 0; j < map.d(); ++j) map.set_A(i, j, number(draw, sign));
    for (std::int64_t i = 0; i < map.d(); ++i)
      for (std::int64_t j = 0; j < map.dv(); ++j) map.set_B(i, j, number(draw, small));
  });
}

/// A number of `bits` bits, both the first and the last of them set.
double of_all_bits(int bits, Draw& draw) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  const double size = static_cast<double>(top | draw.below(top) | 1);
  return draw.below(2) == 0 ? size : -size;
}

/// Quarter turns that are permuted; one map has real entries of all the bits that the contract's formats hold, and
/// another, not before it, writes such numbers. Nothing is multiplied or added that would need more.
void fill_full(Case& c, Draw& draw, const Contract&) {
  const int bits = std::min(float_format(c.element).precision, 24);
  std::int64_t wide = 0, writes = 0;
  for_every_map(c, [&](GivenMap map, std::int64_t token, std::int64_t maps) {
    if (token == 0) {
      writes = draw_token(maps, draw);
      wide = draw_token(writes + 1, draw);
    }
    const auto entry = [&] { return token == wide ? Number(of_all_bits(bits, draw)) : quarter_turn(draw); };
    fill_permutation(map, false, entry, draw);
    for (std::int64_t i = 0; i < map.d() && token == writes; ++i)
      for (std::int64_t j = 0; j < map.dv(); ++j) map.set_B(i, j, {of_all_bits(bits, draw), of_all_bits(bits, draw)});
  });
}

/// Any elements.
void fill_field(Case& c, Draw& draw, const Contract&) {
  for (auto& [name, tensor] : c.inputs)
    if (is_field(tensor.format()))
      fill(tensor, [&](auto) { return static_cast<double>(draw.below(std::uint64_t{1} << 50)); });
}

}  // namespace

std::span<const Family> sfda_compose_families() {
  static const std::vector<Family> families = {
      {.name = "maps_of_tokens",
       .statement = "(I - beta k k*) Lambda and beta k v* of unit keys, few decays, any phases: what tokens hand on",
       .fill = fill_tokens},
      {.name = "near_identity", .statement = "n full maps I + G / n, B uniform", .fill = fill_near_identity},
      {.name = "reflections", .statement = "beta = 2, no decay: nothing is forgotten", .fill = fill_reflections},
      {.name = "rotations",
       .statement = "diagonal phases, and what the first map wrote is carried to the end",
       .fill = fill_rotations},
      {.name = "forgetting", .statement = "one map in eight forgets all, A = 0", .fill = fill_forgetting},
      {.name = "subnormal", .statement = "B below the normal numbers in every other column", .fill = fill_subnormal},
      {.name = "exact_small",
       .statement = "permutations with quarter turns, one full matrix of -1, 0, 1, B of 3 bits: nothing rounds, in any "
                    "order",
       .standard = Standard::exact,
       .fill = fill_small},
      {.name = "exact_full",
       .statement = "permutations with quarter turns, one with entries of every bit of the formats, B so in one map",
       .standard = Standard::exact,
       .fill = fill_full},
      {.name = "field",
       .statement = "free elements of a prime field: the kernel must equal its definition",
       .standard = Standard::field,
       .fill = fill_field},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers among the maps of tokens",
       .standard = Standard::laws,
       .fill = [](Case& c, Draw& draw, const Contract& contract) {
         fill_tokens(c, draw, contract);
         plant_specials(c, draw);
       }}};
  return families;
}

}  // namespace assay::operators
