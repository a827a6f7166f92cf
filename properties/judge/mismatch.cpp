#include "judge/mismatch.hpp"

#include <fmt/format.h>

#include "problem/operators/sanatan.hpp"
#include "properties/enumerated.hpp"
#include "properties/judge/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Outcome every_field() {
  Case c;
  c.op = &operators::sanatan_attention();
  c.sizes[Axis::time] = 65;
  c.family = "peaked";
  c.seed = 123456789;
  Judgement j;
  j.verdict = Verdict::fail;
  j.rule = Rule::error_above_deterministic_bound;
  j.worst = {.output = "o",
             .index = {0, 3, 1, 17},
             .got = 0x1.8p-3,
             .want = 0x1.4p-3,
             .ulp = 4096,
             .error = 0x1p-5,
             .bound = 0x1p-9,
             .slack = 16};
  const std::string text = mismatch_text(c,
                                         {.kernel = "sanatan.attention/scan.f32",
                                          .replay = "assay verify --cases 1",
                                          .found = "T = 66",
                                          .text = "what it said"},
                                         j);
  FirstFailure found;
  for (const char* field :
       {"fail: error_above_deterministic_bound\n", "sanatan.attention/scan.f32\n", "T = 65", "family peaked",
        "seed 123456789", "o[0, 3, 1, 17]", "0.1875", "0x1.8p-3", "0.15625", "0x1.4p-3", "0.03125", "4.1e+03 ulp",
        "0.00195312", "slack 16", "replay  assay verify --cases 1\n", "found   T = 66\n", "what it said"})
    found.note(holds_if(text.find(field) != std::string::npos, fmt::format("no '{}' in\n{}", field, text)));
  found.note(holds_if(text.ends_with("\n") && text.find("\n\n") == std::string::npos, "not one block of lines"));
  return found.outcome();
}

}  // namespace

std::vector<Law> judge_mismatch_laws() {
  return {enumerated(
      "judge.a_mismatch_tells_everything",
      "verdict, rule, kernel, case, index, got and want in decimal and hexadecimal, ulp, bound, slack, seed, "
      "replay",
      "", "text", every_field)};
}

}  // namespace assay
