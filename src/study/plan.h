// Part of limen. SPDX-License-Identifier: MIT
//
// From a study to its cells. A study's folder:
//   study.toml                    the study file, byte for byte, and a table [cut]: how the latest run was cut down
//   cells/ARM-sSEED-HASH/         one run folder a cell; log.txt holds what its worker printed
//   report/                       see report/report.h
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/run_folder.h"
#include "study/study.h"

namespace limen::study {

/// How a study is cut down; empty: not at all.
struct Cut {
  std::vector<std::uint64_t> seeds = {};        ///< of the file's seeds; empty: all
  std::vector<std::string> arms = {};           ///< of the file's arms; empty: all
  std::optional<std::int64_t> iterations = {};  ///< steps taken; the schedules keep the length the file gives them
  std::optional<std::int64_t> horizon = {};     ///< the schedules' own length

  bool operator==(const Cut&) const = default;
};

struct Cell {
  std::string arm;
  std::uint64_t seed = 0;
  train::Settings settings;
  io::RunFolder folder;
};

struct Plan {
  Study study;
  Cut cut;
  std::filesystem::path out;
  std::vector<Arm> arms;             ///< those kept, in the file's order, their settings cut down
  std::vector<std::uint64_t> seeds;  ///< those kept, in the file's order
  std::vector<Cell> cells;           ///< seed by seed, so that paired comparisons are complete early
};

/// "limen-out/NAME".
std::filesystem::path default_out(const Study& study);

/// First ten hexadecimal digits of the SHA-256 of train::settings_difference: stable when a new setting with a default
/// appears.
std::string cell_hash(const train::Settings& settings);

/// Throws limen::Error for an arm (naming the nearest) or a seed that the study does not have, and for iterations or a
/// horizon that cannot be. Writes nothing.
Plan make_plan(const Study& study, const Cut& cut, const std::filesystem::path& out);

/// Writes out/study.toml, so that the folder explains itself. Throws limen::Error when the folder belongs to a study of
/// another name.
void record_plan(const Plan& plan);

/// The plan of the latest run in this folder. Throws limen::Error when there is none.
Plan recorded_plan(const std::filesystem::path& out);

/// What one cell has come to.
struct CellStatus {
  const Cell* cell = nullptr;  ///< not owned
  io::RunState state = io::RunState::planned;
  std::int64_t iteration = 0;              ///< of the latest evaluation
  std::int64_t iterations = 0;             ///< in all
  std::optional<double> validation_loss;   ///< of the latest evaluation; of a done cell its final measure
  std::optional<double> seconds_per_step;  ///< a training step's, as measured last
  std::optional<double> pace;              ///< seconds an iteration of the latest try, evaluations included
  std::optional<double> seconds;           ///< spent, over all tries
  std::string reason;                      ///< of a failed or diverged cell
};

CellStatus status(const Cell& cell);
/// One entry a cell, in the plan's order; points into the plan.
std::vector<CellStatus> status(const Plan& plan);

}  // namespace limen::study
