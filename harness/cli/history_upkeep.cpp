#include "cli/history_upkeep.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/keep_history.h"
#include "measure/history/entry.h"
#include "measure/history/read_entry.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using history::Entry;

constexpr const char* kResult = "result.json";
constexpr const char* kImport = "tune history import";
constexpr std::int64_t kLargestExport = std::int64_t{1} << 30;
constexpr std::int64_t kLargestResult = std::int64_t{1} << 28;

std::string runs_text(std::int64_t count) {
  return report::counted(count, "run");
}

bool holds_result(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / kResult, failed);
}

// What was gathered, and what could not be.
struct Gathered {
  std::vector<Entry> entries;
  std::vector<std::string> problems;
  bool may_pass = false;  ///< the machine is the cause of one of them
};

void add_problem(const Error& error, Gathered& gathered) {
  gathered.problems.emplace_back(error.what());
  gathered.may_pass |= dynamic_cast<const MachineError*>(&error) != nullptr;
}

void add_run(const fs::path& folder, Gathered& gathered) {
  try {
    std::optional<Entry> entry =
        history::read_entry(read_file(folder / kResult, kLargestResult), folder.string());
    if (!entry) {  // of an analysis or a calibration, which is not a run
      return;
    }
    std::error_code failed;
    const fs::path place = fs::canonical(folder, failed);
    entry->directory = failed ? folder.string() : place.string();  // it may have been moved
    gathered.entries.push_back(std::move(*entry));
  } catch (const Error& error) {
    add_problem(error, gathered);
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
    add_problem(error, gathered);
  }
}

void add_place(const fs::path& place, Gathered& gathered) {
  std::error_code failed;
  const fs::file_type type = fs::status(place, failed).type();
  if (type == fs::file_type::none) {
    throw_failed_call(place, "cannot be read", failed.value());
  }
  if (type == fs::file_type::directory) {
    if (holds_result(place)) {
      add_run(place, gathered);
      return;
    }
    for (const fs::path& run : folders_in(place, holds_result)) {
      add_run(run, gathered);
    }
    return;
  }
  if (type == fs::file_type::not_found) {
    throw Error(Error::Parts{kImport,
                             place.string() + " does not exist",
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

ExitCode import_history(const std::vector<std::string>& places, bool dry_run) {
  Gathered gathered;
  for (const std::string& place : places) {
    add_place(place, gathered);
  }
  if (gathered.entries.empty() && !gathered.problems.empty()) {
    const Error::Parts parts{kImport, "could read nothing", gathered.problems.front(), ""};
    if (gathered.may_pass) {
      throw MachineError(parts);
    }
    throw Error(parts);
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
  if (dry_run) {
    std::cout << "would read " << runs_text(static_cast<std::int64_t>(gathered.entries.size()))
              << " into the history\n";
    return gathered.problems.empty() ? ExitCode::fine : ExitCode::partial;
  }
  history::Store store = writable_history();
  const std::int64_t added = store.add(gathered.entries);
  const auto known = static_cast<std::int64_t>(gathered.entries.size()) - added;
  std::cout << "added " << report::counted(added, "run") << "; " << known
            << " were known and are up to date\n";
  return gathered.problems.empty() ? ExitCode::fine : ExitCode::partial;
}

namespace {

constexpr const char* kGc = "tune history gc";

bool is_missing(const Entry& entry) {
  std::error_code failed;
  return !std::filesystem::exists(entry.directory, failed);
}

void check(const GcRequest& request) {
  constexpr std::size_t kDay = 10;  // "2026-01-01"
  const std::string& day = request.before;
  bool is_day = day.size() >= kDay;
  for (std::size_t i = 0; is_day && i < kDay; ++i) {
    is_day = i == 4 || i == 7 ? day[i] == '-' : day[i] >= '0' && day[i] <= '9';
  }
  if (!day.empty() && !is_day) {
    throw Error(Error::Parts{std::string(kGc) + " --before " + day,
                             "is not a date",
                             "year, month and day",
                             "--before 2026-01-31"});
  }
  if (request.keep && *request.keep < 1) {
    throw Error(Error::Parts{std::string(kGc) + " --keep " + std::to_string(*request.keep),
                             "would keep nothing",
                             "at least 1 of each series stays",
                             "tune history rm"});
  }
}

// `entries`: newest first.
std::vector<std::int64_t> garbage(const std::vector<Entry>& entries, const GcRequest& request) {
  std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> seen;
  std::vector<std::int64_t> ids;
  for (const Entry& entry : entries) {
    const std::int64_t place = ++seen[{entry.scenario, entry.machine, entry.subject}];
    const bool is_beyond = request.keep && place > *request.keep;
    // ISO 8601 sorts as time does.
    const bool is_early = !request.before.empty() && entry.started_utc < request.before;
    if (is_beyond || is_early || (request.missing && is_missing(entry))) {
      ids.push_back(entry.id);
    }
  }
  return ids;
}

}  // namespace

ExitCode forget_runs(const std::vector<std::string>& ids, bool dry_run) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const std::string& id : ids) {
    numbers.push_back(parse_run_number("tune history rm", id));
  }
  if (!readable_history()) {  // makes none where there is none
    tell_empty_history();
    return ExitCode::nothing_matched;
  }
  history::Store store = writable_history();
  for (const std::int64_t number : numbers) {
    if (store.entries({.id = number}).empty()) {
      throw Error(Error::Parts{"tune history rm " + std::to_string(number),
                               "is not in the history",
                               "nothing was forgotten",
                               "tune history list"});
    }
  }
  if (dry_run) {
    const std::set<std::int64_t> different(numbers.begin(), numbers.end());
    std::cout << "would forget " << runs_text(static_cast<std::int64_t>(different.size())) << "\n";
    return ExitCode::fine;
  }
  std::cout << "forgot " << runs_text(store.remove(numbers)) << "\n";
  return ExitCode::fine;
}

ExitCode collect_garbage(const GcRequest& request) {
  check(request);
  if (!readable_history()) {
    tell_empty_history();
    return ExitCode::fine;
  }
  history::Store store = writable_history();
  const std::vector<Entry> entries = store.entries({});
  const std::vector<std::int64_t> ids = garbage(entries, request);
  const auto left = static_cast<std::int64_t>(entries.size() - ids.size());
  if (request.dry_run) {
    std::cout << "would forget " << runs_text(static_cast<std::int64_t>(ids.size())) << ", " << left
              << " would stay\n";
    return ExitCode::fine;
  }
  const std::int64_t removed = store.remove(ids);
  const std::int64_t bytes = std::max<std::int64_t>(store.compact(), 0);
  std::cout << "forgot " << runs_text(removed) << ", " << left << " stay; gave back "
            << format_bytes(bytes) << "\n";
  return ExitCode::fine;
}

}  // namespace tune::cli
