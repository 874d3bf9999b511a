// Part of limen. SPDX-License-Identifier: MIT
//
// What the report says, once for all its forms: sentences and tables.
#pragma once

#include <string>
#include <vector>

#include "report/summary.h"
#include "report/table.h"

namespace limen::report {

/// What a reader must know first: that the study was cut down, that it is not finished. Empty for a whole and finished
/// one.
std::vector<std::string> notices(const Summary& summary);

/// How a table calls its arms.
enum class Call { by_label, by_name };

/// One row an arm: validation loss, perplexity, learned parameters, regions; aside: time a step, memory.
Table main_table(const Summary& summary, Call call = Call::by_label);

/// What the columns of the main table hold, in lines of at most `legend_width` ASCII characters for a terminal.
constexpr int legend_width = 100;
std::vector<std::string> legend(const Summary& summary);

/// What the differences to the baseline allow to be said, one sentence an arm; empty without a second arm.
std::vector<std::string> comparisons(const Summary& summary);

/// Ours beside published values, one row an arm and measure; no rows when the study names none.
Table published_table(const Summary& summary);

/// Every cell, one row each.
Table cells_table(const Summary& summary);

/// Cells that are not done: state, how far, why.
Table unfinished_table(const Summary& summary);

/// How to read the numbers.
std::vector<std::string> method(const Summary& summary);

/// For example "learned width (beta)".
std::string learned_name(const std::string& parameter);

}  // namespace limen::report
