#include "machine/cpu_list.h"
#include "worker/knob/knob_effect.h"
#include "worker/knob/knob_setting.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace tune::worker {

KnobEffect intra_op_threads_knob();

namespace {

// The OpenMP runtime counted the CPUs when it was loaded, before cpu_affinity took effect.
int own_choice() {
  const auto cpus = static_cast<int>(machine::allowed_cpus().size());
  return std::min(at::get_num_threads(), std::max(cpus, 1));
}

void apply(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const auto threads = static_cast<int>(knob_setting<std::int64_t>(spec, "intra_op_threads"));
  at::set_num_threads(threads == 0 ? own_choice() : threads);
}

}  // namespace

KnobEffect intra_op_threads_knob() {
  return {.name = "intra_op_threads", .apply = apply};
}

}  // namespace tune::worker
