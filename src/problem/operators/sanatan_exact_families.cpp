#include "problem/operators/sanatan_exact_families.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace assay::operators {
namespace {

using enum Axis;

/// Bits that a contract leaves to the numbers of a case.
struct Room {
  int value;         ///< of a v
  int feature;       ///< of a phi
  int operand;       ///< of a state that is read
  int output;        ///< of o
  int accumulator;   ///< of a sum
  bool wide_states;  ///< states may take in what they do not show
};

/// Bits of a factor of a product. Two words of tf32 hold 22 bits and the product of the low ones is left out: features
/// are one word, so that theirs is 0.
int operand_bits(const Contract& contract) {
  switch (contract.product) {
    case Product::fma:
      return 24;
    case Product::three_tf32:
      return 21;
    case Product::tf32:
    case Product::fp16:
      return 11;
    case Product::bf16:
      return 8;
  }
  return 8;
}

Room full_room(const Case& c, const Contract& contract) {
  const int operand = operand_bits(contract), kept = float_format(contract.state_operand).precision;
  const int feature = contract.product == Product::three_tf32 ? 11 : operand;
  return {.value = std::min(operand, float_format(c.element).precision),
          .feature = std::min({feature, float_format(c.element).precision, float_format(contract.features).precision}),
          .operand = std::min(operand, kept),
          .output = float_format(contract.output).precision,
          .accumulator = float_format(contract.state).precision,
          .wide_states = true};
}

constexpr Room small_room{.value = 8, .feature = 8, .operand = 8, .output = 8, .accumulator = 8, .wide_states = false};

double sign(Draw& draw) { return draw.below(2) == 0 ? 1 : -1; }

/// An integer of either sign below 2^bits in size.
double integer(Draw& draw, int bits) { return sign(draw) * static_cast<double>(draw.below(std::uint64_t{1} << bits)); }

/// An odd integer of either sign and exactly so many bits: none of them can be spared.
double full_integer(Draw& draw, int bits) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  return sign(draw) * static_cast<double>(top | draw.below(top) | 1);
}

/// The rows of one sequence and head.
class HeadRows {
 public:
  HeadRows(Case& c, std::int64_t n, std::int64_t h) : c_(c), n_(n), h_(h) {}

  std::int64_t tokens() const { return c_.tokens_of(n_).second - c_.tokens_of(n_).first; }
  std::int64_t features() const { return c_.sizes[channel] * c_.sizes[feature]; }
  bool is_resumed() const { return c_.has("z0"); }

  void set_q(std::int64_t t, std::int64_t f, double x) { c_.inputs.at("phi_q").set(row(t) * features() + f, x); }
  void set_k(std::int64_t t, std::int64_t f, double x) { c_.inputs.at("phi_k").set(row(t) * features() + f, x); }
  void set_z0(std::int64_t f, double x) { c_.inputs.at("z0").set(state() + f, x); }

  /// All columns of v, or of a row of S0.
  template <class Value>
  void set_v(std::int64_t t, Value value) {
    for (std::int64_t j = 0; j < dv(); ++j) c_.inputs.at("v").set(row(t) * dv() + j, value(j));
  }
  template <class Value>
  void set_S0(std::int64_t f, Value value) {
    for (std::int64_t j = 0; j < dv(); ++j) c_.inputs.at("S0").set((state() + f) * dv() + j, value(j));
  }
  std::int64_t dv() const { return c_.sizes[Axis::value]; }

 private:
  std::int64_t row(std::int64_t t) const { return (c_.tokens_of(n_).first + t) * c_.sizes[head] + h_; }
  std::int64_t state() const { return (n_ * c_.sizes[head] + h_) * features(); }

  Case& c_;
  std::int64_t n_, h_;
};

std::vector<std::int64_t> shuffled(std::int64_t count, Draw& draw) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  return order;
}

/// Two features whose states are read as a difference.
struct Pair {
  enum class Kind { lone, twin, unread } kind;
  std::int64_t f, twin;
  double difference = 0;  ///< z_f - z_f'
  double moved = 0;       ///< by how much it changed in all
  double ballast = 0;     ///< the most that both can have taken in
};

