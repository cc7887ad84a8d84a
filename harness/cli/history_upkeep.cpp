#include "cli/history_upkeep.h"

#include "base/error.h"
#include "base/units.h"
#include "cli/history_store.h"
#include "report/number_text.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <system_error>
#include <tuple>

namespace tune::cli {

namespace {

using history::Entry;

constexpr const char* kGc = "tune history gc";

std::string runs_text(std::int64_t count) {
  return report::counted(count, "run");
}

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
                             "is no date",
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

ExitCode forget_runs(const std::vector<std::string>& ids) {
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
                               "tune history ls"});
    }
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
