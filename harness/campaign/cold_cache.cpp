#include "campaign/cold_cache.h"

#include "stats/percent_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace tune::campaign {

namespace {

constexpr double kWarmRatio = 0.95;

std::optional<double> resident_ratio(const TrialRecord& record) {
  return record.outcome.reply ? record.outcome.reply->loader.resident_ratio : std::nullopt;
}

}  // namespace

bool began_cold(const TrialRecord& record) {
  return resident_ratio(record).value_or(1) < kWarmRatio;
}

std::string cold_cache_text(const std::vector<TrialRecord>& trials) {
  std::size_t known = 0;
  std::size_t cold = 0;
  double least_warm = 1;
  std::string first;
  for (const TrialRecord& record : trials) {
    const std::optional<double> ratio = resident_ratio(record);
    known += ratio ? 1 : 0;
    if (began_cold(record)) {
      ++cold;
      first = first.empty() ? record.spec.id + ", " + stats::percent_text(*ratio) : first;
    } else {
      least_warm = std::min(least_warm, ratio.value_or(1));
    }
  }
  if (cold == 0) {
    return "";
  }
  const std::string text = "the page cache was cold in " + std::to_string(cold) + " of " +
                           std::to_string(known) + " trials (the first: " + first +
                           " of the files' bytes in it)";
  return cold == known
             ? text + ": all rates include reading from the disk"
             : text + ", in the others at least " + stats::percent_text(least_warm) +
                   ": rates that include reading from the disk do not compare with those after";
}

}  // namespace tune::campaign
