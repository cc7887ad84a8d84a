#include "campaign/cold_cache.h"

#include "campaign/ceiling.h"
#include "stats/log_ratio.h"
#include "stats/quantile.h"

#include <cstddef>
#include <utility>

namespace tune::campaign {

namespace {

constexpr double kColder = 0.25;
constexpr double kMostlyCold = 0.5;

// Of a trial that was made to begin cold it says nothing.
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
