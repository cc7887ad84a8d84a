#include "cli/history_transfer.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/history_store.h"
#include "history/entry_json.h"
#include "history/read_entry.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using history::Entry;

constexpr const char* kResult = "result.json";
constexpr const char* kImport = "tune history import";
constexpr std::int64_t kLargestExport = std::int64_t{1} << 30;
constexpr std::int64_t kLargestResult = std::int64_t{1} << 28;

bool holds_result(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / kResult, failed);
}

// What was gathered, and what could not be.
struct Gathered {
  std::vector<Entry> entries;
  std::vector<std::string> problems;
};

void add_run(const fs::path& folder, Gathered& gathered) {
  try {
    std::optional<Entry> entry =
        history::read_entry(read_file(folder / kResult, kLargestResult), folder.string());
    if (!entry) {  // of an analysis or a calibration, which is no run
      return;
    }
    std::error_code failed;
    const fs::path place = fs::canonical(folder, failed);
    entry->directory = failed ? folder.string() : place.string();  // it may have been moved
    gathered.entries.push_back(std::move(*entry));
  } catch (const Error& error) {
    gathered.problems.emplace_back(error.what());
  }
}

void add_export(const fs::path& file, Gathered& gathered) {
  try {
    std::vector<Entry> entries =
        history::read_export(read_file(file, kLargestExport), file.string());
    gathered.entries.insert(gathered.entries.end(),
                            std::make_move_iterator(entries.begin()),
                            std::make_move_iterator(entries.end()));
  } catch (const Error& error) {
    gathered.problems.emplace_back(error.what());
  }
}

void add_place(const fs::path& place, Gathered& gathered) {
  std::error_code failed;
  if (fs::is_directory(place, failed)) {
    if (holds_result(place)) {
      add_run(place, gathered);
      return;
    }
    for (const fs::path& run : folders_in(place, holds_result)) {
      add_run(run, gathered);
    }
    return;
  }
  if (!fs::exists(place, failed)) {
    throw Error(Error::Parts{kImport,
                             place.string() + " is not there",
                             "a run directory, a folder of them, or a file of tune history export",
                             "tune history import tune-runs"});
  }
  add_export(place, gathered);
}

}  // namespace

ExitCode export_history(const std::string& scenario, const std::string& output) {
  const std::optional<history::Store> store = readable_history();
  std::vector<Entry> entries;
  if (store) {
    entries = store->entries({.scenario = scenario});
    std::reverse(entries.begin(), entries.end());  // as they happened
  } else {
    tell_empty_history();
  }
  const std::string text = history::to_export(entries);
  if (output.empty() || output == "-") {
    std::cout << text;
  } else {
    write_file_synced(output, text);
    std::cout << output << ": " << report::counted(static_cast<std::int64_t>(entries.size()), "run")
              << "\n";
  }
  return !scenario.empty() && entries.empty() ? ExitCode::nothing_matched : ExitCode::fine;
}

ExitCode import_history(const std::vector<std::string>& places) {
  Gathered gathered;
  for (const std::string& place : places) {
    add_place(place, gathered);
  }
  if (gathered.entries.empty() && !gathered.problems.empty()) {
    throw Error(Error::Parts{kImport, "could read nothing", gathered.problems.front(), ""});
  }
  for (const std::string& problem : gathered.problems) {
    std::cerr << "skipped: " << problem << "\n";
  }
  if (gathered.entries.empty()) {
    std::cerr << "there is no finished run or gate in what was named\n";
    return ExitCode::nothing_matched;
  }
  // Numbers count as time does.
  std::stable_sort(gathered.entries.begin(),
                   gathered.entries.end(),
                   [](const Entry& a, const Entry& b) { return a.started_utc < b.started_utc; });
  history::Store store = writable_history();
  const std::int64_t added = store.add(gathered.entries);
  const auto known = static_cast<std::int64_t>(gathered.entries.size()) - added;
  std::cout << "added " << report::counted(added, "run") << "; " << known
            << " were known and are up to date\n";
  return gathered.problems.empty() ? ExitCode::fine : ExitCode::partial;
}

}  // namespace tune::cli
