#include "worker/measured_window.h"

#include "trial/trial_reply.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

namespace tune::worker {

namespace {

constexpr double kStockTolerance = 0.01;  // of the window's samples
// While the cores are probed, the training pauses but the loader does not: at most 1 % of the time,
// even when other processes slow the probes down.
constexpr std::int64_t kPausePerLook = 100;

struct Extent {
  std::int64_t samples = 0, wall_ns = 0;
};

enum class Ending { stock_agrees, as_asked };

// The speed of the cores during one slice.
class CoreWatch {
 public:
  // `known_ns`: the fastest probe of earlier processes; 0: unknown.
  CoreWatch(const WindowParts& parts, std::int64_t known_ns) : parts_(parts) {
    if (known_ns > 0) {
      fastest_ns_ = known_ns;
    }
    look();
  }

  // Call between two steps. The clock of the next step starts afterwards.
  void look_when_due() {
    if (parts_.core_probe && parts_.now_ns() - last_ns_ >= pause_ns_) {
      look();
      parts_.restart_clock();
    }
  }

  std::optional<std::int64_t> mean_ns() const {
    return looks_ > 0 ? std::optional(sum_ns_ / looks_) : std::nullopt;
  }

  std::optional<std::int64_t> fastest_ns() const {
    return looks_ > 0 ? std::optional(fastest_ns_) : std::nullopt;
  }

 private:
  void look() {
    if (parts_.core_probe) {
      const std::int64_t begin_ns = parts_.now_ns();
      const std::int64_t ns = parts_.core_probe();
      sum_ns_ += ns;
      fastest_ns_ = std::min(fastest_ns_, ns);
      ++looks_;
      last_ns_ = parts_.now_ns();
      pause_ns_ = std::max(kCoreProbeNs, kPausePerLook * (last_ns_ - begin_ns));
    }
  }

  const WindowParts& parts_;
  std::int64_t sum_ns_ = 0, looks_ = 0, last_ns_ = 0, pause_ns_ = kCoreProbeNs;
  std::int64_t fastest_ns_ = std::numeric_limits<std::int64_t>::max();
};

class Window {
 public:
  Window(const trial::Measure& measure, const WindowParts& parts, Ending ending)
      : measure_(measure), parts_(parts), ending_(ending) {
    found_.slices.reserve(static_cast<std::size_t>(measure.slices));
    found_.steps.reserve(kMostSteps);  // no copying during the measurement
    if (parts.wait_for_device) {
      found_.device_steps.reserve(trial::kMostDeviceSteps);
    }
  }

  MeasuredWindow run() {
    parts_.disturbance();  // starts counting
    while (!is_over_) {
      run_slice();
    }
    return std::move(found_);
  }

 private:
  void run_slice() {
    trial::Slice slice;
    slice.stock_before = parts_.samples_ahead();
    CoreWatch cores(parts_, measure_.fastest_core_probe_ns);
    slice.start_ns = parts_.restart_clock();
    while (slice.steps < measure_.slice_steps || slice.wall_ns < measure_.slice_ns) {
      run_step(slice);
      cores.look_when_due();
    }
    end_steps(slice);
    slice.disturbance.core_probe_ns = cores.mean_ns();
    slice.disturbance.fastest_core_probe_ns = cores.fastest_ns();
    found_.slices.push_back(slice);
    is_over_ = enough_slices();
    finish(found_.slices.back());
  }

  // The slice just added is the last one.
  bool enough_slices() const {
    const auto made = static_cast<std::int64_t>(found_.slices.size());
    if (made >= measure_.slices + measure_.spare_slices) {
      return true;
    }
    const auto fastest_ns = trial::fastest_core_ns(found_.slices);
    return measure_.slices <=
           std::count_if(
               found_.slices.begin(), found_.slices.end(), [&](const trial::Slice& slice) {
                 return trial::core_ratio(slice, fastest_ns) <= trial::kMostCoreRatio;
               });
  }

