#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/chunk.hpp"
#include "oracle/sfda/sizes.hpp"
#include "properties/counted.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

Tokens<Counted> tokens_of(const ChunkShape& s, std::size_t T) {
  return {ones(T, s.d), ones(T, s.d), ones(T, s.dv), std::vector<Counted>(T, Counted(1)),
          std::vector<Diagonal<Counted>>(T, Diagonal<Counted>{std::vector<Counted>(s.d, Counted(1))})};
}

/// Calls visit(shape) for shapes below, at and above each other's sizes, until one fails.
template <class Visit>
Outcome for_shapes(Visit visit) {
  for (const std::uint64_t d : {1, 2, 5, 8})
    for (const std::uint64_t dv : {1, 3, 8})
      for (const std::uint64_t C : {1, 2, 5, 8, 13}) {
        const Outcome outcome = visit(ChunkShape{d, dv, C});
        if (outcome.kind != Outcome::Kind::holds)
          return Outcome::fails(fmt::format("d = {}, dv = {}, C = {}: {}", d, dv, C, outcome.text));
      }
  return Outcome::holds();
}

Outcome stored() {
  return for_shapes([](const ChunkShape& s) {
    const auto summary = summarised(tokens_of(s, s.C), 0, s.C);
    const auto& f = summary.factors;
    std::uint64_t below_diagonal = 0;
    for (std::size_t i = 0; i < f.M.rows(); ++i) below_diagonal += i;
    const auto entries = [](const Matrix<Counted>& m) { return std::uint64_t{m.rows() * m.cols()}; };
    return same("numbers", f.gamma.width() + entries(f.Y) + entries(f.W) + below_diagonal + entries(summary.B),
                stored_numbers(s));
  });
}

Outcome build() {
  return for_shapes([](const ChunkShape& s) {
    const Tokens<Counted> x = tokens_of(s, s.C);
    return same("products", products_of([&] {
                  auto f = empty_factors<Counted, Diagonal<Counted>>(s.d);
                  for (std::size_t t = 0; t < s.C; ++t)
                    f = extended(f, x.lambda[t], tied<Counted>(x.lambda[t], x.k.row(t), x.beta[t]));
                }),
                build_products(s));
  });
}

Outcome zero_state_write() {
  return for_shapes([](const ChunkShape& s) {
    const Tokens<Counted> x = tokens_of(s, s.C);
    return same("products", products_of([&] {
                  Matrix<Counted> B(s.d, s.dv);
                  for (std::size_t t = 0; t < s.C; ++t)
                    B = corrected(B, x.lambda[t], x.k.row(t), x.v.row(t), x.beta[t]);
                }),
                update_products(s, s.C));
  });
}

Outcome apply() {
  return for_shapes([](const ChunkShape& s) {
    const auto f = summarised(tokens_of(s, s.C), 0, s.C).factors;
    const Matrix<Counted> S = ones(s.d, s.dv);
    return same("products", products_of([&] { carried(f, S); }), apply_products(s));
  });
}

/// Build, write and apply of every chunk, counted, against 4 T dC + T C² + 6 T d dv + 2 T C dv. Term by term:
/// dC(C−1) + 4dC ≤ 4dC², (C³−C)/6 ≤ C³, 3C d dv + (1 + 2C) d dv ≤ 6C d dv, C dv + dv C(C+1)/2 ≤ 2C² dv.
Outcome sequence() {
  return for_shapes([](const ChunkShape& s) {
    const std::uint64_t chunks = 3, T = chunks * s.C;
    const Tokens<Counted> x = tokens_of(s, T);
    const std::uint64_t counted = products_of([&] {
      Matrix<Counted> S = ones(s.d, s.dv);
      for (std::uint64_t c = 0; c < chunks; ++c) S = applied(summarised(x, c * s.C, (c + 1) * s.C), S);
    });
    const std::uint64_t bound = T * (4 * s.d * s.C + s.C * s.C + 6 * s.d * s.dv + 2 * s.C * s.dv);
    return all_of({same("products", counted, chunked_products(s, T)),
                   refused("T = 3, C = 2",
                           [&] {
                             chunked_products({s.d, s.dv, 2}, 3);
                           }),
                   holds_if(counted <= bound, fmt::format("{} products, bound {}", counted, bound))});
  });
}

/// A tail of n < C tokens is a chunk of n; C = 1 and C > d are shapes above.
Outcome tail() {
  return for_shapes([](const ChunkShape& s) {
    const std::uint64_t n = (s.C + 1) / 2, T = s.C + n;
    const ChunkShape rest{s.d, s.dv, n};
    const Tokens<Counted> x = tokens_of(s, T);
    const std::uint64_t counted = products_of([&] {
      Matrix<Counted> S = applied(summarised(x, 0, s.C), ones(s.d, s.dv));
      applied(summarised(x, s.C, T), S);
    });
    return same("products", counted, chunked_products(s, s.C) + chunked_products(rest, n));
  });
}

