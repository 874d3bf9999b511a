// Part of limen. SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include <gtest/gtest.h>

#include <string>

#include "io/error.h"
#include "io/files.h"
#include "io/temporary_folder.h"

namespace limen::io {
namespace {

TEST(RunFolder, GoesThroughItsStates) {
  const TemporaryFolder folder;
  const RunFolder run(folder / "cell");
  EXPECT_EQ(run.state(), RunState::planned);
  EXPECT_FALSE(run.read_end());
  write_file(run.settings(), "seed = 1\n");
  EXPECT_EQ(run.state(), RunState::started);
  run.mark_failed("failed", "no memory");
  EXPECT_EQ(run.state(), RunState::failed);
  EXPECT_EQ(run.read_end(), (Json{{"kind", "failed"}, {"reason", "no memory"}}));
  run.clear_failed();
  run.clear_failed();
  EXPECT_EQ(run.state(), RunState::started);
  run.mark_failed("diverged", "the loss became nan");
  EXPECT_EQ(run.state(), RunState::diverged);
  run.clear_failed();
  run.mark_done({{"best_iteration", 500}, {"validation_loss", 1.5}});
  EXPECT_EQ(run.state(), RunState::done);
  EXPECT_EQ(run.read_end()->at("best_iteration"), 500);
  EXPECT_EQ(name(run.state()), "done");
  run.mark_failed("failed", "too late");
  EXPECT_EQ(run.state(), RunState::done);
  EXPECT_EQ(run.read_end()->at("best_iteration"), 500) << "the state and the end are of one mark";
}

TEST(RunFolder, MetricsAreAppendedAndATornLineIsLeftOut) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  EXPECT_TRUE(run.read_metrics().empty());
  run.append_metrics({{"iteration", 1}, {"loss", 4.2}});
  run.append_metrics({{"iteration", 500}, {"loss", std::numeric_limits<double>::infinity()}});
  run.append_timing({{"seconds", 2.5}});
  EXPECT_EQ(read_file(run.metrics()), "{\"iteration\":1,\"loss\":4.2}\n{\"iteration\":500,\"loss\":\"inf\"}\n");
  ASSERT_EQ(run.read_timing().size(), 1U);

  const std::string whole = read_file(run.metrics());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(run.metrics(), whole.substr(0, size));
    const std::size_t complete = size >= 27 ? 1 : 0;
    ASSERT_EQ(run.read_metrics().size(), complete) << size;
  }
  write_file(run.metrics(), whole + "{\"iteration\": oops}\n");
  EXPECT_NE(message_of([&] { run.read_metrics(); }).find("line 3 of " + run.metrics().string()), std::string::npos);
}

TEST(RunFolder, SaysHowToGoOnFromADamagedFile) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  for (const char* const content : {"", "{\"validation_loss\":1.", "\xff\xfe"}) {
    write_file(run.path() / "DONE", content);
    const std::string message = message_of([&] { run.read_end(); });
    EXPECT_NE(message.find("breaks off or goes wrong at byte"), std::string::npos) << message;
    EXPECT_NE(message.find("remove " + run.path().string()), std::string::npos) << message;
    EXPECT_THROW(run.read_end(), SystemError);
  }
}

TEST(RunFolder, IsNotLostOverItsTimes) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  // Torn when the machine went down, then gone on with.
  write_file(run.timing(), "{\"seconds\":1}\n{\"seco");
  run.append_timing({{"seconds", 2}});
  run.append_timing({{"seconds", 3}});
  EXPECT_EQ(run.read_timing(), (std::vector<Json>{{{"seconds", 1}}, {{"seconds", 3}}}));
}

TEST(RunFolder, FailsForReasonsThatAreNotUtf8) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  run.mark_failed("failed", "no \xff here");
  EXPECT_EQ(run.state(), RunState::failed);
  EXPECT_EQ(run.read_end()->at("reason"), "no \xEF\xBF\xBD here");
}

}  // namespace
}  // namespace limen::io
