// Part of limen. SPDX-License-Identifier: MIT
#include "study/plan.h"

#include <gtest/gtest.h>

#include <locale>

#include "io/files.h"
#include "io/temporary_folder.h"
#include "study/small_study.h"

namespace limen::study {
namespace {

TEST(Plan, GoesSeedBySeed) {
  const Plan plan = make_plan(small_study(), {}, "out");
  std::vector<std::string> order;
  for (const Cell& cell : plan.cells) order.push_back(cell.arm + std::to_string(cell.seed));
  EXPECT_EQ(order, (std::vector<std::string>{"relu1", "gelu1", "tuelu1", "relu2", "gelu2", "tuelu2"}));
  for (const Cell& cell : plan.cells) EXPECT_EQ(cell.settings.seed, cell.seed);
  EXPECT_EQ(default_out(plan.study), "limen-out/small");
}

// These names stand in people's folders: a change here orphans their finished cells.
TEST(Plan, CellNamesAreForEver) {
  const Plan small = make_plan(small_study(), {}, "out");
  EXPECT_EQ(small.cells[0].folder.path(), "out/cells/relu-s1-84d20b60e6");
  const Plan published = make_plan(read_study(LIMEN_SOURCE_DIR "/studies/char-gpt.toml"), {}, "out");
  EXPECT_EQ(published.cells[2].folder.path(), "out/cells/gelu-s1-45a8fe0786");
  EXPECT_EQ(published.cells[34].folder.path(), "out/cells/tuelu-s5-0ed740589c");
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Plan, DoesNotDependOnTheLocale) {
  const std::filesystem::path file = LIMEN_SOURCE_DIR "/studies/char-gpt.toml";
  const Plan plain = make_plan(read_study(file), {}, "out");
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const Plan other = make_plan(read_study(file), {}, "out");
  std::locale::global(before);
  ASSERT_EQ(plain.cells.size(), other.cells.size());
  for (std::size_t i = 0; i < plain.cells.size(); ++i)
    EXPECT_EQ(plain.cells[i].folder.path(), other.cells[i].folder.path());
}

TEST(Plan, IsCutDownByArmsAndSeeds) {
  const Plan plan = make_plan(small_study(), {.seeds = {2}, .arms = {"tuelu", "relu"}}, "out");
  ASSERT_EQ(plan.cells.size(), 2U);
  EXPECT_EQ(plan.cells[0].arm, "relu");  // The file's order, whatever the request's.
  EXPECT_EQ(plan.cells[1].arm, "tuelu");
  EXPECT_EQ(plan.cells[1].seed, 2U);
  EXPECT_EQ(plan.cells[1].folder.path(), make_plan(small_study(), {}, "out").cells[5].folder.path());
  EXPECT_NE(io::message_of([] { make_plan(small_study(), {.arms = {"tulu"}}, "out"); }).find("try \"tuelu\""),
            std::string::npos);
  EXPECT_NE(io::message_of([] { make_plan(small_study(), {.seeds = {7}}, "out"); }).find("1, 2, got 7"),
            std::string::npos);
}

TEST(Plan, FewerIterationsKeepTheSchedule) {
  const auto settings = [](const Cut& cut) { return make_plan(small_study(), cut, "out").cells[0].settings; };
  EXPECT_EQ(settings({.iterations = 10}).train.iterations, 10);
  EXPECT_EQ(settings({.iterations = 10}).horizon(), 30);
  EXPECT_EQ(settings({.iterations = 10, .horizon = 20}).horizon(), 20);
  EXPECT_EQ(settings({.horizon = 60}).horizon(), 60);
  EXPECT_EQ(settings({.iterations = 60, .horizon = 60}).horizon(), 60);
  // What amounts to the whole study is the whole study.
  EXPECT_EQ(cell_hash(settings({})), cell_hash(small_study().arms[0].settings));
  EXPECT_EQ(cell_hash(settings({.iterations = 30})), cell_hash(settings({})));
  EXPECT_EQ(cell_hash(settings({.iterations = 30, .horizon = 30})), cell_hash(settings({})));
  EXPECT_NE(cell_hash(settings({.iterations = 10})), cell_hash(settings({})));
  EXPECT_NE(cell_hash(settings({.iterations = 10, .horizon = 10})), cell_hash(settings({.iterations = 10})));
  EXPECT_NE(io::message_of([&] { settings({.iterations = 40}); }).find("try --horizon 40 too"), std::string::npos);
  EXPECT_NE(io::message_of([&] { settings({.horizon = 20}); }).find("at most 20"), std::string::npos);
  EXPECT_NE(io::message_of([&] { settings({.iterations = 0}); }).find("at least 1"), std::string::npos);
}

TEST(Plan, IsRecordedAndReadBack) {
  const io::TemporaryFolder folder;
  const Cut cut{.seeds = {2}, .arms = {"gelu", "tuelu"}, .iterations = 10, .horizon = 20};
  record_plan(make_plan(small_study(), cut, folder / "out"));
  const Plan read = recorded_plan(folder / "out");
  EXPECT_EQ(read.cut, cut);
  EXPECT_EQ(read.study.text, small_study_text);
  ASSERT_EQ(read.cells.size(), 2U);
  EXPECT_EQ(read.cells[1].folder.path(), make_plan(small_study(), cut, folder / "out").cells[1].folder.path());

  record_plan(make_plan(small_study(), {}, folder / "out"));
  EXPECT_EQ(recorded_plan(folder / "out").cells.size(), 6U);

  Study other = small_study();
  other.name = "other";
  EXPECT_NE(io::message_of([&] { record_plan(make_plan(other, {}, folder / "out")); }).find("got one of study small"),
            std::string::npos);
  EXPECT_NE(io::message_of([&] { recorded_plan(folder / "nothing"); }).find("expected a study's folder"),
            std::string::npos);
}

TEST(Status, SecondsAddUpOverTries) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {.seeds = {1}, .arms = {"gelu"}}, folder / "out");
  const io::RunFolder& run = plan.cells[0].folder;
  io::write_file(run.settings(), train::settings_to_toml(plan.cells[0].settings));
  for (const auto& [iteration, seconds] : {std::pair{1, 1.0}, {10, 5.0}, {20, 2.0}, {30, 4.0}})
    run.append_timing({{"iteration", iteration}, {"seconds", seconds}, {"step_seconds", 0.1}});
  const CellStatus cell = status(plan)[0];
  EXPECT_DOUBLE_EQ(*cell.seconds, 9);  // 5 of the first try, 4 of the second
  EXPECT_DOUBLE_EQ(*cell.pace, 0.2);   // 10 iterations of the second in 2 seconds
}

}  // namespace
}  // namespace limen::study
