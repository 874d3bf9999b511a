// Part of limen. SPDX-License-Identifier: MIT
//
// The registry's plain text as papers print it.
#pragma once

#include <string>
#include <string_view>

namespace limen::cli {

/// "beta" as a Greek letter in UTF-8; other words as they are.
std::string greek(std::string_view word);
/// Every word of a text so.
std::string with_greek(std::string_view text);
/// 6 digits at most, with the sign that mathematics uses.
std::string typeset(double number);

/// A formula of the registry as LaTeX in mathematics mode.
std::string latex(std::string_view formula);
/// Text outside of mathematics: Greek letters by their names, special characters escaped.
std::string latex_text(std::string_view text);

}  // namespace limen::cli
