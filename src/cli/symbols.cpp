// Part of limen. SPDX-License-Identifier: MIT
#include "cli/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace limen::cli {
namespace {

struct Letter {
  std::string_view word, utf8, latex;
};
constexpr std::array letters{
    Letter{"alpha", "\u03b1", "\\alpha"},    Letter{"beta", "\u03b2", "\\beta"}, Letter{"gamma", "\u03b3", "\\gamma"},
    Letter{"eps", "\u03b5", "\\varepsilon"}, Letter{"eta", "\u03b7", "\\eta"},   Letter{"lambda", "\u03bb", "\\lambda"},
    Letter{"mu", "\u03bc", "\\mu"},          Letter{"pi", "\u03c0", "\\pi"},     Letter{"sigma", "\u03c3", "\\sigma"},
    Letter{"phi", "\u03c6", "\\varphi"},     Letter{"Phi", "\u03a6", "\\Phi"},   Letter{"inf", "\u221e", "\\infty"}};
constexpr std::array functions{"arctan", "cosh", "exp", "ln", "log", "max", "sin", "tanh"};
constexpr std::array joints{"and", "at", "else", "for"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

const Letter* find_letter(std::string_view word) {
  const auto found = std::ranges::find(letters, word, &Letter::word);
  return found == letters.end() ? nullptr : &*found;
}

template <class Names>
bool contains(const Names& names, std::string_view word) {
  return std::ranges::find(names, word) != names.end();
}

std::string latex_word(std::string_view word) {
  if (const Letter* letter = find_letter(word)) return std::string(letter->latex);
  if (contains(functions, word)) return fmt::format("\\{}", word);
  if (contains(joints, word)) return fmt::format("\\text{{ {} }}", word);
  return word.size() == 1 ? std::string(word) : fmt::format("\\mathrm{{{}}}", word);
}

/// Whether a product goes on behind a word: " z" but not " for z > 0".
bool factor_follows(std::string_view rest) {
  if (!rest.starts_with(' ') || rest.size() < 2) return false;
  rest.remove_prefix(1);
  const auto word = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_letter) - rest.begin());
  if (word > 0) return !contains(joints, rest.substr(0, word));
  return rest[0] == '(' || rest[0] == '|' || std::isdigit(static_cast<unsigned char>(rest[0])) != 0;
}

/// The bracket that `text` begins with, without its ends.
std::string_view bracketed(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0) return text.substr(1, i - 1);
  }
  return text.substr(1);
}

}  // namespace

std::string greek(std::string_view word) {
  const Letter* letter = find_letter(word);
  return std::string(letter ? letter->utf8 : word);
}

std::string with_greek(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
    out += end > 0 ? greek(text.substr(0, end)) : std::string(1, text.front());
    text.remove_prefix(std::max<std::size_t>(end, 1));
  }
  return out;
}

std::string typeset(double number) {
  std::string text = fmt::format("{:.6g}", number);
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");
  return text;
}

std::string latex(std::string_view formula) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"<=", "\\le "}, {">=", "\\ge "}, {"->", "\\to "}, {"; ", ";\\quad "}, {", ", ",\\ "}};
  std::string out;
  while (!formula.empty()) {
    const auto word = static_cast<std::size_t>(std::ranges::find_if_not(formula, is_letter) - formula.begin());
    const bool root = formula.starts_with("sqrt("), power = formula.starts_with("^(");
    const auto sign = std::ranges::find_if(signs, [&](const auto& s) { return formula.starts_with(s.first); });
    if (root || power) {
      const std::string_view inside = bracketed(formula.substr(root ? 4 : 1));
      out += fmt::format("{}{{{}}}", root ? "\\sqrt" : "^", latex(inside));
      formula.remove_prefix(inside.size() + (root ? 6 : 3));
    } else if (word > 0) {
      const std::string set = latex_word(formula.substr(0, word));
      formula.remove_prefix(word);
      out += set;
      // A name of several letters and the next factor would run together.
      if (set.starts_with("\\mathrm") && factor_follows(formula)) out += "\\,", formula.remove_prefix(1);
    } else {
      const bool known = sign != std::end(signs);
      out += known ? sign->second : formula.substr(0, 1);
      formula.remove_prefix(known ? sign->first.size() : 1);
    }
  }
  return out;
}

std::string latex_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto end = std::find_if_not(text.begin() + i, text.end(), is_letter) - text.begin();
    const std::string word(text.substr(i, static_cast<std::size_t>(end) - i));
    const bool arrow = text.substr(i).starts_with("->");
    if (arrow) {
      out += "$\\to$";
    } else if (word.empty()) {
      if (std::string_view("&%$#_{}").find(text[i]) != std::string_view::npos) out += '\\';
      out += text[i];
    } else {
      const Letter* letter = find_letter(word);
      out += letter ? fmt::format("${}$", letter->latex) : word;
    }
    i += arrow ? 2 : std::max<std::size_t>(word.size(), 1);
  }
  return out;
}

}  // namespace limen::cli
