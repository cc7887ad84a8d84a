#include "campaign/read_telemetry.h"

#include "base/error.h"
#include "base/file.h"
#include "telemetry/telemetry_json.h"

#include <algorithm>
#include <string>

namespace tune::campaign {

namespace {

constexpr std::size_t kMostTrials = 12;
constexpr std::int64_t kMostBytes = 16 << 20;

std::vector<std::string> trials_of(const CampaignResult& result,
                                   const std::string& cell,
                                   const std::string& stage) {
  std::vector<std::string> ids;
  for (const TrialRecord& trial : result.trials) {
    if (trial.spec.cell == cell && trial.stage == stage && trial.outcome.reply) {
      ids.push_back(trial.spec.id);
    }
  }
  if (ids.size() > kMostTrials) {
    ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(kMostTrials));
  }
  return ids;
}

// What is drawn is best the trial whose steps were recorded: both then tell of the same process.
void prefer_profiled(const CampaignResult& result,
                     const std::vector<telemetry::NamedTelemetry>& found,
                     telemetry::CellTelemetry& cell) {
  for (const ProfiledCell& profile : result.profiles) {
    for (const telemetry::NamedTelemetry& trial : found) {
      if (profile.cell == cell.cell && profile.trial == trial.trial) {
        cell.curves_of = trial.trial;
        cell.example = trial.telemetry;
      }
    }
  }
}

telemetry::CellTelemetry read_cell(const CampaignResult& result, const CellResult& cell) {
  std::string stage = "confirm";
  std::vector<std::string> ids = trials_of(result, cell.cell.id, stage);
  if (ids.empty()) {
    stage = cell.stage;
    ids = trials_of(result, cell.cell.id, stage);
  }
  std::vector<telemetry::NamedTelemetry> found;
  found.reserve(ids.size());
  std::string reason = ids.empty() ? "no trial of it completed" : "";
  for (const std::string& id : ids) {
    const auto file = result.directory / "trials" / id / telemetry::kTelemetryFile;
    try {
      found.push_back(
          {id, telemetry::parse_trial_telemetry(read_kept_file(file, kMostBytes), file.string())});
    } catch (const MachineError&) {
      throw;
    } catch (const Error& error) {
      reason = reason.empty() ? error.what() : reason;
    }
  }
  telemetry::CellTelemetry read = telemetry::combine(found);
  read.cell = cell.cell.id;
  read.stage = stage;
  read.reason = reason;
  prefer_profiled(result, found, read);
  return read;
}

}  // namespace

std::vector<telemetry::CellTelemetry> read_telemetry(const CampaignResult& result) {
  std::vector<telemetry::CellTelemetry> cells;
  const auto is_measured = [](const CellResult& cell) { return cell.throughput.has_value(); };
  if (!result.cells.empty() && is_measured(result.cells.front())) {
    cells.push_back(read_cell(result, result.cells.front()));
    const auto best = std::find_if(result.cells.begin() + 1, result.cells.end(), is_measured);
    if (best != result.cells.end()) {
      cells.push_back(read_cell(result, *best));
    }
  }
  const bool has_any =
      std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.trials > 0; });
  return has_any ? cells : std::vector<telemetry::CellTelemetry>();
}

}  // namespace tune::campaign
