#pragma once

#include "trial/device_report.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tune::worker {

/// What one step was.
struct StepRecord {
  trial::PhaseSums phases;
  std::int64_t samples = 0;
  bool begins_epoch = false;
  std::int64_t delay_ns = 0;  ///< injected
};

/// What became of the steps that were launched, when the GPU has done them all.
struct DeviceWait {
  trial::PhaseSums waited;                    ///< of the host
  std::vector<trial::DevicePhaseSums> steps;  ///< since the last wait
};

/// What the window asks of the trial; tests give their own.
struct WindowParts {
  std::function<std::int64_t()> restart_clock;      ///< returns the moment
  std::function<StepRecord()> step;                 ///< begins where the step before ended
  std::function<std::int64_t()> samples_ahead;      ///< the loader's stock
  std::function<trial::Disturbance()> disturbance;  ///< since the last call
  std::function<std::int64_t()> core_probe = {};    ///< ns; none: the cores are not looked at
  std::function<std::int64_t()> now_ns = {};        ///< for core_probe
  /// Waits for the GPU. Null: there is none. What passes belongs to the slice that it ends.
  std::function<DeviceWait()> wait_for_device = nullptr;
};

struct MeasuredWindow {
  std::vector<trial::Slice> slices;
  std::vector<trial::PhaseSums> steps;  ///< at most kMostSteps, the first ones
  bool stock_matched = true;
  std::int64_t delay_ns = 0;                         ///< injected, of all steps
  std::vector<trial::DevicePhaseSums> device_steps;  ///< at most kMostDeviceSteps, the first ones

  /// Takes what was measured right after it.
  void append(MeasuredWindow next);
};

constexpr std::size_t kMostSteps = 100'000;

/// The cores are looked at this often; that takes 0.2 ms. Where it takes more than 0.5 ms, less
/// often.
constexpr std::int64_t kCoreProbeNs = 50'000'000;

/// Runs the slices that `measure` asks for. What is done between two slices (reading /proc), and
/// between two steps to look at the cores, belongs to none of them. The last slice goes on until
/// the loader's stock at the window's edges differs by at most 1 % of the window's samples, for a
/// stock that was built up before would flatter a loader-bound cell; the window at most doubles,
/// then stock_matched is false. In whole batches the stock would be too coarse: a window often has
/// no more than a dozen. A slice that shared its cores (trial/trial_reply.h) is followed by a
/// spare one, as far as there are any.
///
/// With a GPU the host waits for it at the end of each slice, and once after the steps that were
/// added for the stock: slices begin with an idle device, and their last steps are done.
MeasuredWindow measure_window(const trial::Measure& measure, const WindowParts& parts);

/// Runs exactly one epoch of so many steps as a single slice, to be begun where an epoch begins.
/// Nothing is added for the loader's stock.
MeasuredWindow measure_epoch(std::int64_t steps, const WindowParts& parts);

}  // namespace tune::worker
