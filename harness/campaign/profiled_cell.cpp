#include "campaign/profiled_cell.h"

#include "campaign/recorded_run.h"
#include "stats/quantile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace tune::campaign {

namespace {

std::optional<double> median_s(const std::vector<std::int64_t>& ns) {
  if (ns.empty()) {
    return std::nullopt;
  }
  std::vector<double> seconds;
  seconds.reserve(ns.size());
  for (const std::int64_t step_ns : ns) {
    seconds.push_back(static_cast<double>(step_ns) * 1e-9);
  }
  return stats::median(std::move(seconds));
}

// Of at least one.
double mean_s(const std::vector<std::int64_t>& ns) {
  double sum_ns = 0;
  for (const std::int64_t step_ns : ns) {
    sum_ns += static_cast<double>(step_ns);
  }
  return sum_ns * 1e-9 / static_cast<double>(ns.size());
}

std::optional<double> measured_step_s(const trial::TrialReply& reply) {
  std::vector<std::int64_t> ns;
  ns.reserve(reply.step_phases.size());
  for (const trial::PhaseSums& step : reply.step_phases) {
    ns.push_back(step.total_ns());
  }
  return median_s(ns);
}

// A reply is a file: its word on where the trace is may not lead out of the trial's folder.
bool is_plain_name(const std::string& file) {
  return !file.empty() && file.find('/') == std::string::npos && !file.starts_with('.');
}

ProfiledCell profiled_cell(const TrialRecord& record, const std::filesystem::path& run) {
  const trial::TrialReply& reply = *record.outcome.reply;
  ProfiledCell cell;
  cell.cell = record.spec.cell;
  cell.trial = record.spec.id;
  cell.stage = record.stage;
  cell.outcome = *reply.profile;
  cell.reason = reply.profile->reason;
  cell.measured_step_s = measured_step_s(reply);
  cell.profiled_step_s = median_s(reply.profile->step_ns);
  cell.dilation = trial::profiler_dilation(reply);
  if (reply.facts.device == "cuda" && cell.dilation) {  // of a GPU whole windows are compared
    cell.profiled_step_s = mean_s(reply.profile->step_ns);
    cell.measured_step_s = *cell.profiled_step_s / *cell.dilation;
  }
  if (is_plain_name(reply.profile->file)) {
    cell.file = run / "trials" / record.spec.id / reply.profile->file;
  } else if (cell.reason.empty()) {
    cell.reason = "the worker names no trace";
  }
  return cell;
}

bool is_stretched(std::optional<double> dilation) {
  return dilation && *dilation > kDilationLimit;
}

// What is better stands last. One that says nothing about times, perhaps because the machine was
// slow just then, must not hide another that does.
auto merit(const ProfiledCell& cell) {
  return std::tuple(!cell.file.empty(), !is_stretched(cell.dilation), cell.stage == "confirm");
}

bool is_time(const metric::Metric& metric) {
  constexpr std::array<std::string_view, 3> kTimes = {"s", "ratio", "B/s"};
  return std::find(kTimes.begin(), kTimes.end(), metric.unit) != kTimes.end();
}

}  // namespace

std::vector<ProfiledCell> profiled_cells(const RecordedRun& run) {
  std::vector<ProfiledCell> found;
  for (const scenario::Cell& cell : run.plan.cells) {
    std::optional<ProfiledCell> best;
    for (const TrialRecord& record : run.trials) {
      if (record.spec.cell == cell.id && record.outcome.reply && record.outcome.reply->profile) {
        ProfiledCell candidate = profiled_cell(record, run.directory);
        if (!best || merit(candidate) >= merit(*best)) {
          candidate.repeat = best ? best->file : std::filesystem::path();
          best = std::move(candidate);
        } else {
          best->repeat = candidate.file;
        }
      }
    }
    if (best) {
      found.push_back(std::move(*best));
    }
  }
  return found;
}

void refuse_stretched_times(TraceNumbers& numbers, std::optional<double> dilation) {
  if (!is_stretched(dilation)) {
    return;
  }
  std::array<char, 120> text{};
  (void)std::snprintf(text.data(),
                      text.size(),
                      "recording made the steps %.2f times as long, more than %.2f: its times are "
                      "not those of the run",
                      *dilation,
                      kDilationLimit);
  const std::string reason = text.data();
  numbers.partition.reset();
  numbers.partition_reason = reason;
  for (metric::Metric& metric : numbers.metrics) {
    if (metric.is_applicable() && is_time(metric)) {
      metric = metric::not_applicable(metric.id, metric.unit, reason);
    }
  }
}

}  // namespace tune::campaign