/// One sequence and head at p = 1.
class PairWalk {
 public:
  PairWalk(Case& c, std::int64_t n, std::int64_t h, const Room& room, Draw& draw)
      : rows_(c, n, h), room_(room), draw_(draw) {
    // A difference of states is a sum of up to 2^moves_bits values. Two pairs are read at once: one bit more; with what
    // both took in, two. Long queries leave that much less, and a score of two of them is two bits longer.
    moves_bits_ = 2 + static_cast<int>(draw.below(3));
    const bool long_queries = room.output > 8 && room.wide_states && draw.below(4) == 0;
    query_bits_ = long_queries ? std::min(room.feature - 2, 13) : 0;
    const int left = room.accumulator - query_bits_;
    const int read = std::min(room.operand, left - 2);
    lone_bits_ = std::min({room.operand, room.output - query_bits_, left}) - 1;
    twin_bits_ = std::min({read, room.output - query_bits_, 16}) - 1;
    ballast_bits_ = read - 1;
    count_bits_ = left - 4;
    twins_ = room.wide_states && read >= twin_bits_ + 4;
    const std::vector<std::int64_t> order = shuffled(rows_.features(), draw);
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
      const std::size_t kind = !room.wide_states ? 0 : i / 2 % 3;
      pairs_.push_back({kind == 0   ? Pair::Kind::lone
                        : kind == 2 ? Pair::Kind::unread
                        : twins_    ? Pair::Kind::twin
                                    : Pair::Kind::lone,
                        order[i], order[i + 1]});
    }
  }

  void fill() {
    if (rows_.is_resumed()) start();
    for (std::int64_t t = 0; t < rows_.tokens(); ++t) {
      write(t);
      read(t);
    }
  }

 private:
  /// Bits of a v, so many of which add up to a difference.
  int value_bits(Pair::Kind kind) const {
    return std::min(room_.value, (kind == Pair::Kind::twin ? twin_bits_ : lone_bits_) - moves_bits_);
  }

  double budget(const Pair& pair) const {
    return std::ldexp(1.0, pair.kind == Pair::Kind::unread ? room_.accumulator : ballast_bits_);
  }

  void start() {
    for (Pair& pair : pairs_) {
      if (pair.kind == Pair::Kind::unread) start_unread(pair);
      if (pair.kind == Pair::Kind::unread || draw_.below(2) == 0) continue;
      const double both = pair.kind == Pair::Kind::twin ? full_integer(draw_, count_bits_) : 0;
      // As much as half of what a difference may move.
      const int bits = value_bits(pair.kind) + moves_bits_ - 1;
      const int ballast_bits = std::min(room_.value, ballast_bits_ - 1);
      std::vector<double> ballast(static_cast<std::size_t>(rows_.dv()), 0.0);
      if (both != 0)
        for (double& x : ballast) x = integer(draw_, ballast_bits);
      pair.difference = draw_.below(2) == 0 ? 1 : 2;
      pair.moved = std::ldexp(1.0, moves_bits_ - 1);
      pair.ballast += std::ldexp(1.0, ballast_bits);
      rows_.set_z0(pair.f, both + pair.difference);
      rows_.set_z0(pair.twin, both);
      rows_.set_S0(pair.twin, [&](std::int64_t j) { return ballast[static_cast<std::size_t>(j)]; });
      rows_.set_S0(pair.f,
                   [&](std::int64_t j) { return ballast[static_cast<std::size_t>(j)] + full_integer(draw_, bits); });
    }
  }

  /// States of every bit that leave half of the room to what is taken in.
  void start_unread(Pair& pair) {
    const int bits = room_.accumulator - 1;
    pair.ballast = std::ldexp(1.0, bits);
    for (const std::int64_t f : {pair.f, pair.twin}) {
      rows_.set_z0(f, full_integer(draw_, bits));
      rows_.set_S0(f, [&](std::int64_t) { return full_integer(draw_, bits); });
    }
  }

  /// A token moves differences, by a short v, or is taken in by both of a pair: a long v by short features, or a short
  /// one by long features.
  void write(std::int64_t t) {
    const bool moves = t == 0 || !room_.wide_states || draw_.below(2) == 0;
    const auto kind = t == 0 || !twins_ || draw_.below(2) == 0 ? Pair::Kind::lone : Pair::Kind::twin;
    const int bits = moves ? value_bits(kind) : draw_.below(2) == 0 ? 2 : std::min(room_.value, 16);
    rows_.set_v(t, [&](std::int64_t) { return moves ? full_integer(draw_, bits) : integer(draw_, bits); });
    for (Pair& pair : pairs_) {
      const bool first = t == 0 && &pair == &pairs_.front();
      if (!first && draw_.below(4) != 0) continue;
      if (moves && pair.kind == kind)
        move(t, pair);
      else if (!moves && pair.kind != Pair::Kind::lone)
        take_in(t, pair, bits);
    }
  }

  /// 0 -> 1 -> 2 -> 4 and back, by adding to one of the pair or by taking from the other.
  void move(std::int64_t t, Pair& pair) {
    const double z = pair.difference;
    const bool doubles = z <= 1 || (z == 2 && draw_.below(2) == 0);
    const double step = z == 0 ? 1 : doubles ? z : -z / 2;
    if (pair.moved + std::abs(step) > std::ldexp(1.0, moves_bits_)) return;
    draw_.below(2) == 0 ? rows_.set_k(t, pair.f, step) : rows_.set_k(t, pair.twin, -step);
    pair.difference += step;
    pair.moved += std::abs(step);
  }

  void take_in(std::int64_t t, Pair& pair, int value_bits) {
    if (pair.kind == Pair::Kind::unread && pair.ballast == 0) return fill_up(t, pair, value_bits);
    const int most = std::min(room_.feature, room_.accumulator - 2 - value_bits);
    double x = integer(draw_, 1 + static_cast<int>(draw_.below(static_cast<std::uint64_t>(most))));
    const auto fits = [&](double times) {
      return pair.ballast + std::ldexp(std::abs(times * x), value_bits) <= budget(pair);
    };
    if (!fits(1)) return;
    while (x != 0 && fits(4) && draw_.below(4) != 0) x *= 2;
    pair.ballast += std::ldexp(std::abs(x), value_bits);
    rows_.set_k(t, pair.f, x);
    rows_.set_k(t, pair.twin, x);
  }

  /// One bit less than the state has.
  void fill_up(std::int64_t t, Pair& pair, int value_bits) {
    const int bits = room_.accumulator - 1, feature = std::min(room_.feature, bits - value_bits);
    const double x = std::ldexp(full_integer(draw_, feature), bits - value_bits - feature);
    pair.ballast = std::ldexp(1.0, bits);
    rows_.set_k(t, pair.f, x);
    rows_.set_k(t, pair.twin, x);
  }

  /// phi_q = 2^a on one pair or on two of equal difference; or m and 2^k - m times 2^a on the two, m of every bit.
  void read(std::int64_t t) {
    std::vector<const Pair*> open;
    for (const Pair& pair : pairs_)
      if (pair.difference != 0) open.push_back(&pair);
    if (open.empty()) return;
    const Pair& one = *open[draw_.below(open.size())];
    const Pair& other = *open[draw_.below(open.size())];
    const int a = static_cast<int>(draw_.below(7)) - 3;
    const auto read_pair = [&](const Pair& pair, double q) {
      rows_.set_q(t, pair.f, std::ldexp(q, a));
      rows_.set_q(t, pair.twin, -std::ldexp(q, a));
    };
    const bool both = other.f != one.f && other.difference == one.difference && other.kind == one.kind;
    const double m = both && query_bits_ > 0 ? std::abs(full_integer(draw_, query_bits_)) : 1;
    read_pair(one, m);
    if (both) read_pair(other, query_bits_ > 0 ? std::ldexp(1.0, query_bits_) - m : 1);
  }

  HeadRows rows_;
  Room room_;
  Draw& draw_;
  int moves_bits_, query_bits_, lone_bits_, twin_bits_, ballast_bits_, count_bits_;
  bool twins_;
  std::vector<Pair> pairs_;
};

