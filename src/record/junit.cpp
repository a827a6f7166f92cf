#include "record/junit.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace assay {
namespace {

/// Text as XML: markup escaped, characters that XML cannot hold replaced.
std::string escaped(const std::string& text) {
  std::string xml;
  for (const char c : text) {
    if (c == '&')
      xml += "&amp;";
    else if (c == '<')
      xml += "&lt;";
    else if (c == '>')
      xml += "&gt;";
    else if (c == '"')
      xml += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      xml += '?';
    else
      xml += c;
  }
  return xml;
}

std::string case_xml(const JUnitCase& one) {
  const std::string head = fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.3f}")",
                                       escaped(one.classname), escaped(one.name), one.seconds);
  if (one.failure.empty()) return head + "/>\n";
  const std::string message = one.failure.substr(0, one.failure.find('\n'));
  return head + fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n", escaped(message),
                            escaped(one.failure));
}

}  // namespace

std::string junit_xml(const std::string& suite, const std::vector<JUnitCase>& cases) {
  double seconds = 0;
  std::string body;
  for (const JUnitCase& one : cases) {
    seconds += one.seconds;
    body += case_xml(one);
  }
  const auto failures = std::ranges::count_if(cases, [](const JUnitCase& one) { return !one.failure.empty(); });
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"{:.3f}\">\n{}"
      "  </testsuite>\n</testsuites>\n",
      escaped(suite), cases.size(), failures, seconds, body);
}

}  // namespace assay
