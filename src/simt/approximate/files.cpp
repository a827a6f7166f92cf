#include "simt/approximate/files.hpp"

#include <iterator>

// The assembler reads the files: CMakeLists.txt says where they are, and that this object depends on them.
#define ASSAY_INCLUDE_FILE(name)                                      \
  asm(".pushsection .rodata\n"                                        \
      ".global assay_table_" #name "\n.global assay_table_end_" #name \
      "\n"                                                            \
      "assay_table_" #name ":\n.incbin \"" ASSAY_TABLES "/" #name     \
      ".xz\"\n"                                                       \
      "assay_table_end_" #name ":\n.popsection");                     \
  extern "C" const char assay_table_##name[], assay_table_end_##name[];

ASSAY_INCLUDE_FILE(ex2_positive)
ASSAY_INCLUDE_FILE(ex2_negative)
ASSAY_INCLUDE_FILE(lg2_above_one)
ASSAY_INCLUDE_FILE(lg2_below_one)
ASSAY_INCLUDE_FILE(rcp)
ASSAY_INCLUDE_FILE(rsqrt)
ASSAY_INCLUDE_FILE(sin)
ASSAY_INCLUDE_FILE(tanh)

namespace assay::simt::approximate {

std::string_view file_of(TableName name) {
  const char* const ends[][2] = {{assay_table_ex2_positive, assay_table_end_ex2_positive},
                                 {assay_table_ex2_negative, assay_table_end_ex2_negative},
                                 {assay_table_lg2_above_one, assay_table_end_lg2_above_one},
                                 {assay_table_lg2_below_one, assay_table_end_lg2_below_one},
                                 {assay_table_rcp, assay_table_end_rcp},
                                 {assay_table_rsqrt, assay_table_end_rsqrt},
                                 {assay_table_sin, assay_table_end_sin},
                                 {assay_table_tanh, assay_table_end_tanh}};
  const auto& [begin, end] = ends[static_cast<std::size_t>(name)];
  return {begin, end};
}

}  // namespace assay::simt::approximate
