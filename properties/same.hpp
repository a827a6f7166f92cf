#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "problem/law.hpp"

namespace assay {

template <class K>
std::string text_of(const K& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

/// Holds iff the statement is true; `why` says what was found instead.
inline Outcome holds_if(bool statement, std::string why) {
  return statement ? Outcome::holds() : Outcome::fails(std::move(why));
}

/// "name = got, want want" unless they are equal.
template <class K>
Outcome same(std::string_view name, const K& got, const K& want) {
  if (got == want) return Outcome::holds();
  return Outcome::fails(std::string(name) + " = " + text_of(got) + ", want " + text_of(want));
}

/// Names the first entry that differs.
template <class K>
Outcome same(std::string_view name, std::span<const K> got, std::span<const K> want) {
  if (got.size() != want.size())
    return Outcome::fails(std::string(name) + ": " + std::to_string(got.size()) + " entries, want " +
                          std::to_string(want.size()));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(got[i] == want[i])) return same(std::string(name) + "[" + std::to_string(i) + "]", got[i], want[i]);
  return Outcome::holds();
}
template <class K>
Outcome same(std::string_view name, const std::vector<K>& got, const std::vector<K>& want) {
  return same(name, std::span<const K>(got), std::span<const K>(want));
}
template <class K>
Outcome same(std::string_view name, const Matrix<K>& got, const Matrix<K>& want) {
  if (got.rows() != want.rows()) return same(std::string(name) + " rows", got.rows(), want.rows());
  for (std::size_t i = 0; i < got.rows(); ++i)
    if (Outcome row = same(std::string(name) + "[" + std::to_string(i) + "]", got.row(i), want.row(i));
        row.kind != Outcome::Kind::holds)
      return row;
  return Outcome::holds();
}

/// A negative control: the wrong variant must be told apart.
template <class T>
Outcome differs(std::string_view control, const T& wrong, const T& right) {
  return holds_if(!(wrong == right), "control '" + std::string(control) + "' gives the right result");
}

/// Keeps the first of many outcomes that does not hold.
class FirstFailure {
 public:
  void note(Outcome outcome) {
    if (first_.kind == Outcome::Kind::holds) first_ = std::move(outcome);
  }
  const Outcome& outcome() const { return first_; }

 private:
  Outcome first_;
};

inline Outcome all_of(std::initializer_list<Outcome> outcomes) {
  FirstFailure found;
  for (const Outcome& outcome : outcomes) found.note(outcome);
  return found.outcome();
}

/// A call that must be refused with OutsideDomain.
template <class Call>
Outcome refused(std::string_view name, Call call) {
  try {
    call();
  } catch (const OutsideDomain&) {
    return Outcome::holds();
  }
  return Outcome::fails(std::string(name) + " is accepted");
}

}  // namespace assay
