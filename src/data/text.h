// Part of limen. SPDX-License-Identifier: MIT
//
// Texts as token ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limen::data {

/// Ids of tokens in order; vocabularies have at most 65,536 entries.
using Tokens = std::vector<std::uint16_t>;

/// A text by characters. Characters are bytes; the texts of data_sets() are ASCII.
struct CharCorpus {
  std::string name;
  std::string vocabulary;  ///< the distinct characters of the whole text, sorted; a character's id is its place
  Tokens train;            ///< the first part of the text
  Tokens validation;       ///< the rest
};

/// `train_fraction` in (0, 1): the first part has the integer part of fraction * length characters.
/// Throws limen::Error when the text is empty or the fraction is not within its range.
CharCorpus char_corpus(std::string name, std::string_view text, double train_fraction);

/// One of data_sets(). Throws as read_data_file does, and limen::Error for an unknown name.
CharCorpus load_char_corpus(std::string_view name, double train_fraction = 0.9);

}  // namespace limen::data