/// One sequence and head at any power: every feature counts the tokens that meet it, all with one score.
class Tallies {
 public:
  Tallies(Case& c, std::int64_t n, std::int64_t h, const Room& room, Draw& draw)
      : rows_(c, n, h),
        order_(shuffled(rows_.features(), draw)),
        counts_(order_.size(), 0),
        clipped_(c.sizes[channel] == 4),
        even_(static_cast<int>(c.parameter("p")) % 2 == 0),
        count_bits_(1 + static_cast<int>(draw.below(3))),
        value_bits_(std::min({room.value, room.output - count_bits_, room.accumulator - count_bits_})),
        draw_(draw) {}

  void fill() {
    for (std::int64_t t = 0; t < rows_.tokens(); ++t) {
      rows_.set_v(t, [&](std::int64_t) { return full_integer(draw_, value_bits_); });
      // The first feature is met by the first token alone, so that there is always one to read.
      for (std::size_t i = 0; i < order_.size(); ++i)
        if (t == 0 ? i == 0 || draw_.below(4) == 0 : i > 0 && draw_.below(4) == 0) meet(t, i);
      read(t);
    }
  }

 private:
  void meet(std::int64_t t, std::size_t i) {
    if (counts_[i] == 1 << count_bits_) return;
    const bool closed = clipped_ && i > 0 && draw_.below(4) == 0;  // a negative score weighs nothing
    rows_.set_k(t, order_[i], closed ? -1 : !clipped_ && even_ ? sign(draw_) : 1);
    if (!closed) ++counts_[i];
  }

  void read(std::int64_t t) {
    std::vector<std::int64_t> open;
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (counts_[i] == 1 || counts_[i] == 2 || counts_[i] == 4 || counts_[i] == 8) open.push_back(order_[i]);
    rows_.set_q(t, open[draw_.below(open.size())], std::ldexp(1.0, static_cast<int>(draw_.below(5)) - 2));
  }

  HeadRows rows_;
  std::vector<std::int64_t> order_;
  std::vector<int> counts_;
  bool clipped_, even_;
  int count_bits_, value_bits_;
  Draw& draw_;
};

void fill_exact(Case& c, Draw& draw, const Room& room) {
  c.parameters["normaliser"] = std::ldexp(1.0, static_cast<int>(draw.below(9)));
  c.parameters["eps"] = 0;
  const bool by_state = c.parameter("p") == 1 && c.sizes[channel] != 4;
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[head]; ++h)
      by_state ? PairWalk(c, n, h, room, draw).fill() : Tallies(c, n, h, room, draw).fill();
}

}  // namespace

void fill_exact_small(Case& c, Draw& draw, const Contract&) { fill_exact(c, draw, small_room); }

void fill_exact_full(Case& c, Draw& draw, const Contract& contract) { fill_exact(c, draw, full_room(c, contract)); }

}  // namespace assay::operators
