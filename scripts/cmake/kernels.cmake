# The builds of a kernel. Each is the same source in an inline namespace of its own, named by ASSAY_MACHINE, so that all
# of them can be linked into one program:
#   host     by the C++ compiler: the machine on the CPU, over the floating-point formats and over prime fields
#   checked  the same with every memory access announced to the shadow checker. -fsanitize=thread only inserts the
#            announcements; the linker never sees the flag, and src/simt/host/tsan_hooks.cpp receives them
#   device   by nvcc for sm_90a, where nvcc is found

set(ASSAY_DEVICE_FLAGS
    -std=c++20 --expt-relaxed-constexpr -fmad=false -prec-div=true -prec-sqrt=true -ftz=false
    -gencode arch=compute_90a,code=sm_90a)
find_program(ASSAY_NVCC nvcc PATHS /usr/local/cuda/bin)

# assay_device_runtime(LAYER): what the part of the layer that talks to the GPU links.
function(assay_device_runtime layer)
  if(ASSAY_CUDA)
    find_package(CUDAToolkit 13 REQUIRED)
    target_link_libraries(assay_${layer} PUBLIC CUDA::cudart_static)
  endif()
endfunction()

# assay_with_device(LAYER ON file... OFF file...): sources of the layer in a program with device builds, and in one without.
function(assay_with_device layer)
  cmake_parse_arguments(arg "" "" "ON;OFF" ${ARGN})
  if(ASSAY_CUDA)
    set(sources ${arg_ON})
  else()
    set(sources ${arg_OFF})
  endif()
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  target_sources(assay_${layer} PRIVATE ${sources})
endfunction()

# The device objects of every kernel: part of `all` only where the device build is linked.
if(ASSAY_CUDA)
  add_custom_target(device_objects ALL)
else()
  add_custom_target(device_objects)
endif()

# assay_kernel_library(TARGET [DEPENDS target...]): a static library for assay_add_kernel to fill.
function(assay_kernel_library target)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  add_library(${target} STATIC)
  target_link_libraries(${target} PUBLIC assay::simt ${arg_DEPENDS})
endfunction()

# assay_add_kernel(TARGET SOURCE.cuh [MACHINES host checked device] [OPTIONS flag...]): adds builds of the kernel to the
# library, all of them by default; OPTIONS are for the builds by the C++ compiler. SOURCE is relative to the project, or
# absolute.
function(assay_add_kernel target source)
  cmake_parse_arguments(arg "" "" "MACHINES;OPTIONS" ${ARGN})
  if(NOT arg_MACHINES)
    set(arg_MACHINES host checked device)
  endif()
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
  string(SHA1 key ${path})
  string(SUBSTRING ${key} 0 8 key)
  cmake_path(GET path STEM name)
  set(unit ${PROJECT_BINARY_DIR}/kernels/${target}/${name}_${key})
  if(host IN_LIST arg_MACHINES)
    assay_kernel_on_host(${target} ${path} host ${unit}.host.cpp "-O3;${arg_OPTIONS}")
  endif()
  if(checked IN_LIST arg_MACHINES)
    assay_kernel_on_host(${target} ${path} checked ${unit}.checked.cpp
                         "-O2;${arg_OPTIONS};-fno-sanitize=all;-fsanitize=thread")
  endif()
  if(ASSAY_NVCC AND device IN_LIST arg_MACHINES)
    assay_kernel_on_device(${target} ${path} ${unit}.device)
  endif()
endfunction()

function(assay_kernel_on_host target path machine unit options)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#define ASSAY_MACHINE ${machine}\n#include \"${path}\"\n" @ONLY)
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS "${options};-g1;-gdwarf-4;-Wno-unknown-pragmas")
  target_sources(${target} PRIVATE ${unit})
endfunction()

function(assay_kernel_on_device target path unit)
  file(CONFIGURE OUTPUT ${unit}.cu CONTENT "#include \"${path}\"\n" @ONLY)
  assay_device_unit(${target} ${path} ${unit})
endfunction()

# assay_device_unit(TARGET PATH UNIT [INCLUDE folder]): UNIT.o from UNIT.cu, which is made from PATH; files in the folder
# go before the project's own.
function(assay_device_unit target path unit)
  cmake_parse_arguments(arg "" "INCLUDE" "" ${ARGN})
  set(first)
  if(arg_INCLUDE)
    set(first -I${arg_INCLUDE})
  endif()
  add_custom_command(
    OUTPUT ${unit}.o
    COMMAND ${ASSAY_NVCC} ${ASSAY_DEVICE_FLAGS} ${first} -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}
            -MD -MF ${unit}.d -c ${unit}.cu -o ${unit}.o
    DEPENDS ${unit}.cu ${path}
    DEPFILE ${unit}.d
    COMMENT "Building device object of ${path}"
    VERBATIM)
  string(MAKE_C_IDENTIFIER device_${unit} object)
  add_custom_target(${object} DEPENDS ${unit}.o)
  add_dependencies(device_objects ${object})
  if(ASSAY_CUDA)
    target_sources(${target} PRIVATE ${unit}.o)
    set_source_files_properties(${unit}.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  endif()
endfunction()
