# Finds libtorch: Torch_DIR or CMAKE_PREFIX_PATH when given, else the PyTorch of LIMEN_PYTHON (a CPU or a CUDA build).

set(LIMEN_PYTHON "" CACHE FILEPATH "The Python whose PyTorch is used; default: .venv in the source folder, else python3")
if(NOT Torch_DIR)
  if(NOT LIMEN_PYTHON)
    if(EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
      set(LIMEN_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python)
    else()
      set(LIMEN_PYTHON python3)
    endif()
  endif()
  execute_process(COMMAND ${LIMEN_PYTHON} -c "import torch; print(torch.utils.cmake_prefix_path)"
                  OUTPUT_VARIABLE torch_prefix OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result ERROR_QUIET)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "PyTorch was expected in ${LIMEN_PYTHON} and is not there. Run scripts/setup, or name one with "
                        "-DLIMEN_PYTHON=/path/to/python or -DTorch_DIR=/path/to/libtorch/share/cmake/Torch, or leave it out with -DLIMEN_TORCH=OFF.")
  endif()
  list(APPEND CMAKE_PREFIX_PATH ${torch_prefix})
endif()
find_package(Torch 2.13 REQUIRED)
if(Torch_VERSION VERSION_GREATER_EQUAL 2.14)
  message(FATAL_ERROR "libtorch 2.13 was expected, ${Torch_VERSION} came from ${Torch_DIR}. Install torch==2.13.0.")
endif()

# What a room that includes torch headers links.
add_library(limen_torch_headers INTERFACE)
target_link_libraries(limen_torch_headers INTERFACE ${TORCH_LIBRARIES})

# torch/torch.h takes 20 s to read: it is compiled once and shared by every target that links limen_torch_headers.
add_library(limen_torch_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/torch_pch.cpp)
target_link_libraries(limen_torch_pch PUBLIC limen_core limen_torch_headers)
limen_compile_options(limen_torch_pch)
target_precompile_headers(limen_torch_pch PRIVATE <torch/torch.h> <nlohmann/json.hpp>)
