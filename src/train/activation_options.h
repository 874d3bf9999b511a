// Part of limen. SPDX-License-Identifier: MIT
//
// From an arm's settings to its activation, whose law may stand in a file.
#pragma once

#include "limen/torch.h"
#include "train/settings.h"

namespace limen::train {

/// The activation that the settings ask for, not yet resolved; reads the law's file. Throws limen::Error, also when the
/// file no longer holds the law that the settings name.
ActivationOptions activation_options(const ActivationSettings& settings);

/// Fills in what files hold (ActivationSettings::law). Throws limen::Error when they no longer hold what is there
/// already.
void pin_files(Settings& settings);

}  // namespace limen::train
