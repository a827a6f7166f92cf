# Writes OUTPUT (assay_version.hpp) for the source in SOURCE; touches it only when its text changes.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  set(commit unknown)
endif()
execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
set(dirty false)
if(changes)
  set(dirty true)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[#pragma once

namespace assay::version {

inline constexpr const char* number = "@NUMBER@";
inline constexpr const char* commit = "@commit@";
inline constexpr bool dirty = @dirty@;
inline constexpr const char* compiler = "@COMPILER@";
inline constexpr const char* flags = "@FLAGS@";
inline constexpr const char* source_folder = "@SOURCE@";

}  // namespace assay::version
]])
