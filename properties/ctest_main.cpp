// One GoogleTest test a law, and one a law and kernel. `assay_tests --ctest FILE` writes the list that CTest includes.

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/table.hpp"
#include "properties/search.hpp"
#include "properties/table.hpp"

namespace {

using namespace assay;

constexpr std::uint64_t seed = 1;

/// "sanatan.name" as a suite and a name of GoogleTest.
std::pair<std::string, std::string> split(std::string_view name) {
  const std::size_t dot = name.find('.');
  return {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))};
}

class LawTest : public testing::Test {
 public:
  explicit LawTest(const Law& law) : law_(law) {}
  void TestBody() override {
    const LawResult result = search(law_, seed, law_.trials);
    EXPECT_EQ(result.verdict, LawResult::Verdict::pass) << result.text;
  }

 private:
  const Law& law_;
};

void register_tests() {
  for (const Law& law : law_table()) {
    const auto [suite, name] = split(law.name);
    testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [&law]() -> testing::Test* { return new LawTest(law); });
  }
}

/// One add_test line a law, with its label and configuration.
void write_ctest(const std::string& program, const std::string& file) {
  std::ofstream out(file);
  for (const Law& law : law_table()) {
    if (law.exhaustive) out << "if(CTEST_CONFIGURATION_TYPE STREQUAL Exhaustive)\n";
    out << fmt::format("add_test([[{0}]] [[{1}]] [[--gtest_filter={0}]] [[--gtest_brief=1]])\n", law.name, program);
    out << fmt::format("set_tests_properties([[{}]] PROPERTIES LABELS \"{}\")\n", law.name,
                       law.exhaustive ? "exhaustive" : "smoke;full");
    if (law.exhaustive) out << "endif()\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--ctest") {
    write_ctest(argv[0], argv[2]);
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  register_tests();
  return RUN_ALL_TESTS();
}
