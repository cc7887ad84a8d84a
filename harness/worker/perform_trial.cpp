#include "worker/perform_trial.h"

#include "base/clock.h"
#include "machine/memory.h"
#include "worker/core_speed.h"
#include "worker/data/loader.h"
#include "worker/describe.h"
#include "worker/disturbance_meter.h"
#include "worker/failure.h"
#include "worker/gpu_window.h"
#include "worker/knob/all_knobs.h"
#include "worker/knob/channels_last.h"
#include "worker/measured_window.h"
#include "worker/plugin/plugin_workload.h"
#include "worker/rank_window.h"
#include "worker/record_profile.h"
#include "worker/recorder/recording.h"
#include "worker/running_trial.h"
#include "worker/structure_count.h"
#include "worker/training_step.h"
#include "worker/warm_up.h"
#include "worker/workload/all_workloads.h"
#include "worker/workload/model.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/Device.h>

#include <bit>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

// Moves the model's tensors to the device, as `model.to(device)` does; strides stay. Call it before
// an optimizer has created state for the parameters.
void place_model(const Model& model, c10::Device device) {
  const at::NoGradGuard no_grad;
  for (const auto& tensors : {model.parameters(), model.buffers()}) {
    for (const at::Tensor& tensor : tensors) {
      tensor.set_data(tensor.to(tensor.options().device(device)));
    }
  }
}

bool happens_at(std::int64_t step, std::int64_t every) {
  return every > 1 && step % every == 0;  // work of every step is usual
}

bool is_next_usual(const RunningTrial& trial) {
  const std::int64_t last = trial.step.steps_per_epoch() - 1;
  const std::int64_t index = trial.index_in_epoch();
  const bool is_inside = last < 2 ? index == 0 : index > 0 && index < last;
  const std::int64_t number = trial.step.steps() + 1;
  const auto keeps_loss = [](std::int64_t step) {
    return std::has_single_bit(static_cast<std::uint64_t>(step));
  };
  // The loss that one step keeps is not freed in the next.
  return is_inside && !keeps_loss(number) && !keeps_loss(number - 1) &&
         !happens_at(number, trial.spec.workload.log_every) &&
         !happens_at(number, trial.spec.workload.checkpoint_every);
}

// Counts one more step, which is in no list of the reply: an ordinary one that does not begin or
// end an epoch, writes nothing and records no loss. If the next step is not ordinary, steps are run
// until one is. So two trials of one spec count the same, however long they took.
void count_usual_step(RunningTrial& trial) {
  constexpr int kMostOthers = 64;  // only odd pairs of intervals need more than a few
  for (int i = 0; i < kMostOthers && !is_next_usual(trial); ++i) {
    trial.next_step();
  }
  const auto step = [&trial] {
    trial.step.fetch();
    trial.step.compute();
  };
  const std::int64_t threads = trial.reply.structure ? trial.reply.structure->threads : 0;
  trial.reply.structure = count_structure(step);
  trial.reply.structure->batch_bytes = trial.step.batch_bytes();
  trial.reply.structure->threads = threads;
}

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
    lay_out_channels_last(model->buffers());  // including frozen weights
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

// With a GPU, the times between its events, as many as are kept: the host only launches.
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
  DisturbanceMeter meter(trial.spec.measure.instructions,
                         trial.group == nullptr ? std::vector<int>() : trial.group->companions);
  WindowParts parts = {
      .restart_clock = [&] { return trial.step.clock().restart(); },
      .step = [&] { return trial.next_step(); },
      .samples_ahead = [&] { return trial.loader.samples_ahead(); },
      .disturbance = [&] { return meter.read(); },
      .core_probe = nullptr,
      .now_ns = monotonic_ns,
  };
  if (trial.gpu == nullptr && each_thread_has_a_cpu(trial::rank_count(
                                  trial.spec))) {  // a GPU continues while the clock is stopped
    parts.core_probe = time_slowest_core_ns;
  }
  if (!machine::restart_peak_memory()) {
    (void)std::fputs("the peak memory is that of the whole trial: it cannot be reset here\n",
                     stderr);
  }
  std::optional<GpuWindow> gpu;
  if (trial.gpu != nullptr) {
    gpu.emplace(*trial.gpu);
    parts.wait_for_device = [&] { return wait_for(*gpu, trial.step.clock()); };
    gpu->begin();
    trial.step.set_timer(&trial.gpu->timer());
  }
  begin_rank_window(trial);
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
  end_rank_window(trial, gpu ? &*gpu : nullptr);
}

void run_to_the_end(RunningTrial& trial,
                    Recording* recording,
                    const SaveReply& save,
                    RankProcesses* others) {
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
  end_ranks(trial, others);
}

// The page of the trial's processes: rank 0 has made it, the others open it.
std::unique_ptr<RankGroup> make_group(const trial::TrialSpec& spec,
                                      std::optional<RankPage>& opened,
                                      RankProcesses* others,
                                      const Model& model,
                                      CudaPlugin* gpu) {
  const std::int64_t ranks = trial::rank_count(spec);
  if (ranks == 1) {
    return nullptr;
  }
  if (others == nullptr) {
    opened.emplace(RankPage::open(std::filesystem::path(spec.folder).parent_path(), ranks));
  }
  auto group =
      std::make_unique<RankGroup>(spec, others == nullptr ? *opened : others->page(), model, gpu);
  if (others != nullptr) {
    group->companions = others->ids();
  }
  return group;
}

}  // namespace

trial::TrialReply perform_trial(const trial::TrialSpec& spec,
                                PhaseLines& phases,
                                const SaveReply& save,
                                CudaPlugin* gpu,
                                RankProcesses* others) {
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
  const auto loader = build_loader(spec, plugin, gpu);  // its threads start loading here
  const auto model = build_model(spec, plugin, settings, gpu);
  reply.parameters = count_parameters(*model);
  TrainingStep step(spec, settings, *model, *loader);
  if (gpu != nullptr && settings.step_graph == StepSettings::StepGraph::replayed) {
    step.capture_on(gpu->graph());
  }
  reply.step_ns.reserve(kMostSteps);
  std::optional<RankPage> page;
  const auto group = make_group(spec, page, others, *model, gpu);
  step.set_average(group == nullptr ? nullptr : &group->average);

  RunningTrial trial{spec, step, *loader, phases, reply, gpu, group.get()};
  try {
    if (spec.rank > 0) {
      train_along(trial);
      return reply;
    }
    run_to_the_end(trial, recording ? &*recording : nullptr, save, others);
  } catch (...) {
    // While everything is still alive: after an error of the device destructors may throw, and then
    // the reason of the failure would be lost.
    trial::TrialReply failed;
    failed.id = spec.id;
    failed.failure = failure_of_trial(others);
    phases.begin("write");
    save(failed);
    throw;
  }
  return reply;
}

}  // namespace tune::worker
