# How this project's targets are built, in one place.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  find_program(CCACHE ccache)
  if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Precompiled headers need the sloppiness to be cached at all; paths count from the tree, so that a copy of it shares the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${CCACHE})
  endif()
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Flags of every target of ours. Products and sums are fused only where the source says fma: that is what makes the paths agree bit for bit.
function(limen_compile_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set(cxx_flags -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off -fno-math-errno -fno-trapping-math
                $<$<BOOL:${LIMEN_WERROR}>:-Werror>)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${cxx_flags}>")
  # The same rule for a GPU, whose divisions and roots are rounded correctly and whose subnormals are kept. Formulas are constexpr
  # functions, which its code may then call.
  if(LIMEN_CUDA)
    set(cuda_flags -std=c++20 --expt-relaxed-constexpr -fmad=false -prec-div=true -prec-sqrt=true -ftz=false -Xcompiler=-Wall,-Wextra,-ffp-contract=off
                   $<$<BOOL:${LIMEN_WERROR}>:-Werror=all-warnings>)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>")
  endif()
  # A compiled header is a dependency of its users only if its macros are kept, which ccache asks for.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  if(LIMEN_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${LIMEN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${LIMEN_SANITIZE})
  endif()
endfunction()

# limen_room(NAME SOURCES ... LINK ...): one room of src/ as a static library limen_NAME; includes are written "NAME/file.h".
function(limen_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK" ${ARGN})
  add_library(limen_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(limen_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(limen_${name} PUBLIC limen_core ${ROOM_LINK})
  limen_compile_options(limen_${name})
  if(TARGET limen_torch_pch AND "limen_torch_headers" IN_LIST ROOM_LINK)
    target_precompile_headers(limen_${name} REUSE_FROM limen_torch_pch)
  endif()
endfunction()

# limen_test(NAME SOURCES ... LINK ...): a GoogleTest program, each of its tests known to ctest as NAME.Suite.Test.
function(limen_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name}_test ${TEST_SOURCES})
  target_link_libraries(${name}_test PRIVATE limen_core ${TEST_LINK} GTest::gtest_main)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_test PRIVATE LIMEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                  LIMEN_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  limen_compile_options(${name}_test)
  if(TARGET limen_torch_pch AND "limen_torch_headers" IN_LIST TEST_LINK)
    target_precompile_headers(${name}_test REUSE_FROM limen_torch_pch)
    # The header was compiled with -fPIC; an executable's -fPIE would not match it.
    set_target_properties(${name}_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name}_test PRIVATE -fPIC)
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 120 PROPERTIES TIMEOUT 900)
endfunction()
