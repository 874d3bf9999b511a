// Part of limen. SPDX-License-Identifier: MIT
#include "train/train.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <new>
#include <string>

#include "blocks/loss.h"
#include "io/error.h"
#include "io/files.h"
#include "io/safetensors.h"
#include "limen/error.h"
#include "train/batches.h"
#include "train/checkpoint.h"
#include "train/environment.h"
#include "train/evaluate.h"
#include "train/measures.h"
#include "train/optimizer.h"
#include "train/regions.h"
#include "train/schedule.h"
#include "train/weights.h"

namespace limen::train {
namespace {

// A loss or a gradient is no longer finite; the text is the reason.
class Diverged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// One run, from wherever its folder stands to its end.
class Run {
 public:
  Run(const io::RunFolder& folder, const TrainOptions& options, const Settings& settings, const Batches& batches)
      : folder_(folder),
        options_(options),
        settings_(settings),
        batches_(batches),
        model_(build_model(settings, batches.classes())),
        optimizer_(trained_parameters(*model_, settings.train.decay), settings.train.weight_decay) {}

  Outcome go() {
    begin();
    while (state_.evaluation_due || state_.iteration < settings_.train.iterations) {
      if (state_.evaluation_due ? !evaluate() : stopped()) return interrupted();
      if (state_.iteration < settings_.train.iterations) step();
    }
    return finish();
  }

 private:
  bool stopped() const { return options_.stop && options_.stop->load(); }

  Outcome interrupted() {
    save_checkpoint(folder_, *model_, optimizer_, state_);
    return Outcome::interrupted;
  }

  void begin() {
    io::Json about = environment(), decayed = io::Json::array(), kept = io::Json::array();
    for (const TrainedParameter& parameter : optimizer_.parameters())
      (parameter.decays ? decayed : kept).push_back(parameter.name);
    about["decayed"] = decayed;
    about["not_decayed"] = kept;
    about["parameters"] = parameter_count();
    io::write_file(folder_.environment(), about.dump(1) + "\n");
    load_checkpoint(folder_, *model_, optimizer_, state_);
    io::truncate_file(folder_.metrics(), state_.metrics_bytes);
  }

  void step() {
    const Stopwatch watch;
    const std::int64_t i = ++state_.iteration;
    set_schedules(progress(settings_.horizon(), i));
    const Batch batch = batches_.draw(Split::train, math::Purpose::train_batches, i);
    const blocks::Context context{
        .seed = settings_.seed, .step = static_cast<std::uint32_t>(i), .training = true, .observe = nullptr};
    const at::Tensor loss = blocks::cross_entropy(model_->forward(batch.inputs, context), batch.targets);
    const double loss_value = loss.item<double>();
    expect_finite(loss_value, "loss");
    for (const TrainedParameter& parameter : optimizer_.parameters()) parameter.value.mutable_grad().reset();
    loss.backward();
    const double norm = gradient_norm(optimizer_.parameters());
    expect_finite(norm, "gradient norm");
    optimizer_.step(rate(), clip_factor(norm, settings_.train.clip));
    state_.evaluation_due = i == 1 || i % settings_.train.evaluate_every == 0 || i == settings_.train.iterations;
    report(loss_value, watch.seconds());
  }

  double rate() const { return learning_rate(settings_.train, settings_.horizon(), state_.iteration); }

  void expect_finite(double value, const std::string& what) const {
    if (std::isfinite(value)) return;
    throw Diverged("iteration " + std::to_string(state_.iteration) + ": expected a finite " + what + ", got " +
                   io::shortest(value) + " (learning rate " + io::shortest(rate()) +
                   "); try a smaller learning rate or a longer warmup");
  }

  void set_schedules(double at) {
    for (const auto& entry : settings_.activation.schedule)
      for (models::Site site : model_->sites())
        site.activation->set(entry.first, scheduled(settings_.activation, entry.first, at));
  }

  void report(double loss, double seconds) {
    // A mean over about the last 20 steps.
    seconds_per_step_ = seconds_per_step_ > 0 ? seconds_per_step_ + (seconds - seconds_per_step_) / 20 : seconds;
    steps_timed_ += 1;
    seconds_timed_ += seconds;
    if (!options_.on_progress || (reported_ && since_report_.seconds() < 1)) return;
    reported_ = true;
    since_report_ = Stopwatch();
    options_.on_progress({state_.iteration, settings_.train.iterations, loss, seconds_per_step_});
  }

  // False when it was stopped; then nothing was written.
  bool evaluate() {
    const auto losses = estimate_losses(*model_, batches_, settings_.train.evaluate_batches,
                                        math::Purpose::evaluation_batches, state_.iteration, [&] { return stopped(); });
    if (!losses) return false;
    expect_finite(losses->train, "training loss in the evaluation");
    expect_finite(losses->validation, "validation loss");
    folder_.append_metrics({{"iteration", state_.iteration},
                            {"train_loss", losses->train},
                            {"validation_loss", losses->validation},
                            {"learning_rate", rate()},
                            {"learned", learned()},
                            {"scheduled", scheduled_values()}});
    state_.metrics_bytes = std::filesystem::file_size(folder_.metrics());
    state_.evaluation_due = false;
    if (losses->validation < state_.best_validation_loss) {
      state_.best_validation_loss = losses->validation;
      state_.best_iteration = state_.iteration;
      write_best();
    }
    save_checkpoint(folder_, *model_, optimizer_, state_);
    append_timing();
    return true;
  }

