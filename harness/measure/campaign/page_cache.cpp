#include "measure/campaign/page_cache.h"

#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "machine/page_cache.h"
#include "measure/campaign/ceiling.h"

#include <cstddef>
#include <system_error>
#include <utility>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 1U << 30;
constexpr std::size_t kMostFiles = 50'000;

// What makes it too much ends the walk: a large set costs no more than the first of its files.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::uintmax_t bytes = 0;
  std::error_code failed;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    if (!entry->is_regular_file(unknown)) {
      continue;
    }
    const std::uintmax_t size = entry->file_size(unknown);
    bytes += unknown ? 0 : size;
    if (bytes > kMostBytes || files.size() == kMostFiles) {
      return {};
    }
    files.push_back(entry->path());
  }
  return failed ? std::vector<fs::path>() : files;
}

}  // namespace

std::vector<fs::path> small_data_files(const trial::Data& data) {
  std::error_code failed;
  if (data.path.empty() || !fs::path(data.path).is_absolute()) {
    return {};
  }
  if (fs::is_regular_file(data.path, failed)) {
    const std::uintmax_t size = fs::file_size(data.path, failed);
    return failed || size > kMostBytes ? std::vector<fs::path>() : std::vector{fs::path(data.path)};
  }
  return fs::is_directory(data.path, failed) ? files_below(data.path) : std::vector<fs::path>();
}

void drop_from_memory(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    machine::drop_from_page_cache(file);
  }
}

void read_into_memory(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    machine::read_into_page_cache(file);
  }
}

namespace {

constexpr double kColder = 0.25;
constexpr double kMostlyCold = 0.5;

// Nothing for a trial that was made to begin cold: its cache was emptied on purpose.
std::optional<double> resident_ratio(const TrialRecord& record) {
  return record.outcome.reply && !is_cold(record) ? record.outcome.reply->loader.resident_ratio
                                                  : std::nullopt;
}

}  // namespace

std::optional<double> usual_residency(const std::vector<TrialRecord>& trials) {
  std::vector<double> ratios;
  ratios.reserve(trials.size());
  for (const TrialRecord& record : trials) {
    if (const auto ratio = resident_ratio(record)) {
      ratios.push_back(*ratio);
    }
  }
  return ratios.empty() ? std::nullopt : std::optional(stats::median(std::move(ratios)));
}

bool began_cold(const TrialRecord& record, std::optional<double> usual) {
  const std::optional<double> ratio = resident_ratio(record);
  return ratio && usual && *ratio < *usual - kColder;
}

std::string cold_cache_text(const std::vector<TrialRecord>& trials) {
  const std::optional<double> usual = usual_residency(trials);
  if (!usual) {
    return "";
  }
  std::size_t cold = 0;
  std::string first;
  for (const TrialRecord& record : trials) {
    if (began_cold(record, usual)) {
      ++cold;
      first = first.empty() ? record.spec.id + ", " + stats::percent_text(*resident_ratio(record))
                            : first;
    }
  }
  if (cold > 0) {
    return "the page cache was colder than usual in " + std::to_string(cold) + " of " +
           std::to_string(trials.size()) + " trials (the first: " + first +
           " of the files' bytes in it, usually " + stats::percent_text(*usual) +
           "): rates that include reading from the disk do not compare with the others";
  }
  return *usual >= kMostlyCold ? ""
                               : "most trials began with only " + stats::percent_text(*usual) +
                                     " of the files' bytes in the page cache: rates may include "
                                     "reading from the disk";
}

}  // namespace tune::campaign
