#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tune::gpu_items {

/// What an item says: the last line of its process.
class Answer {
 public:
  void put(const std::string& key, double value);
  void put(const std::string& key, const std::string& text);
  /// Text that is JSON already.
  void put_json(const std::string& key, const std::string& json);

  /// What was expected did not come.
  void fail(const std::string& reason);
  /// `what` must hold, or the item has failed.
  void expect(bool holds, const std::string& what);
  void not_run(const std::string& reason);

  /// {"verdict": ..., "reason": ..., "measured": {...}}
  std::string json() const;

 private:
  std::string verdict_ = "pass", reason_, measured_;
};

/// A training step whose time is launches: sixteen small linear layers, batch 8.
std::function<void()> launch_bound_step();

/// A training step of a small transformer, whose time is the device's: four layers of width 1024,
/// 16 sequences of 512.
std::function<void()> transformer_step();

/// A step whose time is a few large 16-bit products.
std::function<void()> gpu_bound_step();

/// Runs the steps, waits for the device, and returns seconds a step: the median of blocks.
double seconds_of(const std::function<void()>& step, int blocks, int steps);

/// What a session of CUPTI gave, or why there was none.
struct Recorded {
  worker::DeviceTraceResult result;
  std::optional<worker::Unavailable> why;
  double step_s = 0;    ///< while it recorded
  double finish_s = 0;  ///< what its end took
};

/// Attaches, runs three steps that are forgotten and so many that are kept, detaches.
Recorded record(worker::CudaPlugin& plugin,
                const std::function<void()>& step,
                int steps,
                const worker::TraceOptions& options = {});

Recorded record(worker::TraceSession& session,
                const std::function<void()>& step,
                int steps,
                const worker::TraceOptions& options = {});

/// "a, b" of what the check of a trace found.
std::string problems_of(const Recorded& recorded);

}  // namespace tune::gpu_items
