# Finds libtorch 2.13: Torch_DIR when given, else the PyTorch of LIMEN_PYTHON. CPU and CUDA builds serve alike: the libraries are
# linked directly, since libtorch's own package file asks for a whole CUDA toolkit as soon as the build knows CUDA.

set(Torch_DIR "" CACHE PATH "libtorch's share/cmake/Torch folder, to use that libtorch")
set(LIMEN_PYTHON "" CACHE FILEPATH "The Python whose PyTorch is used; default: .venv in the source folder, else python3")

if(NOT LIMEN_PYTHON)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
    set(LIMEN_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  else()
    set(LIMEN_PYTHON python3)
  endif()
endif()
if(Torch_DIR)
  get_filename_component(torch_root ${Torch_DIR}/../../.. ABSOLUTE)
else()
  execute_process(COMMAND ${LIMEN_PYTHON} -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))"
                  OUTPUT_VARIABLE torch_root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(version_file ${torch_root}/include/torch/headeronly/version.h)
if(NOT torch_root OR NOT EXISTS ${version_file})
  if(Torch_DIR)
    set(looked_in "Torch_DIR=${Torch_DIR}")
  else()
    set(looked_in "the packages of ${LIMEN_PYTHON}")
  endif()
  message(FATAL_ERROR "${looked_in}: expected PyTorch 2.13, got none. Leave LIMEN_PYTHON and Torch_DIR unset and run "
                      "scripts/setup, or name one with LIMEN_PYTHON=/path/to/python or Torch_DIR=/path/to/libtorch/share/cmake/Torch "
                      "(in the environment of scripts/build, or as -D options of cmake), or do without: -DLIMEN_TORCH=OFF.")
endif()
file(STRINGS ${version_file} version_lines REGEX "define TORCH_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9]+([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2" torch_version "${version_lines}")
if(NOT torch_version STREQUAL "2.13")
  message(FATAL_ERROR "${torch_root}: expected libtorch 2.13, got ${torch_version}. Install torch==2.13.0, or name another with LIMEN_PYTHON or Torch_DIR.")
endif()
message(STATUS "libtorch ${torch_version}: ${torch_root}")

# What a room that includes torch headers links.
add_library(limen_torch_headers INTERFACE)
target_include_directories(limen_torch_headers SYSTEM INTERFACE ${torch_root}/include ${torch_root}/include/torch/csrc/api/include)
foreach(library torch torch_cpu c10)
  find_library(LIMEN_LIB_${library} ${library} PATHS ${torch_root}/lib NO_DEFAULT_PATH REQUIRED)
  mark_as_advanced(LIMEN_LIB_${library})
  target_link_libraries(limen_torch_headers INTERFACE ${LIMEN_LIB_${library}})
endforeach()
# at::parallel_for is a template over OpenMP: compiled without it, it runs on one thread and says nothing. PyTorch's packages
# bring the OpenMP library they were built with; a program must not hold two.
find_package(OpenMP REQUIRED COMPONENTS CXX)
if(EXISTS ${torch_root}/lib/libgomp.so.1)
  target_compile_options(limen_torch_headers INTERFACE ${OpenMP_CXX_FLAGS})
  target_link_libraries(limen_torch_headers INTERFACE ${torch_root}/lib/libgomp.so.1)
else()
  target_link_libraries(limen_torch_headers INTERFACE OpenMP::OpenMP_CXX)
endif()
# A CUDA build's own dependencies lie where its rpath says, out of the linker's sight.
target_link_options(limen_torch_headers INTERFACE LINKER:--allow-shlib-undefined)

# torch/torch.h takes 20 s to read: it is compiled once and shared by every target that links limen_torch_headers.
add_library(limen_torch_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/torch_pch.cpp)
target_link_libraries(limen_torch_pch PUBLIC limen_core limen_torch_headers)
limen_compile_options(limen_torch_pch)
target_precompile_headers(limen_torch_pch PRIVATE <torch/torch.h>)
if(NOT SKBUILD)
  target_precompile_headers(limen_torch_pch PRIVATE <nlohmann/json.hpp>)
endif()
