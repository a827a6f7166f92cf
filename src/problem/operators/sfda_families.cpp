#include "problem/operators/sfda_families.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "problem/operators/fillers.hpp"
#include "problem/operators/sfda.hpp"
#include "problem/operators/sfda_exact_families.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

using Number = double (*)(Draw&);

/// What a family draws its tensors from; those that the operator lacks are left out.
struct Recipe {
  Filler q = each(bell), k = each(bell), v = each(uniform);
  Number beta = [](Draw& draw) { return (1 + uniform(draw)) / 2; };
  Number log_alpha = [](Draw& draw) { return -scaled_dyadic(draw, -7, -4); };
  Number theta = [](Draw& draw) { return pi * uniform(draw); };
  bool unit_keys = true;
};

/// The tensor of this name, or its two planes: of complex numbers, or of pairs.
std::vector<Tensor*> planes_of(Case& c, const std::string& name) {
  std::vector<Tensor*> planes;
  for (const char* part : {"", "_re", "_im", "_x", "_y"})
    if (const auto it = c.inputs.find(name + part); it != c.inputs.end()) planes.push_back(&it->second);
  return planes;
}

void fill_planes(Case& c, const std::string& name, const Filler& filler, Draw& draw) {
  for (Tensor* plane : planes_of(c, name)) filler(*plane, c, draw);
}

/// Divides every row of a tensor by its 2-norm, both planes together; rows of zeros stay.
void make_rows_unit(Case& c, const std::string& name) {
  const std::vector<Tensor*> planes = planes_of(c, name);
  const std::int64_t width = planes.front()->shape().back();
  for (std::int64_t first = 0; first < planes.front()->count(); first += width) {
    double norm = 0;
    for (const Tensor* plane : planes)
      for (std::int64_t i = first; i < first + width; ++i) norm += plane->value(i) * plane->value(i);
    if (norm == 0) continue;
    norm = std::sqrt(norm);
    for (Tensor* plane : planes)
      for (std::int64_t i = first; i < first + width; ++i)
        plane->set(i, shortened(plane->value(i) / norm, plane->format()));
  }
}

/// -|x|: logarithms of decays are not positive.
double falling(double x) { return x < 0 ? x : -x; }

void fill_controls(Case& c, const Recipe& recipe, Draw& draw) {
  fill(c.inputs.at("beta"), [&](auto) { return recipe.beta(draw); });
  if (c.has("log_alpha")) fill(c.inputs.at("log_alpha"), [&](auto) { return falling(recipe.log_alpha(draw)); });
  if (c.has("theta")) fill(c.inputs.at("theta"), [&](auto) { return recipe.theta(draw); });
}

auto from(Recipe recipe) {
  return [=](Case& c, Draw& draw, const Contract&) {
    draw_chunk(c, draw);
    fill_planes(c, "q", recipe.q, draw);
    fill_planes(c, "k", recipe.k, draw);
    fill_planes(c, "v", recipe.v, draw);
    if (recipe.unit_keys) make_rows_unit(c, "k");
    fill_controls(c, recipe, draw);
    fill_planes(c, "S0", each(uniform), draw);
  };
}

Recipe with_keys(Filler k) { return {.k = std::move(k)}; }
Recipe with_values(Filler v) { return {.v = std::move(v)}; }
Recipe with_beta(Number beta) { return {.beta = beta}; }
Recipe with_decay(Number log_alpha) { return {.log_alpha = log_alpha}; }
Recipe with_phase(Number theta) { return {.theta = theta}; }

void subnormal_columns(Tensor& v, const Case&, Draw& draw) {
  fill(v, [&](std::int64_t i) { return i % v.shape().back() % 2 == 0 ? subnormal(draw) : uniform(draw); });
}

double one_hundredth(Draw& draw) { return -(1 + uniform(draw) / 4) / 128; }

/// One step in ten decays by e^-200, one in forty forgets all.
double mixed_decay(Draw& draw) {
  const std::uint64_t kind = draw.below(40);
  return kind == 0 ? -infinity : kind < 5 ? -200 : one_hundredth(draw);
}

double special_phase(Draw& draw) {
  constexpr double phases[] = {0, pi, -pi, pi / 2, 2 * pi, 8 * pi};
  return phases[draw.below(std::size(phases))];
}

/// Small whole numbers for what is an exponent, any elements for the rest.
void fill_field(Case& c, Draw& draw, const Contract&) {
  draw_chunk(c, draw);
  for (auto& [name, tensor] : c.inputs) {
    if (!is_field(tensor.format())) continue;
    const bool exponent = name == "log_alpha" || name == "theta";
    const bool forgets = name == "log_alpha";
    fill(tensor, [&](auto) {
      if (forgets && draw.below(16) == 0) return -1.0;
      return static_cast<double>(draw.below(exponent ? 64 : std::uint64_t{1} << 50));
    });
  }
}

