// Part of limen. SPDX-License-Identifier: MIT
#include "cli/app.h"

int main(int argc, char** argv) { return limen::cli::run(argc, argv); }
