#include "cli/keep_history.h"

#include "base/file.h"
#include "cli/answer.h"
#include "cli/history_store.h"
#include "history/kept_series.h"
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

// Runs that began before this one, and this one; nothing without both.
std::optional<Series> series_until(const Entry& own) {
  const history::Measure* const rate = own.find(kFollowed);
  const std::optional<Store> store = rate == nullptr ? std::nullopt : readable_history();
  if (!store) {
    return std::nullopt;
  }
  std::vector<Series> found = store->series({.metric = kFollowed,
                                             .scenario = own.scenario,
                                             .machine = own.machine,
                                             .subject = own.subject});
  if (found.empty()) {
    return std::nullopt;
  }
  Series series = std::move(found.front());
  std::erase_if(series.points,
                [&](const Point& point) { return point.started_utc >= own.started_utc; });
  if (series.points.empty()) {
    return std::nullopt;
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
  series.unit = rate->unit;
  series.last_started = own.started_utc;
  series.runs = static_cast<std::int64_t>(series.points.size());
  return series;
}

}  // namespace

void keep_history(campaign::CampaignResult& result) {
  try {
    const std::optional<Entry> own =
        history::read_entry(report::to_result_json(result), result.directory.string());
    std::optional<Series> series = own ? series_until(*own) : std::nullopt;
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
    writable_history().add({*entry});
  } catch (const std::exception& error) {
    std::cerr << "note: " << short_path(directory)
              << " is not in the history (tune history): " << error.what() << "\n";
  }
}

}  // namespace tune::cli
