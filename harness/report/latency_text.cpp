#include "report/latency_text.h"

#include "base/stats/quantile.h"
#include "base/units.h"
#include "measure/campaign/measured_facts.h"
#include "report/headline.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

struct Percentile {
  const char* id;
  const char* name;
  double ratio;
};

constexpr std::array<Percentile, 3> kPercentiles = {
    {{"latency_p50", "p50", 0.5}, {"latency_p90", "p90", 0.9}, {"latency_p99", "p99", 0.99}}};

constexpr double kSecond = 1e-9;

void add_steps(const trial::TrialReply& reply, std::vector<double>& seconds) {
  if (reply.facts.device == "cuda") {
    for (const trial::DevicePhaseSums& step : reply.device_steps) {
      seconds.push_back(static_cast<double>(step.transfer_ns + step.forward_ns) * kSecond);
    }
    return;
  }
  for (const trial::PhaseSums& step : reply.step_phases) {
    seconds.push_back(static_cast<double>(step.transfer_ns + step.forward_ns) * kSecond);
  }
}

const CellResult* cell_of(const CampaignResult& result, const std::string& id) {
  const auto found = std::find_if(result.cells.begin(), result.cells.end(), [&](const auto& each) {
    return each.cell.id == id;
  });
  return found == result.cells.end() ? nullptr : &*found;
}

std::string batch_words(const CellResult& cell) {
  const auto knob = cell.cell.knobs.find("batch_size");
  const auto* const size =
      knob == cell.cell.knobs.end() ? nullptr : std::get_if<std::int64_t>(&knob->second);
  return size == nullptr ? "a batch" : counted(*size, "sample");
}

std::string line_of(const CampaignResult& result, const CellResult& cell) {
  const auto percentiles = latency_percentiles(result, cell.cell.id);
  if (percentiles.empty()) {
    return "";
  }
  std::string told, untold;
  for (const LatencyPercentile& each : percentiles) {
    if (each.seconds) {
      told +=
          std::string(told.empty() ? "" : ", ") + each.name + " " + format_seconds(*each.seconds);
    } else {
      untold += std::string(", no ") + each.name + " (" + too_few_steps(each) + ")";
    }
  }
  return "latency of " + batch_words(cell) + ", " + drawn_name(result, cell.cell.id) + ": " +
         (told.empty() ? "too few steps" : told) + untold + "; " +
         grouped(percentiles.front().steps) +
         " steps, from the batch to its result, without waiting for it";
}

}  // namespace

std::vector<LatencyPercentile> latency_percentiles(const CampaignResult& result,
                                                   const std::string& cell) {
  std::vector<LatencyPercentile> percentiles;
  if (result.scenario.workload.task != "infer") {
    return percentiles;
  }
  const CellResult* const found = cell_of(result, cell);
  const auto trials = found == nullptr ? std::vector<const campaign::TrialRecord*>()
                                       : campaign::window_trials(result, *found);
  std::vector<double> seconds;
  for (const campaign::TrialRecord* const trial : trials) {
    add_steps(*trial->outcome.reply, seconds);
  }
  if (seconds.empty()) {
    return percentiles;
  }
  for (const Percentile& each : kPercentiles) {
    LatencyPercentile percentile{.id = each.id, .name = each.name, .window = trials.front()->stage};
    percentile.steps = static_cast<std::int64_t>(seconds.size());
    percentile.least = stats::least_percentile_count(each.ratio);
    if (percentile.steps >= percentile.least) {
      percentile.seconds = stats::quantile(seconds, each.ratio);
    }
    percentiles.push_back(percentile);
  }
  return percentiles;
}

std::string too_few_steps(const LatencyPercentile& percentile) {
  return counted(percentile.steps, "step") + ", and it takes " + std::to_string(percentile.least);
}

std::vector<std::string> latency_lines(const CampaignResult& result) {
  std::vector<std::string> lines;
  const Conclusion conclusion = conclude(result);
  for (const CellResult* const cell : {conclusion.baseline, conclusion.best}) {
    const std::string line = cell == nullptr ? "" : line_of(result, *cell);
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace tune::report
