#include "base/background_thread.h"
#include "worker/knob/knob_effect.h"
#include "worker/usable_cpus.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <latch>
#include <thread>
#include <vector>

namespace tune::worker {

KnobEffect intra_op_threads_knob();

namespace {

// The OpenMP runtime counted the CPUs when it was loaded, before cpu_affinity took effect.
int own_choice(const trial::TrialSpec& spec) {
  const auto cpus = static_cast<int>(usable_cpus().size());
  const auto ranks = static_cast<int>(trial::rank_count(spec));  // they share the CPUs
  return std::min(at::get_num_threads(), std::max(cpus / ranks, 1));
}

// LibTorch hangs, or ends the program, when it cannot start a thread, so this checks beforehand
// whether the machine allows them. Throws tune::MachineError.
void expect_threads(std::int64_t count) {
  std::latch all_are_there(1);
  std::vector<std::jthread> threads;  // last: joined before the latch is destroyed
  try {
    for (std::int64_t i = 0; i < count; ++i) {
      threads.push_back(start_thread([&all_are_there] { all_are_there.wait(); }));
    }
  } catch (...) {
    all_are_there.count_down();
    throw;
  }
  all_are_there.count_down();
}

void apply_intra_op_threads(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  constexpr std::int64_t kOurOwn = 4;  // threads that watch, copy and meter
  const auto wanted = static_cast<int>(knob_setting<std::int64_t>(spec, "intra_op_threads"));
  const int threads = wanted == 0 ? own_choice(spec) : wanted;
  expect_threads(threads + knob_setting<std::int64_t>(spec, "num_workers") + kOurOwn);
  at::set_num_threads(threads);
}

}  // namespace

KnobEffect intra_op_threads_knob() {
  return {.name = "intra_op_threads", .apply = apply_intra_op_threads};
}

}  // namespace tune::worker
