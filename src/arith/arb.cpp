#include "arith/arb.hpp"

namespace assay {
namespace {

thread_local slong precision = ArbPrecision::initial;

/// An exact number of Arb.
class Arf {
 public:
  Arf() { arf_init(x_); }
  Arf(const Arf&) = delete;
  Arf& operator=(const Arf&) = delete;
  ~Arf() { arf_clear(x_); }
  operator arf_ptr() { return x_; }

 private:
  arf_t x_;
};

double double_above(mag_srcptr x) {
  Arf exact;
  arf_set_mag(exact, x);
  return arf_get_d(exact, ARF_RND_UP);
}

}  // namespace

ArbPrecision::ArbPrecision(slong bits) : outer_(precision) { precision = bits; }
ArbPrecision::~ArbPrecision() { precision = outer_; }
slong ArbPrecision::bits() { return precision; }

Arb::Arb(DoubleDouble x) : Arb() {
  arb_set_d(x_, x.hi);
  Arf lo;
  arf_set_d(lo, x.lo);
  arb_add_arf(x_, x_, lo, ARF_PREC_EXACT);
}

Arb::Arb(DoubleDouble mid, double radius) : Arb(mid) {
  Arf exact;
  arf_set_d(exact, radius);
  arb_add_error_arf(x_, exact);
}

Arb::Arb(mpfr_srcptr x) : Arb() { arf_set_mpfr(arb_midref(x_), x); }

Arb& Arb::operator=(const Arb& other) {
  arb_set(x_, other.x_);
  return *this;
}
Arb& Arb::operator=(Arb&& other) noexcept {
  arb_swap(x_, other.x_);
  return *this;
}

Arb Arb::pi() {
  Arb r;
  arb_const_pi(r.x_, precision);
  return r;
}

Arb Arb::operator-() const {
  Arb r;
  arb_neg(r.x_, x_);
  return r;
}
Arb operator+(const Arb& a, const Arb& b) {
  Arb r;
  arb_add(r.x_, a.x_, b.x_, precision);
  return r;
}
Arb operator-(const Arb& a, const Arb& b) {
  Arb r;
  arb_sub(r.x_, a.x_, b.x_, precision);
  return r;
}
Arb operator*(const Arb& a, const Arb& b) {
  Arb r;
  arb_mul(r.x_, a.x_, b.x_, precision);
  return r;
}
Arb operator/(const Arb& a, const Arb& b) {
  Arb r;
  arb_div(r.x_, a.x_, b.x_, precision);
  return r;
}

Arb exp(const Arb& x) {
  Arb r;
  arb_exp(r.x_, x.x_, precision);
  return r;
}
Arb log(const Arb& x) {
  Arb r;
  arb_log(r.x_, x.x_, precision);
  return r;
}
Arb sqrt(const Arb& x) {
  Arb r;
  arb_sqrt(r.x_, x.x_, precision);
  return r;
}
Arb sin(const Arb& x) {
  Arb r;
  arb_sin(r.x_, x.x_, precision);
  return r;
}
Arb cos(const Arb& x) {
  Arb r;
  arb_cos(r.x_, x.x_, precision);
  return r;
}
Arb tanh(const Arb& x) {
  Arb r;
  arb_tanh(r.x_, x.x_, precision);
  return r;
}
Arb abs(const Arb& x) {
  Arb r;
  arb_abs(r.x_, x.x_);
  return r;
}

bool certainly_less(const Arb& a, const Arb& b) { return arb_lt(a.x_, b.x_) != 0; }

bool Arb::contains(double x) const {
  Arf exact;
  arf_set_d(exact, x);
  return arb_contains_arf(x_, exact) != 0;
}

DoubleDouble Arb::mid() const {
  const double hi = arf_get_d(arb_midref(x_), ARF_RND_NEAR);
  Arf rest;
  arf_set_d(rest, hi);
  arf_sub(rest, arb_midref(x_), rest, ARF_PREC_EXACT, ARF_RND_DOWN);
  return {hi, arf_get_d(rest, ARF_RND_NEAR)};
}

double Arb::radius() const { return double_above(arb_radref(x_)); }

double Arb::upper_magnitude() const {
  mag_t upper;
  mag_init(upper);
  arb_get_mag(upper, x_);
  const double magnitude = double_above(upper);
  mag_clear(upper);
  return magnitude;
}

std::ostream& operator<<(std::ostream& out, const Arb& x) {
  char* const text = arb_get_str(x.x_, 40, 0);
  out << text;
  flint_free(text);
  return out;
}

}  // namespace assay
