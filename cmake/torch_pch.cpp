// Part of limen. SPDX-License-Identifier: MIT
// The precompiled header of limen_torch_pch needs one source file to be compiled for.
