#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "arith/rational.hpp"
#include "oracle/matrix.hpp"

namespace assay {

/// "1 3/5; 0 -4/5": rows end at semicolons, entries are rationals.
inline Matrix<Rational> table(const std::string& text) {
  std::vector<std::vector<Rational>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream entries(line);
    rows.emplace_back();
    for (std::string entry; entries >> entry;) rows.back().emplace_back(entry);
  }
  Matrix<Rational> m(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) m(i, j) = rows[i].at(j);
  return m;
}

/// One row of a table.
inline std::vector<Rational> entries(const std::string& text) {
  const Matrix<Rational> m = table(text);
  return {m.row(0).begin(), m.row(0).end()};
}

}  // namespace assay
