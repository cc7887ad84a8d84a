#include "cli/keep_history.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/answer.h"
#include "cli/open_run.h"
#include "cli/page_of_gate.h"
#include "machine/user_folders.h"
#include "measure/history/read_entry.h"
#include "measure/history/series.h"
#include "measure/history/store.h"
#include "report/markup.h"
#include "report/result_json.h"
#include "report/trend_chart.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

history::StoreOpening opening() {
  return {.data_folder = machine::data_folder(), .utc = utc_now()};
}

void tell(const history::Store& store) {
  for (const std::string& note : store.notes()) {
    std::cerr << "note: " << note << "\n";
  }
}

}  // namespace

std::optional<history::Store> readable_history() {
  std::optional<history::Store> store = history::Store::open_to_read(opening());
  if (store) {
    tell(*store);
  }
  return store;
}

history::Store writable_history() {
  history::Store store = history::Store::open_to_write(opening());
  tell(store);
  return store;
}

void tell_empty_history() {
  std::cerr << "no run is in the history yet: it fills by tune run and tune gate, or by "
               "tune history import tune-runs\n";
}

std::int64_t parse_run_number(const std::string& where, const std::string& text) {
  constexpr std::size_t kShown = 60;
  const std::string digits = text.starts_with('#') ? text.substr(1) : text;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc() || end != digits.data() + digits.size() || number <= 0) {
    throw Error(Error::Parts{where,
                             "'" + shortened(text, kShown) + "' is not the number of a run",
                             "they are in the first column of tune history list",
                             "tune history list"});
  }
  return number;
}

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
