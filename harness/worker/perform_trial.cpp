#include "worker/perform_trial.h"

#include "machine/peak_memory.h"
#include "worker/data/loader.h"
#include "worker/disturbance_meter.h"
#include "worker/knob/all_knobs.h"
#include "worker/knob/channels_last.h"
#include "worker/measured_window.h"
#include "worker/training_step.h"
#include "worker/worker_facts.h"
#include "worker/workload/all_workloads.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace tune::worker {

namespace {

void keep_step(trial::TrialReply& reply, const trial::PhaseSums& phases) {
  if (reply.step_ns.size() < kMostSteps) {
    reply.step_ns.push_back(phases.total_ns());
  }
}

std::unique_ptr<Model> build_model(const trial::TrialSpec& spec, const StepSettings& settings) {
  std::unique_ptr<Model> model = make_model(spec.workload);
  if (settings.layout == StepSettings::Layout::channels_last) {
    lay_out_channels_last(model->parameters());
  }
  return model;
}

// The first step is always one of the warm-up, which lasts as long as the spec says and at least
// this one step.
void warm_up(const trial::Measure& measure,
             TrainingStep& step,
             PhaseLines& phases,
             trial::TrialReply& reply) {
  step.fetch();
  phases.begin("first-batch");
  const std::int64_t start_ns = monotonic_ns();
  keep_step(reply, step.compute().phases);
  phases.begin("warmup");
  while (step.steps() < measure.warmup_steps || monotonic_ns() - start_ns < measure.warmup_ns) {
    step.fetch();
    keep_step(reply, step.compute().phases);
  }
  reply.warmup_steps = step.steps();
}

void measure(const trial::TrialSpec& spec,
             TrainingStep& step,
             Loader& loader,
             PhaseLines& phases,
             trial::TrialReply& reply) {
  DisturbanceMeter meter;
  const WindowParts parts = {
      .restart_clock = [&] { return step.clock().restart(); },
      .step =
          [&] {
            step.fetch();
            return step.compute();
          },
      .ready_batches = [&] { return loader.ready_batches(); },
      .disturbance = [&] { return meter.read(); },
  };
  if (!machine::restart_peak_memory()) {
    (void)std::fputs("the peak memory is that of the whole trial: it cannot be restarted here\n",
                     stderr);
  }
  phases.begin("measure");
  MeasuredWindow window = measure_window(spec.measure, parts);
  phases.begin("write");
  reply.peak_memory_bytes = machine::peak_memory_bytes();
  reply.slices = std::move(window.slices);
  reply.step_phases = std::move(window.steps);
  reply.stock_matched = window.stock_matched;
  for (const trial::PhaseSums& phases_of_step : reply.step_phases) {
    keep_step(reply, phases_of_step);
  }
}

}  // namespace

trial::TrialReply perform_trial(const trial::TrialSpec& spec, PhaseLines& phases) {
  trial::TrialReply reply;
  reply.id = spec.id;
  check_workload(spec.workload);
  const StepSettings settings = apply_knobs(spec);
  reply.ignored_knobs = ignored_knobs(spec);
  const std::unique_ptr<Loader> loader = make_loader(spec);  // its threads load from here on
  const std::unique_ptr<Model> model = build_model(spec, settings);
  reply.parameters = count_parameters(*model);
  TrainingStep step(spec, settings, *model, *loader);
  reply.step_ns.reserve(kMostSteps);

  warm_up(spec.measure, step, phases, reply);
  measure(spec, step, *loader, phases, reply);

  reply.losses = step.losses().all();
  reply.loader = loader->report();
  reply.facts = read_worker_facts();
  return reply;
}

}  // namespace tune::worker
