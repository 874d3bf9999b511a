# cmake -D SOURCE=... -D OUTPUT=... -D VERSION=... -P commit.cmake: writes commit.cpp, only if it changes.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=40 --exclude=* WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result ERROR_QUIET)
  if(NOT result EQUAL 0)
    set(commit unknown)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
// Part of limen. SPDX-License-Identifier: MIT
#include "train/commit.h"

namespace limen::train {

CommitInfo commit_info() { return {"@VERSION@", "@commit@"}; }

}  // namespace limen::train
]] @ONLY)
