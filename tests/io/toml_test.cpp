// Part of limen. SPDX-License-Identifier: MIT
#include "io/toml.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"

namespace limen::io {
namespace {

TEST(Toml, MergesDownToADepth) {
  const toml::table base = parse_toml("a = 1\n[s]\nx = 1\nm = {p = 1, q = 2}\n", "base");
  const toml::table over = parse_toml("s = {m = {p = 3}, y = 4}\n", "over");
  toml::table whole = base, one = base;
  merge(whole, over);
  EXPECT_EQ(inline_value(whole), "{a = 1, s = {m = {p = 3, q = 2}, x = 1, y = 4}}");
  merge(one, over, 1);
  EXPECT_EQ(inline_value(one), "{a = 1, s = {m = {p = 3}, x = 1, y = 4}}");
}

TEST(Toml, ValuesAndKeysReadBackFromOneLine) {
  const std::string text =
      "\"a key\" = \"quote \\\" back \\\\ line \\u000A tab \\u0009\"\nb = [1, 2.5, -inf, true]\nc = {d = 1979-05-27}\n";
  const toml::table table = parse_toml(text, "text");
  EXPECT_TRUE(parse_toml(inline_text_of_keys(table), "back") == table) << inline_text_of_keys(table);
  EXPECT_EQ(inline_key("plain-key_1"), "plain-key_1");
  EXPECT_EQ(inline_key(""), "\"\"");
}

TEST(Toml, MistakesAreNamedWithTheirLine) {
  EXPECT_TRUE(names(message_of([] { parse_toml("a = 1\nb\n", "x.toml"); }), {"x.toml, line 2", "not valid TOML"}));
  const toml::table table = parse_toml("\nsise = [1]\n", "x.toml");
  EXPECT_TRUE(names(message_of([&] { reject_unknown_keys(table, {"size"}, "box.", "x.toml"); }),
                    {"x.toml, line 2", "\"box.sise\"", "\"box.size\""}));
  EXPECT_TRUE(names(message_of([&] {
                      read_whole(*table.get("sise"), {"x.toml", "box.sise"});
                    }),
                    {"x.toml, line 2", "box.sise", "whole number", "an array"}));
}

}  // namespace
}  // namespace limen::io
