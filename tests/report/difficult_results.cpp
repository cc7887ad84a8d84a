#include "difficult_results.h"

#include "sample_result.h"

#include <cstddef>
#include <limits>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Two settings that differ only in their last character.
CampaignResult with_long_labels() {
  CampaignResult result = sample_result();
  const std::string label(10'000, 'x');
  result.scenario.name = result.scenario.description = label;
  std::size_t number = 0;
  for (CellResult& cell : result.cells) {
    if (cell.cell.id != "baseline") {
      cell.cell.changed["cpu_affinity"] = label + std::to_string(++number);
    }
    cell.reason = cell.reason.empty() ? "" : label;
  }
  result.warnings = {label};
  return result;
}

// Hebrew and Arabic, and the character that turns around what follows it.
CampaignResult from_right_to_left() {
  CampaignResult result = sample_result();
  const std::string text =
      "\xD7\x9E\xD7\x91\xD7\x97\xD7\x9F \xE2\x80\xAE "
      "\xD8\xA7\xD8\xAE\xD8\xAA\xD8\xA8\xD8\xA7\xD8\xB1";
  result.scenario.name = result.scenario.description = text;
  for (CellResult& cell : result.cells) {
    cell.cell.changed["cpu_affinity"] = text;
    cell.reason += cell.reason.empty() ? "" : text;
  }
  return result;
}

CampaignResult with_numbers_that_are_none(double value) {
  CampaignResult result = sample_result();
  for (CellResult& cell : result.cells) {
    if (cell.throughput) {
      cell.throughput->value = value;
      cell.throughput->lower = cell.throughput->upper = value;
    }
    if (cell.gain) {
      cell.gain->value = value;
    }
  }
  for (campaign::Confirmation* row : {&*result.confirmation, &result.confirmations.front()}) {
    row->gain.value = row->best.value = row->baseline.value = value;
    row->search_gain = value;
  }
  return result;
}

// As after a clock that stood still.
CampaignResult without_samples() {
  CampaignResult result = sample_result();
  for (campaign::TrialRecord& record : result.trials) {
    if (record.outcome.reply) {
      for (trial::Slice& slice : record.outcome.reply->slices) {
        slice = trial::Slice{};
      }
    }
  }
  for (CellResult& cell : result.cells) {
    cell.throughput.reset();
    cell.gain.reset();
    cell.phases.reset();
  }
  result.confirmation.reset();
  result.confirmations.clear();
  result.profiles.clear();
  return result;
}

}  // namespace

std::vector<std::pair<std::string, CampaignResult>> difficult_results() {
  return {{"hostile texts", hostile_result()},
          {"labels of 10,000 characters", with_long_labels()},
          {"right to left", from_right_to_left()},
          {"nan", with_numbers_that_are_none(kNan)},
          {"infinite", with_numbers_that_are_none(kInfinite)},
          {"no samples", without_samples()},
          {"one cell", result_with_cells(1)},
          {"all failed", all_failed_result()},
          {"not confirmed", unconfirmed_result()},
          {"before the first trial", empty_result()},
          {"nothing at all", CampaignResult{}}};
}

}  // namespace tune::report
