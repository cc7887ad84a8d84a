#pragma once

#include "machine/telemetry/summary.h"
#include "report/svg.h"

#include <optional>
#include <vector>

namespace tune::report {

/// One series of telemetry in a chart.
struct ChartLine {
  /// In the unit of the series, or in CPUs where it is a share of all that the worker may use.
  enum class Count { own, cpus };

  const char *id, *label;
  Drawing::Stroke stroke;
  Count count = Count::own;
};

/// Series with one scale.
struct Chart {
  const char *title, *unit;
  double least = 0;  ///< the scale ends here or higher: noise near zero must not look large
  std::vector<ChartLine> lines;
};

/// What is drawn of a machine, in this order.
const std::vector<Chart>& machine_charts();

/// A mean over a stretch of time, in the chart's unit; nothing where it could not be read. Times
/// count from the start of the trial.
struct CurvePiece {
  double begin_s = 0, end_s = 0;
  std::optional<double> value;
};

/// Pieces that follow each other; none when the trial has no such curve. Times that do not go
/// forwards, as a damaged file may have, are left out.
std::vector<CurvePiece> pieces_of(const telemetry::TrialTelemetry& trial, const ChartLine& line);

/// Mean of the measured window, in the chart's unit.
std::optional<double> mean_of(const telemetry::TrialTelemetry& trial, const ChartLine& line);

}  // namespace tune::report
