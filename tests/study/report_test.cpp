// Part of limen. SPDX-License-Identifier: MIT
#include "report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

#include "io/files.h"
#include "io/temporary_folder.h"
#include "report/render.h"
#include "report/table.h"
#include "study/small_study.h"

namespace limen::report {
namespace {

// A done cell with the given losses; its curve has three evaluations.
void write_cell(const study::Cell& cell, double loss) {
  const io::RunFolder& folder = cell.folder;
  io::write_file(folder.settings(), train::settings_to_toml(cell.settings));
  const bool learns = cell.arm == "tuelu";
  const auto learned = [&](double beta) { return learns ? io::Json{{"model.beta", beta}} : io::Json::object(); };
  for (const std::int64_t i : {1, 10, 20, 30}) {
    folder.append_metrics(
        {{"iteration", i}, {"validation_loss", loss + 3.0 / static_cast<double>(i)}, {"learned", learned(1.25)}});
    // A run that resumed just before an evaluation has no step to time.
    const io::Json step = i == 1 ? io::Json() : io::Json(0.1);
    folder.append_timing(
        {{"iteration", i}, {"seconds", 0.1 * static_cast<double>(i)}, {"step_seconds", step}, {"peak_rss_mb", 123}});
  }
  const io::Json regions = learns ? io::Json{{"closed", 0.1}, {"transition", 0.85}, {"open", 0.05}} : io::Json();
  folder.mark_done({{"best_iteration", 30},
                    {"best_validation_loss", loss},
                    {"train_loss", loss - 0.5},
                    {"validation_loss", loss},
                    {"perplexity", std::exp(loss)},
                    {"parameters", 1000},
                    {"learned", learned(0.75)},
                    {"regions", regions},
                    {"iterations", 30}});
}

// Losses of relu, gelu, tuelu for seed 1, then for seed 2.
study::Plan whole_study(const std::filesystem::path& out) {
  const study::Plan plan = study::make_plan(study::small_study(), {}, out);
  const double losses[] = {2.0, 1.5, 1.25, 2.5, 1.75, 1.5};
  for (std::size_t i = 0; i < plan.cells.size(); ++i) write_cell(plan.cells[i], losses[i]);
  study::record_plan(plan);
  return plan;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Report, TableHoldsMeansSpreadsAndPairedDifferences) {
  const io::TemporaryFolder folder;
  const Files files = write(whole_study(folder / "out"));
  const std::string table = io::read_file(files.table);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "arm,label,seeds,n,failed,diverged,parameters,validation_loss_mean,validation_loss_sd,train_loss_mean,"
            "train_loss_sd,perplexity_mean,perplexity_sd,learned_beta_mean,learned_beta_sd,closed_mean,closed_sd,"
            "transition_mean,transition_sd,open_mean,open_sd,minus_gelu_mean,interval_low,interval_high");
  const std::string deviation = io::shortest(std::sqrt(0.125));
  EXPECT_TRUE(contains(table, "\nrelu,relu,2,2,0,0,1000,2.25," + deviation + ",1.75," + deviation)) << table;
  EXPECT_TRUE(contains(table, "\ntuelu,TUELU,2,2,0,0,1000,1.375,")) << table;
  EXPECT_TRUE(contains(table, ",0.75,0,0.1,0,0.85,0,0.05,0,-0.25,-0.25,-0.25\n")) << table;
  EXPECT_TRUE(contains(io::read_file(files.cells), "\nrelu,2,done,2.5,2,12.182493960703473,30,,,,\n"));
}

TEST(Report, ThePageNeedsNothingElse) {
  const io::TemporaryFolder folder;
  const Files files = write(whole_study(folder / "out"));
  const std::string page = io::read_file(files.html);
  for (const char* expected :
       {"<title>Small &amp; quick</title>", "GELU &lt;exact&gt;", "2.2500 \u00b1 0.3536", "10.00 / 85.00 / 5.00",
        "tuelu minus gelu: -0.2500 (95 % interval -0.2500 to -0.2500, n = 2): lower", "0.750 \u00b1 0.000",
        "ms a step"})
    EXPECT_TRUE(contains(page, expected)) << expected;
  EXPECT_FALSE(contains(page, "GELU <exact>"));
  EXPECT_FALSE(contains(page, "cut-down"));
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=[\"'](?!#)"))) << "a link to something outside the page";
  EXPECT_FALSE(contains(page, "@import"));

  if (!files.note.empty()) GTEST_SKIP() << files.note;
  EXPECT_EQ(files.figures.size(), 3U);
  std::set<std::string> ids;
  const std::regex id("\\sid=[\"']([^\"']+)"), reference("href=[\"']#([^\"']+)");
  for (auto at = std::sregex_iterator(page.begin(), page.end(), id); at != std::sregex_iterator(); ++at)
    EXPECT_TRUE(ids.insert((*at)[1]).second) << (*at)[1] << " occurs twice";
  int references = 0;
  for (auto at = std::sregex_iterator(page.begin(), page.end(), reference); at != std::sregex_iterator();
       ++at, ++references)
    EXPECT_TRUE(ids.contains((*at)[1])) << (*at)[1] << " leads nowhere";
  EXPECT_GT(references, 0);
  EXPECT_TRUE(contains(io::read_file(files.figures[0]), "GELU &lt;exact"));
}

