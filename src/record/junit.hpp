#pragma once

#include <string>
#include <vector>

namespace assay {

/// One test case as continuous integration reads it.
struct JUnitCase {
  std::string classname, name;
  double seconds = 0;
  std::string failure;  ///< its first line is the message; empty: passed
};

/// A JUnit XML file with one suite.
std::string junit_xml(const std::string& suite, const std::vector<JUnitCase>& cases);

}  // namespace assay
