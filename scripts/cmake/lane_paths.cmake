# The double-double lane kernels are one body in three files; each file is compiled for its own machine, and the path is
# chosen at run time. Vectorisation needs -O3 in every configuration.
function(assay_lane_paths)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(
      src/arith/lane_kernels_avx2.cpp src/arith/lane_kernels_avx512.cpp PROPERTIES HEADER_FILE_ONLY ON)
    return()
  endif()
  set_source_files_properties(src/arith/lane_kernels_portable.cpp PROPERTIES COMPILE_OPTIONS "-O3;-march=x86-64")
  set_source_files_properties(src/arith/lane_kernels_avx2.cpp PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mfma")
  set_source_files_properties(
    src/arith/lane_kernels_avx512.cpp
    PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mfma;-mavx512f;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
  set_source_files_properties(src/arith/dd_lanes.cpp PROPERTIES COMPILE_DEFINITIONS ASSAY_X86_LANE_PATHS)
endfunction()
