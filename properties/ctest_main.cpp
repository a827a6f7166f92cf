// One GoogleTest test a law, and one a law and kernel. `assay_tests --ctest FILE` writes the list that CTest includes.

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/families.hpp"
#include "properties/kernel_search.hpp"
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

/// Trials of a kernel law that count; a law that is the judgement itself meets every family.
constexpr KernelTrials kernel_trials = {.trials = 12};

class LawTest : public testing::Test {
 public:
  LawTest(std::function<LawResult()> run, bool needs_gpu) : run_(std::move(run)), needs_gpu_(needs_gpu) {}
  void TestBody() override {
    const LawResult result = run_();
    if (result.verdict == LawResult::Verdict::skipped && needs_gpu_) GTEST_SKIP() << result.text;
    EXPECT_TRUE(result.verdict == LawResult::Verdict::pass) << result.text;
  }

 private:
  std::function<LawResult()> run_;
  bool needs_gpu_;
};

/// One test: its name, its labels and what it runs.
struct TestRow {
  std::string name;
  std::string labels;
  std::function<LawResult()> run;
};

/// Kernel laws that a smoke run tries, with the kernels whose names end so.
bool is_smoke(const KernelLaw& law, const Kernel& kernel) { return law.is_judgement && kernel.name.ends_with(".f32"); }

constexpr std::string_view gpu = "gpu";

std::string labels_of(const Law& law) {
  if (law.exhaustive) return "exhaustive";
  return law.name.starts_with("device.") ? std::string(gpu) : "smoke;full";
}

std::vector<TestRow> test_rows() {
  std::vector<TestRow> rows;
  for (const Law& law : law_table())
    rows.push_back({std::string(law.name), labels_of(law), [&law] { return search(law, seed, law.trials); }});
  for (const KernelLaw& law : kernel_law_table())
    for (const Kernel& kernel : kernel_table()) {
      if (!law.covers(kernel)) continue;
      KernelTrials trials = kernel_trials;
      if (law.is_judgement) trials.trials = static_cast<std::uint32_t>(families_for(kernel).size());
      rows.push_back({fmt::format("{}/{}", law.name, kernel.name), is_smoke(law, kernel) ? "smoke;full" : "full",
                      [&law, &kernel, trials] { return search(law, kernel, oracle_table(), seed, trials); }});
    }
  return rows;
}

void register_tests() {
  for (const TestRow& row : test_rows()) {
    const auto [suite, name] = split(row.name);
    testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [row]() -> testing::Test* { return new LawTest(row.run, row.labels == gpu); });
  }
}

/// One add_test line a test, with its labels; the long tier only where CTest is asked for it.
void write_ctest(const std::string& program, const std::string& file) {
  std::ofstream out(file);
  for (const TestRow& row : test_rows()) {
    const bool exhaustive = row.labels == "exhaustive";
    if (exhaustive) out << "if(CTEST_CONFIGURATION_TYPE STREQUAL Exhaustive)\n";
    out << fmt::format("add_test([[{0}]] [[{1}]] [[--gtest_filter={0}]] [[--gtest_brief=1]])\n", row.name, program);
    out << fmt::format("set_tests_properties([[{}]] PROPERTIES LABELS \"{}\")\n", row.name, row.labels);
    if (exhaustive) out << "endif()\n";
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
