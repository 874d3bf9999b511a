// Part of limen. SPDX-License-Identifier: MIT
#pragma once

// Inlines all that a loop calls: half as fast again. Not in debug builds, where sanitizers take minutes over the
// result.
#ifdef NDEBUG
#define LIMEN_LOOP [[gnu::flatten]]
#else
#define LIMEN_LOOP
#endif
