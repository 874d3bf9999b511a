// Part of limen. SPDX-License-Identifier: MIT
#include "data/text.h"

#include <array>
#include <utility>

#include "data/datasets.h"
#include "limen/digits.h"
#include "limen/error.h"

namespace limen::data {

CharCorpus char_corpus(std::string name, std::string_view text, double train_fraction) {
  if (text.empty()) throw Error("data set " + name + ": expected a text, got an empty one");
  if (!(train_fraction > 0 && train_fraction < 1))
    throw Error("data set " + name + ": expected a train_fraction between 0 and 1, got " + shortest(train_fraction) +
                "; try 0.9");
  std::array<bool, 256> occurs = {};
  for (const char c : text) occurs[static_cast<unsigned char>(c)] = true;
  std::array<std::uint16_t, 256> id = {};
  CharCorpus corpus{std::move(name), "", {}, {}};
  for (std::size_t byte = 0; byte < occurs.size(); ++byte) {
    if (!occurs[byte]) continue;
    id[byte] = static_cast<std::uint16_t>(corpus.vocabulary.size());
    corpus.vocabulary += static_cast<char>(byte);
  }
  const auto encode = [&](std::string_view part) {
    Tokens tokens;
    tokens.reserve(part.size());
    for (const char c : part) tokens.push_back(id[static_cast<unsigned char>(c)]);
    return tokens;
  };
  const auto cut = static_cast<std::size_t>(train_fraction * static_cast<double>(text.size()));
  corpus.train = encode(text.substr(0, cut));
  corpus.validation = encode(text.substr(cut));
  return corpus;
}

CharCorpus load_char_corpus(std::string_view name, double train_fraction) {
  const DataSet& set = find_data_set(name);
  return char_corpus(set.name, read_data_file(set, set.files.front()), train_fraction);
}

}  // namespace limen::data
