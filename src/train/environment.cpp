// Part of limen. SPDX-License-Identifier: MIT
#include "train/environment.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <torch/version.h>

#include <fstream>
#include <string>
#include <thread>

#include "limen/kernels.h"
#include "train/commit.h"

namespace limen::train {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string system_name() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

}  // namespace

io::Json environment() {
  return {{"limen", commit_info().version},   {"commit", commit_info().commit},
          {"libtorch", TORCH_VERSION},        {"libtorch_cpu", at::get_cpu_capability()},
          {"compiler", __VERSION__},          {"system", system_name()},
          {"processor", processor()},         {"cores", std::thread::hardware_concurrency()},
          {"threads", at::get_num_threads()}, {"isa", kernels::name(kernels::active_isa())}};
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

}  // namespace limen::train
