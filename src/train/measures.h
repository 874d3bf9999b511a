// Part of limen. SPDX-License-Identifier: MIT
//
// What a finished run is measured by. Training writes DONE from this table; study files, tables, CSV files and pages
// read it, so that a new measure is a line here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace limen::train {

/// Of both splits: means of batch losses, in nats, dropout off.
struct Losses {
  double train;
  double validation;
};

enum class Better { lower, higher, neither };

struct Measure {
  std::string_view key;    ///< in DONE, in CSV files and in a study file's [published.ARM]
  std::string_view label;  ///< heads columns
  int digits;              ///< after the point
  bool percent;            ///< a share of 1, shown in percent
  Better better;
  double (*of)(const Losses&);  ///< null: one of the shares that train::regions counts, in DONE's "regions"
  bool in_main_table = true;    ///< shares stand there together, in one column

  bool is_region() const { return of == nullptr; }
};

inline constexpr std::array measures = {
    Measure{"validation_loss", "validation loss", 4, false, Better::lower,
            [](const Losses& l) { return l.validation; }},
    Measure{"train_loss", "training loss", 4, false, Better::lower, [](const Losses& l) { return l.train; }, false},
    Measure{"perplexity", "perplexity", 3, false, Better::lower,
            [](const Losses& l) { return std::exp(std::min(l.validation, 20.0)); }},
    Measure{"closed", "closed", 2, true, Better::neither, nullptr},
    Measure{"transition", "transition", 2, true, Better::neither, nullptr},
    Measure{"open", "open", 2, true, Better::neither, nullptr},
};

/// What arms are compared by, seed by seed.
inline constexpr const Measure& compared = measures[0];

}  // namespace limen::train
