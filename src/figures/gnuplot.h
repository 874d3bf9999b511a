// Part of limen. SPDX-License-Identifier: MIT
//
// What all pictures share: looks, text in gnuplot's language, and the program itself.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace limen::figures {

/// Of one line among several: colours legible on white and on near black; a marker or a dash pattern tells lines apart
/// where colours do not.
struct Look {
  const char* color;
  int marker;
  const char* dash;  ///< as gnuplot's dashtype
};
inline constexpr std::array looks = {Look{"#3b7dd8", 7, "1"},          Look{"#d9622b", 5, "(10,4)"},
                                     Look{"#2a9d6f", 9, "(10,3,2,3)"}, Look{"#b05cc6", 13, "(5,3)"},
                                     Look{"#c8961c", 11, "(2,2)"},     Look{"#d6456b", 6, "(14,4)"},
                                     Look{"#3fa7b5", 4, "(6,3,2,3)"},  Look{"#7d8590", 8, "(8,2,2,2,2,2)"}};
constexpr const Look& look(std::size_t index) { return looks[index % looks.size()]; }

/// Axes left and below, digits that do not depend on the locale.
inline constexpr std::string_view frame = R"(set encoding utf8
set border 3 lw 1
set tics nomirror out scale 0.6
set decimalsign '.'
)";

/// The least of 1, 2, 5 times a power of ten that divides a length into at most `most` steps.
double tic_step(double length, double most);

/// In single quotes, where only the quote itself is special.
std::string in_quotes(std::string_view text);

/// Runs a gnuplot program; its file and its messages lie in `folder` meanwhile. Throws io::SystemError with a sentence
/// when gnuplot is missing or fails.
void run_gnuplot(std::string_view program, const std::filesystem::path& folder);

}  // namespace limen::figures
