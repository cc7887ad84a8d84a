#pragma once

#include "machine/machine_facts.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tune::campaign {

/// What is known of a scenario's loader and model before its cells have run.
struct LoaderCosts {
  double decode_s = 0;  ///< CPU time of decoding a whole frame, one thread
  double other_s = 0;   ///< of reading, cropping and resizing it
  /// Samples per second of the baseline's model on batches that are always there; nothing: not
  /// known, and what is said of a cell is what its loader allows.
  std::optional<double> model_rate;
};

/// Costs by what `tune probe` found of decoding alone; the rest as measured on a 2-core Xeon
/// (AVX-512), where it was a seventh of decoding.
LoaderCosts costs_before_a_run(double decode_s);

/// Samples per second of a cell by the loader model (advice/gain_model.h).
struct CellForecast {
  double rate = 0;
  bool is_bound = false;  ///< the model's own rate is not known: not more than this
};

/// One a cell of the plan; nothing where the loader is another than the ring, or the data are no
/// images. Cells that change what the model computes have no model's rate: theirs is a bound.
std::vector<std::optional<CellForecast>> forecast_cells(const scenario::Scenario& scenario,
                                                        const scenario::Plan& plan,
                                                        const machine::MachineFacts& machine,
                                                        const LoaderCosts& costs);

/// What the ceilings of a run have measured of them; nothing where both did not complete.
std::optional<LoaderCosts> costs_of(const std::vector<TrialRecord>& trials);

/// Cells of the run's plan that differ from the baseline in the loader alone and should gain 3 % or
/// more by that, best first, fewer workers first among equals (1 %); at most two. What a guided
/// search tries first behind the proposals of rules.
std::vector<std::size_t> promising_cells(const RecordedRun& run);

/// The compute ceiling that the newest run of this scenario below `runs` has measured on a machine
/// like this one, with equal workload and an equal baseline but for its loader; nothing where there
/// is none. Of the last five runs; those that cannot be read are passed over.
std::optional<double> earlier_model_rate(const scenario::Scenario& scenario,
                                         const machine::MachineFacts& machine,
                                         const std::filesystem::path& runs);

}  // namespace tune::campaign
