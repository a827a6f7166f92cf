#include "oracle/circle_angle.hpp"

#include "arith/multiprecision.hpp"
#include "properties/identity.hpp"
#include "properties/oracle/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Law group() {
  const std::uint32_t degree =
      2 * 2 * (2 * 12 + 1);  // coordinates of degree 2, up to 12 compositions and one, two sides
  return identity(
      "oracle.circle_angles_form_a_group",
      "a + (b + c) = (a + b) + c, a - a = 0, cos^2 + sin^2 = 1, n a by repeated addition, n in [-12, 12]", "", degree,
      12, []<class K>(Source<K>& from) {
        const CircleAngle<K> a = from.angle(), b = from.angle(), c = from.angle(), zero;
        const auto n = static_cast<std::int64_t>(from.size("n + 12", 0, 24)) - 12;
        CircleAngle<K> repeated;
        for (std::int64_t i = 0; i < (n < 0 ? -n : n); ++i) repeated = n < 0 ? repeated - a : repeated + a;
        const CircleAngle<K> sum = a + b;
        return all_of({holds_if(a + (b + c) == sum + c, "not associative"), holds_if(a - a == zero, "a - a != 0"),
                       same("norm", K(sum.cosine * sum.cosine + sum.sine * sum.sine), K(1)),
                       holds_if(multiple(n, a) == repeated, "n a differs from repeated addition")});
      });
}

/// Both sides round: cos and sin once each, a product and a sum twice, the real sum once with |a + b| <= 2^4 in its
/// place. A bound of 2^8 units of 2^−333 leaves room.
Law real_angles() {
  return {"oracle.circle_angles_add_like_real_angles",
          "the point of a + b is (cos(a + b), sin(a + b)), in MPFR",
          "",
          Proof::tested,
          0,
          64,
          {{arithmetic_name<Mpfr100>(), 0, [](Draw& draw) {
              const auto drawn = [&](const char* name) { return Mpfr100(draw.size(name, 0, 256) - 128) / 16; };
              const auto point = [](const Mpfr100& x) {
                return CircleAngle<Mpfr100>{Mpfr100(cos(x)), Mpfr100(sin(x))};
              };
              const Mpfr100 a = drawn("16 a + 128"), b = drawn("16 b + 128"), bound = ldexp(Mpfr100(1), 8 - 333);
              const CircleAngle<Mpfr100> got = point(a) + point(b), want = point(a + b);
              return holds_if(abs(got.cosine - want.cosine) <= bound && abs(got.sine - want.sine) <= bound,
                              "off by more than 2^-325");
            }}}};
}

}  // namespace

std::vector<Law> oracle_circle_angle_laws() { return {group(), real_angles()}; }

}  // namespace assay