TEST(Report, EqualFoldersGiveEqualBytes) {
  const io::TemporaryFolder folder;
  const study::Plan plan = whole_study(folder / "out");
  const auto bytes = [&](const Files& files) {
    std::string all;
    for (const auto& file : {files.html, files.markdown, files.table, files.cells}) all += io::read_file(file);
    for (const auto& file : files.figures) all += io::read_file(file);
    return all;
  };
  const std::string before = bytes(write(plan));
  EXPECT_EQ(bytes(write(study::recorded_plan(folder / "out"))), before);

  // Times are no part of the table: other times, the same table.
  const std::string table = io::read_file(write(plan).table);
  plan.cells[0].folder.append_timing(
      {{"iteration", 30}, {"seconds", 99.0}, {"step_seconds", 9.0}, {"peak_rss_mb", 999}});
  EXPECT_EQ(io::read_file(write(plan).table), table);
  EXPECT_NE(bytes(write(plan)), before);
}

TEST(Report, PairsBySeedWhereOneIsMissing) {
  const io::TemporaryFolder folder;
  const study::Plan plan = whole_study(folder / "out");
  std::filesystem::remove(plan.cells[1].folder.path() / "DONE");  // gelu, seed 1
  const std::string table = terminal_table(plan);
  EXPECT_TRUE(contains(table, "relu minus gelu: 0.7500 (one seed")) << table;  // 2.5 - 1.75, both of seed 2
}

TEST(Report, ShowsWhatIsMissingFailedAndDiverged) {
  const io::TemporaryFolder folder;
  const study::Plan plan = study::make_plan(study::small_study(), {}, folder / "out");
  write_cell(plan.cells[0], 2.0);
  write_cell(plan.cells[1], 1.5);
  for (const std::size_t i : {2, 3, 4}) io::write_file(plan.cells[i].folder.settings(), "");
  plan.cells[2].folder.mark_failed("failed", "no memory <at all>");
  plan.cells[3].folder.mark_failed("diverged", "the loss is nan");
  plan.cells[4].folder.append_metrics(
      {{"iteration", 10}, {"validation_loss", io::number(std::nan(""))}, {"learned", io::Json::object()}});
  const Files files = write(plan);
  const std::string page = io::read_file(files.html), markdown = io::read_file(files.markdown);
  for (const char* expected : {"2 of 6 cells are done; 1 failed, 1 diverged, 1 running or interrupted, 1 not begun.",
                               "relu minus gelu: 0.5000 (one seed: no spread, so nothing can be said).",
                               "tuelu minus gelu: no seed is done for both.", "the loss is nan"}) {
    EXPECT_TRUE(contains(page, expected)) << expected;
    EXPECT_TRUE(contains(markdown, expected)) << expected;
  }
  EXPECT_TRUE(contains(markdown, "| TUELU | 1 | failed | 0 of 30 | no memory <at all> |"));
  EXPECT_TRUE(contains(page, "no memory &lt;at all&gt;"));
  EXPECT_TRUE(contains(markdown, "| GELU <exact> | 2 | running or interrupted | 10 of 30 |"));
  EXPECT_TRUE(contains(markdown, "| relu | 2.0000 | 1 |"));  // One seed: no spread.
  EXPECT_TRUE(contains(io::read_file(files.table), "\ntuelu,TUELU,2,0,1,0,,,"));
  EXPECT_TRUE(contains(io::read_file(files.cells), "\ntuelu,1,failed,,,,\n"));
  EXPECT_TRUE(contains(terminal_table(plan), "tuelu seed 1 failed: no memory <at all>"));
}

