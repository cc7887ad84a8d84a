#include "measure/campaign/epoch_check.h"

#include "base/stats/quantile.h"
#include "base/units.h"

#include <algorithm>
#include <cmath>

namespace tune::campaign {

namespace {

constexpr double kStartS = 10;  // of the process, with a margin

std::vector<double> totals(const CellHistory& history) {
  std::vector<double> seconds;
  seconds.reserve(history.confirm.epochs.size());
  for (const auto& [round, epoch] : history.confirm.epochs) {
    seconds.push_back(epoch.total_s);
  }
  return seconds;
}

// About: a slice ends with a whole step.
double slices_s(const trial::Measure& measure) {
  return static_cast<double>(measure.slices) * static_cast<double>(measure.slice_ns) * 1.5e-9;
}

bool is_confirmed(std::size_t cell, const ConfirmStanding& standing) {
  return std::any_of(standing.rows.begin(), standing.rows.end(), [&](const ConfirmRow& row) {
    return !row.looks.empty() && row.looks.back().row.verdict == stats::AdviceVerdict::confirmed &&
           (cell == 0 || row.cell == cell);
  });
}

EpochResult result_of(std::size_t cell,
                      const scenario::Scenario& scenario,
                      const scenario::Plan& plan,
                      const ConfirmStanding& standing,
                      const std::vector<CellHistory>& histories) {
  const CellHistory& history = histories[cell];
  EpochResult result;
  result.cell = plan.cells[cell].id;
  const auto& epochs = history.confirm.epochs;
  if (epochs.empty()) {
    result.reason = "the number of samples of an epoch is not known";
    return result;
  }
  result.computed = stats::number_of_samples(totals(history));
  std::vector<double> begins;
  begins.reserve(epochs.size());
  for (const auto& [round, epoch] : epochs) {
    begins.push_back(epoch.begin_s);
    result.warning = epoch.warning;
  }
  result.begin_s = stats::median(std::move(begins));
  if (history.epoch_check) {
    result.check = history.epoch_check;
    return result;
  }
  result.reason = why_no_epoch(scenario, cell, standing, histories);
  if (result.reason.empty()) {
    const auto& ran = history.epoch.finished;
    result.reason = ran.empty()           ? "the run ended before it"
                    : ran.begin()->second ? "other work disturbed the trial that ran it"
                                          : "the trial that ran it failed";
  }
  return result;
}

}  // namespace

std::string why_no_epoch(const scenario::Scenario& scenario,
                         std::size_t cell,
                         const ConfirmStanding& standing,
                         const std::vector<CellHistory>& histories) {
  if (scenario.data.source == "synthetic") {
    return "synthetic batches stay in memory: an epoch costs nothing beyond its steps";
  }
  if (scenario.workload.script.exists()) {
    return "the window of a script does not begin with an epoch";
  }
  if (!is_confirmed(cell, standing)) {
    return cell == 0 ? "no setting was confirmed" : "the setting was not confirmed";
  }
  const std::vector<double> seconds = totals(histories[cell]);
  if (seconds.empty()) {
    return "the number of samples of an epoch is not known";
  }
  const double expected_s = stats::median(seconds);
  const auto timeout_s = static_cast<double>(scenario.trial_timeout_ns) * 1e-9;
  const double rest_s = kStartS + slices_s(scenario.measure);
  if (expected_s > kCheapEpochS || 2 * expected_s + rest_s > timeout_s) {
    return "a whole epoch takes about " + format_seconds(expected_s) + ", more than is cheap (" +
           format_seconds(std::min(kCheapEpochS, std::max(0.0, (timeout_s - rest_s) / 2))) + ")";
  }
  return "";
}

std::optional<Slot> next_epoch(const scenario::Scenario& scenario,
                               const ConfirmStanding& standing,
                               const std::vector<CellHistory>& histories) {
  if (standing.rows.empty() || !standing.finished()) {
    return std::nullopt;
  }
  std::vector<std::size_t> cells = {0};
  cells.reserve(1 + standing.rows.size());
  for (const ConfirmRow& row : standing.rows) {
    cells.push_back(row.cell);
  }
  for (std::size_t position = 0; position < cells.size(); ++position) {
    const std::size_t cell = cells[position];
    if (histories[cell].epoch.finished.empty() &&
        why_no_epoch(scenario, cell, standing, histories).empty()) {
      return Slot{.stage = "epoch",
                  .round = 1,
                  .position = static_cast<std::int64_t>(position),
                  .cell = cell,
                  .slices = scenario.measure.slices};
    }
  }
  return std::nullopt;
}

std::int64_t epoch_trial_ns(const CellHistory& history, const trial::Measure& measure) {
  const std::vector<double> seconds = totals(history);
  const double epochs_s = seconds.empty() ? 0 : 2 * stats::median(seconds);
  return std::llround((kStartS + slices_s(measure) + epochs_s) * 1e9);
}

std::vector<EpochResult> epoch_results(const scenario::Scenario& scenario,
                                       const scenario::Plan& plan,
                                       const ConfirmStanding& standing,
                                       const std::vector<CellHistory>& histories) {
  std::vector<EpochResult> results;
  if (histories[0].confirm.rates.empty()) {
    return results;
  }
  results.reserve(1 + standing.rows.size());
  results.push_back(result_of(0, scenario, plan, standing, histories));
  for (const ConfirmRow& row : standing.rows) {
    if (!histories[row.cell].confirm.rates.empty()) {
      results.push_back(result_of(row.cell, scenario, plan, standing, histories));
    }
  }
  return results;
}

}  // namespace tune::campaign