/// f(T) is proportional to T at fixed C; with dv = d it is a polynomial in d with leading term (5C + 1) T/C d².
Outcome growth() {
  for (std::uint64_t C = 1; C <= 64; C *= 2)
    for (std::uint64_t d = 1; d <= 64; d *= 2) {
      const std::uint64_t chunks = 4, T = chunks * C;
      const auto f = [&](std::uint64_t width, std::uint64_t length) {
        return chunked_products({width, width, C}, length);
      };
      const std::uint64_t constant = chunks * (C * C * C - C) / 6;
      const Outcome outcome =
          all_of({same("2T", f(d, 2 * T), 2 * f(d, T)),
                  same("second difference", f(2 * d, T) + constant - 2 * f(d, T), 2 * (5 * C + 1) * chunks * d * d)});
      if (outcome.kind != Outcome::Kind::holds) return outcome;
    }
  return Outcome::holds();
}

/// The zero-state write alone is the whole recurrence, and building and applying factors come on top.
Outcome no_saving() {
  return for_shapes([](const ChunkShape& s) {
    const std::uint64_t T = 5 * s.C;
    const Tokens<Counted> x = tokens_of(s, T);
    const std::uint64_t plain = products_of([&] {
      Matrix<Counted> S = ones(s.d, s.dv);
      for (std::size_t t = 0; t < T; ++t) S = corrected(S, x.lambda[t], x.k.row(t), x.v.row(t), x.beta[t]);
    });
    return all_of(
        {same("plain", plain, update_products(s, T)),
         same("more by chunks", chunked_products(s, T) - plain, T / s.C * (build_products(s) + apply_products(s))),
         holds_if(plain < chunked_products(s, T), "chunks save products")});
  });
}

/// What Thm 6.2 leaves out: with every token's output by its own prefix, the products are more.
Outcome outputs_on_top() {
  return for_shapes([](const ChunkShape& s) {
    const Tokens<Counted> x = tokens_of(s, s.C);
    const std::vector<std::size_t> lengths{s.C};
    const std::uint64_t with_outputs = products_of([&] { chunked<Counted>(x, ones(s.d, s.dv), lengths); });
    return holds_if(with_outputs > chunked_products(s, s.C), "outputs are free");
  });
}

constexpr const char* theorem = "[SFDA] Thm 6.2; [SFDA-notes] s3.2";
constexpr const char* counts = "counted products";

}  // namespace

std::vector<Law> sfda_operation_counts_laws() {
  return {
      enumerated("sfda.chunk_summary_has_d_plus_2dc_plus_half_c_squared_numbers",
                 "Gamma d, Y and W dC each, M C(C-1)/2 below its diagonal, B d dv",
                 "[SFDA] Thm 6.2; [SFDA-notes] s3.2; SFD-043", "counted numbers", stored),
      enumerated("sfda.products_that_build_the_factors", "d C(C-1) + 4dC + (C^3 - C)/6, M multiplied as a triangle",
                 theorem, counts, build),
      enumerated("sfda.products_of_the_zero_state_write", "3 C d dv + C dv", theorem, counts, zero_state_write),
      enumerated("sfda.products_that_carry_a_state_over_a_chunk", "d dv (1 + 2C) + dv C(C+1)/2", theorem, counts,
                 apply),
      enumerated("sfda.products_of_a_sequence_by_chunks",
                 "the sum over T/C chunks, at most 4 T dC + T C^2 + 6 T d dv + 2 T C dv", theorem, counts, sequence),
      enumerated("sfda.products_of_a_tail_are_those_of_a_shorter_chunk", "C + n tokens, n < C", theorem, counts, tail),
      enumerated("sfda.products_by_chunks_are_linear_in_length_and_square_in_width",
                 "fixed C: f(2T) = 2 f(T); dv = d: f(2d) - 2 f(d) grows by 2 (5C + 1) T/C d^2", theorem, counts,
                 growth),
      enumerated("sfda.chunks_never_save_products_over_the_recurrence",
                 "for every C: the recurrence's 3 T d dv + T dv, and build and apply on top",
                 "own, on [SFDA] Thm 6.2; SFD-049", counts, no_saving),
      enumerated("sfda.outputs_of_all_tokens_come_on_top_of_the_stated_cost",
                 "prefix read-outs add products for every shape",
                 "[SFDA] Thm 6.2; [SFDA-notes] s2.5, s3.2; SFD-042, SFD-050", counts, outputs_on_top),
  };
}

}  // namespace assay