  void finish(trial::Slice& slice) {
    if (is_over_ && ending_ == Ending::stock_agrees) {
      match_stock(slice);
    } else if (is_over_) {
      found_.stock_matched = matches(slice);
    }
    const trial::Disturbance cores = slice.disturbance;
    slice.disturbance = parts_.disturbance();
    slice.disturbance.core_probe_ns = cores.core_probe_ns;
    slice.disturbance.fastest_core_probe_ns = cores.fastest_core_probe_ns;
    all_.samples += slice.samples;
    all_.wall_ns += slice.wall_ns;
  }

  void run_step(trial::Slice& slice) {
    const StepRecord step = parts_.step();
    slice.phases += step.phases;
    slice.wall_ns += step.phases.total_ns();
    slice.steps += 1;
    slice.samples += step.samples;
    slice.epochs_begun += step.begins_epoch ? 1 : 0;
    found_.delay_ns += step.delay_ns;
    if (found_.steps.size() < kMostSteps) {
      found_.steps.push_back(step.phases);
    }
  }

  void end_steps(trial::Slice& slice) {
    if (parts_.wait_for_device) {
      wait_for_device(slice);
    }
    slice.stock_after = parts_.samples_ahead();
  }

  void wait_for_device(trial::Slice& slice) {
    const DeviceWait wait = parts_.wait_for_device();
    slice.phases += wait.waited;
    slice.wall_ns += wait.waited.total_ns();
    trial::DevicePhaseSums sums = slice.device.value_or(trial::DevicePhaseSums());
    for (const trial::DevicePhaseSums& step : wait.steps) {
      sums += step;
      if (found_.device_steps.size() < trial::kMostDeviceSteps) {
        found_.device_steps.push_back(step);
      }
    }
    slice.device = sums;
  }

  // With a GPU the host uses the stock that it sees while it launches, and synchronises once for
  // all steps; the loader continues meanwhile, so it checks again.
  void match_stock(trial::Slice& slice) {
    const Extent most = {2 * (all_.samples + slice.samples), 2 * (all_.wall_ns + slice.wall_ns)};
    const auto has_room = [&] {
      return all_.samples + slice.samples < most.samples &&
             all_.wall_ns + slice.wall_ns < most.wall_ns;
    };
    while (!matches(slice) && has_room()) {
      while (!matches(slice) && has_room()) {
        run_step(slice);
        slice.stock_after = parts_.samples_ahead();
      }
      end_steps(slice);
    }
    found_.stock_matched = matches(slice);
  }

  bool matches(const trial::Slice& slice) const {
    const std::int64_t before = found_.slices.front().stock_before;
    const auto samples = static_cast<double>(all_.samples + slice.samples);
    return static_cast<double>(std::abs(slice.stock_after - before)) <= kStockTolerance * samples;
  }

  const trial::Measure& measure_;
  const WindowParts& parts_;
  const Ending ending_;
  MeasuredWindow found_;
  Extent all_;  // of the finished slices
  bool is_over_ = false;
};

}  // namespace

void MeasuredWindow::append(MeasuredWindow next) {
  slices.insert(slices.end(), next.slices.begin(), next.slices.end());
  const std::size_t room = kMostSteps - std::min(kMostSteps, steps.size());
  const auto kept = static_cast<std::ptrdiff_t>(std::min(room, next.steps.size()));
  steps.insert(steps.end(), next.steps.begin(), next.steps.begin() + kept);
  device_steps.insert(device_steps.end(), next.device_steps.begin(), next.device_steps.end());
  device_steps.resize(std::min(device_steps.size(), trial::kMostDeviceSteps));
  stock_matched = next.stock_matched;
  delay_ns += next.delay_ns;
}

MeasuredWindow measure_window(const trial::Measure& measure, const WindowParts& parts) {
  return Window(measure, parts, Ending::stock_agrees).run();
}

MeasuredWindow measure_epoch(std::int64_t steps, const WindowParts& parts) {
  trial::Measure measure;
  measure.slices = 1;
  measure.slice_ns = 0;
  measure.slice_steps = steps;
  return Window(measure, parts, Ending::as_asked).run();
}

}  // namespace tune::worker
