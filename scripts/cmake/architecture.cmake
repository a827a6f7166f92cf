# ASSAY_ARCHITECTURE_FLAGS: x86-64-v3 where this machine runs it (fused multiply-add in hardware), nothing elsewhere.
include(CheckCXXSourceRuns)
check_cxx_source_runs(
  "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }"
  ASSAY_RUNS_X86_64_V3)
set(ASSAY_ARCHITECTURE_FLAGS "")
if(ASSAY_RUNS_X86_64_V3)
  set(ASSAY_ARCHITECTURE_FLAGS -march=x86-64-v3)
endif()
