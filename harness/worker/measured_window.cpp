#include "worker/measured_window.h"

#include <algorithm>
#include <cstdlib>

namespace tune::worker {

namespace {

constexpr double kStockTolerance = 0.01;  // of the window's samples

struct Extent {
  std::int64_t samples = 0, wall_ns = 0;
};

enum class Ending { stock_agrees, as_asked };

class Window {
 public:
  Window(const trial::Measure& measure, const WindowParts& parts, Ending ending)
      : measure_(measure), parts_(parts), ending_(ending) {
    found_.slices.reserve(static_cast<std::size_t>(measure.slices));
    found_.steps.reserve(kMostSteps);  // no copying while time is measured
    if (parts.wait_for_device) {
      found_.device_steps.reserve(trial::kMostDeviceSteps);
    }
  }

  MeasuredWindow run() {
    parts_.disturbance();  // begins to count
    for (std::int64_t i = 0; i < measure_.slices; ++i) {
      run_slice(i + 1 == measure_.slices);
    }
    return std::move(found_);
  }

 private:
  void run_slice(bool is_last) {
    trial::Slice slice;
    slice.stock_before = parts_.samples_ahead();
    slice.start_ns = parts_.restart_clock();
    while (slice.steps < measure_.slice_steps || slice.wall_ns < measure_.slice_ns) {
      run_step(slice);
    }
    end_steps(slice);
    if (is_last && ending_ == Ending::stock_agrees) {
      match_stock(slice);
    } else if (is_last) {
      found_.stock_matched = matches(slice);
    }
    slice.disturbance = parts_.disturbance();
    all_.samples += slice.samples;
    all_.wall_ns += slice.wall_ns;
    found_.slices.push_back(slice);
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

  void match_stock(trial::Slice& slice) {
    const std::int64_t longest_ns = 2 * (all_.wall_ns + slice.wall_ns);
    while (!matches(slice)) {
      if (all_.wall_ns + slice.wall_ns >= longest_ns) {
        found_.stock_matched = false;
        return;
      }
      run_step(slice);
      end_steps(slice);
    }
  }

  bool matches(const trial::Slice& slice) const {
    const std::int64_t before =
        found_.slices.empty() ? slice.stock_before : found_.slices.front().stock_before;
    const auto samples = static_cast<double>(all_.samples + slice.samples);
    return static_cast<double>(std::abs(slice.stock_after - before)) <= kStockTolerance * samples;
  }

  const trial::Measure& measure_;
  const WindowParts& parts_;
  const Ending ending_;
  MeasuredWindow found_;
  Extent all_;  // of the slices that are done
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
