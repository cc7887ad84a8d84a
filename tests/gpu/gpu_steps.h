#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tune::gpu_items {

/// The answer of an item: the last line of its process.
class Answer {
 public:
  void put(const std::string& key, double value);
  void put(const std::string& key, const std::string& text);
  /// Text that is already JSON.
  void put_json(const std::string& key, const std::string& json);

  /// The expectation was not met.
  void fail(const std::string& reason);
  /// `what` must be true, else the item has failed.
  void expect(bool holds, const std::string& what);
  void not_run(const std::string& reason);

  /// {"verdict": ..., "reason": ..., "measured": {...}}
  std::string json() const;

 private:
  std::string verdict_ = "pass", reason_, measured_;
};

/// A training step bound by kernel launches: sixteen small linear layers, batch 8.
std::function<void()> launch_bound_step();

/// A training step of a small transformer, bound by the device: four layers of width 1024, 16
/// sequences of 512.
std::function<void()> transformer_step();

/// A step bound by a few large 16-bit products.
std::function<void()> gpu_bound_step();

/// Runs the steps, waits for the device, and returns seconds per step: the median of blocks.
double seconds_of(const std::function<void()>& step, int blocks, int steps);

/// The result of a CUPTI session, or why there was none.
struct Recorded {
  worker::DeviceTraceResult result;
  std::optional<worker::Unavailable> why;
  double step_s = 0;    ///< while it recorded
  double finish_s = 0;  ///< what its end took
};

/// Attaches, runs three discarded steps and `steps` recorded ones, detaches.
Recorded record(worker::CudaPlugin& plugin,
                const std::function<void()>& step,
                int steps,
                const worker::TraceOptions& options = {});

Recorded record(worker::TraceSession& session,
                const std::function<void()>& step,
                int steps,
                const worker::TraceOptions& options = {});

/// "a, b": the findings of the trace check.
std::string problems_of(const Recorded& recorded);

}  // namespace tune::gpu_items
