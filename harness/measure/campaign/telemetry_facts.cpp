#include "measure/campaign/telemetry_facts.h"

#include "advice/rule/trace_facts.h"
#include "base/error.h"
#include "base/file.h"
#include "base/stats/quantile.h"
#include "machine/telemetry/telemetry_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

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

// The trial to draw is best the one whose steps were recorded: both then show the same process.
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

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using telemetry::CellMetric;
using telemetry::CellTelemetry;

constexpr const char* kBaseline = "baseline";

const CellMetric* find(const CellTelemetry& cell, const char* id) {
  const auto at = std::find_if(
      cell.metrics.begin(), cell.metrics.end(), [&](const auto& each) { return each.id == id; });
  return at == cell.metrics.end() ? nullptr : &*at;
}

/// The median over the trials, or why there is none.
Result median_of(const CellTelemetry& cell, const char* id) {
  const CellMetric* const seen = find(cell, id);
  if (seen == nullptr) {
    return Unknown{"it was not sampled"};
  }
  return seen->values.empty() ? Result(Unknown{seen->reason})
                              : Result(Value::of(stats::median(seen->values)));
}

std::optional<double> number(const Result& result) {
  const auto* const value = std::get_if<Value>(&result);
  const auto* const found =
      value == nullptr ? nullptr : std::get_if<expression::Number>(&value->data);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

Result throttle_reasons(const CellTelemetry& cell) {
  constexpr double kMatters = 0.01;  // ours: shorter than a hundredth of the window is a moment
  struct Counted {
    const char *metric, *reason;
  };
  constexpr std::array<Counted, 4> kCounted = {{{"power_cap_ratio", "sw_power_cap"},
                                                {"gpu_software_thermal_time_ratio", "sw_thermal"},
                                                {"gpu_hardware_thermal_time_ratio", "hw_thermal"},
                                                {"gpu_power_brake_time_ratio", "power_brake"}}};
  Value::List reasons;
  bool is_any_known = false;
  for (const Counted& counted : kCounted) {
    const auto ratio = number(median_of(cell, counted.metric));
    is_any_known = is_any_known || ratio;
    if (ratio.value_or(0) >= kMatters) {
      reasons.push_back(Value::of(counted.reason));
    }
  }
  if (!is_any_known) {
    return median_of(cell, kCounted.front().metric);
  }
  return Value::of(std::move(reasons));
}

// From the trials that are compared in pairs: a clock that fell between the two sides is not a gain
// of the setting.
Result pair_clock_drop(const std::vector<CellTelemetry>& cells) {
  std::vector<double> clocks;  // of the highest that the GPU has
  std::string reason;
  for (const CellTelemetry& cell : cells) {
    if (cell.stage != "confirm") {
      continue;
    }
    const Result drop = median_of(cell, "sm_clock_drop_ratio");
    if (const auto value = number(drop)) {
      clocks.push_back(1 - *value);
    } else {
      reason = std::get<Unknown>(drop).reason;
    }
  }
  if (clocks.size() < 2) {
    return Unknown{reason.empty() ? "nothing was compared in pairs" : reason};
  }
  const auto [least, most] = std::minmax_element(clocks.begin(), clocks.end());
  return *most > 0 ? Result(Value::of(1 - *least / *most)) : Result(Unknown{"the clock was 0"});
}

// What the kernel had to fetch for the worker was in no cache.
Result cache_hits(const CellTelemetry& cell, const rule::FactTable& facts) {
  const auto epoch_s = number(facts.value("epoch_time"));
  const auto bytes = number(facts.value("dataset_bytes"));
  if (!epoch_s || !bytes || !(*epoch_s > 0) || !(*bytes > 0)) {
    return Unknown{"no files were read, or it is not known how many bytes of them"};
  }
  const Result fetched = median_of(cell, "worker_read_rate");
  const auto rate = number(fetched);
  return rate ? Result(Value::of(std::clamp(1 - *rate * *epoch_s / *bytes, 0.0, 1.0))) : fetched;
}

void add_sampled(const CellTelemetry& cell, const std::string& source, rule::FactTable& facts) {
  std::vector<metric::Metric> metrics;
  metrics.reserve(cell.metrics.size());
  for (const CellMetric& seen : cell.metrics) {
    metrics.push_back(
        seen.values.empty()
            ? metric::not_applicable(seen.id, seen.unit, seen.reason)
            : metric::Metric(seen.id, {.value = stats::median(seen.values), .unit = seen.unit}));
  }
  rule::add_metrics(metrics, source, "measure", facts);
}

}  // namespace

void add_telemetry_facts(const std::vector<CellTelemetry>& cells, rule::FactTable& facts) {
  for (const CellTelemetry& cell : cells) {
    if (cell.cell != kBaseline) {
      continue;
    }
    const std::string source = "telemetry of " + cell.stage;
    const auto set = [&](const char* name, Result result) {
      facts.set(name, {.result = std::move(result), .source = source, .window = "measure"});
    };
    add_sampled(cell, source, facts);
    set("throttle_reasons", throttle_reasons(cell));
    set("pair_clock_drop_ratio", pair_clock_drop(cells));
    set("cache_hit_ratio", cache_hits(cell, facts));
  }
}

}  // namespace tune::campaign
