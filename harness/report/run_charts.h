#pragma once

#include "report/cell_times.h"
#include "report/explored_grid.h"
#include "report/markup.h"
#include "report/pareto_front.h"
#include "report/trial_steps.h"
#include "result/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

// The charts of a run, each drawn in the .cpp of its name.

/// Interval dot plot: the gain of every cell over the baseline in the order of the result, the
/// fresh pairs on top. A cell of one round has no interval and a mark of its own. Nothing when no
/// cell has a gain. At most kMostPlotted cells.
std::optional<Markup> gain_plot(const result::Result& result);

constexpr std::size_t kMostPlotted = 100;  ///< more would be a page of their own

/// Values of a knob that a heat map has room for, on either side.
constexpr std::size_t kMostHeatValues = 16;

/// The strongest tint of a box; its number stands on it in ink, so that the contrast of both
/// schemes holds (a test computes it).
constexpr double kStrongestTint = 0.4;

/// The two knobs that a heat map shows: the most important ones with 2 to kMostHeatValues values,
/// by name where the importance is not known. Nothing when fewer than two have them.
std::optional<std::array<std::size_t, 2>> heat_map_knobs(const ExploredGrid& grid,
                                                         const Importance& importance);

/// A box for each pair of values of two knobs, with the throughput of the fastest setting that has
/// both: the stronger the tint the further from the baseline, faster or slower. Pairs whose
/// settings all failed, or that no setting has, say so. `baseline_rate` in samples/s; nothing where
/// it is not known, and then no box is tinted. Nothing when no pair was measured.
std::optional<Markup> heat_map(const ExploredGrid& grid,
                               const std::array<std::size_t, 2>& knobs,
                               std::optional<double> baseline_rate);

constexpr std::size_t kMostImportantKnobs = 16;

/// A bar a knob, the most important first: its share of the differences between settings, and what
/// its best value gives over its worst. Nothing when the importance is not known. At most
/// kMostImportantKnobs.
std::optional<Markup> importance_bars(const ExploredGrid& grid, const Importance& importance);

constexpr std::size_t kMostSlicedKnobs = 12;
constexpr std::size_t kMostSliceValues = 40;  ///< of a knob that are drawn; evenly thinned beyond

/// A panel a knob, the most important first, with equal scales: for each value the slowest, the
/// median and the fastest setting that has it, and joined circles for the slice through `centre`:
/// the settings that differ from it in this knob alone. Nothing without a knob, or where less than
/// two settings were measured.
std::optional<Markup> knob_slices(const ExploredGrid& grid,
                                  const Importance& importance,
                                  const result::Cell* centre);

/// Waterfall of the cumulative path: a row a rung, whose bar goes from the gain of the rung below
/// it to its own, with the interval of its fresh pairs as a whisker. Rungs that were not measured
/// have no bar and say why. Nothing where no rung has a gain.
std::optional<Markup> ladder_plot(const result::Result& result);

constexpr std::size_t kMostParetoPoints = 500;

/// Scatter of throughput against a cost, a mark a setting: full diamonds on the Pareto front, which
/// a stepped line joins, circles below it, crosses for settings that break a constraint. Nothing of
/// less than two points. At most kMostParetoPoints, the first. `points` are those of the result and
/// the cost.
std::optional<Markup> pareto_plot(const result::Result& result,
                                  std::vector<RateAndCost> points,
                                  Cost cost);

/// One bar: the time of one sample, in parts.
struct PhaseBar {
  std::string label;
  PhaseSplit split;
};

/// Stacked bars on one scale of ms per sample: shorter is faster. Parts differ by colour, hatch and
/// label. Needs at least one bar.
Markup phase_bars(const std::vector<PhaseBar>& bars);

/// How the steps of one setting spread.
struct NamedSpread {
  std::string label;
  StepSpread spread;
};

/// A row a setting on one scale of ms per sample, because batch sizes differ: a thin line from the
/// 1st to the 99th percentile, a thick one between the quartiles, a tick at the median, circles for
/// the longest steps that lie far out. Nothing without a row.
std::optional<Markup> spread_plot(const std::vector<NamedSpread>& rows);

/// The steps of one trial in the order run, from its first.
struct StepSequence {
  std::string label;  ///< "baseline, trial confirm6-baseline"
  std::vector<std::int64_t> step_ns;
  std::size_t warmup_steps = 0;  ///< of these, at the begin: they do not count
};

constexpr std::size_t kMostSequenceColumns = 240;

/// Run sequence: of each trial the time of every step, with the cut behind the warm-up. Where there
/// are more steps than kMostSequenceColumns, each column holds several that follow each other, from
/// the shortest to the longest. Scales end at three times the median of the steps that count;
/// longer ones reach the edge and carry a triangle. Trials without two steps are left out; nothing
/// when none is left.
std::optional<Markup> step_sequences(const std::vector<StepSequence>& sequences);

/// The throughput of one trial, and when it began.
struct TrialRate {
  std::string trial;
  double begin_s = 0;  ///< from the start of the run
  double ratio = 0;    ///< of its throughput to the median of its setting, - 1
};

struct RateLane {
  std::string label;
  std::vector<TrialRate> rates;
};

constexpr std::size_t kMostRatesDrawn = 400;

/// A lane a setting: each trial at its time, above or below the median of its setting, so that a
/// machine that drifts shows as a slope. Equal scales; of each lane the first kMostRatesDrawn
/// trials whose numbers can be drawn. Nothing where no lane has two of them.
std::optional<Markup> trial_rates_plot(const std::vector<RateLane>& lanes);

}  // namespace tune::report
