// Part of limen. SPDX-License-Identifier: MIT
//
// Laws that a build of limen knows besides its own: cmake -DLIMEN_OWN_LAWS=.../own_laws.h (docs/add-a-law.md).
#pragma once

#include "laplace.h"

namespace limen {

using OwnActivations = TypeList<activations::Transmission<laws::Laplace>>;

}  // namespace limen
