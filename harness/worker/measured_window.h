#pragma once

#include "trial/device_report.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tune::worker {

/// The record of one step.
struct StepRecord {
  trial::PhaseSums phases;
  std::int64_t samples = 0;
  bool begins_epoch = false;
  std::int64_t delay_ns = 0;  ///< injected
};

/// The launched steps, after the GPU has done them all.
struct DeviceWait {
  trial::PhaseSums waited;                    ///< of the host
  std::vector<trial::DevicePhaseSums> steps;  ///< since the last wait
};

/// What the window needs from the trial; tests pass their own.
struct WindowParts {
  std::function<std::int64_t()> restart_clock;      ///< returns the moment
  std::function<StepRecord()> step;                 ///< begins where the previous step ended
  std::function<std::int64_t()> samples_ahead;      ///< the loader's stock
  std::function<trial::Disturbance()> disturbance;  ///< since the last call
  std::function<std::int64_t()> core_probe = {};    ///< ns; none: the cores are not probed
  std::function<std::int64_t()> now_ns = {};        ///< for core_probe
  /// Waits for the GPU. Null: there is none. The wait belongs to the slice that it ends.
  std::function<DeviceWait()> wait_for_device = nullptr;
};

struct MeasuredWindow {
  std::vector<trial::Slice> slices;
  std::vector<trial::PhaseSums> steps;  ///< at most kMostSteps, the first ones
  bool stock_matched = true;
  std::int64_t delay_ns = 0;                         ///< injected, of all steps
  std::vector<trial::DevicePhaseSums> device_steps;  ///< at most kMostDeviceSteps, the first ones

  /// Receives the measurement right after a slice.
  void append(MeasuredWindow next);
};

constexpr std::size_t kMostSteps = 100'000;

/// How often the cores are probed; a probe takes 0.2 ms. If it takes more than 0.5 ms, less often.
constexpr std::int64_t kCoreProbeNs = 50'000'000;

/// Runs the slices that `measure` specifies. Work between two slices (reading /proc), and between
/// two steps to probe the cores, belongs to none of them. The last slice continues until the
/// loader's stock at the window's edges differs by at most 1 % of the window's samples, because a
/// stock built up before would flatter a data-bound cell; the window at most doubles, then
/// stock_matched is false. Counting the stock in whole batches would be too coarse: a window often
/// has only a dozen. A slice that shared its cores (trial/trial_reply.h) is followed by a spare
/// one, if any are left.
///
/// With a GPU the host synchronises at the end of each slice, and once after the steps added for
/// the stock: slices begin with an idle device and end with finished steps.
MeasuredWindow measure_window(const trial::Measure& measure, const WindowParts& parts);

/// Runs exactly one epoch of this many steps as a single slice; must start at the start of an
/// epoch. Adds nothing for the loader's stock.
MeasuredWindow measure_epoch(std::int64_t steps, const WindowParts& parts);

}  // namespace tune::worker
