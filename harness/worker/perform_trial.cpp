#include "worker/perform_trial.h"

#include "base/monotonic_clock.h"
#include "machine/peak_memory.h"
#include "worker/core_speed.h"
#include "worker/data/loader.h"
#include "worker/disturbance_meter.h"
#include "worker/failure.h"
#include "worker/gpu_window.h"
#include "worker/knob/all_knobs.h"
#include "worker/knob/channels_last.h"
#include "worker/measured_window.h"
#include "worker/place_model.h"
#include "worker/plugin/plugin_workload.h"
#include "worker/record_profile.h"
#include "worker/recorder/recording.h"
#include "worker/running_trial.h"
#include "worker/structure_step.h"
#include "worker/training_step.h"
#include "worker/warm_up.h"
#include "worker/worker_facts.h"
#include "worker/workload/all_workloads.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tune::worker {

namespace {

std::string device_name(const CudaPlugin* gpu) {
  return gpu == nullptr ? "cpu" : "cuda:" + std::to_string(gpu->facts().device);
}

std::unique_ptr<Loader> build_loader(const trial::TrialSpec& spec,
                                     const std::optional<PluginWorkload>& plugin,
                                     CudaPlugin* gpu) {
  return plugin && spec.data.source == "plugin" ? plugin->make_loader() : make_loader(spec, gpu);
}

std::unique_ptr<Model> build_model(const trial::TrialSpec& spec,
                                   const std::optional<PluginWorkload>& plugin,
                                   const StepSettings& settings,
                                   const CudaPlugin* gpu) {
  std::unique_ptr<Model> model =
      plugin ? plugin->make_model() : make_model(spec.workload, settings.model);
  if (settings.layout == StepSettings::Layout::channels_last) {
    lay_out_channels_last(model->parameters());
    lay_out_channels_last(model->buffers());  // frozen weights among them
  }
  if (gpu != nullptr) {
    const auto index = static_cast<c10::DeviceIndex>(gpu->facts().device);
    place_model(*model, c10::Device(c10::DeviceType::CUDA, index));
  }
  return model;
}

DeviceWait wait_for(GpuWindow& gpu, StepClock& clock) {
  DeviceWait wait;
  wait.steps = gpu.wait();
  clock.charge(&trial::PhaseSums::other_ns);
  wait.waited = clock.take();
  return wait;
}

// Of a GPU the times between its events, as many as are kept: the host only launches.
void keep_steps(RunningTrial& trial) {
  for (const trial::DevicePhaseSums& step : trial.reply.device_steps) {
    trial.keep_step_ns(step.total_ns());
  }
  if (trial.reply.device_steps.empty()) {
    for (const trial::PhaseSums& step : trial.reply.step_phases) {
      trial.keep_step(step);
    }
  }
}

void measure(RunningTrial& trial) {
  DisturbanceMeter meter;
  WindowParts parts = {
      .restart_clock = [&] { return trial.step.clock().restart(); },
      .step = [&] { return trial.next_step(); },
      .samples_ahead = [&] { return trial.loader.samples_ahead(); },
      .disturbance = [&] { return meter.read(); },
      .core_probe = nullptr,
      .now_ns = monotonic_ns,
  };
  if (trial.gpu == nullptr &&
      each_thread_has_a_cpu()) {  // a GPU works on while the clock stands still
    parts.core_probe = time_slowest_core_ns;
  }
  if (!machine::restart_peak_memory()) {
    (void)std::fputs("the peak memory is that of the whole trial: it cannot be restarted here\n",
                     stderr);
  }
  std::optional<GpuWindow> gpu;
  if (trial.gpu != nullptr) {
    gpu.emplace(*trial.gpu);
    parts.wait_for_device = [&] { return wait_for(*gpu, trial.step.clock()); };
    gpu->begin();
    trial.step.set_timer(&trial.gpu->timer());
  }
  trial.phases.begin("measure");
  MeasuredWindow window;
  if (trial.spec.measure.epoch) {
    window = measure_epoch(trial.step.steps_per_epoch(), parts);
  }
  window.append(measure_window(trial.spec.measure, parts));
  trial.phases.begin("write");
  trial::TrialReply& reply = trial.reply;
  reply.peak_memory_bytes = machine::peak_memory_bytes();
  reply.slices = std::move(window.slices);
  reply.step_phases = std::move(window.steps);
  reply.stock_matched = window.stock_matched;
  reply.device_steps = std::move(window.device_steps);
  if (gpu) {
    reply.device_memory = gpu->memory();
    trial.step.set_timer(nullptr);
  }
  reply.delay_ns = window.delay_ns;
  keep_steps(trial);
}

void run_to_the_end(RunningTrial& trial, Recording* recording, const SaveReply& save) {
  warm_up(trial);
  measure(trial);
  trial::TrialReply& reply = trial.reply;
  if (reply.sentinel) {
    reply.sentinel->after_ns = time_sentinel_ns(trial);
  }
  reply.losses = trial.step.losses().all();
  reply.loader = trial.loader.report();
  if (trial.spec.measure.structure) {
    count_usual_step(trial);
  }
  reply.facts = read_worker_facts(trial.gpu);
  if (recording != nullptr) {
    reply.profile.emplace().reason = trial::kUnfinishedProfile;
    save(reply);
    trial.phases.begin("profiled");
    reply.profile = record_profile(trial, *recording);
  }
}

}  // namespace

trial::TrialReply perform_trial(const trial::TrialSpec& spec,
                                PhaseLines& phases,
                                const SaveReply& save,
                                CudaPlugin* gpu) {
  trial::TrialReply reply;
  reply.id = spec.id;
  check_workload(spec.workload);
  const StepSettings settings = apply_knobs(spec);
  reply.ignored_knobs = ignored_knobs(spec);
  std::optional<Recording> recording;  // outlives the loader's threads, which may write into it
  if (spec.profile) {
    recording.emplace(recording_options(*spec.profile));
  }
  std::optional<PluginWorkload> plugin;
  if (spec.workload.own.kind == trial::OwnModel::Kind::plugin) {
    plugin.emplace(spec, device_name(gpu));
    reply.own_knobs = plugin->knobs();
  }
  const auto loader = build_loader(spec, plugin, gpu);  // its threads load from here on
  const auto model = build_model(spec, plugin, settings, gpu);
  reply.parameters = count_parameters(*model);
  TrainingStep step(spec, settings, *model, *loader);
  reply.step_ns.reserve(kMostSteps);

  RunningTrial trial{spec, step, *loader, phases, reply, gpu};
  try {
    run_to_the_end(trial, recording ? &*recording : nullptr, save);
  } catch (...) {
    // While everything still lives: after an error of the device its destructors may throw, and
    // then nobody would say why the trial failed.
    trial::TrialReply failed;
    failed.id = spec.id;
    failed.failure = describe_failure();
    phases.begin("write");
    save(failed);
    throw;
  }
  return reply;
}

}  // namespace tune::worker
