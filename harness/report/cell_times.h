#pragma once

#include "measure/campaign/campaign_result.h"
#include "trial/window_sums.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

/// A number that every measured trial has besides its throughput.
struct CellNumber {
  std::string_view id, unit;
  std::string_view column;  ///< its name in the ranked table; "": it has no column there
  double (*value)(const trial::WindowSums& window);  ///< of a window with steps
  /// One part of the step, as in PhaseSplit: of all rounds together, for parts add up only so. Any
  /// other number is the median of the rounds.
  bool is_part = false;
};

/// In the order of result.json, CSV and the columns of the ranked table: each has all of these.
const std::vector<CellNumber>& cell_numbers();

/// What the replies of one cell's completed trials say beside their throughput, one number a round.
struct CellTimes {
  std::map<std::string_view, std::vector<double>> numbers;  ///< by id, of cell_numbers()
  std::vector<double> epoch_seconds;  ///< of one pass over the data, where its size is known
  std::string epoch_warning;          ///< what they leave out, a sentence, or ""
  double samples = 0;                 ///< over all rounds
  trial::WindowSums window;           ///< of all rounds together
};

/// Completed trials, by the id of their cell. Points into the result.
using TrialsByCell = std::map<std::string_view, std::vector<const campaign::TrialRecord*>>;
TrialsByCell completed_trials(const campaign::CampaignResult& result);

/// Those of one cell and stage whose replies are there.
std::vector<const campaign::TrialRecord*> trials_of(const TrialsByCell& trials,
                                                    std::string_view cell,
                                                    std::string_view stage);

CellTimes cell_times(const std::vector<const campaign::TrialRecord*>& trials);

/// The number over all rounds, with the interval of the rounds' median (none from one round);
/// nothing without a round.
std::optional<stats::Number> estimate_of(const CellTimes& times, const CellNumber& number);
/// The median of values with its interval (none from one value); nothing without a value.
std::optional<stats::Number> estimate_of(const std::vector<double>& values);

/// One part of a step, by the host's clock.
struct PhaseShare {
  std::string_view id, label;  ///< "data_wait", "waiting for data"
  double ms_per_sample = 0;
  double ratio = 0;  ///< of the whole step
};

/// Where the time of a cell goes: six parts that sum to the step, in the step's order. Per sample,
/// because cells with different batch sizes compare only so.
struct PhaseSplit {
  std::array<PhaseShare, 6> parts;
  double ms_per_sample = 0;  ///< their sum
};

/// Nothing when the cell was not measured.
std::optional<PhaseSplit> phase_split(const campaign::CampaignResult& result,
                                      const campaign::CellResult& cell);

}  // namespace tune::report