  void append_timing() {
    io::Json row = {{"iteration", state_.iteration}, {"seconds", since_begin_.seconds()}};
    row["step_seconds"] = steps_timed_ > 0 ? io::Json(seconds_timed_ / steps_timed_) : io::Json(nullptr);
    row["peak_rss_mb"] = peak_rss_mb();
    folder_.append_timing(row);
    steps_timed_ = seconds_timed_ = 0;
  }

  // The file says which function and which model its weights belong to.
  void write_best() {
    io::write_safetensors(folder_.best(), {tensors_of(*model_),
                                           {{"format", "pt"},
                                            {"iteration", std::to_string(state_.iteration)},
                                            {"settings", settings_to_toml(settings_)}}});
  }

  std::int64_t parameter_count() const {
    std::int64_t count = 0;
    for (const TrainedParameter& parameter : optimizer_.parameters()) count += parameter.value.numel();
    return count;
  }

  io::Json learned() const {
    io::Json values = io::Json::object();
    for (const models::Site& site : model_->sites()) {
      const std::string owner = model_->shares_activation() ? "model" : site.name;
      for (const std::string& parameter : site.activation->options().learned)
        values[owner + "." + parameter] = site.activation->value(parameter).item<double>();
    }
    return values;
  }

  io::Json scheduled_values() const {
    io::Json values = io::Json::object();
    for (const auto& entry : settings_.activation.schedule)
      values[entry.first] = model_->sites().front().activation->value(entry.first).item<double>();
    return values;
  }

  Outcome finish() {
    copy_tensors(io::read_safetensors(folder_.best()).tensors, tensors_of(*model_), folder_.best().string());
    const auto losses = estimate_losses(*model_, batches_, settings_.train.evaluate_batches,
                                        math::Purpose::final_evaluation, 0, [&] { return stopped(); });
    if (!losses) return Outcome::interrupted;  // The checkpoint of the last iteration is there.
    io::Json done = {{"best_iteration", state_.best_iteration}, {"best_validation_loss", state_.best_validation_loss}};
    for (const Measure& measure : measures)
      if (!measure.is_region()) done[std::string(measure.key)] = measure.of(*losses);
    done["parameters"] = parameter_count();
    done["learned"] = learned();
    done["scheduled"] = scheduled_values();
    done["regions"] = regions(*model_, batches_);
    done["iterations"] = settings_.train.iterations;
    folder_.mark_done(done);
    return Outcome::done;
  }

  const io::RunFolder& folder_;
  const TrainOptions& options_;
  const Settings& settings_;
  const Batches& batches_;
  std::shared_ptr<models::Model> model_;
  AdamW optimizer_;
  State state_;
  Stopwatch since_begin_, since_report_;
  bool reported_ = false;
  double seconds_per_step_ = 0;
  double steps_timed_ = 0, seconds_timed_ = 0;  // since the latest evaluation
};

Settings read_settings(const io::RunFolder& folder) {
  const std::string where = folder.settings().string();
  const Settings settings = settings_from_toml(io::read_file(where), where);
  check(settings);
  return settings;
}

// What someone else's exception says, in one line.
std::string sentence(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "the memory does not suffice; a smaller model or batch may help";
  const auto* const of_torch = dynamic_cast<const c10::Error*>(&error);  // Its what() goes on with the stack.
  const std::string text = of_torch != nullptr ? of_torch->what_without_backtrace() : error.what();
  return text.substr(0, text.find('\n'));
}

Outcome run(const io::RunFolder& folder, const TrainOptions& options, const Settings& settings,
            const data::CharCorpus& corpus) {
  check_machine();
  const Batches batches(corpus, settings.seed, settings.train.batch, settings.model.context);
  if (options.threads > 0) at::set_num_threads(options.threads);
  try {
    return Run(folder, options, settings, batches).go();
  } catch (const Diverged& diverged) {
    folder.mark_failed("diverged", diverged.what());
    return Outcome::diverged;
  } catch (const Error& error) {
    folder.mark_failed("failed", error.what());
    throw;
  } catch (const std::exception& error) {
    const std::string reason = sentence(error);
    folder.mark_failed("failed", reason);
    throw io::SystemError(reason);
  }
}

}  // namespace

Outcome run(const io::RunFolder& folder, const TrainOptions& options) {
  const Settings settings = read_settings(folder);
  return run(folder, options, settings, data::load_char_corpus(settings.data.name, settings.data.train_fraction));
}

Outcome run(const io::RunFolder& folder, const TrainOptions& options, const data::CharCorpus& corpus) {
  return run(folder, options, read_settings(folder), corpus);
}

}  // namespace limen::train
