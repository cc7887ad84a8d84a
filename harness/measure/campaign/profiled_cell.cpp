#include "measure/campaign/profiled_cell.h"

#include "base/stats/quantile.h"
#include "measure/campaign/recorded_run.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tune::campaign {

namespace {

using Times = std::map<std::string, double>;  // of kernels, by name

Times times_in(const std::vector<table::Table>& tables) {
  Times times;
  for (const table::Table& table : tables) {
    if (table.id != "kernels") {
      continue;
    }
    for (const table::Row& row : table.rows) {
      const auto* const name = std::get_if<std::string>(&cell(table, row, "name"));
      const auto* const ns = std::get_if<std::int64_t>(&cell(table, row, "total_time"));
      if (name != nullptr && ns != nullptr) {
        times[*name] += static_cast<double>(*ns);
      }
    }
  }
  return times;
}

// Share of `own` in kernels that `other` has not; those are added to `found` with their times.
double only_here(const Times& own,
                 const Times& other,
                 std::vector<std::pair<double, std::string>>& found) {
  double all = 0, only = 0;
  for (const auto& [name, time] : own) {
    all += time;
    if (!other.contains(name)) {
      only += time;
      found.emplace_back(time, name);
    }
  }
  return all > 0 ? only / all : 0;
}

}  // namespace

KernelSets compare_kernels(const std::vector<table::Table>& first,
                           const std::vector<table::Table>& second) {
  constexpr std::size_t kMostNamed = 3;
  const Times a = times_in(first), b = times_in(second);
  if (a.empty() || b.empty()) {
    return {.reason = "no kernels of a GPU were recorded"};
  }
  std::vector<std::pair<double, std::string>> found;
  const double in_first = only_here(a, b, found), in_second = only_here(b, a, found);
  std::sort(found.rbegin(), found.rend());
  KernelSets sets{.distance = std::max(in_first, in_second)};
  for (std::size_t i = 0; i < std::min(kMostNamed, found.size()); ++i) {
    sets.differing.push_back(found[i].second);
  }
  return sets;
}

bool is_profiled(const scenario::Scenario& scenario, const Slot& slot, bool has_diagnosis) {
  const std::string& cells = scenario.profile_cells;
  if (cells == "none") {
    return false;
  }
  if (slot.stage == "diagnose") {
    return true;
  }
  // The trial that looks for the warm-up is the first; nothing is compared with it.
  const char* const first = scenario.warmup_is_auto ? "warmup" : "search";
  if (!has_diagnosis && slot.cell == 0 && slot.stage == first &&
      (slot.stage == "warmup" || slot.round == 1)) {
    return true;
  }
  const bool both_sides = cells == "best" || cells == "all";
  const bool is_paired = slot.stage == "confirm" || slot.stage == "ladder";
  return slot.round == 1 &&
         ((both_sides && is_paired) || (cells == "all" && slot.stage == "search"));
}

std::int64_t profiled_in_confirmation(const scenario::Scenario& scenario, std::size_t cells) {
  const bool any = is_profiled(scenario, Slot{.stage = "confirm", .round = 1});
  return any ? static_cast<std::int64_t>(cells) + 1 : 0;
}

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

std::optional<double> measured_step_s(const trial::TrialReply& reply) {
  std::vector<std::int64_t> ns;
  ns.reserve(reply.step_phases.size());
  for (const trial::PhaseSums& step : reply.step_phases) {
    ns.push_back(step.total_ns());
  }
  return median_s(ns);
}

namespace {

// `ns` holds at least one.
double mean_s(const std::vector<std::int64_t>& ns) {
  double sum_ns = 0;
  for (const std::int64_t step_ns : ns) {
    sum_ns += static_cast<double>(step_ns);
  }
  return sum_ns * 1e-9 / static_cast<double>(ns.size());
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

bool is_plain_name(const std::string& file) {
  return !file.empty() && file.find('/') == std::string::npos && !file.starts_with('.');
}

std::vector<ProfiledCell> profiled_cells(const RecordedRun& run) {
  std::unordered_map<std::string, std::optional<ProfiledCell>> best_of;
  for (const TrialRecord& record : run.trials) {
    if (record.outcome.reply && record.outcome.reply->profile) {
      ProfiledCell candidate = profiled_cell(record, run.directory);
      std::optional<ProfiledCell>& best = best_of[record.spec.cell];
      if (!best || merit(candidate) >= merit(*best)) {
        candidate.repeat = best ? best->file : std::filesystem::path();
        best = std::move(candidate);
      } else {
        best->repeat = candidate.file;
      }
    }
  }
  std::vector<ProfiledCell> found;
  for (const scenario::Cell& cell : run.plan.cells) {
    if (const auto best = best_of.find(cell.id); best != best_of.end()) {
      found.push_back(std::move(*best->second));
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
