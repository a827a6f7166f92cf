#include "arith/dd_tables.hpp"

#include <mpfr.h>

namespace assay {
namespace {

/// A number of 320 bits: enough for three doubles and a rounding that is not in doubt.
class Wide {
 public:
  Wide() { mpfr_init2(x_, 320); }
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;
  ~Wide() { mpfr_clear(x_); }

  operator mpfr_ptr() { return x_; }
  double value() const { return mpfr_get_d(x_, MPFR_RNDN); }

  /// The leading `bits` bits, which are taken away.
  double take(int bits) {
    mpfr_t head;
    mpfr_init2(head, bits);
    mpfr_set(head, x_, MPFR_RNDN);
    const double part = mpfr_get_d(head, MPFR_RNDN);
    mpfr_clear(head);
    mpfr_sub_d(x_, x_, part, MPFR_RNDN);
    return part;
  }

 private:
  mpfr_t x_;
};

/// 2^(j/64).
void set_power(Wide& x, int j) {
  mpfr_set_si(x, j, MPFR_RNDN);
  mpfr_div_ui(x, x, DDTables::powers, MPFR_RNDN);
  mpfr_exp2(x, x, MPFR_RNDN);
}

/// sin(pi j / 128), exactly zero at the multiples of pi.
void set_sine(Wide& x, int j) {
  if (j % (DDTables::sines / 2) == 0) {
    mpfr_set_zero(x, 1);
    return;
  }
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_mul_si(x, x, j, MPFR_RNDN);
  mpfr_div_ui(x, x, DDTables::sines / 2, MPFR_RNDN);
  mpfr_sin(x, x, MPFR_RNDN);
}

DDTables make_tables() {
  DDTables t;
  Wide x;
  for (int i = 0; i < DDTables::powers; ++i) {
    set_power(x, i - DDTables::powers / 2);
    t.power_hi[i] = x.take(53);
    t.power_lo[i] = x.value();
    set_power(x, i - DDTables::powers / 2);
    mpfr_sub_ui(x, x, 1, MPFR_RNDN);
    t.power_minus_1_hi[i] = x.take(53);
    t.power_minus_1_lo[i] = x.value();
  }
  for (int j = 0; j < DDTables::sines; ++j) {
    set_sine(x, j);
    t.sine_hi[j] = x.take(53);
    t.sine_lo[j] = x.value();
  }
  mpfr_const_log2(x, MPFR_RNDN);
  mpfr_div_ui(x, x, DDTables::powers, MPFR_RNDN);
  t.powers_per_unit = 1 / x.value();
  for (int part = 0; part < 3; ++part) t.ln2_part[part] = x.take(part < 2 ? 36 : 53);
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_div_ui(x, x, DDTables::sines / 2, MPFR_RNDN);
  t.sines_per_unit = 1 / x.value();
  for (int part = 0; part < 3; ++part) t.pi_part[part] = x.take(53);
  return t;
}

}  // namespace

const DDTables& dd_tables() {
  static const DDTables tables = make_tables();
  return tables;
}

}  // namespace assay