/// Families that every operator of the delta rule has.
std::vector<Family> common_families() {
  return {{.name = "unit_keys",
           .statement = "q bell-shaped, k so and of norm 1, v uniform, beta in (0, 1): what a trained layer sees",
           .fill = from({})},
          {.name = "equal_keys",
           .statement = "all keys of a head are equal, and of norm 1",
           .fill = from(with_keys(same_for_all_tokens(bell)))},
          {.name = "equal_tokens",
           .statement =
               "all tokens of a head are equal but for q, and slow: the state stands still, and so do its roundings",
           .fill = from({.k = same_for_all_tokens(bell),
                         .v = same_for_all_tokens(uniform),
                         .beta = [](Draw&) { return 0x1.4p-9; },
                         .log_alpha = [](Draw&) { return -0x1.4p-9; },
                         .theta = [](Draw&) { return 0.0; }})},
          {.name = "sparse_keys",
           .statement = "three entries of k in four are 0, and now and then all of them",
           .fill = from(with_keys(each(mostly_zero)))},
          {.name = "one_hot",
           .statement = "one entry of every q, k and v is not 0",
           .fill = from({.q = one_hot(bell), .k = one_hot(bell), .v = one_hot(uniform)})},
          {.name = "long_keys",
           .statement = "keys of norm about 1.25, beta in (0, 1): some tokens expand the state",
           .fill = from({.k = each([](Draw& draw) { return bell(draw) / 8; }), .unit_keys = false})},
          {.name = "beta_0", .statement = "no token writes: decays alone", .fill = from(with_beta([](Draw&) {
                                                                             return 0.0;
                                                                           }))},
          {.name = "beta_1", .statement = "every token replaces what its key holds", .fill = from(with_beta([](Draw&) {
                                                                                       return 1.0;
                                                                                     }))},
          {.name = "beta_2",
           .statement = "every token reflects: nothing is forgotten but by decay",
           .fill = from(with_beta([](Draw&) { return 2.0; }))},
          {.name = "beta_beyond_2",
           .statement = "beta = 2, of one token in sixteen 2 + 1/8: now and then the state expands",
           .fill = from(with_beta([](Draw& draw) { return draw.below(16) == 0 ? 2.125 : 2; }))},
          {.name = "cancelling",
           .statement = "equal keys in pairs with nearly opposite values",
           .fill = from({.k = same_for_pairs(bell), .v = nearly_cancelling})},
          {.name = "subnormal",
           .statement = "v below the normal numbers in every other column",
           .fill = from(with_values(subnormal_columns))},
          {.name = "history", .statement = "always from an initial state", .resumed = true, .fill = from({})},
          {.name = "exact_small",
           .statement = "decays of 0 and 1, unit keys, values of at most 3 bits: nothing rounds, in any order",
           .standard = Standard::exact,
           .fill = sfda_exact::fill_small},
          {.name = "exact_full",
           .statement = "the same with values of every bit of the contract's formats, each written once",
           .standard = Standard::exact,
           .fill = sfda_exact::fill_full},
          {.name = "field",
           .statement = "free elements of a prime field: the kernel must equal its definition",
           .standard = Standard::field,
           .fill = fill_field},
          {.name = "specials",
           .statement = "a few NaN, infinities and largest numbers among bell-shaped ones",
           .standard = Standard::laws,
           .fill = [](Case& c, Draw& draw, const Contract& contract) {
             from({})(c, draw, contract);
             plant_specials(c, draw);
           }}};
}

/// A family whose decays have about this logarithm.
Family decaying(std::string_view name, std::string_view statement, double log_decay, Number log_alpha) {
  return {
      .name = name, .statement = statement, .places = {{"log_decay", log_decay}}, .fill = from(with_decay(log_alpha))};
}

/// Decays from none to all at once.
std::vector<Family> decay_families() {
  return {decaying("no_decay", "log_alpha = 0: nothing is forgotten but by erasure", 0, [](Draw&) { return 0.0; }),
          decaying("slow_decay", "log_alpha about -2^-10", -0x1p-10,
                   [](Draw& draw) { return -(1 + uniform(draw) / 4) / 1024; }),
          decaying("decay", "log_alpha about -2^-7", -0x1p-7, one_hundredth),
          decaying("fast_decay", "log_alpha about -10", -10, [](Draw& draw) { return -10 + uniform(draw); }),
          {.name = "any_decay",
           .statement = "log_alpha uniform in (-100, 0): most of what is held is tiny, not gone",
           .fill = from(with_decay([](Draw& draw) { return 50 * (uniform(draw) - 1); }))},
          decaying("decay_200", "log_alpha = -200: only the own token is left", -200, [](Draw&) { return -200.0; }),
          {.name = "mixed_200",
           .statement = "one step in ten decays by e^-200, one in forty forgets all, the others hardly decay",
           .fill = from(with_decay(mixed_decay))}};
}

std::vector<Family> phase_families() {
  return {{.name = "no_phase", .statement = "theta = 0, all else complex", .fill = from(with_phase([](Draw&) {
                                                                             return 0.0;
                                                                           }))},
          {.name = "special_phases",
           .statement = "theta is 0, pi, pi/2, 2 pi, 8 pi",
           .fill = from(with_phase(special_phase))},
          {.name = "large_phases", .statement = "theta up to 2^14", .fill = from(with_phase([](Draw& draw) {
                                                                      return scaled_dyadic(draw, 0, 13);
                                                                    }))}};
}

std::vector<Family> joined(std::initializer_list<std::vector<Family>> parts) {
  std::vector<Family> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

void draw_chunk(Case& c, Draw& draw) { c.parameters.try_emplace("C", static_cast<double>(16 << draw.below(4))); }

std::span<const Family> sfda_families(const Operator& op) {
  static const std::vector<Family> without_decay = common_families(),
                                   real = joined({common_families(), decay_families()}),
                                   complex = joined({common_families(), decay_families(), phase_families()});
  if (&op == &delta_attention()) return without_decay;
  return op.find("theta") != nullptr ? complex : real;
}

}  // namespace assay::operators
