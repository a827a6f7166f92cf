#include "simt/approximate/files.hpp"

// The assembler reads the files: CMakeLists.txt says where they are, and that this object depends on them.
#define ASSAY_INCLUDE_FILE(name)                                      \
  asm(".pushsection .rodata\n"                                        \
      ".global assay_table_" #name "\n.global assay_table_end_" #name \
      "\n"                                                            \
      "assay_table_" #name ":\n.incbin \"" ASSAY_TABLES "/" #name     \
      ".xz\"\n"                                                       \
      "assay_table_end_" #name ":\n.popsection");                     \
  extern "C" const char assay_table_##name[], assay_table_end_##name[];

ASSAY_APPROXIMATE_TABLES(ASSAY_INCLUDE_FILE)

namespace assay::simt::approximate {

std::string_view file_of(TableName name) {
#define ASSAY_FILE_ENDS(name) {assay_table_##name, assay_table_end_##name},
  const char* const ends[][2] = {ASSAY_APPROXIMATE_TABLES(ASSAY_FILE_ENDS)};
#undef ASSAY_FILE_ENDS
  const auto& [begin, end] = ends[static_cast<std::size_t>(name)];
  return {begin, end};
}

}  // namespace assay::simt::approximate
