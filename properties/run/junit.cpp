#include "record/junit.hpp"

#include <sstream>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

using Tree = boost::property_tree::ptree;

const std::vector<JUnitCase>& test_cases() {
  static const std::vector<JUnitCase> cases = {
      {"a.b/c", "bell, T > 64", 0.25, ""},
      {"a.b/c", "<\"&'>", 1.5, "broken: a < b & \"c\" ≤ d\n  got 1\n  bell \x07 and escape \x1b[0m"}};
  return cases;
}

Tree suite_of(const std::string& xml) {
  std::istringstream in(xml);
  Tree tree;
  boost::property_tree::read_xml(in, tree);
  return tree.get_child("testsuites.testsuite");
}

Outcome reads_back() {
  const Tree suite = suite_of(junit_xml("assay gate", test_cases()));
  FirstFailure found;
  found.note(same<std::string>("suite", suite.get<std::string>("<xmlattr>.name"), "assay gate"));
  found.note(same<std::string>("tests", suite.get<std::string>("<xmlattr>.tests"), "2"));
  found.note(same<std::string>("failures", suite.get<std::string>("<xmlattr>.failures"), "1"));
  found.note(same<std::string>("time", suite.get<std::string>("<xmlattr>.time"), "1.750"));
  std::size_t i = 0;
  for (const auto& [tag, node] : suite) {
    if (tag != "testcase") continue;
    const JUnitCase& want = test_cases().at(i++);
    found.note(same<std::string>("classname", node.get<std::string>("<xmlattr>.classname"), want.classname));
    found.note(same<std::string>("name", node.get<std::string>("<xmlattr>.name"), want.name));
    found.note(same("has failure", node.count("failure"), std::size_t{!want.failure.empty()}));
  }
  found.note(same("test cases", i, test_cases().size()));
  return found.outcome();
}

Outcome failure_text() {
  const Tree suite = suite_of(junit_xml("assay gate", {test_cases()[1]}));
  const Tree& failure = suite.get_child("testcase.failure");
  return all_of(
      {same<std::string>("message", failure.get<std::string>("<xmlattr>.message"), "broken: a < b & \"c\" ≤ d"),
       same<std::string>("text", failure.data(), "broken: a < b & \"c\" ≤ d\n  got 1\n  bell ? and escape ?[0m")});
}

}  // namespace

std::vector<Law> run_junit_laws() {
  return {enumerated("run.junit_names_every_case_and_counts_failures", "as another parser of XML reads it", "", "texts",
                     reads_back),
          enumerated("run.junit_keeps_the_text_of_a_failure", "markup escaped; what XML cannot hold is a question mark",
                     "", "texts", failure_text)};
}

}  // namespace assay
