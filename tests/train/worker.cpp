// Part of limen. SPDX-License-Identifier: MIT
//
// worker FOLDER: trains a run on the tiny text in a process of its own, so that a test can kill it.
#include "tiny.h"
#include "train/train.h"

int main(int, char** arguments) {
  limen::train::TrainOptions options;
  options.threads = 1;
  limen::train::run(limen::io::RunFolder(arguments[1]), options, limen::train::tiny_corpus());
}