TEST(Report, ACutDownRunSaysSo) {
  const io::TemporaryFolder folder;
  const study::Plan plan = study::make_plan(study::small_study(),
                                            {.seeds = {2}, .arms = {"relu", "gelu"}, .iterations = 10}, folder / "out");
  study::record_plan(plan);
  const std::string notice =
      "This is a cut-down run of the study: 10 of 30 iterations (schedules made for 30); 1 of 2 seeds (2); 2 of 3 arms "
      "(relu, gelu).";
  const Files files = write(study::recorded_plan(folder / "out"));
  EXPECT_TRUE(contains(io::read_file(files.html), notice));
  EXPECT_TRUE(contains(io::read_file(files.markdown), notice));
  EXPECT_TRUE(contains(terminal_table(plan), notice));
  const study::Plan shorter = study::make_plan(study::small_study(), {.iterations = 10, .horizon = 10}, folder / "out");
  EXPECT_TRUE(
      contains(terminal_table(shorter), "10 of 30 iterations; schedules made for 10 iterations instead of 30."));
}

TEST(Report, PublishedValuesStandBesideOurs) {
  const io::TemporaryFolder folder;
  const std::string published =
      "\n[published]\nsource = \"A paper, table 5\"\nn = 5\ndivisor = \"n\"\n"
      "[published.relu]\nvalidation_loss = [2.0, 0.3]\n[published.tuelu]\nbeta = 0.7\nclosed = 0.11\n";
  const study::Study study = study::study_from_toml(study::small_study_text + published, "small.toml");
  const study::Plan plan = study::make_plan(study, {}, folder / "out");
  for (const study::Cell& cell : plan.cells) write_cell(cell, cell.seed == 1 ? 2.0 : 2.5);
  const std::string markdown = io::read_file(write(plan).markdown);
  EXPECT_TRUE(contains(markdown, "A paper, table 5 (n = 5)."));
  // Ours with both divisors: sqrt(0.125) and 0.25.
  EXPECT_TRUE(
      contains(markdown, "| relu | validation loss | 2.2500 | 0.3536 | 0.2500 | 2 | 2.0000 | 0.3000 | 0.2500 |"))
      << markdown;
  EXPECT_TRUE(contains(markdown, "| TUELU | learned width (beta) | 0.750 | 0.000 | 0.000 | 2 | 0.700 |  | 0.050 |"))
      << markdown;
  EXPECT_TRUE(contains(markdown, "| TUELU | closed, % | 10.00 | 0.00 | 0.00 | 2 | 11.00 |  | -1.00 |")) << markdown;
}

TEST(Report, WithoutGnuplotItSaysSo) {
  const io::TemporaryFolder folder;
  const study::Plan plan = whole_study(folder / "out");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const Files files = write(plan);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(contains(files.note, "gnuplot was not found"));
  EXPECT_TRUE(files.figures.empty());
  EXPECT_TRUE(contains(io::read_file(files.html), "gnuplot was not found"));
  EXPECT_TRUE(contains(io::read_file(files.markdown), "gnuplot was not found"));
}

TEST(Report, TheTerminalTableFits) {
  const io::TemporaryFolder folder;
  const study::Plan plan = whole_study(folder / "out");
  const std::string wide = terminal_table(plan, 110), narrow = terminal_table(plan, 50);
  EXPECT_TRUE(contains(wide, "relu   2.2500 +- 0.3536  2"));
  EXPECT_TRUE(contains(wide, "ms/step"));
  EXPECT_TRUE(contains(wide, "nats a character"));
  EXPECT_FALSE(contains(narrow, "ms/step"));
  for (std::size_t at = 0, end; (end = narrow.find('\n', at)) != at; at = end + 1) EXPECT_LE(end - at, 50U);
  for (std::size_t at = 0, end; (end = wide.find('\n', at)) != at; at = end + 1) EXPECT_LE(end - at, 110U);
  EXPECT_TRUE(std::ranges::all_of(wide, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST(Table, CountsCharactersAndEscapes) {
  const Table table{{{"arm", false}, {"x"}}, {{"\u03b2|<b>", "1 \u00b1 2"}, {"longer", ""}}};
  EXPECT_EQ(as_text(table, 80), "arm          x\n------  ------\n\u03b2|<b>   1 +- 2\nlonger\n");
  EXPECT_EQ(as_markdown(table), "| arm | x |\n| --- | ---: |\n| \u03b2\\|<b> | 1 \u00b1 2 |\n| longer |  |\n");
  EXPECT_TRUE(contains(as_html(table), "\u03b2|&lt;b&gt;</th>"));
}

}  // namespace
}  // namespace limen::report
