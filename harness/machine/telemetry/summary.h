#pragma once

#include "machine/telemetry/sampler.h"
#include "machine/telemetry/series.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::telemetry {

/// From one moment to another, CLOCK_MONOTONIC.
struct Span {
  std::int64_t begin_ns = 0, end_ns = 0;
  bool operator==(const Span&) const = default;
};

/// One series of one trial: its numbers in the measured window, its curve over the whole trial.
struct SeriesSummary {
  SeriesInfo info;
  /// `mean` is over the time of the window; the others are over the points of the curve inside it.
  std::optional<double> mean, median, min, max;
  std::int64_t n = 0;         ///< points inside the window
  std::string reason;         ///< why there is no number; "" when there is
  std::vector<double> curve;  ///< one value per point, nan for a gap; empty: no curve
};

/// Telemetry of the machine during one trial.
struct TrialTelemetry {
  static constexpr std::size_t kMostPoints = 200;  ///< of a curve

  std::int64_t start_ns = 0;           ///< of the trial; the times below count from here
  std::optional<Span> window;          ///< measured; nothing: the trial did not reach it
  std::int64_t samples = 0, cpus = 0;  ///< readings; CPUs that the worker might use
  double cpu_ratio = 0;                ///< the share of one CPU that reading cost
  std::vector<double> times_s;         ///< end of each point
  std::vector<SeriesSummary> series;

  /// The first series of that name; null when there is none.
  const SeriesSummary* find(std::string_view id) const;
};

/// Means, medians and curves of what a sampler read. `trial` is the time of the whole trial. A
/// count that decreases (the kernel's time of waiting for a disk may) leaves a gap, and so does a
/// failed reading. Points are at least `period_ns` long.
TrialTelemetry summarise(const Sampler::Result& read,
                         Span trial,
                         std::optional<Span> window,
                         std::int64_t period_ns);

/// Joules that the GPUs of the worker used in the measured window; nothing where their drivers do
/// not count them.
std::optional<double> device_joules(const TrialTelemetry& telemetry);

}  // namespace tune::telemetry
