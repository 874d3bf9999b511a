// Part of limen. SPDX-License-Identifier: MIT
//
// The core in one include: laws, activations, their registry and their evaluation. No dependencies, nothing to link.
#pragma once

#include "limen/evaluate.h"
#include "limen/member.h"
#include "limen/registry.h"
