// Part of limen. SPDX-License-Identifier: MIT
//
// A worker that trains nothing: it writes the files of a run as the real one does, with losses that depend on the arm,
// the seed and the iteration alone. Behaviour by the environment: FAKE_STEP_MS, and FAKE_FAIL, FAKE_DIVERGE,
// FAKE_SIGNAL, FAKE_MUTE (each an activation).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "io/files.h"
#include "io/run_folder.h"

namespace {

namespace fs = std::filesystem;
using limen::io::Json;

volatile std::sig_atomic_t stop_asked = 0;

std::string setting(const std::string& toml, const std::string& key) {
  const std::size_t at = toml.find("\n" + key + " = ") + key.size() + 4;
  std::string value = toml.substr(at, toml.find('\n', at) - at);
  std::erase(value, '"');
  return value;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// In [-1, 1], from any text.
double noise(const std::string& text) {
  return static_cast<double>(std::stoull(limen::io::sha256(text).substr(0, 8), nullptr, 16)) / 2147483648.0 - 1.0;
}

class FakeRun {
 public:
  explicit FakeRun(const fs::path& path) : folder_(path), toml_(limen::io::read_file(folder_.settings())) {
    activation_ = setting(toml_, "name");  // The first one: settings.toml begins with [activation].
    seed_ = setting(toml_, "seed");
    iterations_ = std::stoll(setting(toml_, "iterations"));
    every_ = std::stoll(setting(toml_, "evaluate_every"));
  }

  int run() {
    const limen::io::FolderLock lock(folder_.path());
    if (folder_.state() == limen::io::RunState::done) return 3;  // Nothing finished may be run again.
    limen::io::append_line(folder_.path() / "starts", activation_);
    resume();
    if (activation_ == environment("FAKE_SIGNAL")) std::raise(SIGKILL);
    if (activation_ == environment("FAKE_FAIL")) return failed("failed", "no such data");
    if (activation_ == environment("FAKE_DIVERGE")) return failed("diverged", "the loss is nan at iteration 3");
    if (activation_ == environment("FAKE_MUTE")) return std::fputs("what went wrong\n", stderr), 1;
    const std::string step = environment("FAKE_STEP_MS");
    for (std::int64_t i = done_ + 1; i <= iterations_; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(step.empty() ? 0 : std::stoi(step)));
      if (i == 1 || i % every_ == 0 || i == iterations_) evaluate(i);
      if (stop_asked) return 0;
    }
    finish();
    return 0;
  }

 private:
  int failed(const char* kind, const char* reason) const {
    folder_.mark_failed(kind, reason);
    return 1;
  }

  void resume() {
    std::ofstream(folder_.metrics(), std::ios::app) << "{\"torn";  // A line that was being written when a process died.
    if (!fs::exists(folder_.checkpoint())) return limen::io::truncate_file(folder_.metrics(), 0);
    const Json state = Json::parse(limen::io::read_file(folder_.checkpoint() / "state.json"));
    done_ = state["iteration"];
    limen::io::truncate_file(folder_.metrics(), state["metrics_bytes"].get<std::uintmax_t>());
  }

  double loss(std::int64_t i) const {
    const double level = 1.55 + 0.05 * noise(activation_) + 0.02 * noise(seed_) + 0.005 * noise(activation_ + seed_);
    const double fall = 2.6 * std::exp(-12.0 * static_cast<double>(i) / static_cast<double>(iterations_));
    return level + fall + 0.003 * noise(activation_ + seed_ + std::to_string(i)) + 0.5 * fall / (1 + fall);
  }

  Json learned(std::int64_t i) const {
    if (activation_ != "tuelu") return Json::object();
    const double share = static_cast<double>(i) / static_cast<double>(iterations_);
    return {{"model.beta", 1.25 - 0.55 * share * (2 - share) + 0.01 * noise(seed_) * share}};
  }

  void evaluate(std::int64_t i) {
    folder_.append_metrics(
        {{"iteration", i}, {"train_loss", loss(i) - 0.1}, {"validation_loss", loss(i)}, {"learned", learned(i)}});
    const double seconds = 0.05 * static_cast<double>(i);
    folder_.append_timing({{"iteration", i},
                           {"seconds", seconds},
                           {"step_seconds", 0.045 + 0.002 * noise(activation_)},
                           {"peak_rss_mb", 700 + 20 * noise(activation_)}});
    limen::io::write_file(folder_.checkpoint() / "state.json",
                          Json{{"iteration", i}, {"metrics_bytes", fs::file_size(folder_.metrics())}}.dump());
  }

  void finish() const {
    const double end = loss(iterations_);
    Json regions = nullptr;
    if (activation_.find("uelu") != std::string::npos)
      regions = {{"closed", 0.05 + 0.01 * noise(seed_)}, {"transition", 0.94}, {"open", 0.01 - 0.01 * noise(seed_)}};
    folder_.mark_done({{"best_iteration", iterations_},
                       {"best_validation_loss", end},
                       {"train_loss", end - 0.1},
                       {"validation_loss", end},
                       {"perplexity", std::exp(end)},
                       {"parameters", 818048},
                       {"learned", learned(iterations_)},
                       {"regions", regions},
                       {"iterations", iterations_}});
  }

  limen::io::RunFolder folder_;
  std::string toml_, activation_, seed_;
  std::int64_t iterations_ = 0, every_ = 0, done_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGTERM, [](int) { stop_asked = 1; });
  if (count != 5 || std::string(arguments[1]) != "--run" || std::string(arguments[3]) != "--threads") return 2;
  return FakeRun(arguments[2]).run();
}
