#include "cli/keep_history.h"

#include "base/file.h"
#include "cli/answer.h"
#include "cli/history_store.h"
#include "cli/page_of_gate.h"
#include "history/kept_series.h"
#include "history/past_gates.h"
#include "history/read_entry.h"
#include "history/store.h"
#include "report/result_json.h"
#include "report/trend_chart.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

using history::Entry;
using history::Point;
using history::Series;
using history::Store;

constexpr const char* kFollowed = "throughput";

// Runs that began before this one, and this one; no points without both.
Series series_until(const Entry& own, const Store& store) {
  Series series;
  series.scenario = own.scenario;
  series.machine = own.machine;
  series.subject = own.subject;
  series.metric = kFollowed;
  series.last_started = own.started_utc;
  const history::Measure* const rate = own.find(kFollowed);
  if (rate == nullptr) {
    return series;
  }
  series.unit = rate->unit;
  std::vector<Series> found = store.series({.metric = kFollowed,
                                            .scenario = own.scenario,
                                            .machine = own.machine,
                                            .subject = own.subject});
  if (!found.empty()) {
    series.points = std::move(found.front().points);
  }
  std::erase_if(series.points,
                [&](const Point& point) { return point.started_utc >= own.started_utc; });
  if (series.points.empty()) {
    return series;
  }
  if (series.points.size() >= report::kMostDrawnRuns) {
    series.points.erase(
        series.points.begin(),
        series.points.end() - static_cast<std::ptrdiff_t>(report::kMostDrawnRuns - 1));
  }
  series.points.push_back({.kind = own.kind,
                           .started_utc = own.started_utc,
                           .value = rate->value,
                           .commit = own.commit,
                           .torch_version = own.torch_version,
                           .worker_sha256 = own.worker_sha256});
  series.runs = static_cast<std::int64_t>(series.points.size());
  return series;
}

// What was before this run or gate: nothing where nothing compares with it.
std::optional<Series> history_until(const Entry& own) {
  constexpr std::int64_t kMostLookedAt = 500;  // the newest of the scenario
  const std::optional<Store> store = readable_history();
  if (!store) {
    return std::nullopt;
  }
  Series series = series_until(own, *store);
  series.gates = history::gates_before(
      own, store->entries({.scenario = own.scenario, .limit = kMostLookedAt}));
  return series.points.empty() && series.gates.empty() ? std::nullopt
                                                       : std::optional(std::move(series));
}

// So that its page can be made again anywhere, and says the same.
void keep_with_gate(const Entry& own, const std::filesystem::path& directory) {
  try {
    const std::optional<Series> series = history_until(own);
    if (series && !series->gates.empty()) {
      write_file_synced(history::kept_series_file(directory), history::to_json(*series));
      write_file_synced(directory / "report.html", page_of_gate(directory / "result.json"));
    }
  } catch (const std::exception&) {  // what is added to the history meets the same, and tells it
  }
}

}  // namespace

void keep_history(campaign::CampaignResult& result) {
  try {
    const std::optional<Entry> own =
        history::read_entry(report::to_result_json(result), result.directory.string());
    std::optional<Series> series = own ? history_until(*own) : std::nullopt;
    if (series) {
      write_file_synced(history::kept_series_file(result.directory), history::to_json(*series));
      result.history = std::move(series);
    }
  } catch (const std::exception&) {  // note_in_history() meets the same, and tells it
  }
}

void note_in_history(const std::filesystem::path& directory) {
  try {
    const std::optional<Entry> entry =
        history::read_entry(read_file(directory / "result.json"), directory.string());
    if (!entry) {
      return;
    }
    if (entry->kind == "gate") {
      keep_with_gate(*entry, directory);
    }
    writable_history().add({*entry});
  } catch (const std::exception& error) {
    std::cerr << "note: " << short_path(directory)
              << " is not in the history (tune history): " << error.what() << "\n";
  }
}

}  // namespace tune::cli
